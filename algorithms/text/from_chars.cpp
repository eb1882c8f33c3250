#include "algorithms/text/from_chars.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

namespace kdscope {
namespace {

bool is_digit_char(char c) { return c >= '0' && c <= '9'; }

/// Whether the text begins with a word, which is given in lower case.
bool begins_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), [](char lower, char c) {
           return lower == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
         });
}

/// The length of a word for no finite number at the beginning of the text, 0 if there is none.
std::size_t special_length(std::string_view text) {
  if (begins_with_word(text, "infinity")) return 8;
  if (begins_with_word(text, "inf")) return 3;
  if (!begins_with_word(text, "nan")) return 0;
  std::size_t at = 3;
  if (at == text.size() || text[at] != '(') return 3;
  const auto in_word = [](char c) {
    return is_digit_char(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  for (++at; at < text.size() && in_word(text[at]);) ++at;
  return at < text.size() && text[at] == ')' ? at + 1 : 3;
}

/// The length of a decimal number at the beginning of the text, 0 if there is none.
std::size_t decimal_length(std::string_view text) {
  std::size_t at = 0, digits = 0;
  const auto skip_digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && is_digit_char(text[at])) ++at;
    return at - from;
  };
  digits += skip_digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    digits += skip_digits();
  }
  if (digits == 0) return 0;
  const std::size_t mantissa = at;
  if (at == text.size() || (text[at] != 'e' && text[at] != 'E')) return mantissa;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  return skip_digits() > 0 ? at : mantissa;
}

template <class Real>
std::from_chars_result read_real(const char* first, const char* last, Real& value,
                                 Real (*convert)(const char*, char**)) {
  const std::string_view text(first, static_cast<std::size_t>(last - first));
  const std::size_t sign = text.starts_with('-');
  const std::size_t special = special_length(text.substr(sign));
  const std::size_t length = special > 0 ? special : decimal_length(text.substr(sign));
  if (length == 0) return {first, std::errc::invalid_argument};
  const std::string number(text.substr(0, sign + length));
  const char* const end = first + number.size();
  const Real read = convert(number.c_str(), nullptr);
  const std::string_view mantissa = std::string_view(number).substr(0, number.find_first_of("eE"));
  const bool vanished = read == 0 && mantissa.find_first_of("123456789") != std::string_view::npos;
  if (special == 0 && (std::isinf(read) || vanished)) return {end, std::errc::result_out_of_range};
  value = read;
  return {end, std::errc()};
}

}  // namespace

std::from_chars_result from_chars_by_strtod(const char* first, const char* last, float& value) {
  return read_real<float>(first, last, value, std::strtof);
}
std::from_chars_result from_chars_by_strtod(const char* first, const char* last, double& value) {
  return read_real<double>(first, last, value, std::strtod);
}

}  // namespace kdscope
