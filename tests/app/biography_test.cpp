// The biography of a point, compared with the trace itself, for every algorithm.

#include "visualizer/model/biography.hpp"

#include <algorithm>
#include <sstream>

#include "app/recording/run.hpp"
#include "app/select/selection.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/point_algorithms.hpp"
#include "tests/visualizer/orders_trace.hpp"
#include "visualizer/model/row_order.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope::biography_test {

namespace {

/// Returns the fields of a CSV text's lines. Our fields contain no line breaks.
std::vector<std::vector<std::string>> parse(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    CHECK(line.find('\r') == std::string::npos);  // lines end in LF, as in all tables
    std::vector<std::string> fields{""};
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"')
        fields.back() += line[++i];
      else if (line[i] == '"')
        quoted = !quoted;
      else if (line[i] == ',' && !quoted)
        fields.emplace_back();
      else
        fields.back() += line[i];
    }
    CHECK_FALSE(quoted);
    lines.push_back(std::move(fields));
  }
  return lines;
}

std::string id_text(const Cursor& cursor, const std::string& row, std::uint64_t index) {
  const std::string text = cursor.text(row, index);
  return text == std::to_string(no_id) ? std::string() : text;
}

/// Returns the position of a point in the order of a dimension, or (no_id) of all dimensions, as a cursor finds it.
std::optional<std::uint64_t> position_in(const Cursor& cursor, std::uint32_t dimension, std::uint32_t point) {
  for (const Trace::Array& array : cursor.trace().arrays) {
    const ArrayInfo& info = array.info;
    if (info.dimension != dimension || info.index_space != Space::position || info.value_space != Space::point)
      continue;
    for (std::uint64_t i = 0; i < cursor.row_size(info.name); ++i)
      if (cursor.number(info.name, i) == point) return i;
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("a biography says at every step what the arrays say, for every algorithm") {
  for (const AlgorithmSpec& algorithm : test::point_algorithms())
    for (const char* data : {"wald-10", "uniform:n=700,dim=3,seed=2"}) {
      INFO(algorithm.id << " on " << data);
      const auto recording = record_run({data, algorithm.id, {}, Backend::cpu}).value();
      const Trace& trace = *recording.trace;
      const std::string node_row = node_of_position_array(trace);
      for (const std::uint32_t p : {0u, 3u, static_cast<std::uint32_t>(trace.header.n - 1)}) {
        INFO("point " << p);
        const auto life = Biography::of(trace, {p});
        REQUIRE(life);
        REQUIRE(life->lines.size() == trace.steps.size());
        CHECK(life->columns.front().starts_with("position"));
        CHECK(life->columns.back() == "cell");
        Cursor cursor(recording.trace);
        bool moved = false, in_cell = false;
        std::vector<std::string> said(life->columns.size());  // per row
        for (const BiographyLine& line : life->lines) {
          INFO("step " << line.step);
          cursor.seek(line.step);
          REQUIRE(line.fields.size() == life->columns.size());
          const auto position =
              has_orders_by_dimension(trace) ? position_in(cursor, 0, p) : position_of_point(cursor, {p});
          CHECK(line.fields.front() == (position ? std::to_string(*position) : ""));
          const auto node = node_of_point(cursor, {p});
          CHECK(line.fields[line.fields.size() - 2] == (node ? std::to_string(node->value) : ""));
          // Compare the rows between the first and the last two columns. Rows by position show the value for the point
          // at the time when they were written, in the order of that time if a dimension has its own order.
          for (std::size_t c = 1; c + 2 < line.fields.size(); ++c)
            for (const Trace::Array& array : trace.arrays) {
              const std::string& label = array.info.label.empty() ? array.info.name : array.info.label;
              if (label != life->columns[c] || array.info.gather) continue;
              const auto& wrote = trace.steps[line.step].wrote;
              const bool has_order = array.info.dimension != no_id,
                         written = std::find(wrote.begin(), wrote.end(), array.info.name) != wrote.end();
              if (!has_order || written) {
                const auto stands = has_order ? position_in(cursor, array.info.dimension, p) : position;
                const auto index = array.info.index_space == Space::point ? std::optional<std::uint64_t>(p) : stands;
                said[c] = index ? id_text(cursor, array.info.name, *index) : "";
                if (array.info.value_space == Space::point && !said[c].empty()) said[c].insert(0, "p");
              }
              CHECK(line.fields[c] == said[c]);
            }
          if (node) {
            in_cell = true;
            const std::uint32_t k = trace.header.dim;
            REQUIRE(line.box.size() == 2 * k);
            for (std::uint32_t i = 0; i < 2 * k; ++i)
              CHECK(line.box[i] == cursor.number(partition_arrays::box, std::uint64_t(node->value) * 2 * k + i));
            for (std::uint32_t d = 0; d < k; ++d) {  // the point lies in its cell
              const double x = cursor.number(points_array, std::uint64_t(p) * k + d);
              CHECK(line.box[d] <= x);
              CHECK(x <= line.box[k + d]);
            }
          }
          moved = moved || line.what.find("position") != std::string::npos;
          const bool changed = std::find(line.changed.begin(), line.changed.end(), true) != line.changed.end();
          if (changed && !line.fields.front().empty()) CHECK_FALSE(line.what.empty());
        }
        CHECK(moved);
        CHECK(in_cell);
        const std::string all = csv_of(*life, trace);
        CHECK((all.find("is stored at node") != std::string::npos) == !trace.find(partition_arrays::leaf));
        CHECK((all.find("stays in leaf") != std::string::npos) == (trace.find(partition_arrays::leaf) != nullptr));
      }
      CHECK_FALSE(Biography::of(trace, {static_cast<std::uint32_t>(trace.header.n)}));
      CHECK(Biography::of(trace, {0}, [](double) { return false; }).error().kind == ErrorKind::cancelled);
    }
}

TEST_CASE("a row that is older than its dimension's order tells of the point for which it was written") {
  const auto column = [](const Biography& life, const std::string& name) {
    const auto found = std::find(life.columns.begin(), life.columns.end(), name);
    REQUIRE(found != life.columns.end());
    return static_cast<std::size_t>(found - life.columns.begin());
  };
  // Points 3 and 0 go left, to node 1. The orders change at step 3; owner(x) and owner(y) stay as step 1 wrote them.
  for (std::uint32_t p = 0; p < 4; ++p) {
    INFO("point " << p);
    const auto life = Biography::of(*orders_trace(), {p});
    REQUIRE(life);
    for (const char* name : {"owner(x)", "owner(y)"})
      for (std::uint32_t step = 1; step < 5; ++step)
        CHECK(life->lines[step].fields[column(*life, name)] == (p == 0 || p == 3 ? "1" : "2"));
  }
  const auto recording = record_run({"hu-10", "hu", {{"leaf_size", "2"}}, Backend::cpu}).value();
  const auto steps = steps_matching(*recording.trace, "level 0 / new owners");
  REQUIRE(steps.size() == 1);
  const auto life = Biography::of(*recording.trace, {2});
  REQUIRE(life);
  CHECK(life->lines[steps[0]].fields[column(*life, "owner(y)")] == "2");
  CHECK(life->lines[steps[0]].what.find("owner(y)") == std::string::npos);
}

TEST_CASE("the biography of a point that the tree leaves out says so, and as which point") {
  bool any = false;
  for (const AlgorithmSpec& algorithm : test::point_algorithms()) {
    const auto recording = record_run({"equal:n=6,dim=2", algorithm.id, {}, Backend::cpu}).value();
    Cursor end(recording.trace);
    end.seek(end.step_count() - 1);
    for (std::uint32_t p = 0; p < 6; ++p) {
      INFO(algorithm.id << ", point " << p);
      const auto life = Biography::of(*recording.trace, {p});
      REQUIRE(life);
      const bool told =
          csv_of(*life, *recording.trace)
              .find("is left out: the same coordinates as p" + std::to_string(p == 0 ? 1 : 0)) != std::string::npos;
      CHECK(told == is_left_out(end, {p}));
      any = any || told;
      if (told) CHECK(p > 0);
    }
  }
  CHECK(any);
}

TEST_CASE("a biography as CSV has one line per step and every number exact") {
  for (const AlgorithmSpec& algorithm : test::point_algorithms()) {
    INFO(algorithm.id);
    const auto recording = record_run({"uniform:n=50,dim=2,seed=9", algorithm.id, {}, Backend::cpu}).value();
    const Trace& trace = *recording.trace;
    const auto life = Biography::of(trace, {7});
    REQUIRE(life);
    const auto lines = parse(csv_of(*life, trace));
    REQUIRE(lines.size() == trace.steps.size() + 1);
    const std::vector<std::string>& head = lines.front();
    CHECK(head.front() == "step");
    CHECK(head.back() == "what changed");
    REQUIRE(head.size() == 2 + life->columns.size() - 1 + 4 + 1);
    CHECK(head[head.size() - 5] == "cell x min");
    for (std::size_t i = 1; i < lines.size(); ++i) {
      REQUIRE(lines[i].size() == head.size());
      const BiographyLine& line = life->lines[i - 1];
      CHECK(lines[i][0] == std::to_string(line.step));
      CHECK(lines[i][1] == path_text(trace.steps[line.step]));
      CHECK(lines[i][2] == line.fields[0]);
      CHECK(lines[i].back() == line.what);
      for (std::size_t b = 0; b < line.box.size(); ++b)
        CHECK(std::stod(lines[i][head.size() - 5 + (b % 2) * 2 + b / 2]) == line.box[b]);
    }
  }
}

TEST_CASE(
    "a segment that is selected follows its node to other steps, and positions that are no segment name no node") {
  const auto recording = record_run({"uniform:n=1000,dim=2,seed=1", "wald", {}, Backend::cpu}).value();
  Cursor cursor(recording.trace);
  cursor.seek(steps_matching(*recording.trace, "level 3 / sort").at(0));
  std::size_t segments = 0;
  for (const Highlight& h : cursor.current().highlights) {
    if (h.role != Role::segment) continue;
    for (std::size_t i = 0; i < h.ranges.size(); ++i, ++segments) {
      const Selection segment{Space::position, h.ranges[i].begin, {}, h.ranges[i].end - h.ranges[i].begin};
      CHECK(resolve_selection(cursor, segment).node == h.nodes[i]);
      CHECK((carried_over(cursor, segment, cursor.step_count() - 1) == Selection{Space::node, h.nodes[i]}));
    }
  }
  CHECK(segments == 8);
  // The seven settled points at the front do not form a subtree.
  const Selection settled{Space::position, 0, {}, 7}, across{Space::position, 100, {}, 127};
  for (const Selection& positions : {settled, across}) {
    CHECK_FALSE(resolve_selection(cursor, positions).node);
    CHECK(carried_over(cursor, positions, 0) == positions);
  }
}

TEST_CASE("a segment's node is the one that the step names, else the lowest above its points") {
  for (const AlgorithmSpec& algorithm : test::point_algorithms()) {
    INFO(algorithm.id);
    const auto recording = record_run({"uniform:n=100,dim=2,seed=1", algorithm.id, {}, Backend::cpu}).value();
    Cursor cursor(recording.trace);
    std::size_t segments = 0;
    for (std::uint32_t step = 0; step < cursor.step_count(); ++step) {
      cursor.seek(step);
      for (const Highlight& h : cursor.current().highlights) {
        if (h.role != Role::segment || h.space != Space::position) continue;
        for (std::size_t i = 0; i < h.ranges.size(); ++i) {
          const Selection segment{Space::position, h.ranges[i].begin, {}, h.ranges[i].end - h.ranges[i].begin};
          CHECK(segment_at(cursor, Space::position, h.ranges[i].begin));
          if (segment.count < 2) continue;
          const LinkedSelection linked = resolve_selection(cursor, segment);
          CHECK(linked.points.size() == segment.count);
          CHECK(linked.positions == std::vector<IndexRange>{h.ranges[i]});
          if (i < h.nodes.size()) CHECK(linked.node == h.nodes[i]);
          ++segments;
        }
      }
    }
    CHECK(segments > 0);
    // All nodes descend from the root, and indices past the end select nothing.
    cursor.seek(cursor.step_count() - 1);
    CHECK(resolve_selection(cursor, {Space::position, 0, {}, 100}).node == 0u);
    CHECK(resolve_selection(cursor, {Space::position, 40, {}, ~0ull}).points.size() == 60);
    CHECK(resolve_selection(cursor, {Space::node, ~0ull}).points.empty());
    CHECK(resolve_selection(cursor, {Space::point, ~0ull}).points.empty());
  }
}

}  // namespace kdscope::biography_test
