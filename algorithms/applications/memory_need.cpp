#include "algorithms/applications/memory_need.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/builders/builders.hpp"
#include "algorithms/core/available_memory.hpp"

namespace kdscope {
namespace {

std::uint64_t host_bytes(const MemoryNeed& need, const Device& device) {
  return std::max(need.host + (device.backend == Backend::cpu ? need.device : 0), need.host_after);
}

}  // namespace

std::optional<Error> lack_of_memory(const MemoryNeed& need, const Device& device, std::uint64_t available,
                                    const std::string& subject, const std::string& remedy) {
  if (const std::uint64_t bytes = host_bytes(need, device); bytes > available)
    return Error{
        ErrorKind::out_of_memory,
        subject + " about " + memory_text(bytes) + " of host memory, " + memory_text(available) + " are available", "",
        remedy + ", or close other programs"};
  if (device.backend == Backend::cuda && need.device > device.memory_bytes)
    return Error{ErrorKind::out_of_memory,
                 subject + " about " + memory_text(need.device) + " of GPU memory, " + device.name + " has " +
                     memory_text(device.memory_bytes),
                 "", remedy + ", or use the CPU back end"};
  return {};
}

namespace memory {

OfBuild bytes_of_build(const Application& application, const DataSet& data, const TypedOptions& options) {
  OfBuild bytes;
  for (const Builder* builder : builders()) {
    if (builder->spec.id != application.algorithm) continue;
    if (builder->device_bytes) bytes.device = builder->device_bytes(data, options);
    if (builder->host_bytes) bytes.host = builder->host_bytes(data, options, true);
  }
  return bytes;
}

std::uint64_t build_bytes_per_point(const Application& application) {
  const auto options = application.builder_options();
  if (!options) return 0;  // this program lacks the builder
  const auto bytes_of = [&](std::size_t n) {
    DataSet data;
    data.points = PointSet{ScalarType::float32, 3, 0, std::vector<std::uint32_t>(3 * n)};
    return bytes_of_build(application, data, *options).device;
  };
  constexpr std::size_t sample = 1024;
  return (bytes_of(2 * sample) - bytes_of(sample)) / sample;
}

}  // namespace memory
}  // namespace kdscope
