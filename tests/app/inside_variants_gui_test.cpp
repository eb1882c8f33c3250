// From a variant's wrong element to the access that wrote it by one key, beside the original's accesses: for the twelve
// bugs that an engineer planted inside launches.

#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QTableWidget>
#include <QToolButton>
#include <cstdio>
#include <fstream>

#include "algorithms/queries/recorded_search.hpp"
#include "app/debug/variant_editor.hpp"
#include "app/debug/variants_pane.hpp"
#include "app/inside/inside_pane.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/campaign.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/variants/planted_fault.hpp"

using namespace kdscope;

namespace {

/// What a person sees after Build and compare (Ctrl+R) and "Who wrote this element?" (Ctrl+F8).
struct SeenInside {
  std::string outcome;            ///< of the trial
  std::string findings;           ///< a line each
  std::string element;            ///< whose accesses are listed, and which of them differs first
  std::string original, variant;  ///< that access
  std::string access;             ///< at which the window stands
  int keys = 0;
};

class BugWindow : public OpenWorkbench {
 public:
  explicit BugWindow(const std::string& file) : pane_(*window.findChild<VariantsPane*>()) {
    const test::PlantedFault fault = test::read_fault(KDSCOPE_SOURCE_DIR "/tests/variants/planted/" + file + ".txt");
    const std::string name = std::filesystem::path(file).filename().string() + ".cu", path = folder_.file(name),
                      text = test::variant_of(fault, name);
    std::ofstream(path) << text;
    wanted_ = test::with_lines(fault.found, text, name);
    RunRequest run{fault.data, fault.algorithm, fault.parameters, Backend::cpu};
    if (!fault.points.empty()) {
      run.data = folder_.file("points.csv");
      std::ofstream(run.data) << fault.points << "\n";
    }
    open_another([&] { workbench.desk().run(run); });
    show_dock("variants");
    pane_.open(QString::fromStdString(path));
    settle();
  }
  const std::string& wanted() const { return wanted_; }

  SeenInside look() {
    SeenInside seen;
    key(Qt::Key_R, Qt::ControlModifier, seen);
    seen.outcome = find<QLabel>("variant_outcome").text().toStdString();
    key(Qt::Key_F8, Qt::ControlModifier, seen);
    const auto& faults = find<QListWidget>("inside_faults");
    for (int i = 0; i < faults.count(); ++i) seen.findings += faults.item(i)->text().toStdString() + "\n";
    seen.element = find<QLabel>("inside_element").text().toStdString();
    seen.access = find<QLabel>("inside_access").text().toStdString();
    const auto& table = find<QTableWidget>("inside_element_accesses");
    const int row = table.currentRow();
    if (row >= 0 && table.columnCount() == 2) {
      seen.original = table.item(row, 0)->text().toStdString();
      seen.variant = table.item(row, 1)->text().toStdString();
    }
    return seen;
  }

 private:
  /// Presses a key, and waits for what it starts: the look, then that of the original.
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers, SeenInside& seen) {
    press(key, modifiers);
    ++seen.keys;
    REQUIRE(QTest::qWaitFor([&] { return workbench.jobs().busy(); }, patience_ms));  // a button's key takes a moment
    for (int job = 0; job < 3; ++job) {
      REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy(); }, 20 * patience_ms));
      settle();
    }
  }

  VariantsPane& pane_;
  test::TemporaryFolder folder_;
  std::string wanted_;
};

/// wanted: what must be seen; empty: what the file names.
void check(const std::string& file, std::string wanted = {}) {
  if (!test::is_tried(file)) return;
  BugWindow open(file);
  const SeenInside seen = open.look();
  if (wanted.empty()) wanted = open.wanted();
  std::printf("%s: %d keys\n  outcome: %s\n  element: %s\n  original: %s\n  variant: %s\n  at: %s\n  findings: %s\n",
              file.c_str(), seen.keys, seen.outcome.c_str(), seen.element.c_str(), seen.original.c_str(),
              seen.variant.c_str(), seen.access.c_str(), seen.findings.c_str());
  std::fflush(stdout);
  INFO(wanted);
  REQUIRE(open.workbench.inside().is_open());
  // The sentence of a finding, or the variant's line of the first access that differs
  const auto has = [&](const std::string& text) { return text.find(wanted) != std::string::npos; };
  CHECK((has(seen.findings) || has(seen.variant) || has(seen.access)));
}

}  // namespace

TEST_CASE("inside a variant: one key leads from a wrong element to the access that wrote it, beside the original's",
          "[slow]") {
  check("effects/one-buffer-for-both-sides");
}

TEST_CASE("inside a search: its launch opens at each of its steps, and a search of one's own is tried in its place",
          "[slow]") {
  OpenWorkbench open;
  test::TemporaryFolder folder;
  Workbench& workbench = open.workbench;
  const auto wait = [&] {
    REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy(); }, 20 * patience_ms));
    open.settle();
  };
  RunRequest run{"wald-10", "wald", {}, Backend::cpu};
  run.search = texts_of({.search = "stack-free", .k = 10, .query = {50, 40}});
  workbench.desk().run(run);
  wait();
  open.show_answers();
  workbench.playback().seek(2);
  open.press(Qt::Key_I, Qt::ShiftModifier);
  wait();
  const Inside& inside = workbench.inside();
  INFO(inside.message().toStdString());
  REQUIRE(inside.is_open());
  CHECK(inside.look().recording().launches.front().name == "find nearest");
  CHECK(inside.place_text() == "find nearest");
  CHECK(inside.look().look.faults.empty());
  // The other steps are those of the same launch
  workbench.playback().seek(3);
  CHECK_FALSE(inside.is_open());
  open.press(Qt::Key_I, Qt::ShiftModifier);
  CHECK_FALSE(workbench.jobs().busy());
  CHECK(inside.is_open());

  auto& pane = *open.window.findChild<VariantsPane*>();
  open.show_dock("variants");
  auto& stages = *open.find<QToolButton>("new_variant").menu();
  emit stages.aboutToShow();
  CHECK(stages.findChild<QAction*>(QStringLiteral("closest-corner")));
  const std::string path = folder.file("my.cu");
  pane.write_new_search("stack-free", QString::fromStdString(path));
  const auto outcome = [&] { return open.find<QLabel>("variant_outcome").text().toStdString(); };
  pane.build();
  wait();
  CHECK(outcome() == "The search gives the answer of the original.");

  // Goes to the far side where it should not: then not all ten points are found
  test::put(path, test::replaced(test::content_of(path), "sides.distance <= found.reach()",
                                 "sides.distance > found.reach()"));
  REQUIRE(QTest::qWaitFor([&] { return open.find<VariantEditor>("variant_text").toPlainText().contains("> found"); },
                          patience_ms));
  pane.build();
  wait();
  INFO(outcome());
  CHECK(outcome().find("neighbours[") != std::string::npos);
  CHECK(inside.is_open());
  // Of a run that searches for nothing, the file is refused in one sentence
  run.search.clear();
  workbench.desk().run(run);
  wait();
  pane.build();
  wait();
  CHECK(outcome().find("search the tree in the pane Search first") != std::string::npos);
}

// A campaign: its programs take minutes to compile. KDSCOPE_CAMPAIGN_ONLY names one of the files.
TEST_CASE("inside a variant: twelve planted bugs are seen by two keys", "[.planted]") {
  const auto [file, wanted] = GENERATE(
      table<const char*, const char*>({{"barriers/records-moved-without-a-barrier", ""},
                                       {"effects/wrong-dimension-deep-down", ""},
                                       {"barriers/planes-loaded-by-one-lane", ""},
                                       {"unwritten/half-of-the-histogram-cleared",
                                        "writes h[4] <- 0 (block 0, interval 0, lane 4); in the variant, nobody does"},
                                       {"bounds/relocate-behind-the-lefts", ""},
                                       {"unwritten/run-past-the-tile", ""},
                                       {"effects/one-buffer-for-both-sides", ""},
                                       {"effects/upper-lanes-left-out", ""},
                                       {"order/ranks-by-an-atomic", ""},
                                       {"effects/packed-counters-overflow", ""},
                                       {"effects/comparison-by-subtraction", ""},
                                       {"effects/one-reference-too-many", ""}}));
  check(file, wanted);
}
