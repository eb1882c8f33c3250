// Recorded runs: checks hold at every step, forwards and backwards agree, files preserve traces, and exceeded budgets
// and bad requests are rejected.

#include "algorithms/trees/left_balanced/tree.hpp"
#include "algorithms/trees/left_balanced/verify.hpp"
#include "tests/builders/replay.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;

TEST_CASE("every check holds at every step, all sorts and splits") {
  for (const char* specification : {"uniform:n=0,dim=3,seed=1", "uniform:n=1,dim=3,seed=1",
                                    "grid:n=777,dim=3,seed=2,type=int", "clustered:n=1500,dim=4,seed=3", "bunny"})
    for (const char* split : {"round-robin", "widest"})
      for (const char* sort : {"radix", "comparator", "bitonic"}) {
        INFO(specification << " " << split << " " << sort);
        test::check_recording(test::wald_request(test::data(specification), split, sort, Backend::cpu));
      }
}

TEST_CASE("stepping forwards then backwards gives the same states, and a saved trace is equal") {
  for (const char* specification : {"wald-10", "bunny"})
    for (const char* split : {"round-robin", "widest"}) {
      const auto trace = record(test::wald_request(test::data(specification), split, "radix", Backend::cpu)).value();
      test::check_replay(trace);
    }
}

namespace {

// Position, then power and direction, as in photon mapping (Wald 2023, §7.2).
struct Photon {
  float position[3];
  float power[3];
  std::int32_t direction;
};

void check_photons(Backend backend) {
  auto photons = std::make_shared<DataSet>();
  photons->name = "photons";
  photons->points.dim = 3;
  photons->points.payload_words = 4;
  const auto positions = test::data("uniform:n=500,dim=3,seed=5");
  for (std::uint32_t i = 0; i < 500; ++i) {
    for (std::uint32_t d = 0; d < 3; ++d) photons->points.words.push_back(positions->points.word(i, d));
    for (std::uint32_t w = 0; w < 4; ++w) photons->points.words.push_back(1000 * i + w);
  }
  static_assert(sizeof(Photon) == 7 * sizeof(std::uint32_t));
  for (const char* sort : {"radix", "comparator", "bitonic"}) {
    const auto built = build(test::wald_request(photons, "widest", sort, backend)).value().tree;
    const auto& tree = built.as<LeftBalancedTree>();
    CHECK(test::first_failure(verify_left_balanced_tree(tree, photons->points, Split::widest)) == "");
    for (std::uint32_t i = 0; i < 500; ++i)
      for (std::uint32_t w = 0; w < 4; ++w)
        REQUIRE(tree.points.word(i, 3 + w) == 1000 * tree.point_of_node[i].value + w);
  }
}

}  // namespace

TEST_CASE("payload rides along: a photon keeps its power") { check_photons(Backend::cpu); }

DEVICE_CASE("payload rides along on CUDA", "[sanitize]") { check_photons(Backend::cuda); }

TEST_CASE("the bitonic sort takes no temporary memory, the others say how much they take") {
  const auto temporary = [](const char* sort) {
    return build(test::wald_request(test::data("uniform:n=20000,dim=3,seed=5"), "round-robin", sort, Backend::cpu))
        .value()
        .sort_temporary_bytes;
  };
  CHECK(temporary("bitonic") == 0);
  CHECK(temporary("radix") >= 20000 * 8);
  CHECK(temporary("comparator") >= 20000 * 8);
}

TEST_CASE("bad requests are refused with what to do") {
  RunRequest request = test::wald_request(test::data("wald-10"), "round-robin", "radix", Backend::cpu);
  const auto message = [&] {
    const auto r = build(request);
    return r ? std::string() : r.error().message();
  };
  request.parameters["sort"] = "bubble";
  CHECK(message() == "sort cannot be 'bubble'; choose radix, comparator or bitonic.");
  request.parameters = {{"sorting", "radix"}};
  CHECK(message() == "wald has no parameter 'sorting'; its parameters are split or sort.");
  request.parameters = {};
  request.algorithm = "quick";
  CHECK(message().find("there is no algorithm 'quick'; choose ") == 0);
  request.algorithm = "wald";
  request.points = test::data("uniform:n=5,dim=9,seed=1");
  CHECK(message().find("wald builds points of 1 to 8 dimensions, these have 9") != std::string::npos);
  request.points = nullptr;
  CHECK(message() == "no data set is open; open one first.");
  if (!test::has_cuda()) {
    request.points = test::data("wald-10");
    request.backend = Backend::cuda;
    const auto r = build(request);
    REQUIRE(!r);
    CHECK(r.error().kind == ErrorKind::no_device);
    CHECK(message().find("choose the CPU back end") != std::string::npos);
  }
}

TEST_CASE("a trace past its budget is refused before the run, and thinning makes it smaller") {
  RunRequest request =
      test::wald_request(test::data("uniform:n=5000,dim=3,seed=1"), "round-robin", "radix", Backend::cpu);
  const std::uint64_t estimated = estimated_trace_bytes(request).value();
  const auto full = record(request).value();
  request.trace_budget_bytes = 1000;
  const auto refused = record(request);
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::over_budget);
  CHECK(refused.error().message().find("record only the last step of each level") != std::string::npos);
  // Record with a budget that may just suffice: the recording starts and stops when the budget is full.
  request.trace_budget_bytes = full->stored_bytes() - 1;
  const auto stopped = record(request);
  REQUIRE(!stopped);
  CHECK(stopped.error().kind == ErrorKind::over_budget);
  CHECK(stopped.error().where.starts_with("build / "));
  CHECK(stopped.error().what.ends_with(" before its end"));
  request.trace_budget_bytes = full->stored_bytes();
  CHECK(record(request));
  request.thin = true;
  request.trace_budget_bytes = estimated;
  const auto thin = record(request).value();
  CHECK(thin->steps.size() < full->steps.size());
  CHECK(thin->stored_bytes() < full->stored_bytes());
  CHECK(test::first_failure(*thin) == "");
  CHECK(thin->header.tree_hash == full->header.tree_hash);
}

TEST_CASE("a stop request ends a build and a recording, and step times name every step of the trace") {
  test::check_stop_and_step_times(
      test::wald_request(test::data("uniform:n=1000,dim=3,seed=1"), "round-robin", "radix", Backend::cpu));
}

DEVICE_CASE("recordings on CUDA equal those on the CPU", "[sanitize]") {
  for (const char* specification : {"wald-10", "grid:n=500,dim=3,seed=2,type=int"})
    for (const char* split : {"round-robin", "widest"})
      for (const char* sort : {"radix", "comparator", "bitonic"}) {
        INFO(specification << " " << split << " " << sort);
        test::check_same_states(
            record(test::wald_request(test::data(specification), split, sort, Backend::cpu)).value(),
            record(test::wald_request(test::data(specification), split, sort, Backend::cuda)).value());
      }
}

TEST_CASE("a trace knows which way its data points up") {
  CHECK(record(test::wald_request(test::data("bunny"), "widest", "radix", Backend::cpu)).value()->header.up_axis == 1);
  CHECK(record(test::wald_request(test::data("uniform:n=10,dim=3,seed=1"), "widest", "radix", Backend::cpu))
            .value()
            ->header.up_axis == 2);
}

TEST_CASE("the host memory asked for covers what a build takes") {
#if defined(__SANITIZE_THREAD__)
  const auto data = test::data("uniform:n=3000,dim=3,seed=1");
#else
  const auto data = test::data("uniform:n=50000,dim=3,seed=1");
#endif
  for (const char* sort : {"radix", "comparator", "bitonic"}) {
    INFO(sort);
    test::check_memory(test::wald_request(data, "round-robin", sort, Backend::cpu), 3);
  }
}
