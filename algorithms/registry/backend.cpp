#include "algorithms/registry/registry.hpp"

namespace kdscope {

const char* name_of(Backend backend) {
  static constexpr const char* names[] = {"auto", "cpu", "cuda"};
  return names[static_cast<std::size_t>(backend)];
}

Result<Backend> backend_named(std::string_view name) {
  for (Backend b : {Backend::automatic, Backend::cpu, Backend::cuda})
    if (name == name_of(b)) return b;
  return Error{ErrorKind::bad_usage, "there is no back end '" + std::string(name) + "'", "",
               "choose auto, cpu or cuda"};
}

}  // namespace kdscope
