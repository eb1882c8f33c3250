// Stands in for experiment_file_yaml.cpp in a build without yaml-cpp.

#include "app/experiments/experiment_file.hpp"

namespace kdscope {

bool experiment_files_available() { return false; }

Result<Experiment> read_experiment(const std::string& path) { return parse_experiment("", path); }

Result<Experiment> parse_experiment(const std::string&, const std::string& path) {
  return Error{ErrorKind::bad_usage, "experiment files are off, because this build has no yaml-cpp", path,
               "install libyaml-cpp-dev and configure again"};
}

}  // namespace kdscope
