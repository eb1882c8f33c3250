#include "app/cli/device_option.hpp"

#include <algorithm>
#include <sstream>

#include "algorithms/core/caught.hpp"
#include "algorithms/variants/remote/devices.hpp"

namespace kdscope::cli {

Option device_option() {
  return {"--device", "NAME",
          "Run on this device, another machine's GPU or CPU; `kdscope-cli device --help` explains how to add one. The "
          "points travel there, and what the run gives comes back."};
}

Result<DeviceInUse> device_from(const Arguments& arguments) {
  if (!arguments.has("--device")) return DeviceInUse();
  const auto device = value_of(variants::remote::device_named(arguments.text("--device")));
  const auto runners = value_of(variants::remote::runners_of(device));
  variants::use_runners(runners);
  return DeviceInUse(runners.get());
}

Result<std::shared_ptr<const Trace>> whole_trace(const Result<variants::Recording>& recording) {
  if (!recording) return recording.error();
  if (recording->crash.empty()) return recording->trace;
  return Error{ErrorKind::device_failure, recording->crash, "", "run again"};
}

Option devices_option() {
  return {"--device", "NAME,NAME",
          "Run on this device, another machine's GPU or CPU, or spread independent rows over several; `kdscope-cli "
          "device --help` explains how to add one. One that fails leaves its row to the others."};
}

Result<std::vector<std::shared_ptr<variants::Runners>>> devices_from(const Arguments& arguments) {
  std::vector<std::shared_ptr<variants::Runners>> all;
  const std::string text = arguments.text("--device");
  if (text.find(',') == std::string::npos) return all;
  std::istringstream names(text);
  for (std::string name; std::getline(names, name, ',');) {
    if (std::ranges::any_of(all, [&](const auto& runners) { return runners->device() == name; }))
      return Error{ErrorKind::bad_usage, "the device '" + name + "' is named twice", "", "name each once"};
    const auto device = value_of(variants::remote::device_named(name));
    all.push_back(value_of(variants::remote::runners_of(device)));
  }
  return all;
}

}  // namespace kdscope::cli
