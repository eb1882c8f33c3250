#include "algorithms/registry/tuning_file.hpp"

#include <cmath>
#include <optional>
#include <sstream>

#include "algorithms/registry/registry.hpp"
#include "algorithms/text/from_chars.hpp"
#include "algorithms/text/numbers.hpp"

namespace kdscope {
namespace {

constexpr const char* first_line = "kdscope tuning 1";

std::string device_line(const Device& device) {
  return std::string("device ") + name_of(device.backend) + " " + device.name;
}

/// Parses a whole text as a number.
template <class T>
bool read_number(const std::string& text, T& number) {
  const auto [end, problem] = from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size();
}

/// Parses "row ALGORITHM PARAMETER N VALUE MS". Returns nullopt if the line has another form.
std::optional<TuningRow> row_of(const std::string& line) {
  std::istringstream words(line);
  std::string kind, n, ms, more;
  TuningRow row;
  if (!(words >> kind >> row.algorithm >> row.parameter >> n >> row.value >> ms) || words >> more || kind != "row")
    return {};
  if (!read_number(n, row.n) || row.n == 0 || !read_number(ms, row.median_ms) || !std::isfinite(row.median_ms) ||
      row.median_ms < 0)
    return {};
  return row;
}

}  // namespace

std::string tuning_text(const Device& device, const std::vector<TuningRow>& rows) {
  std::ostringstream file;
  file << first_line << '\n' << device_line(device) << '\n';
  for (const TuningRow& row : rows)
    file << "row " << row.algorithm << ' ' << row.parameter << ' ' << row.n << ' ' << row.value << ' '
         << shortest(row.median_ms) << '\n';
  file << "rows " << rows.size() << '\n';
  return file.str();
}

Result<std::vector<TuningRow>> parse_tuning(std::string_view text, const Device& device, const std::string& path) {
  const auto damaged = [&](const std::string& what) {
    return Error{ErrorKind::bad_input, what, path, "search again, or remove it"};
  };

  std::istringstream lines{std::string(text)};
  std::string line;
  std::vector<TuningRow> rows;
  if (!std::getline(lines, line) || line != first_line)
    return damaged("is no stored search of this version of kdscope");
  if (!std::getline(lines, line) || line != device_line(device)) return damaged("is of another device");
  for (int number = 3; std::getline(lines, line); ++number) {
    if (line == "rows " + std::to_string(rows.size()) && lines.peek() == std::istringstream::traits_type::eof() &&
        text.back() == '\n')
      return rows;
    const auto row = row_of(line);
    if (!row) return damaged("line " + std::to_string(number) + " is damaged");
    rows.push_back(*row);
  }
  return damaged("ends too early");
}

}  // namespace kdscope
