// Trees of the wehr builder compared with the simple reference, the verifier and the committed hashes: sizes around and
// between powers of two, bases, TPB and cutoffs crossed, every sort.
#include <fstream>

#include "algorithms/core/hash.hpp"
#include "algorithms/trees/level_order/tree.hpp"
#include "algorithms/trees/level_order/verify.hpp"
#include "tests/builders/golden_hashes.hpp"
#include "tests/builders/wehr_runs.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/share.hpp"

namespace kdscope::wehr_trees_test {

namespace {

// Test only a share of the cases under sanitizers, which slow builds down, the thread sanitizer most of all.
#if defined(__SANITIZE_THREAD__)
constexpr std::size_t every = 199;
#elif defined(__SANITIZE_ADDRESS__)
constexpr std::size_t every = 13;
#else
const std::size_t every = test::every_nth(13);
#endif

/// The parameters that determine a tree, without the sort. F is 0 for exact keys.
struct Case {
  std::string specification;
  std::uint32_t f = 33554431;
  bool each = false;
  std::string name() const {
    return specification + (f == 0 ? " exact" : " " + std::to_string(f) + (each ? " each" : " common"));
  }
  std::vector<std::uint32_t> keys(const PointSet& points) const {
    return f == 0 ? test::ranks(points) : test::quantized(points, f, each);
  }
  LevelOrderTree reference() const {
    const auto data = test::data_or_reversed(specification);
    return test::reference_of(data, keys(data->points));
  }
  Parameters parameters() const {
    if (f == 0) return {};
    return {{"keys", "quantized"}, {"f", std::to_string(f)}, {"scale", each ? "each" : "common"}};
  }
};

/// The parameters of the sort, which must not change the tree.
struct Way {
  std::string sort;
  std::uint32_t base, tpb, cutoff;
  Parameters parameters(const Case& c) const {
    Parameters all = c.parameters();
    all.insert({{"sort", sort},
                {"base", std::to_string(base)},
                {"tpb", std::to_string(tpb)},
                {"cutoff", std::to_string(cutoff)}});
    return all;
  }
  std::string name() const {
    return sort + " base " + std::to_string(base) + " tpb " + std::to_string(tpb) + " cutoff " + std::to_string(cutoff);
  }
};

const std::vector<std::string> generators{"uniform",   "clustered",          "sphere", "grid", "equal",
                                          "presorted", "reversed:presorted", "line"};
const std::vector<std::string> fast_sorts{"adaptive", "adaptive-radix", "adaptive-insertion", "naive-radix"};
const std::vector<std::uint32_t> dims{1, 2, 3, 8}, largest_keys{33554431, 4294967295, 255, 1, 1000003};
const std::vector<std::uint32_t> exact_too{33554431, 4294967295, 255, 1, 1000003, 0, 0, 0};
const std::vector<std::uint32_t> bases{2, 3, 10, 16, 32, 100, 256}, tpbs{4, 8, 16, 32, 64, 96, 256, 1024};

/// Returns the number-th of a fixed sequence that mixes all choices.
class Mixture {
 public:
  explicit Mixture(std::uint64_t number) : state_(mix64(number + 0x2545f491)) {}
  template <class T>
  const T& of(const std::vector<T>& choices) {
    state_ = mix64(state_ + 1);
    return choices[state_ % choices.size()];
  }

 private:
  std::uint64_t state_;
};

Case mixed_case(Mixture& mixture, std::uint32_t n, std::uint32_t seed) {
  const std::string generator = mixture.of(generators);
  return {generator + ":n=" + std::to_string(n) + ",dim=" + std::to_string(mixture.of(dims)) +
              ",seed=" + std::to_string(seed) + ",type=" + mixture.of(std::vector<std::string>{"float", "int"}),
          mixture.of(exact_too), mixture.of(std::vector<int>{0, 1}) == 1};
}

Way mixed_way(Mixture& mixture, const std::vector<std::string>& sorts) {
  const std::uint32_t tpb = mixture.of(tpbs);
  return {
      mixture.of(sorts), mixture.of(bases), tpb,
      tpb * mixture.of(std::vector<std::uint32_t>{1, 1, 2, 5}) + mixture.of(std::vector<std::uint32_t>{0, 0, 1, 13})};
}

std::vector<Case> golden_cases() {
  std::vector<Case> cases;
  for (const std::string& generator : generators)
    for (std::uint32_t dim : dims)
      for (const char* type : {"float", "int"})
        for (std::uint32_t n : {0u, 1u, 2u, 5u, 10u, 100u, 777u, 1023u, 1024u, 1025u}) {
          Mixture mixture(cases.size());
          cases.push_back(
              {generator + ":n=" + std::to_string(n) + ",dim=" + std::to_string(dim) + ",seed=7,type=" + type,
               mixture.of(largest_keys), mixture.of(std::vector<int>{0, 1}) == 1});
        }
  return cases;
}
std::vector<Case> large_golden_cases() {
  std::vector<Case> cases;
  for (const std::string& generator : generators)
    for (std::uint32_t n : {65536u, 99999u, 100000u}) {
      Mixture mixture(1000 + cases.size());
      cases.push_back({generator + ":n=" + std::to_string(n) + ",dim=" + std::to_string(mixture.of(dims)) +
                           ",seed=11,type=" + mixture.of(std::vector<std::string>{"float", "int"}),
                       mixture.of(largest_keys), mixture.of(std::vector<int>{0, 1}) == 1});
    }
  return cases;
}

/// Returns the cases with default parameters: every fifth of the others' inputs, and all large ones.
std::vector<Case> exact_golden_cases() {
  std::vector<Case> cases, inputs = golden_cases();
  for (std::size_t i = 0; i < inputs.size(); i += 5) cases.push_back({inputs[i + cases.size() % 5].specification, 0});
  return cases;
}
std::vector<Case> large_exact_golden_cases() {
  std::vector<Case> cases = large_golden_cases();
  for (Case& c : cases) c.f = 0, c.each = false;
  return cases;
}

LevelOrderTree built(const Case& c, const Way& way, Backend backend) {
  auto report = build(test::wehr_request(test::data_or_reversed(c.specification), way.parameters(c), backend));
  if (!report) FAIL(c.name() << ", " << way.name() << ": " << report.error().message());
  return std::move(report->tree.as<LevelOrderTree>());
}

bool same(const LevelOrderTree& a, const LevelOrderTree& b) {
  return a.point_of_node == b.point_of_node && a.split_dim == b.split_dim && a.points->words == b.points->words;
}

/// Returns the verifier's result for a tree. The kd-order counts only if keys keep distinct coordinates distinct.
std::string verdict(const LevelOrderTree& tree, const Case& c) {
  const auto data = test::data_or_reversed(c.specification);
  const PointSet& points = data->points;
  auto findings = verify_level_order_tree(tree, points);
  if (findings.back().name == "kd-order" && key_loss(c.keys(points), view_of(points)).sharing > 0) findings.pop_back();
  return test::first_failure(findings);
}

const std::string golden_path = test::golden_path("wehr-trees.txt");

void check_against_golden(const std::vector<Case>& cases, std::size_t step, int ways,
                          const std::vector<std::string>& sorts, Backend backend) {
  test::GoldenComparison golden{test::golden_hashes(golden_path)};
  for (std::size_t i = 0; i < cases.size(); i += step) {
    Mixture mixture(i);
    for (int w = 0; w < ways; ++w) {
      const Way way = mixed_way(mixture, sorts);
      golden.compare(cases[i].name(), tree_hash(built(cases[i], way, backend)), ", " + way.name());
    }
  }
  CHECK(golden.differences == "");
}

}  // namespace

TEST_CASE("wehr: CPU trees equal the reference, every size to 1,025", "[share]") {
  std::string failures;
  const std::vector<std::string> sorts{"adaptive",    "adaptive-radix",  "adaptive-insertion",
                                       "naive-radix", "naive-insertion", "sequential"};
  for (std::uint32_t n = 0, number = 0; n <= 1025; ++n)
    for (std::uint32_t repetition = 0; repetition < 4; ++repetition, ++number) {
      if (number % every != 0) continue;
      Mixture mixture(number);
      const Case c = mixed_case(mixture, n, number);
      const LevelOrderTree reference = c.reference();
      if (const std::string f = verdict(reference, c); !f.empty()) failures += c.name() + ": reference: " + f + "\n";
      for (int w = 0; w < 3; ++w)
        if (const Way way = mixed_way(mixture, sorts); !same(built(c, way, Backend::cpu), reference))
          failures += c.name() + ", " + way.name() + "\n";
    }
  CHECK(failures == "");
}

TEST_CASE("wehr: bases, TPB and cutoffs all crossed, around powers of two", "[share]") {
  std::string failures;
  std::size_t number = 0;
  for (std::uint32_t n : {3u, 16u, 31u, 64u, 65u, 127u, 255u, 513u, 1024u, 1025u}) {
    const Case c{"grid:n=" + std::to_string(n) + ",dim=2,seed=5,type=int", 1000003, false};
    const LevelOrderTree reference = c.reference();
    for (std::uint32_t base : bases)
      for (std::uint32_t tpb : tpbs)
        for (std::uint32_t cutoff : {tpb, tpb + 1, 2 * tpb, 2000u})
          if (const Way way{"adaptive", base, tpb, cutoff};
              number++ % every == 0 && !same(built(c, way, Backend::cpu), reference))
            failures += c.name() + ", " + way.name() + "\n";
  }
  CHECK(failures == "");
}

TEST_CASE("wehr: a covering set to 100,000 points equals the reference on the CPU", "[slow]") {
  const std::vector<std::string> sorts{"adaptive", "adaptive-radix", "naive-radix", "sequential"};
  std::string failures;
  std::uint32_t number = 0;
  for (const std::string& generator : generators)
    for (std::uint32_t n : {20000u, 65537u, 100000u}) {
#if defined(__SANITIZE_THREAD__)
      n /= 20;
#endif
      if (++number; every != 1 && number % 8 != 0) continue;
      Mixture mixture(number);
      const Case c{generator + ":n=" + std::to_string(n) + ",dim=" + std::to_string(dims[number % 4]) +
                       ",seed=11,type=" + (number / 4 % 2 ? "int" : "float"),
                   exact_too[number % 8], number % 3 == 0};
      const LevelOrderTree reference = c.reference();
      if (const std::string f = verdict(reference, c); !f.empty()) failures += c.name() + ": reference: " + f + "\n";
      const Way way = mixed_way(mixture, sorts);
      if (!same(built(c, way, Backend::cpu), reference)) failures += c.name() + ", " + way.name() + "\n";
    }
  CHECK(failures == "");
}

TEST_CASE("wehr: every sort gives the same tree, automatic parameters too") {
  for (const char* specification : {"uniform:n=3000,dim=3,seed=1", "equal:n=500,dim=2",
                                    "reversed:presorted:n=2000,dim=2,seed=4", "grid:n=1500,dim=3,seed=1"}) {
    const auto data = test::data_or_reversed(specification);
    const std::uint64_t wanted = tree_hash(test::reference_of(data, test::ranks(data->points)));
    for (const char* sort :
         {"adaptive", "adaptive-radix", "adaptive-insertion", "naive-radix", "naive-insertion", "sequential"}) {
      INFO(specification << " " << sort);
      const auto report = build(test::wehr_request(data, {{"sort", sort}}, Backend::cpu)).value();
      CHECK(report.tree_hash == wanted);
      CHECK(report.parameters.at("tpb") != "auto");
      CHECK(report.parameters.at("cutoff") != "auto");
    }
  }
}

TEST_CASE("wehr: a large F gives an exact kd-tree, F of 1 does not, and the verifier says so") {
  const auto data = test::data("uniform:n=2000,dim=3,seed=9");
  const auto order = [&](const char* f) {
    const auto report =
        build(test::wehr_request(data, {{"keys", "quantized"}, {"f", f}, {"scale", "each"}}, Backend::cpu)).value();
    const auto findings = verify_level_order_tree(report.tree.as<LevelOrderTree>(), data->points);
    REQUIRE(findings.back().name == "kd-order");
    return findings.back();
  };
  CHECK(order("4294967295").passed);
  CHECK(order("33554431").passed);
  CHECK_FALSE(order("1").passed);
  CHECK(order("1").detail.find(" of 2000 points lie on a wrong side; the first is node ") != std::string::npos);
}

namespace {

/// Returns points of all 32-bit words that are coordinates, including denormals, both zeros and the ends of the type.
std::shared_ptr<const DataSet> points_of_all_words(ScalarType type, std::uint32_t n, std::uint32_t dim,
                                                   std::uint64_t seed) {
  auto data = std::make_shared<DataSet>();
  data->name = "all words";
  data->points.type = type;
  data->points.dim = dim;
  const std::vector<std::uint32_t> special =
      type == ScalarType::int32
          ? std::vector<std::uint32_t>{0, 1, 0xffffffffu, 0x7fffffffu, 0x7ffffffeu, 0x80000000u, 0x80000001u}
          : std::vector<std::uint32_t>{0,           0x80000000u, 1,           0x80000001u, 0x007fffffu,
                                       0x00800000u, 0x7f7fffffu, 0xff7fffffu, 0x3f800000u};
  for (std::uint64_t i = 0; data->points.words.size() < std::size_t(n) * dim; ++i) {
    const std::uint64_t random = mix64(seed + i);
    const std::uint32_t word =
        random % 16 == 0 ? special[(random >> 32) % special.size()] : static_cast<std::uint32_t>(random >> 32);
    if (type == ScalarType::int32 || (word & 0x7f800000u) != 0x7f800000u) data->points.words.push_back(word);
  }
  return data;
}

CheckResult kd_order(const std::shared_ptr<const DataSet>& data, const Parameters& parameters) {
  const TypedRun run = typed(test::wehr_request(data, parameters, Backend::cpu)).value();
  const auto report = build(run).value();
  const auto findings = verify_level_order_tree(report.tree.as<LevelOrderTree>(), data->points);
  REQUIRE(findings.back().name == "kd-order");
  const auto loss = key_loss(run);
  REQUIRE(loss);
  if (report.parameters.at("keys") == "exact") CHECK(loss->sharing == 0);
  return findings.back();
}

}  // namespace

TEST_CASE("wehr: by default every tree is an exact kd-tree, whatever the coordinates", "[share]") {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  const char* const many = "uniform:n=50000,dim=3,seed=1";
#else
  const char* const many = test::everything() ? "uniform:n=1000000,dim=3,seed=1" : "uniform:n=50000,dim=3,seed=1";
#endif
  CHECK(kd_order(test::data(many), {}).detail == "");
  for (const ScalarType type : {ScalarType::float32, ScalarType::int32})
    for (const std::uint32_t n : {7u, 500u, 20000u}) {
      INFO(name_of(type) << " " << n);
      const auto data = points_of_all_words(type, n, 2, n);
      CHECK(kd_order(data, {}).detail == "");
      CHECK(kd_order(data, {{"base", "256"}, {"tpb", "32"}}).detail == "");
      CHECK(tree_hash(build(test::wehr_request(data, {}, Backend::cpu)).value().tree.as<LevelOrderTree>()) ==
            tree_hash(test::reference_of(data, test::ranks(data->points))));
    }
  // If the source's keys coincide, the verifier and the count report it.
  const auto ints = test::data("uniform:n=20000,dim=3,type=int,range=2147483647");
  CHECK(kd_order(ints, {}).detail == "");
  CHECK(kd_order(ints, {{"keys", "quantized"}}).detail.find(" of 20000 points lie") != std::string::npos);
  CHECK(key_loss(typed(test::wehr_request(ints, {{"keys", "quantized"}}, Backend::cpu)).value())->sharing > 0);
  CHECK_FALSE(key_loss(typed({{}, "wald", {}, Backend::cpu, false, ints}).value()));
}

TEST_CASE("wehr: CPU trees have the committed hashes", "[share]") {
  check_against_golden(golden_cases(), every, 1, fast_sorts, Backend::cpu);
  check_against_golden(exact_golden_cases(), every, 1, fast_sorts, Backend::cpu);
#if !defined(__SANITIZE_THREAD__)
  check_against_golden(large_exact_golden_cases(), every == 1 ? 3 : 24, 1, {"adaptive"}, Backend::cpu);
  check_against_golden(large_golden_cases(), every == 1 ? 3 : 24, 1, {"adaptive"}, Backend::cpu);
#endif
}
DEVICE_CASE("wehr: CUDA trees have the committed hashes, around powers of two") {
  std::vector<std::string> sorts = fast_sorts;
  sorts.emplace_back("naive-insertion");
  check_against_golden(golden_cases(), 1, 4, sorts, Backend::cuda);
  check_against_golden(exact_golden_cases(), 1, 4, sorts, Backend::cuda);
}
DEVICE_CASE("wehr: CUDA trees have the committed hashes, to 100,000 points") {
  check_against_golden(large_golden_cases(), 1, 4, fast_sorts, Backend::cuda);
  check_against_golden(large_exact_golden_cases(), 1, 4, fast_sorts, Backend::cuda);
}
DEVICE_CASE("wehr: CUDA trees of three million points equal the CPU's") {
  for (const std::uint32_t f : {33554431u, 0u}) {
    const Case c{"clustered:n=3000000,dim=3,seed=3", f};
    const std::uint64_t wanted = tree_hash(built(c, {"adaptive", 32, 128, 128}, Backend::cpu));
    for (const Way& way : {Way{"adaptive", 32, 32, 32},
                           {"adaptive", 256, 1024, 1024},
                           {"adaptive-radix", 16, 128, 1000},
                           {"adaptive-insertion", 32, 256, 256}})
      CHECK(tree_hash(built(c, way, Backend::cuda)) == wanted);
  }
}
DEVICE_CASE("wehr: a few CUDA trees of every strategy, for the sanitizers", "[sanitize]") {
  for (const Case& c : {Case{"uniform:n=1,dim=3,seed=7,type=float"},
                        {"grid:n=10,dim=2,seed=7,type=int", 255, true},
                        {"clustered:n=1025,dim=3,seed=7,type=float", 1000003},
                        {"uniform:n=777,dim=3,seed=7,type=float", 0}})
    for (const Way& way : {Way{"adaptive", 10, 4, 4},
                           {"adaptive", 32, 32, 32},
                           {"adaptive", 256, 64, 130},
                           {"naive-radix", 32, 32, 32},
                           {"naive-insertion", 32, 32, 32}}) {
      INFO(c.name() << ", " << way.name());
      CHECK(same(built(c, way, Backend::cuda), c.reference()));
    }
}

TEST_CASE("wehr: bad parameters are refused with the allowed range") {
  const auto data = test::data("wald-10");
  const auto refusal = [&](const Parameters& parameters, Backend backend = Backend::cpu) {
    const auto r = build(test::wehr_request(data, parameters, backend));
    REQUIRE(!r);
    CHECK(r.error().kind == ErrorKind::bad_usage);
    return r.error().message();
  };
  for (const char* base : {"1", "257", "0", "-2", "x", "2.5", "auto"})
    CHECK(refusal({{"base", base}}) == "base cannot be '" + std::string(base) + "'; give an integer from 2 to 256.");
  for (const char* f : {"0", "4294967296", "-1"})
    CHECK(refusal({{"f", f}}) == "f cannot be '" + std::string(f) + "'; give an integer from 1 to 4294967295.");
  for (const char* tpb : {"33", "5", "12", "100", "1000"})
    CHECK(refusal({{"tpb", tpb}}) ==
          "tpb cannot be " + std::string(tpb) + "; give auto, 4, 8, 16 or a multiple of 32 up to 1024.");
  for (const char* tpb : {"0", "1056", "3"})
    CHECK(refusal({{"tpb", tpb}}).find("tpb cannot be '" + std::string(tpb) + "'; give auto") == 0);
  for (const char* tpb : {"0", "1056", "3"}) CHECK(refusal({{"tpb", tpb}}).find("1024") != std::string::npos);
  CHECK(refusal({{"tpb", "64"}, {"cutoff", "63"}}) ==
        "cutoff cannot be 63 with tpb 64: a block may overlap at most two chunks; give auto or an integer from 64 to "
        "2147483647.");
  CHECK(refusal({{"cutoff", "3"}}).find("cutoff cannot be '3'; give auto or an integer from 4") == 0);
  CHECK(refusal({{"sort", "quick"}}).find("choose adaptive, ") != std::string::npos);
  CHECK(refusal({{"keys", "ranks"}}) == "keys cannot be 'ranks'; choose exact or quantized.");
  CHECK(refusal({{"f", "99"}}) ==
        "f=99 has no effect with keys=exact, which are not scaled; choose keys=quantized, or leave f at 33554431.");
  CHECK(refusal({{"keys", "exact"}, {"scale", "each"}}) ==
        "scale=each has no effect with keys=exact, which are not scaled; choose keys=quantized, or leave scale at "
        "common.");
  CHECK(refusal({{"scale", "none"}}) == "scale cannot be 'none'; choose common or each.");
  if (test::has_cuda())
    CHECK(refusal({{"sort", "sequential"}}, Backend::cuda).find("choose the CPU back end") != std::string::npos);
  // A given cutoff reduces TPB accordingly.
  const auto report = build(test::wehr_request(data, {{"cutoff", "9"}}, Backend::cpu)).value();
  CHECK(report.parameters.at("tpb") == "8");
}

// Rewrites the golden file from the reference: run with [.wehr-golden] after a deliberate change of the trees.
TEST_CASE("write wehr golden hashes", "[.wehr-golden]") {
  std::ofstream file(golden_path);
  for (const auto& cases : {golden_cases(), large_golden_cases(), exact_golden_cases(), large_exact_golden_cases()})
    for (const Case& c : cases) file << c.name() << ' ' << std::hex << tree_hash(c.reference()) << std::dec << '\n';
}

}  // namespace kdscope::wehr_trees_test
