#pragma once
// Shared by the figures and tables of Wehr & Radkowski 2018: data sets, threads per block, the printed Table II.

#include <array>
#include <string>
#include <vector>

#include "app/experiments/measured_build.hpp"

namespace kdscope::wehr_2018 {

inline constexpr std::array<int, 4> threads_per_block{32, 64, 128, 256};

/// The printed times of Table II for one number of points and one TPB, in ms; empty for a dash.
struct TableTwoRow {
  std::uint64_t points;
  int tpb;
  std::array<const char*, 3> comparison, suggested;  ///< random, workbench, bunny
};
extern const std::array<TableTwoRow, 24> table_two;

enum class Data { random, workbench, bunny };
/// Number of points in a row of the table: the bunny has 36,000 points in rows where the others have 50,000.
std::uint64_t points_of(Data data, std::uint64_t row_points);
/// The specification of n points.
std::string specification(Data data, std::uint64_t n);

/// Adds a row of the builder `wehr` on n points. x is n; printed values stay empty.
ExperimentRow& add_row(ExperimentSpec& spec, std::string series, Data data, std::uint64_t n, Parameters fixed);

/// An experiment with citation, axes, units, the statistic mean and deviation, parameters and their columns. Keys are
/// quantized as in the source, unless the user chooses exact ones; the first note states this.
Experiment experiment(std::string id, const std::string& place, std::string title,
                      const std::vector<std::string>& parameters);

}  // namespace kdscope::wehr_2018
