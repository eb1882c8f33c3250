#include "app/cli/step_tables.hpp"

#include <optional>

#include "app/cli/aligned_table.hpp"

namespace kdscope::cli {
namespace {

using namespace variants;

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

/// Returns what a row reads and writes, in two cells.
Cells megabytes_of(const StepSum& sum) {
  if (!sum.counted()) return Cells(2, "not counted");
  return {megabytes_text(sum.bytes_read), megabytes_text(sum.bytes_written)};
}

void append_bytes(const std::optional<StepSum>& sum, double copy_gigabytes, Cells& cells) {
  if (!sum) return void(cells.insert(cells.end(), 4, none));
  const Cells megabytes = megabytes_of(*sum);
  cells.insert(cells.end(), megabytes.begin(), megabytes.end());
  if (!sum->counted()) return void(cells.insert(cells.end(), 2, none));
  const double speed = sum->gigabytes_per_second();
  cells.insert(cells.end(), {formatted("%.3g", speed), share_text(speed, copy_gigabytes)});
}

Cells bytes_of(const StepRow& row, double copy_gigabytes) {
  Cells cells{row.name};
  append_bytes(row.original, copy_gigabytes, cells);
  append_bytes(row.variant, copy_gigabytes, cells);
  return cells;
}

void write_sum(const StepSum& sum, bool bytes, JsonWriter& json) {
  json.member("ms", sum.ms);
  json.member("launches", sum.launches);
  if (!bytes) return;
  if (!sum.counted()) {  // a part is no number to compute with
    for (const char* name : {"bytes_read", "bytes_written", "gb_per_s"}) json.member(name, nullptr);
    return;
  }
  json.member("bytes_read", sum.bytes_read);
  json.member("bytes_written", sum.bytes_written);
  json.member("gb_per_s", sum.gigabytes_per_second());
}

void write_side(const char* name, const std::optional<StepSum>& sum, bool bytes, JsonWriter& json) {
  if (!sum) return json.member(name, nullptr);
  json.object(name, [&] { write_sum(*sum, bytes, json); });
}

Cells roofline_cells(const char* name, const StepSum& sum, const Roofline& measured) {
  const double speed = sum.gigabytes_per_second();
  const bool counted = sum.counted() && sum.bytes() > 0;
  const Cells megabytes = megabytes_of(sum);
  return {name,
          megabytes[0],
          megabytes[1],
          formatted("%.4g", sum.ms),
          std::to_string(sum.launches),
          counted ? formatted("%.3g", speed) : none,
          counted ? share_text(speed, measured.copy_gigabytes) : none};
}

}  // namespace

Result<RowsBy> rows_wanted(const Arguments& arguments) {
  const std::string by = arguments.text("--by", "phase");
  if (by == "phase") return RowsBy::phase;
  if (by == "level") return RowsBy::level;
  if (by == "step") return RowsBy::step;
  return Error{ErrorKind::bad_usage, "there are no rows by '" + by + "'", "", "choose phase, level or step"};
}

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
  const StepRow sum = sum_of(rows);
  lines.push_back(bytes_of(sum, copy_gigabytes));
  const bool counted = sum.original->counted() && sum.variant->counted();
  return aligned(lines) + (counted ? "" : std::string(bytes_not_counted) + "\n");
}

void write_steps(const std::vector<StepRow>& rows, bool bytes, JsonWriter& json) {
  json.objects("steps", rows, [&](const StepRow& row) {
    json.member("name", row.name);
    write_side("original", row.original, bytes, json);
    write_side("variant", row.variant, bytes, json);
  });
}

std::string roofline_table(const Roofline& measured, RowsBy by) {
  std::vector<Cells> lines{{"", "read MB", "written MB", "ms", "launches", "GB/s", "of copy"}};
  const std::vector<StepRow> rows = rows_of(measured, by);
  for (const StepRow& row : rows) lines.push_back(roofline_cells(row.name.c_str(), *row.original, measured));
  const StepSum sum = *sum_of(rows).original;
  lines.push_back(roofline_cells("sum of the steps", sum, measured));
  if (!sum.counted()) return aligned(lines) + bytes_not_counted + "\n";
  const StepSum copy{measured.copy_ms(sum.bytes()), 1, sum.bytes() / 2, sum.bytes() - sum.bytes() / 2};
  lines.push_back(roofline_cells("a copy of as many bytes", copy, measured));
  return aligned(lines);
}

void write_roofline_rows(const Roofline& measured, RowsBy by, JsonWriter& json) {
  json.objects("rows", rows_of(measured, by), [&](const StepRow& row) {
    json.member("name", row.name);
    write_sum(*row.original, true, json);
    if (row.original->counted())
      json.member("share_of_copy", share_of_copy(row, measured));
    else
      json.member("share_of_copy", nullptr);
  });
}

}  // namespace kdscope::cli
