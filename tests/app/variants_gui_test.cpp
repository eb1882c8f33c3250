// The pane Variants: a stage is copied, changed, built and compared; the window opens at the first wrong element.

#include <QCheckBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QToolButton>
#include <fstream>

#include "app/debug/variant_editor.hpp"
#include "app/debug/variants_pane.hpp"
#include "app/panes/arrays_pane.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;

namespace {

struct VariantWindow : OpenWorkbench {
  test::TemporaryFolder folder;
  VariantsPane& pane;

  VariantWindow() : pane(*window.findChild<VariantsPane*>()) { show_dock("variants"); }
  QString file() const { return QString::fromStdString(folder.file("my.cu")); }
  QString outcome() { return find<QLabel>("variant_outcome").text(); }
  VariantEditor& editor() { return find<VariantEditor>("variant_text"); }

  /// Replaces text in the editor, as a person would.
  void edit(const QString& before, const QString& after) {
    QTextCursor found = editor().document()->find(before);
    REQUIRE_FALSE(found.isNull());
    found.insertText(after);
  }
  /// Replaces text in the file, as another editor would.
  void edit_outside(const std::string& before, const std::string& after) {
    test::put(file().toStdString() + ".new", test::replaced(test::content_of(file().toStdString()), before, after));
    std::filesystem::rename(file().toStdString() + ".new", file().toStdString());
  }
  void wait_for(const QString& words) {
    const bool came =
        QTest::qWaitFor([&] { return !workbench.jobs().busy() && outcome().contains(words); }, patience_ms);
    INFO(outcome().toStdString());
    REQUIRE(came);
    settle();
  }
};

}  // namespace

TEST_CASE("a new variant is a file with the stage as it is; text that another program changed is not lost") {
  VariantWindow open;
  auto& stages = *open.find<QToolButton>("new_variant").menu();
  emit stages.aboutToShow();
  REQUIRE_FALSE(stages.actions().empty());
  const auto* update_tags = stages.findChild<QAction*>(QStringLiteral("update_tags"));
  REQUIRE(update_tags);
  CHECK(update_tags->text().section(QLatin1Char('\t'), 1).size() > 20);  // says what it does
  CHECK_FALSE(open.find<QPushButton>("build_variant").isEnabled());
  open.pane.write_new("update_tags", open.file());
  CHECK(open.pane.path() == open.file());
  CHECK(open.editor().toPlainText().contains("struct"));
  CHECK(open.find<QPushButton>("build_variant").isEnabled());

  // Another program saves: the pane shows it.
  open.edit_outside("i < pivot", "i <= pivot");
  REQUIRE(QTest::qWaitFor([&] { return open.editor().toPlainText().contains("i <= pivot"); }, patience_ms));
  CHECK_FALSE(open.editor().document()->isModified());

  // Both change: the pane keeps its text and reports the conflict.
  open.edit("i <= pivot", "i == pivot");
  open.edit_outside("i <= pivot", "i >= pivot");
  open.wait_for("Another program changed the file");
  CHECK(open.editor().toPlainText().contains("i == pivot"));
  open.pane.open(open.file());
  CHECK(open.editor().toPlainText().contains("i >= pivot"));
  open.editor().undo();
  CHECK(open.editor().toPlainText().contains("i == pivot"));
}

TEST_CASE("a new variant may be the whole builder") {
  VariantWindow open;
  auto& stages = *open.find<QToolButton>("new_variant").menu();
  emit stages.aboutToShow();
  CHECK(stages.findChild<QAction*>(QStringLiteral("whole_builder")));
  open.pane.write_new("", open.file());
  CHECK(open.editor().toPlainText().contains("struct Construction"));
  CHECK(open.editor().toPlainText().contains("KDSCOPE_VARIANT_OF(wald)"));
}

TEST_CASE("a variant runs on edited points once the run on display has them", "[slow]") {
  VariantWindow open;
  open.pane.write_new("update_tags", open.file());
  auto points = std::make_shared<DataSet>(*open.workbench.edits().points());
  std::swap(points->points.words[0], points->points.words[2]);
  open.workbench.edits().edit(points, "Swap two coordinates");
  open.settle();
  open.click(open.find<QPushButton>("build_variant"));
  CHECK(open.outcome().contains("Run the algorithm on them first"));
  open.workbench.desk().run_again();
  REQUIRE(
      QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && !open.workbench.edits().stale(); }, patience_ms));
  open.settle();
  open.click(open.find<QPushButton>("build_variant"));
  open.wait_for("equal to the original");
  CHECK(open.workbench.desk().request().points);
  CHECK(open.workbench.edits().points()->points.words == points->points.words);
}

TEST_CASE("a file that is no variant gets one sentence, and the open run stays") {
  VariantWindow open;
  const auto before = open.workbench.playback().trace();
  for (const auto& [text, words] : {std::pair{"int main() {}\n", "my.cu"}, {"", "my.cu"}}) {
    std::ofstream(open.file().toStdString()) << text;
    open.pane.open(open.file());
    open.click(open.find<QPushButton>("build_variant"));
    REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && !open.outcome().contains("Building"); },
                            patience_ms));
    CHECK(open.outcome().contains(words));
    CHECK(open.outcome().count(QChar('\n')) == 0);
    CHECK(open.workbench.playback().trace() == before);
    CHECK(open.pane.trial() == nullptr);
  }
}

TEST_CASE("from a changed line to the first wrong element, and back to the original", "[slow]") {
  VariantWindow open;
  open.pane.write_new("update_tags", open.file());

  // A wrong comparison
  open.edit("i < pivot", "i <= pivot");
  open.click(open.find<QPushButton>("build_variant"));
  open.wait_for("tags[6] is 1 instead of 0");
  CHECK(open.workbench.playback().cursor()->current().name == "update tags");
  CHECK(open.find<QLabel>("changes").text().startsWith("difference 1 of "));
  CHECK(open.window.arrays().view().framed().second == 6);
  CHECK(QString::fromStdString(open.workbench.playback().trace()->header.title).startsWith("Variant my.cu of "));
  const std::uint32_t wrong_step = open.step();

  // A text that does not compile: the message leads to its line, and the window stays.
  open.edit("tags[i]", "tugs[i]");
  open.click(open.find<QPushButton>("build_variant"));
  open.wait_for("tugs");
  auto& messages = open.find<QListWidget>("compiler_messages");
  REQUIRE(messages.count() > 0);
  open.editor().go_to(1, 1);
  QTest::mouseClick(messages.viewport(), Qt::LeftButton, {}, messages.visualItemRect(messages.item(0)).center());
  CHECK(open.editor().textCursor().block().text().contains("tugs"));
  CHECK(open.step() == wrong_step);

  // Watch: another editor corrects both.
  open.find<QCheckBox>("watch_variant").click();
  open.wait_for("tugs");
  open.edit_outside("tugs[i]", "tags[i]");
  open.wait_for("tags[6] is 1 instead of 0");
  open.workbench.playback().seek(5);
  open.edit_outside("i <= pivot", "i < pivot");
  open.wait_for("equal to the original");
  CHECK(open.step() == 5);  // keeps its place
  CHECK(open.workbench.violations().all().empty());

  // An access out of bounds: the line, the array and its size; the run up to the step before.
  open.edit("(i > pivot) tags[i]", "(i > pivot) tags[i + 1]");
  open.click(open.find<QPushButton>("build_variant"));
  open.wait_for("writes tags[10], but 'tags' has 10 elements");
  CHECK(open.editor().textCursor().block().text().contains("tags[i + 1]"));
  CHECK(open.step() + 1 == open.workbench.playback().step_count());
  CHECK_FALSE(open.workbench.violations().all().empty());
}

TEST_CASE("an exercise of the gallery opens with its question, and is solved by the fix", "[slow]") {
  VariantWindow open;
  auto& exercises = *open.find<QToolButton>("gallery").menu();
  emit exercises.aboutToShow();
  CHECK(exercises.findChild<QAction*>(QStringLiteral("less-or-equal")));
  const Gallery gallery = read_gallery(gallery_folder());
  const auto entry = std::ranges::find(gallery.entries, "less-or-equal", &GalleryEntry::id);
  REQUIRE(entry != gallery.entries.end());
  open.pane.start_exercise(*entry, open.file());
  open.wait_for("tags[6] is 1 instead of 0");
  CHECK(open.find<QLabel>("exercise").text().contains("which comparison let it go"));
  CHECK_FALSE(open.find<QLabel>("exercise").text().contains("includes the pivot itself"));
  CHECK(open.find<QPushButton>("solution").isVisible());
  open.edit("i <= pivot", "i < pivot");
  open.click(open.find<QPushButton>("build_variant"));
  open.wait_for("Solved");
  CHECK(open.find<QLabel>("exercise").text().contains("includes the pivot itself"));
  CHECK_FALSE(open.find<QPushButton>("solution").isVisible());

  // Another file is no exercise.
  open.pane.write_new("update_tags", QString::fromStdString(open.folder.file("other.cu")));
  CHECK_FALSE(open.find<QLabel>("exercise").isVisible());
}

TEST_CASE("a variant is measured beside the original", "[slow]") {
  VariantWindow open;
  open.workbench.desk().run({"uniform:n=2000,dim=2,seed=1", "textbook", {}, Backend::cpu});
  REQUIRE(QTest::qWaitFor(
      [&] { return !open.workbench.jobs().busy() && open.workbench.playback().trace()->header.n == 2000; },
      patience_ms));
  open.pane.write_new("start", open.file());
  open.click(open.find<QPushButton>("measure_variant"));
  open.wait_for("11 builds of each in turn");
  CHECK(open.outcome().contains("times the original's time"));
  CHECK(open.workbench.playback().trace()->header.n == 2000);
}

TEST_CASE("a failure is shrunk to a few points, kept, and opened again at its first wrong element", "[slow]") {
  VariantWindow open;
  open.workbench.desk().run({"uniform:n=300,dim=2,seed=1", "wald", {}, Backend::cpu});
  REQUIRE(QTest::qWaitFor(
      [&] { return !open.workbench.jobs().busy() && open.workbench.playback().trace()->header.n == 300; },
      patience_ms));
  open.pane.write_new("update_tags", open.file());
  auto& shrink = open.find<QPushButton>("shrink_variant");
  CHECK_FALSE(shrink.isEnabled());
  open.edit("i < pivot", "i <= pivot");
  open.click(open.find<QPushButton>("build_variant"));
  open.wait_for("The variant differs");
  REQUIRE(shrink.isEnabled());
  open.click(shrink);
  open.wait_for("shrunk from 300 points to ");
  CHECK(open.workbench.playback().trace()->header.n <= 4);
  CHECK(open.workbench.playback().cursor()->current().name == "update tags");
  CHECK_FALSE(open.workbench.edits().stale());

  const std::string kept = open.folder.file("my-failure.md");
  open.pane.keep_failure(QString::fromStdString(kept));
  const auto entry = read_gallery_entry(kept).value();
  CHECK(entry.symptom.array == "tags");
  CHECK_FALSE(entry.fix);
  CHECK(std::filesystem::exists(entry.variant));
  CHECK(std::filesystem::exists(entry.data));

  open.workbench.desk().run({"wald-10", "wald", {}, Backend::cpu});
  REQUIRE(QTest::qWaitFor(
      [&] { return !open.workbench.jobs().busy() && open.workbench.playback().trace()->header.n == 10; }, patience_ms));
  open.pane.open_exercise(QString::fromStdString(kept));
  // Code of somebody else is not run before one asks for it
  open.wait_for("runs with your rights");
  CHECK(open.workbench.playback().trace()->header.n == 10);
  open.click(open.find<QPushButton>("build_variant"));
  open.wait_for("The variant differs");
  CHECK(open.workbench.playback().trace()->header.n <= 4);
  CHECK(path_text(open.workbench.playback().cursor()->current()) == entry.symptom.step);
  CHECK(open.find<QLabel>("exercise").text().contains("A failure of my.cu"));
  CHECK(open.find<QLabel>("source_provenance").text() == "With stages of the variant my-failure.cu.");
}

TEST_CASE("what a variant printed stands at the step that printed it", "[slow]") {
  VariantWindow open;
  open.show_answers();
  auto& prints = open.find<QPlainTextEdit>("variant_prints");
  auto& of_step = open.find<QCheckBox>("prints_of_step");
  CHECK(prints.isHidden());
  open.pane.write_new("update_tags", open.file());
  open.edit(QStringLiteral("const NodeId s"),
            QStringLiteral("std::printf(\"tag %u\\n\", tags[i]);\n    const NodeId s"));
  open.edit(QStringLiteral("#include"), QStringLiteral("#include <cstdio>\n#include"));
  QTest::keyClick(&open.window, Qt::Key_R, Qt::ControlModifier);
  open.wait_for("equal to the original");
  REQUIRE_FALSE(prints.isHidden());
  const auto go_to = [&](int level, const char* name) {
    for (const Step& step : open.workbench.playback().trace()->steps)
      if (step.level == level && step.name == name) return open.workbench.playback().seek(step.ordinal);
    FAIL("no such step");
  };
  go_to(0, "update tags");
  CHECK(prints.toPlainText() == QStringLiteral("tag 0\n").repeated(10));
  go_to(1, "sort");
  CHECK(prints.toPlainText() == "This step printed nothing.");
  go_to(1, "update tags");
  CHECK(prints.toPlainText() == QStringLiteral("tag 1\n").repeated(6) + QStringLiteral("tag 2\n").repeated(3));
  of_step.click();
  CHECK(prints.toPlainText().contains("(build / level 0 / update tags):\ntag 0\n"));
  CHECK(prints.toPlainText().contains("(build / level 2 / update tags):\ntag 3\n"));
  // The prints are no difference to the original
  CHECK(open.workbench.playback().changes().size() == 0);
  open.open_lesson(start_lesson);
  CHECK(prints.isHidden());
}
