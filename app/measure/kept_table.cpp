#include "app/measure/kept_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "algorithms/text/csv.hpp"
#include "app/measure/data_shape.hpp"

namespace kdscope {
namespace {

constexpr std::string_view header =
    "date,commit,device,backend,algorithm,data,parameters,processors,repeats,median_ms,min_ms,max_ms,mean_ms,sd_ms,"
    "tree_hash";
constexpr std::size_t most_rows = 1000;  ///< of a run: those of the largest sweep

template <class Number, class... Base>
bool read_number(std::string_view text, Number& number, Base... base) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base...);
  return problem == std::errc() && end == text.data() + text.size();
}

bool read_time(std::string_view text, double& ms) { return read_number(text, ms) && std::isfinite(ms) && ms >= 0; }

/// "2026-05-01T12:34:56Z": as text in the order of time.
bool is_date(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:ddZ";
  return std::ranges::equal(text, form, [](char c, char f) { return f == 'd' ? c >= '0' && c <= '9' : c == f; });
}

/// Reads "sort=radix split=widest".
bool read_parameters(std::string_view text, Parameters& parameters) {
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(' '));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) return false;
    parameters.emplace(one.substr(0, equals), one.substr(equals + 1));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return true;
}

/// The number of points that a specification of a data source gives; 0 if it gives none.
std::uint64_t size_of(const std::string& specification) try {
  const auto shape = shape_from_parameters(specification);
  return shape ? shape->n : 0;
} catch (const ErrorException&) {
  return 0;
}

/// A specification with {n} in place of its size.
std::string without_size(std::string specification) {
  for (const char* before : {":n=", ",n="})
    if (const std::size_t at = specification.find(before); at != std::string::npos) {
      const std::size_t from = at + 3, end = specification.find_first_not_of("0123456789", from);
      specification.replace(from, std::min(end, specification.size()) - from, "{n}");
    }
  return specification;
}

/// Reads the row of a line, and puts it into the last run or a new one. Returns false if the line is no row.
bool add_line(std::string_view line, std::vector<MeasuredRun>& runs) {
  std::vector<CsvField> fields;
  if (!split_csv_row(line, fields) || fields.size() != 15) return false;
  std::vector<std::string> f;
  for (const CsvField& field : fields) f.push_back(field.value());
  MeasuredRow row;
  row.what.subject = f[4];
  row.what.data = f[5];
  row.distribution = without_size(f[5]);
  Samples::Summary times;
  const auto backend = backend_named(f[3]);
  const bool sound = is_date(f[0]) && !f[1].empty() && backend && *backend != Backend::automatic &&
                     read_parameters(f[6], row.what.given) && read_number(f[7], row.what.processors) &&
                     row.what.processors >= 0 && read_number(f[8], times.count) && times.count > 0 &&
                     read_time(f[9], times.median) && read_time(f[10], times.least) && read_time(f[11], times.most) &&
                     read_time(f[12], times.mean) && read_time(f[13], times.deviation) && f[14].starts_with("0x") &&
                     read_number(std::string_view(f[14]).substr(2), row.facts.hash, 16);
  if (!sound) return false;
  row.n = size_of(row.what.data);
  row.samples.summary = times;

  // Find the row's table in the last run, unless this row begins another run
  MeasuredTable* place = nullptr;
  std::size_t rows = 0;
  if (!runs.empty() && runs.back().commit == f[1])
    for (MeasuredTable& table : runs.back().tables) {
      rows += table.rows.size();
      if (table.device == f[2] && table.backend == *backend && table.processors == row.what.processors) place = &table;
    }
  const bool again = place && std::ranges::count(place->rows, row.what, &MeasuredRow::what) > 0;
  if (rows == 0 || rows >= most_rows || again) {
    runs.push_back({"", f[1], f[0]});
    place = nullptr;
  }
  if (!place) place = &runs.back().tables.emplace_back(MeasuredTable{*backend, f[2], "", row.what.processors});
  place->rows.push_back(std::move(row));
  return true;
}

}  // namespace

bool is_kept_table(std::string_view text) { return text.starts_with("date,commit,"); }

Result<std::vector<MeasuredRun>> runs_in_table(std::string_view text, const std::string& path) {
  constexpr const char* repair = "correct that line, or move the file away";
  std::vector<MeasuredRun> runs;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    const bool cut = end == text.size();
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string where = path + ":" + std::to_string(number);
    if (cut) return Error{ErrorKind::bad_input, "the results are damaged: the line has no end", where, repair};
    if (number == 1 ? line != header : !add_line(line, runs))
      return Error{ErrorKind::bad_input, "the results are damaged: the line is no result", where, repair};
  }
  if (runs.empty()) return Error{ErrorKind::bad_input, "the table has no results", path, "choose another file"};
  return runs;
}

}  // namespace kdscope
