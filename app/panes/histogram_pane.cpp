#include "app/panes/histogram_pane.hpp"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/few_tabs.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/curtain.hpp"
#include "app/panes/viewer.hpp"
#include "app/views/shown_updates.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

/// Up to this number, cells that count a selection are marked in the overview.
constexpr std::size_t most_selected_cells = 2000;

/// "3 to 5, 9"; the first few ranges.
QString ranges_text(const std::vector<IndexRange>& ranges) {
  QStringList parts;
  for (const IndexRange& r : ranges) {
    if (parts.size() == 4) {
      parts << QStringLiteral("\u2026");
      break;
    }
    parts << (r.end - r.begin == 1 ? QString::number(r.begin) : QObject::tr("%1 to %2").arg(r.begin).arg(r.end - 1));
  }
  return parts.join(QStringLiteral(", "));
}

}  // namespace

RampLegend::RampLegend(QWidget* parent) : QWidget(parent), theme_(&theme(ThemeId::light)) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(tr("Legend"));
}

void RampLegend::show_range(double largest, const Theme& theme) {
  most_ = QString::number(largest, 'f', 0);
  theme_ = &theme;
  setToolTip(tr("Empty cells are 0, the brightest %1").arg(most_));
  updateGeometry();
  update();
}

QSize RampLegend::sizeHint() const {
  const QFontMetrics metrics = fontMetrics();
  return {metrics.horizontalAdvance(QStringLiteral("1  ") + most_) + 5 * metrics.height(), metrics.height() * 13 / 10};
}

void RampLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetrics metrics = fontMetrics();
  const int left = metrics.horizontalAdvance(QStringLiteral("1 ")), width = 4 * metrics.height();
  const QRect bar(left, height() / 4, width, height() / 2);
  painter.setPen(colour(theme_->text));
  painter.drawText(QRect(0, 0, left, height()), Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("1"));
  painter.drawText(QRect(left + width + metrics.height() / 4, 0, this->width(), height()),
                   Qt::AlignLeft | Qt::AlignVCenter, most_);
  for (int x = 0; x < width; ++x)
    painter.fillRect(left + x, bar.top(), 1, bar.height(), colour(ramp((x + 1.0) / width)));
  painter.setPen(colour(theme_->axis));
  painter.drawRect(bar.adjusted(-1, -1, 0, 0));
}

HistogramPane::HistogramPane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      tabs_(new QTabBar),
      legend_(new RampLegend),
      view_(new HistogramView),
      minimap_(new Minimap(1.6)),
      status_(plain_label()),
      empty_(plain_label()) {
  setAccessibleName(tr("Histogram pane"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(0, 0, 8, 0);
  top->addWidget(tabs_, 1);
  top->addSpacing(tokens::space_large);
  top->addWidget(legend_);
  layout->addLayout(top);
  layout->addWidget(view_, 1);
  layout->addWidget(minimap_);
  layout->addWidget(empty_, 1);
  layout->addWidget(status_);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setAccessibleName(tr("Array of counts"));
  tabs_->setObjectName(QStringLiteral("count_arrays"));
  tabs_->setFocusPolicy(Qt::TabFocus);
  status_->setWordWrap(true);
  status_->setContentsMargins(8, 2, 8, 4);
  status_->setObjectName(QStringLiteral("histogram_status"));
  status_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setContentsMargins(16, 8, 16, 8);
  empty_->setForegroundRole(QPalette::PlaceholderText);
  view_->set_appearance(theme_of(workbench.looks().appearance()), text_scale_of(*this, workbench.looks().appearance()));

  connect(tabs_, &QTabBar::currentChanged, this, &HistogramPane::show_counts);
  connect(&workbench.playback(), &Playback::opened, this, &HistogramPane::open_run);
  connect(&workbench.playback(), &Playback::stepped, new ShownUpdate(this, [this] { show_step(); }),
          &ShownUpdate::request);
  auto* counts_shown = new ShownUpdate(this, [this] { show_counts(); });
  for (const auto signal : {&Playback::baseline_changed, &Playback::concealment_changed})
    connect(&workbench.playback(), signal, counts_shown, &ShownUpdate::request);
  auto* curtain =
      new Curtain(this, workbench, [](const Concealment& concealed, const Trace&) { return concealed.counts; });
  curtain->set_picture([this](QPainter& painter, const QRect&) {
    painter.translate(view_->pos());
    if (view_->isVisible()) view_->paint(painter, true);
  });
  connect(&workbench.motion(), &StepMotion::moved, this, [this, &playback = workbench.playback()] {
    const Cursor* old = playback.baseline();
    view_->set_growth(old && old->step() + 1 == playback.step() ? workbench_.motion().growth() : Growth());
  });
  connect(&workbench.playback(), &Playback::change_walked, this, &HistogramPane::show_change);
  connect(&workbench.playback(), &Playback::selected, new ShownUpdate(this, [this] { show_selection(); }),
          &ShownUpdate::request);
  when_restyled(*this, workbench, [this] {
    view_->set_appearance(theme_of(workbench_.looks().appearance()),
                          text_scale_of(*this, workbench_.looks().appearance()));
    legend_->show_range(view_->largest(), theme_of(workbench_.looks().appearance()));
    draw_minimap();
  });
  connect(view_, &HistogramView::picked, this, [this](const Selection& picked) {
    workbench_.playback().select(picked);
    if (picked) view_->scroll_to(picked.index);
  });
  connect(view_, &HistogramView::window_changed, this, [this] {
    show_window();
    show_status();
  });
  connect(minimap_, &Minimap::pressed, view_, &HistogramView::centre);
  say_empty(tr("Open a run that counts: its histogram appears here."));
  if (workbench.playback().cursor()) {
    open_run();
    show_step();
  }
}

void HistogramPane::say_empty(const QString& words) {
  if (!words.isEmpty()) view_->clear();
  empty_->setText(words);
  empty_->setVisible(!words.isEmpty());
  view_->setVisible(words.isEmpty());
  if (!words.isEmpty()) minimap_->hide();
  legend_->setVisible(words.isEmpty());
  share_room();
}

/// In a low pane, the sentence below gives way to rows.
void HistogramPane::share_room() {
  constexpr int lines = 2, fewest_lines = 8;
  const int room = height() - std::max(tabs_->sizeHint().height(), legend_->sizeHint().height()) -
                   lines * status_->fontMetrics().lineSpacing();
  const int wanted = view_->has_few_rows() ? view_->height_of_few_rows() : fewest_lines * fontMetrics().lineSpacing();
  status_->setVisible(empty_->isHidden() && room >= wanted);
}

void HistogramPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  share_room();
}

/// Frames the part in sight in the overview. Rows that are few need no overview: it would take the room that they have.
void HistogramPane::show_window() {
  const QRectF window = view_->window();
  const bool all_columns = window.width() >= 1;
  minimap_->set_window(view_->has_few_rows() && all_columns ? QRectF(0, 0, 1, 1) : window);
}

void HistogramPane::open_run() {
  const Trace& trace = workbench_.playback().cursor()->trace();
  view_->clear();
  names_ = CountArray::names(trace);
  const QSignalBlocker quiet(tabs_);
  while (tabs_->count() > 0) tabs_->removeTab(0);
  for (const std::string& name : names_) {
    const ArrayInfo& info = trace.find(name)->info;
    const int tab = tabs_->addTab(foreign_text(info.label.empty() ? name : info.label));
    QStringList dimensions;
    for (const ArrayDimension& dimension : info.dimensions) dimensions << foreign_text(dimension.name);
    tabs_->setTabToolTip(tab, plain_tip(dimensions.join(QStringLiteral(" \u00d7 "))));
  }
  tabs_->setVisible(!names_.empty());
  if (names_.empty()) say_empty(tr("This run has no histogram. Run an algorithm or a search that builds one."));
}

bool HistogramPane::has_counts_now() const {
  const Cursor* now = workbench_.playback().cursor();
  return now && std::ranges::any_of(names_, [now](const std::string& name) { return now->array(name) != nullptr; });
}

void HistogramPane::show_step() {
  if (names_.empty()) return;
  // Show the array that the stop names, or else one that this step wrote, unless the current tab shows one already.
  const std::vector<std::string>& wrote = workbench_.playback().cursor()->current().wrote;
  const auto written = [&](std::size_t tab) {
    return std::find(wrote.begin(), wrote.end(), names_[tab]) != wrote.end();
  };
  const auto shown = static_cast<std::size_t>(std::max(0, tabs_->currentIndex()));
  std::size_t wanted = shown;
  for (std::size_t tab = 0; tab < names_.size() && !written(shown); ++tab)
    if (written(tab)) wanted = tab;
  const LessonPlayer& lessons = workbench_.lessons();
  if (const int stop = lessons.stop_index(); stop >= 0) {
    const std::vector<std::string>& rows = lessons.lesson()->stops[static_cast<std::size_t>(stop)].rows;
    for (std::size_t tab = names_.size(); tab-- > 0;)
      if (std::ranges::any_of(
              rows, [&](const std::string& row) { return row == names_[tab] || row.starts_with(names_[tab] + '.'); }))
        wanted = tab;
  }
  const QSignalBlocker quiet(tabs_);
  tabs_->setCurrentIndex(static_cast<int>(wanted));
  show_counts();
}

void HistogramPane::show_counts() {
  const Cursor* cursor = workbench_.playback().cursor();
  const int tab = tabs_->currentIndex();
  if (!cursor || tab < 0 || names_.empty()) return;
  auto counts = CountArray::at(*cursor, names_[static_cast<std::size_t>(tab)]);
  if (!counts) {
    setWindowTitle(tabs_->tabText(tab));
    say_empty(foreign_text(counts.error().message()));
    return;
  }
  say_empty(QString());
  legend_->setVisible(!counts->is_histogram());  // its axis has numbers
  QString title = tabs_->tabText(tab);
  if (!counts->is_histogram())
    title +=
        QStringLiteral(": %1 \u00d7 %2").arg(foreign_text(counts->rows().name), foreign_text(counts->columns().name));
  if (counts->has_layers()) title += QStringLiteral(" \u00d7 ") + foreign_text(counts->layers().name);
  setWindowTitle(title);
  std::vector<std::optional<TreePlace>> places;
  for (const std::optional<NodeId>& node : counts->layer_nodes())
    places.push_back(node ? std::optional(place_of(*cursor, *node)) : std::nullopt);
  view_->show_counts(std::move(*counts), std::move(places));
  const Cursor* baseline = workbench_.playback().baseline();
  view_->set_changes(
      baseline ? changed_counts(*baseline, *cursor, names_[static_cast<std::size_t>(tab)]) : ChangedArray{}, baseline,
      workbench_.playback().place().baseline.with == ComparedWith::other_run);
  legend_->show_range(view_->largest(), theme_of(workbench_.looks().appearance()));
  share_room();
  draw_minimap();
  show_selection();
}

void HistogramPane::draw_minimap() {
  if (!view_->counts()) return;
  // Where its room decides whether rows scroll, the overview keeps it while it is hidden
  QSizePolicy policy = minimap_->sizePolicy();
  policy.setRetainSizeWhenHidden(!view_->has_few_rows());
  minimap_->setSizePolicy(policy);
  minimap_->set_picture(view_->overview(std::max(64, width()), minimap_->sizeHint().height()),
                        theme_of(workbench_.looks().appearance()));
  show_window();
}

void HistogramPane::show_selection() {
  const CountArray* counts = view_->counts();
  if (!counts) return;
  const Selection& selection = workbench_.playback().selection();
  std::vector<std::uint64_t> cells;
  std::optional<std::uint64_t> picked;
  if (selection.space == Space::count && selection.array == counts->info().name) {
    if (selection.index < counts->size()) picked = selection.index;
    if (picked) cells.push_back(*picked);
  } else if (selection) {
    const LinkedSelection& linked = workbench_.playback().linked();
    cells = counts->cells_of(linked.points, linked.positions);
  }
  picked_words_.clear();
  if (picked) {
    const LinkedSelection& linked = workbench_.playback().linked();
    std::uint64_t elements = 0;
    for (const IndexRange& r : linked.positions) elements += r.end - r.begin;
    picked_words_ = QStringLiteral("%1: %2.").arg(view_->place_text(*picked), foreign_text(counts->text(*picked)));
    if (counts->is_histogram())
      ;  // which elements fall in a bin is not recorded
    else if (elements == 0)
      picked_words_ += tr(" No element falls in it.");
    else if (elements == 1)
      picked_words_ += tr(" 1 element, at position %1.").arg(ranges_text(linked.positions));
    else
      picked_words_ += tr(" %L1 elements, at positions %2.").arg(elements).arg(ranges_text(linked.positions));
  }
  std::vector<QRectF> places;
  for (std::size_t i = 0; i < std::min(cells.size(), most_selected_cells); ++i)
    places.push_back(view_->place_of(cells[i]));
  minimap_->set_marks(std::move(places));
  const bool in_sight =
      std::any_of(cells.begin(), cells.begin() + std::ptrdiff_t(std::min(cells.size(), most_selected_cells)),
                  [&](std::uint64_t cell) { return !view_->cell_rect(cell).isEmpty(); });
  view_->set_marked(cells, picked);
  if (!cells.empty() && !in_sight) view_->scroll_to(cells.front());
  show_status();
}

void HistogramPane::show_change() {
  view_->set_framed(std::nullopt);
  if (!workbench_.playback().change()) return;
  const Change change = workbench_.playback().changes().at(*workbench_.playback().change());
  const auto name = std::find(names_.begin(), names_.end(), change.array);
  if (change.seen_in != SeenIn::counts || name == names_.end()) return;
  tabs_->setCurrentIndex(static_cast<int>(name - names_.begin()));
  view_->set_framed(change.index);
}

void HistogramPane::show_to_audience() {
  for_audience_ = true;
  view_->set_for_audience();
  tabs_->setElideMode(Qt::ElideRight);
  tabs_->setUsesScrollButtons(false);
  auto* few = new FewTabs(*tabs_, tr("Other counts"));
  few->lie_over_tabs();
  connect(&workbench_.playback(), &Playback::opened, few, &FewTabs::fit);
  show_status();
}

void HistogramPane::show_status() {
  const CountArray* counts = view_->counts();
  if (!counts) return;
  QStringList sentences;
  if (counts->written_at() < workbench_.playback().step()) {
    const Step& then = workbench_.playback().cursor()->trace().steps[counts->written_at()];
    sentences << tr("As step %1 wrote it (%2).").arg(then.ordinal).arg(foreign_text(path_text(then)));
  }
  // While a view takes over a step, it still has the changes of the one before, whose baseline may be hidden now.
  if (const Cursor* baseline = workbench_.playback().baseline()) {
    std::uint64_t changed = 0;
    for (const IndexRange& r : view_->changes().ranges) changed += r.end - r.begin;
    const bool of_other_run = &baseline->trace() != &workbench_.playback().cursor()->trace();
    if (of_other_run && (view_->changes().reshaped || changed > 0))
      sentences << (view_->changes().reshaped ? tr("The other run has another number of these.")
                                              : tr("Underlined: %L1 differ from the other run.").arg(changed));
    else if (view_->changes().reshaped)
      sentences << (for_audience_ ? QString() : tr("All new since step %1.").arg(baseline->step()));
    else if (changed > 0)
      sentences << tr("Underlined: %L1 changed since step %2.").arg(changed).arg(baseline->step());
  }
  if (!picked_words_.isEmpty())
    sentences << picked_words_;
  else if (sentences.isEmpty() && !for_audience_)
    sentences << tr("Click a cell to select what it counts.");
  status_->setText(sentences.join(QLatin1Char(' ')));
  // Not in the sentence below, whose height would change with what is in sight, and that with its height
  sentences << view_->window_text() << tr("Alt+arrows move from cell to cell, plus and minus zoom.");
  view_->setAccessibleDescription(sentences.join(QLatin1Char(' ')).simplified());
}

}  // namespace kdscope
