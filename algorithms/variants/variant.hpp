#pragma once
// The header that a variant's file includes. The file's stages are functors that derive from a builder's own. One line
// at its end makes the file a program, which kdscope runs in a process of its own. `kdscope-cli variant new wald
// update_tags` writes such a file.

#include <cstdint>
#include <type_traits>
#include <vector>

#include "algorithms/builders/builders.hpp"
#include "algorithms/builders/on_cpu.hpp"
#if defined(__CUDACC__)
#include "algorithms/builders/on_cuda.cuh"
#elif defined(KDSCOPE_MEASURED)
#include "algorithms/exec/cpu_exec.hpp"
#elif defined(KDSCOPE_COUNTED)
#include "algorithms/exec/sequential_exec.hpp"
#include "algorithms/variants/counted_memory.hpp"
#elif defined(KDSCOPE_INSIDE)
#include "algorithms/variants/inside/inside_exec.hpp"
#else
#include "algorithms/variants/ordered_exec.hpp"
#endif
#include "algorithms/variants/named_memory.hpp"
#include "algorithms/variants/replaced_stages.hpp"
#include "algorithms/variants/shown_values.hpp"
#include "algorithms/variants/variant_program.hpp"

namespace kdscope {

// With KDSCOPE_MEASURED, a variant is compiled to be timed beside the original: with the executor of the builders, and
// without a recording.
#if defined(KDSCOPE_MEASURED) && defined(__CUDACC__)
using VariantExec = ExecWithReplacements<CudaExec>;
#elif defined(KDSCOPE_MEASURED)
using VariantExec = ExecWithReplacements<CpuExec>;
#elif defined(KDSCOPE_COUNTED)
/// The executor of a variant whose accesses are counted: one thread, counted arrays, replaced stages.
using VariantExec = WithCountedMemory<ExecWithReplacements<SequentialExec> >;
#elif defined(KDSCOPE_INSIDE)
/// The executor of a variant whose launches are recorded access by access.
using VariantExec = WithWatchedMemory<ExecWithReplacements<InsideExec> >;
#elif defined(__CUDACC__)
/// The executor of a variant on CUDA: announced arrays, replaced stages.
using VariantExec = WithAnnouncedMemory<ExecWithReplacements<CudaExec>>;
#else
/// The executor of a variant on the CPU: one thread, lanes in a chosen order, guarded arrays, replaced stages.
using VariantExec = WithNamedMemory<ExecWithReplacements<OrderedExec> >;
#endif

[[noreturn]] inline BuildReport no_timed_build(const RunRequest&, const TypedOptions&, const Device&,
                                               const RunControl&) {
  throw ErrorException({ErrorKind::bad_usage, "this program of a variant records and does not measure", "", ""});
}
[[noreturn]] inline std::shared_ptr<const Trace> no_recording(const RunRequest&, const TypedOptions&, const Device&,
                                                              TraceHeader, const RunControl&) {
  throw ErrorException(
      {ErrorKind::bad_usage, "this program of a variant measures or counts, and does not record", "", ""});
}

/// Returns the builder with the stages of this program in place of its own. It has the back end of the compiler: CUDA
/// from nvcc, else the CPU.
template <class Construction>
Builder variant_of(Builder builder) {
  builder.tree_kind = []() -> const TreeKind& { return Construction::Tree::kind(); };
  builder.set_rules = set_rules_of<Construction>;
#if defined(KDSCOPE_MEASURED) && defined(__CUDACC__)
  static const BackEnd back_end{build_on_cuda<Construction, VariantExec>, no_recording};
#elif defined(KDSCOPE_MEASURED) || defined(KDSCOPE_COUNTED)
  static const BackEnd back_end{build_on_cpu<Construction, VariantExec>, no_recording};
#elif defined(__CUDACC__)
  static const BackEnd back_end{no_timed_build, record_on_cuda<Construction, VariantExec>};
#else
  static const BackEnd back_end{no_timed_build, record_on_cpu<Construction, VariantExec>};
#endif
#if defined(__CUDACC__)
  builder.cuda = &back_end;
#else
  builder.cpu = &back_end;
#endif
  return builder;
}

}  // namespace kdscope

/// The last line of a variant's file. id: the builder of which it is a variant, with '-' written as '_'. Memory that is
/// in use at the end of a variant is no leak, because its arrays stay reserved. The handler of divisions takes the
/// place of that of UndefinedBehaviorSanitizer.
#define KDSCOPE_VARIANT_OF(id)                                                                                     \
  namespace kdscope {                                                                                              \
  namespace id {                                                                                                   \
  Builder declare();                                                                                               \
  }                                                                                                                \
  const std::vector<const Builder*>& builders() {                                                                  \
    static const Builder variant = variant_of<id::Construction>(id::declare());                                    \
    static const std::vector<const Builder*> alone{&variant};                                                      \
    return alone;                                                                                                  \
  }                                                                                                                \
  }                                                                                                                \
  extern "C" const char* __asan_default_options() {                                                                \
    return "detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1:handle_abort=1:handle_sigill=1";     \
  }                                                                                                                \
  extern "C" [[noreturn]] void __ubsan_handle_divrem_overflow_abort(void* place, std::uintptr_t, std::uintptr_t) { \
    kdscope::end_at_division(*static_cast<const kdscope::DivisionPlace*>(place));                                  \
  }                                                                                                                \
  int main() { return kdscope::run_as_variant(__FILE__, KDSCOPE_KIT_ID); }
