#include "walkthroughs/reader/yaml_field.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/similar_names.hpp"

namespace kdscope {
namespace {

constexpr std::size_t max_message_bytes = 400;

std::string listed(const std::set<std::string>& required, const std::set<std::string>& optional) {
  std::string text;
  for (const auto* names : {&required, &optional})
    for (const std::string& name : *names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// What to do about an unknown key: the similar name, or all names.
std::string advice(const std::string& key, const std::set<std::string>& required,
                   const std::set<std::string>& optional) {
  std::vector<std::string> names(required.begin(), required.end());
  names.insert(names.end(), optional.begin(), optional.end());
  const std::string similar = did_you_mean(key, names);
  return similar.empty() ? "known are " + listed(required, optional) : similar;
}

template <class Integer>
bool integer_of(std::string_view digits, Integer& value) {
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return failed == std::errc() && end == digits.data() + digits.size();
}

std::string expected_range(const std::string& name, std::string_view digits, const std::string& min,
                           const std::string& max) {
  return name + " has '" + std::string(digits) + "' where a whole number from " + min + " to " + max + " is expected";
}

}  // namespace

YamlFieldError::YamlFieldError(int line_in_file, std::string_view problem, std::string advice)
    : line(line_in_file),
      text(printable(problem.substr(0, max_message_bytes)) + (problem.size() > max_message_bytes ? "..." : "")),
      remedy(std::move(advice)) {}

YamlField::YamlField(YAML::Node node, const YAML::Node& at, int first_line, std::string name)
    : node_(std::move(node)),
      first_line_(first_line),
      line_(first_line + std::max(0, at.Mark().line)),
      name_(std::move(name)) {}

YamlField YamlField::document(const std::string& text, int first_line, std::string name) try {
  const YAML::Node document = read_yaml(text);
  return {document, document, first_line, std::move(name)};
} catch (const YAML::Exception& e) {
  throw YamlFieldError(first_line + std::max(0, e.mark.line), name + " is not valid YAML: " + e.msg, "");
}

void YamlField::fail(const std::string& what, const std::string& remedy) const {
  throw YamlFieldError(line_, what, remedy);
}

YamlFields YamlField::fields(const std::set<std::string>& required, const std::set<std::string>& optional,
                             bool others) const {
  YamlFields found;
  for (auto& [key, value] : pairs()) {
    const bool known = required.contains(key) || optional.contains(key);
    if (!known && !others) value.fail("unknown key '" + key + "' in " + name_, advice(key, required, optional));
    if (known) found.emplace(key, std::move(value));
  }
  for (const std::string& key : required)
    if (!found.contains(key)) fail(name_ + " has no '" + key + "'");
  return found;
}

YamlFields YamlField::fields(const std::set<std::string>& required, const std::set<std::string>& optional) const {
  return fields(required, optional, false);
}

YamlFields YamlField::known_fields(const std::set<std::string>& required, const std::set<std::string>& optional) const {
  return fields(required, optional, true);
}

std::vector<std::pair<std::string, YamlField>> YamlField::pairs() const {
  if (!node_.IsMap()) fail(name_ + " must be a mapping of names to values");
  std::vector<std::pair<std::string, YamlField>> entries;
  std::set<std::string> seen;
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar()) fail("a key of " + name_ + " is not a name");
    const std::string key = entry.first.Scalar();
    YamlField value(entry.second, entry.first, first_line_, "'" + key + "'");
    if (!seen.insert(key).second) value.fail("'" + key + "' is given twice in " + name_);
    entries.emplace_back(key, std::move(value));
  }
  return entries;
}

std::vector<YamlField> YamlField::items() const {
  if (!node_.IsSequence()) fail(name_ + " must be a list");
  std::vector<YamlField> list;
  for (const auto& item : node_) list.push_back(YamlField(item, item, first_line_, "an entry of " + name_));
  return list;
}

std::vector<YamlField> YamlField::items(std::size_t count) const {
  auto list = items();
  if (list.size() != count)
    fail(name_ + " has " + std::to_string(list.size()) + " entries instead of " + std::to_string(count));
  return list;
}

std::string YamlField::any_text() const {
  if (!node_.IsScalar()) fail(name_ + " must be a text");
  return node_.Scalar();
}

std::string YamlField::text() const {
  if (!node_.IsScalar() || node_.Scalar().find_first_not_of(" \t\n") == std::string::npos)
    fail(name_ + " must be a text that is not empty");
  return node_.Scalar();
}

std::vector<std::string> YamlField::words() const {
  std::istringstream in(text());
  std::vector<std::string> list;
  for (std::string word; in >> word;) list.push_back(word);
  return list;
}

bool YamlField::boolean() const {
  bool value = false;
  if (!node_.IsScalar() || !YAML::convert<bool>::decode(node_, value)) fail(name_ + " must be true or false");
  return value;
}

double YamlField::real() const {
  if (!node_.IsScalar()) fail(name_ + " must be a finite number");
  return real(node_.Scalar());
}

double YamlField::real(const std::string& digits) const {
  double value = 0;
  if (!YAML::convert<double>::decode(YAML::Node(digits), value) || !std::isfinite(value))
    fail(name_ + " must be a finite number, not '" + digits + "'");
  return value;
}

std::uint64_t YamlField::natural(std::string_view digits, std::uint64_t min, std::uint64_t max) const {
  std::uint64_t value = 0;
  if (!integer_of(digits, value) || value < min || value > max)
    fail(expected_range(name_, digits, std::to_string(min), std::to_string(max)));
  return value;
}

std::int64_t YamlField::integer(std::int64_t min, std::int64_t max) const {
  std::int64_t value = 0;
  const std::string digits = any_text();
  if (!integer_of(digits, value) || value < min || value > max)
    fail(expected_range(name_, digits, std::to_string(min), std::to_string(max)));
  return value;
}

}  // namespace kdscope
