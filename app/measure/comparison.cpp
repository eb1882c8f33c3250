#include "app/measure/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/text/quotes.hpp"
#include "app/measure/kept_file.hpp"

namespace kdscope {
namespace {

const MeasuredTable* table_like(const MeasuredTable& wanted, const std::vector<MeasuredTable>& tables) {
  for (const MeasuredTable& table : tables) {
    const bool same_processors =
        table.processors == wanted.processors || table.processors == 0 || wanted.processors == 0;
    if (table.backend == wanted.backend && table.device == wanted.device && same_processors) return &table;
  }
  return nullptr;
}

const MeasuredRow* row_like(const MeasuredRow& wanted, const MeasuredTable& table) {
  const auto row = std::ranges::find(table.rows, wanted.what, &MeasuredRow::what);
  return row == table.rows.end() ? nullptr : &*row;
}

std::string devices_of(const std::vector<MeasuredTable>& tables) {
  std::string text;
  for (const MeasuredTable& table : tables) {
    text += (text.empty() ? "" : " and ") + std::string(name_of(table.backend)) + " (" + table.device;
    if (table.backend == Backend::cuda) text += ", " + std::to_string(table.processors) + " multiprocessors";
    text += ")";
  }
  return text;
}

Error refusal(std::string what, std::string remedy, const std::string& path) {
  return {ErrorKind::bad_input, std::move(what), path, std::move(remedy)};
}

Result<void> check_comparable(const std::vector<MeasuredTable>& now, const MeasuredRun& before,
                              const std::string& path) {
  const auto in_before = [&](const MeasuredTable& table) { return table_like(table, before.tables) != nullptr; };
  if (now.size() != before.tables.size() || !std::ranges::all_of(now, in_before))
    return refusal("its device is " + devices_of(before.tables) + ", and this one is " + devices_of(now),
                   "times of different devices do not compare; measure both on one device", path);
  for (const MeasuredTable& table : now) {
    const MeasuredTable& earlier = *table_like(table, before.tables);
    for (const MeasuredRow& row : table.rows)
      if (!row_like(row, earlier))
        return refusal("it lacks the row " + kdscope::quoted(row.what.title()),
                       "name the same rows, or leave out all options of rows to repeat those of the file", path);
    for (const MeasuredRow& row : earlier.rows)
      if (!row_like(row, table))
        return refusal("its row " + kdscope::quoted(row.what.title()) + " is not measured now",
                       "name the same rows, or leave out all options of rows to repeat those of the file", path);
  }
  return {};
}

/// A kept row of the same work on the same device.
struct KeptRow {
  const MeasuredRun* run;
  const MeasuredTable* table;
  const MeasuredRow* row;
};

}  // namespace

const char* name_of(TimeVerdict verdict) {
  constexpr const char* names[] = {"no difference", "faster", "slower", "unknown"};
  return names[static_cast<int>(verdict)];
}

TimeVerdict judge(const MeasuredRow& now, const MeasuredRow& before) {
  constexpr std::size_t fewest = 3;
  constexpr double least_share = 0.03;
  if (before.measured() && now.over_time) return TimeVerdict::slower;
  if (now.measured() && before.over_time) return TimeVerdict::faster;
  if (now.samples.count() < fewest || before.samples.count() < fewest) return TimeVerdict::unknown;
  const double then = before.samples.median(), difference = now.samples.median() - then;
  if (std::abs(difference) <= std::max(least_share * then, now.samples.noise() + before.samples.noise()))
    return TimeVerdict::no_difference;
  return difference > 0 ? TimeVerdict::slower : TimeVerdict::faster;
}

ComparedRow compare(const MeasuredRow& now, const MeasuredTable& on, const std::string& commit,
                    const std::vector<MeasuredRun>& kept) {
  std::vector<KeptRow> alike;
  for (const MeasuredRun& run : kept)
    for (const MeasuredTable& table : run.tables)
      if (table.backend == on.backend && table.device == on.device)
        if (const MeasuredRow* row = row_like(now, table)) alike.push_back({&run, &table, row});
  if (alike.empty()) return {&now, &on, nullptr, nullptr, nullptr};

  const auto newer = [&](const KeptRow& a, const KeptRow& b) {
    return std::pair(a.run->commit != commit, a.run->date) < std::pair(b.run->commit != commit, b.run->date);
  };
  // In reverse: of equal dates, the last one was kept later.
  const KeptRow before = *std::max_element(alike.rbegin(), alike.rend(), newer);
  const bool both = now.measured() && before.row->measured();
  ComparedRow compared{&now,
                       &on,
                       before.row,
                       before.table,
                       before.run,
                       judge(now, *before.row),
                       !both || now.facts.hash == before.row->facts.hash};
  if (compared.verdict == TimeVerdict::unknown) return compared;
  std::vector<const MeasuredRow*> present{&now}, earlier;
  for (const KeptRow& each : alike) {
    if (each.run->commit == before.run->commit)
      earlier.push_back(each.row);
    else if (each.run->commit == commit)
      present.push_back(each.row);
  }
  for (const MeasuredRow* one : present)
    for (const MeasuredRow* other : earlier)
      if (const TimeVerdict each = judge(*one, *other); each != compared.verdict && each != TimeVerdict::unknown)
        compared.verdict = TimeVerdict::no_difference;
  return compared;
}

Result<const MeasuredRun*> comparable_run(const std::vector<MeasuredTable>& now, const std::vector<MeasuredRun>& kept,
                                          const std::string& path) {
  const MeasuredRun* found = nullptr;
  for (const MeasuredRun& run : kept)
    if ((!found || run.date >= found->date) && check_comparable(now, run, path)) found = &run;
  if (found) return found;
  const auto refused = check_comparable(now, newest(kept), path);
  return refused.error();
}

}  // namespace kdscope
