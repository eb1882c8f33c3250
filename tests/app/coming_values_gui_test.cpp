// Tests that the window waits for no values that are elsewhere: it shows what is here, and all of a step once the rest
// has come.
#include <QGridLayout>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <random>
#include <utility>

#include "app/kernel/kernel_practice.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/biography_pane.hpp"
#include "app/panes/candidates_pane.hpp"
#include "app/panes/change_bar.hpp"
#include "app/panes/checks_pane.hpp"
#include "app/panes/curtain.hpp"
#include "app/panes/generated_practice.hpp"
#include "app/panes/histogram_pane.hpp"
#include "app/panes/legend.hpp"
#include "app/panes/message_bar.hpp"
#include "app/panes/narration_pane.hpp"
#include "app/panes/parallel_coordinates_pane.hpp"
#include "app/panes/source_pane.hpp"
#include "app/panes/timeline_pane.hpp"
#include "app/panes/transport_bar.hpp"
#include "app/panes/tree_pane.hpp"
#include "app/panes/viewer.hpp"
#include "app/views/array_table_view.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/small_leaves.hpp"
#include "tests/support/point_algorithms.hpp"
#include "visualizer/model/missing_values.hpp"

using namespace kdscope;

namespace {

/// Where values wait until a test lets them go.
struct Gate {
  void open(bool now = true) {
    {
      const std::lock_guard lock(mutex);
      is_open = now;
    }
    changed.notify_all();
  }
  /// The window's thread is counted and let through, so that a view that waits fails a test and hangs none.
  void pass() {
    const bool is_window = std::this_thread::get_id() == window;
    std::unique_lock lock(mutex);
    const bool passes = changed.wait_for(lock, std::chrono::milliseconds(is_window ? 0 : patience_ms),
                                         [this] { return is_open || is_lost; });
    if (is_window && !passes) ++waits_of_window;
    if (!is_window) ++passed;
    if (is_lost || (!passes && !is_window))
      throw ErrorException({ErrorKind::device_failure, "the line is lost", "", "run again"});
  }
  std::mutex mutex;
  std::condition_variable changed;
  bool is_open = false, is_lost = false;
  std::thread::id window = std::this_thread::get_id();
  std::atomic<int> waits_of_window = 0, passed = 0;
};

/// Returns a run whose values are behind a gate, except for those with which a window opens it.
RecordedRun behind(const std::shared_ptr<Gate>& gate, const RecordedRun& run) {
  auto trace = std::make_shared<Trace>(*run.trace);
  for (Trace::Array& array : trace->arrays)
    for (ArrayVersion& version : array.versions)
      version.values = TypedArray::later(version.values.type(), version.values.size(), [gate, values = version.values] {
        gate->pass();
        return values;
      });
  trace->index_arrays();
  gate->open();
  REQUIRE(fetch_frame(*trace));
  gate->passed = 0;
  gate->open(false);
  RecordedRun late = run;
  late.trace = std::move(trace);
  return late;
}

/// All panes that show a step, side by side, so that none is spared its work by being hidden.
struct LatePanes {
  LatePanes() {
    workbench.motion().set_enabled(false);
    QObject::connect(&workbench.messages(), &Messages::failed,
                     [this](const Error& error) { errors.push_back(error.message()); });
    tree->follow(workbench);
    attach(*scene, workbench.playback(), workbench);
    cover_while_coming(*arrays, workbench.playback(), workbench.coming_values());
    auto* layout = new QGridLayout(&window);
    int place = 0;
    for (QWidget* pane : std::initializer_list<QWidget*>{
             scene, tree, arrays, new NarrationPane(workbench), new SourcePane(workbench), new ChecksPane(workbench),
             new HistogramPane(workbench), new CandidatesPane(workbench), new ParallelCoordinatesPane(workbench),
             new BiographyPane(workbench), new LegendPane(workbench), new TimelinePane(workbench)}) {
      layout->addWidget(pane, place / 4, place % 4);
      ++place;
    }
    for (QWidget* bar : std::initializer_list<QWidget*>{new ChangeBar(workbench), transport, message})
      layout->addWidget(bar, place++, 0, 1, 4);
    window.resize(1600, 1200);
    window.show();
    REQUIRE(QTest::qWaitForWindowExposed(&window, patience_ms));
  }
  ~LatePanes() { gate->open(); }
  void settle() { wait_until_idle(workbench); }
  RecordedRun record(const std::string& algorithm, const std::string& data, const Parameters& parameters = {}) {
    return record_run({data, algorithm, parameters, Backend::cpu}).value();
  }
  void show(const RecordedRun& run) {
    workbench.desk().show_run(run);
    settle();
  }
  void wait_for_values() {
    REQUIRE(QTest::qWaitFor([&] { return !workbench.playback().wait(); }, patience_ms));
    settle();
  }
  Workbench workbench;
  QWidget window;
  TransportActions actions{workbench, &window};
  TreePane* tree = new TreePane;
  SceneView* scene = new SceneView;
  ArraysPane* arrays = new ArraysPane(workbench);
  TransportBar* transport = new TransportBar(workbench, actions);
  MessageBar* message = new MessageBar(workbench);
  std::shared_ptr<Gate> gate = std::make_shared<Gate>();
  std::vector<std::string> errors;
};

/// What a person sees of the current step: pictures, the cells of the arrays, and every text.
struct Seen {
  std::uint32_t step = 0;
  QImage tree, scene;
  std::vector<std::string> texts;
};

Seen seen_now(LatePanes& open) {
  open.settle();
  const Playback& playback = open.workbench.playback();
  Seen seen{playback.step(), open.tree->view().grab().toImage(), open.scene->picture(), {}};
  seen.texts.push_back(std::to_string(playback.cursor()->state_hash()));
  seen.texts.push_back(std::to_string(playback.changes().size()));
  if (const ArrayTable* table = open.arrays->view().table())
    for (std::size_t row = 0; row < table->rows().size(); ++row)
      for (std::uint64_t column = 0; column < std::min<std::uint64_t>(30, table->column_count()); ++column) {
        const TableCell cell = table->cell(row, column);
        seen.texts.push_back(cell.text + "|" + cell.old_text + "|" +
                             (cell.node ? std::to_string(cell.node->value) : "") + (cell.changed ? "c" : "") +
                             (cell.settled ? "s" : ""));
      }
  for (const QLabel* label : open.window.findChildren<QLabel*>())
    if (label->isVisible())  // how many rows are in sight depends on the heights of other panes
      seen.texts.push_back(label->text().section(QStringLiteral(" In sight"), 0, 0).toStdString());
  return seen;
}

void check_same(const Seen& now, const Seen& then) {
  CHECK(now.step == then.step);
  CHECK(now.tree == then.tree);
  CHECK(now.scene == then.scene);
  CHECK(now.texts == then.texts);
}

/// Returns a few steps of a run in a random order, the last one among them. A step that changes nothing keeps the
/// table of the step from which one comes, so it does not look the same from everywhere.
std::vector<std::uint32_t> some_steps(const std::shared_ptr<const Trace>& trace, std::mt19937& random) {
  const auto count = static_cast<std::uint32_t>(trace->steps.size());
  std::vector<std::uint32_t> steps{count - 1, count / 2, count / 2 + 1 < count ? count / 2 + 1 : 0};
  steps.push_back(static_cast<std::uint32_t>(random() % count));
  steps.push_back(static_cast<std::uint32_t>(random() % count));
  std::shuffle(steps.begin(), steps.end(), random);
  std::erase_if(steps, [&](std::uint32_t step) {
    Cursor now(trace), before(trace);
    now.seek(step);
    before.seek(step > 0 ? step - 1 : 0);
    return step > 0 && !changed_space(now, &before, Space::position);
  });
  return steps;
}

/// Looks at a random share of the values that are missing at a step, as another view may have done.
void look_at_some(const Trace& trace, std::uint32_t step, std::mt19937& random) {
  for (const TypedArray& values : missing_values(trace, step))
    if (random() % 3 == 0) values.bytes();
}

}  // namespace

TEST_CASE("coming values: every builder's steps look as in a trace that is here, in any order of arrival",
          "[screen][share]") {
  LatePanes open;
  Playback& playback = open.workbench.playback();
  std::mt19937 random(20);
  for (const AlgorithmSpec& algorithm : test::shown_algorithms()) {
    INFO(algorithm.id);
    const RecordedRun run = open.record(
        algorithm.id, algorithm.takes_triangles ? "triangles:kind=soup,n=12,seed=3" : "uniform:n=90,dim=2,seed=5",
        small_leaves(algorithm));
    const std::vector<std::uint32_t> steps = some_steps(run.trace, random);
    std::vector<Seen> here;
    open.show(run);
    for (const std::uint32_t step : steps) {
      playback.seek(step);
      here.push_back(seen_now(open));
    }
    open.gate = std::make_shared<Gate>();
    const RecordedRun late = behind(open.gate, run);
    open.show(late);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      INFO("step " << steps[i]);
      const std::uint32_t before = playback.step();
      open.gate->open();
      look_at_some(*late.trace, steps[i], random);
      open.gate->open(false);
      // Somebody may ask for another step first, and leave it
      if (random() % 2 == 0) playback.seek(static_cast<std::uint32_t>(random() % playback.step_count()));
      for (std::uint64_t turns = random() % 6; turns > 0; --turns) QCoreApplication::processEvents();
      playback.seek(steps[i]);
      open.settle();
      CHECK(playback.target() == steps[i]);
      if (playback.wait()) CHECK((playback.step() == before || playback.step() != steps[i]));
      open.gate->open();
      open.wait_for_values();
      const int waits = open.gate->waits_of_window;
      check_same(seen_now(open), here[i]);
      CHECK(open.gate->waits_of_window == waits);
    }
    CHECK(open.gate->waits_of_window == 0);
    CHECK(open.errors.empty());
  }
  CHECK(open.workbench.coming_values().all_arrays() > 0);
}

TEST_CASE("coming values: panes are covered meanwhile, Cancel leaves them, and another step fetches its own") {
  LatePanes open;
  Playback& playback = open.workbench.playback();
  open.show(behind(open.gate, open.record("wald", "uniform:n=300,dim=2,seed=5")));
  playback.seek(3);
  REQUIRE(playback.wait());
  CHECK(playback.step() == 0);
  CHECK(playback.target() == 3);
  MessageBar& bar = *open.message;
  REQUIRE(QTest::qWaitFor([&] { return bar.isVisible(); }, patience_ms));
  CHECK(bar.text().startsWith(QStringLiteral("Values of step 3 come from the file: 0 of ")));
  CHECK(open.window.findChild<QSpinBox*>(QStringLiteral("step_number"))->value() == 3);
  auto* cover = open.arrays->findChild<QLabel*>(QStringLiteral("coming"));
  REQUIRE(cover);
  REQUIRE(QTest::qWaitFor([&] { return cover->isVisible(); }, patience_ms));
  CHECK(cover->text() == QStringLiteral("Step 3: its values come"));
  CHECK(playback.wait()->arrays.size() > 1);
  open.workbench.transport().forward();
  CHECK(playback.target() == 4);
  QTest::mouseClick(bar.findChild<QPushButton*>(QStringLiteral("cancel")), Qt::LeftButton);
  open.settle();
  CHECK_FALSE(playback.wait());
  CHECK_FALSE(bar.isVisible());
  CHECK_FALSE(cover->isVisible());
  CHECK(playback.step() == 0);
  CHECK(open.window.findChild<QSpinBox*>(QStringLiteral("step_number"))->value() == 0);
  open.gate->open();
  REQUIRE(QTest::qWaitFor([&] { return open.gate->passed > 0; }, patience_ms));
  open.settle();
  CHECK(open.gate->passed == 1);  // the one that was on its way
  playback.seek(4);
  open.wait_for_values();
  CHECK(playback.step() == 4);
  CHECK(open.gate->passed > 1);
  CHECK_FALSE(bar.isVisible());
  CHECK(open.errors.empty());

  // Steps that are left quickly fetch nothing but what was on its way.
  open.gate->open(false);
  const int before = open.gate->passed;
  for (std::uint32_t step = 5; step < playback.step_count(); ++step) playback.seek(step);
  playback.seek(4);
  open.gate->open();
  open.wait_for_values();
  CHECK(open.gate->passed <= before + 1);
  CHECK(open.gate->waits_of_window == 0);
}

TEST_CASE("coming values: those that are lost are one sentence, and what is shown stays") {
  LatePanes open;
  Playback& playback = open.workbench.playback();
  open.show(behind(open.gate, open.record("wald", "uniform:n=300,dim=2,seed=5")));
  open.gate->open();
  playback.seek(2);
  open.wait_for_values();
  CHECK(open.errors.empty());
  open.gate->is_lost = true;
  const std::uint32_t lost = playback.step_count() / 2;
  playback.seek(lost);
  open.wait_for_values();
  REQUIRE(open.errors.size() == 1);
  CHECK(open.errors.front() == "the line is lost; run again.");
  CHECK(playback.step() == 2);
  // The next look asks again
  open.gate->is_lost = false;
  playback.seek(lost);
  open.wait_for_values();
  CHECK(playback.step() == lost);
  CHECK(open.errors.size() == 1);
  CHECK(open.gate->waits_of_window == 0);
}

TEST_CASE("coming values: any order of steps, looks and arrivals leaves the window standing") {
  LatePanes open;
  open.workbench.motion().set_enabled(true);
  std::mt19937 random(7);
  for (const auto& [algorithm, data] :
       {std::pair{"wald", "uniform:n=100,dim=2,seed=5"}, {"zhou-vvh", "triangles:kind=soup,n=12,seed=3"}}) {
    INFO(algorithm);
    auto run = record_run({data, algorithm, {}, Backend::cpu});
    if (!run) run = record_run({"uniform:n=100,dim=3,seed=1", algorithm, {}, Backend::cpu});
    REQUIRE(run);
    open.gate = std::make_shared<Gate>();
    open.show(behind(open.gate, *run));
    Playback& playback = open.workbench.playback();
    for (int round = 0; round < 60; ++round) {
      open.gate->open(random() % 2 == 0);
      switch (random() % 6) {
        case 0:
          playback.walk_changes(random() % 2 ? 1 : -1);
          break;
        case 1:
          playback.select(
              Selection{random() % 2 ? Space::point : Space::node, static_cast<std::uint32_t>(random() % 9)});
          break;
        case 2:
          playback.stop_waiting();
          break;
        case 3:
          playback.compare_with({random() % 2 ? ComparedWith::previous_level : ComparedWith::previous_step, 0});
          break;
        default:
          playback.seek(static_cast<std::uint32_t>(random() % playback.step_count()));
      }
      for (std::uint64_t turns = random() % 6; turns > 0; --turns) QCoreApplication::processEvents();
    }
    open.gate->open();
    open.wait_for_values();
    CHECK(open.gate->waits_of_window == 0);
    CHECK(open.errors.empty());
  }
}

TEST_CASE("coming values: an exercise begins once the values of its step and of the one before are here") {
  LatePanes open;
  Playback& playback = open.workbench.playback();
  KernelPractice practice(open.workbench);
  const RecordedRun run = open.record("wald", "uniform:n=300,dim=2,seed=5");
  const std::uint32_t late = static_cast<std::uint32_t>(run.trace->steps.size()) / 2;
  open.show(run);
  playback.seek(late);
  practice.start();
  REQUIRE(practice.exercise());
  const std::uint32_t step = practice.exercise()->step();
  const std::size_t cells = practice.exercise()->cells().size();
  CHECK(practice.steps().size() > 1);
  practice.leave();

  open.show(behind(open.gate, run));
  open.gate->open();
  playback.seek(late);
  open.wait_for_values();
  // One that is waited for no more does not begin
  open.gate->open(false);
  for (const bool left : {true, false}) {
    practice.start();
    CHECK_FALSE(practice.exercise());
    if (step > late) REQUIRE(playback.wait());
    if (left) playback.stop_waiting();
    open.gate->open();
    open.wait_for_values();
    open.gate->open(false);
    CHECK((practice.exercise() == nullptr) == left);
  }
  REQUIRE(practice.exercise());
  CHECK(practice.exercise()->step() == step);
  CHECK(practice.exercise()->cells().size() == cells);
  CHECK(playback.step() == step - 1);
  CHECK(practice.steps() == std::vector{step});  // the others are not here
  practice.show_thread();
  practice.leave();
  open.gate->open();
  open.wait_for_values();
  CHECK(playback.step() == late);
  CHECK(open.errors.empty());
  CHECK(open.gate->waits_of_window == 0);
}

TEST_CASE("coming values: an exercise on fresh data whose values are lost, or waited for no more, is left") {
  for (const bool lost : {true, false}) {
    INFO((lost ? "lost" : "waited for no more"));
    LatePanes open;
    Playback& playback = open.workbench.playback();
    RunDesk& desk = open.workbench.desk();
    // Put the values of the fresh run behind the gate before the exercise goes on with it
    bool is_fresh = false;
    QObject::connect(&playback, &Playback::opened, &open.window, [&] {
      if (!std::exchange(is_fresh, false)) return;
      const RecordedRun run{desk.request(), desk.trace_file(), playback.trace()};
      QMetaObject::invokeMethod(
          &open.window, [&open, &desk, run] { desk.show_run(behind(open.gate, run)); }, Qt::QueuedConnection);
    });
    KernelPractice practice(open.workbench);
    const RecordedRun run = open.record("wald", "uniform:n=300,dim=2,seed=5");
    open.show(run);
    const std::uint32_t late = playback.step_count() / 2;
    playback.seek(late);
    practice.start();
    REQUIRE(practice.exercise());
    is_fresh = true;
    practice.repeat();
    REQUIRE(QTest::qWaitFor([&] { return playback.trace() != run.trace && playback.wait(); }, patience_ms));
    CHECK(practice.exercise());
    if (lost) {
      open.gate->is_lost = true;
      open.gate->changed.notify_all();
    } else {
      playback.stop_waiting();
    }
    REQUIRE(QTest::qWaitFor([&] { return !practice.exercise(); }, patience_ms));
    open.gate->open();
    open.wait_for_values();
    CHECK(playback.trace() == run.trace);
    CHECK(playback.step() == late);
    CHECK(open.errors.size() == (lost ? 1 : 0));
    CHECK(open.gate->waits_of_window == 0);
  }
}

TEST_CASE("coming values: questions about a step are asked once what answers them is here") {
  LatePanes open;
  Playback& playback = open.workbench.playback();
  GeneratedPractice practice(open.workbench);
  auto searched = record_run({"uniform:n=300,dim=2,seed=5",
                              "wald",
                              {},
                              Backend::cpu,
                              {},
                              {},
                              {},
                              {{"question", "nearest"}, {"query", "0.5,0.5"}, {"search", "stack-free"}}})
                      .value();
  for (const RecordedRun& run : {open.record("wald", "uniform:n=300,dim=2,seed=5"), searched}) {
    open.gate = std::make_shared<Gate>();
    open.show(behind(open.gate, run));
    const std::uint32_t last = playback.step_count() - 1;
    for (const std::uint32_t from : {0u, last / 3, last / 2}) {
      INFO(run.trace->header.algorithm << ", from step " << from);
      open.gate->open();
      playback.seek(from);
      open.wait_for_values();
      open.gate->open(false);
      practice.ask();
      const bool waits = playback.wait();
      if (waits) CHECK(open.workbench.questions().count() == 0);
      open.gate->open();
      open.wait_for_values();
      CHECK(open.workbench.questions().count() > 0);
      CHECK(practice.can_repeat());
      if (from > 0) CHECK(waits);
    }
    CHECK(open.errors.empty());
    CHECK(open.gate->waits_of_window == 0);
  }
}

TEST_CASE("coming values: the tree of a lesson's introduction appears once it is here") {
  LatePanes open;
  const RecordedRun run = open.record("wald", "uniform:n=6000,dim=2,seed=5");
  Lesson lesson;
  lesson.title = "A large tree";
  lesson.algorithm = "wald";
  Stop stop;
  stop.title = "The first step";
  stop.select = path_text(run.trace->steps.front());
  stop.occurrence = 1;
  lesson.stops = {stop};
  open.workbench.desk().show_saved_run(behind(open.gate, run), lesson, 0);
  open.settle();
  const QImage plain = open.tree->view().grab().toImage();
  open.workbench.lessons().go_to_stop(-1);
  open.settle();
  REQUIRE(open.workbench.lessons().at_introduction());
  CHECK(open.tree->view().grab().toImage() == plain);
  open.gate->open();
  REQUIRE(QTest::qWaitFor([&] { return open.tree->view().grab().toImage() != plain; }, patience_ms));
  // It goes with the introduction, and stays away where it comes too late
  open.workbench.lessons().go_to_stop(0);
  open.settle();
  CHECK(open.tree->view().grab().toImage() == plain);
  CHECK(open.errors.empty());
  CHECK(open.gate->waits_of_window == 0);
}
