#include "app/bench/second_look.hpp"

#include <algorithm>

namespace kdscope {
namespace {

bool seems_different(const ComparedRow& row) {
  const bool differs = row.verdict == TimeVerdict::slower || row.verdict == TimeVerdict::faster;
  return differs && row.now->measured() && row.before->measured();
}

MeasuredRow unmeasured(MeasuredRow row) {
  row.samples = {};
  return row;
}

/// The rows of a table that seem different, and the builds of the trees that their searches need.
std::vector<MeasuredRow> rows_to_repeat(const MeasuredTable& table, const std::vector<ComparedRow>& compared) {
  std::vector<MeasuredRow> rows;
  const MeasuredRow* build = nullptr;  // of the searches behind it
  bool build_there = false;
  for (const MeasuredRow& row : table.rows) {
    const bool builds = row.what.kind == WorkKind::build;
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

Result<void> look_again(const BenchPlan& plan, const std::vector<MeasuredTable>& tables, std::vector<ComparedRow>& rows,
                        const RunControl& control) {
  std::vector<MeasuredTable> again;
  for (const MeasuredTable& table : tables) {
    MeasuredTable some = table;
    some.rows = rows_to_repeat(table, rows);
    if (!some.rows.empty()) again.push_back(std::move(some));
  }
  if (again.empty()) return {};
  if (auto measured = measure_bench(plan, again, control); !measured) return measured;
  for (const MeasuredTable& table : again)
    for (const MeasuredRow& second : table.rows)
      for (ComparedRow& row : rows) {
        // Each device has rows of the same work; only those of this one were measured again.
        if (row.on->backend != table.backend || !seems_different(row) || row.now->what != second.what) continue;
        if (judge(second, *row.before) == row.verdict) continue;
        row.verdict = TimeVerdict::no_difference;
        row.confirmed = false;
      }
  return {};
}

}  // namespace kdscope
