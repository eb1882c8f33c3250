#pragma once
// A small run that counts digits by chunk and block, as a hand-written trace: ten positions, blocks of four, two chunks
// around a splitting element at position 5, and digits 0 to 2.

#include <memory>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

struct CountedRun {
  std::vector<std::uint32_t> chunk{0, 0, 0, 0, 0,
                                   0, 1, 1, 1, 1};  // a splitting element belongs to the chunk to its left
  std::vector<std::uint32_t> block{0, 0, 0, 0, 1, 1, 1, 1, 2, 2};
  std::vector<std::uint32_t> digit{2, 0, 2, 1, 0, no_id, 0, 2, 2, 0};
  std::vector<std::uint32_t> order{9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  std::vector<std::uint32_t> sorted{8, 5, 6, 9, 7, 4, 3, 0, 2, 1};  // the order after the pass
  // H: chunk 0 over blocks 0 and 1, chunk 1 over blocks 1 and 2; [digit][block] each.
  std::vector<std::uint32_t> counts{1, 1, 1, 0, 2, 0, 1, 1, 0, 0, 1, 1};
  std::vector<std::uint32_t> sums{1, 2, 3, 3, 5, 5, 6, 7, 7, 7, 8, 9};
  std::vector<std::uint32_t> columns{0, 2, 4};
  // h: [block][chunk_rel][digit]
  std::vector<std::uint32_t> local{1, 1, 2, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 0};
};

/// Returns the run. Steps: 0 start; 1 histogram creation; 2 prefix sum; 3 copy; 4 another phase without a strategy.
inline std::shared_ptr<const Trace> counted_trace(const CountedRun& run = {}) {
  TraceHeader header;
  header.algorithm = "counted";
  header.title = "Counted";
  header.n = 10;
  header.dim = 2;
  header.scalar = ScalarType::float32;
  TraceBuilder builder(header);
  const auto declare = [&](const char* name, Space index, Space value, bool row,
                           std::vector<ArrayDimension> dimensions = {}, const char* offsets = "") {
    ArrayInfo info;
    info.name = info.label = name;
    info.index_space = index;
    info.value_space = value;
    info.shown_as_row = row;
    info.dimensions = std::move(dimensions);
    info.offsets = offsets;
    builder.declare(info);
  };
  builder.declare({points_array, points_array, ElementType::float32, Space::point, Space::coordinate, 2, {}, false});
  declare("index", Space::position, Space::point, true);
  declare("chunk", Space::position, Space::none, true);
  declare("block", Space::position, Space::none, true);
  declare("digit", Space::position, Space::none, true);
  declare("h", Space::none, Space::count, false, {{"block"}, {"chunk_rel", "chunk", true}, {"digit"}});
  declare("H", Space::none, Space::count, false, {{"chunk"}, {"digit"}, {"block"}}, "H.columns");
  declare("H_sum", Space::none, Space::count, false, {{"chunk"}, {"digit"}, {"block"}}, "H.columns");
  declare("H.columns", Space::none, Space::none, false);
  declare("never", Space::none, Space::count, false, {{"digit"}, {"block"}});
  declare("unrelated", Space::none, Space::count, false, {{"digit"}, {"nowhere"}});
  const auto step = [&](const char* name, const char* phase) {
    Step s;
    s.name = name;
    s.path = {"build", "level 1", name};
    s.level = 1;
    s.phase = phase;
    builder.begin_step(s);
  };
  step("start", "");
  std::vector<float> xy;
  for (int i = 0; i < 10; ++i) xy.insert(xy.end(), {static_cast<float>(i), static_cast<float>(i * i % 7)});
  builder.write(points_array, TypedArray::of(xy));
  builder.write("index", TypedArray::of(run.order));
  builder.write("chunk", TypedArray::of(run.chunk));
  step("histogram creation", "parallel radix sort");
  builder.write("block", TypedArray::of(run.block));
  builder.write("digit", TypedArray::of(run.digit));
  builder.write("h", TypedArray::of(run.local));
  builder.write("H", TypedArray::of(run.counts));
  builder.write("H.columns", TypedArray::of(run.columns));
  builder.write("unrelated", TypedArray::of(run.columns));
  step("prefix sum", "parallel radix sort");
  builder.write("H_sum", TypedArray::of(run.sums));
  step("copy", "parallel radix sort");
  builder.write("index", TypedArray::of(run.sorted));
  step("reorganization", "");
  return builder.finish();
}

inline Cursor counted_at(std::uint32_t step, std::shared_ptr<const Trace> trace = counted_trace()) {
  Cursor cursor(std::move(trace));
  cursor.seek(step);
  return cursor;
}

}  // namespace kdscope
