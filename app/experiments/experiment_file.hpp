#pragma once
// Experiment files: sweeps that a user declares in YAML. README.md of this folder lists their keys.

#include <string>

#include "app/experiments/experiment.hpp"

namespace kdscope {

/// Whether this build reads experiment files. Without yaml-cpp it does not.
bool experiment_files_available();

/// Reads an experiment file of at most 1 MiB. The experiment's id is the file's name without its ending. Errors:
/// bad_input with the file, the line and what is wrong there; bad_usage in a build without yaml-cpp.
Result<Experiment> read_experiment(const std::string& path);

/// The same of a text. `path` is for messages, the id, and relative paths of data files.
Result<Experiment> parse_experiment(const std::string& text, const std::string& path);

}  // namespace kdscope
