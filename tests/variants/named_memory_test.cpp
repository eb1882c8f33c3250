#include "algorithms/variants/named_memory.hpp"

#include "algorithms/exec/sequential_exec.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("named memory: an address in or near an array is an element of it") {
  WithNamedMemory<SequentialExec> exec;
  auto tags = exec.array<std::uint32_t>("tags", 10);
  auto boxes = exec.array<std::uint64_t>("boxes", 3);
  const auto place = [&](const void* address) { return array_at(address).value(); };
  CHECK(place(tags.data()).array == "tags");
  CHECK(place(tags.data() + 10).index == 10);
  CHECK(place(tags.data() + 10).size == 10);
  CHECK(place(tags.data() - 1).index == -1);
  CHECK(place(reinterpret_cast<const char*>(tags.data()) - 5).index == -2);
  CHECK(place(reinterpret_cast<const char*>(tags.data()) + 7).index == 1);
  CHECK(place(boxes.data() + 2).array == "boxes");
  CHECK(place(boxes.data() + 2).index == 2);
  CHECK_FALSE(array_at(&exec).has_value());
}

TEST_CASE("named memory: a released array is known for a while, its memory counts no more") {
  WithNamedMemory<SequentialExec> exec;
  const void* was = nullptr;
  {
    auto array = exec.array<std::uint32_t>("short-lived", 4);
    was = array.data() + 1;
    CHECK(exec.memory().live() == 16);
    CHECK_FALSE(array_at(was).value().released);
  }
  CHECK(exec.memory().live() == 0);
  CHECK(array_at(was).value().released);
  CHECK(array_at(was).value().index == 1);
  for (int i = 0; i < 300; ++i) exec.array<char>("large", 1 << 20);
  const auto now = array_at(was);  // the memory may belong to another array
  CHECK((!now || now->array == "large"));
}

TEST_CASE("named memory: a limit of memory and marks of unwritten elements hold") {
  WithNamedMemory<SequentialExec> exec;
  exec.mark_unwritten();
  CHECK(exec.array<std::uint32_t>("new", 2).data()[1] == 0xffffffffu);
  exec.memory().limit_to(100);
  CHECK_THROWS_AS(exec.array<char>("too large", 101), ErrorException);
}
