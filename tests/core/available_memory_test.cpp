#include "algorithms/core/available_memory.hpp"

#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("memory is written in MiB, and in GiB where that is many, rounded up") {
  constexpr std::uint64_t mebi = 1ull << 20, gibi = 1ull << 30;
  CHECK(memory_text(0) == "0 MiB");
  CHECK(memory_text(1) == "1 MiB");
  CHECK(memory_text(mebi) == "1 MiB");
  CHECK(memory_text(mebi + 1) == "2 MiB");
  CHECK(memory_text(9999 * mebi) == "9999 MiB");
  CHECK(memory_text(10 * gibi) == "10.0 GiB");
  CHECK(memory_text(10 * gibi + 1) == "10.1 GiB");
  CHECK(memory_text(10 * gibi + gibi * 19 / 20) == "11.0 GiB");
  CHECK(memory_text(~0ull) == "17179869184.0 GiB");
}
