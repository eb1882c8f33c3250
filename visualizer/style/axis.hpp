#pragma once
// The one axis of plots and scenes: values to places, and round values to label.

#include <string>
#include <vector>

namespace kdscope {

/// Round values (1, 2 or 5 times a power of ten apart) between lo and hi, at most `count` and a few more or fewer;
/// empty when lo >= hi.
std::vector<double> tick_values(double lo, double hi, int count);
/// Tick values as text, all with the same number of decimals, or with as many digits as distinguish neighbours.
std::vector<std::string> tick_texts(const std::vector<double>& values);

/// Maps values to places (pixels, say) linearly or by their logarithms.
struct PlotAxis {
  bool logarithmic = true, whole = false;
  double low = 1, high = 10;  ///< values at the ends
  double begin = 0, end = 1;  ///< places of the ends

  /// Covers the values up to whole decades if logarithmic (values > 0); from 0 up to a round number otherwise; exactly,
  /// with ticks at whole numbers, if `whole`.
  static PlotAxis over(double least, double most, bool logarithmic, bool whole = false);

  /// The place of a value; a logarithmic axis has those below its low end there.
  double operator()(double value) const;
  /// Decades, with 2 and 5 times each where there are at most two of them; or round values.
  std::vector<double> ticks() const;

 private:
  double step() const;
};

}  // namespace kdscope
