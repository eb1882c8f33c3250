// Shrinking data sets, with tests that need no processes, and one real variant.
#include "algorithms/variants/shrink.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "algorithms/core/hash.hpp"
#include "algorithms/variants/variant_failure.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::variants;

namespace {

using Predicate = std::function<bool(const DataSet&)>;

DataSet points_of(const std::string& specification) { return **open_data_set(specification); }

FailureTest test_of(Predicate fails) {
  return [fails = std::move(fails)](const DataSet& data) -> Result<bool> { return fails(data); };
}

Shrunk shrunk(const DataSet& data, const Predicate& fails) { return shrink(data, test_of(fails)).value(); }

std::size_t size_of(const DataSet& data) {
  return data.triangles.empty() ? data.points.size() : data.triangles.size() / 3;
}

/// Checks by brute force that the result fails, and passes without any one of its elements.
void check_minimal(const Shrunk& result, const Predicate& fails) {
  CHECK(result.minimal);
  CHECK(fails(result.data));
  const std::size_t size = size_of(result.data);
  CHECK(result.elements.size() == size);
  CHECK(std::ranges::is_sorted(result.elements));
  for (std::uint32_t left_out = 0; size > 1 && left_out < size; ++left_out) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t i = 0; i < size; ++i)
      if (i != left_out) others.push_back(i);
    CHECK_FALSE(fails(subset_of(result.data, others)));
  }
}

bool two_equal(const DataSet& data, std::uint32_t d) {
  std::set<double> seen;
  for (std::size_t i = 0; i < data.points.size(); ++i)
    if (!seen.insert(data.points.value(i, d)).second) return true;
  return false;
}

std::vector<double> coordinates_of(const DataSet& data, std::uint32_t d) {
  std::vector<double> values;
  for (std::size_t i = 0; i < data.points.size(); ++i) values.push_back(data.points.value(i, d));
  return values;
}

}  // namespace

TEST_CASE("shrink: two points with the same x, wherever they are") {
  DataSet data = points_of("uniform:n=20000,dim=2,seed=3");
  PointSet& points = data.points;
  for (std::size_t i = 0; i < points.size(); ++i) points.words[2 * i] = word_of(static_cast<float>(i) / 65536.0f);
  points.words[2 * 17'000] = points.words[2 * 5];
  const auto fails = [](const DataSet& tested) { return two_equal(tested, 0); };
  const Shrunk result = shrunk(data, fails);
  check_minimal(result, fails);
  CHECK(result.elements == std::vector<std::uint32_t>{5, 17'000});
  CHECK(result.original_size == 20'000);
  // Ties stay ties.
  CHECK(coordinates_of(result.data, 0) == std::vector<double>{0, 0});
  CHECK(result.tests < 40);
}

TEST_CASE("shrink: two certain points among many") {
  const DataSet data = points_of("uniform:n=5000,dim=3,seed=7");
  const auto has = [&](const DataSet& tested, std::size_t wanted) {
    for (std::size_t i = 0; i < tested.points.size(); ++i)
      if (std::equal(&tested.points.words[3 * i], &tested.points.words[3 * i] + 3, &data.points.words[3 * wanted]))
        return true;
    return false;
  };
  const auto fails = [&](const DataSet& tested) { return has(tested, 123) && has(tested, 4321); };
  const Shrunk result = shrunk(data, fails);
  check_minimal(result, fails);
  CHECK(result.elements == std::vector<std::uint32_t>{123, 4321});
  // No other coordinates fail.
  CHECK(result.data.points.words == subset_of(data, {123, 4321}).points.words);
}

TEST_CASE("shrink: more than five points with x < y, which get small integers") {
  const DataSet data = points_of(GENERATE("uniform:n=3000,dim=2,seed=1", "uniform:n=3000,dim=2,seed=1,type=int",
                                          "line:n=3000,dim=2", "uniform:n=9,dim=2,seed=5"));
  const auto fails = [](const DataSet& tested) {
    int below = 0;
    for (std::size_t i = 0; i < tested.points.size(); ++i)
      below += tested.points.value(i, 0) < tested.points.value(i, 1);
    return below > 5;
  };
  if (!fails(data)) {
    const auto result = shrink(data, test_of(fails));
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::bad_input);
    return;
  }
  const Shrunk result = shrunk(data, fails);
  check_minimal(result, fails);
  CHECK(result.elements.size() == 6);
  CHECK(result.data.points.type == data.points.type);
  for (const std::uint32_t d : {0u, 1u})
    for (const double value : coordinates_of(result.data, d)) {
      CHECK(value == std::trunc(value));
      CHECK(value >= 0);
      CHECK(value <= 100);
    }
}

TEST_CASE("shrink: coordinates whose distances matter become the smallest integers of the same order") {
  const DataSet data = points_of("uniform:n=500,dim=1,seed=2");
  // A gap of nine between neighbours, in the units of integers, or any float in between.
  const auto fails = [](const DataSet& tested) {
    std::vector<double> values = coordinates_of(tested, 0);
    std::ranges::sort(values);
    for (std::size_t i = 1; i + 1 < values.size(); ++i)
      if (values[i + 1] - values[i] > 2.5 * (values[i] - values[i - 1]) && values[i] > values[i - 1]) return true;
    return false;
  };
  const Shrunk result = shrunk(data, fails);
  check_minimal(result, fails);
  std::vector<double> values = coordinates_of(result.data, 0);
  std::ranges::sort(values);
  CHECK(values == std::vector<double>{0, 1, 4});
}

TEST_CASE("shrink: if everything fails one element is left; if nothing fails it is an error") {
  const DataSet data = points_of(GENERATE("uniform:n=1,dim=2", "uniform:n=1000,dim=2", "equal:n=50,dim=3", "zhou-8"));
  const auto everything = [](const DataSet&) { return true; };
  const Shrunk one = shrunk(data, everything);
  check_minimal(one, everything);
  CHECK(one.elements.size() == 1);
  CHECK(std::ranges::all_of(one.data.points.words, [](std::uint32_t word) { return word <= word_of(2.0f); }));
  const auto none = shrink(data, test_of([](const DataSet&) { return false; }));
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == ErrorKind::bad_input);
}

TEST_CASE("shrink: an empty data set is an error") {
  const auto result = shrink(points_of("uniform:n=0,dim=2"), test_of([](const DataSet&) { return true; }));
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::bad_input);
}

TEST_CASE("shrink: many equal points") {
  const DataSet data = points_of("grid:n=4000,dim=2,side=50");
  const auto fails = [](const DataSet& tested) {
    std::map<std::pair<double, double>, int> count;
    for (std::size_t i = 0; i < tested.points.size(); ++i)
      if (++count[{tested.points.value(i, 0), tested.points.value(i, 1)}] == 4) return true;
    return false;
  };
  const Shrunk result = shrunk(data, fails);
  check_minimal(result, fails);
  CHECK(result.elements.size() == 4);
  CHECK(result.tests < 60);
}

TEST_CASE("shrink: triangles keep their shape and lose the vertices of others") {
  const DataSet data = points_of("triangles:n=600,seed=4");
  const auto fails = [](const DataSet& tested) {
    // Two triangles whose first corners have x in the lower half, one with y in the upper half.
    int low = 0, high = 0;
    for (std::size_t t = 0; t < tested.triangles.size(); t += 3) {
      low += tested.points.value(tested.triangles[t], 0) < tested.points.value(tested.triangles[t + 1], 0);
      high += tested.points.value(tested.triangles[t], 1) > tested.points.value(tested.triangles[t + 2], 1);
    }
    return low >= 2 && high >= 1;
  };
  const Shrunk result = shrunk(data, fails);
  check_minimal(result, fails);
  CHECK(result.data.triangles.size() == 3 * result.elements.size());
  CHECK(result.elements.size() <= 3);
  CHECK(result.data.points.size() <= 9);
  const DataSet same = subset_of(data, result.elements);
  CHECK(same.triangles == result.data.triangles);
}

TEST_CASE("shrink: random failures of up to six points are minimal, and the same in every run") {
  const std::uint64_t seed = GENERATE(range(0, 25));
  const DataSet data = points_of("uniform:n=700,dim=2,type=int,range=40,seed=" + std::to_string(seed));
  // As many different sums x + y of one remainder as the seed demands. Not monotonic: a large set may pass.
  const int wanted = 1 + static_cast<int>(mix64(seed) % 6), modulus = 2 + static_cast<int>(mix64(seed + 99) % 5);
  const auto fails = [&](const DataSet& tested) {
    std::set<int> sums;
    for (std::size_t i = 0; i < tested.points.size(); ++i)
      if (const int sum = static_cast<int>(tested.points.value(i, 0) + tested.points.value(i, 1)); sum % modulus == 0)
        sums.insert(sum);
    return static_cast<int>(sums.size()) >= wanted && tested.points.size() % 97 != 0;
  };
  const Shrunk result = shrunk(data, fails), again = shrunk(data, fails);
  check_minimal(result, fails);
  CHECK(result.elements.size() == static_cast<std::size_t>(wanted));
  CHECK(again.elements == result.elements);
  CHECK(again.data.points.words == result.data.points.words);
  CHECK(again.tests == result.tests);
}

TEST_CASE("shrink: sets that cannot be tested do not fail, and other errors end the search") {
  const DataSet data = points_of("uniform:n=300,dim=2");
  SECTION("too few points for the builder") {
    const auto result = shrink(data, [](const DataSet& tested) -> Result<bool> {
      if (tested.points.size() < 20) return Error{ErrorKind::bad_input, "too few points", "", ""};
      return true;
    });
    REQUIRE(result);
    CHECK(result->elements.size() == 20);
    CHECK(result->minimal);
  }
  SECTION("no set can be tested") {
    const auto result = shrink(data, [](const DataSet&) -> Result<bool> {
      return Error{ErrorKind::bad_input, "two dimensions", "", ""};
    });
    REQUIRE_FALSE(result);
    CHECK(result.error().what == "two dimensions");
  }
  SECTION("the disk is full at the fifth test") {
    int tests = 0;
    const auto result = shrink(data, [&](const DataSet&) -> Result<bool> {
      if (++tests == 5) return Error{ErrorKind::io_failure, "the disk is full", "", ""};
      return true;
    });
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::io_failure);
  }
  SECTION("an exception") {
    const auto result = shrink(data, [](const DataSet&) -> Result<bool> {
      throw ErrorException({ErrorKind::device_failure, "broken", "", ""});
    });
    REQUIRE_FALSE(result);
    CHECK(result.error().what == "broken");
  }
  SECTION("a failure that does not repeat") {
    std::set<std::vector<std::uint32_t>> seen;
    const auto result =
        shrink(data, [&](const DataSet& tested) -> Result<bool> { return seen.insert(tested.points.words).second; });
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::failed_check);
  }
}

TEST_CASE("shrink: a stop request and the end of the time return the smallest set so far") {
  const DataSet data = points_of("uniform:n=1000,dim=2");
  std::size_t tests = 0, last = 1000;
  ShrinkOptions options;
  SECTION("stopped after a failure") {
    std::stop_source source;
    options.stop = source.get_token();
    options.progress = [&](const ShrinkProgress& progress) {
      CHECK(progress.tests == tests);
      CHECK(progress.size <= last);
      last = progress.size;
      if (progress.size < 1000) source.request_stop();
    };
    const auto result = shrink(
        data,
        [&](const DataSet& tested) -> Result<bool> {
          ++tests;
          return tested.points.size() >= 30;
        },
        options);
    REQUIRE(result);
    CHECK_FALSE(result->minimal);
    CHECK(result->elements.size() == 32);
    CHECK(result->tests == tests);
  }
  SECTION("stopped within a test") {
    std::stop_source source;
    options.stop = source.get_token();
    const auto result = shrink(
        data,
        [&](const DataSet& tested) -> Result<bool> {
          if (tested.points.size() >= 8 && tested.points.size() > 4 && ++tests < 2) return true;
          source.request_stop();
          return Error{ErrorKind::cancelled, "stopped on request", "", ""};
        },
        options);
    REQUIRE(result);
    CHECK(result->elements.size() == 8);
  }
  SECTION("stopped before a failure") {
    std::stop_source source;
    options.stop = source.get_token();
    options.progress = [&](const ShrinkProgress&) { source.request_stop(); };
    const auto result = shrink(data, test_of([](const DataSet&) { return false; }), options);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::cancelled);
  }
  SECTION("out of time") {
    options.time = std::chrono::milliseconds(100);
    int tests = 0;
    const auto result = shrink(
        data,
        [&](const DataSet& tested) -> Result<bool> {
          ++tests;
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          return tested.points.size() >= 8;
        },
        options);
    REQUIRE(result);
    CHECK_FALSE(result->minimal);
    CHECK(tests <= 7);  // five tests fill the 100 ms; one more may run at each end
  }
  SECTION("no time at all") {
    options.time = std::chrono::milliseconds(0);
    const auto result = shrink(data, test_of([](const DataSet&) { return true; }), options);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::cancelled);
  }
}

TEST_CASE("shrink: a variant of wald that fails on 100,000 points fails on a few", "[slow]") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("my.cu");
  std::string text = new_variant("wald", {*find_stage("wald", "update_tags")}, "my.cu"), before, after;
  std::size_t most = 0, most_tests = 40;
  DataSet data = points_of("uniform:n=100000,dim=2,seed=3");
  SECTION("a wrong comparison") {
    before = "i < pivot", after = "i <= pivot", most = 2;
    REQUIRE(text.find(before) != std::string::npos);
  }
  SECTION("an access out of bounds") {
    before = "(i > pivot) tags[i]", after = "(i > pivot) tags[i + 1]", most = 12;
    REQUIRE(text.find(before) != std::string::npos);
  }
  SECTION("an endless loop on more than 40 points") {
    before = "if (i < pivot)", after = "while (n > 40 && i == pivot) {}\n    if (i < pivot)", most = 41;
    most_tests = 400;  // it needs 41 points, and the others a few
    REQUIRE(text.find(before) != std::string::npos);
    data = points_of("uniform:n=1000,dim=2,seed=3");
  }
  std::ofstream(file) << text.replace(text.find(before), before.size(), after);
  const auto variant = read_variant(file).value();
  const auto kit = find_kit().value();
  CompilerErrors errors;
  const auto compiled = compile(variant, kit, errors).value();
  VariantTester tester(variant, compiled.program, kit, {});
  ShrinkOptions options;
  options.time = std::chrono::minutes(10);  // the slowest machine finds the same set, only later
  const auto result = shrink(
      data,
      [&](const DataSet& tested) -> Result<bool> {
        const auto failure = tester.failure_on(tested);
        if (!failure) return failure.error();
        return !failure->empty();
      },
      options);
  INFO((result ? "" : result.error().message()));
  REQUIRE(result);
  WARN(result->elements.size() << " points, " << result->tests << " tests, " << result->seconds << " s");
  CHECK(result->minimal);
  CHECK(result->elements.size() <= most);
  CHECK(result->tests < most_tests);
  CHECK_FALSE(tester.failure_on(result->data)->empty());
}
