#include "algorithms/core/samples.hpp"

#include <algorithm>
#include <cmath>

namespace kdscope {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double above = values[std::min(below + 1, values.size() - 1)];
  return values[below] + (place - static_cast<double>(below)) * (above - values[below]);
}

double median_ms(const std::vector<double>& times) { return quantile(times, 0.5); }

double Samples::median() const { return summary ? summary->median : median_ms(values); }

double Samples::least() const { return summary ? summary->least : *std::ranges::min_element(values); }

double Samples::most() const { return summary ? summary->most : *std::ranges::max_element(values); }

double Samples::mean() const {
  if (summary) return summary->mean;
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  return mean;
}

double Samples::deviation() const {
  if (summary) return summary->deviation;
  if (values.size() < 2) return 0;
  const double middle = mean();
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double Samples::noise() const {
  constexpr double to_quartile = 0.6745;  // of the normal distribution, in standard deviations
  return summary ? summary->deviation : std::max(quantile(0.75) - median(), median() - quantile(0.25)) / to_quartile;
}

}  // namespace kdscope
