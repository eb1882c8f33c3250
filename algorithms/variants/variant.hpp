#pragma once
// The header that a variant's file includes. The file's stages are functors that derive from a builder's own. One line
// at its end makes the file a program, which kdscope runs in a process of its own. `kdscope-cli variant new wald
// update_tags` writes such a file.

#include <type_traits>
#include <vector>

#include "algorithms/builders/builders.hpp"
#include "algorithms/builders/on_cpu.hpp"
#if defined(__CUDACC__)
#include "algorithms/builders/on_cuda.cuh"
#else
#include "algorithms/exec/sequential_exec.hpp"
#endif
#include "algorithms/variants/named_memory.hpp"
#include "algorithms/variants/replaced_stages.hpp"
#include "algorithms/variants/variant_program.hpp"

namespace kdscope {

#if defined(__CUDACC__)
/// The executor of a variant on CUDA: announced arrays, replaced stages.
using VariantExec = WithAnnouncedMemory<ExecWithReplacements<CudaExec>>;
#else
/// The executor of a variant on the CPU: one thread, guarded arrays, replaced stages.
using VariantExec = WithNamedMemory<ExecWithReplacements<SequentialExec>>;

[[noreturn]] inline BuildReport no_timed_build(const BuildRequest&, const Device&, const RunControl&) {
  throw ErrorException({ErrorKind::bad_usage, "a variant can be recorded, but not yet built at full speed", "", ""});
}
#endif

/// Returns the builder with the stages of this program in place of its own. It has the back end of the compiler: CUDA
/// from nvcc, else the CPU.
template <class Construction>
Builder variant_of(Builder builder) {
  builder.tree_kind = []() -> const TreeKind& { return Construction::Tree::kind(); };
  builder.set_rules = set_rules_of<Construction>;
#if defined(__CUDACC__)
  static const BackEnd on_cuda{build_on_cuda<Construction, VariantExec>, record_on_cuda<Construction, VariantExec>};
  builder.cuda = &on_cuda;
#else
  static constexpr BackEnd on_cpu{no_timed_build, record_on_cpu<Construction, VariantExec>};
  builder.cpu = &on_cpu;
#endif
  return builder;
}

}  // namespace kdscope

/// The last line of a variant's file. id: the builder of which it is a variant, with '-' written as '_'. Memory that is
/// in use at the end of a variant is no leak, because its arrays stay reserved.
#define KDSCOPE_VARIANT_OF(id)                                                  \
  namespace kdscope {                                                           \
  namespace id {                                                                \
  Builder declare();                                                            \
  }                                                                             \
  const std::vector<const Builder*>& builders() {                               \
    static const Builder variant = variant_of<id::Construction>(id::declare()); \
    static const std::vector<const Builder*> alone{&variant};                   \
    return alone;                                                               \
  }                                                                             \
  }                                                                             \
  extern "C" const char* __asan_default_options() {                             \
    return "detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1"; \
  }                                                                             \
  int main() { return kdscope::run_as_variant(__FILE__, KDSCOPE_KIT_ID); }
