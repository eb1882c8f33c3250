#pragma once
// The axis of plots and scenes: maps values to places and chooses round values for the labels.

#include <string>
#include <vector>

namespace kdscope {

/// Returns round values between lo and hi, about `count` of them, whose distance is 1, 2 or 5 times a power of ten.
/// Empty if lo >= hi.
std::vector<double> tick_values(double lo, double hi, int count);
/// Returns the tick values as text: all with the same number of decimals or, for very large or fine values, with enough
/// digits to distinguish neighbours.
std::vector<std::string> tick_texts(const std::vector<double>& values);

/// Maps values to places (pixels, for example), linearly or logarithmically.
struct PlotAxis {
  bool logarithmic = true, whole = false;
  double low = 1, high = 10;  ///< values at the ends
  double begin = 0, end = 1;  ///< places of the ends

  /// Returns the axis that covers the values from `least` to `most`. A logarithmic axis (values > 0) covers whole
  /// decades; a `whole` axis covers whole numbers and has its ticks there; any other axis reaches from 0, or from
  /// `least` if that is negative, up to a round number.
  static PlotAxis over(double least, double most, bool logarithmic, bool whole = false);

  /// Returns the place of a value; a logarithmic axis clamps values below its low end to that end.
  double operator()(double value) const;
  /// Returns the values to label. A logarithmic axis labels decades and, if it covers at most two of them, also 2 and 5
  /// times each; any other axis labels round values.
  std::vector<double> ticks() const;

 private:
  double step() const;
};

}  // namespace kdscope
