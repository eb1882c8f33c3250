#pragma once
// Traces that are written by hand or at random, for all tests that read traces.

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "algorithms/trace/trace.hpp"

namespace kdscope::tests {

inline TraceHeader some_header(std::uint64_t n, std::uint32_t dim) {
  TraceHeader h;
  h.algorithm = "wald";
  h.title = "Left-balanced tag-and-sort";
  h.citation = "Wald 2023";
  h.parameters = {{"sort", "radix"}, {"split", "round-robin"}, {"empty", ""}};
  h.data_set = "wald-10";
  h.n = n;
  h.dim = dim;
  h.scalar = ScalarType::int32;
  h.backend = "cpu";
  h.device = "2 threads, \"oneTBB\" – Größe";
  h.version = "0.1.0";
  h.tree_hash = 0x0123456789abcdefull;
  return h;
}

/// Returns a header with nothing but these.
inline TraceHeader header_of(std::uint64_t n, std::uint32_t dim, std::string algorithm = {}) {
  TraceHeader header;
  header.algorithm = std::move(algorithm);
  header.n = n, header.dim = dim;
  return header;
}

/// Returns a row of coordinates, by position, that is gathered from another array.
inline ArrayInfo gathered_row(std::string name, std::string label, ElementType type, Gather gather,
                              std::uint32_t dimension = no_id) {
  ArrayInfo row{std::move(name), std::move(label), type, Space::position, Space::coordinate};
  row.gather = std::move(gather);
  row.dimension = dimension;
  return row;
}

inline Step named_step(std::vector<std::string> path, int level = -1) {
  Step step;
  step.name = path.back();
  step.path = std::move(path);
  step.level = level;
  return step;
}

/// Returns the first steps of the paper's ten-point walkthrough: tags, index, points and two derived rows.
inline std::shared_ptr<const Trace> ten_point_beginning(std::uint32_t planted_tag = 0) {
  const std::vector<std::int32_t> points{10, 15, 46, 63, 68, 21, 40, 33, 25, 54,
                                         15, 43, 44, 58, 45, 40, 62, 69, 53, 67};
  TraceBuilder b(some_header(10, 2));
  b.declare({"tags", "tags", ElementType::uint32, Space::position, Space::node, 1, {{"n"}}, true, {}});
  b.declare({"index", "index", ElementType::uint32, Space::position, Space::point, 1, {}, false, {}});
  b.declare({"points",
             "points",
             ElementType::int32,
             Space::point,
             Space::coordinate,
             2,
             {{"point"}, {"coordinate"}},
             false,
             {}});
  b.declare(gathered_row("data[i].x", "data[i].x", ElementType::int32, Gather{"points", "index", 0}));
  b.declare(gathered_row("data[i].y", "data[i].y", ElementType::int32, Gather{"points", "index", 1}));

  Step first = named_step({"build", "initialise tags"});
  first.title = "Every point starts in the root's subtree";
  first.code_anchor = "wald/initialise_tags";
  first.grid = 1;
  first.block = 256;
  b.begin_step(first);
  b.write("points", TypedArray::of(points));
  b.write("index", TypedArray::of<std::uint32_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  b.write("tags", TypedArray::of(std::vector<std::uint32_t>(10, 0)));
  b.current_step().checks = {{"permutation", "Every point is there once", true, ""}};

  Step sort = named_step({"build", "level 0", "sort"}, 0);
  sort.title = "Sort by tag, then by x";
  sort.kind = StepKind::library;
  sort.elapsed_ms = 0.125;
  sort.highlights = {{Role::segment, Space::position, {{0, 10}}, {0}}, {Role::settled, Space::position, {}, {}}};
  b.begin_step(sort);
  b.write("index", TypedArray::of<std::uint32_t>({0, 5, 4, 3, 6, 7, 1, 9, 8, 2}));
  b.current_step().checks = {{"observation 3.2", "Segments are sorted", false, "position 3"}};

  Step update = named_step({"build", "level 0", "update tags"}, 0);
  update.title = "Move each tag to its child";
  update.highlights = {{Role::pivot, Space::position, {{6, 7}}, {0}}};
  b.begin_step(update);
  b.write("tags", TypedArray::of<std::uint32_t>({1, 1, 1, 1, 1, 1, 0, 2, planted_tag == 0 ? 2 : planted_tag, 2}));
  return b.finish();
}

/// Returns arrays of every element type with several sizes and write patterns. The same seed makes the same trace.
inline std::shared_ptr<const Trace> random_trace(std::uint32_t seed, std::uint32_t steps, std::uint32_t max_size) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  TraceBuilder b(some_header(max_size, 1));
  const ElementType types[] = {ElementType::uint8,   ElementType::uint32, ElementType::int32,
                               ElementType::float32, ElementType::uint64, ElementType::float64};
  std::vector<TypedArray> state;
  for (std::size_t a = 0; a < 6; ++a) {
    const std::string name = "a/%." + std::to_string(a);  // characters with a special meaning in HDF5 paths
    b.declare({name, name, types[a], Space::position, Space::count});
    state.emplace_back(types[a], below(max_size));
  }
  for (std::uint32_t s = 0; s < steps; ++s) {
    Step step =
        named_step({"build", "level " + std::to_string(s / 4), s % 2 ? "sort" : "update"}, static_cast<int>(s / 4));
    b.begin_step(step);
    for (std::size_t a = 0; a < 6; ++a) {
      const std::uint32_t pattern = below(6);
      if (pattern == 0) continue;
      if (pattern == 1) state[a].resize(below(max_size + 1));
      const std::size_t bytes = state[a].bytes().size();
      const std::size_t changes = bytes == 0 ? 0 : pattern == 2 ? bytes : below(4);
      for (std::size_t c = 0; c < changes; ++c) state[a].bytes()[random() % bytes] = static_cast<std::byte>(random());
      b.write("a/%." + std::to_string(a), state[a]);
    }
  }
  return b.finish();
}

}  // namespace kdscope::tests
