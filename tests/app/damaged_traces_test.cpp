// Tests that any state that a user's broken builder leaves in a trace is shown: no model of a view crashes, hangs or
// reads out of bounds. Also run this with sanitizers (preset asan).

#include <cstring>
#include <random>
#include <set>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/pseudocode/step_values.hpp"
#include "app/recording/run.hpp"
#include "app/recording/saved_run.hpp"
#include "app/select/selection.hpp"
#include "tests/support/campaign.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/share.hpp"
#include "tests/support/temporary_folder.hpp"
#include "visualizer/model/array_table.hpp"
#include "visualizer/model/biography.hpp"
#include "visualizer/model/changes.hpp"
#include "visualizer/model/count_array.hpp"
#include "visualizer/model/difference.hpp"
#include "visualizer/model/element_search.hpp"
#include "visualizer/model/heat.hpp"
#include "visualizer/model/highlights.hpp"
#include "visualizer/model/mesh.hpp"
#include "visualizer/model/parallel_coordinates.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/model/segments.hpp"
#include "visualizer/model/split_candidates.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/model/tree_diagram.hpp"
#include "visualizer/model/violations.hpp"

namespace kdscope::damaged_traces_test {

namespace {

std::shared_ptr<const Trace> recorded(const std::string& algorithm, const std::string& data) {
  return record_run({data, algorithm, {}, Backend::cpu}).value().trace;
}

/// Returns a number that is likely to cause errors: near a size, no_id, or any other number.
std::uint64_t wrong_number(std::mt19937& random, std::uint64_t size) {
  const std::uint64_t choices[] = {0, 1, size - 1, size, size + 1, no_id, no_id - 1, 0x7fffffffu, ~0ull, random()};
  return choices[random() % std::size(choices)];
}

void damage(TypedArray& values, std::mt19937& random, double share) {
  const std::size_t width = size_of(values.type());
  std::bernoulli_distribution hit(share);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!hit(random)) continue;
    const std::uint64_t wrong = wrong_number(random, values.size());
    std::memcpy(values.bytes().data() + i * width, &wrong, width);
  }
}

/// Returns the same run with wrong values in some of its arrays, and with arbitrary highlights and violating elements.
std::shared_ptr<const Trace> damaged(const Trace& sound, std::mt19937& random) {
  auto trace = std::make_shared<Trace>(sound);
  constexpr double shares[] = {0.01, 0.1, 0.5, 1};
  const double share = shares[random() % std::size(shares)];
  const bool all = random() % 4 == 0;
  for (Trace::Array& array : trace->arrays)
    for (ArrayVersion& version : array.versions)
      if (all || random() % 4 == 0) damage(version.values, random, share);
  for (Step& step : trace->steps) {
    for (Highlight& h : step.highlights)
      for (IndexRange& r : h.ranges)
        if (random() % 8 == 0) {
          r.begin = wrong_number(random, sound.header.n) & no_id;
          r.end = r.begin + random() % 4;
        }
    for (CheckResult& check : step.checks)
      if (random() % 8 == 0) {
        check.passed = false;
        check.array = trace->arrays[random() % trace->arrays.size()].info.name;
        const std::uint64_t begin = wrong_number(random, sound.header.n) & no_id;
        check.elements = {{begin, begin + 1}};
      }
  }
  trace->index_arrays();
  return trace;
}

/// Returns some of the indices below n, including the first and the last.
std::set<std::uint64_t> some_of(std::uint64_t n, std::mt19937& random) {
  std::set<std::uint64_t> indices;
  if (n == 0) return indices;
  indices = {0, n - 1};
  for (int i = 0; i < 4; ++i) indices.insert(random() % n);
  return indices;
}

void look_at_tables(const Cursor& now, const Cursor& before, std::mt19937& random) {
  for (const Space& space : table_spaces(now.trace())) {
    const ArrayTable table(now, &before, space);
    for (std::size_t row = 0; row < table.rows().size(); ++row) {
      for (const std::uint64_t column : some_of(table.column_count(), random)) {
        table.cell(row, column);
        table.point_at(row, column);
        const Selection picked = selection_of_cell(table, space, row, column);
        const LinkedSelection linked = resolve_selection(now, picked);
        marks_of(picked, linked);
        columns_in(table, now, picked, linked, space);
        carried_over(now, picked, 0);
        segment_at(now, space, column);
      }
      table.changes(row);
      table.text_width(row, true);
      if (row > 0) {
        const RowValues values(now, table.rows()[row]);
        summarise(values, {0, values.size()}, 8);
      }
    }
    table.violating_columns();
    table.written_rows();
    SegmentList(now, table.column_count(), space).strips({0, table.column_count()}, 5);
    for (const char* text : {"point 1", "node 2", "7", "none"})
      if (const auto query = parse_element_query(text)) (void)find_elements(now, table, space, *query);
    changed_space(now, &before, space);
  }
}

void look_at_trees(const Cursor& now, const Cursor& before, std::mt19937& random) {
  const Trace& trace = now.trace();
  const Partition partition = Partition::at(now);
  partition.settled_points();
  const NodesOfPoints of_points = nodes_of_points(now);
  of_points.note();
  ShownPartition{partition, of_points}.settled_points(trace.header.n);
  for (const Colouring colouring : {Colouring::subtree, Colouring::leaf_size, Colouring::depth})
    if (can_colour(trace, colouring)) heat_of(now, partition, colouring);
  const TreeDiagram diagram = TreeDiagram::at(now);
  for (const std::uint64_t node : some_of(partition.nodes().size(), random)) {
    const NodeId id{static_cast<std::uint32_t>(node)};
    diagram.node(id);
    node_words(before, now, id);
    place_of(now, id);
    (void)node_candidates(now, id);
    primitives_by_mask(now, id);
    marks_of({Space::node, node}, resolve_selection(now, {Space::node, node}));
  }
  changed_nodes(before, now);
  difference(before, now);
  role_marks(now);
  violating_points(now);
  for (const Role role : {Role::pivot, Role::segment, Role::read}) points_with_role(now, role);
  const std::vector<std::uint32_t> triangles = triangles_of(now);
  if (const TypedArray* points = now.array(points_array)) {
    places_of_triangles(partition, *points, trace.header.dim, triangles);
    nodes_of_triangles(partition, *points, trace.header.dim, triangles);
  }
  for (const std::string& name : CountArray::names(trace)) {
    const auto counts = CountArray::at(now, name);
    if (!counts) continue;
    for (const std::uint64_t cell : some_of(counts->size(), random)) {
      counts->elements(cell);
      resolve_selection(now, {Space::count, cell, name});
    }
    counts->layer_nodes();
    changed_counts(before, now, name);
  }
  if (const CandidateArrays candidates(trace); candidates) {
    node_of_candidate(now, random() % 64);
    nodes_with_primitive(now, random() % 8);
  }
}

void look_at_all(const std::shared_ptr<const Trace>& trace, std::mt19937& random) {
  Cursor now(trace), before(trace);
  StepValues values(*trace);
  violations_of(*trace);
  ParallelCoordinates coordinates(trace);
  for (std::uint32_t step = 0; step < now.step_count(); ++step) {
    if (now.step_count() > 24 && random() % 3 != 0) continue;
    now.seek(step);
    before.seek(step > 0 ? step - 1 : 0);
    look_at_tables(now, before, random);
    look_at_trees(now, before, random);
    coordinates.show(now, std::vector<PointId>{{0}, {1}}, std::vector<NodeId>{{0}, {1}});
    for (const CheckResult& check : now.current().checks) selection_of_violation(*trace, check);
  }
  for (const std::uint64_t point : some_of(trace->header.n, random)) {
    const auto life = Biography::of(*trace, {static_cast<std::uint32_t>(point)});
    if (life) csv_of(*life, *trace);
  }
}

}  // namespace

TEST_CASE("a trace with any values is shown by every model, and is saved and read again", "[share]") {
  std::mt19937 random(test::campaign_seed(7));
  const test::TemporaryFolder folder;
  std::size_t number = 0;
  for (const AlgorithmSpec& algorithm : algorithms()) {
    for (const char* data : {"uniform:n=40,dim=2,seed=3", "zhou-8", "uniform:n=30,dim=6,seed=2"}) {
      if (number++ % test::every_nth(2) != 0) continue;
      const bool mesh = std::string(data) == "zhou-8";
      if (mesh != algorithm.takes_triangles ||
          (!mesh && std::string(data).find("dim=6") != std::string::npos && algorithm.max_dim < 6))
        continue;
      const auto sound = recorded(algorithm.id, data);
      look_at_all(sound, random);
      for (int trial = 0; trial < test::campaign_trials(3); ++trial) {
        CAPTURE(algorithm.id, data, trial);
        const auto broken = damaged(*sound, random);
        look_at_all(broken, random);
        if (!trace_files_available() || trial > 0) continue;
        REQUIRE(save_trace(*broken, folder.file("broken.kdtrace")));
        const auto read = load_trace(folder.file("broken.kdtrace")).value();
        REQUIRE(equal(*read, *broken));
      }
    }
  }
}

}  // namespace kdscope::damaged_traces_test
