// The start page: what moves, what it opens, and that it goes.

#include "app/shell/start_page.hpp"

#include <QPushButton>

#include "app/panes/message_bar.hpp"
#include "app/shell/live_picture.hpp"
#include "tests/app/open_workbench.hpp"

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
