// roofline: the bytes and the time of every step of a build, beside a copy on the same device.

#include <cstdio>

#include "app/bench/roofline.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/step_tables.hpp"

namespace kdscope::cli {
namespace {

void print_roofline(const Roofline& measured, variants::RowsBy by, std::ostream& out) {
  char copy[64];
  std::snprintf(copy, sizeof copy, "%.4g GB/s", measured.copy_gigabytes);
  char build[64];
  std::snprintf(build, sizeof build, "%.4g ms, of which %.4g ms between the steps", measured.build_ms(),
                measured.timed.between_ms);
  out << measured.algorithm << " on " << measured.data << ", " << name_of(measured.device.backend) << " ("
      << measured.device.name << ")\n"
      << "medians of " << measured.builds << " builds with every step timed: " << build << "\n"
      << "the device copies " << copy << ", read and written\n\n"
      << roofline_table(measured, by);
}

void write_roofline(const Roofline& measured, variants::RowsBy by, std::ostream& out) {
  JsonWriter json(out);
  json.begin_object();
  json.member("algorithm", measured.algorithm);
  json.member("data", measured.data);
  json.member("backend", name_of(measured.device.backend));
  json.member("device", measured.device.name);
  json.member("builds", measured.builds);
  json.member("build_ms", measured.build_ms());
  json.member("between_ms", measured.timed.between_ms);
  json.member("copy_gb_per_s", measured.copy_gigabytes);
  write_roofline_rows(measured, by, json);
  json.end_object();
  out << "\n";
}

Result<ExitCode> run_roofline(const Arguments& arguments, Console& console) {
  const auto by = value_of(rows_wanted(arguments));
  const auto run = value_of(run_from(arguments));
  print_warnings(*run.request.points, console);
  const auto measured = value_of(measure_roofline(run, control_for(console)));
  finish_progress(console);
  (arguments.has("--json") ? write_roofline : print_roofline)(measured, by, console.out);
  return exit_ok;
}

}  // namespace

Command roofline_command() {
  std::vector<Option> options = run_options();
  options.push_back({"--by", "ROWS", "One row per phase, which is usual, per level, or per step."});
  options.push_back(json_option());
  return {{"roofline",
           "compare the time of each step with a copy of as many bytes",
           "Builds several times at full speed with every step timed, counts the bytes that each step reads and writes "
           "in arrays, and measures how fast the device copies its own memory. A step near 100 % of the copy is "
           "limited by memory; a step far below it by instructions, latency or launches. More than 100 % is possible, "
           "because caches and shared memory serve a part of the accesses. The bytes are counted on the CPU by the "
           "same builder, compiled for this with a C++ compiler; the first time takes several seconds. A sort or a "
           "prefix sum in place counts as one read and one write of its arrays. The bytes of a sort by comparison "
           "(sort=comparator) are not counted.",
           {},
           options,
           {"roofline --data uniform:n=1000000,dim=3,seed=7", "roofline --data bunny --algorithm wehr --by level"}},
          run_roofline};
}

}  // namespace kdscope::cli
