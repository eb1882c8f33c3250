// Tests the builder by rank, which makes the trees of `wald`: its schedule on the host, its kernels (emulated by the
// host, and on a device), and its recordings.
#include "algorithms/builders/rank/rank.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/hash.hpp"
#include "algorithms/exec/sequential_exec.hpp"
#include "algorithms/trees/left_balanced/reference.hpp"
#include "tests/builders/golden_hashes.hpp"
#include "tests/builders/replay.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/share.hpp"

namespace kdscope::rank_test {

namespace {

RunRequest request_of(const std::string& specification, const Parameters& parameters = {},
                      Backend backend = Backend::cpu) {
  return {{}, "rank", parameters, backend, false, test::data(specification)};
}

std::shared_ptr<const Trace> recorded(const std::string& specification, const Parameters& parameters = {},
                                      Backend backend = Backend::cpu) {
  auto trace = record(request_of(specification, parameters, backend));
  if (!trace) FAIL(specification << ": " << trace.error().message());
  return *trace;
}

/// Small rounds, so that few points take all steps.
const Parameters small_rounds{{"subtree", "32"}, {"sample", "16"}, {"intervals", "4"}, {"levels", "2"}};

std::string differences_from_golden(Backend backend, const Parameters& parameters, std::size_t every) {
  std::string failures;
  std::size_t turn = 0;
  for (const auto& [name, hash] : test::golden_hashes(test::golden_path("wald-trees.txt"))) {
    if (turn++ % every != 0) continue;
    const std::size_t end = name.rfind(' ');
    Parameters all = parameters;
    all["split"] = name.substr(end + 1);
    const auto report = build(request_of(name.substr(0, end), all, backend));
    if (!report)
      failures += name + ": " + report.error().message() + "\n";
    else if (report->tree_hash != hash)
      failures += name + "\n";
  }
  return failures;
}

/// Runs the device's kernels on the host, one block after the other.
class EmulatedDevice : public SequentialExec {
 public:
  static constexpr bool runs_on_host = false;
  template <class T>
  Array<T, EmulatedDevice> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    return {*this, name, n, allocation};
  }
};

std::uint32_t coordinate(float value, ScalarType type) {
  if (type == ScalarType::float32) return word_of(value);
  return word_of(static_cast<std::int32_t>(std::clamp(value * 100, -2e9f, 2e9f)));
}

/// Inputs on which brackets, bins and windows are at their worst.
struct Adversary {
  const char* name;
  float (*value)(std::uint64_t random, std::uint32_t i, std::uint32_t n);
};
const Adversary adversaries[] = {
    {"even", [](std::uint64_t r, std::uint32_t, std::uint32_t) { return static_cast<float>(r % 1000003) / 1000003; }},
    {"two values", [](std::uint64_t r, std::uint32_t, std::uint32_t) { return static_cast<float>(r % 2); }},
    {"seven values", [](std::uint64_t r, std::uint32_t, std::uint32_t) { return static_cast<float>(r % 7) - 3; }},
    {"all equal", [](std::uint64_t, std::uint32_t, std::uint32_t) { return 4.0f; }},
    {"sorted", [](std::uint64_t, std::uint32_t i, std::uint32_t) { return static_cast<float>(i); }},
    {"reversed", [](std::uint64_t, std::uint32_t i, std::uint32_t n) { return static_cast<float>(n - i); }},
    {"zeros of both signs", [](std::uint64_t r, std::uint32_t, std::uint32_t) { return r % 2 ? 0.0f : -0.0f; }},
    {"denormal and huge",
     [](std::uint64_t r, std::uint32_t, std::uint32_t) {
       return std::ldexp(r % 3 == 0 ? -1.0f : 1.0f, static_cast<int>(r / 3 % 276) - 149);
     }},
    {"most in one place",
     [](std::uint64_t r, std::uint32_t, std::uint32_t) {
       return r % 100 == 0 ? static_cast<float>(r % 1009) * 1e6f : 1.0f + static_cast<float>(r % 1009) * 1e-6f;
     }},
    {"median in a gap",
     [](std::uint64_t r, std::uint32_t, std::uint32_t) {
       return (r % 2 ? 1.0f : -1.0f) * (1.0f + static_cast<float>(r / 2 % 1009) * 1e-7f);
     }},
};

std::shared_ptr<const DataSet> points_of(const Adversary& adversary, std::uint32_t n, std::uint32_t dim,
                                         ScalarType type, std::uint32_t payload, std::uint64_t seed) {
  auto set = std::make_shared<DataSet>();
  set->points.type = type, set->points.dim = dim, set->points.payload_words = payload;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t d = 0; d < dim; ++d)
      set->points.words.push_back(coordinate(adversary.value(mix64(seed++), i, n), type));
    for (std::uint32_t w = 0; w < payload; ++w) set->points.words.push_back(i * 7 + w);
  }
  return set;
}

/// Builds `count` random sets in random ways and returns those whose trees differ from the reference.
template <class Exec>
std::string differences_from_reference(int count, std::uint32_t most, std::uint64_t seed) {
  std::string failures;
  for (int turn = 0; turn < count; ++turn) {
    const auto random = [&](std::uint32_t below) { return static_cast<std::uint32_t>(mix64(++seed) % below); };
    const Adversary& adversary = adversaries[static_cast<std::uint32_t>(turn) % std::size(adversaries)];
    const std::uint32_t n = turn < 70 ? static_cast<std::uint32_t>(turn) : random(most), dim = 1 + random(5);
    const ScalarType type = random(2) ? ScalarType::int32 : ScalarType::float32;
    const auto data = points_of(adversary, n, dim, type, random(3) == 0, seed);
    const std::uint32_t subtrees[] = {32, 64, 100, 1000, 4096}, samples[] = {8, 16, 64, 512};
    rank::RankOptions options;
    options.split = random(2) ? Split::widest : Split::round_robin;
    options.subtree = subtrees[random(5)], options.sample = samples[random(4)];
    options.levels_per_round = 1 + random(3), options.intervals = 1 + random(64);
    Exec exec;
    NullRecorder none;
    const LeftBalancedTree tree =
        download_tree(exec, rank::build(exec, upload_points(exec, data->points), options, none), data);
    if (tree_hash(tree) != tree_hash(reference_left_balanced_tree(data->points, options.split)))
      failures += std::string(adversary.name) + ", n=" + std::to_string(n) + ", dim=" + std::to_string(dim) +
                  ", subtree=" + std::to_string(options.subtree) + ", sample=" + std::to_string(options.sample) +
                  ", levels=" + std::to_string(options.levels_per_round) +
                  ", intervals=" + std::to_string(options.intervals) + (type == ScalarType::int32 ? ", int" : "") +
                  (options.split == Split::widest ? ", widest\n" : "\n");
  }
  return failures;
}

}  // namespace

TEST_CASE("rank: trees are those of wald, on the CPU", "[share]") {
  CHECK(differences_from_golden(Backend::cpu, {}, test::every_nth(3)) == "");
}
DEVICE_CASE("rank: trees are those of wald, on CUDA") {
  CHECK(differences_from_golden(Backend::cuda, {}, 1) == "");
  CHECK(differences_from_golden(Backend::cuda, small_rounds, 3) == "");
}

TEST_CASE("rank: the host's schedule finds the reference's trees of adversarial points") {
  CHECK(differences_from_reference<SequentialExec>(200, 6000, 1) == "");
}
TEST_CASE("rank: the device's kernels find the reference's trees of adversarial points, emulated", "[share]") {
  CHECK(differences_from_reference<EmulatedDevice>(200 / static_cast<int>(test::every_nth(2)), 15000, 2) == "");
}

DEVICE_CASE("rank: random points of up to a million on CUDA have the trees that the CPU builds") {
  std::string failures;
  std::uint64_t seed = 3;
  for (int turn = 0; turn < 200; ++turn) {
    const auto random = [&](std::uint32_t below) { return static_cast<std::uint32_t>(mix64(++seed) % below); };
    const Adversary& adversary = adversaries[static_cast<std::uint32_t>(turn) % std::size(adversaries)];
    const std::uint32_t n = random(turn % 4 == 0 ? 1'000'000 : 50'000), dim = 1 + random(8);
    const auto data =
        points_of(adversary, n, dim, random(2) ? ScalarType::int32 : ScalarType::float32, random(2), seed);
    const Parameters parameters{{"split", random(2) ? "widest" : "round-robin"}};
    const auto on_cuda = build({{}, "rank", parameters, Backend::cuda, false, data});
    const auto on_cpu = build({{}, "rank", parameters, Backend::cpu, false, data});
    if (!on_cuda || !on_cpu || on_cuda->tree_hash != on_cpu->tree_hash)
      failures += std::string(adversary.name) + ", n=" + std::to_string(n) + ", dim=" + std::to_string(dim) + "\n";
  }
  CHECK(failures == "");
}

TEST_CASE("rank: every check holds at every step, and the recorded tree is the timed one") {
  for (const char* specification :
       {"uniform:n=0,dim=3,seed=1", "uniform:n=1,dim=2,seed=1", "wald-10", "uniform:n=500,dim=2,seed=4",
        "grid:n=330,dim=3,seed=2,type=int", "equal:n=165,dim=2", "presorted:n=300,dim=8,seed=3"})
    for (const char* split : {"round-robin", "widest"}) {
      INFO(specification << " " << split);
      Parameters parameters = small_rounds;
      parameters["split"] = split;
      const auto trace = recorded(specification, parameters);
      CHECK(test::first_failure(*trace) == "");
      CHECK(trace->header.tree_hash == build(request_of(specification, parameters)).value().tree_hash);
    }
}

TEST_CASE("rank: a round's steps show brackets that hold the ranks, and windows of few points") {
  const auto trace = recorded("uniform:n=1000,dim=2,seed=5", small_rounds);
  std::vector<std::string> names;
  for (const Step& step : trace->steps) names.push_back(step.name);
  const std::vector<std::string> round{"sample",      "count bins",   "find windows", "count bins",
                                       "find pivots", "list windows", "find pivots",  "partition"};
  REQUIRE(names.size() > 1 + round.size());
  CHECK(std::vector<std::string>(names.begin() + 1, names.begin() + 1 + 8) == round);
  Cursor cursor(trace);
  cursor.seek(3);  // the root's window is found
  const auto value = [&](const char* array) { return cursor.number(array, 0); };
  CHECK(value("rank") == 511);
  CHECK(value("below") <= 511);
  CHECK(value("below") + value("window") > 511);
  CHECK(value("window") < 500);
}

TEST_CASE("rank: budgets, thinning, stopping, step times and replay are kept to") {
  test::check_replay(recorded("grid:n=130,dim=3,seed=2,type=int", small_rounds));
  test::check_stop_and_step_times(request_of("uniform:n=1000,dim=3,seed=1"));
}

DEVICE_CASE("rank: recordings on CUDA equal those on the CPU", "[sanitize]") {
  for (const char* specification : {"wald-10", "grid:n=300,dim=3,seed=2,type=int", "uniform:n=5000,dim=2,seed=8"})
    for (const Parameters& parameters : {Parameters{}, small_rounds})
      test::check_same_states(recorded(specification, parameters), recorded(specification, parameters, Backend::cuda));
}
DEVICE_CASE("rank: builds of many rounds and of deep subtrees on CUDA", "[sanitize]") {
  // A block that shares 8,191 points in four dimensions needs 82 bytes less than kernels may use without asking.
  for (const char* specification :
       {"uniform:n=20000,dim=3,seed=1", "grid:n=9000,dim=2,seed=1,side=30", "uniform:n=8191,dim=4,seed=1"})
    for (Parameters parameters : {Parameters{}, small_rounds})
      for (const char* split : {"round-robin", "widest"}) {
        parameters["split"] = split;
        CHECK(build(request_of(specification, parameters, Backend::cuda)).value().tree_hash ==
              build(request_of(specification, parameters)).value().tree_hash);
      }
}

}  // namespace kdscope::rank_test
