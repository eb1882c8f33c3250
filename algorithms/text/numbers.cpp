#include "algorithms/text/numbers.hpp"

#include <cmath>
#include <cstdio>

namespace kdscope {

std::string short_number(double value, int digits) {
  char text[40];
  if (value == 0) return "0";
  const bool whole =
      std::abs(value) < 1e7 && (value == std::trunc(value) || std::abs(value) >= std::pow(10, digits - 1));
  std::snprintf(text, sizeof text, whole ? "%.*f" : "%.*g", whole ? 0 : digits, value);
  return text;
}

std::string table_number(double value) {
  if (value != std::floor(value) || std::abs(value) >= 1e15) return shortest(value);
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 0).ptr};
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string hash_text(std::uint64_t hash) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string duration_text(double ms) {
  char text[40];
  if (ms < 10'000)
    std::snprintf(text, sizeof text, ms < 10 ? "%.3f ms" : ms < 100 ? "%.2f ms" : "%.1f ms", ms);
  else
    std::snprintf(text, sizeof text, "%.2f s", ms / 1000);
  return text;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  double value = static_cast<double>(bytes);
  const char* unit = "";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB"}) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  char text[40];
  std::snprintf(text, sizeof text, "%.1f %s", value, unit);
  return text;
}

}  // namespace kdscope
