#include "algorithms/core/available_memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "algorithms/core/error.hpp"

namespace kdscope {
namespace {

std::string in_gigabytes(std::uint64_t bytes) {
  const std::uint64_t tenths = bytes / 100'000'000 + (bytes % 100'000'000 != 0);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

}  // namespace

std::uint64_t available_memory() {
  std::uint64_t available = std::numeric_limits<std::uint64_t>::max();
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key; file.ignore(256, '\n'))
    if (std::uint64_t kilobytes = 0; key == "MemAvailable:" && file >> kilobytes) available = kilobytes * 1024;
  // Do not subtract the group's use, because it includes the page cache, which is released on demand.
  std::uint64_t limit = 0;
  if (std::ifstream group("/sys/fs/cgroup/memory.max"); group >> limit) available = std::min(available, limit);
  rlimit own{};
  if (::getrlimit(RLIMIT_DATA, &own) == 0 && own.rlim_cur != RLIM_INFINITY) {
    std::uint64_t used = 0;
    std::ifstream status("/proc/self/status");
    for (std::string key; status >> key; status.ignore(256, '\n'))
      if (std::uint64_t kilobytes = 0; key == "VmData:" && status >> kilobytes) used = kilobytes * 1024;
    available = std::min<std::uint64_t>(available, own.rlim_cur > used ? own.rlim_cur - used : 0);
  }
  return available;
}

std::string memory_text(std::uint64_t bytes) {
  constexpr std::uint64_t mebi = 1ull << 20, gibi = 1ull << 30;
  if (bytes <= 9999 * mebi) return std::to_string((bytes + mebi - 1) / mebi) + " MiB";
  const std::uint64_t tenths = bytes / gibi * 10 + (bytes % gibi * 10 + gibi - 1) / gibi;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

void require_memory(std::uint64_t bytes, const std::string& what) {
  constexpr std::uint64_t worth_asking = 64 << 20;
  if (bytes < worth_asking) return;
  const std::uint64_t available = available_memory();
  if (bytes > available)
    throw ErrorException(
        {ErrorKind::out_of_memory,
         what + " need " + in_gigabytes(bytes) + " of memory, " + in_gigabytes(available) + " are available", "",
         "ask for fewer points or dimensions"});
}

}  // namespace kdscope
