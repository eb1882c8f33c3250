// The panes beside arrays, tree and view: histograms, split candidates, parallel coordinates.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "algorithms/text/numbers.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "visualizer/figure/coordinates_drawing.hpp"
#include "visualizer/figure/cost_plot.hpp"
#include "visualizer/figure/count_picture.hpp"
#include "visualizer/figure/set_picture.hpp"
#include "visualizer/model/count_array.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/web/baked_states.hpp"

namespace kdscope {
namespace {

/// The first bits of a mask as text, bit 0 first.
std::string bits_text(std::uint64_t mask, std::size_t count) {
  std::string bits;
  for (std::size_t i = 0; i < count; ++i) bits += mask >> i & 1 ? '1' : '0';
  return bits;
}

std::int64_t id_or_none(std::uint32_t id) { return id == no_id ? std::int64_t(-1) : std::int64_t(id); }

/// The picture of the first slots of counts, as wide as their numbers need.
DisplayList count_drawing(const CountArray& counts, std::uint64_t slots) {
  constexpr double line = 15.8, digit = 0.55 * 1.17 * 15;
  CountLook look;
  look.largest = counts.largest();
  look.numbers = true;
  CountFrame frame;
  for (const std::string& words :
       {counts.is_histogram() ? ends_of_bins_label : counts.rows().name, counts.columns().name})
    frame.label_width = std::max(frame.label_width, std::ceil(text_width(words, line) + 2.2 * line));
  frame.head_height = 2.5 * line;
  // Whole pixels have short texts, and are at equal distances.
  frame.cell_width =
      std::ceil(std::max(2.6, 1.5 + std::floor(std::log10(std::max(1.0, look.largest)))) * digit + 0.5 * line);
  frame.cell_height = counts.is_histogram() ? 135 : 27;
  frame.gap = 8;
  frame.most_slots = slots;
  frame.width = frame.label_width + static_cast<double>(slots) * frame.cell_width +
                static_cast<double>(counts.layer_of_slot(slots - 1)) * frame.gap + 2;
  frame.height = frame.head_height + static_cast<double>(counts.row_count()) * frame.cell_height + 2;
  return CountPicture(counts, frame).draw(look);
}

}  // namespace

/// The histograms that are written so far: name, dimensions, picture, and per layer its first column, columns and rows
/// of texts, which are shared. Whole layers are left out, the last ones first.
std::string BakedStates::bake_counts() {
  JsonList all;
  for (const std::string& name : CountArray::names(now_.trace())) {
    const auto counts = CountArray::at(now_, name);
    if (!counts) continue;  // not written yet
    JsonList layers;
    std::uint64_t shown = 0, layer = 0;
    for (; layer < counts->layer_count(); ++layer) {
      const std::uint64_t columns = counts->first_slot(layer + 1) - counts->first_slot(layer);
      if (shown + columns * counts->row_count() > most_counts) break;
      shown += columns * counts->row_count();
      JsonList rows;
      for (std::uint64_t row = 0; row < counts->row_count(); ++row) {
        JsonList cells;
        for (std::uint64_t column = 0; column < columns; ++column)
          cells.add(json_text(counts->text(counts->flat({layer, row, column}))));
        rows.add(texts_.put(cells.text()));
      }
      layers.add(JsonList().add(counts->first_column(layer)).add(columns).add(rows.text()).text());
    }
    const std::string picture = layer > 0 ? bake_list(count_drawing(*counts, counts->first_slot(layer))) : "null";
    all.add(count_arrays_.put(JsonObject()
                                  .add("label", json_text(counts->info().label))
                                  .add("layer", json_text(counts->has_layers() ? counts->layers().name : ""))
                                  .add("row", json_text(counts->rows().name))
                                  .add("first_row", counts->first_row())
                                  .add("column", json_text(counts->columns().name))
                                  .add("left_out", counts->layer_count() - layer)
                                  .add("picture", picture)
                                  .add("layers", layers.text())
                                  .text()));
  }
  return all.text() == "[]" ? std::string() : all.text();
}

/// The candidates of the node that the window shows, and of the other nodes that the step evaluates.
std::string BakedStates::bake_candidates() {
  const CandidateArrays arrays(now_.trace());
  if (!arrays) return {};
  const auto shown = node_candidates(now_, std::nullopt);
  if (!shown) return {};
  JsonList nodes;
  nodes.add(bake_candidates_of(*shown));
  std::vector<std::uint32_t> others;
  if (const TypedArray* at = arrays.tried_at ? now_.array(arrays.tried_at->info.name) : nullptr)
    for (std::size_t i = 0; i < at->size(); ++i) {
      const auto node = static_cast<std::uint32_t>(at->number(i));
      if (node != shown->node.value && std::find(others.begin(), others.end(), node) == others.end())
        others.push_back(node);
      if (others.size() + 1 >= most_candidate_nodes) break;
    }
  std::sort(others.begin(), others.end());
  for (const std::uint32_t node : others)
    if (const auto found = node_candidates(now_, NodeId{node})) nodes.add(bake_candidates_of(*found));
  return nodes.text();
}

/// One node: its headline, its plots and sets as display lists, and its candidates: text, number, cost, how many lie
/// left and right, the masks. A bit that is not of the node stands in no mask.
std::string BakedStates::bake_candidates_of(const NodeCandidates& node) {
  const std::uint32_t dims = now_.trace().header.dim;
  const std::size_t bits = node.primitives.size();
  JsonList tried, primitives;
  for (std::size_t i = 0; i < node.tried.size(); ++i) {
    const TriedCandidate& c = node.tried[i];
    tried.add(JsonList()
                  .add(json_text(coordinate_name(c.dim, dims) + " = " + node.position_text(i)))
                  .add(c.candidate)
                  .add(json_text(std::isnan(c.cost) ? std::string() : short_number(c.cost, 4)))
                  .add(std::popcount(node.set & c.left))
                  .add(std::popcount(node.set & c.right))
                  .add(json_text(bits_text(node.set & c.left, bits)))
                  .add(json_text(bits_text(node.set & c.right, bits)))
                  .text());
  }
  for (const std::uint32_t primitive : node.primitives) primitives.add(primitive);
  JsonObject baked;
  baked.add("node", node.node.value)
      .add("headline", json_text(headline_of(node, dims)))
      .add("step", node.step)
      .add("of", json_text(node.primitive_space == Space::triangle ? "triangle" : "point"))
      .add("root", id_or_none(node.root))
      .add("primitives", primitives.text())
      .add("set", json_text(bits_text(node.set, bits)))
      .add("tried", tried.text())
      .add("chosen", node.chosen ? static_cast<std::int64_t>(*node.chosen) : std::int64_t(-1));
  CostDrawingOptions room;
  room.width = cost_drawing_width(node, room);
  if (const DisplayList costs = cost_drawing(node, dims, room); !costs.items.empty())
    baked.add("costs", bake_list(costs));
  const std::vector<SetRow> rows =
      set_rows(now_, node, node.chosen || node.tried.empty() ? node.chosen : std::optional<std::size_t>(0));
  if (bits > 0) baked.add("sets", bake_list(SetPicture(rows, node.primitives, node.primitive_space, {}).draw()));
  if (node.leaf_cost) baked.add("leaf", json_text(short_number(*node.leaf_cost, 4)));
  return std::to_string(candidates_.put(baked.text()));
}

/// The picture of the coordinates, how many points and axes it has, and its splits.
std::string BakedStates::bake_coordinates() {
  if (!coordinates_) return {};
  ParallelCoordinates& model = *coordinates_;
  model.show(now_, {}, {});
  if (model.axes().empty() || model.lines().empty()) return {};
  constexpr double narrowest = 680, least_spacing = 27, least_height = 350, most_height = 590, usual_width = 900;
  CoordinateLook look;
  look.drawn = model.lines().size();
  CoordinateDrawing::Place area;
  area.width = std::max(narrowest, least_spacing * static_cast<double>(model.axes().size()) +
                                       2 * coordinate_margins(look.line_height).side);
  area.height = std::clamp(least_height * area.width / usual_width, least_height, most_height);
  const CoordinateFrame frame = frame_in(model, area, look.line_height);
  const CoordinateDrawing drawing(model, frame, area, look);
  DisplayList list = drawing.lines();
  DisplayList above = drawing.axes();
  for (DisplayItem& item : above.items) list.add(std::move(item));
  JsonList splits;
  for (const CoordinateBox& box : model.boxes())
    if (box.split_dim >= 0 && model.axis_of(static_cast<std::uint32_t>(box.split_dim)))
      splits.add(json_text(split_words(box, model.dim())));
  std::string note;
  if (model.lines().size() < model.point_count())
    note = "A sample: " + grouped(model.lines().size()) + " of " + grouped(model.point_count()) + " points.";
  if (!model.left_out().empty()) note += (note.empty() ? "" : " ") + model.left_out();
  return std::to_string(
      coordinate_states_.put(JsonObject()
                                 .add("list", bake_list(list))
                                 .add("points", std::ranges::count(model.lines(), false, &CoordinateLine::left_out))
                                 .add("axes", model.axes().size())
                                 .add("splits", splits.text())
                                 .add("note", json_text(note))
                                 .text()));
}

}  // namespace kdscope
