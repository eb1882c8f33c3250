#pragma once
// The axis of plots and scenes: maps values to places, and chooses round values to label.

#include <string>
#include <vector>

namespace kdscope {

/// Returns about `count` round values between lo and hi, 1, 2 or 5 times a power of ten apart; empty if lo >= hi. If
/// that gives fewer than three although three or more are wanted, they are 3 or 4 times a power of ten apart, or
/// closer.
std::vector<double> tick_values(double lo, double hi, int count);
/// Returns the factor by which marks, lines and texts of a plot grow with its shorter side, in pixels at a text scale
/// of 100 %: more slowly than the plot, so that a large one still shows more; 1 up to the size of a small pane.
double plot_growth(double shorter_side);
/// Returns tick values as text, with the same number of decimals, or with as many digits as distinguish neighbours.
std::vector<std::string> tick_texts(const std::vector<double>& values);

/// Returns a number as figures write it: with a minus sign in place of a leading hyphen.
std::string with_minus_sign(std::string number);

/// Maps values to places, such as pixels, linearly or by their logarithms.
struct PlotAxis {
  bool logarithmic = true, whole = false;
  double low = 1, high = 10;  ///< values at the ends
  double begin = 0, end = 1;  ///< places of the ends

  /// Returns the axis that covers the values from `least` to `most`. A logarithmic axis (values > 0) covers whole
  /// decades; a `whole` axis covers whole numbers and has its ticks there; any other axis reaches from 0, or from
  /// `least` if that is negative, up to a round number.
  static PlotAxis over(double least, double most, bool logarithmic, bool whole = false);

  /// Returns the place of a value. A logarithmic axis puts values below its low end there.
  double operator()(double value) const;
  /// Returns decades, with 2 and 5 times each if there are at most two decades; on a linear axis, round values.
  std::vector<double> ticks() const;

 private:
  double step() const;
};

}  // namespace kdscope
