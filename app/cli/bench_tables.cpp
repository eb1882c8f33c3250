#include "app/cli/bench_tables.hpp"

#include <algorithm>
#include <map>

#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/cli/aligned_table.hpp"
#include "app/cli/busy_machine.hpp"

namespace kdscope::cli {
namespace {

Cells bench_heading(const MeasuredTable& table) {
  Cells cells{"", "points", "median ms", "min", "max", "ns/point", "GB/s", "of copy", "memory"};
  if (table.backend == Backend::cuda)
    cells.push_back("launches");
  else
    cells.push_back("threads");
  cells.push_back("times");
  return cells;
}

Cells cells_of(const MeasuredRow& row, const MeasuredTable& table) {
  Cells cells{printable(row.what.name()), row.n > 0 ? grouped(row.n) : "-"};
  if (!row.measured()) {
    cells.push_back("left out");
    return cells;
  }
  const auto number_text = [](double number) { return formatted(number < 1000 ? "%.4g" : "%.0f", number); };
  const Samples& samples = row.samples;
  for (const double number : {samples.median(), samples.least(), samples.most()}) cells.push_back(number_text(number));
  const double each = row.ns_per_point(), speed = row.gigabytes_per_second();
  cells.push_back(each > 0 ? number_text(each) : "-");
  cells.push_back(speed > 0 ? formatted("%.3g", speed) : "-");
  cells.push_back(speed > 0 && table.copy_gigabytes > 0 ? formatted("%.1f %%", 100 * speed / table.copy_gigabytes)
                                                        : "-");
  cells.push_back(row.facts.peak_bytes > 0 ? bytes_text(row.facts.peak_bytes) : "-");
  if (table.backend == Backend::cuda)
    cells.push_back(row.facts.launches ? std::to_string(*row.facts.launches) : "-");
  else
    cells.push_back(row.facts.processors > 0 ? std::to_string(row.facts.processors) : "-");
  cells.push_back(std::to_string(row.samples.count()));
  return cells;
}

/// Whether any row of these data has times. If none has, its reasons below the table suffice.
bool any_measured(const MeasuredTable& table, const std::string& data) {
  return std::ranges::any_of(table.rows,
                             [&](const MeasuredRow& row) { return row.what.data == data && row.measured(); });
}

/// The distributions in the order of their first rows.
std::vector<std::string> distributions_of(const MeasuredTable& table) {
  std::vector<std::string> all;
  for (const MeasuredRow& row : table.rows)
    if (std::ranges::count(all, row.distribution) == 0) all.push_back(row.distribution);
  return all;
}

/// Prints one line per reason and data, with the rows that it keeps out.
void print_left_out(const MeasuredTable& table, std::ostream& out) {
  struct Group {
    std::string data, reason, names;
    std::ptrdiff_t rows = 0;
  };
  std::vector<Group> groups;
  for (const MeasuredRow& row : table.rows) {
    if (row.measured()) continue;
    auto group = std::ranges::find_if(
        groups, [&](const Group& each) { return each.data == row.what.data && each.reason == row.reason; });
    if (group == groups.end()) group = groups.insert(groups.end(), {row.what.data, row.reason, "", 0});
    group->names += (group->rows++ == 0 ? "" : "; ") + row.what.name();
  }
  for (const Group& group : groups) {
    const bool all = group.rows > 1 && group.rows == std::ranges::count_if(table.rows, [&](const MeasuredRow& row) {
                                         return row.what.data == group.data;
                                       });
    out << "left out on " << printable(group.data) << ", " << (all ? "every row" : printable(group.names)) << ": "
        << printable(group.reason) << "\n";
  }
}

/// Searches of the same points for the same number of neighbours find the same distances, unless one gives up
/// subtrees or its builder drops duplicates.
void print_different_answers(const MeasuredTable& table, std::ostream& out) {
  std::map<std::pair<std::string, std::uint32_t>, const MeasuredRow*> first;
  for (const MeasuredRow& row : table.rows) {
    if (row.what.kind != WorkKind::search || !row.measured()) continue;
    const MeasuredRow* other = first.emplace(std::pair(row.what.data, row.what.k), &row).first->second;
    if (other->facts.hash != row.facts.hash)
      out << printable(row.what.title()) << " finds other distances than " << printable(other->what.name()) << "\n";
  }
}

void print_busy(const MeasuredTable& table, std::ostream& out) {
  BusyMachine busy;
  for (const MeasuredRow& row : table.rows)
    if (row.samples.count() >= 3)
      busy.add(row.what.title(), row.samples.least(), row.samples.median(), row.samples.most());
  out << busy.text();
}

void print_libraries(const MeasuredTable& table, std::ostream& out) {
  std::map<std::string, std::string> versions;
  bool one_thread = false;
  for (const MeasuredRow& row : table.rows) {
    if (!row.what.library || !row.measured()) continue;
    versions[row.what.subject] = row.facts.version;
    one_thread = one_thread || row.facts.processors < table.processors;
  }
  std::string text;
  for (const auto& [library, version] : versions) text += (text.empty() ? "" : ", ") + library + " " + version;
  if (text.empty()) return;
  out << "beside kdscope: " << printable(text);
  if (one_thread)
    out << "; libraries build on the threads that they can use, as shown: --processors 1 gives all of them one";
  out << "\n";
}

}  // namespace

void print_table(const MeasuredTable& table, std::ostream& out) {
  out << name_of(table.backend) << ": " << printable(table.device);
  if (!table.detail.empty()) out << " (" << printable(table.detail) << ")";
  if (table.copy_gigabytes > 0)
    out << ", copies " << formatted("%.4g", table.copy_gigabytes) << " GB/s, read and written";
  out << "\n";
  for (const std::string& distribution : distributions_of(table)) {
    std::vector<Cells> lines{bench_heading(table)};
    lines.front().front() = printable(distribution);
    for (const MeasuredRow& row : table.rows)
      if (row.distribution == distribution && any_measured(table, row.what.data)) lines.push_back(cells_of(row, table));
    if (lines.size() > 1) out << "\n" << aligned(lines);
  }
  out << "\n";
  print_busy(table, out);
  print_libraries(table, out);
  print_left_out(table, out);
  print_different_answers(table, out);
}

}  // namespace kdscope::cli
