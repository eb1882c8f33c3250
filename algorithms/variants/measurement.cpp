#include "algorithms/variants/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <span>

#include "algorithms/core/caught.hpp"
#include "algorithms/core/rank_deviation.hpp"
#include "algorithms/text/counts.hpp"

namespace kdscope::variants {

Result<BuildReport> build_once(RunningProgram& program, const char* name, const std::string& line,
                               const ProgramLimits& limits, std::stop_token stop) {
  Result<std::optional<BuildReport>> answer = std::optional<BuildReport>();
  const auto answers = [&](const std::string& text) {
    auto event = event_from(text);
    if (!event)
      answer = event.error();
    else if (event->kind == Event::Kind::failed)
      answer = event->error;
    else if (event->kind == Event::Kind::built)
      answer = std::move(event->report);
    return !answer || *answer;
  };
  const auto ended = program.ask(line, limits, answers, stop);
  if (!answer) return answer.error();
  if (*answer) return std::move(**answer);
  if (ended->reason == ProgramEnd::Reason::stopped) return Error{ErrorKind::cancelled, "stopped on request", "", ""};
  using Reason = ProgramEnd::Reason;
  std::string how;
  switch (ended->reason) {
    case Reason::time:
      how = " did not build within " +
            count_text(static_cast<std::uint64_t>(limits.time.count() / 1000), "second", "seconds");
      break;
    case Reason::signal:
      how = std::string(" crashed while it built (") + ::strsignal(ended->code) + ")";
      break;
    case Reason::memory:
      how = " used too much memory while it built";
      break;
    default:
      how = " ended while it built, with exit code " + std::to_string(ended->code);
  }
  return Error{ErrorKind::device_failure, std::string("the ") + name + how, "",
               "kdscope-cli variant build finds out why on fewer points, or with --seconds N on as many"};
}

Result<Measurement> measure(const std::filesystem::path& original, const std::filesystem::path& variant,
                            ProcessRequest request, int repeat, const ProgramLimits& limits, std::stop_token stop) try {
  request.timed = request.stays = true;
  const std::string line = line_of(request);
  const char* const names[] = {"original", "variant"};
  Measurement measured;
  std::optional<std::uint64_t> tree;
  for (const int builds : {repeat / 2, repeat - repeat / 2}) {
    RunningProgram programs[] = {RunningProgram({original.string()}), RunningProgram({variant.string()})};
    const auto once = [&](std::size_t which, bool) -> Result<double> {
      const auto built = value_of(build_once(programs[which], names[which], line, limits, stop));
      if (!tree) tree = built.tree_hash;  // the original is the first to build
      measured.same_tree = measured.same_tree && built.tree_hash == *tree;
      (which == 0 ? measured.original_launches : measured.variant_launches) = built.launches;
      return built.build_ms.front();
    };
    const auto half = value_of(samples_in_turn(2, builds, once));
    for (const auto& [all, of_half] : {std::pair(&measured.original, &half[0]), {&measured.variant, &half[1]}})
      all->values.insert(all->values.end(), of_half->begin(), of_half->end());
  }
  return measured;
} catch (const ErrorException& e) {
  return e.error();
}

Verdict verdict_of(const Measurement& measured) {
  constexpr double least_ratio = 0.01;
  const std::span<const double> original = measured.original.values, variant = measured.variant.values;
  const auto first = original.size() / 2, variant_first = variant.size() / 2;
  const double deviations[] = {rank_deviation(original.first(first), variant.first(variant_first)),
                               rank_deviation(original.subspan(first), variant.subspan(variant_first))};
  if (std::abs(ratio_of(measured) - 1) < least_ratio) return Verdict::no_difference;
  constexpr double largest_deviation = 1.96;  // of the normal distribution, for 5 % on both sides
  if (std::ranges::all_of(deviations, [](double d) { return d > largest_deviation; })) return Verdict::faster;
  if (std::ranges::all_of(deviations, [](double d) { return d < -largest_deviation; })) return Verdict::slower;
  return Verdict::no_difference;
}

const char* name_of(Verdict verdict) {
  if (verdict == Verdict::faster) return "faster";
  return verdict == Verdict::slower ? "slower" : "no difference beyond chance";
}

double ratio_of(const Measurement& measured) { return measured.variant.median() / measured.original.median(); }

std::string verdict_text(const Measurement& measured) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3g times the original's time", ratio_of(measured));
  return std::string(name_of(verdict_of(measured))) + ": " + text;
}

ProgramLimits build_limits() {
  ProgramLimits limits;
  limits.memory_bytes = std::uint64_t(1) << 40;  // the system's own limit holds
  limits.processes = 64;
  return limits;
}

namespace {

/// Compiles a text of kdscope's own, which lies in the cache folder under a name.
Result<CompiledVariant> compile_text(const std::string& name, const std::string& text, const Kit& kit, Backend backend,
                                     CompilerErrors& errors, std::stop_token stop, Purpose purpose) {
  const auto folder = cache_folder();
  if (!folder) return folder.error();
  const std::string file = (*folder / name).string();
  std::ofstream out(file);
  if (!(out << text) || !out.flush()) return Error{ErrorKind::io_failure, "cannot be written", file, "check the disk"};
  const auto variant = read_variant(file);
  if (!variant) return variant.error();
  return compile(*variant, kit, errors, std::move(stop), backend, purpose);
}

}  // namespace

Result<CompiledVariant> compile_original(const std::string& algorithm, const Kit& kit, Backend backend,
                                         CompilerErrors& errors, std::stop_token stop, Purpose purpose) {
  // What is recorded line by line keeps the lines of the builder's own header
  const Result<std::string> text = purpose == Purpose::inside
                                       ? new_variant(algorithm, {}, "a copy of it")
                                       : new_builder(algorithm, kit.include_folders.front(), "a copy of it");
  if (!text) return text.error();
  return compile_text("original-" + algorithm + ".cu", *text, kit, backend, errors, std::move(stop), purpose);
}

Result<CompiledVariant> compile_search(const std::string& search, const std::string& algorithm, const Kit& kit,
                                       CompilerErrors& errors, std::stop_token stop) {
  const auto text = search_program(search, algorithm, kit.include_folders.front(), false);
  if (!text) return text.error();
  return compile_text("search-" + search + "-" + algorithm + ".cu", *text, kit, Backend::cpu, errors, std::move(stop),
                      Purpose::inside);
}

Result<CompiledVariant> compile_all_stages(const std::string& algorithm, const Kit& kit, CompilerErrors& errors,
                                           std::stop_token stop) {
  return compile_text("stages-" + algorithm + ".cu", new_variant(algorithm, stages_of(algorithm), "a copy of it"), kit,
                      Backend::cpu, errors, std::move(stop), Purpose::record);
}

}  // namespace kdscope::variants
