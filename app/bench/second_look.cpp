#include "app/bench/second_look.hpp"

#include <algorithm>

namespace kdscope {
namespace {

bool seems_different(const BenchedAgain& row) {
  const bool differs = row.verdict == TimeVerdict::slower || row.verdict == TimeVerdict::faster;
  return differs && row.now->measured() && row.before->measured();
}

BenchRow unmeasured(BenchRow row) {
  row.ms.clear();
  return row;
}

/// The rows of a table that seem different, and the builds of the trees that their searches need.
std::vector<BenchRow> rows_to_repeat(const BenchTable& table, const std::vector<BenchedAgain>& compared) {
  std::vector<BenchRow> rows;
  const BenchRow* build = nullptr;  // of the searches behind it
  bool build_there = false;
  for (const BenchRow& row : table.rows) {
    const bool builds = row.work == BenchWork::build;
    if (builds) build = &row, build_there = false;
    const bool wanted =
        std::ranges::any_of(compared, [&](const auto& each) { return each.now == &row && seems_different(each); });
    if (!wanted) continue;
    if (!builds && build && !build_there) rows.push_back(unmeasured(*build));
    build_there = true;
    rows.push_back(unmeasured(row));
  }
  return rows;
}

}  // namespace

Result<void> look_again(const BenchPlan& plan, const std::vector<BenchTable>& tables, std::vector<BenchedAgain>& rows,
                        const RunControl& control) {
  std::vector<BenchTable> again;
  for (const BenchTable& table : tables) {
    BenchTable some = table;
    some.rows = rows_to_repeat(table, rows);
    if (!some.rows.empty()) again.push_back(std::move(some));
  }
  if (again.empty()) return {};
  if (auto measured = measure_bench(
          plan, again, [](const BenchTable&, const BenchRow&) {}, control);
      !measured)
    return measured;
  for (const BenchTable& table : again)
    for (const BenchRow& second : table.rows)
      for (BenchedAgain& row : rows) {
        // Each device has rows of the same work; only those of this one were measured again.
        const auto own = std::ranges::find(tables, table.backend, &BenchTable::backend);
        const bool in_table = row.now >= own->rows.data() && row.now < own->rows.data() + own->rows.size();
        if (!in_table || !seems_different(row) || !row.now->same_work(second)) continue;
        if (verdict_of(second, *row.before) == row.verdict) continue;
        row.verdict = TimeVerdict::no_difference;
        row.confirmed = false;
      }
  return {};
}

}  // namespace kdscope
