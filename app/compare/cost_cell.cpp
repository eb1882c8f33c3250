#include "app/compare/cost_cell.hpp"

#include <QPainter>
#include <algorithm>
#include <limits>

#include "algorithms/core/samples.hpp"
#include "app/appearance/quantities.hpp"

namespace kdscope {
namespace {

std::array<std::optional<double>, 4> values_of(const ColumnCosts& costs) {
  std::array<std::optional<double>, 4> values;
  if (costs.ranks_time && !costs.build_ms.empty()) values[0] = median_ms(costs.build_ms);
  if (costs.trace) {
    values[1] = static_cast<double>(costs.trace->visited.value_or(costs.trace->launches));
    if (!costs.trace->visited) values[2] = static_cast<double>(costs.trace->bytes_moved);
  }
  if (costs.peak_bytes) values[3] = static_cast<double>(*costs.peak_bytes);
  return values;
}

/// Returns "1.23 ms (1.2 to 1.31)": the median, and the fastest and the slowest build.
QString time_text(const std::vector<double>& build_ms) {
  const auto [fastest, slowest] = std::ranges::minmax(build_ms);
  const QString median = milliseconds(median_ms(build_ms));
  return fastest == slowest ? median
                            : QObject::tr("%1 (%2 to %3)")
                                  .arg(median, QString::number(fastest, 'g', 3), QString::number(slowest, 'g', 3));
}

}  // namespace

CostScale scale_of(const std::vector<ColumnCosts>& columns) {
  CostScale scale;
  scale.least.fill(std::numeric_limits<double>::max());
  for (const ColumnCosts& column : columns) {
    const auto values = values_of(column);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!values[i]) continue;
      scale.most[i] = std::max(scale.most[i], *values[i]);
      scale.least[i] = std::min(scale.least[i], *values[i]);
    }
  }
  return scale;
}

CostCell::CostCell(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Costs"));
  setToolTip(tr("time: median of several builds at full speed, the fastest and the slowest of them; below %L1 points,\n"
                "launches take most of it, and it is noise\n"
                "visited: nodes that the search visited\n"
                "launches: steps of the recorded run on the device, library calls included\n"
                "moved: arrays that the steps wrote, before and after, as the recorded run has them\n"
                "memory: peak memory of a build at full speed")
                 .arg(least_timed));
  show_costs({}, {});
}

void CostCell::show_costs(const ColumnCosts& costs, const CostScale& scale) {
  const auto values = values_of(costs);
  const bool search = costs.trace && costs.trace->visited;
  const std::array names{search ? tr("build") : tr("time"), search ? tr("visited") : tr("launches"), tr("moved"),
                         tr("memory")};
  rows_.clear();
  for (std::size_t i = 0; i < names.size(); ++i) {
    Row row{names[i], QStringLiteral("\u2013"), {}, 0};
    if (values[i]) {
      row.value = i == 0   ? time_text(costs.build_ms)
                  : i == 1 ? QStringLiteral("%L1").arg(static_cast<qulonglong>(*values[i]))
                           : bytes(static_cast<std::uint64_t>(*values[i]));
      if (scale.least[i] > 0 && scale.most[i] > scale.least[i])
        row.factor = QStringLiteral("\u00d7 %1").arg(*values[i] / scale.least[i], 0, 'g', 3);
      if (scale.most[i] > 0) row.length = *values[i] / scale.most[i];
    }
    if (i == 0 && !values[i] && !costs.build_ms.empty()) row.value = tr("too few points to time");
    rows_.push_back(row);
  }
  setAccessibleDescription(summary());
  updateGeometry();
  update();
}

QString CostCell::summary() const {
  QStringList lines;
  for (const Row& row : rows_)
    lines << row.name + QLatin1Char(' ') + row.value +
                 (row.factor.isEmpty() ? QString() : QStringLiteral(", ") + row.factor);
  return lines.join(QLatin1Char('\n'));
}

/// Two costs per line where the column is wide: the figures have the room.
int CostCell::per_line() const { return width() > 44 * fontMetrics().averageCharWidth() ? 2 : 1; }

QSize CostCell::sizeHint() const {
  return {200, static_cast<int>(4.0 / per_line() * 1.5 * fontMetrics().height()) + 8};
}

void CostCell::resizeEvent(QResizeEvent*) { updateGeometry(); }

void CostCell::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetrics metrics = fontMetrics();
  const int beside = per_line();
  const double line = (height() - 8) * beside / 4.0, share = static_cast<double>(width()) / beside;
  int names = 0;
  for (const Row& row : rows_) names = std::max(names, metrics.horizontalAdvance(row.name));
  const double room = std::max(10.0, share - names - 20);
  QColor bar = palette().color(QPalette::Highlight);
  bar.setAlphaF(0.28F);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const int number = static_cast<int>(i);
    const double left = number % beside * share;
    const QRectF place(left + names + 14, 4 + number / beside * line + 1, room, line - 2);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRectF(left + 6, place.y(), names, place.height()), Qt::AlignVCenter | Qt::AlignLeft, row.name);
    painter.fillRect(place, palette().color(QPalette::AlternateBase));
    painter.fillRect(QRectF(place.topLeft(), QSizeF(room * row.length, place.height())), bar);
    painter.setPen(palette().color(QPalette::WindowText));
    const QRectF inner = place.adjusted(6, 0, -6, 0);
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft, row.value);
    if (metrics.horizontalAdvance(row.value) + metrics.horizontalAdvance(row.factor) + metrics.averageCharWidth() <
        inner.width())
      painter.drawText(inner, Qt::AlignVCenter | Qt::AlignRight, row.factor);
  }
}

}  // namespace kdscope
