#include "app/cli/device_option.hpp"

#include "algorithms/variants/remote/devices.hpp"

namespace kdscope::cli {

Option device_option() {
  return {"--device", "NAME",
          "Run on this device, another machine's GPU or CPU; `kdscope-cli device --help` explains how to add one. The "
          "points travel there, and what the run gives comes back."};
}

Result<std::unique_ptr<variants::Runners>> runners_from(const Arguments& arguments) {
  using variants::Runners;
  if (!arguments.has("--device")) return std::unique_ptr<Runners>();
  const auto device = variants::remote::device_named(arguments.text("--device"));
  if (!device) return device.error();
  const auto runner = Runners::find_program();
  if (!runner) return runner.error();
  auto runners = std::make_unique<Runners>(variants::remote::near_command(*runner, device->way),
                                           variants::RunnersAre::elsewhere);
  variants::use_runners(runners.get());
  return runners;
}

}  // namespace kdscope::cli
