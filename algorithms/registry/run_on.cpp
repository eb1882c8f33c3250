#include "algorithms/registry/run_on.hpp"

#include "algorithms/text/quotes.hpp"
#include "algorithms/text/similar_names.hpp"

namespace kdscope {

Error no_such(const char* what, std::string_view name, const std::vector<std::string>& names) {
  const std::string similar = did_you_mean(name, names);
  return {ErrorKind::bad_usage, std::string("there is no ") + what + " " + kdscope::quoted(name), "",
          similar.empty() ? "choose " + alternatives(names) : similar};
}

Result<Device> choose_device(Backend wanted, bool on_cpu, bool on_cuda) {
  if (wanted == Backend::cpu && on_cpu) return cpu_device();
  const DeviceReport report = find_devices();
  for (const Device& d : report.devices) {
    const bool built = d.backend == Backend::cpu ? on_cpu : on_cuda;
    if (built && (wanted == Backend::automatic || wanted == d.backend)) return d;
  }
  return Error{ErrorKind::no_device, "no CUDA device can be used: " + report.cuda_status, "",
               "choose the CPU back end"};
}

Result<Device> limited(Device device, int processors) {
  if (processors == 0 || processors == device.processors) return device;
  const std::string kind = device.backend == Backend::cuda ? " multiprocessors" : " threads";
  if (processors < 0 || processors > device.processors)
    return Error{ErrorKind::no_device, "there are only " + std::to_string(device.processors) + kind, "",
                 "ask for 1 to " + std::to_string(device.processors) + ", or for all"};
  device.detail = std::to_string(processors) + " of " + std::to_string(device.processors) + kind + ", " + device.detail;
  device.processors = processors;
  return device;
}

}  // namespace kdscope
