#include <cuda.h>

#include <string>
#include <type_traits>

#include "algorithms/core/error.hpp"
#include "algorithms/exec/multiprocessors.cuh"

#if CUDART_VERSION >= 12050
#include <cudaTypedefs.h>
#endif

namespace kdscope {
namespace {

[[noreturn]] void cannot(const std::string& what, const std::string& remedy) {
  throw ErrorException({ErrorKind::no_device, what, "", remedy});
}

#if CUDART_VERSION >= 12050
/// The driver's functions, obtained through the runtime. The program does not link the driver library, which is missing
/// on a machine without a GPU.
struct Driver {
  PFN_cuDeviceGetDevResource_v12040 get_resource;
  PFN_cuDevSmResourceSplitByCount_v12040 split;
  PFN_cuDevResourceGenerateDesc_v12040 describe;
  PFN_cuGreenCtxCreate_v12040 create;
  PFN_cuGreenCtxDestroy_v12040 destroy;
  PFN_cuGreenCtxStreamCreate_v12050 make_stream;
};

const Driver& driver() {
  static const Driver found = [] {
    const auto function = [](auto& to, const char* name, unsigned version) {
      void* at = nullptr;
      cudaDriverEntryPointQueryResult result{};
      if (cudaGetDriverEntryPointByVersion(name, &at, version, cudaEnableDefault, &result) != cudaSuccess ||
          result != cudaDriverEntryPointSuccess) {
        cudaGetLastError();
        cannot("this driver cannot limit a run to some multiprocessors",
               "update it (CUDA 12.5 or later), or ask for all");
      }
      to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(at);
    };
    Driver d{};
    function(d.get_resource, "cuDeviceGetDevResource", 12040);
    function(d.split, "cuDevSmResourceSplitByCount", 12040);
    function(d.describe, "cuDevResourceGenerateDesc", 12040);
    function(d.create, "cuGreenCtxCreate", 12040);
    function(d.destroy, "cuGreenCtxDestroy", 12040);
    function(d.make_stream, "cuGreenCtxStreamCreate", 12050);
    return d;
  }();
  return found;
}
#endif

}  // namespace

#if CUDART_VERSION >= 12050
Multiprocessors::Multiprocessors(int device, int count) {
  const auto done = [&](CUresult result) {  // both APIs number their errors alike
    if (result != CUDA_SUCCESS)
      cannot(std::to_string(count) +
                 " multiprocessors are not available: " + cudaGetErrorString(static_cast<cudaError_t>(result)),
             "ask for all");
  };
  CUdevResource all{}, some{};
  done(driver().get_resource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
  // Ask without the flag first, then with it. Without it, the driver gives out groups of multiprocessors that can
  // cooperate (8 on an H100), and rejects or rounds other counts. The builders do not need cooperation.
  unsigned had = 0;
  CUresult result = CUDA_SUCCESS;
  for (const unsigned flags : {0u, static_cast<unsigned>(CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING)}) {
    unsigned groups = 1;
    result = driver().split(&some, &groups, &all, nullptr, flags, static_cast<unsigned>(count));
    had = result == CUDA_SUCCESS && groups > 0 ? some.sm.smCount : 0;
    if (had == static_cast<unsigned>(count)) break;
  }
  if (had == 0) done(result);
  if (had != static_cast<unsigned>(count))
    cannot(std::to_string(count) + " multiprocessors cannot be reserved alone",
           had > 0 ? "ask for " + std::to_string(had) + ", or for all" : "ask for fewer, or for all");
  CUdevResourceDesc description{};
  done(driver().describe(&description, &some, 1));
  CUgreenCtx context = nullptr;
  done(driver().create(&context, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
  context_ = context;
}

Multiprocessors::~Multiprocessors() { driver().destroy(static_cast<CUgreenCtx>(context_)); }

cudaError_t Multiprocessors::make_stream(cudaStream_t& stream) const {
  return static_cast<cudaError_t>(
      driver().make_stream(&stream, static_cast<CUgreenCtx>(context_), CU_STREAM_NON_BLOCKING, 0));
}
#else
Multiprocessors::Multiprocessors(int, int) {
  cannot("this build cannot limit a run to some multiprocessors", "build with CUDA 12.5 or later, or ask for all");
}
Multiprocessors::~Multiprocessors() = default;
cudaError_t Multiprocessors::make_stream(cudaStream_t&) const { return cudaErrorNotSupported; }
#endif

}  // namespace kdscope
