// Tests how elements travel to the places that a step gives them: by keys, in the window and in a presentation. Motions
// are held at a share of their time instead of waiting for it.

#include <QMenu>
#include <QScrollBar>
#include <QSlider>
#include <QTemporaryDir>
#include <array>

#include "app/appearance/key_list.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/present/presentation.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "app/workbench/step_motion.hpp"
#include "app/workspace/workspace.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"
#include "visualizer/style/motion_tokens.hpp"

using namespace kdscope;

namespace {

/// The steps of the ten points at which the second sort is done, and before.
constexpr std::uint32_t sorted = 4, before_sort = 3;
/// The columns that the elements of the second sort come from.
constexpr std::uint64_t came_from[] = {6, 0, 3, 5, 1, 2, 4, 9, 7, 8};

struct Moving : OpenWorkbench {
  StepMotion& motion = workbench.motion();
  ArrayTableView& view = window.findChild<ArraysPane*>()->view();

  explicit Moving(QSize size = {1280, 800}) : OpenWorkbench(size) {
    show_answers();
    workbench.playback().seek(before_sort);
  }
  std::size_t row_named(const std::string& name) {
    for (std::size_t row = 0; row < view.table()->rows().size(); ++row)
      if (view.table()->rows()[row].name == name) return row;
    FAIL("no row " << name);
    return 0;
  }
  /// The place of a column's cells that stand still.
  QRect place(std::uint64_t column) const { return view.cell_rect(0, column); }
  void run(const std::string& data, const std::string& algorithm) {
    RunRequest run{data, algorithm, {}, Backend::cpu};
    const auto before = workbench.playback().trace();
    workbench.desk().run(run);
    REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy() && workbench.playback().trace() != before; },
                            patience_ms));
    settle();
  }
};

/// Returns the values that a table paints within a rectangle; a card on its way may have two.
QStringList texts_in(ArrayTableView& view, const QRect& rect) {
  QStringList found;
  for (const PaintedText& painted : painted_texts(*view.viewport(), {}))
    if (rect.contains(painted.box.center().toPoint())) found << painted.text.split(QStringLiteral(" \u00b7 "));
  return found;
}

/// Returns the mean difference of the pixels of two pictures of one size, in shares of a colour.
double difference(const QImage& a, const QImage& b) {
  REQUIRE(a.size() == b.size());
  double sum = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const QColor one = a.pixelColor(x, y), other = b.pixelColor(x, y);
      sum += std::abs(one.red() - other.red()) + std::abs(one.green() - other.green()) +
             std::abs(one.blue() - other.blue());
    }
  return sum / (765.0 * a.width() * a.height());
}

}  // namespace

TEST_CASE("the columns of a sort are painted at their old places, half-way, and at their new ones") {
  Moving open;
  open.press(Qt::Key_M);
  open.press(Qt::Key_Right);
  REQUIRE(open.step() == sorted);
  REQUIRE(open.motion.under_way());
  const std::size_t tags = open.row_named("tags"), index = open.row_named("index");
  for (const double way : {0.0, 0.3}) {
    open.motion.hold(way);
    CHECK(std::abs(open.motion.travelled() * (tokens::travels_until - tokens::fades_until) -
                   std::max(0.0, way - tokens::fades_until)) < 0.01);
    std::size_t at_home = 0;
    for (std::uint64_t c = 0; c < 10; ++c) {
      const QRect cell = open.view.cell_rect(index, c);
      at_home += std::abs(cell.left() - open.place(came_from[c]).left()) <= 1;
      // The value that is painted there is that of the new column.
      CHECK(texts_in(open.view, cell).contains(open.view.shown_text(index, c)));
      // All that belongs to a point travels with it, also tags that read the same before and after.
      CHECK(open.view.cell_rect(tags, c).left() == cell.left());
    }
    CHECK((at_home == 10) == (way == 0));
    CHECK(at_home > 0);  // others wait for their turn
  }
  open.motion.hold(1);
  CHECK_FALSE(open.motion.under_way());
  for (std::uint64_t c = 0; c < 10; ++c) {
    CHECK(open.view.cell_rect(index, c).left() == open.place(c).left());
    CHECK(texts_in(open.view, open.view.cell_rect(index, c)) == QStringList{open.view.shown_text(index, c)});
  }
  open.settle();
  const QImage after = open.view.grab().toImage();
  open.press(Qt::Key_M);
  open.settle();
  CHECK(open.view.grab().toImage() == after);  // nothing is left of the motion
}

TEST_CASE("a motion begins with the picture of the step before, and ends with that of the step", "[screen]") {
  Moving open;
  const auto pictures = [&] {
    open.settle();
    return std::array{open.view.grab().toImage(), open.window.tree().grab().toImage(),
                      open.window.scene().grab().toImage()};
  };
  for (const bool back : {false, true})
    for (const std::uint32_t step : {2u, 3u, sorted, sorted + 1}) {
      INFO("step " << step << (back ? ", back from it" : ""));
      open.motion.set_enabled(false);
      open.workbench.playback().seek(back ? step - 1 : step);
      const auto after = pictures();
      open.workbench.playback().seek(back ? step : step - 1);
      const auto before = pictures();
      open.motion.set_enabled(true);
      open.press(back ? Qt::Key_Left : Qt::Key_Right);
      if (!open.motion.under_way()) continue;  // back, where no column moves
      open.motion.hold(0);
      const auto first = pictures();
      open.motion.hold(0.99);
      const auto last = pictures();
      open.motion.finish();
      const auto end = pictures();
      for (std::size_t view = 0; view < before.size(); ++view) {
        INFO("view " << view);
        CHECK(before[view] != after[view]);
        CHECK(first[view] == before[view]);
        CHECK(end[view] == after[view]);
        // Cards land, and colours settle; on the way back, outlines come at the end
        if (!back) CHECK(difference(last[view], after[view]) < difference(before[view], after[view]) / 20);
      }
    }
}

TEST_CASE("where other rows or columns come into sight, a table fades before the new one appears", "[screen]") {
  Moving open;
  open.open_lesson("brown/partition");
  open.show_answers();
  Presentation& presentation = open.window.presentation();
  presentation.start({QRect(0, 0, 1280, 720)}, 0);
  open.settle();
  ArrayTableView& view = presentation.audience()->arrays().view();
  bool found = false;
  for (const std::uint32_t step : open.workbench.lessons().stop_steps()) {
    if (step == 0 || found) continue;
    open.motion.set_enabled(false);
    open.workbench.playback().seek(step - 1);
    open.settle();
    const QString before = view.frame();
    const QImage old = view.grab().toImage();
    open.motion.set_enabled(true);
    QTest::keyClick(presentation.audience(), Qt::Key_Right);
    if (!open.motion.under_way()) continue;
    open.motion.hold(0);
    open.settle();
    if (view.frame() == before || view.size() != old.size() / view.devicePixelRatio()) continue;
    found = true;
    INFO("step " << step);
    CHECK(view.grab().toImage() == old);
    open.motion.hold(tokens::fades_until / 2);
    open.settle();
    CHECK(colours_in(view.grab().toImage()) == 1);
  }
  CHECK(found);
  presentation.stop();
}

TEST_CASE("planes of a step grow, and nodes drop from their parents, both only on the way forwards", "[screen]") {
  Moving open;
  open.workbench.playback().seek(sorted);
  open.press(Qt::Key_M);
  open.press(Qt::Key_Right);
  REQUIRE(open.motion.growth().split == std::vector<NodeId>{{1}, {2}});
  TreeView& tree = open.window.tree();
  // The numbers of levels are painted, too
  const auto distance_of = [&](const char* number, const QPointF& expected) {
    double least = 1e9;
    for (const PaintedText& painted : painted_texts(*tree.viewport(), {}))
      if (painted.text == QLatin1String(number))
        least = std::min(least, QLineF(painted.box.center(), expected).length());
    return least;
  };
  const auto plane_pixels = [&] {
    const QImage picture = open.window.scene().picture();
    const Rgb fresh = theme(ThemeId::light).changed;
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const QColor at = picture.pixelColor(x, y);
        count += std::abs(at.red() - fresh.r) + std::abs(at.green() - fresh.g) + std::abs(at.blue() - fresh.b) < 30;
      }
    return count;
  };
  const QPointF parent = tree.place_of_node({1}).value(), own = tree.place_of_node({3}).value();
  // The root stands still; the name of its point stands beside its number
  const QPointF root = tree.place_of_node({0}).value();
  const double still = distance_of("0", root);
  CHECK(still < 20);
  std::vector<int> grown;
  std::vector<QImage> tables;
  for (const double way : {0.0, 0.5, 1.0}) {
    open.motion.hold(way);
    tables.push_back(open.view.viewport()->grab().toImage());
    const double to_go = 1 - open.motion.growth().of({1});
    const QPointF left = (parent - own) * to_go;
    CHECK(distance_of("3", own + QPointF(left.x() * to_go, left.y())) < 6);  // siblings part before they drop
    CHECK(distance_of("0", root) == still);
    grown.push_back(plane_pixels());
    const auto& names = open.window.scene().scene().texts();
    CHECK(std::ranges::any_of(names, [](const auto& name) { return name.first == "3"; }) == (way == 1));  // of the cell
  }
  INFO(grown[0] << ", " << grown[1] << ", " << grown[2]);
  CHECK((tables[0] != tables[1] && tables[1] != tables[2]));  // cells recolour at the same time
  CHECK(grown[0] < 10);
  CHECK(grown[1] > grown[0] + 20);
  CHECK(grown[2] > grown[1] * 5 / 4);
  open.motion.hold(0.5);
  for (const NodeId node : {NodeId{1}, NodeId{2}})
    CHECK(std::abs(open.motion.growth().of(node) - 0.5) < 0.05);  // in parallel
  open.press(Qt::Key_Left);
  CHECK_FALSE(open.motion.growth().under_way());
}

TEST_CASE("a jump forwards lets grow what has been split since, level after level, and a jump back moves nothing") {
  Moving open;
  open.workbench.playback().seek(1);
  open.press(Qt::Key_M);
  open.workbench.playback().seek(5);
  REQUIRE(open.motion.growth().split == std::vector<NodeId>{{0}, {1}, {2}});
  open.motion.hold(0.5);
  const Growth growth = open.motion.growth();
  CHECK(growth.of({0}) == 1);
  for (const NodeId node : {NodeId{1}, NodeId{2}}) CHECK(growth.of(node) == 0);
  CHECK(growth.of({3}) == 1);  // not split
  TreeView& tree = open.window.tree();
  // The third level drops from nodes that have dropped themselves
  double lowest = 0;
  for (const PaintedText& painted : painted_texts(*tree.viewport(), {}))
    if (painted.text == QStringLiteral("5")) lowest = std::max(lowest, painted.box.center().y());
  CHECK(std::abs(lowest - tree.place_of_node({2}).value().y()) < 6);
  open.motion.finish();
  open.workbench.playback().seek(1);
  CHECK_FALSE(open.motion.under_way());
}

TEST_CASE("changed values pass to the new ones at once, and not on the way back") {
  Moving open;
  open.workbench.playback().seek(2);
  open.press(Qt::Key_M);
  open.press(Qt::Key_Right);  // tags are updated
  const std::size_t tags = open.row_named("tags");
  const auto shown = [&] {
    QStringList texts;
    for (std::uint64_t c = 0; c < 10; ++c) texts << texts_in(open.view, open.view.cell_rect(tags, c));
    return texts.join(QString());
  };
  open.motion.hold(0);
  CHECK(shown() == QStringLiteral("0000000000"));
  open.motion.hold(0.4);
  CHECK(shown() == QStringLiteral("0000000000"));
  open.motion.hold(0.6);
  CHECK(shown() == QStringLiteral("1111110222"));
  open.motion.hold(1);
  CHECK(shown() == QStringLiteral("1111110222"));
  open.press(Qt::Key_Left);
  CHECK(shown() == QStringLiteral("0000000000"));

  // What a question at the step before hid is not shown for a moment
  Concealment hidden;
  hidden.rows = {"tags"};
  open.workbench.playback().conceal(hidden);
  open.press(Qt::Key_Right);
  open.workbench.playback().conceal({});
  open.motion.hold(0.1);
  CHECK_FALSE(open.motion.growth().from_old);
  CHECK(shown() == QStringLiteral("1111110222"));
}

TEST_CASE("steps back move the columns back, and a step back during a motion turns them round") {
  Moving open;
  open.workbench.playback().seek(sorted);
  open.press(Qt::Key_M);
  open.press(Qt::Key_Left);
  REQUIRE(open.step() == before_sort);
  open.motion.hold(0);
  const std::size_t index = open.row_named("index");
  for (std::uint64_t c = 0; c < 10; ++c)
    CHECK(std::abs(open.view.cell_rect(index, came_from[c]).left() - open.place(c).left()) <= 1);
  open.motion.hold(0.3);
  open.press(Qt::Key_Right);
  CHECK(open.step() == sorted);
  CHECK(open.motion.time() > 0.6);
  CHECK(open.motion.under_way());
}

TEST_CASE("moves are animated only on demand, and the key shows those of the step again") {
  Moving open;
  auto& animate = open.find<QAction>("animate_moves");
  CHECK_FALSE(animate.isChecked());
  CHECK(open.window.menu(QStringLiteral("go")).actions().contains(&animate));
  open.press(Qt::Key_Right);
  CHECK_FALSE(open.motion.under_way());
  open.press(Qt::Key_M, Qt::ShiftModifier);
  CHECK(open.motion.under_way());
  CHECK_FALSE(open.motion.held());
  open.press(Qt::Key_M);
  CHECK(animate.isChecked());
  CHECK(open.motion.under_way());
  open.press(Qt::Key_M);
  CHECK_FALSE(animate.isChecked());
  CHECK_FALSE(open.motion.under_way());
  // The first step has nothing before it that could be shown again.
  open.press(Qt::Key_Home);
  open.press(Qt::Key_M, Qt::ShiftModifier);
  CHECK_FALSE(open.motion.under_way());
}

TEST_CASE("a motion shows frames of its way although some take long to draw, and goes on from there") {
  Moving open;
  open.workbench.playback().seek(sorted);
  std::vector<double> times;
  QObject::connect(&open.motion, &StepMotion::moved, &open.motion, [&] {
    times.push_back(open.motion.time());
    if (times.size() < 4) QThread::msleep(tokens::move_ms / 4);
  });
  open.motion.replay();
  CHECK(QTest::qWaitFor([&] { return !open.motion.under_way(); }, patience_ms));
  REQUIRE(times.size() >= 6);
  for (std::size_t i = 1; i < times.size(); ++i) {
    CHECK(times[i] - times[i - 1] <= 1.0 / 6 + 0.01);
    CHECK(times[i] >= times[i - 1]);
  }
}

TEST_CASE("keys hold a motion at any tenth of its time, back and forth") {
  Moving open;
  open.workbench.playback().seek(sorted);
  const auto tenths = [&] { return std::lround(open.motion.time() * 10); };
  open.press(Qt::Key_Right, Qt::ShiftModifier);  // from the beginning
  CHECK(tenths() == 1);
  open.motion.finish();
  for (const int expected : {9, 8, 7}) {
    open.press(Qt::Key_Left, Qt::ShiftModifier);
    CHECK(tenths() == expected);
    CHECK(open.motion.held());
  }
  open.press(Qt::Key_Right, Qt::ShiftModifier);
  CHECK(tenths() == 8);
  open.settle();
  CHECK(tenths() == 8);
  open.press(Qt::Key_Space, Qt::ShiftModifier);  // goes on
  CHECK_FALSE(open.motion.held());
  open.press(Qt::Key_Space, Qt::ShiftModifier);
  CHECK(open.motion.held());
  CHECK(open.step() == sorted);
  open.press(Qt::Key_Space, Qt::ShiftModifier);
  CHECK(QTest::qWaitFor([&] { return !open.motion.under_way(); }, patience_ms));
  for (int i = 0; i < 12; ++i) open.press(Qt::Key_Left, Qt::ShiftModifier);
  CHECK(tenths() == 0);
  CHECK(open.step() == sorted);
}

TEST_CASE("the slider above the table holds a motion, and is in sight while steps are animated") {
  Moving open;
  auto& slider = open.find<QSlider>("motion");
  CHECK(slider.isHidden());
  open.workbench.playback().seek(sorted);
  open.press(Qt::Key_M);
  open.settle();
  REQUIRE(slider.isVisible());
  CHECK(slider.value() == 100);
  slider.setValue(50);
  REQUIRE(open.motion.held());
  CHECK(std::abs(open.motion.time() - 0.5) < 0.01);
  open.press(Qt::Key_Right, Qt::ShiftModifier);
  CHECK(slider.value() == 60);
  slider.setValue(100);
  CHECK_FALSE(open.motion.under_way());
  open.press(Qt::Key_Home);  // nothing is before it
  slider.setValue(50);
  CHECK(slider.value() == 100);
  open.press(Qt::Key_M);
  CHECK(slider.isHidden());
  // A motion that is shown again brings it too.
  open.workbench.playback().seek(sorted);
  open.press(Qt::Key_M, Qt::ShiftModifier);
  CHECK_FALSE(slider.isHidden());
  open.motion.finish();
  CHECK(slider.isHidden());
}

TEST_CASE("the slider is absent at steps in which nothing moves") {
  Moving open;
  auto& slider = open.find<QSlider>("motion");
  open.press(Qt::Key_M);
  open.press(Qt::Key_End);  // records are copied, and no element changes its place
  open.motion.finish();
  CHECK(slider.isHidden());
  open.workbench.playback().seek(sorted);
  CHECK_FALSE(slider.isHidden());
}

TEST_CASE("where elements travel and planes grow, the table comes first") {
  Moving open;
  open.press(Qt::Key_M);
  open.run("uniform:n=12,dim=2,seed=3", "textbook");
  StepMotion& motion = open.motion;
  bool found = false;
  for (std::uint32_t step = 1; step <= open.last_step() && !found; ++step) {
    open.workbench.playback().seek(step);
    motion.hold(0);
    found = motion.in(Space::position) && !motion.growth().split.empty();
  }
  REQUIRE(found);
  motion.hold(tokens::travels_until - 0.01);
  CHECK(motion.travelled() > 0.5);
  CHECK(motion.growth().time == 0);
  motion.hold(0.8);
  CHECK(motion.travelled() == 1);
  CHECK(motion.growth().time > 0);
}

TEST_CASE("Right during a motion ends it, the steps that follow as fast move nothing, and jumps back neither") {
  Moving open;
  open.press(Qt::Key_M);
  open.press(Qt::Key_Right);
  REQUIRE(open.motion.under_way());
  for (const std::uint32_t step : {sorted + 1, sorted + 2}) {
    QTest::keyClick(&open.window, Qt::Key_Right);
    CHECK(open.step() == step);
    CHECK_FALSE(open.motion.under_way());
  }
  open.motion.finish();
  open.press(Qt::Key_Left);
  CHECK(open.motion.under_way());
  open.press(Qt::Key_End);  // in a hurry
  CHECK_FALSE(open.motion.under_way());
  open.press(Qt::Key_Home);
  CHECK_FALSE(open.motion.under_way());
  open.workbench.playback().seek(before_sort);
  open.motion.finish();
  open.workbench.playback().seek(sorted);
  CHECK(open.motion.under_way());
  open.open_lesson("wald/six-points");
  CHECK_FALSE(open.motion.under_way());
}

TEST_CASE("while steps are played, motions end before the next step") {
  Moving open;
  open.press(Qt::Key_M);
  open.workbench.transport().set_speed(16);
  open.workbench.transport().set_playing(true);
  int reached = 0;
  QObject::connect(&open.workbench.playback(), &Playback::stepped, &open.motion, [&] {
    if (++reached == 2) open.workbench.transport().set_playing(false);
  });
  CHECK(QTest::qWaitFor([&] { return !open.workbench.transport().playing(); }, patience_ms));
  open.motion.finish();
  // A person who scrubs stops the playing.
  open.workbench.playback().seek(sorted);
  open.workbench.transport().set_speed(0.25);
  open.workbench.transport().set_playing(true);
  open.press(Qt::Key_Left, Qt::ShiftModifier);
  CHECK_FALSE(open.workbench.transport().playing());
  CHECK(open.motion.held());
}

TEST_CASE("moves take longer for those who only look on: played, or in front of a class") {
  Moving open;
  Transport& transport = open.workbench.transport();
  CHECK(open.motion.duration_ms() == tokens::move_ms);
  transport.set_speed(1);
  transport.set_playing(true);
  CHECK(open.motion.duration_ms() == 750);
  transport.set_speed(0.25);
  CHECK(open.motion.duration_ms() == tokens::slow_move_ms);
  transport.set_speed(16);
  CHECK(open.motion.duration_ms() == 46);  // of 62
  transport.set_playing(false);
  CHECK(open.motion.duration_ms() == tokens::move_ms);
  auto& presentation = *open.window.findChild<Presentation*>();
  presentation.start({QRect(0, 0, 1280, 720)}, 0);
  CHECK(open.motion.duration_ms() == tokens::slow_move_ms);
  presentation.stop();
  CHECK(open.motion.duration_ms() == tokens::move_ms);
}

TEST_CASE("a motion reveals nothing that a question hides") {
  Moving open;
  open.press(Qt::Key_M);
  open.press(Qt::Key_Right);
  open.motion.hold(0.3);
  const std::size_t x = open.row_named("data[i].x"), index = open.row_named("index");
  REQUIRE(open.view.cell_rect(x, 0).left() != open.place(0).left());
  Concealment hidden;
  hidden.rows = {"data[i].x"};
  open.workbench.playback().conceal(hidden);
  open.settle();
  for (std::uint64_t c = 0; c < 10; ++c) {
    CHECK(open.view.cell_rect(x, c).left() == open.place(c).left());
    // Tags may fly over it
    for (const QString& text : texts_in(open.view, open.view.cell_rect(x, c)))
      CHECK((text == QStringLiteral("?") || text.toInt() < 3));
  }
  CHECK(open.view.cell_rect(index, 0).left() != open.place(0).left());
  hidden.rows = {"index"};
  open.workbench.playback().conceal(hidden);
  CHECK(open.motion.in(Space::position) == nullptr);
  open.press(Qt::Key_M, Qt::ShiftModifier);
  CHECK(open.motion.in(Space::position) == nullptr);

  // The step that was left hid its coordinates: where they were is not to be seen from the next step either.
  open.workbench.playback().conceal({});
  open.workbench.playback().seek(before_sort);
  hidden.rows = {"data[i].x"};
  open.workbench.playback().conceal(hidden);
  open.press(Qt::Key_Right);
  REQUIRE(open.motion.under_way());
  REQUIRE(open.workbench.playback().concealment() == Concealment());
  CHECK(open.motion.in(Space::position)->of("data[i].x") == nullptr);
  CHECK(open.motion.in(Space::position)->of("index") != nullptr);
}

TEST_CASE("once a question is answered, the step moves that it has hidden") {
  Moving open;
  open.workbench.playback().seek(sorted + 1);
  Concealment hidden;
  hidden.tree = true;
  for (const bool animated : {false, true}) {
    open.motion.set_enabled(animated);
    open.workbench.playback().conceal(hidden);
    CHECK_FALSE(open.motion.under_way());
    // The bar above the table says what the answer brings
    const auto labels = open.window.findChildren<QWidget*>();
    CHECK(std::ranges::any_of(labels, [](const QWidget* widget) {
            return widget->accessibleDescription() ==
                   QStringLiteral("changes and moves wait until the question is answered");
          }) == animated);
    open.workbench.playback().conceal({});
    CHECK(open.motion.under_way() == animated);
    CHECK(open.motion.growth().split == (animated ? std::vector<NodeId>{{1}, {2}} : std::vector<NodeId>{}));
  }
}

TEST_CASE("columns out of sight enter from the edge, and leave to it") {
  Moving open;
  open.run("uniform:n=2000,dim=2,seed=3", "wald");
  open.press(Qt::Key_M);
  open.workbench.playback().seek(1);
  open.motion.finish();
  open.workbench.playback().seek(2);
  REQUIRE(open.motion.under_way());
  open.motion.hold(0);
  const Travel& travel = *open.motion.in(Space::position)->of("index");
  const std::size_t index = open.row_named("index");
  open.view.show_rows({"index"});
  const std::uint64_t end = open.view.first_visible() + open.view.visible_count();
  const auto leaves = [&](std::uint64_t column) {
    const QRect old = open.place(travel.came_from(column).value());
    const int top = static_cast<int>(index) * old.height() - open.view.verticalScrollBar()->value();
    return texts_in(open.view, old.translated(0, top)).contains(open.view.shown_text(index, column));
  };
  for (std::uint64_t c = 0; c < 3; ++c) {
    REQUIRE(travel.came_from(c).value() > end + 1);
    CHECK(open.view.cell_rect(index, c).isEmpty());  // just outside
    CHECK(leaves(travel.went_to(c).value()));
  }
  // The first one is the first to come
  bool is_on_its_way = false;
  for (double time = tokens::fades_until; time < tokens::travels_until && !is_on_its_way; time += 0.002) {
    open.motion.hold(time);
    const int left = open.view.cell_rect(index, 0).left();
    is_on_its_way = left > open.place(0).left() && left < open.view.viewport()->width();
  }
  CHECK(is_on_its_way);
}

TEST_CASE("a presentation has the same keys, and its table moves") {
  Moving open;
  auto& presentation = *open.window.findChild<Presentation*>();
  presentation.start({QRect(0, 0, 1280, 720)}, 0);
  REQUIRE(QTest::qWaitForWindowExposed(presentation.audience(), patience_ms));
  open.workbench.playback().seek(before_sort);
  ArrayTableView& view = presentation.audience()->arrays().view();
  QApplication::setActiveWindow(presentation.audience());
  const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(presentation.audience(), key, modifiers);
  };
  press(Qt::Key_M);
  press(Qt::Key_Right);
  REQUIRE(open.motion.under_way());
  for (int i = 0; i < 11; ++i) press(Qt::Key_Left, Qt::ShiftModifier);
  CHECK(open.motion.time() == 0);
  REQUIRE(view.table());
  const std::size_t index = open.row_named("index");
  for (std::uint64_t c = 0; c < 10; ++c)
    CHECK(std::abs(view.cell_rect(index, c).left() - view.cell_rect(0, came_from[c]).left()) <= 1);
  press(Qt::Key_M);
  CHECK_FALSE(open.motion.under_way());
}

TEST_CASE("the list of keys has those of motions") {
  OpenWorkbench open;
  QStringList found;
  for (const KeyGroup& group : keys_of(open.window))
    for (const auto& [key, what] : group.keys)
      if (what.contains(QStringLiteral("moves"), Qt::CaseInsensitive)) found << key;
  CHECK(found == QStringList{"M", "Shift+M", "Shift+Space", "Shift+Left", "Shift+Right"});
}

TEST_CASE("whether moves are animated is kept") {
  const QTemporaryDir folder;
  const Memory memory{folder.filePath("s.ini"), folder.filePath("state")};
  {
    OpenWorkbench open;
    open.window.workspace().remember(memory);
    open.press(Qt::Key_M);
    open.window.close();
  }
  Workbench workbench;
  MainWindow window(workbench);
  window.workspace().remember(memory);
  CHECK_FALSE(workbench.motion().enabled());
  window.workspace().restore_looks();
  CHECK(workbench.motion().enabled());
  CHECK(window.findChild<QAction*>(QStringLiteral("animate_moves"))->isChecked());
}
