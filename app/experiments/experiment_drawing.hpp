#pragma once
// An experiment as a chart: measured series as solid lines with filled marks and whiskers, printed ones as thin dashed
// lines with open marks. The colour stands for the series, the mark and dash of printed lines for the machine.

#include <string>
#include <vector>

#include "app/experiments/experiment.hpp"
#include "visualizer/figure/chart.hpp"

namespace kdscope {

/// Returns a number with at most so many significant digits: "1.23", "1e+03".
std::string digits_text(double value, int digits = 3);

/// A value with its axis' unit: 0.05 ms is "50 µs", 1000 ms "1 s", 5000 ns "5 µs"; counts are "10K", "1M".
std::string axis_text(double value, const std::string& unit);

/// The devices of the measured rows, in their order: "Measured: CUDA, NVIDIA H100; CPU, 16 threads", or "Not measured
/// here yet".
std::string measured_on(const std::vector<ExperimentRow>& rows);

/// Draws rows of one experiment, measured or not. Items with an id have what is spoken of a row. The list is empty
/// without rows.
DisplayList experiment_drawing(const ExperimentSpec& spec, const std::vector<ExperimentRow>& rows,
                               const ChartRoom& room);

}  // namespace kdscope
