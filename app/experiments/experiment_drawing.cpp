#include "app/experiments/experiment_drawing.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

namespace kdscope {
namespace {

/// Categories of the theme in the order of their use: the easiest to distinguish come first.
constexpr std::array<int, 8> series_categories{2, 3, 6, 0, 1, 5, 4, 7};

constexpr std::array measured_marks{Glyph::circle, Glyph::square, Glyph::triangle, Glyph::diamond,
                                    Glyph::inverted_triangle};
constexpr std::array printed_marks{Glyph::triangle, Glyph::diamond, Glyph::inverted_triangle, Glyph::square,
                                   Glyph::circle};
constexpr std::array printed_dashes{DisplayItem::Dash::dashed, DisplayItem::Dash::dotted,
                                    DisplayItem::Dash::dash_dotted};

}  // namespace

std::string digits_text(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string axis_text(double value, const std::string& unit) {
  const auto scaled = [&](double factor, const char* name) { return digits_text(value / factor, 12) + " " + name; };
  if (unit == "ms")
    return value < 0.9999 ? scaled(1e-3, "\u00b5s") : value < 999.9 ? scaled(1, "ms") : scaled(1e3, "s");
  if (unit == "ns")
    return value < 999.9 ? scaled(1, "ns") : value < 999.9e3 ? scaled(1e3, "\u00b5s") : scaled(1e6, "ms");
  if (unit == "%") return digits_text(value) + "%";
  if (!unit.empty()) return digits_text(value) + " " + unit;
  for (const auto& [factor, suffix] : {std::pair{1e9, "G"}, {1e6, "M"}, {1e3, "K"}})
    if (value >= factor) return digits_text(value / factor) + suffix;
  return digits_text(value);
}

std::string measured_on(const std::vector<ExperimentRow>& rows) {
  std::vector<std::string> devices;
  std::string all;
  for (const ExperimentRow& row : rows) {
    std::string device = name_of(row.device.backend);
    for (char& c : device) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    device += ", " + row.device.name;
    if (!row.measured() || std::ranges::count(devices, device) > 0) continue;
    all += (devices.empty() ? "" : "; ") + device;
    devices.push_back(std::move(device));
  }
  return devices.empty() ? "Not measured here yet" : "Measured: " + all;
}

namespace {

/// One drawing of the chart.
class ChartDrawing {
 public:
  ChartDrawing(const ExperimentSpec& spec, const std::vector<ExperimentRow>& rows, const ChartRoom& room)
      : spec_(spec), rows_(rows), room_(room) {
    list_.width = room.width, list_.height = room.height;
  }

  DisplayList draw() {
    const double top = draw_legend(line_ * 0.5) + line_ * 1.6;
    if (!lay_out(top)) return std::move(list_);
    const ChartBox all = plot_;
    const double gap = line_ * 1.2;
    std::vector<std::string> panels;
    for (const ExperimentRow& row : rows_)
      if (std::find(panels.begin(), panels.end(), row.facet) == panels.end()) panels.push_back(row.facet);
    const auto count = static_cast<double>(panels.size());
    const double width = (all.width() - gap * (count - 1)) / count;
    for (std::size_t f = 0; f < panels.size(); ++f) {
      const double left = all.left + static_cast<double>(f) * (width + gap);
      enter_panel(panels[f], {left, all.top, left + width, all.bottom});
      draw_panel_axes(f == 0);
      for (std::size_t s = 0; s < spec_.series.size(); ++s) draw_printed(s);
      for (std::size_t s = 0; s < spec_.series.size(); ++s) draw_measured(s);
      if (names_at_ends()) draw_names();
    }
    return std::move(list_);
  }

 private:
  static DisplayInk ink(std::size_t series) {
    return [category = series_categories[series % series_categories.size()]](const Theme& t) {
      return t.categories[category];
    };
  }
  /// Whether names stand at the ends of lines. More than four lines run together, and charts side by side have no room;
  /// there only the legend names them.
  bool names_at_ends() const { return spec_.series.size() <= 4 && spec_.facets.empty(); }
  double mark_radius() const { return (spec_.series.size() <= 4 ? 5.0 : 4.0) * unit_; }

  /// The lower end of a whisker. On a logarithmic axis it is at least the smallest measured value, because mean minus
  /// deviation may not be positive.
  double low_of(const ExperimentRow& row) const {
    const double low = row.low(spec_.statistic);
    return spec_.y.logarithmic ? std::max(low, row.samples.least()) : low;
  }

  static std::function<std::string(double)> text_of(const Axis& axis) {
    return [unit = axis.unit](double value) { return axis_text(value, unit); };
  }

  // -- legend: groups of samples with names, wrapped at the width -----------------------------------------------------

  void start_group(const std::string& title, double& x, double& y, double left) {
    if (x > left) y += line_ * 1.3;
    const std::string text = room_.elided(title, list_.width - 2 * left, true);
    draw_words(list_, {left, y + line_ / 2}, text).bold = true;
    x = left + room_.text_width(text, true) + line_;
  }

  /// Calls `sample` with its middle and half its width, then draws the name.
  template <class Sample>
  void entry(const std::string& name, double half, double& x, double& y, double left, Sample sample) {
    const double width = 2 * half + line_ * 0.3 + room_.text_width(name);
    if (x + width > list_.width - left && x > left + line_) {
      x = left + line_;
      y += line_ * 1.2;
    }
    sample(ChartPlace{x + half, y + line_ / 2}, half);
    draw_words(list_, {x + 2 * half + line_ * 0.3, y + line_ / 2}, name);
    x += width + line_ * 0.9;
  }

  /// Draws the legend and returns the y coordinate below it.
  double draw_legend(double y) {
    const double left = line_ * 0.7;
    double x = left;
    start_group(measured_on(rows_), x, y, left);
    for (std::size_t s = 0; s < spec_.series.size(); ++s)
      entry(spec_.series[s], line_ * 1.4, x, y, left, [&](ChartPlace at, double half) {
        list_.line({at.x - half, at.y, at.x + half, at.y}, ink(s), 3.2 * unit_);
        measured_mark(s, at, mark_radius());
      });
    if (!spec_.citation.empty())  // an experiment file has no source
      start_group(spec_.printed.empty() ? spec_.citation + " prints no numbers" : "Printed: " + spec_.citation, x, y,
                  left);
    for (std::size_t p = 0; p < spec_.printed.size(); ++p)
      entry(spec_.printed[p].title, line_ * 1.4, x, y, left, [&](ChartPlace at, double half) {
        printed_line(p, {at.x - half, at.y, at.x + half, at.y}, of_theme(&Theme::text));
        printed_mark(p, at, of_theme(&Theme::text));
      });
    const auto bounded = [](const ExperimentRow& row) {
      return std::any_of(row.printed.begin(), row.printed.end(), [](const auto& value) { return value.upper_bound; });
    };
    if (std::any_of(rows_.begin(), rows_.end(), bounded))
      entry("less than", line_ * 0.4, x, y, left, [&](ChartPlace at, double) {
        draw_bound({at.x, at.y - line_ * 0.3}, of_theme(&Theme::text));
      });
    return y + line_;
  }

  DisplayItem& measured_mark(std::size_t series, ChartPlace at, double radius) {
    return draw_mark(list_, at, measured_marks[series % measured_marks.size()], radius, ink(series),
                     of_theme(&Theme::base), 1.2 * unit_);
  }
  DisplayItem& printed_mark(std::size_t printed, ChartPlace at, DisplayInk ink) {
    return draw_mark(list_, at, printed_marks[printed % printed_marks.size()], mark_radius() * 0.85,
                     of_theme(&Theme::base), std::move(ink), 1.6 * unit_);
  }
  void printed_line(std::size_t printed, std::vector<double> corners, DisplayInk ink) {
    list_.line(std::move(corners), std::move(ink), 1.7 * unit_).dash = printed_dashes[printed % printed_dashes.size()];
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
    const double labels = label_width(room_, y_, text_of(spec_.y));
    double names = 0;
    for (const std::string& name : names_at_ends() ? spec_.series : std::vector<std::string>{})
      names = std::max(names, room_.text_width(name));
    plot_ = {labels + line_ * 1.3, top, list_.width - names - line_ * 1.5, list_.height - line_ * 2.9};
    return plot_.width() >= line_ * 3 && plot_.height() >= line_ * 3;
  }

  /// Starts the chart of a facet, or the only chart.
  void enter_panel(const std::string& facet, const ChartBox& place) {
    plot_ = place;
    ends_.clear();
    facet_ = facet;
    // Keep marks at both ends clear of the axes.
    x_.begin = plot_.left + line_ * 0.9;
    x_.end = plot_.right - line_ * 0.3;
    y_.begin = plot_.bottom;
    y_.end = plot_.top;
  }

  /// Draws the axes of a panel. Only the first one labels the y axis.
  void draw_panel_axes(bool first) {
    draw_axes(list_, {plot_, x_, y_, text_of(spec_.x), text_of(spec_.y), spec_.x.title, spec_.y.title, first}, room_);
    if (!facet_.empty())
      draw_words(list_, {plot_.right, plot_.top - line_ * 0.95}, spec_.facet_column + ": " + facet_,
                 of_theme(&Theme::text), DisplayItem::Anchor::right);
  }

  // -- data -----------------------------------------------------------------------------------------------------------

  /// Gives an item a tip.
  void describe(DisplayItem& item, const ExperimentRow& row, const std::string& whose, const std::string& value) {
    item.id = described_++;
    item.spoken = (row.facet.empty() ? "" : row.facet + ", ") + row.series + ", " + axis_text(row.x, spec_.x.unit) +
                  ": " + value + "\n" + whose;
  }

  /// Draws an arrow that hangs from a bar.
  DisplayItem& draw_bound(ChartPlace at, DisplayInk ink) {
    const double x = at.x, y = at.y, tip = y + line_ * 0.75, half = line_ * 0.28, side = 0.7 * half;
    return list_.line({x - half, y, x + half, y, x, y, x, tip, x - side, tip - half, x, tip, x + side, tip - half},
                      std::move(ink), 1.7 * unit_);
  }

  void draw_printed(std::size_t s) {
    // Shift the bounds of each series sideways, because they often coincide.
    const double shift = (static_cast<double>(s) - (static_cast<double>(spec_.series.size()) - 1) / 2) * line_ * 0.7;
    for (std::size_t p = 0; p < spec_.printed.size(); ++p) {
      const std::string& title = spec_.printed[p].title;
      std::vector<const ExperimentRow*> exact;
      std::vector<double> path;
      for (const ExperimentRow& row : rows_) {
        const PrintedValue& printed = row.printed[p];
        if (row.series != spec_.series[s] || row.facet != facet_ || !printed.value) continue;
        const ChartPlace at{x_(row.x), y_(*printed.value)};
        if (printed.upper_bound) {
          describe(draw_bound({at.x + shift, at.y}, ink(s)), row, title, printed.text + " " + spec_.y.unit);
          continue;
        }
        exact.push_back(&row);
        path.insert(path.end(), {at.x, at.y});
      }
      if (path.empty()) continue;
      printed_line(p, path, ink(s));
      for (std::size_t i = 0; i < exact.size(); ++i)
        describe(printed_mark(p, {path[2 * i], path[2 * i + 1]}, ink(s)), *exact[i], title,
                 axis_text(*exact[i]->printed[p].value, spec_.y.unit));
      note_end(s, {path[path.size() - 2], path.back()});
    }
  }

  /// Consecutive rows without numbers that have the same reason.
  struct Gap {
    ChartPlace first, last;
    std::string text;
  };

  /// Draws the reason once for all marks of a gap: before the first mark or, without room there, over the middle ones.
  void draw_reason(const Gap& gap) {
    const std::string text = room_.elided(gap.text, plot_.width() - line_ * 0.5);
    const double width = room_.text_width(text) + line_ * 0.5, before = gap.first.x - line_ * 0.5 - width;
    const bool fits = before >= plot_.left;
    const double left = fits ? before : std::max((gap.first.x + gap.last.x - width) / 2, plot_.left);
    draw_words(list_, {left + width / 2, gap.first.y}, text, of_theme(&Theme::text), DisplayItem::Anchor::middle)
        .ground = !fits;
  }

  void draw_measured(std::size_t s) {
    std::vector<const ExperimentRow*> measured;
    std::vector<double> path;
    std::vector<Gap> gaps;
    for (const ExperimentRow& row : rows_) {
      if (row.series != spec_.series[s] || row.facet != facet_) continue;
      if (row.measured()) {
        measured.push_back(&row);
        path.insert(path.end(), {x_(row.x), y_(row.middle(spec_.statistic))});
        whisker(x_(row.x), y_(low_of(row)), y_(row.high(spec_.statistic)), ink(s));
      } else if (!row.reason.empty()) {
        const ChartPlace at{x_(row.x) - line_ * 0.9, plot_.top + line_ * (0.8 + 1.1 * static_cast<double>(s))};
        const double x = at.x, y = at.y, arm = mark_radius();
        const std::string& text = row.reason;
        describe(list_.line({x - arm, y - arm, x + arm, y + arm, x, y, x - arm, y + arm, x + arm, y - arm}, ink(s),
                            2.4 * unit_),
                 row, "here", text);
        if (gaps.empty() || gaps.back().text != text) gaps.push_back({at, at, text});
        gaps.back().last = at;
      }
    }
    for (const Gap& gap : gaps) draw_reason(gap);
    if (path.empty()) return;
    list_.line(path, ink(s), 3.2 * unit_);
    for (std::size_t i = 0; i < measured.size(); ++i)
      describe(measured_mark(s, {path[2 * i], path[2 * i + 1]}, mark_radius() * 1.15), *measured[i],
               measured[i]->device.name,
               axis_text(std::stod(digits_text(measured[i]->middle(spec_.statistic), 4)), spec_.y.unit));
    note_end(s, {path[path.size() - 2], path.back()});
  }

  void whisker(double x, double least, double most, DisplayInk ink) {
    const double left = x - mark_radius() * 1.25, right = 2 * x - left;
    list_.line({left, least, right, least, x, least, x, most, left, most, right, most}, std::move(ink), 1.8 * unit_);
  }

  // -- names of the series, to the right of their lines ---------------------------------------------------------------

  struct End {
    std::size_t series;
    double x = 0, top = 1e300, bottom = -1e300;
    double middle() const { return (top + bottom) / 2; }
  };

  void note_end(std::size_t series, ChartPlace at) {
    auto end = std::find_if(ends_.begin(), ends_.end(), [&](const End& e) { return e.series == series; });
    if (end == ends_.end()) end = ends_.insert(end, End{series});
    if (at.x > end->x + 1) *end = End{series, at.x};
    if (at.x < end->x - 1) return;
    end->top = std::min(end->top, at.y);
    end->bottom = std::max(end->bottom, at.y);
  }

  void draw_names() {
    std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) { return a.middle() < b.middle(); });
    std::vector<double> tops;
    for (const End& end : ends_)
      tops.push_back(std::max(end.middle() - line_ / 2, tops.empty() ? -1e300 : tops.back() + line_));
    double free_above = plot_.bottom;  // the labels of the x axis are below
    for (std::size_t i = tops.size(); i-- > 0; free_above = tops[i]) tops[i] = std::min(tops[i], free_above - line_);
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      const End& end = ends_[i];
      const double x = end.x + line_ * 0.6;
      const std::string& name = spec_.series[end.series];
      draw_words(list_, {x, tops[i] + line_ / 2}, name).bold = true;
      list_.box(x, tops[i] + line_ * 0.98, room_.text_width(name, true) + 2, 2 * unit_, ink(end.series));
    }
  }

  const ExperimentSpec& spec_;
  const std::vector<ExperimentRow>& rows_;
  const ChartRoom& room_;
  const double line_ = room_.line_height, unit_ = line_ / 18.0;  ///< a pixel at the normal text scale
  DisplayList list_;
  std::uint32_t described_ = 0;  ///< items with a tip
  ChartBox plot_;
  std::string facet_;  ///< the facet of the panel being drawn
  PlotAxis x_, y_;
  std::vector<End> ends_;
};

}  // namespace

DisplayList experiment_drawing(const ExperimentSpec& spec, const std::vector<ExperimentRow>& rows,
                               const ChartRoom& room) {
  return rows.empty() ? DisplayList() : ChartDrawing(spec, rows, room).draw();
}

}  // namespace kdscope
