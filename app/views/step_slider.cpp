#include "app/views/step_slider.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/appearance/labels.hpp"
#include "app/views/violation_marks.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {

QString phase_legend(const std::vector<PhaseBand>& bands, const Theme& theme, int current, const QString& between) {
  QStringList entries;
  for (const PhaseBand& kind : band_kinds(bands)) {
    const Rgb ground = phase_ground(theme, kind.kind, kind.kind == current);
    const QString name = foreign_text(kind.name).toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;"));
    entries << QStringLiteral("<span style=\"background-color:%1; color:%2\">&nbsp;%3&nbsp;</span>&nbsp;%4")
                   .arg(colour(ground).name(), colour(text_on(ground)).name(),
                        QString::fromStdString(letter_of_kind(kind.kind)),
                        kind.kind == current ? QStringLiteral("<b>%1</b>").arg(name) : name);
  }
  return entries.join(between);
}

void paint_phase(QPainter& painter, const QRectF& at, const Theme& theme, int kind, bool is_here, const QString& name) {
  const Rgb ground = phase_ground(theme, kind, is_here);
  painter.fillRect(at, colour(ground));
  painter.setPen(colour(text_on(ground)));
  painter.drawText(at, Qt::AlignCenter, name);
}

StepSlider::StepSlider(QWidget* parent) : QAbstractSlider(parent), theme_(&theme(ThemeId::light)) {
  setOrientation(Qt::Horizontal);
  setFocusPolicy(Qt::NoFocus);  // the field for the step's number takes the keyboard
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Step"));
  setTracking(true);
}

void StepSlider::set_ticks(std::vector<std::uint32_t> ticks) {
  ticks_ = std::move(ticks);
  update();
}

void StepSlider::set_bands(std::vector<PhaseBand> bands) {
  bands_ = std::move(bands);
  covered_from_.reset();
  QStringList names;
  for (const PhaseBand& band : bands_)
    names << tr("%1 from step %2 to %3").arg(foreign_text(band.name)).arg(band.first).arg(band.last);
  setAccessibleDescription(names.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

void StepSlider::cover_bands(std::uint32_t from) {
  if (bands_.empty()) return;
  std::vector<PhaseBand> passed = std::move(bands_);
  std::erase_if(passed, [&](const PhaseBand& band) { return band.first >= from; });
  if (!passed.empty()) passed.back().last = std::min(passed.back().last, from - 1);
  set_bands(std::move(passed));
  covered_from_ = from;
}

void StepSlider::set_bookmarks(std::vector<Bookmark> bookmarks) {
  bookmarks_ = std::move(bookmarks);
  update();
}

void StepSlider::set_violated(std::vector<std::uint32_t> steps) {
  violated_ = std::move(steps);
  update();
}

void StepSlider::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void StepSlider::set_low(bool low) {
  if (std::exchange(low_, low) != low) updateGeometry();
}

QSize StepSlider::sizeHint() const {
  return {240, static_cast<int>(fontMetrics().height() * (bands_.empty() && !covered_from_ ? 1.9 : low_ ? 2.05 : 2.5))};
}

double StepSlider::middle() const { return height() - fontMetrics().height() * 0.95; }

QString StepSlider::tip_at(std::uint32_t step) const {
  if (step < names_.size()) return names_[step].toHtmlEscaped();
  const PhaseBand* here = band_at(bands_, step);
  QStringList lines{tr("<b>Step %1</b>").arg(step)};
  if (here && here->first == here->last)
    lines.back() += QStringLiteral(": ") + foreign_text(here->name).toHtmlEscaped();
  else if (here)
    lines.back() +=
        tr(": %1, steps %2 to %3").arg(foreign_text(here->name).toHtmlEscaped()).arg(here->first).arg(here->last);
  for (std::size_t n = 0; n < bookmarks_.size(); ++n)
    if (bookmarks_[n].step == step)
      lines << tr("Bookmark %1").arg(n + 1) +
                   (bookmarks_[n].note.empty()
                        ? QString()
                        : QStringLiteral(": ") + foreign_text(bookmarks_[n].note).toHtmlEscaped());
  if (std::binary_search(violated_.begin(), violated_.end(), step)) lines << tr("\u2717 a check is violated");
  if (!bands_.empty()) lines << phase_legend(bands_, *theme_, here ? here->kind : -1, QStringLiteral("<br>"));
  return lines.join(QStringLiteral("<br>"));
}

bool StepSlider::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractSlider::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (isEnabled())
    QToolTip::showText(help->globalPos(),
                       tip_at(static_cast<std::uint32_t>(std::clamp(step_at(help->pos().x()), 0, maximum()))), this);
  else
    QToolTip::hideText();
  return true;
}

double StepSlider::x_of(int step) const {
  const double margin = fontMetrics().height() * 0.6;
  return margin + (width() - 2 * margin) * (maximum() > 0 ? static_cast<double>(step) / maximum() : 0.0);
}

int StepSlider::step_at(double x) const {
  const double margin = fontMetrics().height() * 0.6;
  return static_cast<int>(std::lround((x - margin) / std::max(1.0, width() - 2 * margin) * maximum()));
}

QRectF StepSlider::strip(const PhaseBand& band) const {
  const double half = (x_of(1) - x_of(0)) / 2;
  const double left = std::max(x_of(0), x_of(static_cast<int>(band.first)) - half);
  const double right = std::min(x_of(maximum()), x_of(static_cast<int>(band.last)) + half);
  return {left, 1, std::max(2.0, right - left - 1), fontMetrics().height() * (low_ ? 0.35 : 0.98)};
}

static QFont small_font(QFont font) {
  font.setPointSizeF(font.pointSizeF() * tokens::small_text);
  return font;
}

QRectF StepSlider::room_of_present() const {
  const PhaseBand* here = band_at(bands_, static_cast<std::uint32_t>(sliderPosition()));
  if (!here || low_) return {};
  QRectF room = strip(*here);
  const double wide =
      std::max(room.width(),
               QFontMetricsF(small_font(font())).horizontalAdvance(foreign_text(here->name)) + tokens::space_small);
  room.moveLeft(std::clamp(room.center().x() - wide / 2, x_of(0), std::max(x_of(0), x_of(maximum()) - wide)));
  room.setWidth(wide);
  return room;
}

void StepSlider::paint_bands(QPainter& painter) const {
  const Theme& t = *theme_;
  const QFont small = small_font(font());
  painter.setFont(small);
  const QFontMetricsF metrics(small);
  const PhaseBand* here = band_at(bands_, static_cast<std::uint32_t>(sliderPosition()));
  if (covered_from_)
    painter.fillRect(strip({{}, *covered_from_, static_cast<std::uint32_t>(maximum())}), colour(phase_ground(t, 0)));
  const QRectF named = room_of_present();
  for (const PhaseBand& band : bands_) {
    const QRectF room = strip(band);
    const QString name = foreign_text(band.name);
    const bool fits = !low_ && &band != here && !room.intersects(named) &&
                      metrics.horizontalAdvance(name) <= room.width() - tokens::space_small;
    paint_phase(painter, room, t, band.kind, &band == here, fits ? name : QString());
  }
  if (!named.isEmpty()) paint_phase(painter, named, t, here->kind, true, foreign_text(here->name));
}

void StepSlider::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = *theme_;
  const double unit = fontMetrics().height(), middle = this->middle();
  const double groove = std::max(low_ ? 2.0 : 4.0, unit * 0.26), here = x_of(sliderPosition());
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour(t.line));
  painter.drawRoundedRect(QRectF(x_of(0), middle - groove / 2, x_of(maximum()) - x_of(0), groove), groove / 2,
                          groove / 2);
  if (!isEnabled()) return;
  paint_bands(painter);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour(t.focus));
  painter.drawRoundedRect(QRectF(x_of(0), middle - groove / 2, here - x_of(0), groove), groove / 2, groove / 2);
  for (const std::uint32_t tick : ticks_) {
    const double x = x_of(static_cast<int>(tick));
    painter.setPen(QPen(colour(t.muted_text), std::max(1.5, unit * 0.1), Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QLineF(x, middle + groove, x, middle + unit * 0.75));
  }
  painter.setPen(QPen(colour(t.base), 2));
  painter.setBrush(colour(t.focus));
  painter.drawEllipse(QPointF(here, middle), unit * 0.5, unit * 0.5);
  double free_from = -1;
  for (const std::uint32_t step : violated_) {
    const double x = x_of(static_cast<int>(step)), arm = unit * 0.24;
    painter.setPen(QPen(colour(t.failed), std::max(2.0, unit * 0.13), Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QLineF(x, middle - unit * 0.45, x, middle + unit * 0.75));
    if (x - arm < free_from) continue;  // where steps are dense, one cross stands for several
    paint_violation(painter, t, {x, middle - unit * 0.1}, arm);
    free_from = x + 1.2 * arm;
  }
  // Bookmarks lie above the knob, so that one at this step is seen too.
  painter.setPen(QPen(colour(t.base), 2));
  const double half = unit * 0.34;
  painter.setBrush(colour(t.changed));
  for (const Bookmark& mark : bookmarks_) {
    const QPointF at(x_of(static_cast<int>(mark.step)), middle);
    painter.drawPolygon(
        QPolygonF{{at - QPointF(0, half), at + QPointF(half, 0), at + QPointF(0, half), at - QPointF(half, 0)}});
  }
}

void StepSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  setSliderDown(true);
  setValue(step_at(event->position().x()));
}

void StepSlider::mouseMoveEvent(QMouseEvent* event) {
  if (isSliderDown()) setValue(step_at(event->position().x()));
}

void StepSlider::mouseReleaseEvent(QMouseEvent*) { setSliderDown(false); }

void StepSlider::wheelEvent(QWheelEvent* event) {
  setValue(value() + (event->angleDelta().y() < 0 ? 1 : -1));
  event->accept();
}

}  // namespace kdscope
