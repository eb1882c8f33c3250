// Times full-speed builds and prints one row of a Markdown table per build:
//   bench_build_times [backend=auto] [algorithm=wald] [PARAMETER=VALUE...] [dim=3] [type=float] [sizes=...] [min=10000]
//                     [max=100000000] [data=...] [repeat=11] [steps=0]
// For uniform points, the sizes are those listed with commas, or the powers of ten from min to max. Otherwise `data`
// lists specifications separated by semicolons. PARAMETER is any parameter of the algorithm; steps=1 also lists the
// steps' times. Exits with 5 if a build failed for a reason other than memory.
#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>

#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"

int main(int argc, char** argv) {
  using namespace kdscope;
  std::map<std::string, std::string> options{
      {"backend", "auto"}, {"algorithm", "wald"}, {"dim", "3"},     {"type", "float"}, {"sizes", ""},
      {"min", "10000"},    {"max", "100000000"},  {"repeat", "11"}, {"steps", "0"},    {"data", ""}};
  Parameters parameters;  // the builds check them
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto equals = argument.find('=');
    if (equals == std::string::npos)
      return std::fprintf(stderr, "bench_build_times: cannot use '%s'; give name=value\n", argv[i]), 2;
    const std::string name = argument.substr(0, equals), value = argument.substr(equals + 1);
    (options.count(name) ? options : parameters)[name] = value;
  }
  const auto backend = backend_named(options["backend"]);
  if (!backend) return std::fprintf(stderr, "%s\n", backend.error().message().c_str()), 2;

  int failed = 0;
  std::string device = "no device";
  std::printf(
      "| data | median ms | min | max | peak MiB | sort scratch MiB | tree hash |\n|---|---|---|---|---|---|---|\n");
  std::vector<std::string> specifications;
  const auto parts_of = [](const std::string& text, char separator, auto use) {
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) use(part);
  };
  const auto uniform = [&](const std::string& n) {
    specifications.push_back("uniform:n=" + n + ",dim=" + options["dim"] + ",seed=1,type=" + options["type"]);
  };
  parts_of(options["data"], ';', [&](const std::string& data) { specifications.push_back(data); });
  parts_of(options["sizes"], ',', uniform);
  if (specifications.empty())
    for (std::uint64_t n = std::stoull(options["min"]); n <= std::stoull(options["max"]); n *= 10)
      uniform(std::to_string(n));
  for (const std::string& specification : specifications) {
    const auto data = open_data_set(specification);
    if (!data) return std::fprintf(stderr, "%s\n", data.error().message().c_str()), 3;
    RunRequest request{{}, options["algorithm"], parameters, *backend, false, *data};
    request.repeat = std::stoi(options["repeat"]) + 1;
    request.time_steps = options["steps"] != "0";
    auto report = build(request);
    const std::string size = options["data"].empty() ? std::to_string((*data)->points.size()) : specification;
    if (!report) {
      std::printf("| %s | %s | | | | | |\n", size.c_str(), report.error().message().c_str());
      failed |= report.error().kind != ErrorKind::out_of_memory;
      continue;
    }
    device = report->device.name;
    auto times = report->build_ms;
    times.erase(times.begin());  // the warm-up build
    const auto [low, high] = std::minmax_element(times.begin(), times.end());
    std::printf("| %s | %.3f | %.3f | %.3f | %.1f | %.1f | %016llx |\n", size.c_str(), median_ms(times), *low, *high,
                report->peak_bytes / 1048576.0, report->sort_temporary_bytes / 1048576.0,
                static_cast<unsigned long long>(report->tree_hash));
    std::fflush(stdout);
    for (const StepTime& s : report->step_times) std::printf("    %-40s %.3f ms\n", s.name.c_str(), s.ms);
  }
  std::printf("%s, %s", device.c_str(), options["algorithm"].c_str());
  for (const auto& [name, value] : parameters) std::printf(", %s=%s", name.c_str(), value.c_str());
  if (options["data"].empty()) std::printf(", %s%s, uniform", options["type"].c_str(), options["dim"].c_str());
  std::printf("\n");
  return failed ? 5 : 0;
}
