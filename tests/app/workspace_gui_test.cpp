// Tests the session as a document in the window: saved and opened by keys and menus, offered on quit, restored after a
// crash, with settings kept between runs of the program.

#include <unistd.h>

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QUrl>

#include "app/appearance/file_question.hpp"
#include "app/panes/message_bar.hpp"
#include "app/panes/narration_pane.hpp"
#include "app/views/scene_view.hpp"
#include "app/workspace/layouts.hpp"
#include "app/workspace/recent_files.hpp"
#include "app/workspace/workspace.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/session_files.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

/// Returns a dialog that opens automatically or by a key.
template <class Dialog>
Dialog* dialog(OpenWorkbench& open, const char* name) {
  Dialog* found = nullptr;
  REQUIRE(QTest::qWaitFor(
      [&] {
        found = open.window.findChild<Dialog*>(QString::fromLatin1(name));
        return found && found->isVisible();
      },
      patience_ms));
  return found;
}

/// Enters a name in the file dialog and presses Enter.
void give_file(OpenWorkbench& open, const QString& path) {
  auto* files = dialog<QFileDialog>(open, "file_dialog");
  CHECK(files->testOption(QFileDialog::DontUseNativeDialog));
  auto* name = files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  REQUIRE(name != nullptr);
  name->setText(path);  // set rather than typed: the list of completions would take the Enter key
  QTest::keyClick(name, Qt::Key_Return);
  REQUIRE(QTest::qWaitFor([&] { return !open.window.findChild<QFileDialog*>(QStringLiteral("file_dialog")); },
                          patience_ms));
}

void answer(OpenWorkbench& open, const char* box, QMessageBox::ButtonRole role) {
  auto* question = dialog<QMessageBox>(open, box);
  for (QAbstractButton* button : question->buttons())
    if (question->buttonRole(button) == role) {
      QTest::mouseClick(button, Qt::LeftButton);
      QTest::qWait(50);
      return;
    }
  FAIL("no such button");
}

void wait_for_run(OpenWorkbench& open, const std::shared_ptr<const Trace>& before) {
  REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && open.workbench.playback().trace() != before; },
                          patience_ms));
  open.settle();
}

void open_file(OpenWorkbench& open, const QString& path) {
  const auto before = open.workbench.playback().trace();
  open.workbench.open(path);
  wait_for_run(open, before);
}

QString message(OpenWorkbench& open) {
  auto* bar = open.window.findChild<MessageBar*>();
  return bar->isVisible() ? bar->text() : QString();
}

void move_a_point(OpenWorkbench& open) {
  auto points = std::make_shared<DataSet>(*open.workbench.edits().points());
  points->points.words[0] = word_of(std::int32_t{71});  // the first lesson's points are integers
  open.workbench.edits().edit(points, "Move point 0");
}

}  // namespace

TEST_CASE("keys save a session and open it again at its step, with all that belongs to it", "[share]") {
  const QTemporaryDir folder;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    const QString path = folder.filePath(QString::fromStdString(algorithm.id)) + QStringLiteral(".kdsession");
    OpenWorkbench open;
    RunRequest run = open.workbench.desk().request();
    run.algorithm = algorithm.id;
    run.parameters.clear();
    auto before = open.workbench.playback().trace();
    open.workbench.desk().run(run);
    wait_for_run(open, before);
    move_a_point(open);
    before = open.workbench.playback().trace();
    open.workbench.desk().run_again();
    wait_for_run(open, before);
    open.workbench.playback().seek(4);
    open.workbench.playback().select({Space::point, 3});
    open.workbench.marks().set(2, "here it begins");
    open.workbench.playback().compare_with({ComparedWith::bookmark, 2});
    open.workbench.looks().set_text_scale(110);
    open.workbench.looks().set_theme("dark");
    open.window.scene().set_camera_preset(CameraPreset::iso);
    open.window.dock("source")->close();
    open.settle();
    CHECK(open.window.isWindowModified());
    open.press(Qt::Key_S, Qt::ControlModifier);
    give_file(open, path);
    CHECK(QTest::qWaitFor([&] { return open.window.workspace().file() == path; }, patience_ms));
    CHECK_FALSE(open.window.workspace().unsaved());
    CHECK_FALSE(open.window.isWindowModified());
    CHECK(open.window.windowTitle().startsWith(QString::fromStdString(algorithm.id) + ".kdsession"));
    const Session saved = open.workbench.session();
    const Place place = open.workbench.playback().place();
    const CameraState camera = open.window.scene().camera();
    const std::uint64_t tree = open.workbench.playback().trace()->header.tree_hash;

    OpenWorkbench other;
    before = other.workbench.playback().trace();
    other.press(Qt::Key_O, Qt::ControlModifier);
    give_file(other, path);
    wait_for_run(other, before);
    Session opened = other.workbench.session();
    CHECK(message(other).isEmpty());
    CHECK(other.workbench.playback().trace()->header.tree_hash == tree);
    CHECK(place.step == 4);
    CHECK((other.workbench.playback().place() == place));
    REQUIRE(opened.run.points);
    CHECK((opened.run.points->points.words == saved.run.points->points.words));
    CHECK(opened.run.algorithm == algorithm.id);
    CHECK((opened.bookmarks == saved.bookmarks));
    CHECK(opened.looks.theme == "dark");
    CHECK(opened.looks.text_scale == 110);
    CHECK((other.window.scene().camera() == camera));
    CHECK(other.window.dock("source")->isHidden());
    CHECK_FALSE(other.window.workspace().unsaved());
    CHECK(other.window.workspace().file() == path);
    // Save again, which asks no question.
    other.workbench.playback().seek(5);
    other.press(Qt::Key_S, Qt::ControlModifier);
    CHECK(read_session(path.toStdString())->saved.place.step == 5);
    other.workbench.looks().set_theme("light");
    other.workbench.looks().set_text_scale(100);
  }
}

TEST_CASE("edits that were not run are saved as such") {
  const QTemporaryDir folder;
  OpenWorkbench open;
  move_a_point(open);
  REQUIRE(open.window.workspace().save_to(folder.filePath("e.kdsession")));
  OpenWorkbench other;
  open_file(other, folder.filePath("e.kdsession"));
  CHECK(other.workbench.edits().stale());
  CHECK(other.workbench.edits().points()->points.value(0, 0) == 71);
  CHECK(other.workbench.lessons().lesson() != nullptr);
  CHECK(other.workbench.playback().trace()->header.tree_hash == open.workbench.playback().trace()->header.tree_hash);
  other.workbench.undo_stack().undo();
  CHECK_FALSE(other.workbench.edits().stale());
}

TEST_CASE("a session of a large window opens in a small one in the same proportions, with all points in sight",
          "[screen]") {
  const QTemporaryDir folder;
  const QString path = folder.filePath("large.kdsession"), zoomed = folder.filePath("zoomed.kdsession");
  const auto share = [](OpenWorkbench& open, const char* dock, Qt::Orientation along) {
    const QSize size = open.window.dock(QString::fromLatin1(dock))->size(), of = open.window.size();
    return along == Qt::Horizontal ? double(size.width()) / of.width() : double(size.height()) / of.height();
  };
  OpenWorkbench large;
  large.window.resize(1600, 1000);
  large.rest();                                                // what follows is not part of the resizing
  large.window.dock("checks")->toggleViewAction()->trigger();  // the layout is the user's
  large.rest();
  large.window.resizeDocks({large.window.dock("narration")}, {400}, Qt::Horizontal);
  large.window.resizeDocks({large.window.dock("arrays")}, {350}, Qt::Vertical);
  large.settle();
  REQUIRE(large.window.scene().fitted_to() == CameraPreset::reset);
  const double width = share(large, "narration", Qt::Horizontal), height = share(large, "arrays", Qt::Vertical);
  REQUIRE(large.window.workspace().save_to(path));
  CHECK_FALSE(read_session(path.toStdString())->saved.session.looks.camera);
  CameraState camera = large.window.scene().camera();
  camera.parallel_scale /= 3;
  large.window.scene().set_camera(camera);
  REQUIRE(large.window.workspace().save_to(zoomed));

  OpenWorkbench small;
  small.window.resize(1100, 680);
  small.settle();
  open_file(small, path);
  small.settle();
  CHECK(share(small, "narration", Qt::Horizontal) == Approx(width).margin(0.06));
  CHECK(share(small, "arrays", Qt::Vertical) == Approx(height).margin(0.08));
  CHECK(small.window.scene().fitted_to() == CameraPreset::reset);
  const DataSet& points = *small.workbench.edits().points();
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    const auto place = small.window.scene().place_of({points.points.value(i, 0), points.points.value(i, 1)});
    REQUIRE(place);
    CHECK(small.window.scene().canvas()->rect().contains(place->toPoint()));
  }
  // Where the user had zoomed, the camera is as it was.
  open_file(small, zoomed);
  CHECK(small.window.scene().camera().parallel_scale == Approx(camera.parallel_scale));
}

TEST_CASE("points that are those of the lesson again, or of the saved session, alarm nobody", "[screen]") {
  const QTemporaryDir folder;
  OpenWorkbench open;
  open.window.workspace().remember({folder.filePath("settings.ini"), folder.filePath("state"), 50});
  // Edit, run, undo: the points are the lesson's.
  move_a_point(open);
  auto before = open.workbench.playback().trace();
  open.workbench.desk().run_again();
  wait_for_run(open, before);
  open.workbench.undo_stack().undo();
  REQUIRE(open.workbench.edits().points()->points.value(0, 0) == (*open_data_set("wald-10"))->points.value(0, 0));
  open.open_lesson(open.workbench.lessons().catalogue().lessons.back().id);
  CHECK(message(open).isEmpty());
  CHECK(open.window.findChild<RecentFiles*>()->paths().isEmpty());
  // Own points in a saved session, and another run on them.
  open.open_lesson(start_lesson);
  move_a_point(open);
  before = open.workbench.playback().trace();
  open.workbench.desk().run_again();
  wait_for_run(open, before);
  REQUIRE(open.window.workspace().save_to(folder.filePath("mine.kdsession")));
  RunRequest search = open.workbench.desk().request();
  search.points = std::make_shared<DataSet>(*search.points);
  search.search = {{"search", "stack"}, {"query", "50,40"}};
  before = open.workbench.playback().trace();
  open.workbench.desk().run(search);
  wait_for_run(open, before);
  CHECK(message(open).isEmpty());
  CHECK_FALSE(open.window.workspace().unsaved());
  CHECK(open.window.close());
}

TEST_CASE("a lesson whose points come back by undo comes back with its stops, and by a link at any time", "[screen]") {
  OpenWorkbench open;
  const std::size_t stops = open.workbench.lessons().stop_steps().size();
  REQUIRE(stops > 0);
  const auto run_again = [&] {
    const auto before = open.workbench.playback().trace();
    open.workbench.desk().run_again();
    wait_for_run(open, before);
  };
  move_a_point(open);
  run_again();
  CHECK(open.workbench.lessons().lesson() == nullptr);
  REQUIRE(open.workbench.desk().lesson_left() != nullptr);
  CHECK(open.workbench.desk().lesson_left()->id == start_lesson);
  open.workbench.undo_stack().undo();
  run_again();
  REQUIRE(open.workbench.lessons().lesson() != nullptr);
  CHECK(open.workbench.lessons().lesson()->id == start_lesson);
  CHECK(open.workbench.lessons().stop_steps().size() == stops);
  CHECK(open.workbench.desk().request().data == "wald-10");
  CHECK(open.workbench.desk().lesson_left() == nullptr);
  CHECK_FALSE(open.workbench.edits().stale());
  CHECK(open.workbench.undo_stack().canRedo());  // the edit can still be made again
  // The link leads to where the lesson was left.
  open.workbench.playback().seek(4);
  wait_until_idle(open.workbench);
  move_a_point(open);
  run_again();
  auto* narration = open.window.findChild<NarrationPane*>()->findChild<QTextBrowser*>();
  CHECK(narration->toPlainText().startsWith("Back to the lesson: "));
  const auto before = open.workbench.playback().trace();
  emit narration->anchorClicked(QUrl("kdscope:lesson"));
  wait_for_run(open, before);
  REQUIRE(open.workbench.lessons().lesson() != nullptr);
  CHECK(open.workbench.lessons().lesson()->id == start_lesson);
  CHECK(open.step() == 4);
  CHECK_FALSE(open.workbench.lessons().at_introduction());
}

TEST_CASE("a message goes with the next edit that succeeds") {
  OpenWorkbench open;
  open.workbench.messages().report({ErrorKind::bad_input, "these are no points", "", "copy others"});
  CHECK(message(open).contains("no points"));
  open.settle();
  auto& bar = open.find<MessageBar>("messages");
  CHECK(bar.isVisible());
  move_a_point(open);
  open.settle();
  CHECK_FALSE(bar.isVisible());
}

TEST_CASE("a session dropped on the window opens, and a step that is asked for counts more") {
  const QTemporaryDir folder;
  const QString path = folder.filePath("d.kdsession");
  {
    OpenWorkbench open;
    open.workbench.playback().seek(6);
    REQUIRE(open.window.workspace().save_to(path));
  }
  OpenWorkbench open;
  const auto before = open.workbench.playback().trace();
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(path)});
  QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&open.window, &enter);
  CHECK(enter.isAccepted());
  QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&open.window, &drop);
  wait_for_run(open, before);
  CHECK(open.step() == 6);
  open.workbench.desk().set_first_step(2);
  open_file(open, path);
  CHECK(open.step() == 2);
}

TEST_CASE("a session that can be opened in part says in one sentence what is missing, and is not overwritten",
          "[screen]") {
  const QTemporaryDir folder;
  const QString path = folder.filePath("p.kdsession");
  OpenWorkbench open;
  open.workbench.marks().set(1, "kept");
  CameraState camera = open.window.scene().camera();
  camera.parallel_scale /= 2;
  open.window.scene().set_camera(camera);
  REQUIRE(open.window.workspace().save_to(path));
  std::string text = test::content_of(path.toStdString());
  text.replace(text.find("camera: {"), 9, "camera: }");
  text.replace(text.find("kdscope_session: 1"), 18, "kdscope_session: 9");
  std::ofstream(path.toStdString()) << text;
  OpenWorkbench other;
  open_file(other, path);
  CHECK(message(other).contains("p.kdsession"));
  CHECK(message(other).contains("'camera'"));
  CHECK(message(other).contains("newer kdscope (format 9"));
  CHECK(other.workbench.marks().all().size() == 1);
  CHECK(other.window.workspace().file().isEmpty());

  // If data are missing, the open run stays open.
  text.replace(text.find("\ndata: \"wald-10\""), 16, "\ndata: \"/gone/scan.ply\"");
  text.replace(text.find("\nlesson:"), 8, "\nlessen:");
  std::ofstream(path.toStdString()) << text;
  const auto before = other.workbench.playback().trace();
  other.workbench.open(path);
  REQUIRE(QTest::qWaitFor([&] { return message(other).contains("/gone/scan.ply"); }, patience_ms));
  CHECK(other.workbench.playback().trace() == before);
  std::ofstream(path.toStdString()) << "no session";
  other.workbench.open(path);
  REQUIRE(QTest::qWaitFor([&] { return message(other).contains("no session file"); }, patience_ms));
  CHECK(other.workbench.playback().trace() == before);
}

TEST_CASE("a save that fails says so and keeps the old file") {
  const QTemporaryDir folder;
  const QString path = folder.filePath("f.kdsession");
  OpenWorkbench open;
  move_a_point(open);
  REQUIRE(open.window.workspace().save_to(path));
  const std::string old = test::content_of(path.toStdString());
  open.workbench.marks().set(3, "new");
  CHECK_FALSE(open.window.workspace().save_to(folder.filePath("no/such/folder.kdsession")));
  CHECK(message(open).contains("the folder is missing"));
  CHECK_FALSE(open.window.workspace().save_to("/dev/full"));
  CHECK(message(open).contains("/dev/full"));
  CHECK(open.window.workspace().unsaved());
  CHECK(open.window.workspace().file() == path);
  CHECK(test::content_of(path.toStdString()) == old);
}

TEST_CASE("unsaved work is offered on quit, and nothing is asked where there is none", "[screen]") {
  const QTemporaryDir folder;
  {
    OpenWorkbench open;
    open.press(Qt::Key_Right);
    CHECK(open.window.close());  // a changed step alone is not worth saving
  }
  OpenWorkbench open;
  move_a_point(open);
  CHECK_FALSE(open.window.close());
  answer(open, "unsaved", QMessageBox::RejectRole);
  CHECK(open.window.isVisible());
  open.press(Qt::Key_Q, Qt::ControlModifier);
  answer(open, "unsaved", QMessageBox::AcceptRole);
  give_file(open, folder.filePath("no/such/folder.kdsession"));  // this fails, so the window stays open
  QTest::qWait(100);
  CHECK(open.window.isVisible());
  CHECK(message(open).contains("folder"));
  CHECK_FALSE(open.window.close());
  answer(open, "unsaved", QMessageBox::AcceptRole);
  give_file(open, folder.filePath("q"));
  REQUIRE(QTest::qWaitFor([&] { return !open.window.isVisible(); }, patience_ms));
  CHECK(read_session(folder.filePath("q.kdsession").toStdString())->saved.edited_points != nullptr);

  OpenWorkbench other;
  other.workbench.marks().set(2, "");
  CHECK_FALSE(other.window.close());
  answer(other, "unsaved", QMessageBox::DestructiveRole);
  REQUIRE(QTest::qWaitFor([&] { return !other.window.isVisible(); }, patience_ms));
}

TEST_CASE("a widget on no screen does not keep the program when its window is closed") {
  OpenWorkbench open;
  open.open_lesson("wald/ten-points");
  bool previewed = false;  // the tree of the introduction
  for (QWidget* widget : QApplication::topLevelWidgets()) {
    if (widget == &open.window || !widget->isVisible()) continue;
    INFO(widget->metaObject()->className());
    CHECK_FALSE(widget->testAttribute(Qt::WA_QuitOnClose));
    previewed |= widget->testAttribute(Qt::WA_DontShowOnScreen);
  }
  CHECK(previewed);
}

TEST_CASE("after a crash the session is offered, restored, and still unsaved") {
  const QTemporaryDir folder;
  const Memory memory{folder.filePath("settings.ini"), folder.filePath("state"), 50};
  const QString crashed = folder.filePath("state/running-9.kdsession");
  {
    OpenWorkbench open;
    open.window.workspace().remember(memory);
    const QString own = folder.filePath("state/running-1.kdsession");
    QTest::qWait(300);
    CHECK_FALSE(QFile::exists(own));  // no edit has been made yet
    move_a_point(open);
    open.workbench.marks().set(3, "before the crash");
    open.workbench.playback().seek(3);
    REQUIRE(QTest::qWaitFor(
        [&] {
          const auto read = read_session(own.toStdString());
          return read && read->saved.place.step == 3 && read->saved.edited_points;
        },
        patience_ms));
    REQUIRE(QFile::copy(own, crashed));
    // A concurrent program neither takes over its file nor offers it.
    Autosave beside(memory.state_folder);
    CHECK(beside.path() != own);
    REQUIRE(beside.left().size() == 1);
    CHECK(beside.left()[0].path == crashed);
    beside.release_left();
    open.window.close();
    answer(open, "unsaved", QMessageBox::DestructiveRole);
    REQUIRE(QTest::qWaitFor([&] { return !QFile::exists(own); }, patience_ms));
  }
  {  // the lock of a program that has ended
    const pid_t child = ::fork();
    if (child == 0) {
      QLockFile lock(crashed + ".lock");
      ::_exit(lock.tryLock(0) ? 0 : 1);
    }
    REQUIRE(child > 0);
    QTest::qWait(300);
  }
  {
    OpenWorkbench later;
    later.window.workspace().remember(memory);
    later.window.workspace().offer_restore();
    answer(later, "restore", QMessageBox::RejectRole);
    CHECK(QFile::exists(crashed));
  }
  OpenWorkbench open;
  open.window.workspace().remember(memory);
  open.window.workspace().offer_restore();
  const auto before = open.workbench.playback().trace();
  answer(open, "restore", QMessageBox::AcceptRole);
  wait_for_run(open, before);
  CHECK(open.step() == 3);
  CHECK(open.workbench.edits().stale());
  CHECK(open.workbench.edits().points()->points.value(0, 0) == 71);
  CHECK(open.workbench.marks().all().size() == 1);
  CHECK(open.window.workspace().unsaved());
  CHECK(open.window.workspace().file().isEmpty());
  REQUIRE(QTest::qWaitFor([&] { return !QFile::exists(crashed); }, patience_ms));  // safe under its new name
  CHECK(QFile::exists(folder.filePath("state/running-1.kdsession")));
  // Simulate another crash, after which the session is discarded.
  REQUIRE(QFile::copy(folder.filePath("state/running-1.kdsession"), crashed));
  OpenWorkbench last;
  last.window.workspace().remember(memory);
  last.window.workspace().offer_restore();
  answer(last, "restore", QMessageBox::DestructiveRole);
  CHECK_FALSE(QFile::exists(crashed));
}

TEST_CASE("a layout that was saved while something ran does not bring its message back") {
  OpenWorkbench open;
  QWidget& bar = *open.window.findChild<QWidget*>("messages");
  bar.show();  // as while a run opens
  const QByteArray meanwhile = open.window.layout_state();
  bar.hide();
  REQUIRE(open.window.restore_layout_state(meanwhile));
  CHECK_FALSE(bar.isVisible());
  CHECK(open.window.findChild<QWidget*>("transport")->isVisible());
}

TEST_CASE("taking the edits of What if back alarms nobody, and undo brings them again") {
  const QTemporaryDir folder;
  OpenWorkbench open;
  open.window.workspace().remember({folder.filePath("settings.ini"), folder.filePath("state"), 50});
  move_a_point(open);
  const auto before = open.workbench.playback().trace();
  open.workbench.desk().run_again();
  wait_for_run(open, before);
  const auto edited = open.workbench.edits().points()->points.words;
  REQUIRE(open.workbench.desk().earlier_trace());
  open.workbench.desk().revert_edits();
  open.settle();
  CHECK(message(open).isEmpty());
  CHECK(open.workbench.playback().trace() == before);
  open.workbench.undo_stack().undo();
  CHECK(open.workbench.edits().points()->points.words == edited);
}

TEST_CASE("a program that the system ends keeps unsaved work, and the next start asks nothing") {
  const QTemporaryDir folder;
  const Memory memory{folder.filePath("settings.ini"), folder.filePath("state"), 50};
  const QDir state(memory.state_folder);
  {
    OpenWorkbench open;
    open.window.workspace().remember(memory);
    move_a_point(open);
    REQUIRE(QTest::qWaitFor([&] { return QFile::exists(state.filePath("running-1.kdsession")); }, patience_ms));
    open.window.workspace().end();
    CHECK_FALSE(open.window.isVisible());
    CHECK_FALSE(open.window.findChild<QMessageBox*>("unsaved"));
  }
  CHECK_FALSE(QFile::exists(state.filePath("running-1.kdsession")));
  CHECK(Autosave(memory.state_folder).left().empty());
  const QStringList kept = state.entryList({"unsaved *.kdsession"}, QDir::Files);
  REQUIRE(kept.size() == 1);
  const auto read = read_session(state.filePath(kept[0]).toStdString()).value();
  CHECK(read.saved.edited_points->points.value(0, 0) == 71);
}

TEST_CASE("a state folder that cannot be written is said, once") {
  const QTemporaryDir folder;
  std::ofstream(folder.filePath("file").toStdString()) << "in the way";
  OpenWorkbench open;
  open.window.workspace().remember({folder.filePath("s.ini"), folder.filePath("file/state"), 20});
  open.workbench.marks().set(1, "a");
  REQUIRE(QTest::qWaitFor([&] { return message(open).contains("file/state"); }, patience_ms));
}

TEST_CASE("own points that another run replaces are kept") {
  const QTemporaryDir folder;
  OpenWorkbench open;
  open.window.workspace().remember({folder.filePath("s.ini"), folder.filePath("state"), 20});
  move_a_point(open);
  open.workbench.marks().set(2, "mine");
  open.open_lesson(open.workbench.lessons().catalogue().lessons.back().id);
  CHECK(message(open).contains("Open recent"));
  const QStringList recent = open.window.findChild<RecentFiles*>()->paths();
  REQUIRE(recent.size() == 1);
  open_file(open, recent[0]);
  CHECK(open.workbench.edits().points()->points.value(0, 0) == 71);
  CHECK(open.workbench.marks().all().size() == 1);
}

TEST_CASE("recent files: last first, missing ones said") {
  const QTemporaryDir folder;
  const QString settings = folder.filePath("s.ini"), a = folder.filePath("a.csv"), b = folder.filePath("b.kdsession");
  {
    OpenWorkbench open;
    open.window.workspace().remember({settings, folder.filePath("state")});
    std::ofstream(a.toStdString()) << "1,2\n3,4\n5,6\n";
    open_file(open, a);
    REQUIRE(open.window.workspace().save_to(b));
    open.window.close();
  }
  OpenWorkbench open;
  open.window.workspace().remember({settings, folder.filePath("state")});
  auto* recent = open.window.findChild<RecentFiles*>();
  CHECK(recent->paths() == QStringList{b, a});
  const auto before = open.workbench.playback().trace();
  recent->actions()[1]->trigger();
  wait_for_run(open, before);
  CHECK(open.workbench.playback().trace()->header.n == 3);
  QFile::remove(b);
  emit recent->aboutToShow();
  CHECK(recent->actions()[1]->text().contains("missing"));
  recent->actions()[1]->trigger();
  REQUIRE(QTest::qWaitFor([&] { return message(open).contains("b.kdsession"); }, patience_ms));
  CHECK(recent->paths() == QStringList{a});
}

TEST_CASE("the dialog for files leads to the shipped data, home, and folders used lately") {
  const QTemporaryDir folder;
  OpenWorkbench open;
  const QString points = folder.filePath(QStringLiteral("three.csv"));
  QFile file(points);
  REQUIRE(file.open(QIODevice::WriteOnly));
  file.write("1,2\n3,4\n5,6\n");
  file.close();
  open_file(open, points);
  open.press(Qt::Key_O, Qt::ControlModifier);
  auto* files = dialog<QFileDialog>(open, "file_dialog");
  CHECK(files->labelText(QFileDialog::LookIn) == QStringLiteral("Folder:"));
  QStringList places;
  for (const QUrl& url : files->sidebarUrls()) places << url.toLocalFile();
  CHECK(QFileInfo::exists(example_data() + QStringLiteral("/bunny.ply")));
  CHECK(places == QStringList{example_data(), QDir::homePath(), folder.path()});
  files->reject();
}

TEST_CASE("window, layout, theme and text scale are as they were left", "[screen]") {
  const QTemporaryDir folder;
  const Memory memory{folder.filePath("s.ini"), folder.filePath("state")};
  const QSize size(1200, 700);  // it must fit the screen, or Qt shrinks it
  QSize view;
  {
    OpenWorkbench open(size);
    open.window.workspace().remember(memory);
    open.workbench.looks().set_theme("high-contrast");
    open.workbench.looks().set_text_scale(120);
    open.window.layouts().apply(Layout::debug);
    open.window.dock("checks")->close();
    open.settle();
    view = open.window.scene().size();
    open.window.close();
  }
  Workbench workbench;
  MainWindow window(workbench);
  window.workspace().remember(memory);
  window.workspace().restore_looks();
  window.show();
  REQUIRE(QTest::qWaitForWindowExposed(&window, patience_ms));
  QTest::qWait(300);
  CHECK(window.size() == size);
  CHECK(workbench.looks().appearance().theme == "high-contrast");
  CHECK(workbench.looks().appearance().text_scale == 120);
  CHECK(window.layouts().current() == Layout::debug);
  CHECK(window.dock("checks")->isHidden());
  CHECK(std::abs(window.scene().width() - view.width()) <= 4);
  workbench.looks().set_theme("light");
  workbench.looks().set_text_scale(100);
}

TEST_CASE("looks of a command line hold for one run, and what a person chooses in it is kept") {
  const QTemporaryDir folder;
  const auto run = [&](const std::string& theme, int text_scale, const auto& work) {
    Workbench workbench;
    MainWindow window(workbench);
    window.workspace().remember({folder.filePath("s.ini"), folder.filePath("state")});
    window.workspace().restore_looks();
    window.workspace().show_for_this_run(theme, text_scale);
    work(workbench.looks());
    window.close();
    workbench.looks().set_theme("light");  // of the application, which other tests share
    workbench.looks().set_text_scale(100);
  };
  const auto shows = [](const char* theme, int text_scale) {
    return [=](Looks& looks) {
      CHECK(looks.appearance().theme == theme);
      CHECK(looks.appearance().text_scale == text_scale);
    };
  };
  run("dark", 150, shows("dark", 150));
  run("", 0, shows("light", 100));
  run("dark", 150, [](Looks& looks) { looks.set_theme("high-contrast"); });
  run("", 0, shows("high-contrast", 100));
}

TEST_CASE("the text scale that suits a screen is taken for no choice of a person's") {
  const QTemporaryDir folder;
  const auto run = [&](int suits, int expected, int chosen) {
    Workbench workbench;
    MainWindow window(workbench);
    workbench.looks().set_usual_text_scale(suits);
    window.workspace().remember({folder.filePath("s.ini"), folder.filePath("state")});
    window.workspace().restore_looks();
    CHECK(workbench.looks().appearance().text_scale == expected);
    workbench.looks().set_text_scale(chosen);
    window.close();
    workbench.looks().set_text_scale(100);  // of the application, which other tests share
  };
  run(125, 125, 125);
  run(100, 100, 150);
  run(125, 150, 125);
  run(100, 100, 100);
}

TEST_CASE("the program opens a session at its step, as a double click does") {
  const QTemporaryDir folder;
  const QString path = folder.filePath("double click.kdsession");
  {
    OpenWorkbench open({1000, 700});
    open.workbench.playback().seek(5);
    REQUIRE(open.window.workspace().save_to(path));
  }
  const auto picture = [&](const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral(KDSCOPE_PROGRAM),
                  arguments + QStringList{"--size", "1000x700", "--screenshot", folder.filePath("p.png")});
    REQUIRE(process.waitForFinished(2 * patience_ms));
    INFO(process.readAllStandardError().toStdString());
    CHECK(process.exitCode() == 0);
    return QImage(folder.filePath("p.png")).convertToFormat(QImage::Format_RGB32);
  };
  const QImage lesson = picture({"--lesson", start_lesson, "--step", "5"});
  const QImage session = picture({path}), asked = picture({path, "--step", "0"});
  CHECK(differing_pixels(lesson, session) * 200 < lesson.width() * lesson.height());
  CHECK(differing_pixels(lesson, asked) * 100 > lesson.width() * lesson.height());
}
