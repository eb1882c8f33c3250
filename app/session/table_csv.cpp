#include "app/session/table_csv.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

constexpr std::size_t chunk_bytes = 1 << 18;

/// Where a column's numbers come from, found once instead of for each element.
struct Column {
  std::string name;
  const TypedArray* values = nullptr;
  const TypedArray* through = nullptr;  // of derived columns: element i is values[through[i] ...]
  std::uint64_t stride = 1, component = 0, size = 0;

  std::uint64_t element(std::uint64_t index) const {
    return (through ? static_cast<std::uint64_t>(through->number(index)) : index) * stride + component;
  }
};

void append_field(std::string& line, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) line.append(c == '"' ? 2 : 1, c);
  line += '"';
}

std::vector<Column> columns_of(const Cursor& cursor, Space space) {
  std::vector<Column> columns;
  for (const Trace::Array& array : cursor.trace().arrays) {
    const ArrayInfo& info = array.info;
    if (info.index_space != space) continue;
    Column column;
    // Derived columns have the label that tells them from their source.
    column.name = info.gather && !info.label.empty() ? info.label : info.name;
    if (info.gather) {
      const Trace::Array* source = cursor.trace().find(info.gather->source);
      column.values = cursor.array(info.gather->source);
      column.through = cursor.array(info.gather->through);
      if (!source || !column.values || !column.through) continue;
      column.stride = source->info.components;
      column.component = info.gather->component;
      column.size = column.through->size();
      columns.push_back(column);
      continue;
    }
    column.values = cursor.array(info.name);
    if (!column.values) continue;
    const std::uint32_t components = std::max(1u, info.components);
    column.stride = components;
    column.size = column.values->size() / components;
    const std::string name = column.name;
    for (std::uint32_t c = 0; c < components; ++c) {
      column.component = c;
      column.name = name + component_suffix(info, c, cursor.trace().header.dim);
      columns.push_back(column);
    }
  }
  return columns;
}

}  // namespace

Result<void> write_csv(const Cursor& cursor, Space space, const std::function<bool(std::string_view)>& sink,
                       const RunControl& control) {
  const std::vector<Column> columns = columns_of(cursor, space);
  std::uint64_t lines = 0;
  for (const Column& column : columns) lines = std::max(lines, column.size);
  if (columns.empty())
    return Error{ErrorKind::bad_usage, "no array of '" + std::string(name_of(space)) + "' is written yet",
                 "step " + std::to_string(cursor.step()), "choose a later step"};
  const Error failed{ErrorKind::io_failure, "the table cannot be written", "", "check the folder and its free space"};

  std::string text;
  text.reserve(chunk_bytes + 4096);
  append_field(text, name_of(space));
  for (const Column& column : columns) {
    text += ',';
    append_field(text, column.name);
  }
  text += "\r\n";
  for (std::uint64_t index = 0; index < lines; ++index) {
    char number[24];
    text.append(number, std::to_chars(number, std::end(number), index).ptr);
    for (const Column& column : columns) {
      text += ',';
      if (index >= column.size) continue;
      const std::uint64_t element = column.element(index);
      if (element < column.values->size()) text += column.values->text(element);
    }
    text += "\r\n";
    if (text.size() < chunk_bytes) continue;
    if (control.stop.stop_requested()) return Error{ErrorKind::cancelled, "the export was cancelled", "", ""};
    if (!sink(text)) return failed;
    text.clear();
    if (control.progress) control.progress(double(index) / double(lines), std::to_string(index) + " lines");
  }
  if (!text.empty() && !sink(text)) return failed;
  return {};
}

}  // namespace kdscope
