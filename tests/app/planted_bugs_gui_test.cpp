// Times the path from one changed line to the picture of the first wrong element, for four bugs that occur in practice.
// A campaign: it compiles with nothing precompiled at first, and prints what it measured. With KDSCOPE_PICTURES=FOLDER,
// it saves what a user sees, in order.

#include <QCheckBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLabel>
#include <cstdio>

#include "app/debug/variants_pane.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;

namespace {

struct PlantedBug {
  const char *name, *algorithm, *stage;
  std::vector<std::pair<std::string, std::string>> changes;
  const char* data;
  Parameters parameters;
  const char* step;  ///< the first wrong one
};

/// Copies the text of brown's `part`, which is no stage, into the variant, with the bug.
const std::string own_part = R"(template <class Warp>
KDSCOPE_HD void my_part(Warp& warp, const PartitionTask& parting, PointId median, const PositionRange& range,
                        CoalescingBuffer& less, CoalescingBuffer& greater) {
  auto side = warp.template per_lane<int>();
  for (std::uint32_t begin = range.begin; begin < range.end; begin += 32) {
    warp.lanes([&](int lane) {
      side[lane] = begin + lane < range.end ? parting.side(parting.from[begin + lane], median) : 0;
    });
    const auto point = [&](int lane) { return parting.from[begin + lane]; };
    less.take(warp, warp.ballot([&](int lane) { return side[lane] < 0 && lane < 31; }), point);
    greater.take(warp, warp.ballot([&](int lane) { return side[lane] > 0; }), point);
  }
  less.flush(warp);
  greater.flush(warp);
}
// [region brown/warps_per_array])";

std::vector<PlantedBug> planted_bugs() {
  return {
      {"W1: the pivot is one too low where the left subtree's last level is partly filled",
       "wald",
       "update_tags",
       {{"pivot_position(s, n);",
         "pivot_position(s, n) - ((subtree_size(left_child(s), n) & (subtree_size(left_child(s), n) + 1)) != 0);"}},
       "uniform:n=1000,dim=2,seed=1",
       {},
       "update tags"},
      {"W2: the distribution walks forwards",
       "wehr",
       "distribution",
       {{"const std::uint32_t at = i - 1 - (j < there ? j : 0);",
         "const std::uint32_t at = begin + (end - i) + (j < there ? j : 0);"}},
       "uniform:n=1000,dim=2,seed=1",
       {},
       "distribution"},
      {"W3: lane 31 is missing in the ballot for `less`",
       "brown",
       "warps_per_array",
       {{"// [region brown/warps_per_array]", own_part}, {"if (begin < end) part(", "if (begin < end) my_part("}},
       "uniform:n=36,dim=2,seed=1",
       {{"warps", "4"}},
       "partition"},
      {"W3 at 2,000 points",
       "brown",
       "warps_per_array",
       {{"// [region brown/warps_per_array]", own_part}, {"if (begin < end) part(", "if (begin < end) my_part("}},
       "uniform:n=2000,dim=2,seed=1",
       {},
       "partition"},
      {"W4: > for >= at the plane",
       "hu",
       "side_of_point",
       {{" >= ordered_key", " > ordered_key"}},
       "grid:n=1000,dim=2,side=30",
       {},
       "mark"},
  };
}

void change(const QString& path, const PlantedBug& bug) {
  std::string text = test::content_of(path.toStdString());
  for (const auto& [before, after] : bug.changes) text = test::replaced(text, before, after);
  test::put(path.toStdString(), text);
}

}  // namespace

TEST_CASE("four bugs planted through variants: time and clicks to the first wrong element", "[.planted]") {
  const QString pictures = qEnvironmentVariable("KDSCOPE_PICTURES");
  int number = 0;
  for (const PlantedBug& bug : planted_bugs()) {
    INFO(bug.name);
    OpenWorkbench open({1920, 1080});
    test::TemporaryFolder folder;
    ++number;
    int taken = 0;
    const auto picture = [&] {
      if (pictures.isEmpty()) return;
      open.settle();
      QTest::qWait(400);
      open.window.grab().save(pictures + QStringLiteral("/%1-%2.png").arg(number).arg(++taken));
    };
    Workbench& workbench = open.workbench;
    workbench.desk().run({bug.data, bug.algorithm, bug.parameters, Backend::cpu});
    REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy() && workbench.desk().request().data == bug.data; },
                            patience_ms));
    open.window.dock(QStringLiteral("variants"))->show();
    open.window.dock(QStringLiteral("variants"))->raise();
    auto& pane = *open.window.findChild<VariantsPane*>();
    const QString path = QString::fromStdString(folder.file("my.cu"));
    pane.write_new(bug.stage, path);  // New, the stage, Enter in the dialog
    picture();
    auto& outcome = open.find<QLabel>("variant_outcome");
    const auto built = [&] { return !workbench.jobs().busy() && pane.trial() != nullptr; };
    open.find<QCheckBox>("watch_variant").click();
    REQUIRE(QTest::qWaitFor(built, patience_ms));
    std::printf("%s\n  the unchanged copy: %s (%.1f s to compile)\n", bug.name, qPrintable(outcome.text()),
                pane.trial()->compile_seconds);
    picture();

    change(path, bug);
    QElapsedTimer clock;
    clock.start();
    REQUIRE(QTest::qWaitFor([&] { return workbench.jobs().busy(); }, patience_ms));
    REQUIRE(QTest::qWaitFor(built, patience_ms));
    open.settle();
    const double seconds = static_cast<double>(clock.elapsed()) / 1000;
    picture();
    std::printf("  saved to picture: %.1f s (%.1f s to compile), no click: %s\n", seconds,
                pane.trial()->compile_seconds, qPrintable(outcome.text()));
    const Cursor& cursor = *workbench.playback().cursor();
    std::printf("  the window is at step %u of %u, %s; %s\n", cursor.step(), cursor.step_count() - 1,
                path_text(cursor.current()).c_str(), qPrintable(open.find<QLabel>("changes").text()));
    std::fflush(stdout);
    CHECK(path_text(cursor.current()).find(bug.step) != std::string::npos);
    CHECK_FALSE(pane.trial()->equal());
  }
}
