#include "app/inside/shared_banks.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "algorithms/text/counts.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/legend.hpp"

namespace kdscope {
namespace {

using namespace access_log;

constexpr std::uint32_t banks = 32, word_bytes = 4, lanes_of_warp = 32;

/// Returns the place behind the accesses that an open look has passed.
std::size_t passed(const LaunchWalk& walk) {
  if (walk.access()) return *walk.access() + 1;
  if (!walk.lane()) return walk.stretch().end;
  std::size_t end = walk.stretch().begin;
  const auto& accesses = walk.recording().accesses;
  for (std::size_t i = walk.stretch().begin; i < walk.stretch().end; ++i)
    if (accesses[i].lane == *walk.lane()) end = i + 1;
  return end;
}

}  // namespace

SharedBanks::SharedBanks(Workbench& workbench, QWidget* parent)
    : QAbstractScrollArea(parent), workbench_(workbench), theme_(&theme(ThemeId::light)) {
  setObjectName(QStringLiteral("shared_banks"));
  setAccessibleName(tr("Shared memory by banks"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  viewport()->setMouseTracking(true);
}

const WatchedArray& SharedBanks::info_of(const SharedArray& array) const {
  return workbench_.inside().look().recording().arrays[array.array];
}

void SharedBanks::set_appearance(const Theme& theme, int text_scale) {
  theme_ = &theme;
  setFont(code_font(text_scale, 0.85));
  measure();
}

void SharedBanks::show_to_audience() {
  for_audience_ = true;
  measure();
}

void SharedBanks::set_colour(WriterColour colour) {
  colour_ = colour;
  viewport()->update();
}

void SharedBanks::show_place() {
  const Inside& inside = workbench_.inside();
  arrays_.clear();
  access_.reset();
  if (inside.is_open() && !inside.walk().empty()) {
    const LaunchWalk& walk = inside.walk();
    arrays_ = shared_arrays_at(walk.recording(), walk.stretches(), walk.number(), passed(walk));
    access_ = walk.access();
  }
  measure();
}

int SharedBanks::row_height() const { return fontMetrics().height() * 3 / 2; }

/// Returns the rows of words that an array lies in.
int SharedBanks::rows_of(const SharedArray& array) const {
  const WatchedArray& info = info_of(array);
  const std::uint64_t first = info.bank_offset / word_bytes % banks;
  const std::uint64_t words = (info.elements * info.element_bytes + word_bytes - 1) / word_bytes;
  return static_cast<int>((first + words + banks - 1) / banks);
}

/// Returns the rows below the numbers of the banks.
int SharedBanks::rows() const {
  int rows = 0;
  for (const SharedArray& array : arrays_) rows += 1 + rows_of(array);
  return rows;
}

void SharedBanks::measure() {
  const int digits = 4;
  // The banks that hold something, or half of them
  std::uint64_t words = 1;
  for (const SharedArray& array : arrays_) {
    const WatchedArray& info = info_of(array);
    words = std::max(words, info.bank_offset / word_bytes % banks +
                                (info.elements * info.element_bytes + word_bytes - 1) / word_bytes);
  }
  banks_ = static_cast<int>(std::clamp<std::uint64_t>(words, banks / 2, banks));
  if (for_audience_) {
    cell_width_ = viewport()->width() / banks_;
    setMinimumHeight(0);
    viewport()->update();
    return;
  }
  cell_width_ = std::max(viewport()->width() / banks_, digits * fontMetrics().averageCharWidth() + 4);
  const int all = 1 + rows();
  horizontalScrollBar()->setRange(0, std::max(0, cell_width_ * banks_ - viewport()->width()));
  horizontalScrollBar()->setPageStep(viewport()->width());
  // All rows if they are few, with the scroll bar that they may need below them. The width without scroll bars decides:
  // it does not change with this height, so the layout comes to rest.
  constexpr int few_rows = 5;
  const bool wide = cell_width_ * banks_ > width() - 2 * frameWidth();
  const int bar = wide ? horizontalScrollBar()->sizeHint().height() : 0;
  setMinimumHeight(std::min(all, few_rows) * row_height() + bar + 2);
  verticalScrollBar()->setRange(0, std::max(0, all * row_height() - viewport()->height()));
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(row_height());
  viewport()->update();
}

void SharedBanks::resizeEvent(QResizeEvent*) { measure(); }

/// Returns the cell of an element whose array's first row of words is at `top`. Elements of less than a word share it.
QRect SharedBanks::cell(const SharedArray& array, std::uint64_t element, int top) const {
  const WatchedArray& info = info_of(array);
  const std::uint64_t byte = info.bank_offset % (banks * word_bytes) + element * info.element_bytes;
  const std::uint64_t word = byte / word_bytes;
  const int left = static_cast<int>(word % banks) * cell_width_ - horizontalScrollBar()->value();
  const int y = top + static_cast<int>(word / banks) * row_height();
  if (info.element_bytes < word_bytes) {
    const int part = cell_width_ * static_cast<int>(info.element_bytes) / static_cast<int>(word_bytes);
    return {left + part * static_cast<int>(byte % word_bytes / info.element_bytes), y, part, row_height()};
  }
  const std::uint64_t words = std::min<std::uint64_t>(info.element_bytes / word_bytes, banks - word % banks);
  return {left, y, cell_width_ * static_cast<int>(words), row_height()};
}

Rgb SharedBanks::ground_of(const SharedElement& element) const {
  const Theme& t = *theme_;
  if (element.state == SharedElement::State::unwritten) return mix(t.base, t.line, 0.3);
  if (!element.writer) return t.base;
  const Access& access = workbench_.inside().look().recording().accesses[*element.writer];
  if (access.lane == every_lane && colour_ != WriterColour::interval) return t.base;
  return writer_ground(t, colour_ == WriterColour::lane   ? access.lane
                          : colour_ == WriterColour::warp ? access.lane / lanes_of_warp
                                                          : access.interval);
}

void SharedBanks::paint_array(QPainter& painter, const SharedArray& array, int top) const {
  const WatchedArray& info = info_of(array);
  const LaunchRecording& recording = workbench_.inside().look().recording();
  const std::uint64_t per_row = std::max<std::uint64_t>(1, banks * word_bytes / info.element_bytes);
  const int hidden = std::max(0, -top / row_height() - 1);
  for (std::uint64_t i = static_cast<std::uint64_t>(hidden) * per_row; i < array.elements.size(); ++i) {
    const QRect at = cell(array, i, top);
    if (at.top() > bottom()) break;
    if (at.bottom() < 0 || at.right() < 0 || at.left() > viewport()->width()) continue;
    const SharedElement& element = array.elements[i];
    const Rgb ground = ground_of(element);
    painter.fillRect(at, colour(ground));
    painter.setPen(colour(mix(ground, theme_->line, 0.7)));
    painter.drawRect(at.adjusted(0, 0, -1, -1));
    Access shown{};
    shown.array = array.array, shown.bytes = info.element_bytes, shown.value = element.value;
    const QString text = element.state == SharedElement::State::known     ? foreign_text(recording.value_of(shown))
                         : element.state == SharedElement::State::unknown ? QStringLiteral("?")
                                                                          : QString();
    painter.setPen(colour(text_on(ground)));
    // Neighbours differ in their last digits. Nobody in an audience can ask for the others.
    QString shown_text = painter.fontMetrics().elidedText(text, Qt::ElideLeft, at.width() - 3);
    if (for_audience_ && shown_text != text) shown_text.clear();
    painter.drawText(at.adjusted(2, 0, -2, 0), Qt::AlignCenter, shown_text);
  }
  if (!access_) return;
  const Access& access = recording.accesses[*access_];
  const std::int64_t index = recording.index_of(access);
  if (access.array != array.array || index < 0 || static_cast<std::uint64_t>(index) >= array.elements.size()) return;
  painter.setPen(QPen(colour(theme_->selection), 3));
  painter.drawRect(cell(array, static_cast<std::uint64_t>(index), top).adjusted(1, 1, -2, -2));
}

void SharedBanks::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), colour(for_audience_ ? theme_->base : theme_->window));
  painter.setFont(font());
  if (!workbench_.inside().is_open()) return;
  int top = row_height() - verticalScrollBar()->value();
  for (const SharedArray& array : arrays_) {
    const WatchedArray& info = info_of(array);
    if (top + (for_audience_ ? row_height() : 0) > bottom()) break;
    painter.setPen(colour(theme_->text));
    painter.drawText(
        QRect(6, top, viewport()->width(), row_height()), Qt::AlignVCenter | Qt::AlignLeft,
        tr("%1, %2 of %3")
            .arg(foreign_text(info.name), QString::fromStdString(count_text(info.elements, "element", "elements")),
                 QString::fromStdString(count_text(info.element_bytes, "byte", "bytes"))));
    top += row_height();
    paint_array(painter, array, top);
    top += rows_of(array) * row_height();
  }
  // The numbers of the banks stay in sight
  painter.fillRect(QRect(0, 0, viewport()->width(), row_height()), colour(theme_->window));
  painter.setPen(colour(theme_->muted_text));
  const int stride = cell_width_ < fontMetrics().averageCharWidth() * 4 ? 2 : 1;
  for (int bank = 0; bank < banks_; bank += stride)
    painter.drawText(QRect(bank * cell_width_ - horizontalScrollBar()->value(), 0, cell_width_, row_height()),
                     Qt::AlignCenter, QString::number(bank));
}

QRect SharedBanks::place_of(std::uint32_t wanted, std::uint64_t element) const {
  int top = row_height() - verticalScrollBar()->value();
  for (const SharedArray& array : arrays_) {
    top += row_height();
    if (array.array == wanted && element < array.elements.size()) return cell(array, element, top);
    top += rows_of(array) * row_height();
  }
  return {};
}

std::optional<SharedBanks::Place> SharedBanks::element_at(QPoint at) const {
  int top = row_height() - verticalScrollBar()->value();
  if (at.y() < row_height()) return std::nullopt;
  for (const SharedArray& array : arrays_) {
    top += row_height();
    const int bottom = top + rows_of(array) * row_height();
    if (at.y() >= top && at.y() < bottom) {
      const std::uint64_t per_row = std::max<std::uint64_t>(1, banks * word_bytes / info_of(array).element_bytes);
      const auto row = static_cast<std::uint64_t>((at.y() - top) / row_height());
      // The first row may begin at a later bank
      const std::uint64_t first = row == 0 ? 0 : (row - 1) * per_row;
      for (std::uint64_t i = first; i < std::min<std::uint64_t>(array.elements.size(), (row + 1) * per_row); ++i)
        if (cell(array, i, top).contains(at)) return Place{array.array, i};
      return std::nullopt;
    }
    top = bottom;
  }
  return std::nullopt;
}

const SharedElement* SharedBanks::element(std::uint32_t wanted, std::uint64_t index) const {
  const auto array = std::ranges::find(arrays_, wanted, &SharedArray::array);
  return array == arrays_.end() || index >= array->elements.size() ? nullptr : &array->elements[index];
}

QString SharedBanks::text_of(std::uint32_t array, std::uint64_t index) const {
  const SharedElement* found = element(array, index);
  if (!found) return {};
  const LaunchRecording& recording = workbench_.inside().look().recording();
  const QString name = QStringLiteral("%1[%2]").arg(foreign_text(recording.arrays[array].name)).arg(index);
  if (found->state == SharedElement::State::unwritten) return tr("%1: nobody has written it").arg(name);
  if (!found->writer)
    return found->state == SharedElement::State::known ? tr("%1: a scan of the block wrote it").arg(name)
                                                       : tr("%1: a scan of the block may have changed it").arg(name);
  return workbench_.inside().access_text(*found->writer);
}

void SharedBanks::mousePressEvent(QMouseEvent* event) {
  if (const auto place = element_at(event->pos())) emit chosen(place->array, place->element);
}

bool SharedBanks::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto place = element_at(help->pos()))
      show_plain_tip(help->globalPos(), text_of(place->array, place->element), viewport());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace kdscope
