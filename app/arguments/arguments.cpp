#include "app/arguments/arguments.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include "algorithms/text/similar_names.hpp"

namespace kdscope {
namespace {

Error usage(const CommandSpec& spec, std::string what, std::string remedy = "") {
  if (remedy.empty()) remedy = "see " + spec.called() + " --help";
  return {ErrorKind::bad_usage, std::move(what), "", std::move(remedy)};
}

/// Breaks a text into indented lines of at most 80 columns.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string result(indent, ' ');
  std::size_t column = indent;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (column > indent && column + 1 + (end - at) > 80) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result.append(text, at, end - at);
    column += end - at;
    at = end + 1;
  }
  return result + "\n";
}

/// Reads the value of an option, as Arguments::integer() describes it.
Result<std::uint64_t> integer_in(const std::string& given, const std::string& option, std::uint64_t min,
                                 std::uint64_t max, bool bytes) {
  std::uint64_t value = 0;
  const char* end = given.data() + given.size();
  auto [rest, problem] = std::from_chars(given.data(), end, value);
  std::uint64_t unit = 1;
  if (problem == std::errc() && rest + 1 == end) {
    constexpr std::string_view suffixes = "KMG";
    const std::size_t power = suffixes.find(*rest);
    if (power != suffixes.npos) ++rest;
    for (std::size_t i = 0; power != suffixes.npos && i <= power; ++i) unit *= bytes ? 1024 : 1000;
  }
  if (problem != std::errc() || rest != end || value > max / unit || value * unit < min)
    return Error{ErrorKind::bad_usage, option + " cannot be '" + given + "'", "",
                 "give an integer from " + std::to_string(min) + " to " + std::to_string(max)};
  return value * unit;
}

}  // namespace

std::string Arguments::text(const std::string& option, const std::string& fallback) const {
  const auto found = values_.find(option);
  return found == values_.end() ? fallback : found->second.back();
}

std::vector<std::string> Arguments::all(const std::string& option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

Result<std::uint64_t> Arguments::integer(const std::string& option, std::uint64_t fallback, std::uint64_t min,
                                         std::uint64_t max, bool bytes) const {
  if (!has(option)) return fallback;
  return integer_in(text(option), option, min, max, bytes);
}

Result<std::vector<std::uint64_t>> Arguments::integers(const std::string& option,
                                                       const std::vector<std::uint64_t>& fallback, std::uint64_t min,
                                                       std::uint64_t max) const {
  if (!has(option)) return fallback;
  std::vector<std::uint64_t> values;
  const std::string given = text(option) + ",";
  for (std::size_t from = 0, end; (end = given.find(',', from)) != std::string::npos; from = end + 1) {
    const auto value = integer_in(given.substr(from, end - from), option, min, max, false);
    if (!value) return value.error();
    if (std::find(values.begin(), values.end(), *value) != values.end())
      return Error{ErrorKind::bad_usage, option + " names " + std::to_string(*value) + " twice", "", "name it once"};
    values.push_back(*value);
  }
  return values;
}

Result<std::vector<std::vector<double>>> Arguments::all_numbers(const std::string& option, std::size_t count,
                                                                const std::string& example) const {
  std::vector<std::vector<double>> all_values;
  for (const std::string& text : all(option)) {
    const Error fault{ErrorKind::bad_usage, option + " is '" + text + "'", "",
                      "give " + (count == 1 ? std::string("a number") : std::to_string(count) + " numbers") +
                          ", for example " + example};
    std::vector<double> values;
    const std::string given = text + ",";
    for (std::size_t from = 0, end; (end = given.find(',', from)) != std::string::npos; from = end + 1) {
      double value = 0;
      const char* const last = given.data() + end;
      const auto [rest, problem] = std::from_chars(given.data() + from, last, value);
      if (problem != std::errc() || rest != last || !std::isfinite(value)) return fault;
      values.push_back(value);
    }
    if (values.size() != count) return fault;
    all_values.push_back(std::move(values));
  }
  return all_values;
}

Result<std::vector<double>> Arguments::numbers(const std::string& option, std::size_t count,
                                               const std::string& example) const {
  auto values = all_numbers(option, count, example);
  if (!values) return values.error();
  return values->empty() ? std::vector<double>() : std::move(values->back());
}

Result<std::string> Arguments::choice(const std::string& option, const std::vector<std::string>& choices) const {
  const std::string given = text(option);
  if (!has(option) || std::find(choices.begin(), choices.end(), given) != choices.end()) return given;
  std::string listed;
  for (std::size_t i = 0; i < choices.size(); ++i)
    listed += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i];
  return Error{ErrorKind::bad_usage, option + " cannot be '" + given + "'", "", "use " + listed};
}

Result<std::map<std::string, std::string>> Arguments::named_values(const std::string& option,
                                                                   const std::string& example) const {
  std::map<std::string, std::string> values;
  for (const std::string& given : all(option)) {
    const std::size_t equals = given.find('=');
    if (equals == 0 || equals == std::string::npos)
      return Error{ErrorKind::bad_usage, option + " '" + given + "' is not NAME=VALUE", "",
                   "write for example " + option + " " + example};
    const std::string name = given.substr(0, equals);
    if (!values.emplace(name, given.substr(equals + 1)).second)
      return Error{ErrorKind::bad_usage, option + " " + name + " is given twice", "", "give it once"};
  }
  return values;
}

Result<Arguments> parse_arguments(const CommandSpec& spec, const std::vector<std::string>& words) {
  Arguments arguments;
  bool options_end = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!options_end && word == "--") {
      options_end = true;
      continue;
    }
    if (options_end || word.size() < 2 || word[0] != '-') {
      const bool takes_more = !spec.operands.empty() && spec.operands.back().repeatable;
      if (arguments.operands_.size() >= spec.operands.size() && !takes_more)
        return usage(spec, "'" + word + "' is one word too many for " + spec.name);
      arguments.operands_.push_back(word);
      continue;
    }
    const std::size_t equals = word.rfind("--", 0) == 0 ? word.find('=') : std::string::npos;
    const std::string name = word.substr(0, equals);
    const auto option =
        std::find_if(spec.options.begin(), spec.options.end(), [&](const Option& o) { return o.name == name; });
    if (option == spec.options.end()) {
      std::vector<std::string> names;
      for (const Option& o : spec.options) names.push_back(o.name);
      return usage(spec, spec.name + " has no option " + name, did_you_mean(name, names));
    }
    if (arguments.has(name) && !option->repeatable) return usage(spec, name + " is given twice");
    if (option->value.starts_with("[=") && equals == std::string::npos) {
      arguments.values_[name].emplace_back();
    } else if (option->value.empty()) {
      if (equals != std::string::npos) return usage(spec, name + " takes no value");
      arguments.values_[name].emplace_back();
    } else {
      const std::string value = equals != std::string::npos ? word.substr(equals + 1)
                                : i + 1 < words.size()      ? words[++i]
                                                            : std::string();
      if (value.empty()) return usage(spec, name + " needs a value: " + option->use());
      arguments.values_[name].push_back(value);
    }
  }
  for (std::size_t i = arguments.operands_.size(); i < spec.operands.size(); ++i)
    if (spec.operands[i].required) return usage(spec, spec.name + " needs " + spec.operands[i].name);
  for (const Option& option : spec.options)
    if (option.required && !arguments.has(option.name))
      return usage(spec, spec.name + " needs " + option.name + " " + option.value);
  return arguments;
}

std::string help_text(const CommandSpec& spec) {
  std::string text = spec.called();
  for (const Operand& o : spec.operands) text += " " + o.use();
  for (const Option& o : spec.options) {
    if (o.required) text += " " + o.use();
  }
  text += " [options]\n\n" + wrapped(spec.description, 0);
  const auto entry = [&](const std::string& head, const std::string& help) {
    text += "  " + head + "\n" + wrapped(help, 6);
  };
  if (!spec.operands.empty()) text += "\n";
  for (const Operand& o : spec.operands) entry(o.name, o.help);
  std::string group = "Options";
  text += "\n" + group + ":\n";
  for (const Option& o : spec.options) {
    if (!o.group.empty() && std::exchange(group, o.group) != o.group) text += "\n" + group + ":\n";
    std::string help = o.help;
    if (o.required) help += " Required.";
    if (o.repeatable) help += " May be given several times.";
    entry(o.use(), help);
  }
  if (group != "Options") text += "\n";
  entry("--help", "Print this text.");
  if (!spec.notes.empty()) text += "\n" + wrapped(spec.notes, 0);
  if (!spec.examples.empty()) text += "\nExamples:\n";
  for (const std::string& example : spec.examples)
    text += "  " + (spec.program.empty() ? spec.name : spec.program) + " " + example + "\n";
  return text;
}

}  // namespace kdscope
