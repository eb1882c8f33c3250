#pragma once
// A job array of Slurm that measures the rows of an experiment file, each task a part of them.

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"

namespace kdscope::cli {

struct SlurmArray {
  std::string program;             ///< kdscope-cli, as the nodes find it
  std::string file;                ///< the experiment
  std::vector<std::string> words;  ///< further options of `kdscope-cli experiment`
  std::string keep;                ///< the file that the rows come to; each task has a file of its own beside it
  std::string options;             ///< of sbatch: "--gres=gpu:1 --partition=short"
  std::size_t parts = 1;           ///< tasks
};

/// The script of a task, for `sbatch`.
std::string array_script(const SlurmArray& array);
/// The script that brings the rows of all tasks into the file, for a job that waits for them.
std::string merge_script(const SlurmArray& array);

/// Submits a script. further: words of sbatch before it. Returns the job's id. Errors: io_failure if sbatch is missing
/// or refuses, with its words; cancelled.
Result<std::string> submit(const std::string& script, const std::vector<std::string>& further, std::stop_token stop);

}  // namespace kdscope::cli
