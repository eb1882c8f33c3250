#include "app/bench/bench_comparison.hpp"

#include <algorithm>

#include "algorithms/text/quotes.hpp"

namespace kdscope {
namespace {

const BenchTable* table_like(const BenchTable& wanted, const std::vector<BenchTable>& tables) {
  for (const BenchTable& table : tables)
    if (table.backend == wanted.backend && table.device == wanted.device && table.processors == wanted.processors)
      return &table;
  return nullptr;
}

const BenchRow* row_like(const BenchRow& wanted, const BenchTable& table) {
  for (const BenchRow& row : table.rows)
    if (row.same_work(wanted)) return &row;
  return nullptr;
}

std::string devices_of(const std::vector<BenchTable>& tables) {
  std::string text;
  for (const BenchTable& table : tables) {
    text += (text.empty() ? "" : " and ") + std::string(name_of(table.backend)) + " (" + table.device;
    if (table.backend == Backend::cuda) text += ", " + std::to_string(table.processors) + " multiprocessors";
    text += ")";
  }
  return text;
}

Error refusal(std::string what, std::string remedy, const std::string& path) {
  return {ErrorKind::bad_input, std::move(what), path, std::move(remedy)};
}

TimeSummary summary_of(const BenchRow& row) { return {row.ms.size(), row.median(), row.robust_deviation()}; }

}  // namespace

TimeVerdict verdict_of(const BenchRow& now, const BenchRow& before) {
  if (now.measured() && before.measured()) return judge(summary_of(now), summary_of(before));
  if (before.measured() && now.over_time) return TimeVerdict::slower;
  if (now.measured() && before.over_time) return TimeVerdict::faster;
  return TimeVerdict::unknown;
}

Result<void> check_comparable(const std::vector<BenchTable>& now, const BenchResults& before, const std::string& path) {
  const auto in_before = [&](const BenchTable& table) { return table_like(table, before.tables) != nullptr; };
  if (now.size() != before.tables.size() || !std::ranges::all_of(now, in_before))
    return refusal("its device is " + devices_of(before.tables) + ", and this one is " + devices_of(now),
                   "times of different devices do not compare; measure both on one device", path);
  for (const BenchTable& table : now) {
    const BenchTable& earlier = *table_like(table, before.tables);
    for (const BenchRow& row : table.rows)
      if (!row_like(row, earlier))
        return refusal("it lacks the row " + kdscope::quoted(row.title()),
                       "name the same rows, or leave out all options of rows to repeat those of the file", path);
    for (const BenchRow& row : earlier.rows)
      if (!row_like(row, table))
        return refusal("its row " + kdscope::quoted(row.title()) + " is not measured now",
                       "name the same rows, or leave out all options of rows to repeat those of the file", path);
  }
  return {};
}

std::vector<BenchedAgain> compare_benches(const std::vector<BenchTable>& now, const BenchResults& before) {
  std::vector<BenchedAgain> all;
  for (const BenchTable& table : now) {
    const BenchTable& earlier = *table_like(table, before.tables);
    for (const BenchRow& row : table.rows) {
      const BenchRow& old = *row_like(row, earlier);
      const bool both = row.measured() && old.measured();
      all.push_back({&row, &old, verdict_of(row, old), !both || row.hash == old.hash});
    }
  }
  return all;
}

}  // namespace kdscope
