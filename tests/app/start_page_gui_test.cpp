// The start page: what moves, what it opens, and that it goes.

#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>

#include "app/panes/message_bar.hpp"
#include "app/present/presentation.hpp"
#include "app/shell/course_list.hpp"
#include "app/shell/live_picture.hpp"
#include "app/shell/start_page.hpp"
#include "app/views/scene_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"

namespace kdscope {
namespace {

struct Starting {
  Workbench workbench;
  MainWindow window{workbench};
  QPointer<StartPage> page;

  Starting() {
    window.resize(1280, 720);
    window.show();
    REQUIRE(QTest::qWaitForWindowExposed(&window, patience_ms));
    page = new StartPage(window, workbench);
    page->show();
  }
  LivePicture& picture(const char* lesson) {
    auto* found = page->findChild<LivePicture*>(QStringLiteral("live_") + QLatin1String(lesson));
    REQUIRE(found);
    return *found;
  }
  void wait_until_gone() {
    REQUIRE(QTest::qWaitFor([&] { return !page && !workbench.jobs().busy(); }, patience_ms));
  }
};

TEST_CASE("the start page: three pictures move, and lie side by side within the window") {
  Starting open;
  for (const char* lesson : {"wald/ten-points", "wald/bunny", "wald/nearest-with-a-stack"}) {
    LivePicture& picture = open.picture(lesson);
    CHECK(QTest::qWaitFor([&] { return picture.step() > 0u; }, patience_ms));
    CHECK(picture.width() > 300);
    CHECK(picture.height() > 200);
  }
  CHECK(open.page->geometry().bottom() == open.window.height() - 1);
  CHECK(open.page->width() == open.window.width());
}

TEST_CASE("texts of the start page's pictures are readable, without names of points on one another", "[screen]") {
  Starting open;
  for (const char* lesson : {"wald/ten-points", "wald/bunny", "wald/nearest-with-a-stack"}) {
    LivePicture& picture = open.picture(lesson);
    REQUIRE(QTest::qWaitFor([&] { return picture.step() > 0u; }, patience_ms));
    const auto texts = picture.findChild<SceneView*>()->texts();
    CHECK(texts.size() > 4);  // of the axes
    for (const auto& [words, pixels] : texts) {
      CAPTURE(words);
      CHECK_FALSE((words.size() > 1 && words[0] == 'p' && words[1] >= '0' && words[1] <= '9'));
      CHECK(pixels >= 12);
    }
  }
}

TEST_CASE("all lessons are a list of lessons alone") {
  Starting open;
  auto& list = *open.page->findChild<CourseList*>();
  auto& all = *open.page->findChild<QPushButton*>(QStringLiteral("start_lessons"));
  CHECK_FALSE(list.isVisible());
  QTest::mouseClick(&all, Qt::LeftButton);
  CHECK(list.isVisible());
  CHECK_FALSE(open.picture("wald/bunny").isVisible());
  QStringList titles;
  for (int part = 0; part < list.topLevelItemCount(); ++part)
    for (int lesson = 0; lesson < list.topLevelItem(part)->childCount(); ++lesson) {
      const QTreeWidgetItem& row = *list.topLevelItem(part)->child(lesson);
      INFO(row.text(0).toStdString());
      titles << row.text(0);
      CHECK(row.text(1).endsWith(QLatin1Char('.')));
      CHECK(row.text(2).endsWith(QStringLiteral(" min")));
      CHECK(row.text(3).isEmpty());
    }
  CHECK(list.topLevelItemCount() == 8);
  CHECK(titles.size() == static_cast<qsizetype>(open.workbench.lessons().catalogue().lessons.size()));
  CHECK(titles.front() == QStringLiteral("The first kd-tree"));
  CHECK(list.currentItem()->text(0) == titles.front());
  CHECK(list.columnWidth(1) > open.page->width() / 3);

  QApplication::setActiveWindow(&open.window);
  REQUIRE(list.hasFocus());
  QTest::keyClick(&list, Qt::Key_Escape);
  CHECK_FALSE(list.isVisible());
  CHECK(open.picture("wald/bunny").isVisible());
  QTest::mouseClick(&all, Qt::LeftButton);
  QTest::keyClick(&list, Qt::Key_Down);
  const QString second = list.currentItem()->text(0);
  CHECK(second == titles[1]);
  QTest::keyClick(&list, Qt::Key_Return);
  open.wait_until_gone();
  REQUIRE(open.workbench.lessons().lesson());
  CHECK(QString::fromStdString(open.workbench.lessons().lesson()->title) == second);
}

TEST_CASE("a lesson of the list opens by a click, once, and the list knows how far one has come") {
  Starting open;
  auto* course = open.window.findChild<CourseMenu*>();
  REQUIRE(course);
  open.workbench.desk().open_lesson(start_lesson);
  open.wait_until_gone();
  open.workbench.lessons().go_to_stop(1);
  wait_until_idle(open.workbench);
  CourseList list(*course, open.workbench);
  list.resize(1000, 600);
  list.show();
  open.workbench.looks().set_text_scale(200);
  list.resize(1010, 600);
  CHECK(list.columnWidth(0) <= 404);  // titles leave the aims their room
  const Lesson& lesson = *open.workbench.lessons().lesson();
  QTreeWidgetItem& row = *list.currentItem();
  open.workbench.looks().set_text_scale(100);
  list.resize(700, 600);
  list.doItemsLayout();
  const int needed = list.fontMetrics()
                         .boundingRect(QRect(0, 0, list.columnWidth(1) - 8, 1000), Qt::TextWordWrap, row.text(1))
                         .height();
  CHECK(needed > list.fontMetrics().height());
  CHECK(list.visualItemRect(&row).height() >= needed);  // the whole aim is read
  CHECK(row.text(0) == QString::fromStdString(lesson.title));
  CHECK(row.text(3) == QStringLiteral("stop 2 of %1").arg(lesson.stops.size()));
  QTreeWidgetItem* other = list.itemBelow(&row);
  REQUIRE(other);
  const QPoint at = list.visualItemRect(other).center();
  QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, at);
  QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, at);
  const std::string second = other->text(0).toStdString();
  CHECK(QTest::qWaitFor([&] { return open.workbench.lessons().lesson()->title == second; }, patience_ms));
  CHECK_FALSE(open.workbench.jobs().busy());
}

TEST_CASE("a message on the start page covers none of its texts, and pictures are not higher than wide") {
  Starting open;
  for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
    open.window.resize(size);
    open.workbench.open(QStringLiteral("/no/such/file.ply"));
    auto& message = *open.window.findChild<MessageBar*>();
    REQUIRE(QTest::qWaitFor([&] { return message.isVisible() && !open.workbench.jobs().busy(); }, patience_ms));
    wait_until_idle(open.workbench);
    const auto place = [&](const QWidget& part) { return QRect(part.mapTo(open.page, QPoint()), part.size()); };
    for (const QLabel* label : open.page->findChildren<QLabel*>())
      if (label->isVisible() && !message.isAncestorOf(label)) {
        INFO(label->text().toStdString());
        CHECK_FALSE(place(*label).intersects(place(message)));
      }
    const LivePicture& picture = open.picture("wald/bunny");
    CHECK(picture.height() <= picture.width());
  }
}

TEST_CASE("the start page opens the course's first lesson, and goes") {
  Starting open;
  auto* start = open.page->findChild<QPushButton*>(QStringLiteral("start_here"));
  REQUIRE(start);
  CHECK(start->text() == QStringLiteral("Start here: The first kd-tree"));
  QTest::mouseClick(start, Qt::LeftButton);
  open.wait_until_gone();
  REQUIRE(open.workbench.lessons().lesson());
  CHECK(open.workbench.lessons().lesson()->title == "The first kd-tree");
}

TEST_CASE("a picture of the start page opens its lesson by click and by key") {
  for (const bool by_key : {false, true}) {
    Starting open;
    LivePicture& picture = open.picture("wald/bunny");
    if (by_key)
      QTest::keyClick(&picture, Qt::Key_Return);
    else
      QTest::mouseClick(&picture, Qt::LeftButton);
    open.wait_until_gone();
    REQUIRE(open.workbench.lessons().lesson());
    CHECK(open.workbench.lessons().lesson()->id == "wald/bunny");
  }
}

TEST_CASE("a picture that has the focus and one under the mouse look different") {
  Starting open;
  wait_until_idle(open.workbench);
  LivePicture& picture = open.picture("wald/bunny");
  const auto border_and_ground = [&] {
    const QImage image = picture.grab().toImage();
    return std::pair(image.pixel(image.width() / 2, 0), image.pixel(image.width() / 2, 4));
  };
  open.page->findChild<QPushButton*>(QStringLiteral("start_here"))->setFocus();
  picture.setAttribute(Qt::WA_UnderMouse, false);  // the screen's own pointer may lie there
  const auto usual = border_and_ground();
  picture.setAttribute(Qt::WA_UnderMouse);
  const auto hovered = border_and_ground();
  picture.setAttribute(Qt::WA_UnderMouse, false);
  QApplication::setActiveWindow(&open.window);
  picture.setFocus();
  REQUIRE(picture.hasFocus());
  const auto focused = border_and_ground();
  CHECK(hovered.first == usual.first);
  CHECK(hovered.second != usual.second);
  CHECK(focused.first != usual.first);
  CHECK(focused.second == usual.second);
}

TEST_CASE("nothing stands above the start page, however the window changes") {
  Starting open;
  const auto covered = [&] {
    for (int x = 8; x < open.window.width(); x += 40)
      for (int y = open.page->geometry().top(); y < open.window.height(); y += 40) {
        const QWidget* at = open.window.childAt(x, y);
        if (at != open.page && !open.page->isAncestorOf(at)) return false;
      }
    return true;
  };
  CHECK(covered());
  for (const QSize size : {QSize(1920, 1080), QSize(1500, 950), QSize(900, 700), QSize(1280, 720)}) {
    open.window.resize(size);
    wait_until_idle(open.workbench);
    CAPTURE(size.width());
    CHECK(covered());
  }
  open.workbench.looks().set_text_scale(200);
  wait_until_idle(open.workbench);
  CHECK(covered());
}

TEST_CASE("Tab walks through the start page alone, and Enter presses what has the focus") {
  Starting open;
  QApplication::setActiveWindow(&open.window);
  wait_until_idle(open.workbench);
  const QWidget* first = QApplication::focusWidget();
  REQUIRE(first);
  CHECK(first->objectName() == QStringLiteral("start_here"));
  QStringList names;
  do {
    names << QApplication::focusWidget()->objectName();
    CHECK(open.page->isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  } while (QApplication::focusWidget() != first && names.size() < 20);
  for (const char* name : {"start_open", "live_wald/ten-points", "live_wald/bunny"})
    CHECK(names.contains(QLatin1String(name)));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
  CHECK(QApplication::focusWidget()->objectName() == names.back());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  open.wait_until_gone();
  CHECK(open.workbench.lessons().lesson());
}

TEST_CASE("until something is open no pane of the window says anything: the start page does, or it is being opened") {
  Workbench workbench;
  MainWindow window(workbench);
  window.resize(1280, 720);
  window.show();
  window.dock(QStringLiteral("source"))->show();
  REQUIRE(QTest::qWaitForWindowExposed(&window, patience_ms));
  REQUIRE(wait_until_idle(workbench));
  QStringList said;
  for (QWidget* pane : std::initializer_list<QWidget*>{&window.tree(), window.arrays().view().viewport()})
    for (const PaintedText& text : painted_texts(*pane)) said << text.text;
  said << window.dock(QStringLiteral("narration"))->findChild<QTextBrowser*>()->toPlainText()
       << window.findChild<QLabel*>(QStringLiteral("source_status"))->text();
  if (window.scene().canvas())
    for (const QLabel* label : window.scene().findChildren<QLabel*>()) said << label->text();
  CHECK(said.join(QString()).toStdString().empty());
}

TEST_CASE("PageDown on the start page opens the first lesson, and F5 presents it") {
  for (const Qt::Key key : {Qt::Key_PageDown, Qt::Key_F5}) {
    Starting open;
    QApplication::setActiveWindow(&open.window);
    wait_until_idle(open.workbench);
    QTest::keyClick(&open.window, key);
    open.wait_until_gone();
    wait_until_idle(open.workbench);
    REQUIRE(open.workbench.lessons().lesson());
    CHECK(open.workbench.lessons().lesson()->title == "The first kd-tree");
    CHECK(open.workbench.lessons().at_introduction());
    CHECK(open.window.presentation().running() == (key == Qt::Key_F5));
    CHECK_FALSE(open.window.findChild<MessageBar*>()->isVisible());
    open.window.presentation().stop();
  }
}

TEST_CASE("where there is no recent work, a button of the start page presents the first lesson") {
  Starting open;
  wait_until_idle(open.workbench);
  CHECK_FALSE(open.page->findChild<QPushButton*>(QStringLiteral("start_recent")));
  QTest::mouseClick(open.page->findChild<QPushButton*>(QStringLiteral("start_present")), Qt::LeftButton);
  open.wait_until_gone();
  wait_until_idle(open.workbench);
  REQUIRE(open.workbench.lessons().lesson());
  CHECK(open.workbench.lessons().lesson()->title == "The first kd-tree");
  CHECK(open.window.presentation().running());
  open.window.presentation().stop();
}

TEST_CASE("PageDown scrolls the list of lessons") {
  Starting open;
  QApplication::setActiveWindow(&open.window);
  QTest::mouseClick(open.page->findChild<QPushButton*>(QStringLiteral("start_lessons")), Qt::LeftButton);
  auto& list = *open.page->findChild<CourseList*>();
  const QTreeWidgetItem* first = list.currentItem();
  QTest::keyClick(&list, Qt::Key_PageDown);
  wait_until_idle(open.workbench);
  CHECK(open.page);
  CHECK(list.currentItem() != first);
}

TEST_CASE("texts of the start page grow with the window, and its pictures fill it") {
  Starting open;
  const QLabel& title = *open.page->findChild<QLabel*>();
  const auto& start = *open.page->findChild<QPushButton*>(QStringLiteral("start_here"));
  const int small_title = title.height(), small_button = start.height();
  open.window.resize(1920, 1080);
  wait_until_idle(open.workbench);
  CHECK(title.height() >= small_title * 5 / 4);
  CHECK(start.height() >= small_button * 5 / 4);
  const LivePicture& picture = open.picture("wald/bunny");
  CHECK(picture.height() >= picture.width() * 9 / 10);
  open.window.resize(1280, 720);
  wait_until_idle(open.workbench);
  CHECK(start.height() == small_button);
}

TEST_CASE("a message that came before the start page stays on it") {
  Workbench workbench;
  MainWindow window(workbench);
  window.resize(1280, 720);
  window.show();
  workbench.open(QStringLiteral("/no/such/file.ply"));
  auto& message = *window.findChild<MessageBar*>();
  REQUIRE(QTest::qWaitFor([&] { return message.isVisible(); }, patience_ms));
  auto* page = new StartPage(window, workbench);
  page->show();
  CHECK(message.parentWidget() == page);
  CHECK(message.isVisible());
}

TEST_CASE("the start page says why a file does not open, and stays") {
  Starting open;
  open.workbench.open(QStringLiteral("/no/such/file.ply"));
  auto& message = *open.window.findChild<MessageBar*>();
  REQUIRE(QTest::qWaitFor([&] { return message.isVisible() && !message.text().isEmpty(); }, patience_ms));
  CHECK(message.parentWidget() == open.page);
  CHECK(open.page->isVisible());
}

}  // namespace
}  // namespace kdscope
