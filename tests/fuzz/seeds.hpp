#pragma once
// Makes valid files of every format.

#include <string>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "datasets/loaders/loaders.hpp"

namespace kdscope::fuzz {

std::vector<std::string> point_seeds(FileFormat format);
std::vector<std::string> specification_seeds();
std::vector<std::string> pasted_seeds();
/// Returns the device whose searches the files contain.
const Device& tuned_device();
std::vector<std::string> tuning_seeds();
/// Returns options with one word per line.
std::vector<std::string> window_option_seeds();
std::vector<std::string> command_option_seeds();
std::vector<std::string> lesson_seeds();
std::vector<std::string> session_seeds();
std::vector<std::string> results_seeds();
/// Returns trace files without the seal.
std::vector<std::string> trace_seeds();

}  // namespace kdscope::fuzz
