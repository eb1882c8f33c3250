#include "app/measure_panes/experiment_chart.hpp"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

/// Categories of the theme in the order of their use: the easiest to distinguish come first.
constexpr std::array<int, 8> series_categories{2, 3, 6, 0, 1, 5, 4, 7};

enum class Mark { circle, square, triangle, diamond, inverted_triangle, cross };
constexpr std::array measured_marks{Mark::circle, Mark::square, Mark::triangle, Mark::diamond, Mark::inverted_triangle};
constexpr std::array printed_marks{Mark::triangle, Mark::diamond, Mark::inverted_triangle, Mark::square, Mark::circle};

QVector<qreal> dashes(std::size_t printed) {
  const QVector<qreal> all[] = {{6, 3}, {2, 2.5}, {7, 3, 1.5, 3}};
  return all[printed % 3];
}

void draw_mark(QPainter& painter, Mark mark, QPointF at, double r) {
  const auto polygon = [&](std::initializer_list<QPointF> corners) {
    QPolygonF shape;
    for (const QPointF& corner : corners) shape << at + r * corner;
    painter.drawPolygon(shape);
  };
  switch (mark) {
    case Mark::circle:
      painter.drawEllipse(at, r, r);
      break;
    case Mark::square:
      polygon({{-0.88, -0.88}, {0.88, -0.88}, {0.88, 0.88}, {-0.88, 0.88}});
      break;
    case Mark::triangle:
      polygon({{0, -1.2}, {1.1, 0.8}, {-1.1, 0.8}});
      break;
    case Mark::diamond:
      polygon({{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}});
      break;
    case Mark::inverted_triangle:
      polygon({{0, 1.2}, {1.1, -0.8}, {-1.1, -0.8}});
      break;
    case Mark::cross:
      painter.drawLine(at + r * QPointF(-1, -1), at + r * QPointF(1, 1));
      painter.drawLine(at + r * QPointF(-1, 1), at + r * QPointF(1, -1));
      break;
  }
}

QString number(double value) { return QString::number(value, 'g', 3); }

}  // namespace

QString axis_text(double value, const std::string& unit) {
  const auto scaled = [&](double factor, const char* name) {
    return QStringLiteral("%1 %2").arg(QLocale::c().toString(value / factor, 'g', 12), QString::fromUtf8(name));
  };
  if (unit == "ms")
    return value < 0.9999 ? scaled(1e-3, "\u00b5s") : value < 999.9 ? scaled(1, "ms") : scaled(1e3, "s");
  if (unit == "ns")
    return value < 999.9 ? scaled(1, "ns") : value < 999.9e3 ? scaled(1e3, "\u00b5s") : scaled(1e6, "ms");
  if (unit == "%") return number(value) + QLatin1String("%");
  if (!unit.empty()) return number(value) + QLatin1Char(' ') + QString::fromStdString(unit);
  for (const auto& [factor, suffix] : {std::pair{1e9, "G"}, {1e6, "M"}, {1e3, "K"}})
    if (value >= factor) return number(value / factor) + QLatin1String(suffix);
  return number(value);
}

QString measured_on(const std::vector<ExperimentRow>& rows) {
  QStringList devices;
  for (const ExperimentRow& row : rows) {
    const QString device = QStringLiteral("%1, %2").arg(QString::fromUtf8(name_of(row.device.backend)).toUpper(),
                                                        QString::fromStdString(row.device.name));
    if (row.measured() && !devices.contains(device)) devices << device;
  }
  return devices.empty() ? QObject::tr("Not measured here yet")
                         : QObject::tr("Measured: %1").arg(devices.join(QStringLiteral("; ")));
}

/// One painting of the chart.
class ChartPainter {
 public:
  explicit ChartPainter(ExperimentChart& chart)
      : chart_(chart),
        spec_(*chart.spec_),
        theme_(*chart.theme_),
        rows_(chart.rows_),
        painter_(&chart),
        line_(chart.fontMetrics().height()),
        unit_(chart.fontMetrics().height() / 18.0) {
    painter_.setRenderHint(QPainter::Antialiasing);
  }

  void paint() {
    painter_.fillRect(chart_.rect(), colour(theme_.base));
    chart_.spots_.clear();
    if (rows_.empty()) return;
    const double top = draw_legend(line_ * 0.5) + line_ * 1.6;
    if (!lay_out(top)) return;
    const QRectF all = plot_;
    const double gap = line_ * 1.2;
    std::vector<std::string> panels;
    for (const ExperimentRow& row : rows_)
      if (std::find(panels.begin(), panels.end(), row.facet) == panels.end()) panels.push_back(row.facet);
    const auto count = static_cast<double>(panels.size());
    const double width = (all.width() - gap * (count - 1)) / count;
    for (std::size_t f = 0; f < panels.size(); ++f) {
      enter_panel(panels[f],
                  QRectF(all.left() + static_cast<double>(f) * (width + gap), all.top(), width, all.height()));
      draw_panel_axes(f == 0);
      painter_.setClipRect(plot_.adjusted(-line_, -line_, f + 1 < panels.size() ? gap : line_ * 20, line_));
      for (std::size_t s = 0; s < spec_.series.size(); ++s) draw_printed(s);
      for (std::size_t s = 0; s < spec_.series.size(); ++s) draw_measured(s);
      painter_.setClipping(false);
      if (names_at_ends()) draw_names();
    }
  }

 private:
  Rgb ink(std::size_t series) const { return theme_.categories[series_categories[series % series_categories.size()]]; }
  /// Whether names stand at the ends of lines. More than four lines run together, and charts side by side have no room;
  /// there only the legend names them.
  bool names_at_ends() const { return spec_.series.size() <= 4 && spec_.facets.empty(); }
  double mark_radius() const { return (spec_.series.size() <= 4 ? 5.0 : 4.0) * unit_; }
  QPen printed_pen(std::size_t printed, Rgb c) const {
    QPen pen(colour(c), 1.7 * unit_);
    pen.setDashPattern(dashes(printed));
    return pen;
  }

  /// The lower end of a whisker. On a logarithmic axis it is at least the smallest measured value, because mean minus
  /// deviation may not be positive.
  double low_of(const ExperimentRow& row) const {
    const double low = row.low(spec_.statistic);
    return spec_.y.logarithmic ? std::max(low, row.samples.least()) : low;
  }

  static std::function<QString(double)> text_of(const Axis& axis) {
    return [unit = axis.unit](double value) { return axis_text(value, unit); };
  }

  double advance(const QString& text) const { return painter_.fontMetrics().horizontalAdvance(text); }

  // -- legend: groups of samples with names, wrapped at the width -----------------------------------------------------

  void start_group(const QString& title, double& x, double& y, double left) {
    if (x > left) y += line_ * 1.3;
    QFont bold = chart_.font();
    bold.setBold(true);
    painter_.setFont(bold);
    painter_.setPen(colour(theme_.text));
    const double width = std::min<double>(advance(title), chart_.width() - 2 * left);
    painter_.drawText(QRectF(left, y, width + 2, line_), Qt::AlignVCenter,
                      painter_.fontMetrics().elidedText(title, Qt::ElideRight, static_cast<int>(width + 2)));
    painter_.setFont(chart_.font());
    x = left + width + line_;
  }

  /// Calls `sample` with its middle and half its width, then draws the name.
  template <class Sample>
  void entry(const QString& name, double half, double& x, double& y, double left, Sample sample) {
    const double width = 2 * half + line_ * 0.3 + advance(name);
    if (x + width > chart_.width() - left && x > left + line_) {
      x = left + line_;
      y += line_ * 1.2;
    }
    sample(QPointF(x + half, y + line_ / 2), half);
    painter_.setPen(colour(theme_.text));
    painter_.drawText(QRectF(x + 2 * half + line_ * 0.3, y, width, line_), Qt::AlignVCenter, name);
    x += width + line_ * 0.9;
  }

  /// Draws the legend and returns the y coordinate below it.
  double draw_legend(double y) {
    const double left = line_ * 0.7;
    double x = left;
    start_group(measured_on(rows_), x, y, left);
    for (std::size_t s = 0; s < spec_.series.size(); ++s)
      entry(QString::fromStdString(spec_.series[s]), line_ * 1.4, x, y, left, [&](QPointF at, double half) {
        painter_.setPen(QPen(colour(ink(s)), 3.2 * unit_, Qt::SolidLine, Qt::RoundCap));
        painter_.drawLine(at - QPointF(half, 0), at + QPointF(half, 0));
        filled(ink(s));
        draw_mark(painter_, measured_marks[s % measured_marks.size()], at, mark_radius());
      });
    if (!spec_.citation.empty())  // an experiment file has no source
      start_group((spec_.printed.empty() ? QObject::tr("%1 prints no numbers") : QObject::tr("Printed: %1"))
                      .arg(QString::fromStdString(spec_.citation)),
                  x, y, left);
    for (std::size_t p = 0; p < spec_.printed.size(); ++p)
      entry(QString::fromStdString(spec_.printed[p].title), line_ * 1.4, x, y, left, [&](QPointF at, double half) {
        painter_.setPen(printed_pen(p, theme_.text));
        painter_.drawLine(at - QPointF(half, 0), at + QPointF(half, 0));
        open(theme_.text);
        draw_mark(painter_, printed_marks[p % printed_marks.size()], at, mark_radius() * 0.85);
      });
    const auto bounded = [](const ExperimentRow& row) {
      return std::any_of(row.printed.begin(), row.printed.end(), [](const auto& value) { return value.upper_bound; });
    };
    if (std::any_of(rows_.begin(), rows_.end(), bounded))
      entry(QObject::tr("less than"), line_ * 0.4, x, y, left, [&](QPointF at, double) {
        painter_.setPen(QPen(colour(theme_.text), 1.7 * unit_));
        draw_bound(at - QPointF(0, line_ * 0.3));
      });
    return y + line_;
  }

  void filled(Rgb c) {
    painter_.setPen(QPen(colour(theme_.base), 1.2 * unit_));
    painter_.setBrush(colour(c));
  }
  void open(Rgb c) {
    painter_.setPen(QPen(colour(c), 1.6 * unit_));
    painter_.setBrush(colour(theme_.base));
  }

  // -- axes -----------------------------------------------------------------------------------------------------------

  /// Computes the ranges and the plot's rectangle; returns false if the plot has no room.
  bool lay_out(double top) {
    double x_least = 1e300, x_most = -1e300, y_least = 1e300, y_most = -1e300;
    const auto cover = [&](double y) {
      y_least = std::min(y_least, y);
      y_most = std::max(y_most, y);
    };
    for (const ExperimentRow& row : rows_) {
      x_least = std::min(x_least, row.x);
      x_most = std::max(x_most, row.x);
      for (const PrintedValue& printed : row.printed)
        if (printed.value) cover(*printed.value * (printed.upper_bound && spec_.y.logarithmic ? 0.5 : 1));
      if (row.measured()) {
        cover(low_of(row));
        cover(row.high(spec_.statistic));
      }
    }
    if (y_most < y_least) cover(1);
    if (spec_.y.logarithmic) y_least = std::max(y_least, 1e-9);
    x_ = PlotAxis::over(x_least, x_most, spec_.x.logarithmic, !spec_.x.logarithmic && spec_.x.unit.empty());
    if (spec_.x.logarithmic)  // shorten the axis to the data
      for (const double part : {0.5, 0.4})
        if (x_.high * part >= x_most && x_.high * part > x_.low) x_.high *= part;
    y_ = PlotAxis::over(y_least, y_most, spec_.y.logarithmic);
    const double labels = label_width(painter_.fontMetrics(), y_, text_of(spec_.y));
    double names = 0;
    for (const std::string& name : names_at_ends() ? spec_.series : std::vector<std::string>{})
      names = std::max(names, advance(QString::fromStdString(name)));
    plot_ = QRectF(QPointF(labels + line_ * 1.3, top),
                   QPointF(chart_.width() - names - line_ * 1.5, chart_.height() - line_ * 2.9));
    return plot_.width() >= line_ * 3 && plot_.height() >= line_ * 3;
  }

  /// Starts the chart of a facet, or the only chart.
  void enter_panel(const std::string& facet, const QRectF& place) {
    plot_ = place;
    ends_.clear();
    facet_ = facet;
    // Keep marks at both ends clear of the axes.
    x_.begin = plot_.left() + line_ * 0.9;
    x_.end = plot_.right() - line_ * 0.3;
    y_.begin = plot_.bottom();
    y_.end = plot_.top();
  }

  /// Draws the axes of a panel. Only the first one labels the y axis.
  void draw_panel_axes(bool first) {
    draw_axes(painter_,
              {plot_, x_, y_, text_of(spec_.x), text_of(spec_.y), QString::fromStdString(spec_.x.title),
               QString::fromStdString(spec_.y.title), first},
              theme_);
    if (facet_.empty()) return;
    painter_.setPen(colour(theme_.text));
    painter_.drawText(QRectF(plot_.left(), plot_.top() - line_ * 1.5, plot_.width(), line_ * 1.1),
                      Qt::AlignRight | Qt::AlignVCenter, QString::fromStdString(spec_.facet_column + ": " + facet_));
  }

  // -- data -----------------------------------------------------------------------------------------------------------

  void spot(QPointF at, const ExperimentRow& row, const QString& whose, const QString& value) {
    chart_.spots_.push_back(
        {at, QStringLiteral("%1, %2: %3\n%4")
                 .arg(QString::fromStdString((row.facet.empty() ? "" : row.facet + ", ") + row.series),
                      axis_text(row.x, spec_.x.unit), value, whose)});
  }

  void draw_bound(QPointF at) {
    const double length = line_ * 0.75, half = line_ * 0.28;
    painter_.drawLine(at - QPointF(half, 0), at + QPointF(half, 0));
    const QPointF tip = at + QPointF(0, length);
    painter_.drawLine(at, tip);
    painter_.drawLine(tip, tip + QPointF(-half * 0.7, -half));
    painter_.drawLine(tip, tip + QPointF(half * 0.7, -half));
  }

  void draw_printed(std::size_t s) {
    // Shift the bounds of each series sideways, because they often coincide.
    const double shift = (static_cast<double>(s) - (static_cast<double>(spec_.series.size()) - 1) / 2) * line_ * 0.7;
    for (std::size_t p = 0; p < spec_.printed.size(); ++p) {
      QPolygonF path;
      for (const ExperimentRow& row : rows_) {
        const PrintedValue& printed = row.printed[p];
        if (row.series != spec_.series[s] || row.facet != facet_ || !printed.value) continue;
        const QPointF at(x_(row.x), y_(*printed.value));
        const QString text = printed.upper_bound ? QString::fromStdString(printed.text + " " + spec_.y.unit)
                                                 : axis_text(*printed.value, spec_.y.unit);
        if (printed.upper_bound) {
          painter_.setPen(QPen(colour(ink(s)), 1.7 * unit_));
          draw_bound(at + QPointF(shift, 0));
        } else {
          path << at;
        }
        spot(at + QPointF(printed.upper_bound ? shift : 0, 0), row, QString::fromStdString(spec_.printed[p].title),
             text);
      }
      painter_.setPen(printed_pen(p, ink(s)));
      painter_.drawPolyline(path);
      open(ink(s));
      for (const QPointF& at : path)
        draw_mark(painter_, printed_marks[p % printed_marks.size()], at, mark_radius() * 0.85);
      if (!path.isEmpty()) note_end(s, path.back());
    }
  }

  /// Consecutive rows without numbers that have the same reason.
  struct Gap {
    QPointF first, last;
    QString text;
  };

  /// Draws the reason once for all marks of a gap: before the first mark or, without room there, over the middle ones.
  void draw_reason(const Gap& gap) {
    const double width = advance(gap.text) + line_ * 0.5;
    QRectF room(gap.first.x() - line_ * 0.5 - width, gap.first.y() - line_ / 2, width, line_);
    if (room.left() < plot_.left()) {
      room.moveLeft(std::max((gap.first.x() + gap.last.x() - width) / 2, plot_.left()));
      painter_.fillRect(room, colour(theme_.base));
    }
    painter_.setPen(colour(theme_.text));
    painter_.drawText(room, Qt::AlignCenter, gap.text);
  }

  void draw_measured(std::size_t s) {
    QPolygonF path;
    std::vector<Gap> gaps;
    for (const ExperimentRow& row : rows_) {
      if (row.series != spec_.series[s] || row.facet != facet_) continue;
      if (row.measured()) {
        const double value = row.middle(spec_.statistic);
        const QPointF at(x_(row.x), y_(value));
        path << at;
        spot(at, row, QString::fromStdString(row.device.name),
             axis_text(QString::number(value, 'g', 4).toDouble(), spec_.y.unit));
        whisker(at.x(), y_(low_of(row)), y_(row.high(spec_.statistic)), ink(s));
      } else if (!row.reason.empty()) {
        const QPointF at(x_(row.x) - line_ * 0.9, plot_.top() + line_ * (0.8 + 1.1 * static_cast<double>(s)));
        painter_.setPen(QPen(colour(ink(s)), 2.4 * unit_));
        draw_mark(painter_, Mark::cross, at, mark_radius());
        const QString text = QString::fromStdString(row.reason);
        if (gaps.empty() || gaps.back().text != text) gaps.push_back({at, at, text});
        gaps.back().last = at;
        spot(at, row, QObject::tr("here"), text);
      }
    }
    for (const Gap& gap : gaps) draw_reason(gap);
    painter_.setPen(QPen(colour(ink(s)), 3.2 * unit_, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter_.drawPolyline(path);
    filled(ink(s));
    for (const QPointF& at : path)
      draw_mark(painter_, measured_marks[s % measured_marks.size()], at, mark_radius() * 1.15);
    if (!path.isEmpty()) note_end(s, path.back());
  }

  void whisker(double x, double least, double most, Rgb c) {
    const double half = mark_radius() * 1.25;
    painter_.setPen(QPen(colour(c), 1.8 * unit_, Qt::SolidLine, Qt::FlatCap));
    painter_.drawLine(QPointF(x, least), QPointF(x, most));
    for (const double y : {least, most}) painter_.drawLine(QPointF(x - half, y), QPointF(x + half, y));
  }

  // -- names of the series, to the right of their lines ---------------------------------------------------------------

  struct End {
    std::size_t series;
    double x = 0, top = 1e300, bottom = -1e300;
    double middle() const { return (top + bottom) / 2; }
  };

  void note_end(std::size_t series, QPointF at) {
    auto end = std::find_if(ends_.begin(), ends_.end(), [&](const End& e) { return e.series == series; });
    if (end == ends_.end()) end = ends_.insert(end, End{series});
    if (at.x() > end->x + 1) *end = End{series, at.x()};
    if (at.x() < end->x - 1) return;
    end->top = std::min(end->top, at.y());
    end->bottom = std::max(end->bottom, at.y());
  }

  void draw_names() {
    std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) { return a.middle() < b.middle(); });
    QFont bold = chart_.font();
    bold.setBold(true);
    painter_.setFont(bold);
    std::vector<double> tops;
    for (const End& end : ends_)
      tops.push_back(std::max(end.middle() - line_ / 2, tops.empty() ? -1e300 : tops.back() + line_));
    double free_above = plot_.bottom();  // the labels of the x axis are below
    for (std::size_t i = tops.size(); i-- > 0; free_above = tops[i]) tops[i] = std::min(tops[i], free_above - line_);
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      const End& end = ends_[i];
      const double y = tops[i];
      const double x = end.x + line_ * 0.6;
      const QRectF room(x, y, advance(QString::fromStdString(spec_.series[end.series])) + 2, line_);
      painter_.setPen(colour(theme_.text));
      painter_.drawText(room, Qt::AlignVCenter, QString::fromStdString(spec_.series[end.series]));
      painter_.fillRect(QRectF(x, y + line_ * 0.98, room.width(), 2 * unit_), colour(ink(end.series)));
    }
    painter_.setFont(chart_.font());
  }

  ExperimentChart& chart_;
  const ExperimentSpec& spec_;
  const Theme& theme_;
  const std::vector<ExperimentRow>& rows_;
  QPainter painter_;
  double line_, unit_;  ///< height of a line of text; size of a pixel at the normal text scale
  QRectF plot_;
  std::string facet_;  ///< the facet of the panel being drawn
  PlotAxis x_, y_;
  std::vector<End> ends_;
};

ExperimentChart::ExperimentChart(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("experiment_chart"));
  setAccessibleName(tr("Chart of the experiment; the table below holds the same values"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ExperimentChart::show_rows(const ExperimentSpec& spec, std::vector<ExperimentRow> rows, const Theme& theme) {
  spec_ = &spec;
  rows_ = std::move(rows);
  theme_ = &theme;
  update();
}

void ExperimentChart::paintEvent(QPaintEvent*) {
  if (spec_) ChartPainter(*this).paint();
}

bool ExperimentChart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int spot = spot_at(spots_, help->pos(), fontMetrics().height());
  show_plain_tip(help->globalPos(), spot < 0 ? QString() : spots_[spot].text, this);
  return true;
}

}  // namespace kdscope
