#include "app/inside/touch_arrows.hpp"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <map>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/workbench/inside.hpp"

namespace kdscope {
namespace {

using namespace access_log;

constexpr double head_length = 9, head_width = 4;

/// Draws a line with a head at each end that asks for one.
void draw_arrow(QPainter& painter, const QLineF& line, bool head_at_start, bool head_at_end) {
  painter.drawLine(line);
  const auto draw_head = [&](QPointF tip, QPointF from) {
    const QLineF back = QLineF(tip, from);
    if (back.length() < 1) return;
    const QPointF along = (from - tip) / back.length(), across(-along.y(), along.x());
    const QPointF foot = tip + head_length * along;
    painter.drawPolygon(QPolygonF{tip, foot + head_width * across, foot - head_width * across});
  };
  if (head_at_end) draw_head(line.p2(), line.p1());
  if (head_at_start) draw_head(line.p1(), line.p2());
}

}  // namespace

TouchArrows::TouchArrows(ArrayTableView& table, Workbench& workbench)
    : QWidget(table.viewport()), table_(table), workbench_(workbench) {
  setObjectName(QStringLiteral("touch_arrows"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  table.viewport()->installEventFilter(this);
  resize(table.viewport()->size());
  const auto follow = [this] {
    setVisible(workbench_.inside().is_open());
    update();
  };
  connect(&workbench.inside(), &Inside::moved, this, follow);
  follow();
}

bool TouchArrows::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) resize(table_.viewport()->size());
  return QWidget::eventFilter(watched, event);
}

std::vector<TouchedCell> TouchArrows::touched() const {
  const Inside& inside = workbench_.inside();
  const ArrayTable* table = table_.table();
  if (!inside.is_open() || inside.walk().empty() || !table) return {};
  const LaunchWalk& walk = inside.walk();
  const LaunchRecording& recording = walk.recording();
  std::multimap<std::uint32_t, std::size_t> rows;  // by array of the recording
  for (std::size_t row = 1; row < table->rows().size(); ++row)
    if (const auto array = inside.array_of_row(table->rows()[row].name)) rows.emplace(*array, row);
  std::map<std::pair<std::size_t, std::uint64_t>, TouchedCell> cells;
  const Stretch& at = walk.stretch();
  std::size_t drawn = 0;
  for (std::size_t i = at.begin; i < at.end && drawn < most_drawn; ++i) {
    const Access& access = recording.accesses[i];
    if (walk.lane() && access.lane != *walk.lane()) continue;
    const std::int64_t index = recording.index_of(access);
    const auto [first, last] = rows.equal_range(access.array);
    if (first == last || index < 0) continue;
    ++drawn;
    for (auto each = first; each != last; ++each) {
      const TableRow& row = table->rows()[each->second];
      const std::uint64_t components = std::max(1u, row.components);
      const std::uint64_t column = static_cast<std::uint64_t>(index) / components;
      if (column >= row.size || static_cast<std::uint64_t>(index) % components != row.component) continue;
      TouchedCell& cell = cells[{each->second, column}];
      cell.row = each->second;
      cell.column = column;
      cell.reads |= access.reads();
      cell.writes |= !access.is(AccessKind::read);
      cell.current |= walk.access() == i;
    }
  }
  std::vector<TouchedCell> list;
  for (const auto& [place, cell] : cells) list.push_back(cell);
  return list;
}

QRectF TouchArrows::mark() const {
  const Inside& inside = workbench_.inside();
  if (!inside.is_open() || inside.walk().empty() || !inside.walk().lane()) return {};
  // Below the rows where there is room, else over their last one
  const double height = fontMetrics().height() + 6;
  const double width = fontMetrics().horizontalAdvance(inside.place_text()) + 16;
  const double top = std::min(table_.page_size().height() + 14, this->height() - height - 3.0);
  return QRectF(4, std::max(0.0, top), width, height);
}

void TouchArrows::paintEvent(QPaintEvent*) {
  const std::vector<TouchedCell> cells = touched();
  if (cells.empty()) return;
  const Theme& t = theme_of(workbench_.looks().appearance());
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor ink = colour(t.text);
  const QRectF lane = mark();
  for (const TouchedCell& cell : cells) {
    const QRectF rect = table_.cell_rect(cell.row, cell.column);
    if (rect.isEmpty()) continue;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink, cell.current ? 2.5 : 1.2, cell.writes ? Qt::SolidLine : Qt::DashLine));
    painter.drawRect(rect.adjusted(1.5, 1.5, -1.5, -1.5));
    if (lane.isEmpty()) continue;
    painter.setPen(QPen(ink, cell.current ? 2 : 1.2));
    painter.setBrush(ink);
    draw_arrow(painter, QLineF(QPointF(lane.right(), lane.center().y()), QPointF(rect.center().x(), rect.bottom() - 2)),
               cell.reads, cell.writes);
  }
  if (lane.isEmpty()) return;
  painter.setPen(QPen(ink, 1.2));
  painter.setBrush(colour(t.base));
  painter.drawRoundedRect(lane, 4, 4);
  painter.drawText(lane, Qt::AlignCenter, workbench_.inside().place_text());
}

}  // namespace kdscope
