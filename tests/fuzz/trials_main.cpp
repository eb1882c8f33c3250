// kdscope-trials READER TRIALS SECONDS [FIRST]: damages seeds of a reader at random and writes the bytes of each
// finding to READER-TRIAL in the working folder. kdscope-trials seeds FOLDER: writes the seeds of every reader to
// FOLDER/READER/.

#include <sys/resource.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/trials.hpp"

using namespace kdscope::fuzz;

namespace {

void put(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

int write_seeds(const std::filesystem::path& folder) {
  for (const Reader& reader : readers()) {
    std::filesystem::create_directories(folder / reader.name);
    int number = 0;
    for (const std::string& seed : trial_seeds(reader))
      put(folder / reader.name / ("seed-" + std::to_string(number++)), seed);
  }
  return 0;
}

int run(const Reader& reader, std::uint64_t count, std::chrono::seconds most, std::uint64_t first) {
  const TrialReport report = run_trials(reader, first, count, most);
  for (std::size_t i = 0; i < report.bad.size(); ++i) {
    const std::string name = std::string(reader.name) + "-" + std::to_string(report.bad[i]);
    std::printf("%s: %s\n", name.c_str(), report.findings[i].c_str());
    put(name, trial_bytes(trial_seeds(reader), report.bad[i]));
  }
  struct rusage used {};
  ::getrusage(RUSAGE_SELF, &used);
  std::printf("%s: %llu trials, %llu accepted, slowest %.2f s, %ld MB, %zu findings\n", reader.name,
              static_cast<unsigned long long>(report.executions), static_cast<unsigned long long>(report.accepted),
              report.slowest_seconds, used.ru_maxrss / 1024, report.bad.size());
  return report.bad.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.size() == 2 && arguments[0] == "seeds") return write_seeds(arguments[1]);
  for (const Reader& reader : readers())
    if (arguments.size() >= 3 && arguments[0] == reader.name)
      return run(reader, std::stoull(arguments[1]), std::chrono::seconds(std::stoull(arguments[2])),
                 arguments.size() > 3 ? std::stoull(arguments[3]) : 0);
  std::fputs("usage: kdscope-trials READER TRIALS SECONDS [FIRST], or kdscope-trials seeds FOLDER\n", stderr);
  return 2;
}
