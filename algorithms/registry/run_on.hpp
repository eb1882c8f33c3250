#pragma once
// Chooses where a procedure runs, and runs it there. Shared by builders and searches.

#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/exec/threads.hpp"
#include "algorithms/registry/registry.hpp"

namespace kdscope {

/// The error of a name that none of these has: it names a similar one, or all. what: "algorithm".
Error no_such(const char* what, std::string_view name, const std::vector<std::string>& names);

/// Returns the device to run on, or the reason why there is none. on_cpu, on_cuda: whether the procedure was built for
/// them.
Result<Device> choose_device(Backend wanted, bool on_cpu, bool on_cuda);

/// Returns the device with the number of processors that a run may use. processors: 0 for all.
Result<Device> limited(Device device, int processors);

/// Makes a builder's options and chooses the automatic ones for these points and this device, as build() does. Errors:
/// those of typed_options(), and what the builder does not take.
Result<TypedOptions> resolved_options(std::string_view algorithm, const Parameters& given, const PointSet& points,
                                      const Device& device);

/// Runs f on the processors that a run may use, and converts exceptions to errors.
template <class F>
auto guarded(const Device& device, F&& f) -> Result<decltype(f())> {
  try {
    if (device.backend == Backend::cpu) return on_threads(device.processors, f);
    return f();
  } catch (const ErrorException& e) {
    return e.error();
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::out_of_memory, "host memory is exhausted", "",
                 "use fewer points or triangles, or close other programs"};
  } catch (const std::exception& e) {
    return Error{ErrorKind::device_failure, std::string("a library failed: ") + e.what(), "",
                 "run again, or on the CPU back end"};
  }
}

}  // namespace kdscope
