#pragma once
// Shared by the tables and figures of Zhou et al. 2008: the scenes with their printed values, the exact greedy tree
// that the builder's trees are compared with, and the handles of deformed point clouds.

#include <array>
#include <string>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/vector3.hpp"
#include "algorithms/trees/tree.hpp"
#include "app/experiments/measured_build.hpp"

namespace kdscope::zhou_2008 {

/// Numbers of processors in Table 3 and Fig. 5.
inline constexpr std::array<int, 8> processors{16, 32, 48, 64, 80, 96, 112, 128};

/// A scene of Fig. 4 with its printed values: Table 2 (ms, costs), §3.5 (MB), Table 3 (ms).
struct Scene {
  const char* data;  ///< our scene with as many thousands of triangles
  std::uint64_t triangles;
  const char *cpu_ms, *gpu_ms, *cpu_sah, *gpu_sah, *megabytes;
  std::array<const char*, processors.size()> ms;
};
extern const std::array<Scene, 6> scenes;

/// The points within a ball are a handle.
struct HandleBall {
  Vector3 centre;
  double radius;
};
/// On the bunny: an ear is moved, and the feet stay.
inline constexpr HandleBall ear{{0, 9, -1.3}, 2}, feet{{-1.5, -0.5, 0}, 3};

using Measure = Result<void> (*)(std::span<ExperimentRow> rows, const ExperimentOptions& options,
                                 const RunControl& control);

/// An experiment with citation, triangles as x, one series per builder, the source's GPU as printed series, and the
/// builder's parameters.
Experiment experiment(std::string id, const std::string& place, std::string title, Measure measure);

/// Adds a row of `zhou-sah` on a scene. x is its number of triangles; printed values stay empty.
ExperimentRow& add_row(ExperimentSpec& spec, const Scene& scene, std::string series);

/// C_ts of these parameters: the cost of a traversal step, in units of the test of a triangle.
double traversal_cost(const Parameters& parameters);
/// Cost of a tree of split planes by the surface area heuristic.
double cost_of(const Tree& tree);
/// Builds the tree of the row's scene by the exact greedy builder (Wald & Havran 2006), on one thread. Errors: those of
/// exact_sah_tree(), such as cancelled.
Result<Tree> exact_tree(const std::shared_ptr<const DataSet>& data, const ExperimentRow& row,
                        const RunControl& control);

/// Times that builder as a row of its own, and returns its tree; empty if the row got the reason oom instead. Errors:
/// as above.
Result<std::optional<Tree>> measure_exact(ExperimentRow& row, const ExperimentOptions& options,
                                          const RunControl& control);

/// A number with one decimal: "67.9".
std::string decimal(double value);
/// The percentage of two printed numbers: "86.0".
std::string percent_of(const char* value, const char* whole);

}  // namespace kdscope::zhou_2008
