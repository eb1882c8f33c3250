#pragma once
// Plans a bench and measures it.

#include <string>
#include <vector>

#include "algorithms/registry/searches.hpp"
#include "algorithms/variants/work.hpp"
#include "app/measure/measured_row.hpp"

namespace kdscope {

/// A builder or a search with the parameters that are not left to the defaults.
struct BenchedProcedure {
  std::string id;
  Parameters given = {};
};

/// What to measure. Every combination of data, sizes and builders, each with all searches that fit its trees.
struct BenchPlan {
  std::vector<BenchedProcedure> builders;
  /// Specifications. Each size replaces {n}, or is added to a generator whose size is not given; all other data are
  /// measured once, as they are.
  std::vector<std::string> data;
  std::vector<std::uint64_t> sizes;
  std::vector<Backend> backends{Backend::cpu};  ///< cpu and cuda; each has its own table
  std::vector<BenchedProcedure> searches = {};  ///< for the nearest points of every point
  std::vector<std::uint32_t> ks = {};           ///< neighbours per query
  QueryOrder order = QueryOrder::given;
  std::vector<std::string> libraries = {};  ///< beside kdscope on the CPU: ids of peer_libraries()
  int repeats = 0;                          ///< per row; 0: 25, or down to 3 if they would take over 2 s
  int processors = 0;                       ///< threads or multiprocessors that a row may use; 0 for all
  double time_limit_s = 60;                 ///< per row, repetitions included
};

/// The largest bench that is accepted, in rows per back end.
inline constexpr std::size_t most_bench_rows = 2000;

/// The devices of a plan with their rows, none measured yet, through the one door (algorithms/run); opens data whose
/// size is not known without. Errors: unknown builders, searches, libraries and parameters; a search that fits no
/// builder's trees; wrong data; a missing device; too many processors; too many rows. `warnings` receives those of the
/// data, each once.
Result<std::vector<MeasuredTable>> planned_tables(const BenchPlan& plan, std::vector<std::string>& warnings);

/// Measures the bandwidth of each table's device, unless the table has it, and its rows in their order, through the
/// same door: a lost device leaves the rows before. A row that a
/// builder or search refuses, that does not fit in memory or takes longer than the plan permits, is left out with the
/// reason; so is one whose builds give different trees. Errors: cancelled, a failing device; `tables` then holds what
/// was measured before.
Result<void> measure_bench(const BenchPlan& plan, std::vector<MeasuredTable>& tables, const RunControl& control);

/// Both, as a runner does them.
std::vector<variants::ServedWork> bench_works();

}  // namespace kdscope
