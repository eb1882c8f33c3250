// The biography pane: follows the selected point, goes to the step of a line, and is saved as CSV.

#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include "app/panes/biography_pane.hpp"
#include "app/panes/message_bar.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

struct Biographies : OpenWorkbench {
  BiographyPane& pane = *window.findChild<BiographyPane*>();
  QTableView& table = find<QTableView>("biography_table");

  Biographies() { show_dock("biography"); }
  void wait_for(std::uint32_t point) {
    REQUIRE(
        QTest::qWaitFor([&] { return pane.biography() && pane.biography()->point == PointId{point}; }, patience_ms));
    settle();
  }
  void click_row(int row) {
    table.scrollTo(table.model()->index(row, 0));
    settle();
    REQUIRE(table.viewport()->rect().intersects(table.visualRect(table.model()->index(row, 0))));
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(row, 0)).center());
  }
};

}  // namespace

TEST_CASE("the biography is that of the selected point, at the current step, for every algorithm", "[share]") {
  Biographies open;
  CHECK(open.pane.biography() == nullptr);
  CHECK(open.find<QLabel>("biography_empty").isVisible());
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    open.open_run({"wald-10", algorithm.id, {}, Backend::cpu});
    CHECK(open.pane.biography() == nullptr);
    open.workbench.playback().seek(3);
    open.workbench.playback().select({Space::point, 6});
    open.wait_for(6);
    const Biography& life = *open.pane.biography();
    REQUIRE(open.table.model()->rowCount() == static_cast<int>(open.workbench.playback().step_count()));
    CHECK(open.table.currentIndex().row() == 3);
    CHECK(
        open.window.dock(QStringLiteral("biography"))->widget()->windowTitle().contains(QStringLiteral("point p6 (")));
    // The table shows the values of the biography.
    for (int row = 0; row < open.table.model()->rowCount(); ++row)
      for (std::size_t c = 0; c < life.columns.size(); ++c)
        CHECK(open.table.model()->index(row, 2 + static_cast<int>(c)).data().toString().toStdString() ==
              life.lines[static_cast<std::size_t>(row)].fields[c]);
    // A click and a key go to the step, and a step moves the mark.
    open.click_row(1);
    CHECK(open.step() == 1);
    QTest::keyClick(&open.table, Qt::Key_Down);
    CHECK(open.step() == 2);
    QTest::keyClick(&open.table, Qt::Key_Up);
    CHECK(open.step() == 1);
    open.workbench.transport().forward();
    CHECK(open.table.currentIndex().row() == 2);
    open.click(open.find<QCheckBox>("biography_changes_only"));
    open.settle();
    const int changes = open.table.model()->rowCount();
    CHECK(changes < static_cast<int>(open.workbench.playback().step_count()));
    CHECK(changes > 2);
    for (int row = 0; row < changes; ++row)
      CHECK_FALSE(open.table.model()->index(row, open.table.model()->columnCount() - 1).data().toString().isEmpty());
    open.click(open.find<QCheckBox>("biography_changes_only"));
    // Select another point, then several, then none.
    open.workbench.playback().select({Space::point, 2});
    open.wait_for(2);
    open.workbench.playback().seek(3);
    open.workbench.playback().select({Space::position, 0, {}, 5});
    REQUIRE(QTest::qWaitFor([&] { return open.pane.biography() == nullptr; }, patience_ms));
    CHECK(open.find<QLabel>("biography_empty").text().contains(QStringLiteral("5 points")));
    open.press(Qt::Key_Escape);
    open.settle();
    CHECK(open.pane.biography() == nullptr);
  }
}

TEST_CASE("the biography is saved as CSV; where it cannot be, the message says so and the old file stays") {
  Biographies open;
  open.workbench.playback().select({Space::point, 4});
  open.wait_for(4);
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("point-4.csv"));
  REQUIRE(open.pane.save(path));
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadOnly));
  CHECK(file.readAll().toStdString() == csv_of(*open.pane.biography(), *open.workbench.playback().trace()));
  file.close();
  std::string said;
  QObject::connect(&open.workbench.messages(), &Messages::failed,
                   [&](const Error& error, Offer, const RunRequest&) { said = error.message(); });
  CHECK_FALSE(open.pane.save(folder.filePath(QStringLiteral("no such folder/x.csv"))));
  CHECK(said.find("cannot be saved") != std::string::npos);
  CHECK(said.find("x.csv") != std::string::npos);
  CHECK(QFile::exists(path));
}

TEST_CASE("a biography is saved as it was when its file was asked for, though another run opens meanwhile") {
  Biographies open;
  open.workbench.playback().select({Space::point, 4});
  open.wait_for(4);
  const std::string asked = csv_of(*open.pane.biography(), *open.workbench.playback().trace());
  open.click(open.find<QPushButton>("biography_save"));
  auto* files = open.pane.findChild<QFileDialog*>();
  REQUIRE(files != nullptr);
  open.open_another([&] { open.workbench.desk().run({"uniform:n=20,dim=2,seed=1", "hu", {}, Backend::cpu}); });
  REQUIRE(QTest::qWaitFor([&] { return open.pane.biography() == nullptr; }, patience_ms));
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("asked.csv"));
  files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
  QTest::keyClick(files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit")), Qt::Key_Return);
  REQUIRE(QTest::qWaitFor([&] { return QFile::exists(path); }, patience_ms));
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadOnly));
  CHECK(file.readAll().toStdString() == asked);
}

TEST_CASE("a biography nobody looks at costs nothing, and is found once somebody does") {
  Biographies open;
  open.window.dock(QStringLiteral("biography"))->hide();
  open.workbench.playback().select({Space::point, 1});
  QTest::qWait(120);
  CHECK(open.pane.biography() == nullptr);
  open.window.dock(QStringLiteral("biography"))->show();
  open.window.dock(QStringLiteral("biography"))->raise();
  open.wait_for(1);
}
