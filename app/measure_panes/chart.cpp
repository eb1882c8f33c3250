#include "app/measure_panes/chart.hpp"

#include <QBuffer>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSvgGenerator>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/display_painter.hpp"
#include "app/appearance/plain_text.hpp"

namespace kdscope {

ChartRoom Chart::room() const {
  QFont bold = font();
  bold.setBold(true);
  const QFontMetricsF plain_metrics(font()), bold_metrics(bold);
  return {static_cast<double>(width()), static_cast<double>(height()), plain_metrics.height(),
          [plain_metrics, bold_metrics](std::string_view text, bool is_bold) {
            return (is_bold ? bold_metrics : plain_metrics)
                .horizontalAdvance(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
          }};
}

void Chart::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

std::optional<std::uint32_t> Chart::id_at(QPointF place) const {
  return drawing_.hit(place.x(), place.y(), fontMetrics().height());
}

const DisplayItem* Chart::item_of(std::uint32_t id) const {
  const auto item = std::ranges::find(drawing_.items, std::optional(id), &DisplayItem::id);
  return item == drawing_.items.end() ? nullptr : &*item;
}

void Chart::paintEvent(QPaintEvent*) {
  if (!theme_) return;
  drawing_ = draw();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), colour(theme_->base));
  paint_display_list(painter, drawing_, *theme_, font());
}

std::string Chart::svg() const {
  QBuffer bytes;
  QSvgGenerator file;
  file.setOutputDevice(&bytes);
  file.setResolution(logicalDpiY());
  file.setSize(size());
  file.setViewBox(rect());
  QPainter painter(&file);
  paint_display_list(painter, draw(), theme(ThemeId::light), font());
  painter.end();
  return bytes.data().toStdString();
}

bool Chart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto id = id_at(help->pos());
  show_plain_tip(help->globalPos(), id ? QString::fromStdString(item_of(*id)->spoken) : QString(), this);
  return true;
}

ExperimentChart::ExperimentChart(QWidget* parent) : Chart(parent) {
  setObjectName(QStringLiteral("experiment_chart"));
  setAccessibleName(tr("Chart of the experiment; the table below holds the same values"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ExperimentChart::show_rows(const ExperimentSpec& spec, std::vector<ExperimentRow> rows, const Theme& theme) {
  spec_ = &spec;
  rows_ = std::move(rows);
  set_theme(theme);
}

DisplayList ExperimentChart::draw() const { return spec_ ? experiment_drawing(*spec_, rows_, room()) : DisplayList(); }

RooflineChart::RooflineChart(QWidget* parent) : Chart(parent) {
  setObjectName(QStringLiteral("roofline_chart"));
  setAccessibleName(tr("Time over bytes; the table below holds the same rows"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMouseTracking(true);
}

void RooflineChart::show_points(std::vector<RooflinePoint> points, RooflineBounds bounds, const Theme& theme) {
  points_ = std::move(points);
  bounds_ = bounds;
  marked_ = -1;
  set_theme(theme);
}

void RooflineChart::mark(int point) {
  marked_ = point;
  update();
}

DisplayList RooflineChart::draw() const { return roofline_drawing(points_, bounds_, marked_, room()); }

QPointF RooflineChart::place_of(int point) const {
  const DisplayItem* mark = item_of(static_cast<std::uint32_t>(point));
  return mark ? QPointF(mark->at[0], mark->at[1]) : QPointF();
}

void RooflineChart::mouseMoveEvent(QMouseEvent* event) {
  setCursor(id_at(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void RooflineChart::mousePressEvent(QMouseEvent* event) {
  const auto point = event->button() == Qt::LeftButton ? id_at(event->position()) : std::nullopt;
  if (point) emit clicked(static_cast<int>(*point));
}

}  // namespace kdscope
