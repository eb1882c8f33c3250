#include "app/cli/step_tables.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "app/cli/aligned_table.hpp"

namespace kdscope::cli {
namespace {

using namespace variants;

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[64];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

constexpr const char* none = "-";

std::string ms_text(const std::optional<StepSum>& sum) { return sum ? formatted("%.4g", sum->ms) : none; }
std::string launches_text(const std::optional<StepSum>& sum) { return sum ? std::to_string(sum->launches) : none; }
std::string ratio_text(double original, double variant) {
  return original > 0 ? formatted("%.3g", variant / original) : none;
}
std::string share_text(double part, double whole) {
  return whole > 0 ? formatted("%.1f %%", 100 * part / whole) : none;
}

Cells times_of(const StepRow& row, double whole_ms) {
  const bool both = row.original && row.variant;
  return {row.name,
          ms_text(row.original),
          ms_text(row.variant),
          both ? ratio_text(row.original->ms, row.variant->ms) : none,
          row.variant ? share_text(row.variant->ms, whole_ms) : none,
          launches_text(row.original),
          launches_text(row.variant)};
}

/// Returns a line for times outside of the steps, which launch nothing.
Cells times_alone(const char* name, double original, double variant, double whole_ms) {
  return {name,
          formatted("%.4g", original),
          formatted("%.4g", variant),
          ratio_text(original, variant),
          share_text(variant, whole_ms),
          "",
          ""};
}

std::string megabytes_text(std::uint64_t bytes) { return formatted("%.4g", static_cast<double>(bytes) / 1e6); }

void append_bytes(const std::optional<StepSum>& sum, double copy_gigabytes, Cells& cells) {
  if (!sum) return void(cells.insert(cells.end(), 4, none));
  const double speed = gigabytes_per_second(sum->bytes_read + sum->bytes_written, sum->ms);
  cells.insert(cells.end(), {megabytes_text(sum->bytes_read), megabytes_text(sum->bytes_written),
                             formatted("%.3g", speed), share_text(speed, copy_gigabytes)});
}

Cells bytes_of(const StepRow& row, double copy_gigabytes) {
  Cells cells{row.name};
  append_bytes(row.original, copy_gigabytes, cells);
  append_bytes(row.variant, copy_gigabytes, cells);
  return cells;
}

void write_side(const char* name, const std::optional<StepSum>& sum, bool bytes, JsonWriter& json) {
  if (!sum) return json.member(name, nullptr);
  json.key(name);
  json.begin_object();
  json.member("ms", sum->ms);
  json.member("launches", sum->launches);
  if (bytes) {
    json.member("bytes_read", sum->bytes_read);
    json.member("bytes_written", sum->bytes_written);
    json.member("gb_per_s", gigabytes_per_second(sum->bytes_read + sum->bytes_written, sum->ms));
  }
  json.end_object();
}

}  // namespace

std::string times_table(const std::vector<StepRow>& rows, double original_between_ms, double variant_between_ms) {
  const StepRow sum = sum_of(rows);
  const double original_ms = sum.original->ms + original_between_ms, variant_ms = sum.variant->ms + variant_between_ms;
  std::vector<Cells> lines{{"", "original ms", "variant ms", "ratio", "share", "launches", "variant's"}};
  for (const StepRow& row : rows) lines.push_back(times_of(row, variant_ms));
  lines.push_back(times_of(sum, variant_ms));
  lines.push_back(times_alone("between the steps", original_between_ms, variant_between_ms, variant_ms));
  lines.push_back(times_alone("whole build", original_ms, variant_ms, variant_ms));
  return aligned(lines);
}

std::string bytes_table(const std::vector<StepRow>& rows, double copy_gigabytes) {
  std::vector<Cells> lines{
      {"", "original: read MB", "written MB", "GB/s", "of copy", "variant: read MB", "written MB", "GB/s", "of copy"}};
  for (const StepRow& row : rows) lines.push_back(bytes_of(row, copy_gigabytes));
  lines.push_back(bytes_of(sum_of(rows), copy_gigabytes));
  return aligned(lines);
}

void write_steps(const std::vector<StepRow>& rows, bool bytes, JsonWriter& json) {
  json.key("steps");
  json.begin_array();
  for (const StepRow& row : rows) {
    json.begin_object();
    json.member("name", row.name);
    write_side("original", row.original, bytes, json);
    write_side("variant", row.variant, bytes, json);
    json.end_object();
  }
  json.end_array();
}

}  // namespace kdscope::cli
