#pragma once
// Interrupts the zhou builders at each of their launches and arrays, on any back end, timed and stepped. They must end
// there with an error and release all memory, and the next build must make the same tree.

#include <set>
#include <string>
#include <vector>

#include "algorithms/builders/zhou-sah/zhou_sah.hpp"
#include "algorithms/builders/zhou-vvh/zhou_vvh.hpp"
#include "algorithms/registry/registry.hpp"
#include "tests/builders/interrupted_exec.hpp"
#include "tests/builders/triangle_soups.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

/// A builder with data that lead through all of its stages. Each run returns the tree's hash.
struct ZhouRun {
  RunRequest request;
  TypedOptions options;
  TraceHeader header;
  std::vector<std::string> launches;          ///< some launches of every stage
  std::vector<std::string> stepped_launches;  ///< launches of a stepped run only; a timed run merges them into others
  std::vector<std::string> arrays;
};

inline ZhouRun zhou_run(const std::string& id, std::uint32_t n) {
  ZhouRun run;
  const AlgorithmSpec& spec = *find_algorithm(id);
  Parameters parameters{{"small", "8"}};
  if (spec.takes_triangles) parameters["chunk"] = "8";
  const auto data = triangle_soup(Soup::clustered, n);
  run.options = typed_options(id, parameters).value();
  run.request = {{}, id, run.options.texts(), Backend::automatic, false, data};
  run.header = {id,
                spec.title,
                spec.citation,
                run.request.parameters,
                data->name,
                data->points.size(),
                data->points.dim,
                data->points.type,
                data->up_axis,
                "",
                "",
                version(),
                0};
  run.launches = {"root",           "create children",    "mark sides",        "filter small nodes", "split candidates",
                  "evaluate costs", "split nodes before", "split small nodes", "leaf sizes",         "up pass",
                  "down pass",      "store nodes",        "bounded leaves"};
  run.stepped_launches = {"split large nodes"};
  if (!spec.takes_triangles) run.stepped_launches.emplace_back("node boxes");
  run.arrays = {"points",  "nodes", "large nodes", "kept references",  "node boxes", "split sets",
                "choices", "sizes", "tree",        "listed primitives"};
  for (const char* name : {"triangle boxes", "make chunks", "chunk boxes", "sort references", "clip"})
    if (spec.takes_triangles) run.launches.emplace_back(name);
  for (const char* name : {"sort points", "lefts before", "move points"})
    if (!spec.takes_triangles) run.launches.emplace_back(name);
  run.arrays.emplace_back(spec.takes_triangles ? "straddlers" : "sorted lists");
  return run;
}

/// Runs the builder on `exec`, at full speed or recorded, and returns the tree's hash.
template <class Exec>
std::uint64_t hash_of(Exec& exec, const ZhouRun& run, bool stepped) {
  const bool triangles = run.request.algorithm == "zhou-sah";
  const auto& options = run.options.as<zhou::ZhouOptions>();
  if (stepped)
    return (triangles ? run_recorded<zhou_sah::Construction>(exec, run.request, options, run.header, {})
                      : run_recorded<zhou_vvh::Construction>(exec, run.request, options, run.header, {}))
        ->header.tree_hash;
  return (triangles ? run_timed<zhou_sah::Construction>(exec, run.request, options, {}, {})
                    : run_timed<zhou_vvh::Construction>(exec, run.request, options, {}, {}))
      .tree_hash;
}

/// Returns the error of a run. It has no message if the run completed.
template <class Exec>
Error error_of(Exec& exec, const ZhouRun& run, bool stepped) {
  try {
    hash_of(exec, run, stepped);
  } catch (const ErrorException& e) {
    return e.error();
  }
  return {ErrorKind::bad_usage, "", "", ""};
}

inline void check_reached(const std::set<std::string>& reached, const std::vector<std::string>& wanted) {
  for (const std::string& name : wanted) {
    INFO(name);
    CHECK(reached.contains(name));
  }
}

/// Interrupts every `every`-th launch and array. make() returns a pointer to an InterruptedExec.
template <class Make>
void check_interruptions(Make make, const ZhouRun& run, bool stepped, std::size_t every) {
  const auto whole = make();
  const std::uint64_t tree = hash_of(*whole, run, stepped),
                      scratch = whole->memory().live();  // a back end keeps the scratch of sorts
  std::set<std::string> stopped, full;
  for (std::size_t at = 0; at < whole->launched; at += every) {
    const auto exec = make();
    exec->stop_at = at;
    const Error error = error_of(*exec, run, stepped);
    INFO("stopped at launch " << at << ", " << exec->interrupted);
    CHECK(error.kind == ErrorKind::cancelled);
    CHECK(error.message() == "stopped on request.");
    CHECK(exec->launched == at + 1);
    CHECK(exec->memory().live() <= scratch);
    stopped.insert(exec->interrupted);
  }
  for (std::size_t at = 0; at < whole->arrays; at += every) {
    const auto exec = make();
    exec->full_at = at;
    const Error error = error_of(*exec, run, stepped);
    INFO("no room for array " << at << ", " << exec->interrupted << ": " << error.message());
    CHECK(error.kind == ErrorKind::out_of_memory);
    CHECK(error.message().find(" bytes of " + exec->interrupted) != std::string::npos);
    CHECK(error.message().find("; use fewer points or triangles, ") != std::string::npos);
    CHECK(exec->memory().live() <= scratch);
    full.insert(exec->interrupted);
    exec->memory().limit_to(~0ull);
    if (at % (5 * every) == 0) CHECK(hash_of(*exec, run, stepped) == tree);
  }
  if (every == 1) check_reached(stopped, run.launches), check_reached(full, run.arrays);
  if (every == 1 && stepped) check_reached(stopped, run.stepped_launches);
  CHECK(hash_of(*make(), run, stepped) == tree);
}

/// Checks that any memory limit below the need of a build and its sorts causes an error, and that the same executor
/// builds once the limit suffices.
template <class Make>
void check_limits(Make make, const ZhouRun& run) {
  const auto whole = make();
  const std::uint64_t tree = hash_of(*whole, run, false), scratch = whole->memory().live(),
                      peak = whole->memory().peak();
  const auto exec = make();
  constexpr std::uint64_t parts = 40;
  for (std::uint64_t part = 0; part < parts; ++part) {
    exec->memory().limit_to(peak * part / parts);
    const Error error = error_of(*exec, run, false);
    INFO("room for " << peak * part / parts << " of " << peak << " bytes: " << error.message());
    CHECK(error.kind == ErrorKind::out_of_memory);
    CHECK(exec->memory().live() <= scratch);
    CHECK(exec->memory().peak() <= peak * part / parts);
    exec->memory().reset_peaks();
  }
  exec->memory().limit_to(2 * peak);
  CHECK(hash_of(*exec, run, false) == tree);
}

}  // namespace kdscope::test
