#include "app/cli/bench_tables.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/trace.hpp"
#include "app/cli/aligned_table.hpp"
#include "app/cli/busy_machine.hpp"

namespace kdscope::cli {
namespace {

Cells bench_heading(const BenchTable& table) {
  Cells cells{"", "points", "median ms", "min", "max", "ns/point", "GB/s", "of copy", "memory"};
  if (table.backend == Backend::cuda)
    cells.push_back("launches");
  else
    cells.push_back("threads");
  cells.push_back("times");
  return cells;
}

Cells cells_of(const BenchRow& row, const BenchTable& table) {
  Cells cells{printable(row.name()), grouped(row.n)};
  if (!row.measured()) {
    cells.push_back("left out");
    return cells;
  }
  const double speed = row.gigabytes_per_second();
  for (const double number : {row.median(), row.quantile_ms(0), row.quantile_ms(1), row.ns_per_point()})
    cells.push_back(formatted(number < 1000 ? "%.4g" : "%.0f", number));
  cells.push_back(formatted("%.3g", speed));
  cells.push_back(table.copy_gigabytes > 0 ? formatted("%.1f %%", 100 * speed / table.copy_gigabytes) : "-");
  cells.push_back(row.peak_bytes > 0 ? bytes_text(row.peak_bytes) : "-");
  if (table.backend == Backend::cuda)
    cells.push_back(row.launches ? std::to_string(*row.launches) : "-");
  else
    cells.push_back(std::to_string(row.processors));
  cells.push_back(std::to_string(row.ms.size()));
  return cells;
}

/// Whether any row of these data has times. If none has, its reasons below the table suffice.
bool any_measured(const BenchTable& table, const std::string& data) {
  return std::ranges::any_of(table.rows, [&](const BenchRow& row) { return row.data == data && row.measured(); });
}

/// The distributions in the order of their first rows.
std::vector<std::string> distributions_of(const BenchTable& table) {
  std::vector<std::string> all;
  for (const BenchRow& row : table.rows)
    if (std::ranges::count(all, row.distribution) == 0) all.push_back(row.distribution);
  return all;
}

/// Prints one line per reason and data, with the rows that it keeps out.
void print_left_out(const BenchTable& table, std::ostream& out) {
  struct Group {
    std::string data, reason, names;
    std::ptrdiff_t rows = 0;
  };
  std::vector<Group> groups;
  for (const BenchRow& row : table.rows) {
    if (row.measured()) continue;
    auto group = std::ranges::find_if(
        groups, [&](const Group& each) { return each.data == row.data && each.reason == row.reason; });
    if (group == groups.end()) group = groups.insert(groups.end(), {row.data, row.reason, "", 0});
    group->names += (group->rows++ == 0 ? "" : "; ") + row.name();
  }
  for (const Group& group : groups) {
    const bool all = group.rows > 1 && group.rows == std::ranges::count(table.rows, group.data, &BenchRow::data);
    out << "left out on " << printable(group.data) << ", " << (all ? "every row" : printable(group.names)) << ": "
        << printable(group.reason) << "\n";
  }
}

/// Searches of the same points for the same number of neighbours find the same distances, unless one gives up
/// sub-trees or its builder drops duplicates.
void print_different_answers(const BenchTable& table, std::ostream& out) {
  std::map<std::pair<std::string, std::uint32_t>, const BenchRow*> first;
  for (const BenchRow& row : table.rows) {
    if (row.work != BenchWork::search || !row.measured()) continue;
    const BenchRow* other = first.emplace(std::pair(row.data, row.k), &row).first->second;
    if (other->hash != row.hash)
      out << printable(row.title()) << " finds other distances than " << printable(other->name()) << "\n";
  }
}

void print_busy(const BenchTable& table, std::ostream& out) {
  BusyMachine busy;
  for (const BenchRow& row : table.rows)
    if (row.ms.size() >= 3) busy.add(row.title(), row.quantile_ms(0), row.median(), row.quantile_ms(1));
  out << busy.text();
}

void print_libraries(const BenchTable& table, std::ostream& out) {
  std::map<std::string, std::string> versions;
  bool one_thread = false;
  for (const BenchRow& row : table.rows) {
    if (!row.library || !row.measured()) continue;
    versions[row.subject] = row.version;
    one_thread = one_thread || row.processors < table.processors;
  }
  std::string text;
  for (const auto& [library, version] : versions) text += (text.empty() ? "" : ", ") + library + " " + version;
  if (text.empty()) return;
  out << "beside kdscope: " << printable(text);
  if (one_thread)
    out << "; libraries build on the threads that they can use, as shown: --processors 1 gives all of them one";
  out << "\n";
}

/// "commit 0123abc with local changes".
std::string program_of(const BenchResults& results) {
  const std::size_t plus = results.commit.find('+');
  return commit_text({results.commit.substr(0, plus), plus != std::string::npos, {}, {}, {}});
}

std::string compared_times_text(const BenchedAgain& row) {
  const double now = row.now->median(), before = row.before->median();
  return duration_text(now) + ", " + formatted("%.3g", now / before) + " times " + duration_text(before);
}

}  // namespace

void print_table(const BenchTable& table, std::ostream& out) {
  out << name_of(table.backend) << ": " << printable(table.device) << " (" << printable(table.detail) << "), copies "
      << formatted("%.4g", table.copy_gigabytes) << " GB/s, read and written\n";
  for (const std::string& distribution : distributions_of(table)) {
    std::vector<Cells> lines{bench_heading(table)};
    lines.front().front() = printable(distribution);
    for (const BenchRow& row : table.rows)
      if (row.distribution == distribution && any_measured(table, row.data)) lines.push_back(cells_of(row, table));
    if (lines.size() > 1) out << "\n" << aligned(lines);
  }
  out << "\n";
  print_busy(table, out);
  print_libraries(table, out);
  print_left_out(table, out);
  print_different_answers(table, out);
}

void print_comparison(const std::vector<BenchedAgain>& rows, const std::vector<BenchTable>& now,
                      const BenchResults& before, const std::string& path, std::ostream& out) {
  out << "\nbeside " << printable(path) << " of " << program_of(before) << " (" << printable(before.date.substr(0, 10))
      << ")\n";
  for (const BenchTable& table : now)
    for (const BenchTable& earlier : before.tables)
      if (earlier.backend == table.backend)
        out << name_of(table.backend) << " copies " << formatted("%.4g", table.copy_gigabytes) << " GB/s, then "
            << formatted("%.4g", earlier.copy_gigabytes) << "\n";
  std::map<TimeVerdict, std::size_t> counts;
  for (const BenchedAgain& row : rows) {
    ++counts[row.verdict];
    const std::string title = printable(row.now->title());
    if (!row.same_result)
      out << "other result: " << title << (row.now->work == BenchWork::build ? " gives another tree" : " finds others")
          << " than before, so the times are not those of the same work\n";
    if (!row.confirmed)
      out << "not confirmed by a second measurement: " << title << ": " << compared_times_text(row) << "\n";
    if (row.verdict == TimeVerdict::no_difference) continue;
    out << name_of(row.verdict) << ": " << title << ": ";
    if (row.now->measured() && row.before->measured())
      out << compared_times_text(row)
          << (row.verdict == TimeVerdict::unknown ? ", and a verdict needs three repetitions of each" : "");
    else if (row.now->measured())
      out << duration_text(row.now->median()) << ", left out before: " << printable(row.before->reason);
    else
      out << printable(row.now->reason)
          << (row.before->measured() ? ", before " + duration_text(row.before->median()) : "");
    out << "\n";
  }
  std::string text;
  for (const auto& [verdict, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name_of(verdict);
  out << text << "\n";
}

}  // namespace kdscope::cli
