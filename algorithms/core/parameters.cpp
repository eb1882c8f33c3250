#include "algorithms/core/parameters.hpp"

#include <algorithm>
#include <charconv>

#include "algorithms/text/quotes.hpp"

namespace kdscope {

std::optional<std::int64_t> integer_of(const ParameterSpec& spec, std::string_view text) {
  std::int64_t integer = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), integer);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  return whole && integer >= spec.min && integer <= spec.max ? std::optional(integer) : std::nullopt;
}

bool allows(const ParameterSpec& spec, std::string_view text) {
  if (!spec.choices.empty()) return std::ranges::any_of(spec.choices, [=](const Choice& c) { return c.value == text; });
  return (spec.automatic && text == automatic_value) || integer_of(spec, text);
}

std::string alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

Error no_such_parameter(const std::string& owner, const std::vector<ParameterSpec>& specs, const std::string& name) {
  std::vector<std::string> names;
  for (const ParameterSpec& spec : specs) names.push_back(spec.name);
  return {ErrorKind::bad_usage, owner + " has no parameter " + kdscope::quoted(name), "",
          names.empty() ? "it takes none" : "its parameters are " + alternatives(names)};
}

Error refused_value(const ParameterSpec& spec, const std::string& text) {
  std::vector<std::string> values;
  for (const Choice& choice : spec.choices) values.push_back(choice.value);
  return {ErrorKind::bad_usage, spec.name + " cannot be " + kdscope::quoted(text), "",
          !values.empty() ? "choose " + alternatives(values)
                          : std::string("give ") + (spec.automatic ? "auto or " : "") + "an integer from " +
                                std::to_string(spec.min) + " to " + std::to_string(spec.max)};
}

Result<Parameters> complete_parameters(const std::string& owner, const std::vector<ParameterSpec>& specs,
                                       const Parameters& given) {
  Parameters complete;
  for (const ParameterSpec& spec : specs) complete[spec.name] = spec.default_value;
  for (const auto& [name, value] : given) {
    const auto spec = std::ranges::find(specs, name, &ParameterSpec::name);
    if (spec == specs.end()) return no_such_parameter(owner, specs, name);
    if (!allows(*spec, value)) return refused_value(*spec, value);
    complete[name] = value;
  }
  return complete;
}

}  // namespace kdscope
