#include "visualizer/model/element_search.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <type_traits>

#include "algorithms/text/from_chars.hpp"
#include "algorithms/trace/element_name.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

using Comparison = ElementQuery::Comparison;
using Kind = ElementQuery::Kind;

constexpr const char* examples = "write 983, tags == 30, node 12 or p7";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lowered;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(number)
                                                                                          : std::nullopt;
}

/// Returns the number that follows one of the words, with or without a space between them: "node 12", "p7".
std::optional<std::uint64_t> number_after(std::string_view text, std::initializer_list<std::string_view> words) {
  const std::string lowered = lower(text);
  for (const std::string_view word : words)
    if (lowered.starts_with(word))
      if (const auto number = whole_number(trimmed(text.substr(word.size())))) return number;
  return std::nullopt;
}

/// A typed value in every form that a row may need.
struct Value {
  bool none = false;
  double real = 0;
  long double exact = 0;  ///< 64-bit masks have more digits than a double
};

std::optional<Value> read_value(std::string_view text) {
  if (lower(text) == "none" || text == "-" || text == "\u2013") return Value{true, 0, 0};
  for (const auto& [prefix, base] : {std::pair<std::string_view, int>{"0b", 2}, {"0x", 16}}) {
    if (!lower(text).starts_with(prefix)) continue;
    std::uint64_t bits = 0;
    const auto read = std::from_chars(text.data() + 2, text.data() + text.size(), bits, base);
    if (text.size() == 2 || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return Value{false, static_cast<double>(bits), static_cast<long double>(bits)};
  }
  if (text.starts_with('+')) text.remove_prefix(1);
  double real = 0;
  const auto read = from_chars(text.data(), text.data() + text.size(), real);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  const auto whole = whole_number(text);
  return Value{false, real, whole ? static_cast<long double>(*whole) : static_cast<long double>(real)};
}

bool holds(Comparison comparison, bool equal, bool less) {
  switch (comparison) {
    case Comparison::equal:
      return equal;
    case Comparison::unequal:
      return !equal;
    case Comparison::less:
      return less && !equal;
    case Comparison::at_most:
      return less || equal;
    case Comparison::greater:
      return !less && !equal;
    case Comparison::at_least:
      return !less || equal;
  }
  return false;
}

template <class T>
bool holds(Comparison comparison, T element, const Value& value) {
  if constexpr (std::is_same_v<T, float>) {
    const auto as_float = static_cast<float>(value.real);
    return holds(comparison, element == as_float, element < as_float);
  } else if constexpr (std::is_same_v<T, double>) {
    // Tables print a double that equals a float as that float.
    const auto as_float = static_cast<float>(value.real);
    const bool is_float = static_cast<double>(static_cast<float>(element)) == element;
    return holds(comparison, element == value.real || (is_float && static_cast<float>(element) == as_float),
                 element < value.real);
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    const auto exact = static_cast<long double>(element);
    return holds(comparison, exact == value.exact, exact < value.exact);
  } else {
    const auto real = static_cast<double>(element);
    return holds(comparison, real == value.real, real < value.real);
  }
}

void add_column(std::vector<IndexRange>& columns, std::uint64_t column) {
  if (!columns.empty() && columns.back().end == column)
    ++columns.back().end;
  else
    columns.push_back({column, column + 1});
}

/// Calls `take` with the elements of an array in their own type.
template <class Take>
void with_elements(const TypedArray& array, Take take) {
  switch (array.type()) {
    case ElementType::uint8:
      return take(array.as<std::uint8_t>());
    case ElementType::uint32:
      return take(array.as<std::uint32_t>());
    case ElementType::int32:
      return take(array.as<std::int32_t>());
    case ElementType::float32:
      return take(array.as<float>());
    case ElementType::uint64:
      return take(array.as<std::uint64_t>());
    case ElementType::float64:
      return take(array.as<double>());
  }
}

/// Returns the columns of a row whose values satisfy the comparison.
std::vector<IndexRange> columns_with_value(const Cursor& cursor, const TableRow& row, Comparison comparison,
                                           const Value& value) {
  std::vector<IndexRange> columns;
  const Trace::Array* described = cursor.trace().find(row.name);
  if (!described) return columns;
  const ArrayInfo* info = &described->info;
  const TypedArray *source = cursor.array(row.name), *through = nullptr;
  std::uint64_t stride = row.components, offset = row.component;
  if (info->gather) {
    source = cursor.array(info->gather->source);
    through = cursor.array(info->gather->through);
    offset = info->gather->component;
    const Trace::Array* gathered = cursor.trace().find(info->gather->source);
    if (!gathered || !through || through->type() != ElementType::uint32) return columns;
    info = &gathered->info;
    stride = std::max(1u, info->components);
  }
  if (!source) return columns;
  const std::span<const std::uint32_t> places =
      through ? through->as<std::uint32_t>() : std::span<const std::uint32_t>();
  with_elements(*source, [&](const auto elements) {
    for (std::uint64_t column = 0; column < row.size; ++column) {
      const std::uint64_t at = (through ? places[column] : column) * stride + offset;
      if (at >= elements.size()) continue;
      const bool missing = is_missing(*info, source->type(), static_cast<double>(elements[at]));
      const bool wanted =
          value.none ? holds(comparison, missing, false) : !missing && holds(comparison, elements[at], value);
      if (wanted) add_column(columns, column);
    }
  });
  return columns;
}

/// Returns the columns whose elements in an array of ids equal `id`.
std::vector<IndexRange> columns_with_id(const TypedArray& ids, std::uint64_t id) {
  std::vector<IndexRange> columns;
  if (ids.type() != ElementType::uint32) return columns;
  const auto values = ids.as<std::uint32_t>();
  for (std::uint64_t column = 0; column < values.size(); ++column)
    if (values[column] == id) add_column(columns, column);
  return columns;
}

std::string known_rows(const ArrayTable& table) {
  constexpr std::size_t most_named = 8;
  std::string names;
  for (std::size_t row = 1; row < table.rows().size() && row <= most_named; ++row)
    names += (row > 1 ? ", " : "") + table.rows()[row].label;
  return names + (table.rows().size() > most_named + 1 ? ", \u2026" : "");
}

/// Returns the row with this label or name. Letter case only decides between rows that differ in nothing else.
std::optional<std::size_t> row_named(const ArrayTable& table, const std::string& wanted) {
  std::optional<std::size_t> found;
  for (std::size_t row = 1; row < table.rows().size(); ++row) {
    const TableRow& candidate = table.rows()[row];
    if (wanted == candidate.symbol || wanted == candidate.label ||
        (candidate.components == 1 && wanted == candidate.name))
      return row;
    if (!found && lower(wanted) == lower(candidate.symbol)) found = row;
  }
  return found;
}

std::string extent(const ArrayTable& table) {
  if (table.column_count() == 0) return "this table is empty at this step";
  return "this table has 0 to " + std::to_string(table.column_count() - 1);
}

Error usage(std::string what, std::string remedy) {
  return {ErrorKind::bad_usage, std::move(what), "", std::move(remedy)};
}

Error hidden_row(const TableRow& row) {
  return usage("the row " + row.label + " is hidden until the question is answered", "answer the question first");
}

Result<ElementMatches> find_value(const Cursor& cursor, const ArrayTable& table, const ElementQuery& query) {
  const auto row = row_named(table, query.row);
  const auto value = read_value(without_letter(row ? table.rows()[*row].value_space : Space::none, query.value));
  if (!value) return usage("'" + query.value + "' is not a number", "write, for example, " + query.row + " == 30");
  if (!row) return usage("this table has no row '" + query.row + "'", "its rows are " + known_rows(table));
  if (table.rows()[*row].concealed) return hidden_row(table.rows()[*row]);
  if (value->none && query.comparison != Comparison::equal && query.comparison != Comparison::unequal)
    return usage("'none' has no order", "compare it with == or !=");
  return ElementMatches(*row, columns_with_value(cursor, table.rows()[*row], query.comparison, *value));
}

/// Finds a node or point: the column itself, or the columns of an array that names it.
Result<ElementMatches> find_id(const Cursor& cursor, const ArrayTable& table, Space space, const ElementQuery& query) {
  const Space wanted = query.kind == Kind::node ? Space::node : Space::point;
  const std::string what =
      std::string(query.kind == Kind::node ? "node " : "point ") + element_name(wanted, query.number);
  if (space == wanted) {
    if (query.number >= table.column_count()) return usage("there is no " + what + " at this step", extent(table));
    return ElementMatches(0, {{query.number, query.number + 1}});
  }
  const Trace::Array* naming = nullptr;
  for (const Trace::Array& array : cursor.trace().arrays)
    if (const ArrayInfo& info = array.info;
        info.index_space == space && info.value_space == wanted && info.components == 1 && !info.gather)
      // Skip an array that the run has emptied, and use the next one.
      if (const TypedArray* now = cursor.array(info.name); now && now->size() > 0) {
        naming = &array;
        break;
      }
  if (!naming)
    return usage("the columns of this table name no " + std::string(name_of(wanted)) + "s", "choose another table");
  std::size_t row = 0;
  while (row < table.rows().size() && table.rows()[row].name != naming->info.name) ++row;
  if (row < table.rows().size() && table.rows()[row].concealed) return hidden_row(table.rows()[row]);
  const auto is_hidden = [&](const TableRow& each) {
    const Trace::Array* array = each.concealed ? cursor.trace().find(each.name) : nullptr;
    return array && array->info.value_space == wanted;
  };
  if (std::any_of(table.rows().begin(), table.rows().end(), is_hidden))
    return usage("the place of " + what + " is hidden until the question is answered", "answer the question first");
  return ElementMatches(row == table.rows().size() ? 0 : row,
                        columns_with_id(*cursor.array(naming->info.name), query.number));
}

}  // namespace

Result<ElementQuery> parse_element_query(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return usage("the search is empty", examples);
  ElementQuery query;
  if (const auto index = whole_number(text)) {
    query.number = *index;
    return query;
  }
  // Try longer signs first, so that <= is not read as < followed by a row.
  constexpr std::array<std::pair<std::string_view, Comparison>, 7> signs{{{"==", Comparison::equal},
                                                                          {"!=", Comparison::unequal},
                                                                          {"<=", Comparison::at_most},
                                                                          {">=", Comparison::at_least},
                                                                          {"=", Comparison::equal},
                                                                          {"<", Comparison::less},
                                                                          {">", Comparison::greater}}};
  for (const auto& [sign, comparison] : signs) {
    const std::size_t at = text.find(sign);
    if (at == std::string_view::npos) continue;
    query.kind = Kind::value;
    query.row = std::string(trimmed(text.substr(0, at)));
    query.comparison = comparison;
    query.value = std::string(trimmed(text.substr(at + sign.size())));
    if (query.row.empty())
      return usage("no row is named before " + std::string(sign),
                   "write, for example, tags " + std::string(sign) + " 30");
    if (query.value.empty())
      return usage("no number follows " + std::string(sign),
                   "write, for example, " + query.row + " " + std::string(sign) + " 30");
    return query;
  }
  if (const auto node = number_after(text, {"node", "n"})) {
    query.kind = Kind::node;
    query.number = *node;
    return query;
  }
  if (const auto point = number_after(text, {"point", "p"})) {
    query.kind = Kind::point;
    query.number = *point;
    return query;
  }
  return usage("'" + std::string(text) + "' is neither a number nor a comparison", examples);
}

ElementMatches::ElementMatches(std::size_t row, std::vector<IndexRange> columns)
    : row_(row), columns_(std::move(columns)) {
  std::uint64_t count = 0;
  before_.reserve(columns_.size());
  for (const IndexRange& r : columns_) before_.push_back(count += r.end - r.begin);
}

std::uint64_t ElementMatches::at(std::uint64_t n) const {
  const auto range = static_cast<std::size_t>(std::upper_bound(before_.begin(), before_.end(), n) - before_.begin());
  return columns_[range].end - (before_[range] - n);
}

Result<ElementMatches> find_elements(const Cursor& cursor, const ArrayTable& table, Space space,
                                     const ElementQuery& query) {
  switch (query.kind) {
    case Kind::value:
      return find_value(cursor, table, query);
    case Kind::node:
    case Kind::point:
      return find_id(cursor, table, space, query);
    case Kind::index:
      break;
  }
  if (query.number >= table.column_count())
    return usage("there is no " + std::string(name_of(space)) + " " + element_name(space, query.number), extent(table));
  return ElementMatches(0, {{query.number, query.number + 1}});
}

}  // namespace kdscope
