#include "app/recording/table_csv.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/text/csv.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/row_reader.hpp"

namespace kdscope {
namespace {

constexpr std::size_t chunk_bytes = 1 << 18;

struct Column {
  std::string name;
  RowReader values;
  bool concealed = false;
};

std::vector<Column> columns_of(const Cursor& cursor, Space space, const Concealment& concealed) {
  std::vector<Column> columns;
  for (const Trace::Array& array : cursor.trace().arrays) {
    const ArrayInfo& info = array.info;
    if (info.index_space != space) continue;
    // Derived columns have the label that distinguishes them from their source.
    const std::string name = info.gather && !info.label.empty() ? info.label : info.name;
    const std::uint32_t components = info.gather ? 1 : std::max(1u, info.components);
    for (std::uint32_t c = 0; c < components; ++c) {
      RowReader values(cursor, info.name, c);
      if (!values) break;
      columns.push_back(
          {name + component_suffix(info, c, cursor.trace().header.dim), std::move(values), concealed.hides(info)});
    }
  }
  return columns;
}

}  // namespace

Result<void> write_csv(const Cursor& cursor, Space space, const std::function<bool(std::string_view)>& sink,
                       const RunControl& control, const Concealment& concealed) {
  const std::vector<Column> columns = columns_of(cursor, space, concealed);
  std::uint64_t lines = 0;
  for (const Column& column : columns) lines = std::max(lines, column.values.size());
  if (columns.empty())
    return Error{ErrorKind::bad_usage, "no array of '" + std::string(name_of(space)) + "' is written yet",
                 "step " + std::to_string(cursor.step()), "choose a later step"};
  const Error failed{ErrorKind::io_failure, "the table cannot be written", "", "check the folder and its free space"};

  std::string text;
  text.reserve(chunk_bytes + 4096);
  CsvWriter csv(text);
  csv << name_of(space);
  for (const Column& column : columns) csv << column.name;
  csv.end_row();
  for (std::uint64_t index = 0; index < lines; ++index) {
    csv << index;
    for (const Column& column : columns) csv << (column.concealed ? concealed_text : column.values.text(index));
    csv.end_row();
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
