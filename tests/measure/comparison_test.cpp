// Tests verdicts on measured rows, and which kept row each is compared with.

#include "app/measure/comparison.hpp"

#include "tests/measure/kept_runs.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::comparison_test {
using namespace kdscope::test;

namespace {

/// Compares the first row of a run with kept runs.
ComparedRow compared(const std::vector<MeasuredRun>& kept, const MeasuredRun& now) {
  return compare(now.tables.front().rows.front(), now.tables.front(), now.commit, kept);
}

}  // namespace

TEST_CASE("differences within the spread are no difference") {
  const auto verdict = [](double now, double now_sd, double before, double before_sd) {
    return judge(row_of(now, now_sd), row_of(before, before_sd));
  };
  CHECK(verdict(12, 0.5, 10, 0.5) == TimeVerdict::slower);
  CHECK(verdict(10, 0.5, 12, 0.5) == TimeVerdict::faster);
  CHECK(verdict(12, 1.5, 10, 0.6) == TimeVerdict::no_difference);
  CHECK(verdict(10.2, 0, 10, 0) == TimeVerdict::no_difference);
  CHECK(verdict(10.4, 0, 10, 0) == TimeVerdict::slower);
  MeasuredRow few = row_of(20, 0);
  few.samples.summary->count = 2;
  CHECK(judge(few, row_of(10, 0)) == TimeVerdict::unknown);
}

TEST_CASE("the verdict withstands one slow repetition, and needs three of each") {
  const MeasuredRow usual = row_of({1, 1.01, 1, 0.99, 1, 1.01, 0.99});
  CHECK(judge(row_of({1, 1.01, 1, 0.99, 1, 1.01, 50}), usual) == TimeVerdict::no_difference);
  CHECK(judge(row_of({1.02, 1.02, 1.02}), usual) == TimeVerdict::no_difference);
  CHECK(judge(row_of({1.1, 1.11, 1.1, 1.09, 1.1}), usual) == TimeVerdict::slower);
  CHECK(judge(row_of({0.9, 0.91, 0.9, 0.89, 0.9, 30}), usual) == TimeVerdict::faster);
  CHECK(judge(row_of({1.1, 1.3, 1, 0.9, 1.4}), usual) == TimeVerdict::no_difference);  // its own noise
  CHECK(judge(row_of({9, 9}), usual) == TimeVerdict::unknown);
  CHECK(judge(row_of({1.2, 1.2, 1.2}), row_of(1, 0.1)) == TimeVerdict::slower);  // beside a summary
  CHECK(judge(row_of({1.2, 1.2, 1.2}), row_of(1, 0.3)) == TimeVerdict::no_difference);
}

TEST_CASE("a row over the time limit is slower, and one left out for another reason has no verdict") {
  const MeasuredRow usual = row_of({1, 1, 1});
  MeasuredRow late = row_of({});
  late.reason = "it takes too long";
  late.over_time = true;
  CHECK(judge(late, usual) == TimeVerdict::slower);
  CHECK(judge(usual, late) == TimeVerdict::faster);
  CHECK(judge(late, late) == TimeVerdict::unknown);
  late.over_time = false;
  CHECK(judge(late, usual) == TimeVerdict::unknown);
  CHECK(judge(usual, late) == TimeVerdict::unknown);
}

TEST_CASE("a row is compared with the newest of another commit, for the same work on the same device") {
  const MeasuredRun now = run_of("b", day_2, row_of(12, 0.1));
  const auto other = [&](auto change) {
    MeasuredRun run = run_of("a", day_1, row_of(10, 0.1));
    change(run.tables.front(), run.tables.front().rows.front().what);
    return std::vector{run};
  };
  CHECK(compared({}, now).before == nullptr);
  CHECK(compared(other([](auto&, auto&) {}), now).before != nullptr);
  CHECK(compared(other([](auto& on, auto&) { on.device = "4 threads"; }), now).before == nullptr);
  CHECK(compared(other([](auto& on, auto&) { on.backend = Backend::cuda; }), now).before == nullptr);
  CHECK(compared(other([](auto&, auto& what) { what.subject = "hu"; }), now).before == nullptr);
  CHECK(compared(other([](auto&, auto& what) { what.data = "uniform:n=11,dim=2"; }), now).before == nullptr);
  CHECK(compared(other([](auto&, auto& what) { what.given.clear(); }), now).before == nullptr);
  CHECK(compared(other([](auto&, auto& what) { what.processors = 1; }), now).before == nullptr);
  CHECK(compared(other([](auto&, auto& what) { what.k = 1; }), now).before == nullptr);
  const MeasuredRun old = run_of("a", day_1, row_of(10, 0.1)), newer = run_of("c", day_2, row_of(5, 0.1));
  for (const auto& kept : {std::vector{old, newer}, std::vector{newer, old}}) {
    const ComparedRow found = compared(kept, now);
    CHECK(found.run_before->commit == "c");
    CHECK(found.before->samples.median() == 5);
    CHECK(found.verdict == TimeVerdict::slower);
    CHECK(found.same_result);
  }
  // Without another commit, the newest of its own
  const std::vector own{run_of("b", day_2, row_of(11, 0.1)), run_of("b", day_1, row_of(11.1, 0.1))};
  CHECK(compared(own, now).run_before == &own[0]);
  CHECK(compared({own[0], own[1], old}, now).run_before->commit == "a");
  MeasuredRun another_tree = old;
  another_tree.tables.front().rows.front().facts.hash = 2;
  CHECK_FALSE(compared({another_tree}, now).same_result);
}

TEST_CASE("runs of one commit that disagree give no verdict") {
  const MeasuredRun now = run_of("b", day_2, row_of(12, 0.1)), old = run_of("a", day_1, row_of(10, 0.1));
  const auto with = [&](const std::string& commit, double median) {
    return run_of(commit, day_1, row_of(median, 0.1));
  };
  CHECK(compared({old}, now).verdict == TimeVerdict::slower);
  CHECK(compared({old, with("a", 11.9)}, now).verdict == TimeVerdict::no_difference);
  CHECK(compared({old, with("b", 10.1)}, now).verdict == TimeVerdict::no_difference);
  CHECK(compared({old, with("a", 10.2), with("b", 11.5)}, now).verdict == TimeVerdict::slower);
  CHECK(compared({with("b", 12.1), with("b", 10)}, now).verdict == TimeVerdict::no_difference);
}

TEST_CASE("runs compare as a whole only with the same rows on the same devices") {
  const MeasuredRun now = run_of("b", day_2, row_of(12, 0.1));
  MeasuredRun stopped = run_of("a", day_2, row_of(10, 0.1)), whole = run_of("a", day_1, row_of(10, 0.1));
  CHECK(*comparable_run(now.tables, {whole}, "f.json") != nullptr);
  MeasuredRow more = row_of(1, 0);
  more.what.subject = "hu";
  whole.tables.front().rows.push_back(more);
  CHECK(comparable_run(now.tables, {whole}, "f.json").error().what ==
        "its row 'hu, sort=radix on uniform:n=10,dim=2' is not measured now");
  CHECK(comparable_run(whole.tables, {now}, "f.json").error().what ==
        "it lacks the row 'hu, sort=radix on uniform:n=10,dim=2'");
  // A run that was stopped does not hide the whole one before it.
  const std::vector kept{whole, stopped};
  CHECK(*comparable_run(whole.tables, kept, "f.json") == &kept[0]);
  CHECK(*comparable_run(stopped.tables, kept, "f.json") == &kept[1]);
  stopped.tables.front().device = "4 threads";
  CHECK(comparable_run(now.tables, {stopped}, "f.json").error().what ==
        "its device is cpu (4 threads), and this one is cpu (2 threads)");
}

}  // namespace kdscope::comparison_test
