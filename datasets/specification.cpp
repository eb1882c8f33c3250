#include "datasets/specification.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>

#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/similar_names.hpp"

namespace kdscope {
namespace {

[[noreturn]] void refuse(const DataSource& source, std::string what, std::string remedy) {
  throw ErrorException({ErrorKind::bad_input, std::move(what), source.id, std::move(remedy)});
}

/// Text of any length and any bytes, as a message shows it.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  return printable(text.substr(0, most)) + (text.size() > most ? "..." : "");
}

/// The accepted spelling of a value, or an error that lists what is allowed.
std::string checked_value(const DataSource& source, const DataParameter& parameter, std::string_view value) {
  const std::string given = "parameter " + parameter.name + "=" + shown(value);
  if (parameter.is_list) {
    if (value.empty()) refuse(source, given + " is empty", "give a value, or leave " + parameter.name + " out");
    return std::string(value);
  }
  if (!parameter.choices.empty()) {
    std::string choice(value);
    if (choice == "int32" || choice == "float32") choice.resize(choice.size() - 2);  // numpy's names for the same
    if (std::ranges::find(parameter.choices, choice) == parameter.choices.end())
      refuse(source, given + " is not a choice", "use " + listed(parameter.choices));
    return choice;
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const std::string range = std::to_string(parameter.min) + " to " + std::to_string(parameter.max);
  if (error == std::errc::invalid_argument || end != value.data() + value.size())
    refuse(source, given + " is not a whole number", "use " + range);
  if (error == std::errc::result_out_of_range || number < parameter.min || number > parameter.max)
    refuse(source, given + " is out of range", "use " + range);
  return std::to_string(number);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row.back();
}

}  // namespace

ParameterValues::ParameterValues(const DataSource& source, std::string_view text) : source_(source) {
  for (const DataParameter& parameter : source.parameters) values_[parameter.name] = parameter.default_value;
  std::set<std::string> given;
  while (!text.empty()) {
    std::string_view item = text.substr(0, text.find(','));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) refuse(source, "\"" + shown(item) + "\" is no parameter", "write key=value");
    const std::string name(item.substr(0, equals));
    const auto parameter = std::ranges::find(source.parameters, name, &DataParameter::name);
    if (parameter == source.parameters.end()) {
      std::vector<std::string> names;
      for (const DataParameter& p : source.parameters) names.push_back(p.name);
      const std::string similar = did_you_mean(name, names);
      refuse(source, "there is no parameter \"" + shown(name) + "\"",
             names.empty()     ? "it takes no parameters"
             : similar.empty() ? "use " + listed(names)
                               : similar);
    }
    if (parameter->is_list) {
      // Items up to the next "key=" belong to the list.
      std::size_t end = item.size();
      while (end < text.size()) {
        const std::string_view next = text.substr(end + 1, text.find(',', end + 1) - end - 1);
        if (next.find('=') != std::string_view::npos) break;
        end += 1 + next.size();
      }
      item = text.substr(0, end);
    }
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    if (!given.insert(name).second) refuse(source, "parameter " + name + " is given twice", "give it once");
    values_[name] = checked_value(source, *parameter, item.substr(equals + 1));
  }
}

std::string ParameterValues::canonical(const std::string& without) const {
  std::string text;
  for (const DataParameter& parameter : source_.parameters) {
    if (parameter.name == without) continue;
    text += text.empty() ? ':' : ',';
    text += parameter.name + "=" + values_.at(parameter.name);
  }
  return source_.id + text;
}

std::int64_t ParameterValues::integer(const std::string& name) const {
  const std::string& digits = values_.at(name);
  std::int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

std::vector<std::string> ParameterValues::list(const std::string& name) const {
  std::vector<std::string> items;
  std::string_view rest = values_.at(name);
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    items.emplace_back(item);
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
  }
  return items;
}

std::string specification_of(const std::string& name, const std::vector<DataParameter>& parameters,
                             const std::map<std::string, std::string>& values) {
  std::string text = name;
  char between = ':';
  for (const DataParameter& parameter : parameters) {
    const auto given = values.find(parameter.name);
    if (given == values.end() || given->second == parameter.default_value) continue;
    text += between + parameter.name + "=" + given->second;
    between = ',';
  }
  return text;
}

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& candidate : names) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance <= 2 || 2 * distance <= candidate.size()) ranked.emplace_back(distance, candidate);
  }
  if (ranked.empty()) return names;
  std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> nearest;
  for (const auto& [distance, candidate] : ranked)
    if (nearest.size() < 3) nearest.push_back(candidate);
  return nearest;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

}  // namespace kdscope
