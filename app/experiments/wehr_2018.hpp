#pragma once
// What the figures and tables of Wehr & Radkowski 2018 share: data sets, threads per block, the printed Table II.

#include <array>
#include <string>
#include <vector>

#include "app/experiments/measured_build.hpp"

namespace kdscope::wehr_2018 {

inline constexpr std::array<int, 4> threads_per_block{32, 64, 128, 256};

/// Times of Table II for one number of points and one TPB, as printed, in ms; empty where it has a dash.
struct TableTwoRow {
  std::uint64_t points;
  int tpb;
  std::array<const char*, 3> comparison, suggested;  ///< random, workbench, bunny
};
extern const std::array<TableTwoRow, 24> table_two;

enum class Data { random, workbench, bunny };
/// Of a table's row: the bunny was sampled to 36,000 points where the others have 50,000.
std::uint64_t points_of(Data data, std::uint64_t row_points);
/// The specification of that many points.
std::string specification(Data data, std::uint64_t n);

/// Adds a row of the builder `wehr` on n points; x is n, printed texts are left empty.
ExperimentRow& add_row(ExperimentSpec& spec, std::string series, Data data, std::uint64_t n, Parameters fixed);

/// Citation, unit, axes, "mean and one standard deviation", parameters and their columns. Keys are the source's,
/// quantized ones, unless a user chooses exact ones; a first note states that.
Experiment experiment(std::string id, const std::string& place, std::string title,
                      const std::vector<std::string>& parameters);

}  // namespace kdscope::wehr_2018
