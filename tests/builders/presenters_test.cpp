// Presenters accept any state that a kernel may leave in memory. A wrong or half-written state is recorded as it is,
// with failed checks, and no presenter reads out of bounds. Only a build with sanitizers detects the latter.

#include <cstdlib>
#include <random>

#include "tests/builders/runs.hpp"
#include "tests/builders/triangle_soups.hpp"
#include "tests/builders/ways_to_build.hpp"
#include "tests/support/campaign.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

enum class Damage { none, a_bit, some_words, near_misses, zeros, ones, swapped, random };
constexpr Damage all_damage[] = {Damage::a_bit, Damage::some_words, Damage::near_misses, Damage::zeros,
                                 Damage::ones,  Damage::swapped,    Damage::random};

void damage(std::span<std::byte> bytes, Damage how, std::mt19937& random) {
  if (bytes.empty()) return;
  const auto any = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const std::span<std::uint32_t> words(reinterpret_cast<std::uint32_t*>(bytes.data()), bytes.size() / 4);
  switch (how) {
    case Damage::none:
      break;
    case Damage::a_bit:
      bytes[any(bytes.size())] ^= std::byte(1u << any(8));
      break;
    case Damage::some_words:
      for (std::uint32_t& word : words)
        if (any(8) == 0) word = static_cast<std::uint32_t>(random());
      break;
    case Damage::near_misses:
      for (std::uint32_t& word : words)
        if (any(8) == 0) word += static_cast<std::uint32_t>(any(5)) - 2;
      break;
    case Damage::zeros:
      std::ranges::fill(bytes, std::byte(0));
      break;
    case Damage::ones:
      std::ranges::fill(bytes, std::byte(0xff));
      break;
    case Damage::swapped:
      if (!words.empty())
        for (int i = 0; i < 4; ++i) std::swap(words[any(words.size())], words[any(words.size())]);
      break;
    case Damage::random:
      for (std::byte& byte : bytes) byte = std::byte(random());
      break;
  }
}

/// Returns the trace of a build whose steps show damaged states, from step `first` on.
std::shared_ptr<const Trace> damaged_trace(const RunRequest& request, Damage how, int first, std::mt19937& random) {
  int steps = 0;
  RunControl control;
  control.step_starts = [&](std::string_view) { ++steps; };
  control.array_copied = [&](std::span<std::byte> copy) {
    if (steps > first) damage(copy, how, random);
  };
  return record(request, control).value();
}

std::size_t failed_checks(const Trace& trace) {
  std::size_t failed = 0;
  for (const Step& step : trace.steps)
    for (const CheckResult& check : step.checks) failed += !check.passed;
  return failed;
}

/// Returns the first step that shows a point outside of the cell of its node, with the point; empty if none does.
std::string point_outside(const std::shared_ptr<const Trace>& trace, const PointSet& points) {
  Cursor cursor(trace);
  for (std::uint32_t step = 0; step < trace->steps.size(); ++step) {
    cursor.seek(step);
    if (const TypedArray* box = cursor.array(partition_arrays::box); !box || box->size() == 0) continue;  // no root yet
    for (std::uint32_t p = 0; p < points.size(); ++p) {
      const double node = cursor.number(partition_arrays::node_of_point, p);
      if (!(node < no_id)) continue;
      for (std::uint32_t d = 0; d < points.dim; ++d) {
        const auto end = static_cast<std::uint64_t>(node) * 2 * points.dim + d;
        const double x = points.value(p, d);
        if (x < cursor.number(partition_arrays::box, end) || x > cursor.number(partition_arrays::box, end + points.dim))
          return path_text(trace->steps[step]) + ": point " + std::to_string(p);
      }
    }
  }
  return {};
}

}  // namespace

TEST_CASE("every step shows every point in the cell of its node") {
  for (const AlgorithmSpec& spec : algorithms()) {
    if (spec.takes_triangles) continue;
    for (const Parameters& given : test::ways_to_build(spec))
      for (const char* data : {"uniform:n=60,dim=3,seed=3", "grid:n=50,dim=2,seed=2,type=int"}) {
        const RunRequest request{{}, spec.id, given, Backend::cpu, false, test::data(data)};
        const auto trace = record(request);
        if (!trace) continue;  // the choice needs a value of another parameter
        INFO(spec.id << (given.empty() ? "" : " " + given.begin()->first + "=" + given.begin()->second));
        CHECK(point_outside(*trace, request.points->points) == "");
      }
  }
}

TEST_CASE("whatever a kernel left in memory is shown, with checks that fail") {
  // Run two rounds of each kind, or KDSCOPE_CAMPAIGN_TRIALS rounds in campaigns, each starting at another step.
  const int rounds = test::campaign_trials(2);
  for (const AlgorithmSpec& spec : algorithms()) {
    const auto data =
        spec.takes_triangles ? test::triangle_soup(test::Soup::spread, 40) : test::data("uniform:n=60,dim=2,seed=3");
    int runs = 0;
    for (const Parameters& given : test::ways_to_build(spec)) {
      const RunRequest request{{}, spec.id, given, Backend::cpu, false, data};
      if (!build(request)) continue;  // the choice needs a value of another parameter
      INFO(spec.id << (given.empty() ? "" : " " + given.begin()->first + "=" + given.begin()->second));
      std::mt19937 random(static_cast<unsigned>(rounds));
      CHECK(failed_checks(*damaged_trace(request, Damage::none, 0, random)) == 0);
      for (const Damage how : all_damage)
        for (int round = 0; round < rounds; ++round, ++runs) {
          INFO("damage " << static_cast<int>(how) << ", round " << round);
          const auto trace = damaged_trace(request, how, round * 5 % 23, random);
          CHECK(trace->steps.size() > 3);
          if (round == 0 && (how == Damage::random || how == Damage::ones)) CHECK(failed_checks(*trace) > 0);
        }
    }
    CHECK(runs >= 14);
  }
}
