#include "visualizer/figure/cost_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "algorithms/text/numbers.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "visualizer/model/concealment.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

constexpr double least_plot = 7.2, plot_gap = 0.9;  // lines high; without the name of a dimension

/// Lays out and draws the plots of one node.
class CostDrawing {
 public:
  CostDrawing(const NodeCandidates& node, std::uint32_t dims, const CostDrawingOptions& options)
      : node_(node), dims_(dims), options_(options), em_(options.line_height), costs_(CostPlot::of(node)) {
    list_.width = options.width, list_.height = options.height;
  }

  DisplayList draw() {
    if (costs_.panels.empty()) return std::move(list_);
    lay_out();
    draw_frame();
    const DisplayInk warning = [](const Theme& t) { return t.warning; };
    if (node_.leaf_cost)
      for (const Plot& plot : plots_)
        list_.line({plot.left, y_of(*node_.leaf_cost), plot.right, y_of(*node_.leaf_cost)}, warning, 2 * options_.scale)
            .dash = Item::Dash::dashed;
    for (const Plot& plot : plots_) draw_curve(plot);
    const auto& picked = options_.picked;
    const double outline = options_.outline * options_.scale;
    if (node_.chosen)
      draw_mark(
          *node_.chosen, [](const Theme& t) { return t.pivot; }, ink_of_text, outline, 7,
          picked == node_.chosen ? "" : "chosen ");
    if (node_.leaf_cost) {
      const double y = y_of(*node_.leaf_cost), away = 4 + em_ / 2;
      const Plot& last = plots_.back();
      label_beside({"leaf " + short_number(*node_.leaf_cost, 4)}, last, warning,
                   {{last.right, y - away}, {last.right, y + away}, {last.left, y - away}, {last.left, y + away}});
    }
    if (picked) {
      const DisplayInk selection = [](const Theme& t) { return t.selection; };
      draw_mark(*picked, selection, selection, 1.5 * outline, 9, "");
    }
    return std::move(list_);
  }

 private:
  using Item = DisplayItem;
  struct Plot {
    const CostPlot::Panel* panel;
    double left, right;
    double x_of(double position) const { return left + panel->share(position) * (right - left); }
  };
  static constexpr auto ink_of_text = [](const Theme& t) { return t.text; };
  static constexpr auto ink_of_ticks = [](const Theme& t) { return t.muted_text; };

  Item& text(double x, double y, std::string words, DisplayInk ink, Item::Anchor anchor, bool bold) {
    Item& item = list_.words(x, y, std::move(words), std::move(ink), 0, anchor);
    item.bold = bold;
    return item;
  }
  /// Returns how many pieces of the curves words at a place would cover; a label, the leaf's line and what lies outside
  /// of the axes count as more than all.
  int covered(double x, double y, double half) const {
    constexpr int pieces = 16, worst = 1 << 20;
    int found = y + em_ / 2 > bottom_ || y < em_ / 2 ? worst : 0;
    for (const auto& [at, up, wide] : labels_)
      if (std::abs(at - x) < wide + half && std::abs(up - y) < em_) found += worst;
    if (node_.leaf_cost && std::abs(y_of(*node_.leaf_cost) - y) < em_ / 2 + 1) found += worst;
    for (const std::vector<double>& curve : curves_)
      for (std::size_t i = 0; i + 3 < curve.size(); i += 2)
        for (int piece = 0; piece <= pieces; ++piece)
          found += std::abs(std::lerp(curve[i], curve[i + 2], piece / double(pieces)) - x) < half &&
                   std::abs(std::lerp(curve[i + 1], curve[i + 3], piece / double(pieces)) - y) < em_ / 2;
    return found;
  }
  /// Writes words in a plot at the first of some places where they cover nothing, or else at the nearest free one to
  /// the first, or else other words, or else the last ones where they cover least.
  void label_beside(const std::vector<std::string>& choice, const Plot& plot, DisplayInk ink,
                    const std::vector<std::array<double, 2>>& preferred) {
    for (const std::string& words : choice) {
      const double half = text_width(words, em_, true) / 2 + 3, left = plot.left + half,
                   right = std::max(left, plot.right - half);
      constexpr int columns = 8, half_lines = 6;
      const auto [x, y] = preferred.front();
      std::vector<std::array<double, 2>> places = preferred;
      for (int column = 0; column <= columns; ++column)
        for (int line = -half_lines; line <= half_lines; ++line)
          places.push_back({std::lerp(left, right, column / double(columns)), y + line * em_ / 2});
      std::ranges::stable_sort(places.begin() + std::ssize(preferred), places.end(), {},
                               [&](const auto& at) { return std::hypot(at[0] - x, at[1] - y); });
      int fewest = std::numeric_limits<int>::max();
      std::array<double, 2> best{};
      for (std::size_t i = 0; i < places.size() && fewest > 0; ++i) {
        const std::array<double, 2> at{std::clamp(places[i][0], left, right), places[i][1]};
        if (const int here = covered(at[0], at[1], half); here < fewest) fewest = here, best = at;
      }
      if (fewest == 0 || &words == &choice.back()) return label(best[0], best[1], words, ink);
    }
  }
  double y_of(double cost) const {
    return costs_.is_known() ? bottom_ - costs_.share(cost) * (bottom_ - top_) : bottom_;
  }

  void lay_out() {
    // In a low drawing the word beside the axis has the first line, and ticks leave it alone.
    low_ = options_.height < 9 * em_;
    top_ = (low_ ? 0.6 : 1.4) * em_, bottom_ = std::max(top_ + 1, options_.height - 1.5 * em_);
    if (const double room = (bottom_ - top_) / (2.2 * em_); costs_.is_known())
      ticks_ = tick_values(costs_.low, costs_.high, static_cast<int>(std::clamp(room, 1.0, 6.0)));
    for (const std::string& words : tick_texts(ticks_)) left_ = std::max(left_, text_width(words, em_));
    if (low_) left_ = std::max(left_, text_width("cost", em_, true));
    left_ += 0.9 * em_;
    double name = 0;
    for (const CostPlot::Panel& panel : costs_.panels)
      name = std::max(name, text_width(coordinate_name(panel.dim, dims_), em_, true));
    const double gap = plot_gap * em_ + name, room = options_.width - left_ - name - 0.4 * em_;
    const std::size_t known = costs_.panels.size();
    const auto count = std::clamp<std::size_t>(
        static_cast<std::size_t>(std::max(1.0, (room + gap) / (least_plot * em_ + gap))), 1, known);
    std::optional<std::size_t> at = options_.picked ? options_.picked : node_.chosen;
    if (!at)
      for (std::size_t i = 0; i < node_.tried.size(); ++i)
        if (node_.tried[i].cost < (at ? node_.tried[*at].cost : HUGE_VAL)) at = i;
    std::size_t wanted = 0;
    while (at && wanted + 1 < known && costs_.panels[wanted].dim != node_.tried[*at].dim) ++wanted;
    const std::size_t first = std::min(wanted, known - count);
    const double each = std::max(1.0, (room - gap * static_cast<double>(count - 1)) / static_cast<double>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const double left = left_ + static_cast<double>(i) * (each + gap);
      plots_.push_back({&costs_.panels[first + i], left, left + each});
    }
  }

  void draw_frame() {
    const DisplayInk grid = [](const Theme&t) { return t.line; }, axis = [](const Theme&t) { return t.axis; };
    const std::string of = costs_.is_known() ? "" : " at node " + std::to_string(node_.node.value);
    text(0.2 * em_, 0.65 * em_, "cost" + of, ink_of_text, Item::Anchor::left, true);
    const std::vector<std::string> costs = tick_texts(ticks_);
    for (std::size_t i = 0; i < ticks_.size(); ++i)
      if (!low_ || y_of(ticks_[i]) > 1.6 * em_)
        text(left_ - 0.3 * em_, y_of(ticks_[i]), costs[i], ink_of_ticks, Item::Anchor::right, false);
    for (const Plot& plot : plots_) {
      for (const double tick : ticks_) list_.line({plot.left, y_of(tick), plot.right, y_of(tick)}, grid, 1);
      list_.line({plot.left, top_, plot.left, bottom_, plot.right, bottom_}, axis, 1.5);
      // The name of the dimension stands behind its axis, where no tick needs the room.
      const std::string name = coordinate_name(plot.panel->dim, dims_);
      const double below = bottom_ + 0.75 * em_;
      text(plot.right + 0.25 * em_, below, name, ink_of_text, Item::Anchor::left, true);
      const std::vector<double> ticks =
          tick_values(plot.panel->low, plot.panel->high,
                      static_cast<int>(std::clamp((plot.right - plot.left) / (3.5 * em_), 2.0, 6.0)));
      const std::vector<std::string> texts = tick_texts(ticks);
      double taken = plot.left - 0.4 * em_;
      for (std::size_t i = 0; i < ticks.size(); ++i) {
        const double x = plot.x_of(ticks[i]), half = text_width(texts[i], em_) / 2 + 1;
        if (x - half < taken || x + half > plot.right + 0.2 * em_) continue;
        list_.line({x, bottom_, x, bottom_ + 0.2 * em_}, ink_of_ticks, 1);
        text(x, below, texts[i], ink_of_ticks, Item::Anchor::middle, false);
        taken = x + half + 0.4 * em_;
      }
    }
  }

  void draw_curve(const Plot& plot) {
    const int dim = static_cast<int>(plot.panel->dim);
    const auto ink_of = [dim](const Theme& t) { return mix(strategy_colour(t, dim), t.text, 0.25); };
    std::vector<double> corners, curve;  // the curve takes the lowest cost at each position
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < node_.tried.size(); ++i)
      if (const TriedCandidate& c = node_.tried[i];
          c.dim == plot.panel->dim && (std::isfinite(c.cost) || !costs_.is_known())) {
        const double x = plot.x_of(c.position), y = y_of(c.cost);
        corners.insert(corners.end(), {x, y});
        places.push_back(i);
        if (curve.empty() || std::abs(curve[curve.size() - 2] - x) > 0.5)
          curve.insert(curve.end(), {x, y});
        else
          curve.back() = std::max(curve.back(), y);
      }
    const double radius = (places.size() > 60 ? 2.2 : 3.4) * options_.scale;
    // Unknown costs: somewhere above each place
    for (std::size_t i = 0; !costs_.is_known() && i < corners.size(); i += 2)
      list_
          .line(
              {corners[i], top_, corners[i], bottom_}, [](const Theme& t) { return t.line; }, 1)
          .dash = Item::Dash::dashed;
    if (!costs_.is_known())
      list_.words((plot.left + plot.right) / 2, (top_ + bottom_) / 2, concealed_text, ink_of_ticks, 1.6 * em_).ground =
          true;
    if (curve.size() > 2 && costs_.is_known())
      list_.line(
          curve, [ink_of](const Theme& t) { return mix(ink_of(t), t.base, 0.35); }, 1.5 * options_.scale);
    for (std::size_t i = 0; i < places.size(); ++i)
      list_.add({.shape = Item::Shape::circle,
                 .at = {corners[2 * i], corners[2 * i + 1], radius},
                 .ink = ink_of,
                 .id = static_cast<std::uint32_t>(places[i]),
                 .spoken = candidate_words(node_, places[i], dims_) + (node_.chosen == places[i] ? "; chosen" : "")});
    curves_.push_back(std::move(curve));
  }

  /// Draws a ring around a candidate and a line down to its axis, and its cost beside it. No label if `before` is empty
  /// and the candidate is not picked.
  void draw_mark(std::size_t place, DisplayInk ink, DisplayInk ink_of_label, double width, double radius,
                 std::string_view before) {
    const DisplayItem* circle = list_.circle(static_cast<std::uint32_t>(place));
    if (!circle) return;
    const double x = circle->at[0], y = circle->at[1], around = radius * options_.scale;
    list_.line({x, bottom_, x, y + around}, ink, width);
    list_.ring(x, y, around, ink, width);
    if (before.empty() && !(options_.picked == place && radius > 8)) return;
    const std::string cost = short_number(node_.tried[place].cost, 4), words = std::string(before) + cost;
    const double beside = around + 6 * options_.scale + text_width(words, em_, true) / 2;
    const auto plot = std::ranges::find(plots_, node_.tried[place].dim, [](const Plot& p) { return p.panel->dim; });
    label_beside({words, cost}, *plot, ink_of_label, {{x + beside, y}, {x - beside, y}});
  }

  /// Draws words on a ground of their own, kept inside the drawing.
  void label(double x, double y, std::string words, DisplayInk ink) {
    const double half = text_width(words, em_, true) / 2 + 3;
    x = std::clamp(x, half, std::max(half, options_.width - half));
    y = std::clamp(y, em_ / 2, std::max(em_ / 2, options_.height - em_ / 2));
    labels_.push_back({x, y, half});
    text(x, y, std::move(words), ink, Item::Anchor::middle, true).ground = true;
  }

  const NodeCandidates& node_;
  const std::uint32_t dims_;
  const CostDrawingOptions& options_;
  const double em_;
  const CostPlot costs_;
  double left_ = 0, top_ = 0, bottom_ = 1;
  bool low_ = false;
  std::vector<double> ticks_;
  std::vector<Plot> plots_;
  std::vector<std::vector<double>> curves_;    // their corners
  std::vector<std::array<double, 3>> labels_;  // their middles and half of their widths
  DisplayList list_;
};

}  // namespace

CostPlot CostPlot::of(const NodeCandidates& node) {
  CostPlot plot;
  double low = 1e300, high = -1e300;
  const auto include = [&](double cost) {
    if (std::isfinite(cost)) low = std::min(low, cost), high = std::max(high, cost);
  };
  for (const TriedCandidate& c : node.tried) include(c.cost);
  if (node.leaf_cost) include(*node.leaf_cost);
  if (low <= high) {
    const double pad = std::max(1e-9, high - low) * 0.08;
    plot.low = low - pad, plot.high = high + pad;
  }
  for (const std::uint32_t dim : node.dimensions()) {
    Panel panel{dim, 1e300, -1e300};
    for (const TriedCandidate& c : node.tried)
      if (c.dim == dim) panel.low = std::min(panel.low, c.position), panel.high = std::max(panel.high, c.position);
    // Draw candidates at one place if floats can hardly distinguish their positions.
    const bool wide = panel.high - panel.low > 4e-6 * std::max(std::abs(panel.low), std::abs(panel.high));
    const double margin = wide ? 0.05 * (panel.high - panel.low) : 0.5;
    panel.low -= margin, panel.high += margin;
    plot.panels.push_back(panel);
  }
  return plot;
}

DisplayList cost_drawing(const NodeCandidates& node, std::uint32_t dims, const CostDrawingOptions& options) {
  return CostDrawing(node, dims, options).draw();
}

double cost_drawing_width(const NodeCandidates& node, const CostDrawingOptions& options) {
  const double each = (least_plot + plot_gap) * options.line_height;
  return std::max(options.width, static_cast<double>(node.dimensions().size()) * each + 6 * options.line_height);
}

}  // namespace kdscope
