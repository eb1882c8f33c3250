#include "algorithms/core/configuration_folder.hpp"

#include <cstdlib>

namespace kdscope {

std::string configuration_folder() {
  const auto below = [](const char* variable, const char* folder) {
    const char* value = std::getenv(variable);
    return value && *value ? std::string(value) + folder : std::string();
  };
  const std::string folder = below("XDG_CONFIG_HOME", "/kdscope");
  return folder.empty() ? below("HOME", "/.config/kdscope") : folder;
}

}  // namespace kdscope
