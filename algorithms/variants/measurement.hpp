#pragma once
// Times a variant beside the original.

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/samples.hpp"
#include "algorithms/variants/child_program.hpp"
#include "algorithms/variants/kit.hpp"
#include "algorithms/variants/protocol.hpp"

namespace kdscope::variants {

/// The times of both, in ms, in the order in which they were taken. The first half of each comes from one process, the
/// second half from another.
struct Measurement {
  Samples original, variant;
  bool same_tree = true;  ///< whether all builds gave the original's tree
  std::uint64_t original_launches = 0, variant_launches = 0;  ///< of one build
};

enum class Verdict : std::uint8_t { no_difference, faster, slower };

/// Builds with both programs in turn, `repeat` times each, so that a change of the machine's clock or load meets both.
/// Half of the builds are done by a second pair of processes, as where a process's memory lies can change its speed by
/// some per cent. The first build of a process does not count. The programs were compiled with Purpose::measure.
/// request: data, parameters and back end. Precondition: repeat >= 2. Errors: those of build(); device_failure if a
/// program ends.
Result<Measurement> measure(const std::filesystem::path& original, const std::filesystem::path& variant,
                            ProcessRequest request, int repeat, const ProgramLimits& limits, std::stop_token stop = {});

/// Returns limits for programs that build at full speed: a minute per build, and as much memory as the system gives.
ProgramLimits build_limits();

/// Asks a running program for one build at full speed. line: a request that is `timed`. name: for errors. Errors: that
/// of the build; cancelled; device_failure if the program ends or is late.
Result<BuildReport> build_once(RunningProgram& program, const char* name, const std::string& line,
                               const ProgramLimits& limits, std::stop_token stop);

/// Returns whether the variant is faster or slower: the medians differ by more than 1 %, and in each half ranks as
/// uneven as these, in the same direction, have a probability below 5 % if there is no difference (Mann and Whitney's
/// U, normal approximation). In both halves together that happens to two equal programs about once in 800 times.
Verdict verdict_of(const Measurement& measured);

/// Returns "faster", "slower" or "no difference beyond chance".
const char* name_of(Verdict verdict);
/// Returns the variant's median time by the original's.
double ratio_of(const Measurement& measured);
/// Returns "slower: 1.17 times the original's time".
std::string verdict_text(const Measurement& measured);

/// Compiles a copy of the original builder to compare a variant with. purpose: not record. Errors: those of
/// new_builder() and compile(); io_failure.
Result<CompiledVariant> compile_original(const std::string& algorithm, const Kit& kit, Backend backend,
                                         CompilerErrors& errors, std::stop_token stop = {},
                                         Purpose purpose = Purpose::measure);
/// Compiles a search over the trees of an algorithm to look inside. Errors: those of search_program() and compile();
/// io_failure.
Result<CompiledVariant> compile_search(const std::string& search, const std::string& algorithm, const Kit& kit,
                                       CompilerErrors& errors, std::stop_token stop = {});
/// Compiles all stages of an algorithm as they are, to be recorded on the CPU: what it replaces tells which are
/// launched. Errors: those of compile().
Result<CompiledVariant> compile_all_stages(const std::string& algorithm, const Kit& kit, CompilerErrors& errors,
                                           std::stop_token stop = {});

}  // namespace kdscope::variants
