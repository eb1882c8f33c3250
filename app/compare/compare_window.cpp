#include "app/compare/compare_window.hpp"

#include <QAction>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QShortcut>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance/cut_label.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/questioning/questioning.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/open_questions.hpp"
#include "app/workbench/workbench.hpp"
#include "app/workbench/workbench_window.hpp"

namespace kdscope {
namespace {

constexpr int timed_builds = 5;

/// What became of a column's run.
struct RunOutcome {
  std::shared_ptr<const Trace> trace;
  std::optional<BuildReport> timing;
  std::optional<Error> error;
};

RunOutcome record_and_time(const RunRequest& run, std::shared_ptr<const Trace> trace, const RunControl& control) {
  RunOutcome outcome;
  if (!trace) {
    auto recording = record_run(run, control);
    if (!recording) {
      outcome.error = recording.error();
      return outcome;
    }
    trace = recording->trace;
  }
  outcome.trace = std::move(trace);
  auto timing = time_run(run, timed_builds, control);
  if (timing) outcome.timing = std::move(*timing);
  return outcome;
}

}  // namespace

CompareWindow::CompareWindow(Workbench& workbench, QWidget* parent)
    : QWidget(parent, Qt::Window),
      workbench_(workbench),
      title_(new CutLabel),
      hidden_(plain_label()),
      level_(plain_label()),
      reveal_(new QPushButton(tr("&Show everything here"))),
      add_(new QPushButton(tr("&Add a column"))),
      again_(new QPushButton(icon(Symbol::run), tr("&Run again"))),
      cancel_(new QPushButton(icon(Symbol::cancel), tr("Cancel"))),
      progress_(new QProgressBar),
      slider_(new QSlider(Qt::Horizontal)),
      player_(new QTimer(this)) {
  setObjectName(QStringLiteral("compare"));
  setWindowTitle(tr("Side by side \u2013 kdscope"));
  setAutoFillBackground(true);
  add_->setObjectName(QStringLiteral("compare_add"));
  reveal_->setObjectName(QStringLiteral("compare_reveal"));
  reveal_->setToolTip(tr("Until this window is closed; the main window goes on asking"));
  again_->setObjectName(QStringLiteral("compare_again"));
  again_->setToolTip(tr("Records and times every column again, on the points as they are now"));
  cancel_->setObjectName(QStringLiteral("compare_cancel"));
  progress_->setRange(0, 1000);
  progress_->setAccessibleName(tr("Progress"));
  level_->setObjectName(QStringLiteral("compare_level"));

  auto* top = new QHBoxLayout;
  top->addWidget(title_);
  top->addWidget(hidden_, 1);
  top->addWidget(reveal_);
  top->addStretch();
  top->addWidget(progress_);
  top->addWidget(cancel_);
  top->addWidget(add_);
  top->addWidget(again_);
  row_ = new QHBoxLayout;
  row_->setSpacing(10);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(top);
  hidden_->setForegroundRole(QPalette::PlaceholderText);
  hidden_->setWordWrap(true);
  layout->addLayout(row_, 1);
  layout->addWidget(make_transport());

  connect(add_, &QPushButton::clicked, this, [this] {
    std::vector<RunRequest> runs;
    for (const CompareColumn* column : columns_) runs.push_back(column->run());
    add_column(another_algorithm(runs, points_->points).value_or(runs.back()));
  });
  connect(reveal_, &QPushButton::clicked, this, [this] {
    reveals_ = true;
    show_all();
  });
  connect(again_, &QPushButton::clicked, this, &CompareWindow::run_again);
  connect(cancel_, &QPushButton::clicked, this, [this] {
    for (CompareColumn* column : waiting_) column->show_waiting(tr("Cancelled."));
    waiting_.clear();
    job_.cancel();
  });
  connect(&job_, &BackgroundJob::progressed, this,
          [this](double fraction) { progress_->setValue(static_cast<int>(1000 * fraction)); });
  connect(player_, &QTimer::timeout, this, [this] {
    alignment_.forward();
    show_all();
    if (alignment_.at_end()) set_playing(false);
  });
  connect(&workbench.playback(), &Playback::axes_changed, this, [this] {
    for (CompareColumn* column : columns_) column->playback().set_axes(workbench_.playback().place().axes);
  });
  connect(&workbench.playback(), &Playback::selected, this, [this] {
    // The window's selection refers to these points only while it shows them.
    if (workbench_.playback().cursor() && workbench_.edits().points() == points_) {
      selected_ = {};
      if (workbench_.playback().selection())
        selected_ = {workbench_.playback().linked().points, workbench_.playback().linked().triangles, {}, {}};
      for (CompareColumn* column : columns_) column->playback().select(selected_);
    }
  });
  connect(&workbench.playback(), &Playback::concealment_changed, this, &CompareWindow::show_all);
  connect(&workbench.questions(), &Questions::changed, this, &CompareWindow::show_hidden);
  connect(new QShortcut(Qt::Key_Escape, this), &QShortcut::activated, this,
          [this] { selected_ == SelectedElements{} ? static_cast<void>(close()) : select({}); });
  connect(new QShortcut(Qt::Key_F7, this), &QShortcut::activated, this, &QWidget::close);

  points_ = workbench.edits().points();
  for (const RunRequest& run : usual_columns(open_run(), points_->points)) add_column(run);
}

RunRequest CompareWindow::open_run() const {
  RunRequest run = workbench_.desk().request();
  // What a file or a person gave cannot be made again from its name.
  if (workbench_.edits().stale() || !workbench_.desk().trace_file().empty()) run.points = workbench_.edits().points();
  return run;
}

QAction* CompareWindow::add_action(const char* name, const QString& text, const QKeySequence& key,
                                   void (LevelAlignment::*move)()) {
  auto* action = new QAction(text, this);
  action->setObjectName(QString::fromLatin1(name));
  action->setShortcut(key);
  action->setToolTip(QStringLiteral("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
  connect(action, &QAction::triggered, this, [this, move] {
    set_playing(false);
    (alignment_.*move)();
    show_all();
  });
  addAction(action);
  return action;
}

QWidget* CompareWindow::make_transport() {
  auto* bar = new QWidget;
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  const auto button = [&](QAction* action, Symbol symbol) {
    action->setIcon(icon(symbol));
    auto* made = new QToolButton;
    made->setDefaultAction(action);
    made->setAutoRaise(true);
    layout->addWidget(made);
  };
  backwards_ = {
      add_action("compare_first", tr("First step"), Qt::Key_Home, &LevelAlignment::first),
      add_action("compare_level_back", tr("Level before"), Qt::CTRL | Qt::Key_Left, &LevelAlignment::level_back),
      add_action("compare_back", tr("Step back"), Qt::Key_Left, &LevelAlignment::back)};
  forwards_ = {add_action("compare_forward", tr("Step forward"), Qt::Key_Right, &LevelAlignment::forward),
               add_action("compare_level_forward", tr("Level to its end"), Qt::CTRL | Qt::Key_Right,
                          &LevelAlignment::level_forward),
               add_action("compare_last", tr("Last step"), Qt::Key_End, &LevelAlignment::last)};
  play_ = new QAction(tr("Play"), this);
  play_->setObjectName(QStringLiteral("compare_play"));
  play_->setShortcut(Qt::Key_Space);
  play_->setToolTip(tr("Play or pause (Space)"));
  connect(play_, &QAction::triggered, this, [this] { set_playing(!player_->isActive()); });
  addAction(play_);
  button(backwards_[0], Symbol::first);
  button(backwards_[1], Symbol::previous_stop);
  button(backwards_[2], Symbol::back);
  button(play_, Symbol::play);
  button(forwards_[0], Symbol::forward);
  button(forwards_[1], Symbol::next_stop);
  button(forwards_[2], Symbol::last);
  slider_->setObjectName(QStringLiteral("compare_slider"));
  slider_->setAccessibleName(tr("Level"));
  slider_->setTickPosition(QSlider::TicksBelow);
  slider_->setTickInterval(1);
  connect(slider_, &QSlider::valueChanged, this, [this](int stage) {
    if (stage == static_cast<int>(alignment_.stage())) return;
    set_playing(false);
    alignment_.go_to(static_cast<std::size_t>(stage));
    show_all();
  });
  layout->addWidget(slider_, 1);
  layout->addWidget(level_);
  return bar;
}

void CompareWindow::add_column(const RunRequest& run) {
  if (columns_.size() >= most_columns) return;
  auto* column = new CompareColumn(run, workbench_);
  columns_.push_back(column);
  row_->addWidget(column, 1);
  connect(column, &CompareColumn::run_changed, this, [this, column] { enqueue(column); });
  connect(column, &CompareColumn::removed, this, [this, column] { remove_column(column); });
  connect(column, &CompareColumn::moved, this, [this, column](int steps) {
    set_playing(false);
    alignment_.move(static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) - columns_.begin()),
                    steps);
    show_all();
  });
  connect(column, &CompareColumn::picked, this, &CompareWindow::select);
  connect(column, &CompareColumn::camera_changed, this, [this, column] {
    for (CompareColumn* other : columns_)
      if (other != column) other->scene().set_camera(column->scene().camera());
  });
  enqueue(column);
}

void CompareWindow::remove_column(CompareColumn* column) {
  std::erase(columns_, column);
  std::erase(waiting_, column);
  if (running_ == column) {
    running_ = nullptr;
    job_.cancel();
  }
  column->hide();
  column->deleteLater();
  align();
  show_columns();
}

void CompareWindow::enqueue(CompareColumn* column) {
  if (running_ == column) job_.cancel();
  if (std::find(waiting_.begin(), waiting_.end(), column) == waiting_.end()) waiting_.push_back(column);
  column->show_waiting(tr("Waits to be run."));
  align();
  run_next();
}

void CompareWindow::run_next() {
  if (!job_.running() && !waiting_.empty()) {
    CompareColumn* column = running_ = waiting_.front();
    waiting_.pop_front();
    const RunRequest run = column->run();
    column->show_waiting(tr("Recording, then timing at full speed\u2026"));
    // The open run is there already.
    const auto there = run == open_run() && !workbench_.edits().stale() ? workbench_.playback().trace() : nullptr;
    const auto end = [this, run](const RunOutcome& outcome) {
      CompareColumn* done = std::exchange(running_, nullptr);
      const bool wanted =
          done && done->run() == run && std::find(waiting_.begin(), waiting_.end(), done) == waiting_.end();
      if (wanted && outcome.error) done->show_error(*outcome.error);
      if (wanted && !outcome.error) done->show_run(outcome.trace, outcome.timing);
      align();
      run_next();
    };
    job_.start(
        {},
        [run, there, end](const RunControl& control) {
          return [end, outcome = std::make_shared<RunOutcome>(record_and_time(run, there, control))] { end(*outcome); };
        },
        [end](const Error& error) {
          end({nullptr, std::nullopt, error});
        });
  }
  show_columns();
}

void CompareWindow::run_again() {
  points_ = workbench_.edits().points();
  selected_ = {};
  const RunRequest open = open_run();
  for (CompareColumn* column : columns_) {
    RunRequest run = column->run();
    run.points = open.points;
    run.data = open.data;
    for (const char* asked : {"query", "k", "radius", "question"})  // of the search that is open now
      if (const auto value = open.search.find(asked); value != open.search.end() && !run.search.empty())
        run.search[asked] = value->second;
    column->set_run(run);
    enqueue(column);
  }
}

void CompareWindow::align() {
  std::vector<std::shared_ptr<const Trace>> traces;
  std::vector<ColumnCosts> costs;
  for (const CompareColumn* column : columns_) {
    traces.push_back(column->trace());
    costs.push_back(column->costs());
  }
  const std::size_t stage = alignment_.stage();
  const bool start = alignment_.at_start();
  alignment_ = LevelAlignment(std::move(traces));
  if (!start) alignment_.go_to(stage);
  // The first time, go to the open run's step; later, stay at what its column shows
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!columns_[i]->trace() || columns_[i]->trace() != workbench_.playback().trace()) continue;
    const bool first = !std::exchange(follows_, true);
    const std::uint32_t wanted = first ? workbench_.playback().step() : columns_[i]->playback().step();
    for (std::size_t to = 0; first && to < alignment_.stage_count() && alignment_.step(i) < wanted; ++to)
      alignment_.go_to(to);
    while (alignment_.step(i) > wanted && !alignment_.at_start()) alignment_.back();
    break;
  }
  const CostScale scale = scale_of(costs);
  for (CompareColumn* column : columns_) column->show_costs(scale);
  const QSignalBlocker quiet(slider_);
  slider_->setRange(0, static_cast<int>(alignment_.stage_count()) - 1);
  show_all();
}

/// What all columns leave out: what the open run's column would give away at its step, because the columns show the
/// same points.
Concealment CompareWindow::concealed() const {
  Concealment all;
  for (std::size_t i = 0; i < columns_.size() && !reveals_; ++i)
    if (columns_[i]->trace() && columns_[i]->trace() == workbench_.playback().trace())
      all.add(concealment_at(workbench_, alignment_.step(i)));
  all.before.reset();  // a step of one run says nothing of the others
  return all;
}

/// Says once for all columns that parts are hidden, and until when.
void CompareWindow::show_hidden() {
  for (QWidget* part : std::initializer_list<QWidget*>{hidden_, reveal_})
    part->setVisible(static_cast<bool>(concealed()));
  hidden_->setText(workbench_.lessons().at_introduction()
                       ? tr("What the lesson's first stop asks for is left out.")
                       : tr("Parts are hidden until the lesson's question is answered in the main window."));
}

void CompareWindow::show_all() {
  const Concealment concealed = this->concealed();
  bool hides_levels = false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const bool open = columns_[i]->trace() && columns_[i]->trace() == workbench_.playback().trace();
    columns_[i]->show_step(alignment_.step(i), alignment_.waits(i),
                           open ? workbench_.lessons().highlights(alignment_.step(i)) : std::vector<Highlight>(),
                           concealed);
    hides_levels = hides_levels || (columns_[i]->trace() && hides_steps(concealed, *columns_[i]->trace()));
    columns_[i]->playback().set_axes(workbench_.playback().place().axes);
    columns_[i]->playback().select(selected_);
  }
  show_hidden();
  const int stage = static_cast<int>(alignment_.stage());
  {
    const QSignalBlocker quiet(slider_);
    slider_->setValue(stage);
  }
  const bool levels = alignment_.stage_count() > 1;  // searches have none
  slider_->setEnabled(levels);
  level_->setText(!levels        ? QString()
                  : stage == 0   ? tr("before level 0")
                  : hides_levels ? tr("level %1").arg(stage - 1)
                                 : tr("level %1 of %2").arg(stage - 1).arg(alignment_.stage_count() - 2));
  slider_->setTickPosition(hides_levels ? QSlider::NoTicks : QSlider::TicksBelow);
  for (QAction* action : backwards_) action->setEnabled(!alignment_.at_start());
  for (QAction* action : forwards_) action->setEnabled(!alignment_.at_end());
}

void CompareWindow::show_columns() {
  for (CompareColumn* column : columns_) column->set_removable(columns_.size() > fewest_columns);
  add_->setEnabled(columns_.size() < most_columns);
  const bool busy = job_.running() || !waiting_.empty();
  progress_->setVisible(busy);
  cancel_->setVisible(busy);
  const bool search = !columns_.empty() && !columns_.front()->run().search.empty();
  // A long name of a file or a generator: its middle gives way first.
  const QString data = foreign_text(columns_.empty() ? std::string() : columns_.front()->run().data);
  constexpr int most_letters = 36;
  const QFontMetrics metrics = title_->fontMetrics();
  title_->setToolTip(plain_tip(data));
  title_->setText((search ? tr("The same query among %L1 points of %2, turn by turn")
                          : tr("The same %L1 points of %2, aligned by level"))
                      .arg(points_->points.size())
                      .arg(metrics.elidedText(data, Qt::ElideMiddle, most_letters * metrics.averageCharWidth())));
}

void CompareWindow::select(const SelectedElements& elements) {
  selected_ = elements;
  for (CompareColumn* column : columns_) column->playback().select(elements);
  if (workbench_.edits().points() != points_) return;
  if (elements == SelectedElements{})
    workbench_.playback().select(Selection{});
  else if (elements.triangles.size() == 1)
    workbench_.playback().select({Space::triangle, elements.triangles.front()});
  else if (elements.points.size() == 1)
    workbench_.playback().select({Space::point, elements.points.front()});
}

void CompareWindow::set_playing(bool playing) {
  if (playing == player_->isActive()) return;
  if (playing) {
    if (alignment_.at_end()) alignment_.first();
    player_->start(static_cast<int>(1000 / workbench_.transport().steps_per_second()));
    show_all();
  } else {
    player_->stop();
  }
  for (CompareColumn* column : columns_)
    column->motion().set_duration(playing ? tokens::move_ms_between(player_->interval()) : tokens::move_ms);
  play_->setIcon(icon(playing ? Symbol::pause : Symbol::play));
  play_->setText(playing ? tr("Pause") : tr("Play"));
}

void add_side_by_side(WorkbenchWindow& window, Workbench& workbench) {
  QMenu& view = window.menu(QStringLiteral("view"));
  auto* action = new QAction(CompareWindow::tr("&Side by side\u2026"), &window);
  action->setObjectName(QStringLiteral("side_by_side"));
  action->setShortcut(Qt::Key_F7);
  action->setEnabled(false);
  QObject::connect(&workbench.playback(), &Playback::opened, action, [action] { action->setEnabled(true); });
  const auto shown = std::make_shared<QPointer<CompareWindow>>();
  QObject::connect(action, &QAction::triggered, &window, [&window, &workbench, shown] {
    CompareWindow* compared = *shown;
    if (!compared) {
      *shown = compared = new CompareWindow(workbench, &window);
      compared->setAttribute(Qt::WA_DeleteOnClose);
      const QSize borders = window.frameGeometry().size() - window.size();
      compared->resize(window.size().boundedTo(window.screen()->availableGeometry().size() - borders));
    }
    compared->show();
    compared->raise();
    compared->activateWindow();
  });
  QObject::connect(action, &QAction::enabledChanged, &window, [shown](bool enabled) {
    if (*shown && !enabled) (*shown)->hide();
  });
  view.insertAction(view.actions().value(0), action);
}

}  // namespace kdscope
