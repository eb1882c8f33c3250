#pragma once
// The options that choose a run, for every program that makes one.

#include "app/arguments/arguments.hpp"

namespace kdscope {

/// `standard`: what runs without it.
Option algorithm_option(const std::string& standard);
Option data_option(bool required);
Option backend_option();
Option parameter_option();

/// The values of parameter_option().
Result<std::map<std::string, std::string>> parameters_from(const Arguments& arguments);

}  // namespace kdscope
