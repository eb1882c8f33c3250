#include "algorithms/variants/printed_steps.hpp"

#include <algorithm>
#include <charconv>

namespace kdscope::variants {
namespace {

constexpr char end_of_mark = '\x1e';
constexpr std::size_t most_digits = 10;

std::string mark_begin(std::string_view program) { return "\x1ekdscope step of " + std::string(program) + ": "; }

}  // namespace

std::string mark_of_step(std::string_view program, std::uint32_t step) {
  return mark_begin(program) + std::to_string(step) + end_of_mark;
}

void keep_last(Prints& prints, std::size_t most) {
  std::size_t bytes = 0;
  for (const PrintedStep& step : prints.steps) bytes += step.text.size();
  while (bytes > most) {
    PrintedStep& first = prints.steps.front();
    std::size_t dropped = std::min(bytes - most, first.text.size());
    const std::size_t line = first.text.find('\n', dropped - 1);
    if (line != std::string::npos && (line + 1 < first.text.size() || prints.steps.size() > 1)) dropped = line + 1;
    first.text.erase(0, dropped);
    bytes -= dropped, prints.left_out += dropped;
    if (first.text.empty()) prints.steps.erase(prints.steps.begin());
  }
}

PrintReader::PrintReader(std::string_view program, std::size_t most) : begin_(mark_begin(program)), most_(most) {}

void PrintReader::print(std::string_view text) {
  if (text.empty()) return;
  std::vector<PrintedStep>& steps = prints_.steps;
  if (steps.empty() || steps.back().step != step_) steps.push_back({step_, {}});
  steps.back().text += text;
  bytes_ += text.size();
  if (bytes_ < 2 * most_) return;
  keep_last(prints_, most_);
  bytes_ = 0;
  for (const PrintedStep& step : steps) bytes_ += step.text.size();
}

std::string PrintReader::take(std::string_view piece) {
  std::string text;
  const auto pass_on = [&](std::size_t size) {
    print(std::string_view(waiting_).substr(0, size));
    text += waiting_.substr(0, size);
    waiting_.erase(0, size);
  };
  waiting_ += piece;
  for (;;) {
    const std::size_t mark = waiting_.find(begin_);
    if (mark == std::string::npos) break;
    pass_on(mark);
    const std::size_t end = waiting_.find(end_of_mark, begin_.size());
    if (end == std::string::npos && waiting_.size() <= begin_.size() + most_digits) return text;
    const char *digits = waiting_.data() + begin_.size(), *after = waiting_.data() + std::min(end, waiting_.size());
    std::uint32_t step = 0;
    const auto [read, failed] = std::from_chars(digits, after, step);
    if (failed == std::errc() && read == after && end != std::string::npos) {
      step_ = step;
      waiting_.erase(0, end + 1);
    } else {
      pass_on(1);  // the variant's own imitation
    }
  }
  // The end may be the beginning of a mark
  std::size_t kept = std::min(begin_.size() - 1, waiting_.size());
  while (kept > 0 && !std::string_view(begin_).starts_with(std::string_view(waiting_).substr(waiting_.size() - kept)))
    --kept;
  pass_on(waiting_.size() - kept);
  return text;
}

Prints PrintReader::prints() const {
  PrintReader ended = *this;
  ended.print(waiting_);
  return ended.prints_;
}

}  // namespace kdscope::variants
