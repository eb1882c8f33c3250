#include "app/cli/variant_measure.hpp"

#include <cstdio>
#include <string>

#include "algorithms/registry/registry.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/variants/measurement.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/variant_options.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

using namespace variants;

/// Returns "2.598 ms (2.583 to 2.610)": the median and the quartiles.
std::string times_text(const std::vector<double>& ms) {
  char text[96];
  std::snprintf(text, sizeof text, "%.4g ms (quartiles %.4g to %.4g)", quantile(ms, 0.5), quantile(ms, 0.25),
                quantile(ms, 0.75));
  return text;
}

std::string verdict_text(const Measurement& measured) {
  const double ratio = quantile(measured.variant_ms, 0.5) / quantile(measured.original_ms, 0.5);
  char text[64];
  std::snprintf(text, sizeof text, "%.3g times the original's time", ratio);
  switch (verdict_of(measured)) {
    case Verdict::faster:
      return std::string("faster: ") + text;
    case Verdict::slower:
      return std::string("slower: ") + text;
    case Verdict::no_difference:
      break;
  }
  return std::string("no difference beyond chance: ") + text;
}

}  // namespace

Result<ExitCode> measure_variant(const Arguments& arguments, Console& console) {
  if (arguments.operand_count() != 2)
    return Error{ErrorKind::bad_usage, "measure takes one file", "",
                 "for example kdscope-cli variant measure my.cu --data uniform:n=1000000,dim=3"};
  const auto repeat = arguments.integer("--repeat", 21, 3, 1000);
  if (!repeat) return repeat.error();
  const auto backend = variant_backend(arguments);
  if (!backend) return backend.error();
  const auto parameters = parameters_from(arguments);
  if (!parameters) return parameters.error();
  const auto variant = read_variant(arguments.operand(1));
  if (!variant) return variant.error();
  const bool triangles = find_algorithm(variant->algorithm)->takes_triangles;
  const std::string data = arguments.text("--data", triangles ? "toys" : "uniform:n=1000000,dim=3,seed=7");
  if (const auto opened = open_data_set(data); !opened) return opened.error();
  const auto kit = find_kit();
  if (!kit) return kit.error();

  CompilerErrors errors;
  const auto compiled = compile(*variant, *kit, errors, console.stop, *backend, Purpose::measure);
  print_errors(errors, variant->path, console);
  if (!compiled) return compiled.error();
  print_messages(compiled->warnings, variant->path, console);
  const auto original = compile_original(variant->algorithm, *kit, *backend, errors, console.stop);
  if (!original) return original.error();

  ProgramLimits limits;
  limits.memory_bytes = std::uint64_t(1) << 40;  // the system's own limit holds
  limits.processes = 64;
  const auto measured = measure(original->program, compiled->program, {data, "", *parameters, {}, 0, {}, *backend},
                                static_cast<int>(*repeat), limits, console.stop);
  if (!measured) return measured.error();
  console.out << data << " on " << name_of(*backend) << ", "
              << count_text(static_cast<std::uint64_t>(*repeat), "build", "builds") << " of each in turn\noriginal  "
              << times_text(measured->original_ms) << "\nvariant   " << times_text(measured->variant_ms) << "\n"
              << verdict_text(*measured) << "\n";
  if (measured->same_tree) return exit_ok;
  console.out
      << "the trees differ, so the times are not those of the same work: kdscope-cli variant build finds where\n";
  return exit_failed_check;
}

}  // namespace kdscope::cli
