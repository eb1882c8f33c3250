#include "app/panes/arrays_pane.hpp"

#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <ranges>

#include "app/appearance/appearance.hpp"
#include "app/appearance/few_tabs.hpp"
#include "app/appearance/form_field.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/change_bar.hpp"
#include "app/panes/curtain.hpp"
#include "app/panes/legend.hpp"
#include "app/panes/rows_of_stop.hpp"
#include "app/panes/viewer.hpp"
#include "app/views/shown_updates.hpp"
#include "app/workbench/step_motion.hpp"

namespace kdscope {
namespace {

/// Above these numbers of columns, strips are offered, and shown first.
constexpr std::uint64_t offered_above = 200, first_above = 20000;
/// Choosing a larger segment marks nothing in other panes: that would take too long.
constexpr std::uint64_t most_linked = 1'000'000;
/// The number of rows, below the index row, that a presentation makes room for.
constexpr std::size_t usual_rows = 6;

QString more_rows(qsizetype count) {
  return count == 1 ? ArraysPane::tr("+1 row") : ArraysPane::tr("+%1 rows").arg(count);
}

/// Joins ranges that cannot be distinguished in so many pixels.
std::vector<IndexRange> joined(const std::vector<IndexRange>& ranges, std::uint64_t columns, int pixels) {
  const std::uint64_t gap = columns / (2 * static_cast<std::uint64_t>(std::max(1, pixels)));
  std::vector<IndexRange> few;
  for (const IndexRange& r : ranges) {
    if (!few.empty() && r.begin <= few.back().end + gap)
      few.back().end = std::max(few.back().end, r.end);
    else
      few.push_back(r);
  }
  return few;
}

}  // namespace

ArraysPane::ArraysPane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      head_(new QWidget),
      tabs_(new QTabBar),
      where_(text_line({"strips_where"}, false)),
      hidden_(named(new CutLabel, {"hidden_rows"})),
      more_(new FewTabs(*tabs_, tr("Other tables"))),
      folded_(tick<QToolButton>({"folded_rows"}, [this] { show_step(); })),
      back_(button<QToolButton>({"strips_back", tr("Back"), tr("Back to more columns (Backspace or Esc)")},
                                [this] { go_back(); })),
      toggle_(
          tick<QToolButton>({"strips_toggle", tr("Segments"), tr("Segments as strips, or the elements themselves")})),
      stack_(new QStackedWidget),
      view_(new ArrayTableView),
      strips_(new SegmentStrips),
      overview_(new ColumnOverview),
      find_bar_(new FindBar(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* head = new QHBoxLayout(head_);
  head->setContentsMargins(0, 0, 6, 0);
  head->addWidget(tabs_);
  head->addWidget(more_);
  head->addWidget(folded_);
  head->addWidget(hidden_);
  head->addWidget(where_, 1);
  head->addWidget(back_);
  head->addWidget(toggle_);
  stack_->addWidget(view_);
  stack_->addWidget(strips_);
  layout->addWidget(head_);
  layout->addWidget(stack_, 1);
  layout->addWidget(overview_);
  layout->addWidget(find_bar_);
  for (QLabel* label : {hidden_, where_}) {
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setContentsMargins(8, 0, 0, 0);
  }
  where_->setMinimumWidth(0);
  where_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  for (QToolButton* each : {folded_, back_, toggle_}) each->setFocusPolicy(Qt::StrongFocus);
  more_->setObjectName(QStringLiteral("more_tables"));
  view_->let_rows_continue_beside();
  view_->installEventFilter(this);
  strips_->installEventFilter(this);
  overview_->hide();
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setAccessibleName(tr("Index space"));
  for (QWidget* each : std::initializer_list<QWidget*>{tabs_, folded_}) each->hide();
  const auto restyle = [this] {
    view_->set_appearance(theme_of(workbench_.looks().appearance()),
                          text_scale_of(*this, workbench_.looks().appearance()));
    strips_->set_appearance(theme_of(workbench_.looks().appearance()),
                            text_scale_of(*this, workbench_.looks().appearance()));
  };
  restyle();

  connect(tabs_, &QTabBar::tabBarClicked, this, [this] { space_chosen_ = true; });
  connect(tabs_, &QTabBar::currentChanged, this, &ArraysPane::choose_space);
  connect(more_, &FewTabs::chosen, this, [this] { space_chosen_ = true; });
  connect(&workbench.playback(), &Playback::opened, this, &ArraysPane::open_run);
  step_shown_ = new ShownUpdate(this, [this] { show_step(); });
  connect(&workbench.playback(), &Playback::stepped, step_shown_, &ShownUpdate::request);
  for (const auto signal : {&Playback::baseline_changed, &Playback::concealment_changed})
    connect(&workbench.playback(), signal, step_shown_, &ShownUpdate::request);
  for (const auto& [signal, show] : {std::pair{&Playback::axes_changed, &ArraysPane::show_axes},
                                     std::pair{&Playback::selected, &ArraysPane::show_selection},
                                     std::pair{&Playback::change_walked, &ArraysPane::show_change}})
    connect(&workbench.playback(), signal, new ShownUpdate(this, [this, show = show] { (this->*show)(); }),
            &ShownUpdate::request);
  when_restyled(*this, workbench, [this, restyle] {
    restyle();
    if (view_->table() && !step_shown_->is_stale())
      overview_->show_table(*view_->table(), theme_of(workbench_.looks().appearance()));
  });
  connect(&workbench.questions(), &Questions::changed, this, &ArraysPane::show_spoken);
  connect(&workbench.motion(), &StepMotion::moved, this, &ArraysPane::show_motion);
  connect(view_, &ArrayTableView::resized, this, [this] {
    if (!view_->table() || step_shown_->is_stale() || !choose_rows()) return;
    asked_ = {no_id, -1};  // other rows may leave room for other columns
    show_step();
  });
  connect(view_, &ArrayTableView::window_changed, this, &ArraysPane::update_overview);
  connect(overview_, &ColumnOverview::pressed, view_, &ArrayTableView::centre);
  connect(view_, &ArrayTableView::cell_picked, this, &ArraysPane::pick_cell);
  connect(view_, &ArrayTableView::range_picked, this, &ArraysPane::pick_range);
  connect(view_, &ArrayTableView::segment_picked, this, &ArraysPane::pick_segment);
  connect(view_, &ArrayTableView::picked_nothing, this, [this] { workbench_.playback().select(Selection{}); });
  connect(find_bar_, &FindBar::text_changed, this, &ArraysPane::search);
  connect(find_bar_, &FindBar::found, this, &ArraysPane::show_found);
  connect(find_bar_, &FindBar::closed, this, &ArraysPane::stop_finding);
  connect(toggle_, &QToolButton::clicked, this, &ArraysPane::show_strips);
  connect(strips_, &SegmentStrips::elements_wanted, this, [this](IndexRange columns) {
    open_elements(columns);
    select_segment(columns);
    view_->show_from(columns.begin);
  });
  connect(strips_, &SegmentStrips::strips_changed, this, &ArraysPane::show_head);
  connect(strips_, &SegmentStrips::chosen, this, &ArraysPane::select_segment);
  // Where strips begin also reveals the nodes that own them.
  new Curtain(strips_, workbench, [](const Concealment& concealed, const Trace& trace) {
    return concealed.strips || concealed.hides_nodes(trace);
  });
  show_head();
  if (workbench.playback().cursor()) {
    open_run();
    show_step();
  }
}

void ArraysPane::pick_cell(std::size_t row, std::uint64_t column) {
  workbench_.playback().select(selection_of_cell(*view_->table(), space(), row, column));
  workbench_.playback().click_cell(space(), view_->table()->rows()[row].name, column);
}

void ArraysPane::pick_range(std::size_t row, std::uint64_t first, std::uint64_t count) {
  const ArrayTable& table = *view_->table();
  const std::string order =
      table.has_orders() && table.rows()[row].dimension != no_id ? table.rows()[row].name : std::string();
  workbench_.playback().select({space(), first, order, count});
}

void ArraysPane::pick_segment(std::uint64_t column) {
  workbench_.playback().select(
      segment_at(*workbench_.playback().cursor(), space(), column).value_or(Selection{space(), column}));
  workbench_.playback().click_cell(space(), {}, column);
}

void ArraysPane::show_strips(bool strips) {
  strips = strips && view_->table() && view_->table()->column_count() > offered_above;
  opened_from_strips_ = false;
  if (strips)
    strips_->open(*workbench_.playback().cursor(), *view_->table(),
                  spaces_[static_cast<std::size_t>(tabs_->currentIndex())]);
  const bool focused = view_->hasFocus() || strips_->hasFocus() || toggle_->hasFocus();
  stack_->setCurrentWidget(strips ? static_cast<QWidget*>(strips_) : view_);
  if (focused) stack_->currentWidget()->setFocus();
  show_head();
  update_overview();
}

void ArraysPane::open_elements(IndexRange columns) {
  const bool focused = strips_->hasFocus();
  opened_from_strips_ = true;
  stack_->setCurrentWidget(view_);
  if (focused) view_->setFocus();
  view_->show_from(columns.begin);
  show_head();
  update_overview();
}

void ArraysPane::select_segment(IndexRange columns) {
  const std::uint64_t count = columns.end - columns.begin;
  if (spaces_[static_cast<std::size_t>(tabs_->currentIndex())] == Space::position && count <= most_linked)
    workbench_.playback().select({Space::position, columns.begin, {}, count});
}

/// Goes back from elements to the strips that they were opened from, and from strips to more columns.
bool ArraysPane::go_back() {
  if (shows_strips()) return strips_->go_back();
  if (!opened_from_strips_) return false;
  opened_from_strips_ = false;
  const bool focused = view_->hasFocus() || back_->hasFocus();
  strips_->show_step(*workbench_.playback().cursor(), *view_->table(),
                     spaces_[static_cast<std::size_t>(tabs_->currentIndex())]);
  stack_->setCurrentWidget(strips_);
  if (focused) strips_->setFocus();
  show_head();
  update_overview();
  return true;
}

void ArraysPane::show_head() {
  if (!view_->table() && !spaces_.empty()) return place_head();  // while a step is on its way, the head stays
  const bool offered = view_->table() && view_->table()->column_count() > offered_above;
  toggle_->setVisible(offered);
  toggle_->setChecked(shows_strips());
  back_->setVisible(offered && (shows_strips() ? strips_->can_go_back() : opened_from_strips_));
  where_->setText(offered && shows_strips() ? strips_->where() : QString());
  const std::uint32_t hidden = view_->table() ? view_->table()->hidden_dimensions() : 0;
  if (hidden > 0) {
    const std::uint32_t dim = workbench_.playback().cursor()->trace().header.dim;
    hidden_->setText(tr("rows of %1; %L2 of %L3 dimensions are not on the axes")
                         .arg(foreign_text(axes_names(view_->axes(), dim)))
                         .arg(hidden)
                         .arg(dim));
  }
  hidden_->setToolTip(plain_tip(hidden_->text()));
  hidden_->setVisible(hidden > 0);
  place_head();
  // The button for folded rows alone is not worth a line of the table.
  const bool brings_back = !folded_->isHidden() && head_->parentWidget() == title_place_;
  head_->setVisible(offers_tables_ && (offered || hidden > 0 || spaces_.size() > 1 || brings_back));
}

/// Says which rows are left out, as many as a person can bring back.
void ArraysPane::show_folded(const ArrayTable& whole, const std::vector<RowName>& rows) {
  QStringList names;
  for (std::size_t row = 1; row < whole.rows().size(); ++row)
    if (std::ranges::find(rows, RowName{whole.rows()[row].name, whole.rows()[row].component}) == rows.end())
      names << foreign_text(whole.rows()[row].label);
  const bool any = !rows.empty() && !names.isEmpty();
  if (any) {
    folded_->setText(more_rows(names.size()));
    folded_->setToolTip(plain_tip(
        tr("Without a value, infinite, or 0 throughout, so not shown: %1").arg(names.join(QStringLiteral(", ")))));
    folded_->setAccessibleName(folded_->toolTip());
  }
  if (folded_->isHidden() != any) return;
  folded_->setVisible(any);
  show_head();
}

QWidget* ArraysPane::title_place() {
  title_place_ = new QWidget;
  auto* row = new QHBoxLayout(title_place_);
  row->setContentsMargins(12, 0, 0, 0);
  auto* legend = new LegendStrip(workbench_, title_place_);  // in the room that the head leaves
  legend->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  row->addWidget(legend, 1);
  row->addSpacing(12);
  return title_place_;
}

/// Puts the head into the title bar if that has room for it beside all else, or above the table.
void ArraysPane::place_head() {
  if (!title_place_) return;
  constexpr int else_in_title = 36;  // heights of a line
  const bool above = width() < head_->sizeHint().width() + else_in_title * fontMetrics().height();
  QWidget* wanted = above ? this : title_place_;
  if (head_->parentWidget() == wanted) return;
  const bool hidden = head_->isHidden();
  static_cast<QBoxLayout*>(wanted->layout())->insertWidget(0, head_);
  head_->setHidden(hidden);
}

void ArraysPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (leaves_out_rows_) overview_->hide();
  show_head();
}

bool ArraysPane::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool back =
        key->key() == Qt::Key_Backspace || (key->key() == Qt::Key_Escape && !workbench_.playback().selection());
    const bool arrows = watched == strips_ && (key->modifiers() & Qt::AltModifier);
    if (event->type() == QEvent::ShortcutOverride && (arrows || (back && back_->isVisibleTo(this)))) {
      event->accept();
      return true;
    }
    if (event->type() == QEvent::KeyPress && back && go_back()) return true;
  }
  return QWidget::eventFilter(watched, event);
}

void ArraysPane::open_run() {
  overview_->clear();
  strips_->clear();
  view_->clear();
  const std::vector<Space> before = std::exchange(spaces_, table_spaces(workbench_.playback().cursor()->trace()));
  if (workbench_.playback().continues() && spaces_ == before && !spaces_.empty()) return open_table();
  const QSignalBlocker quiet(tabs_);
  while (tabs_->count() > 0) tabs_->removeTab(0);
  followed_step_.reset();
  space_chosen_ = false;
  for (Space space : spaces_) {
    const QString name = QString::fromUtf8(name_of(space));
    tabs_->setTabToolTip(tabs_->addTab(name), tr("Arrays by %1").arg(name));
  }
  tabs_->setVisible(spaces_.size() > 1);
  more_->fit();
  if (!spaces_.empty())
    open_table();
  else
    show_head();
}

void ArraysPane::show_table() {
  const Playback& playback = workbench_.playback();
  view_->show_step(*workbench_.playback().cursor(), playback.baseline(), playback.added_highlights(),
                   playback.concealment());
  show_motion();
}

void ArraysPane::show_motion() {
  const StepMotion& motion = workbench_.motion();
  view_->set_motion(spaces_.empty() ? nullptr : motion.in(space()), motion.travelled(), motion.growth());
}

/// Opens the table of the current tab; show_step() completes it.
void ArraysPane::open_table() {
  const Space space = spaces_[static_cast<std::size_t>(std::max(0, tabs_->currentIndex()))];
  view_->open(*workbench_.playback().cursor(), space, axes_of_rows());
  show_table();
  show_strips(view_->table()->column_count() > first_above);
}

/// The stop whose rows are shown; null between stops. During the introduction the first one, so that nothing jumps on
/// the way there.
const Stop* ArraysPane::stop() const {
  const int stop = workbench_.lessons().at_introduction() ? 0 : workbench_.lessons().stop_index();
  return stop < 0 ? nullptr : &workbench_.lessons().lesson()->stops[static_cast<std::size_t>(stop)];
}

Axes ArraysPane::axes_of_rows() const {
  const Axes& axes = workbench_.playback().axes();
  return stop() ? axes_with_rows_of(*stop(), workbench_.playback().cursor()->trace(), axes) : axes;
}

/// Shows the rows of the dimensions on the axes, if there are too many dimensions to show all.
void ArraysPane::show_axes() {
  if (!spaces_.empty() && open_axes()) show_step();
}

/// Returns whether other rows are shown now; show_step() completes them.
bool ArraysPane::open_axes() {
  const std::uint32_t dim = workbench_.playback().cursor()->trace().header.dim;
  const auto hidden = [&](std::uint32_t d) { return !shows_dimension(view_->axes(), dim, d); };
  if (std::ranges::none_of(std::views::iota(0U, dim), hidden) || view_->axes() == axes_of_rows()) return false;
  const std::uint64_t column = view_->first_visible();
  view_->open(*workbench_.playback().cursor(), space(), axes_of_rows());
  show_table();
  view_->show_from(column);
  show_head();
  return true;
}

void ArraysPane::choose_space(int tab) {
  if (tab < 0 || !workbench_.playback().cursor()) return;
  overview_->clear();
  strips_->clear();
  open_table();
  show_step();
}

/// The arrays of which the current stop speaks.
std::vector<std::string> ArraysPane::arrays_named(const ArrayTable& table) const {
  return stop() ? rows_of_stop(*stop(), table) : std::vector<std::string>();
}

/// The columns whose values the current stop claims in this table: from the first one on.
std::vector<IndexRange> ArraysPane::claimed_columns() const {
  std::uint64_t end = 0;
  if (const int stop = workbench_.lessons().stop_index(); stop >= 0 && !workbench_.lessons().at_introduction())
    for (const ClaimedRow& claim : workbench_.lessons().lesson()->stops[static_cast<std::size_t>(stop)].shows)
      for (const TableRow& row : view_->table()->rows())
        if (row.name == claim.row) end = std::max<std::uint64_t>(end, claim.values.size());
  if (end == 0) return {};
  return {{0, end}};
}

/// The columns of this table of which the stop speaks: those that it highlights, and what the question at hand expects.
/// Where nobody scrolls, what the step changed stands for them.
std::vector<IndexRange> ArraysPane::spoken_columns() const {
  std::vector<IndexRange> columns;
  const ArrayTable& table = *view_->table();
  for (const Highlight& highlight : workbench_.playback().added_highlights())
    if (highlight.space == space()) columns.insert(columns.end(), highlight.ranges.begin(), highlight.ranges.end());
  const Question* question = workbench_.questions().question();
  if (question && question->expects) {
    const AnswerKind kind = question->expects->kind;
    const auto has_row = [&](const TableRow& row) { return row.name == question->expects->row; };
    const bool here = kind == AnswerKind::positions ? space() == Space::position
                      : kind == AnswerKind::points  ? space() == Space::point
                      : kind == AnswerKind::nodes   ? space() == Space::node
                      : kind == AnswerKind::cell    ? std::ranges::any_of(table.rows(), has_row)
                                                    : false;
    for (const std::uint32_t element : question->expects->elements)
      if (here) columns.push_back({element, std::uint64_t{element} + 1});
  }
  const bool takes_changes = leaves_out_rows_ && columns.empty() && table.column_count() <= offered_above;
  for (std::size_t row = 1; takes_changes && row < table.rows().size(); ++row)
    std::ranges::copy(table.changes(row), std::back_inserter(columns));
  std::ranges::sort(columns, {}, &IndexRange::begin);
  return columns;
}

/// Brings the columns of which the stop speaks into view, once per step and question.
void ArraysPane::show_spoken() {
  if (!view_->table() || step_shown_->is_stale()) return;
  const std::pair now{workbench_.playback().step(), workbench_.questions().current()};
  if (std::exchange(asked_, now) == now) return;
  view_->show_columns(spoken_columns());
}

/// The most rows of which a stop of the lesson speaks: the table has one height at all of them, and figures stay where
/// they are.
std::size_t ArraysPane::rows_named() const {
  const Lesson* lesson = workbench_.lessons().lesson();
  if (spaces_.empty() || !lesson) return 0;
  const ArrayTable table = whole_table(space());
  std::size_t most = 0;
  for (const Stop& each : lesson->stops) most = std::max(most, count_telling_rows(table, rows_of_stop(each, table)));
  return most;
}

int ArraysPane::comfortable_height(int width) const {
  return sizeHint().height() - stack_->sizeHint().height() +
         view_->comfortable_height(1 + std::max(rows_named(), usual_rows), width);
}

void ArraysPane::show_to_audience() {
  leaves_out_rows_ = true;
  overview_->set_thin();
  view_->set_for_audience();
  offer_tables(false);
}

QString ArraysPane::rows_left_out() const {
  if (!view_->table() || shows_strips()) return {};
  const std::size_t rows = count_left_out(whole_table(space()), *workbench_.playback().cursor(), view_->only());
  return rows == 0 ? QString() : more_rows(static_cast<qsizetype>(rows));
}

void ArraysPane::offer_tables(bool offered) {
  if (std::exchange(offers_tables_, offered) != offered) show_head();
}

bool ArraysPane::has_columns() const {
  const Cursor* cursor = workbench_.playback().cursor();
  return !spaces_.empty() && cursor && ArrayTable(*cursor, nullptr, space_of_step(), axes_of_rows()).column_count() > 0;
}

/// The table of an index space with the rows that are left out.
ArrayTable ArraysPane::whole_table(Space of) const {
  return ArrayTable(*workbench_.playback().cursor(), workbench_.playback().baseline(), of, axes_of_rows());
}

/// Names the rows that are shown: those of which the questions ask, those of the stop, those that its text names,
/// those of the step, those that were shown before, and all others; empty if all are.
std::vector<RowName> ArraysPane::rows_that_fit() const {
  const ArrayTable table = whole_table(space());
  std::vector<std::string> named, others;
  if (workbench_.lessons().stop_index() >= 0) named = rows_asked_for(*stop());
  const std::vector<std::string> of_stop = arrays_named(table);
  named.insert(named.end(), of_stop.begin(), of_stop.end());
  if (stop()) others = rows_mentioned(*stop(), table);
  std::ranges::copy(workbench_.playback().cursor()->current().wrote, std::back_inserter(others));
  for (const RowName& row : view_->only()) others.push_back(row.array);
  for (const TableRow& row : table.rows()) others.push_back(row.name);
  return rows_with_room(table, *workbench_.playback().cursor(), std::move(named), std::move(others),
                        view_->rows_that_fit(), view_->rows_that_fit(true));
}

/// Names the rows of the window's table, which scrolls: those that tell something.
std::vector<RowName> ArraysPane::rows_worth_scrolling() {
  const ArrayTable table = whole_table(space());
  std::vector<std::string> named = arrays_named(table);
  if (workbench_.lessons().stop_index() >= 0)
    for (std::string& asked : rows_asked_for(*stop())) named.push_back(std::move(asked));
  std::vector<RowName> rows = rows_that_tell(table, *workbench_.playback().cursor(), named);
  show_folded(table, rows);
  if (folded_->isChecked()) rows.clear();
  // At an introduction no question is in sight that would explain a hidden row: such rows are absent
  if (const Concealment& concealed = workbench_.playback().concealment();
      workbench_.lessons().at_introduction() && !concealed.rows.empty()) {
    std::vector<RowName> known;
    for (const TableRow& row : table.rows() | std::views::drop(1)) {
      const RowName name{row.name, row.component};
      const Trace::Array* array = workbench_.playback().trace()->find(row.name);
      const bool chosen = rows.empty() || std::ranges::find(rows, name) != rows.end();
      if (chosen && !(array && concealed.hides(array->info))) known.push_back(name);
    }
    if (!known.empty()) return known;
  }
  return rows;
}

/// Returns whether other rows are shown now; show_step() completes them.
bool ArraysPane::choose_rows() {
  if (spaces_.empty() || !workbench_.playback().cursor() || workbench_.playback().cursor()->step_count() == 0)
    return false;
  std::vector<RowName> rows = leaves_out_rows_ ? rows_that_fit() : rows_worth_scrolling();
  if (rows == view_->only()) return false;
  const std::uint64_t column = view_->first_visible();
  view_->open(*workbench_.playback().cursor(), space(), axes_of_rows(), std::move(rows));
  show_table();
  view_->show_from(column);
  return true;
}

/// The table that is shown at the present step: the one that the claims of its lesson stop are about, or else one that
/// the step changed, unless a person has chosen another between stops. An introduction opens on none whose values its
/// first question hides.
Space ArraysPane::space_of_step() const {
  const Cursor& cursor = *workbench_.playback().cursor();
  const Space shown = space();
  if (followed_step_ == cursor.step() || spaces_.size() < 2 || cursor.step_count() == 0) return shown;
  if (space_chosen_ && !stop()) return shown;
  // A stop shows the same table whichever way one comes.
  const Space preferred = stop() ? spaces_.front() : shown;
  Space wanted = changed_space(cursor, workbench_.playback().baseline(), preferred).value_or(preferred);
  if (const std::vector<std::string> rows = arrays_named(whole_table(preferred)); !rows.empty())
    if (const Trace::Array* array = cursor.trace().find(rows.front());
        array && !(workbench_.lessons().at_introduction() && workbench_.playback().concealment().hides(array->info)))
      wanted = array->info.index_space;
  return std::ranges::find(spaces_, wanted) == spaces_.end() ? shown : wanted;
}

/// At a new step, turns to its table.
void ArraysPane::follow_space() {
  const Cursor& cursor = *workbench_.playback().cursor();
  if (cursor.step_count() == 0) return;
  const Space shown = space(), wanted = space_of_step();
  if (std::exchange(followed_step_, cursor.step()) == cursor.step()) return;
  if (stop()) space_chosen_ = false;
  if (wanted == shown) return;
  const auto space = std::find(spaces_.begin(), spaces_.end(), wanted);
  const QSignalBlocker quiet(tabs_);
  tabs_->setCurrentIndex(static_cast<int>(space - spaces_.begin()));
  more_->fit();
  overview_->clear();
  strips_->clear();
  open_table();
}

void ArraysPane::show_step() {
  if (spaces_.empty()) return;
  const bool arrives = followed_step_ != workbench_.playback().cursor()->step();
  if (arrives && leaves_out_rows_) overview_->hide(), view_->show_from(0);
  follow_space();
  open_axes();
  choose_rows();
  show_table();
  if (shows_strips()) {
    strips_->show_step(*workbench_.playback().cursor(), *view_->table(),
                       spaces_[static_cast<std::size_t>(std::max(0, tabs_->currentIndex()))]);
    if (view_->table()->column_count() <= offered_above) show_strips(false);
  }
  view_->follow_work();
  view_->show_rows(arrays_named(*view_->table()));
  if (arrives) {
    view_->scroll_to_any(claimed_columns());
    asked_ = {no_id, -1};
  }
  show_spoken();
  if (!overview_->isHidden()) overview_->show_table(*view_->table(), theme_of(workbench_.looks().appearance()));
  const std::vector<IndexRange> violating =
      joined(view_->table()->violating_columns(), view_->table()->column_count(), width());
  overview_->set_violating(violating);
  strips_->set_violating(violating);
  update_overview();
  show_selection();
  view_->set_framed(0, 0);
  if (!find_bar_->isHidden()) search();
}

void ArraysPane::find() {
  if (spaces_.empty()) return;
  show_all_rows();
  find_bar_->start();
}

/// Brings back the rows that are left out: one of them may be wanted.
void ArraysPane::show_all_rows() {
  if (!folded_->isHidden()) folded_->setChecked(true);
}

void ArraysPane::find_again(int direction) {
  if (find_bar_->isHidden())
    find();
  else
    find_bar_->walk(direction);
}

/// Searches the table in sight or, if that cannot answer, the first other table that can.
void ArraysPane::search() {
  if (spaces_.empty() || !view_->table()) return;
  const auto query = parse_element_query(find_bar_->text().toStdString());
  if (!query) return find_bar_->set_matches(query.error());
  auto matches = find_elements(*workbench_.playback().cursor(), *view_->table(), space(), *query);
  found_in_ = space();
  for (const Space other : spaces_) {
    if (matches || query->kind == ElementQuery::Kind::index) break;
    if (other == space()) continue;
    const ArrayTable table(*workbench_.playback().cursor(), nullptr, other, axes_of_rows(), {},
                           workbench_.playback().concealment());
    if (auto elsewhere = find_elements(*workbench_.playback().cursor(), table, other, *query)) {
      matches = std::move(elsewhere);
      found_in_ = other;
    }
  }
  find_bar_->set_matches(std::move(matches));
}

void ArraysPane::show_found(std::size_t row, std::uint64_t column) {
  const auto table = std::find(spaces_.begin(), spaces_.end(), found_in_);
  if (table == spaces_.end()) return;
  if (*table != space()) {
    space_chosen_ = true;
    tabs_->setCurrentIndex(static_cast<int>(table - spaces_.begin()));
  }
  if (shows_strips()) open_elements({column, column + 1});
  workbench_.playback().select(selection_of_cell(*view_->table(), space(), row, column));
  view_->set_framed(std::max<std::size_t>(row, 1), column);
}

void ArraysPane::stop_finding() {
  find_bar_->hide();
  view_->set_framed(0, 0);
  stack_->currentWidget()->setFocus();
}

void ArraysPane::show_change() {
  view_->set_framed(0, 0);
  if (!workbench_.playback().change()) return;
  const Change change = workbench_.playback().changes().at(*workbench_.playback().change());
  const auto space = std::find(spaces_.begin(), spaces_.end(), change.index_space);
  if (change.seen_in != SeenIn::table || space == spaces_.end()) return;
  tabs_->setCurrentIndex(static_cast<int>(space - spaces_.begin()));
  if (shows_strips()) open_elements({change.index, change.index + 1});
  const auto row_of = [&] {
    const auto found = std::ranges::find_if(view_->table()->rows(), [&](const TableRow& row) {
      return row.name == change.array && row.component == change.component;
    });
    return static_cast<std::size_t>(found - view_->table()->rows().begin());
  };
  if (row_of() == view_->table()->rows().size()) show_all_rows();
  if (const std::size_t row = row_of(); row < view_->table()->rows().size()) view_->set_framed(row, change.index);
}

void ArraysPane::update_overview() {
  if (!view_->table()) return;
  overview_->set_window(view_->first_visible(), view_->visible_count());
  // A low pane has room only for the rows
  const bool room = leaves_out_rows_ || height() > 6 * fontMetrics().height();
  // Where rows are left out, the room below the overview decides which, and they how many columns fit: once shown, it
  // stays until the next step or another size.
  const bool stays = leaves_out_rows_ && !overview_->isHidden();
  const bool wanted = room && !shows_strips() && (stays || view_->visible_count() < view_->table()->column_count());
  if (wanted && overview_->isHidden())
    overview_->show_table(*view_->table(), theme_of(workbench_.looks().appearance()));
  overview_->setVisible(wanted);
}

void ArraysPane::show_selection() {
  if (!workbench_.playback().cursor() || spaces_.empty()) return;
  const Selection& selection = workbench_.playback().selection();
  const Space space = spaces_[static_cast<std::size_t>(std::max(0, tabs_->currentIndex()))];
  if (!view_->table()) return;
  auto rows =
      columns_in(*view_->table(), *workbench_.playback().cursor(), selection, workbench_.playback().linked(), space);
  std::vector<IndexRange> columns;
  for (const auto& row : rows) columns.insert(columns.end(), row.begin(), row.end());
  if (rows.size() > 1)
    std::sort(columns.begin(), columns.end(),
              [](const IndexRange& a, const IndexRange& b) { return a.begin < b.begin; });
  view_->scroll_to_any(columns);
  const std::vector<IndexRange> few = joined(columns, view_->table()->column_count(), width());
  overview_->set_selected(few);
  strips_->set_selected(few);
  view_->set_selected(std::move(rows));
}

}  // namespace kdscope
