#include "app/cli/failed_checks.hpp"

#include <charconv>

namespace kdscope::cli {

std::optional<ElementPlace> place_in(const Trace& trace, std::string_view detail) {
  // Names may contain brackets: "data[i].x[3] is 40". The number in brackets ends the name.
  for (std::size_t open = detail.find('['); open != detail.npos; open = detail.find('[', open + 1)) {
    const std::string_view name = detail.substr(0, open);
    const char* const end = detail.data() + detail.size();
    std::uint64_t index = 0;
    const auto [rest, problem] = std::from_chars(detail.data() + open + 1, end, index);
    if (problem == std::errc() && rest != end && *rest == ']' && trace.find(name))
      return ElementPlace{std::string(name), index};
  }
  return std::nullopt;
}

std::vector<FailedCheck> failed_checks(const Trace& trace) {
  std::vector<FailedCheck> failed;
  for (const Step& step : trace.steps)
    for (const CheckResult& check : step.checks)
      if (!check.passed)
        failed.push_back({&step, &check,
                          check.elements.empty() ? place_in(trace, check.detail)
                                                 : ElementPlace{check.array, check.elements.front().begin}});
  return failed;
}

std::size_t check_count(const Trace& trace) {
  std::size_t count = 0;
  for (const Step& step : trace.steps) count += step.checks.size();
  return count;
}

std::string failed_check_text(const FailedCheck& failed) {
  return "step " + std::to_string(failed.step->ordinal) + " (" + path_text(*failed.step) + "), " + failed.check->name +
         ": " + failed.check->detail;
}

void write_failed_checks(const std::string& name, const std::vector<FailedCheck>& failed, JsonWriter& json) {
  json.objects(name, failed, [&](const FailedCheck& f) {
    json.member("step", f.step->ordinal);
    json.member("path", f.step->path);
    json.member("name", f.check->name);
    json.member("statement", f.check->statement);
    json.member("detail", f.check->detail);
    json.member("violations", f.check->violations);
    json.member("array", f.place ? std::optional(f.place->array) : std::nullopt);
    json.member("index", f.place ? std::optional(f.place->index) : std::nullopt);
  });
}

}  // namespace kdscope::cli
