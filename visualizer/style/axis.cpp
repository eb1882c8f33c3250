#include "visualizer/style/axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kdscope {
namespace {

/// In pixels. A pane of this size has the usual marks and texts.
constexpr double small_plot = 480, most_growth = 2;

/// Returns the least of 1, 2, 5 and 10 times a power of ten that is not below `rough`.
double round_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double nice : {1.0, 2.0, 5.0})
    if (nice * power >= rough * 0.999) return nice * power;
  return 10 * power;
}

}  // namespace

std::vector<double> tick_values(double lo, double hi, int count) {
  std::vector<double> values;
  if (!(hi > lo) || count < 1) return values;
  const double rough = (hi - lo) / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double step : {round_step(rough), 5 * power, 4 * power, 3 * power, 2 * power, power}) {
    // A round number that lies just outside the range still marks its end.
    const double hair = 0.004 * (hi - lo) / step;
    const double first = std::ceil(lo / step - hair), last = std::floor(hi / step + hair);
    values.clear();
    for (double i = first; i <= last && values.size() < 100; ++i) values.push_back(i * step + 0.0);
    if (count < 3 || values.size() >= 3) break;
  }
  return values;
}

double plot_growth(double shorter_side) {
  return std::clamp(std::pow(shorter_side / small_plot, 2.0 / 3), 1.0, most_growth);
}

std::string with_minus_sign(std::string number) {
  if (number.size() > 1 && number[0] == '-' && number[1] >= '0' && number[1] <= '9') number.replace(0, 1, "\u2212");
  return number;
}

std::vector<std::string> tick_texts(const std::vector<double>& values) {
  std::vector<std::string> texts;
  if (values.empty()) return texts;
  double largest = 0;
  for (double v : values) largest = std::max(largest, std::abs(v));
  const double step = values.size() > 1 ? values[1] - values[0] : largest;
  const int decimals = step > 0 ? std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9))) : 0;
  const bool scientific = largest >= 1e7 || decimals > 5;
  const int digits = step > 0 ? std::clamp(static_cast<int>(std::ceil(std::log10(largest / step))) + 1, 4, 15) : 4;
  for (double v : values) {
    char text[40];
    if (scientific)
      std::snprintf(text, sizeof text, "%.*g", digits, v);
    else
      std::snprintf(text, sizeof text, "%.*f", decimals, v);
    texts.push_back(with_minus_sign(text));
  }
  return texts;
}

PlotAxis PlotAxis::over(double least, double most, bool logarithmic, bool whole) {
  PlotAxis axis;
  axis.whole = whole;
  axis.logarithmic = logarithmic;
  if (logarithmic) {
    axis.low = std::pow(10, std::floor(std::log10(least) + 1e-9));
    axis.high = std::pow(10, std::ceil(std::log10(most) - 1e-9));
    if (axis.high <= axis.low) axis.high = 10 * axis.low;
  } else if (whole) {
    axis.low = std::floor(least);
    axis.high = std::max(std::ceil(most), axis.low + 1);
  } else {
    axis.low = std::min(0.0, least);
    axis.high = most > axis.low ? most : axis.low + 1;
    axis.high = std::ceil(axis.high / axis.step()) * axis.step();
  }
  return axis;
}

double PlotAxis::operator()(double value) const {
  const double t =
      logarithmic ? std::log10(std::max(value, low) / low) / std::log10(high / low) : (value - low) / (high - low);
  return begin + (end - begin) * t;
}

double PlotAxis::step() const {
  const double step = round_step((high - low) / 5);
  return whole ? std::max(1.0, step) : step;
}

std::vector<double> PlotAxis::ticks() const {
  std::vector<double> all;
  const double last = high * (1 + 1e-9);
  if (logarithmic) {
    const bool between = high / low < 101;  // at most two decades leave room for more ticks
    for (double decade = std::pow(10, std::floor(std::log10(low) + 1e-9)); decade <= last; decade *= 10)
      for (const double value : {decade, 2 * decade, 5 * decade})
        if ((between || value == decade) && value >= low * (1 - 1e-9) && value <= last) all.push_back(value);
  } else {
    const double by = step();
    for (double i = std::ceil(low / by - 1e-9); i * by <= last; ++i) all.push_back(i * by + 0.0);
  }
  return all;
}

}  // namespace kdscope
