#include "algorithms/exec/cpu_exec.hpp"
#include "tests/builders/zhou_interruptions_cases.hpp"

namespace kdscope::zhou_interruptions_test {

namespace {

// Test only a share of the launches and arrays under sanitizers, which slow builds down.
#if defined(__SANITIZE_THREAD__)
constexpr std::size_t every = 23;
#elif defined(__SANITIZE_ADDRESS__)
constexpr std::size_t every = 3;
#else
constexpr std::size_t every = 1;
#endif

const auto on_cpu = [] { return std::make_unique<test::InterruptedExec<CpuExec>>(); };

}  // namespace

TEST_CASE("zhou: a timed build that is stopped, or out of memory, anywhere ends there and leaves nothing behind") {
  for (const char* id : {"zhou-sah", "zhou-vvh"})
    test::check_interruptions(on_cpu, test::zhou_run(id, 200), false, every);
}
TEST_CASE("zhou: a stepped build that is stopped, or out of memory, anywhere ends there and leaves nothing behind") {
  for (const char* id : {"zhou-sah", "zhou-vvh"})
    test::check_interruptions(on_cpu, test::zhou_run(id, 80), true, every);
}
TEST_CASE("zhou: whatever memory there is, a build is right or refused in a sentence") {
  for (const char* id : {"zhou-sah", "zhou-vvh"}) test::check_limits(on_cpu, test::zhou_run(id, 3000));
}

}  // namespace kdscope::zhou_interruptions_test
