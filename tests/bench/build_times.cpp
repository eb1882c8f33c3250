// Times full-speed builds of uniform points, one Markdown table row each:
//   bench_build_times [backend=auto] [algorithm=wald] [PARAMETER=VALUE...] [dim=3] [type=float] [sizes=...] [min=10000]
//                     [max=100000000] [repeat=11] [steps=0]
// Sizes are those listed with commas, or the powers of ten times min up to max; PARAMETER is any of the algorithm's.
// Exits with 5 if a build failed for another reason than memory.
#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>

#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"

int main(int argc, char** argv) {
  using namespace kdscope;
  std::map<std::string, std::string> options{{"backend", "auto"}, {"algorithm", "wald"}, {"dim", "3"}, {"type", "float"}, {"sizes", ""},
                                             {"min", "10000"}, {"max", "100000000"}, {"repeat", "11"}, {"steps", "0"}};
  Parameters parameters;  // checked by the builds
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto equals = argument.find('=');
    if (equals == std::string::npos) return std::fprintf(stderr, "bench_build_times: cannot use '%s'; give name=value\n", argv[i]), 2;
    const std::string name = argument.substr(0, equals), value = argument.substr(equals + 1);
    (options.count(name) ? options : parameters)[name] = value;
  }
  const auto backend = backend_named(options["backend"]);
  if (!backend) return std::fprintf(stderr, "%s\n", backend.error().message().c_str()), 2;

  int failed = 0;
  std::string device = "no device";
  std::printf("| points | median ms | min | max | peak MiB | sort scratch MiB | tree hash |\n|---|---|---|---|---|---|---|\n");
  std::vector<std::uint64_t> sizes;
  std::istringstream listed(options["sizes"]);
  for (std::string n; std::getline(listed, n, ',');) sizes.push_back(std::stoull(n));
  if (sizes.empty())
    for (std::uint64_t n = std::stoull(options["min"]); n <= std::stoull(options["max"]); n *= 10) sizes.push_back(n);
  for (const std::uint64_t n : sizes) {
    const auto data = open_data_set("uniform:n=" + std::to_string(n) + ",dim=" + options["dim"] + ",seed=1,type=" + options["type"]);
    if (!data) return std::fprintf(stderr, "%s\n", data.error().message().c_str()), 3;
    BuildRequest request{options["algorithm"], *data, parameters, *backend, std::stoi(options["repeat"]) + 1, options["steps"] != "0"};
    auto report = build(request);
    if (!report) {
      std::printf("| %llu | %s | | | | | |\n", static_cast<unsigned long long>(n), report.error().message().c_str());
      failed |= report.error().kind != ErrorKind::out_of_memory;
      continue;
    }
    device = report->device.name;
    auto times = report->build_ms;
    times.erase(times.begin());  // warm-up
    const auto [low, high] = std::minmax_element(times.begin(), times.end());
    std::printf("| %llu | %.3f | %.3f | %.3f | %.1f | %.1f | %016llx |\n", static_cast<unsigned long long>(n), median_ms(times), *low, *high,
                report->peak_bytes / 1048576.0, report->sort_temporary_bytes / 1048576.0, static_cast<unsigned long long>(report->tree_hash));
    std::fflush(stdout);
    for (const StepTime& s : report->step_times) std::printf("    %-40s %.3f ms\n", s.name.c_str(), s.ms);
  }
  std::printf("%s, %s", device.c_str(), options["algorithm"].c_str());
  for (const auto& [name, value] : parameters) std::printf(", %s=%s", name.c_str(), value.c_str());
  std::printf(", %s%s, uniform\n", options["type"].c_str(), options["dim"].c_str());
  return failed ? 5 : 0;
}
