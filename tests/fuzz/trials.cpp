#include "tests/fuzz/trials.hpp"

#include <algorithm>
#include <exception>

#include "datasets/generators/counter_hash.hpp"
#include "tests/support/processor_time.hpp"

namespace kdscope::fuzz {
namespace {

/// A stream of random choices.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : hash_(seed, 0) {}
  std::size_t below(std::size_t n) { return n == 0 ? 0 : hash_.bits(counter_++) % n; }

 private:
  CounterHash hash_;
  std::uint64_t counter_ = 0;
};

const std::vector<std::string>& tokens() {
  static const std::vector<std::string> all = [] {
    // List numbers at the ends of their types, then words with a meaning in one of the formats.
    std::vector<std::string> list{"nan",
                                  "-inf",
                                  "1e999",
                                  "-1",
                                  "0",
                                  "4294967295",
                                  "4294967296",
                                  "18446744073709551615",
                                  "1000000000000",
                                  "0*100000",
                                  "\n",
                                  "\r\n",
                                  ",",
                                  ";",
                                  " ",
                                  "\t",
                                  "/",
                                  "(",
                                  "'",
                                  "\"",
                                  "[",
                                  "]",
                                  "{",
                                  "}",
                                  "[[[[[[[[",
                                  ": ",
                                  "- ",
                                  "? ",
                                  "|\n",
                                  ">-",
                                  "~",
                                  "...",
                                  "#",
                                  "%",
                                  "<<: ",
                                  "&a ",
                                  "*a",
                                  "!!binary ",
                                  "\n---\n",
                                  "--- | # points\n",
                                  "```",
                                  "## ",
                                  "\nstep: 1\n",
                                  "list uchar int a",
                                  "\xff\xfe",
                                  "\xc3",
                                  "\x1b]0;",
                                  "\xe2\x80\xae"};
    for (const char c : {'\0', '\xff', '\x7f', '\1'})
      for (const std::size_t width : {1, 2, 4, 8}) list.emplace_back(width, c);
    list.emplace_back("\0\0\0\x7f", 4);
    return list;
  }();
  return all;
}

void damage(std::string& bytes, const std::string& other, Dice& dice) {
  const std::size_t at = dice.below(bytes.size() + 1);
  switch (dice.below(8)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice.below(8)));
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(dice.below(256));
      break;
    case 2:
      bytes.resize(at);
      break;
    case 3:
      bytes.erase(at, dice.below(dice.below(2) ? 9 : 40));
      break;
    case 4:
      bytes.insert(at, bytes, dice.below(bytes.size()), dice.below(80));
      break;
    case 5:
    case 6: {
      const std::string& token = tokens()[dice.below(tokens().size())];
      bytes.replace(at, dice.below(2) ? token.size() : dice.below(token.size() + 1), token);
      break;
    }
    default:
      bytes.replace(at, dice.below(40), other, dice.below(other.size()), dice.below(60));
  }
}

}  // namespace

std::vector<std::string> trial_seeds(const Reader& reader) {
  constexpr std::size_t largest = 48 << 10;
  std::vector<std::string> seeds = reader.seeds();
  for (std::string& file : corpus(reader))
    if (file.size() <= largest) seeds.push_back(std::move(file));
  return seeds;
}

std::string trial_bytes(const std::vector<std::string>& seeds, std::uint64_t i) {
  Dice dice(i);
  std::string bytes = seeds[dice.below(seeds.size())];
  for (std::size_t times = 1 + dice.below(4); times > 0; --times) damage(bytes, seeds[dice.below(seeds.size())], dice);
  return bytes;
}

Outcome end_of(const Reader& reader, const std::string& bytes) {
  constexpr double slow_seconds = 10;
  Outcome outcome;
  const double begin = test::processor_seconds_with_children();
  try {
    outcome = reader.read(bytes);
  } catch (const std::exception& e) {
    outcome.unsound = std::string("an exception: ") + e.what();
  }
  const double seconds = test::processor_seconds_with_children() - begin;
  if (outcome.unsound.empty() && seconds > slow_seconds) outcome.unsound = "it took " + std::to_string(seconds) + " s";
  return outcome;
}

TrialReport run_trials(const Reader& reader, std::uint64_t first, std::uint64_t count, std::chrono::seconds most) {
  using Clock = std::chrono::steady_clock;
  const std::vector<std::string> seeds = trial_seeds(reader);
  const Clock::time_point begin = Clock::now();
  TrialReport report;
  for (std::uint64_t i = first; !seeds.empty() && i < first + count && Clock::now() - begin < most; ++i) {
    const std::string bytes = trial_bytes(seeds, i);
    const Clock::time_point start = Clock::now();
    const Outcome outcome = end_of(reader, bytes);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    ++report.executions;
    report.accepted += outcome.accepted;
    report.slowest_seconds = std::max(report.slowest_seconds, seconds);
    if (outcome.unsound.empty()) continue;
    report.bad.push_back(i);
    report.findings.push_back(outcome.unsound);
  }
  return report;
}

}  // namespace kdscope::fuzz
