#include "app/variant_trials/variant_timing.hpp"

#include <cstdio>

#include "app/variant_trials/trials_elsewhere.hpp"

namespace kdscope {

Result<variants::Measurement> time_variant(const TrialRequest& request, int builds, variants::CompilerErrors& errors,
                                           const RunControl& control) {
  if (const auto there = runners_elsewhere()) return time_variant_there(request, builds, errors, control, there);
  const auto report = [&](double fraction, const char* what) {
    if (control.progress) control.progress(fraction, what);
  };
  const auto file = variants::read_variant(request.file);
  if (!file) return file.error();
  const auto kit = variants::find_kit();
  if (!kit) return kit.error();
  constexpr auto purpose = variants::Purpose::measure;
  report(0.0, "Compiling the variant");
  const auto variant = variants::compile(*file, *kit, errors, control.stop, request.backend, purpose);
  if (!variant) return variant.error();
  report(0.4, "Compiling a copy of the original");
  const auto original =
      variants::compile_original(file->algorithm, *kit, request.backend, errors, control.stop, purpose);
  if (!original) return original.error();
  report(0.8, "Building with both in turn");
  const std::string data = request.data.empty() ? usual_trial_data(file->algorithm) : request.data;
  return variants::measure(original->program, variant->program, {{data, {}, request.parameters, request.backend}},
                           builds, variants::build_limits(), control.stop);
}

std::string timing_text(const variants::Measurement& measured) {
  char times[120];
  std::snprintf(times, sizeof times, " (%.4g ms, the original %.4g ms, %zu builds of each in turn)",
                measured.variant.median(), measured.original.median(), measured.variant.count());
  return variants::verdict_text(measured) + times +
         (measured.same_tree ? "" : ". The trees differ, so the times are not those of the same work");
}

}  // namespace kdscope
