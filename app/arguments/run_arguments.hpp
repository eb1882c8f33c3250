#pragma once
// The options that define a run, for every program that starts one.

#include "app/arguments/arguments.hpp"

namespace kdscope {

/// `standard`: the algorithm that runs without this option.
Option algorithm_option(const std::string& standard);
Option data_option(bool required);
Option backend_option();
Option parameter_option();

/// The values of parameter_option().
Result<std::map<std::string, std::string>> parameters_from(const Arguments& arguments);

}  // namespace kdscope
