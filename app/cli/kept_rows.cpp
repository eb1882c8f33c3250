#include "app/cli/kept_rows.hpp"

#include <cstdio>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope::cli {
namespace {

/// "commit 0123abc with local changes".
std::string commit_of(const KeptResult& result) {
  const std::size_t plus = result.commit.find('+');
  return commit_text({result.commit.substr(0, plus), plus != std::string::npos, {}, {}, {}});
}

/// "uniform, sort=radix, n=10000".
std::string place_of(const ExperimentSpec& spec, const ExperimentRow& row) {
  return (row.facet.empty() ? "" : row.facet + ", ") + row.series + ", " + spec.x_column + "=" + table_number(row.x);
}

/// "1.05 times 1.2 ms of commit 0123abc (2026-05-01): slower".
std::string comparison_text(const KeptResult& now, const Comparison& comparison) {
  const KeptResult& before = comparison.before;
  char ratio[32];
  std::snprintf(ratio, sizeof ratio, "%.3g", now.median / before.median);
  std::string text = std::string(ratio) + " times " + duration_text(before.median) + " of " + commit_of(before) + " (" +
                     before.date.substr(0, 10) + "): " + name_of(comparison.verdict);
  if (comparison.verdict == TimeVerdict::unknown) text += ", because a verdict needs three builds of each";
  if (now.tree_hash != before.tree_hash) text += "; the trees differ";
  return text;
}

}  // namespace

std::vector<Option> kept_rows_options() {
  return {
      {"--keep", "",
       "Add the rows of an experiment file to NAME.results.csv beside it, with date, commit and device; a run that "
       "is stopped adds those that it measured."},
      {"--compare", "",
       "Print each row of an experiment file beside the newest kept result of another commit on the same device, "
       "with the ratio of the medians and a verdict: slower, faster or no difference (at most 3 % or both standard "
       "deviations together, or kept runs of either commit that disagree). The CSV then goes only to the file of -o."}};
}

Result<KeptRows> KeptRows::open(const Arguments& arguments, const std::string& experiment_file) {
  KeptRows rows;
  rows.keep_ = arguments.has("--keep");
  rows.compare_ = arguments.has("--compare");
  if (!rows.keep_ && !rows.compare_) return rows;
  if (experiment_file.empty())
    return Error{ErrorKind::bad_usage,
                 std::string(rows.keep_ ? "--keep" : "--compare") + " needs an experiment file, not a built-in one", "",
                 "results are kept beside the file"};
  rows.file_ = results_file_of(experiment_file);
  auto before = read_results(rows.file_);
  if (!before) return before.error();
  rows.before_ = std::move(*before);
  return rows;
}

void KeptRows::add(const ExperimentSpec& spec, const ExperimentRow& row, std::ostream& out) {
  const KeptResult now = kept_result(row);
  if (row.measured && keep_) measured_.push_back(now);
  if (!compare_) return;
  out << place_of(spec, row) << ": ";
  const auto comparison = row.measured ? compare(before_, now) : std::nullopt;
  if (comparison) ++verdicts_[comparison->verdict];
  if (!row.measured)
    out << row.reason << "\n";
  else if (comparison)
    out << duration_text(now.median) << ", " << comparison_text(now, *comparison) << "\n";
  else
    out << duration_text(now.median) << "; no other commit has a kept result on this device\n";
  out << std::flush;
}

void KeptRows::print_verdicts(std::ostream& out) const {
  std::string text;
  for (const auto& [verdict, count] : verdicts_)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name_of(verdict);
  if (!text.empty()) out << text << "\n";
}

Result<void> KeptRows::keep(std::ostream& report) const {
  if (measured_.empty()) return {};
  auto added = append_results(file_, measured_);
  if (added) report << "Kept " << count_text(measured_.size(), "row", "rows") << " in " << printable(file_) << "\n";
  return added;
}

}  // namespace kdscope::cli
