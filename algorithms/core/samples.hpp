#pragma once
// Samples of a measurement: their statistics, and how those of several works are taken in turn.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// Returns the median; 0 if there are no values.
double median_ms(const std::vector<double>& times);

/// Returns the value below which a share of the values lies, interpolated; 0.5 gives the median. 0 if there are no
/// values.
double quantile(std::vector<double> values, double share);

/// The repetitions of one measurement: times in ms, or values in the unit of an experiment's y axis.
struct Samples {
  /// What is known instead of the single values: of rows that earlier versions kept, and of values that follow from
  /// several builds together.
  struct Summary {
    std::uint64_t count = 0;
    double median = 0, least = 0, most = 0, mean = 0, deviation = 0;
  };

  std::vector<double> values = {};      ///< in the order of their measurement
  std::optional<Summary> summary = {};  ///< only without values

  bool empty() const { return count() == 0; }
  std::size_t count() const { return summary ? summary->count : values.size(); }
  double median() const;
  double least() const;
  double most() const;
  double mean() const;
  /// The standard deviation; 0 of a single value.
  double deviation() const;
  /// The standard deviation of normally distributed values whose quartiles are as far from the median as the farther
  /// one of these: one slow repetition among many does not change it. Of a summary, its deviation.
  double noise() const;
  /// The value below which a share of the values lies. Precondition: there are values.
  double quantile(double share) const { return kdscope::quantile(values, share); }
};

/// Takes `rounds` samples of each of several works, in turn and every second round backwards, so that a drift of the
/// machine's speed meets all of them. A round before warms up: it loads code and allocates memory that later ones
/// reuse. once(work, counts): does one work and returns its Result<double>, in ms; an error ends all.
template <class Once>
Result<std::vector<std::vector<double>>> samples_in_turn(std::size_t works, int rounds, Once once) {
  std::vector<std::vector<double>> samples(works);
  for (int round = 0; round <= rounds; ++round)
    for (std::size_t turn = 0; turn < works; ++turn) {
      const std::size_t work = round % 2 == 0 ? turn : works - 1 - turn;
      const Result<double> ms = once(work, round > 0);
      if (!ms) return ms.error();
      if (round > 0) samples[work].push_back(*ms);
    }
  return samples;
}

}  // namespace kdscope
