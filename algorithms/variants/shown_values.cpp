#include "algorithms/variants/shown_values.hpp"

#include <map>
#include <tuple>

#include "algorithms/variants/lane_order.hpp"

namespace kdscope::shown_values {
namespace {

constexpr Space shown_space{"shown"};

/// What one call showed.
struct Piece {
  std::uint32_t group;
  std::int64_t lane;
  TypedArray values;
};
struct ShownArray {
  std::vector<Piece> pieces;
  std::size_t elements = 0;
};
std::map<std::string, ShownArray>& shown() {
  static std::map<std::string, ShownArray> all;
  return all;
}

}  // namespace

void add(const char* name, TypedArray values) {
  ShownArray& array = shown()[name];
  if (array.elements + values.size() > most_elements) return;
  array.elements += values.size();
  const RunningLane& running = running_lane();
  array.pieces.push_back({running.group ? running.group_index : 0, running.lane, std::move(values)});
}

std::vector<std::pair<std::string, TypedArray>> take() {
  std::vector<std::pair<std::string, TypedArray>> arrays;
  for (auto& [name, array] : shown()) {
    if (array.pieces.empty()) continue;
    std::ranges::stable_sort(array.pieces, {}, [](const Piece& piece) { return std::tuple(piece.group, piece.lane); });
    // Values of another type than the first ones' are no part of the array
    const ElementType type = array.pieces.front().values.type();
    std::erase_if(array.pieces, [&](const Piece& piece) { return piece.values.type() != type; });
    std::size_t elements = 0, at = 0;
    for (const Piece& piece : array.pieces) elements += piece.values.size();
    TypedArray joined(type, elements);
    for (const Piece& piece : array.pieces) {
      std::ranges::copy(piece.values.bytes(), joined.bytes().begin() + static_cast<std::ptrdiff_t>(at));
      at += piece.values.bytes().size();
    }
    arrays.emplace_back(name, std::move(joined));
  }
  shown().clear();
  return arrays;
}

void write_to(TraceBuilder& trace) {
  for (auto& [shown_name, values] : take()) {
    const Trace::Array* known = trace.so_far().find(shown_name);
    std::string name = shown_name;
    if (known && known->info.index_space != shown_space) name += " (shown)", known = trace.so_far().find(name);
    if (known && known->info.type != values.type()) continue;
    if (!known) {
      ArrayInfo info;
      info.name = info.label = name;
      info.type = values.type();
      info.index_space = shown_space;
      trace.declare(std::move(info));
    }
    trace.write(name, std::move(values));
  }
}

}  // namespace kdscope::shown_values
