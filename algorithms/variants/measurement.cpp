#include "algorithms/variants/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace kdscope::variants {
namespace {

/// Builds once. Returns the event of kind built.
Result<Event> build_once(RunningProgram& program, const char* name, const std::string& line,
                         const ProgramLimits& limits, std::stop_token stop) {
  Result<Event> answer = Event{};
  const auto answers = [&](const std::string& text) {
    auto event = event_from(text);
    if (!event) {
      answer = event.error();
      return true;
    }
    if (event->kind == Event::Kind::failed) answer = event->error;
    if (event->kind == Event::Kind::built) answer = std::move(*event);
    return !answer || answer->kind == Event::Kind::built;
  };
  const auto ended = program.ask(line, limits, answers, stop);
  if (!ended) return answer;
  if (ended->reason == ProgramEnd::Reason::stopped) return Error{ErrorKind::cancelled, "stopped on request", "", ""};
  const bool late = ended->reason == ProgramEnd::Reason::time;
  return Error{ErrorKind::device_failure,
               std::string("the ") + name + (late ? " did not build in time" : " ended while it built"), "",
               "run kdscope-cli variant build, which finds out why"};
}

}  // namespace

Result<Measurement> measure(const std::filesystem::path& original, const std::filesystem::path& variant,
                            RecordRequest request, int repeat, const ProgramLimits& limits, std::stop_token stop) {
  try {
    request.timed = true;
    const std::string line = line_of(request);
    RunningProgram programs[] = {RunningProgram({original.string()}), RunningProgram({variant.string()})};
    const char* const names[] = {"original", "variant"};
    Measurement measured;
    std::string tree;
    for (int round = 0; round <= repeat; ++round)
      for (const int which : {round % 2, 1 - round % 2}) {
        const auto built = build_once(programs[which], names[which], line, limits, stop);
        if (!built) return built.error();
        if (tree.empty()) tree = built->text;  // the original is the first to build
        measured.same_tree = measured.same_tree && built->text == tree;
        if (round > 0) (which == 0 ? measured.original_ms : measured.variant_ms).push_back(built->milliseconds);
      }
    return measured;
  } catch (const ErrorException& e) {
    return e.error();
  }
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double above = values[std::min(below + 1, values.size() - 1)];
  return values[below] + (place - static_cast<double>(below)) * (above - values[below]);
}

Verdict verdict_of(const Measurement& measured) {
  constexpr double least_ratio = 0.01, largest_deviation = 2.576;  // of the normal distribution, for 1 % on both sides
  double smaller = 0;                                              // pairs in which the variant is faster
  for (const double a : measured.original_ms)
    for (const double b : measured.variant_ms) smaller += b < a ? 1 : b == a ? 0.5 : 0;
  const auto n = static_cast<double>(measured.original_ms.size()), m = static_cast<double>(measured.variant_ms.size());
  const double deviation = (smaller - n * m / 2) / std::sqrt(n * m * (n + m + 1) / 12);
  const double ratio = quantile(measured.variant_ms, 0.5) / quantile(measured.original_ms, 0.5);
  if (std::abs(deviation) < largest_deviation || std::abs(ratio - 1) < least_ratio) return Verdict::no_difference;
  return ratio < 1 ? Verdict::faster : Verdict::slower;
}

Result<CompiledVariant> compile_original(const std::string& algorithm, const Kit& kit, Backend backend,
                                         CompilerErrors& errors, std::stop_token stop) {
  const auto folder = cache_folder();
  if (!folder) return folder.error();
  const std::string file = (*folder / ("original-" + algorithm + ".cu")).string();
  const auto text = new_builder(algorithm, kit.include_folders.front(), "a copy of it");
  if (!text) return text.error();
  std::ofstream out(file);
  if (!(out << *text) || !out.flush()) return Error{ErrorKind::io_failure, "cannot be written", file, "check the disk"};
  const auto variant = read_variant(file);
  if (!variant) return variant.error();
  return compile(*variant, kit, errors, stop, backend, Purpose::measure);
}

}  // namespace kdscope::variants
