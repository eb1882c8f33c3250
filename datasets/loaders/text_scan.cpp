#include "datasets/loaders/text_scan.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/error.hpp"
#include "algorithms/text/from_chars.hpp"
#include "algorithms/text/printable_text.hpp"

namespace kdscope {

LineScanner::LineScanner(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  if (text_.starts_with(byte_order_mark)) next_ = byte_order_mark.size();
  next_lf_ = std::min(text_.find('\n', next_), text_.size());
  next_cr_ = std::min(text_.find('\r', next_), text_.size());
}

bool LineScanner::next(std::string_view& line) {
  if (next_ >= text_.size()) return false;
  line_begin_ = next_;
  // Each kind of line end is looked for once, not once per line: a file may have one kind only.
  if (next_lf_ < next_) next_lf_ = std::min(text_.find('\n', next_), text_.size());
  if (next_cr_ < next_) next_cr_ = std::min(text_.find('\r', next_), text_.size());
  const std::size_t end = std::min(next_lf_, next_cr_);
  line = text_.substr(line_begin_, end - line_begin_);
  const bool both = next_cr_ + 1 == next_lf_ && next_lf_ < text_.size();
  if (line_number_ == 0) ends_with_cr_ = end == next_cr_ && end < text_.size() && !both;
  line_end_ = std::min(end + 1, text_.size());
  next_ = std::min(line_end_ + (end == next_cr_ && both ? 1 : 0), text_.size());
  ++line_number_;
  return true;
}

std::string LineScanner::where(std::string_view piece) const {
  const auto offset = static_cast<std::size_t>(piece.data() - text_.data());
  if (offset < line_begin_) return where(text_, file_, offset);
  return where() + ":" + std::to_string(offset - line_begin_ + 1);
}

std::string LineScanner::where(std::string_view text, const std::string& file, std::size_t offset) {
  std::size_t line = 1, begin = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  for (std::size_t i = begin; i < offset; ++i) {
    if (text[i] != '\n' && (text[i] != '\r' || text.substr(i + 1).starts_with('\n'))) continue;
    ++line;
    begin = i + 1;
  }
  return file + ":" + std::to_string(line) + ":" + std::to_string(offset - begin + 1);
}

std::string LineScanner::where() const { return file_ + ":" + std::to_string(line_number_); }

namespace {

/// Whether a decimal number that from_chars found out of range is tiny (then it rounds to zero) and not huge.
bool is_tiny(std::string_view token) {
  const std::size_t e = token.find_first_of("eE");
  std::string_view exponent_text = e == std::string_view::npos ? "0" : token.substr(e + 1);
  const bool negative = exponent_text.starts_with('-');
  if (exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto [end, error] =
      std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
  if (error != std::errc()) return negative;
  // The place of the first digit that is not 0, relative to the point.
  const std::string_view mantissa = token.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t digit = mantissa.find_first_of("123456789");
  if (digit == std::string_view::npos) return true;
  return static_cast<std::int64_t>(point) - static_cast<std::int64_t>(digit) < -exponent;
}

}  // namespace

NumberText read_number(std::string_view token) {
  using enum NumberText::Kind;
  NumberText number;
  // from_chars takes no plus sign.
  if (token.size() > 1 && token[0] == '+' && token[1] != '-' && token[1] != '+') token.remove_prefix(1);
  if (read_integer(token, number.integer)) {
    number.kind = integer;
    return number;
  }
  const char* const last = token.data() + token.size();
  const auto [end, error] = from_chars(token.data(), last, number.real);
  if (error == std::errc::invalid_argument || end != last) return number;
  const bool spelled = token.find_first_of("nN") != std::string_view::npos;  // inf, infinity and nan have an n
  if (error == std::errc::result_out_of_range) number.real = is_tiny(token) ? 0.0f : INFINITY;
  number.kind = std::isinf(number.real) && !spelled ? too_large : real;
  number.precise = number.real;
  double precise = 0;
  if (number.kind != not_a_number && !spelled && from_chars(token.data(), last, precise).ec == std::errc())
    number.precise = precise;
  return number;
}

void refuse(std::string where, std::string what, std::string remedy) {
  // Messages quote names from the file, of any length and any bytes.
  constexpr std::size_t longest = 400;
  const bool cut = what.size() > longest;
  what = printable(std::string_view(what).substr(0, longest)) + (cut ? "..." : "");
  throw ErrorException({ErrorKind::bad_input, std::move(what), std::move(where),
                        printable(std::string_view(remedy).substr(0, longest))});
}

}  // namespace kdscope
