#include "app/application_panes/time_bars.hpp"

#include <QPainter>
#include <algorithm>

#include "algorithms/registry/registry.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/quantities.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_bars = 100;

/// Paints a ground, hatched by the number of its kind so that neighbours differ not only by colour.
void paint_hatched(QPainter& painter, const QRectF& at, Rgb ground, int kind) {
  constexpr std::array hatches{Qt::NoBrush,    Qt::BDiagPattern,     Qt::FDiagPattern,
                               Qt::HorPattern, Qt::DiagCrossPattern, Qt::VerPattern};
  painter.fillRect(at, colour(ground));
  painter.fillRect(
      at, QBrush(colour(mix(ground, text_on(ground), 0.2)), hatches[static_cast<std::size_t>(kind) % hatches.size()]));
}

}  // namespace

TimeBars::TimeBars(const Appearance& looks, std::array<QString, shares> names, QWidget* parent)
    : QWidget(parent), looks_(looks), names_(std::move(names)) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TimeBars::add(const Times& times) {
  bars_.push_back(times);
  if (bars_.size() > most_bars) bars_.pop_front();
  QStringList words;
  const Times each = medians();
  for (std::size_t i = 0; i < shares; ++i) words << tr("%1 %2").arg(names_[i], milliseconds(each[i]));
  setAccessibleDescription(words.join(QStringLiteral(", ")));
  update();
}

void TimeBars::clear() {
  bars_.clear();
  update();
}

TimeBars::Times TimeBars::medians() const {
  Times medians{};
  for (std::size_t share = 0; share < shares; ++share) {
    std::vector<double> values;
    for (const Times& bar : bars_) values.push_back(bar[share]);
    medians[share] = median_ms(values);
  }
  return medians;
}

QSize TimeBars::sizeHint() const { return {160, 7 * fontMetrics().height()}; }

void TimeBars::paintEvent(QPaintEvent*) {
  if (bars_.empty()) return;
  QPainter painter(this);
  const Theme& look = theme_of(looks_);
  const int line = fontMetrics().height(), gap = line / 3;
  // The legend, as many entries to a row as fit
  const Times each = medians();
  int x = 0, y = 0;
  for (std::size_t share = 0; share < shares; ++share) {
    const QString words = tr("%1 %2").arg(names_[share], milliseconds(each[share]));
    const int width = line + gap + fontMetrics().horizontalAdvance(words) + 2 * gap;
    if (x > 0 && x + width > this->width()) x = 0, y += line;
    paint_hatched(painter, QRectF(x, y + 2, line - 4, line - 4), strategy_colour(look, static_cast<int>(share)),
                  static_cast<int>(share));
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(x + line + gap / 2, y + fontMetrics().ascent(), words);
    x += width;
  }
  const double top = y + line + gap, bottom = height() - 1;
  double most = 0;
  for (const Times& bar : bars_) most = std::max(most, bar[0] + bar[1] + bar[2]);
  if (most <= 0 || bottom <= top) return;
  const double width = std::min(double(this->width()) / static_cast<double>(bars_.size()), 24.0);
  for (std::size_t i = 0; i < bars_.size(); ++i) {
    double up = bottom;
    for (std::size_t share = 0; share < shares; ++share) {
      const double tall = (bottom - top) * bars_[i][share] / most;
      paint_hatched(painter, QRectF(static_cast<double>(i) * width, up - tall, std::max(1.0, width - 1), tall),
                    strategy_colour(look, static_cast<int>(share)), static_cast<int>(share));
      up -= tall;
    }
  }
}

}  // namespace kdscope
