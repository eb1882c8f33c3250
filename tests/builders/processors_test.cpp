// Builds on fewer processors than the machine has. The trees are the same, the report contains the number, and
// unavailable numbers are rejected.

#include <algorithm>

#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::processors_test {

namespace {

Device device_of(Backend backend) {
  for (const Device& d : find_devices().devices)
    if (d.backend == backend) return d;
  return {};
}

RunRequest request_of(const AlgorithmSpec& algorithm, Backend backend, int processors) {
  const auto data = open_data_set(algorithm.takes_triangles ? "metal-ring" : "uniform:n=5000,dim=3,seed=3").value();
  RunRequest request{{}, algorithm.id, {}, backend, false, data};
  request.processors = processors;
  return request;
}

/// Checks that every algorithm makes the same tree on each of these numbers.
void check_numbers(Backend backend, const std::vector<int>& numbers) {
  const Device whole = device_of(backend);
  for (const AlgorithmSpec& algorithm : algorithms()) {
    const auto all = build(request_of(algorithm, backend, 0));
    INFO(algorithm.id);
    REQUIRE(all);
    CHECK(all->device.processors == whole.processors);
    CHECK(all->device.name == whole.name);
    for (const int processors : numbers) {
      INFO(processors << " processors");
      const auto some = build(request_of(algorithm, backend, processors)).value();
      CHECK(some.tree_hash == all->tree_hash);
      CHECK(some.device.processors == processors);
      CHECK(some.device.name == whole.name);
      const bool says = some.device.detail.find(std::to_string(processors) + " of " +
                                                std::to_string(whole.processors)) != std::string::npos;
      CHECK(says == (processors < whole.processors));
    }
  }
}

void check_refused(Backend backend, int processors, const std::string& part) {
  const auto refused = build(request_of(*find_algorithm("brown"), backend, processors));
  REQUIRE(!refused);
  INFO(refused.error().message());
  CHECK(refused.error().kind == ErrorKind::no_device);
  CHECK(refused.error().message().find(part) != std::string::npos);
  CHECK(!refused.error().remedy.empty());
}

}  // namespace

TEST_CASE(
    "CPU trees are the same on one thread, on two and on all; more than there are, or less than none, are refused") {
  const int threads = device_of(Backend::cpu).processors;
  REQUIRE(threads >= 1);
  check_numbers(Backend::cpu, {1, std::min(2, threads), threads});
  check_refused(Backend::cpu, threads + 1,
                "only " + std::to_string(threads) + " threads; ask for 1 to " + std::to_string(threads));
  check_refused(Backend::cpu, -1, "ask for 1 to ");
}

TEST_CASE("CUDA trees are the same on 8, 16 and 32 multiprocessors as on all; others are refused", "[device]") {
  const int multiprocessors = device_of(Backend::cuda).processors;
  if (multiprocessors < 40) KDSCOPE_SKIP("no CUDA device of 40 multiprocessors or more");
  check_numbers(Backend::cuda, {8, 16, 32, multiprocessors});
  check_refused(Backend::cuda, multiprocessors + 1, "only " + std::to_string(multiprocessors) + " multiprocessors");
  // Use an odd number: where multiprocessors come in pairs, the device would grant more, which must be rejected.
  const RunRequest odd = request_of(*find_algorithm("brown"), Backend::cuda, 5);
  if (const auto report = build(odd); report)
    CHECK(report->device.processors == 5);
  else
    check_refused(Backend::cuda, 5, "5 multiprocessors cannot be reserved alone; ask for ");
}

}  // namespace kdscope::processors_test
