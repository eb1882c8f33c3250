#pragma once
// Where a person's own files of settings lie.

#include <string>

namespace kdscope {

/// Returns $XDG_CONFIG_HOME/kdscope, else ~/.config/kdscope; empty if neither variable is set.
std::string configuration_folder();

}  // namespace kdscope
