#include "app/cli/kept_runs.hpp"

#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/trace.hpp"
#include "app/cli/aligned_table.hpp"
#include "app/cli/run_options.hpp"
#include "app/measure/kept_file.hpp"

namespace kdscope::cli {
namespace {

/// "1.2 ms, 1.05 times 1.1 ms of commit 0123abc (2026-05-01)".
std::string compared_times_text(const ComparedRow& row) {
  const MeasuredRow& now = *row.now;
  const std::string time = now.measured() ? duration_text(now.samples.median()) : printable(now.reason);
  if (!row.before) return time + "; no result of this work on this device is kept";
  const MeasuredRow& before = *row.before;
  const std::string then = before.measured() ? duration_text(before.samples.median()) : "";
  const std::string program = " of " + program_of(*row.run_before);
  if (now.measured() && before.measured())
    return time + ", " + formatted("%.3g", now.samples.median() / before.samples.median()) + " times " + then +
           program + (row.verdict == TimeVerdict::unknown ? ", and a verdict needs three repetitions of each" : "");
  if (now.measured()) return time + ", left out before: " + printable(before.reason);
  return time + (then.empty() ? "" : ", before " + then + program);
}

}  // namespace

std::vector<Option> kept_options(const std::string& more) {
  return {{"--keep", "FILE.json",
           "Add the rows to this file, with every single time, date, commit and device; a run that is stopped adds "
           "those that it measured.",
           false, false, "Results"},
          {"--compare", "FILE.json",
           "Compare each row with the newest kept one of another commit, or of this one if no other has one. It is "
           "slower or faster if the medians are apart by more than 3 % and by more than "
           "the noise of both together, which is that of normal times whose quartiles are as far from the median as "
           "the farther one, and if all kept runs of both commits agree. Exit code 6 if something got slower, 4 if a "
           "result is another. Files of earlier versions open, too." +
               more}};
}

Result<KeptRuns> KeptRuns::open(const Arguments& arguments) {
  KeptRuns kept;
  kept.file_ = arguments.text("--keep");
  kept.compare_ = arguments.has("--compare");
  if (!kept.file_.empty()) {
    ensure(check_folder_of(kept.file_));
    ensure(runs_to_add_to(kept.file_));
  }
  if (!kept.compare_) return kept;
  const std::string file = arguments.text("--compare");
  kept.before_ = value_of(file == kept.file_ ? runs_to_add_to(file) : read_runs(file));
  return kept;
}

Result<void> KeptRuns::keep(const std::vector<MeasuredRun>& runs, std::ostream& report) const {
  std::size_t rows = 0;
  for (const MeasuredRun& run : runs)
    for (const MeasuredTable& table : run.tables) rows += table.rows.size();
  if (file_.empty() || rows == 0) return {};
  auto added = add_runs(file_, runs);
  if (added) report << "Kept " << count_text(rows, "row", "rows") << " in " << printable(file_) << "\n";
  return added;
}

std::string program_of(const MeasuredRun& run) {
  const std::size_t plus = run.commit.find('+');
  return commit_text({run.commit.substr(0, plus), plus != std::string::npos, {}, {}, {}}) + " (" +
         printable(run.date.substr(0, 10)) + ")";
}

void ComparisonReport::add(const ComparedRow& row, bool brief) {
  const std::string title = printable(row.now->what.title());
  if (row.before) ++verdicts_[row.verdict];
  if (!row.same_result) {
    other_result_ = true;
    out_ << "other result: " << title
         << (row.now->what.kind == WorkKind::build ? " gives another tree" : " finds others")
         << " than before, so the times are not those of the same work\n";
  }
  if (brief && row.confirmed && row.verdict == TimeVerdict::no_difference) return;
  if (!row.confirmed)
    out_ << "not confirmed by a second measurement: ";
  else if (row.before)
    out_ << name_of(row.verdict) << ": ";
  out_ << title << ": " << compared_times_text(row) << "\n" << std::flush;
}

ExitCode ComparisonReport::finish() {
  std::string text;
  for (const auto& [verdict, count] : verdicts_)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name_of(verdict);
  if (!text.empty()) out_ << text << "\n";
  if (other_result_) return exit_failed_check;
  return verdicts_[TimeVerdict::slower] > 0 ? exit_slower : exit_ok;
}

}  // namespace kdscope::cli
