#include "app/panes/arrays_pane.hpp"

#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <ranges>

#include "app/appearance/appearance.hpp"
#include "app/appearance/cut_label.hpp"
#include "app/appearance/few_tabs.hpp"
#include "app/appearance/form_field.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/curtain.hpp"
#include "app/panes/dissolve.hpp"
#include "app/panes/legend.hpp"
#include "app/panes/rows_of_stop.hpp"
#include "app/panes/viewer.hpp"
#include "app/views/shown_updates.hpp"
#include "app/workbench/step_motion.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

/// Above these numbers of columns, strips are offered, and shown first.
constexpr std::uint64_t offered_above = 200, first_above = 20000;
/// Choosing a larger segment marks nothing in other panes: that would take too long.
constexpr std::uint64_t most_linked = 1'000'000;
/// The number of rows, below the index row, that a presentation makes room for.
constexpr std::size_t usual_rows = 6;
/// Another table stands beside one that takes at most this share of the width.
constexpr double most_beside_another = 0.5;

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

/// The legend in the title, in the room that a head before it leaves.
class TitlePlace : public QWidget {
 public:
  explicit TitlePlace(Workbench& workbench) : legend_(new LegendStrip(workbench, this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 0, 0);
    legend_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    row->addWidget(legend_, 1);
  }
  QSize sizeHint() const override { return QWidget::sizeHint() + QSize(legend_->sizeHint().width(), 0); }
  LegendStrip& legend() { return *legend_; }

 private:
  LegendStrip* legend_;
};

}  // namespace

ArraysPane::ArraysPane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      choice_(workbench),
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
      tables_(new QWidget),
      view_(new ArrayTableView),
      beside_(new ArrayTableView),
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
  auto* across = new QHBoxLayout(tables_);
  across->setContentsMargins(0, 0, 0, 0);
  across->setSpacing(tokens::space_large);
  across->addWidget(view_);
  across->addWidget(beside_, 1);
  tables_->setAutoFillBackground(true);
  tables_->setBackgroundRole(QPalette::Base);
  tables_->setFocusProxy(view_);
  beside_->hide();
  beside_->setAccessibleName(tr("Arrays of another table"));
  stack_->addWidget(tables_);
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
  for (ArrayTableView* table : {view_, beside_}) table->let_rows_continue_beside();
  view_->installEventFilter(this);
  strips_->installEventFilter(this);
  overview_->hide();
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setAccessibleName(tr("Index space"));
  for (QWidget* each : std::initializer_list<QWidget*>{tabs_, folded_}) each->hide();
  const auto restyle = [this] {
    for (ArrayTableView* table : {view_, beside_})
      table->set_appearance(theme_of(workbench_.looks().appearance()),
                            text_scale_of(*this, workbench_.looks().appearance()));
    strips_->set_appearance(theme_of(workbench_.looks().appearance()),
                            text_scale_of(*this, workbench_.looks().appearance()));
  };
  restyle();

  head_moves_.setSingleShot(true);
  connect(&head_moves_, &QTimer::timeout, this, &ArraysPane::move_head);
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
  for (ArrayTableView* table : {view_, beside_})
    new Dissolve(*table, workbench.playback(), workbench.motion(), workbench, [table] { return table->frame(); });
  connect(&workbench.motion(), &StepMotion::moved, this, &ArraysPane::show_motion);
  connect(view_, &ArrayTableView::resized, this, [this] {
    // Only there rows go by the room; and what stands in a layout must not move while the layout gives out its room
    if (!leaves_out_rows_ || !view_->table() || step_shown_->is_stale() || !choose_rows()) return;
    asked_ = {no_id, -1};  // other rows may leave room for other columns
    show_step();
  });
  connect(view_, &ArrayTableView::window_changed, this, &ArraysPane::update_overview);
  connect(overview_, &ColumnOverview::pressed, view_, &ArrayTableView::centre);
  for (ArrayTableView* table : {view_, beside_}) {
    connect(table, &ArrayTableView::cell_picked, this,
            [this, table](std::size_t row, std::uint64_t column) { pick_cell(*table, row, column); });
    connect(table, &ArrayTableView::range_picked, this,
            [this, table](std::size_t row, std::uint64_t first, std::uint64_t count) {
              pick_range(*table, row, first, count);
            });
    connect(table, &ArrayTableView::segment_picked, this,
            [this, table](std::uint64_t column) { pick_segment(table->space(), column); });
    connect(table, &ArrayTableView::picked_nothing, this, [this] { workbench_.playback().select(Selection{}); });
  }
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

void ArraysPane::pick_cell(const ArrayTableView& in, std::size_t row, std::uint64_t column) {
  workbench_.playback().select(selection_of_cell(*in.table(), in.space(), row, column));
  workbench_.playback().click_cell(in.space(), in.table()->rows()[row].name, column);
}

void ArraysPane::pick_range(const ArrayTableView& in, std::size_t row, std::uint64_t first, std::uint64_t count) {
  const ArrayTable& table = *in.table();
  const std::string order =
      table.has_orders() && table.rows()[row].dimension != no_id ? table.rows()[row].name : std::string();
  workbench_.playback().select({in.space(), first, order, count});
}

void ArraysPane::pick_segment(Space in, std::uint64_t column) {
  workbench_.playback().select(segment_at(*workbench_.playback().cursor(), in, column).value_or(Selection{in, column}));
  workbench_.playback().click_cell(in, {}, column);
}

void ArraysPane::show_strips(bool strips) {
  strips = strips && view_->table() && view_->table()->column_count() > offered_above;
  opened_from_strips_ = false;
  if (strips)
    strips_->open(*workbench_.playback().cursor(), *view_->table(),
                  spaces_[static_cast<std::size_t>(tabs_->currentIndex())]);
  const bool focused = view_->hasFocus() || strips_->hasFocus() || toggle_->hasFocus();
  stack_->setCurrentWidget(strips ? static_cast<QWidget*>(strips_) : tables_);
  if (focused) stack_->currentWidget()->setFocus();
  show_head();
  update_overview();
}

void ArraysPane::open_elements(IndexRange columns) {
  const bool focused = strips_->hasFocus();
  opened_from_strips_ = true;
  stack_->setCurrentWidget(tables_);
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
  if (folded_->isHidden() != any) return place_head();  // the tabs may have less room beside other words
  folded_->setVisible(any);
  show_head();
}

QWidget* ArraysPane::title_place() {
  auto* place = new TitlePlace(workbench_);
  connect(&place->legend(), &LegendStrip::pressed, this, &ArraysPane::legend_pressed);
  return title_place_ = place;
}

/// Puts the head into the title bar if that has room for it beside all else, or above the table. Not at once: while a
/// layout gives out its room, or a font goes from pane to pane, the room of both places is not known, and moving asks
/// for it again, without end.
void ArraysPane::place_head() {
  int others = head_->layout()->contentsMargins().right() + 2 * head_->layout()->spacing();
  for (const QWidget* each : std::initializer_list<QWidget*>{folded_, hidden_, back_, toggle_})
    if (!each->isHidden()) others += each->sizeHint().width() + head_->layout()->spacing();
  more_->set_room(width() - others);
  if (!title_place_) return;
  // The title is as high without the head as with it
  title_place_->setMinimumHeight(head_->sizeHint().height());
  if (!head_has_its_place()) head_moves_.start();
}

bool ArraysPane::head_has_its_place() const {
  const bool above = head_->parentWidget() == this;
  // Heights of a line: more to move there than to stay, and fewer words of the legend beside a button alone
  const int else_in_title = (above ? 40 : 36) - (spaces_.size() > 1 ? 0 : 8);
  return above == (width() < head_->sizeHint().width() + else_in_title * fontMetrics().height());
}

void ArraysPane::move_head() {
  if (head_has_its_place()) return;
  const bool hidden = head_->isHidden();
  QWidget* to = head_->parentWidget() == this ? title_place_ : this;
  static_cast<QBoxLayout*>(to->layout())->insertWidget(0, head_);
  head_->setHidden(hidden);
  show_head();
}

void ArraysPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (leaves_out_rows_) overview_->hide();
  show_head();
  if (view_->table() && !step_shown_->is_stale()) show_beside();
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
  for (ArrayTableView* table : {view_, beside_}) table->clear();
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

void ArraysPane::show_step_in(ArrayTableView& table) {
  const Playback& playback = workbench_.playback();
  table.show_step(*playback.cursor(), playback.baseline(), playback.added_highlights(), playback.concealment());
}

void ArraysPane::show_table() {
  show_step_in(*view_);
  show_motion();
}

void ArraysPane::show_motion() {
  const StepMotion& motion = workbench_.motion();
  for (ArrayTableView* table : {view_, beside_})
    if (!table->isHidden())
      table->set_motion(spaces_.empty() ? nullptr : motion.in(table->space()), motion.travelled(), motion.growth());
}

/// Opens the table of the current tab; show_step() completes it.
void ArraysPane::open_table() {
  view_->open(*workbench_.playback().cursor(), space(), choice_.axes());
  show_table();
  show_strips(view_->table()->column_count() > first_above);
}

/// Shows the rows of the dimensions on the axes, if there are too many dimensions to show all.
void ArraysPane::show_axes() {
  if (!spaces_.empty() && open_axes()) show_step();
}

/// Returns whether other rows are shown now; show_step() completes them.
bool ArraysPane::open_axes() {
  const std::uint32_t dim = workbench_.playback().cursor()->trace().header.dim;
  const auto hidden = [&](std::uint32_t d) { return !shows_dimension(view_->axes(), dim, d); };
  if (std::ranges::none_of(std::views::iota(0U, dim), hidden) || view_->axes() == choice_.axes()) return false;
  const std::uint64_t column = view_->first_visible();
  view_->open(*workbench_.playback().cursor(), space(), choice_.axes());
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

/// Brings the columns of which the stop speaks into view, once per step and question.
void ArraysPane::show_spoken() {
  if (!view_->table() || step_shown_->is_stale()) return;
  const std::pair now{workbench_.playback().step(), workbench_.questions().current()};
  if (std::exchange(asked_, now) == now) return;
  view_->show_columns(choice_.spoken_columns(*view_->table(), space(),
                                             leaves_out_rows_ && view_->table()->column_count() <= offered_above));
}

int ArraysPane::comfortable_height(int width) const {
  return sizeHint().height() - stack_->sizeHint().height() +
         view_->comfortable_height(1 + std::max(spaces_.empty() ? 0 : choice_.most_named(space()), usual_rows), width);
}

int ArraysPane::usual_height() {
  int height = view_->sizeHint().height();
  if (!spaces_.empty() && workbench_.playback().cursor()) height = 0;
  for (const Space each : spaces_) {
    const TableChoice::Extent largest = choice_.largest_in_run(each);
    height = std::max(height, view_->usual_height(largest.rows, largest.columns, width()));
  }
  return sizeHint().height() - stack_->sizeHint().height() + height;
}

void ArraysPane::show_to_audience() {
  leaves_out_rows_ = true;
  overview_->set_thin();
  view_->set_for_audience();
  offer_tables(false);
  if (spaces_.empty()) return;
  // A window's table is another one where this one has no columns
  followed_step_.reset();
  const QSignalBlocker quiet(tabs_);
  tabs_->setCurrentIndex(0);
  open_table();
  show_step();
}

void ArraysPane::set_largest_digits(double factor) { view_->set_largest_digits(factor); }

QString ArraysPane::rows_left_out() const {
  if (!view_->table() || shows_strips()) return {};
  const std::size_t rows = count_left_out(choice_.whole_table(space()), *workbench_.playback().cursor(), view_->only());
  return rows == 0 ? QString() : more_rows(static_cast<qsizetype>(rows));
}

void ArraysPane::offer_tables(bool offered) {
  if (std::exchange(offers_tables_, offered) != offered) show_head();
}

bool ArraysPane::has_columns() const {
  const Cursor* cursor = workbench_.playback().cursor();
  return !spaces_.empty() && cursor && ArrayTable(*cursor, nullptr, space_of_step(), choice_.axes()).column_count() > 0;
}

/// Returns whether other rows are shown now; show_step() completes them.
bool ArraysPane::choose_rows() {
  if (spaces_.empty() || !workbench_.playback().cursor() || workbench_.playback().cursor()->step_count() == 0)
    return false;
  std::vector<RowName> rows;
  if (leaves_out_rows_) {
    // The table may still be that of the step before
    const std::uint64_t columns = choice_.whole_table(space()).column_count();
    rows = choice_.rows_that_fit(space(), view_->only(), view_->rows_that_fit(columns),
                                 view_->rows_that_fit(columns, true));
  } else {
    const ArrayTable whole = choice_.whole_table(space());
    rows = choice_.rows_that_tell(whole);
    show_folded(whole, rows);
    rows = choice_.without_hidden(whole, folded_->isChecked() ? std::vector<RowName>() : std::move(rows));
  }
  if (rows == view_->only()) return false;
  const std::uint64_t column = view_->first_visible();
  view_->open(*workbench_.playback().cursor(), space(), choice_.axes(), std::move(rows));
  show_table();
  view_->show_from(column);
  return true;
}

/// The table that is shown at the present step, unless a person has chosen another between stops.
Space ArraysPane::space_of_step() const {
  const Cursor& cursor = *workbench_.playback().cursor();
  const bool stays = followed_step_ == cursor.step() || spaces_.size() < 2 || cursor.step_count() == 0 ||
                     (space_chosen_ && !choice_.stop());
  if (stays) return space();
  // In a window, a table without columns yet gives way to one that has some; on a stage, to figures.
  const Space wanted = choice_.space_of_step(spaces_, space());
  const auto has_columns = [&](Space each) { return choice_.whole_table(each).column_count() > 0; };
  if (leaves_out_rows_ || has_columns(wanted)) return wanted;
  const auto other = std::ranges::find_if(spaces_, has_columns);
  return other == spaces_.end() ? wanted : *other;
}

/// Shows another table beside one that leaves half of the room.
void ArraysPane::show_beside() {
  const QSize room = stack_->size();
  const int taken = leaves_out_rows_ || spaces_.empty() || !view_->table() ? room.width() : view_->width_needed(room),
            left = room.width() - taken - tokens::space_large;
  bool found = false;
  if (taken <= most_beside_another * room.width())
    for (const Space other : choice_.spaces_beside(spaces_, space())) {
      const ArrayTable whole = choice_.whole_table(other);
      if (whole.column_count() == 0 || whole.column_count() > offered_above) continue;
      std::vector<RowName> rows = choice_.without_hidden(whole, choice_.rows_that_tell(whole));
      if (!beside_->table() || beside_->space() != other || beside_->axes() != choice_.axes() ||
          beside_->only() != rows)
        beside_->open(*workbench_.playback().cursor(), other, choice_.axes(), std::move(rows));
      show_step_in(*beside_);
      found = beside_->width_needed({left, room.height()}) <= left;
      if (found) break;
    }
  auto* across = static_cast<QHBoxLayout*>(tables_->layout());
  across->setStretch(0, found ? taken : 1);
  across->setStretch(1, found ? left : 0);
  beside_->setVisible(found);
  view_->setMaximumWidth(found ? taken : QWIDGETSIZE_MAX);
  if (!found) beside_->clear();
}

/// At a new step, turns to its table.
void ArraysPane::follow_space() {
  const Cursor& cursor = *workbench_.playback().cursor();
  if (cursor.step_count() == 0) return;
  const Space shown = space(), wanted = space_of_step();
  if (std::exchange(followed_step_, cursor.step()) == cursor.step()) return;
  if (choice_.stop()) space_chosen_ = false;
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
  view_->show_rows(choice_.arrays_named(*view_->table()));
  if (arrives) {
    view_->scroll_to_any(choice_.claimed_columns(*view_->table()));
    asked_ = {no_id, -1};
  }
  show_spoken();
  if (!overview_->isHidden()) overview_->show_table(*view_->table(), theme_of(workbench_.looks().appearance()));
  const std::vector<IndexRange> violating =
      joined(view_->table()->violating_columns(), view_->table()->column_count(), width());
  overview_->set_violating(violating);
  strips_->set_violating(violating);
  show_beside();
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
    const ArrayTable table(*workbench_.playback().cursor(), nullptr, other, choice_.axes(), {},
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
  const bool room = leaves_out_rows_ || height() > 9 * fontMetrics().height();
  // Where rows are left out, the room below the overview decides which, and they how many columns fit: once shown, it
  // stays until the next step or another size.
  const bool stays = leaves_out_rows_ && !overview_->isHidden();
  const bool wanted = room && !shows_strips() && (stays || view_->visible_count() < view_->table()->column_count());
  if (wanted && overview_->isHidden())
    overview_->show_table(*view_->table(), theme_of(workbench_.looks().appearance()));
  overview_->setVisible(wanted);
  if (!leaves_out_rows_)  // the strip scrolls as a bar would
    view_->setHorizontalScrollBarPolicy(wanted ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
}

void ArraysPane::show_selection() {
  if (!workbench_.playback().cursor() || spaces_.empty()) return;
  if (!view_->table()) return;
  if (beside_->table()) beside_->set_selected(choice_.framed_columns(*beside_->table(), beside_->space()));
  auto rows = choice_.framed_columns(*view_->table(), space());
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
