// Compares the effects of an edit with a simple comparison of the two trees by their paths, for every algorithm.

#include "visualizer/model/difference.hpp"

#include <map>
#include <random>
#include <set>

#include "algorithms/registry/registry.hpp"
#include "app/recording/run.hpp"
#include "app/session/point_edits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/point_algorithms.hpp"
#include "visualizer/model/node_list.hpp"

namespace kdscope::difference_test {

namespace {

/// A tree whose nodes are identified by their paths from the root. A node has a split, a box, a stored point, a
/// smallest box and a bucket; points are identified by their index before the edit.
struct Plain {
  std::map<std::string, std::tuple<int, double, std::vector<double>, std::uint32_t, std::vector<double>,
                                   std::multiset<std::uint32_t>>>
      nodes;
  std::map<std::uint32_t, std::string> path_of_point;  // by the index before the edit
};

Plain plain_tree(const Cursor& cursor, const std::vector<std::uint32_t>& earlier, bool later) {
  Plain result;
  const NodeList list(cursor);
  const auto was = [&](std::uint32_t p) { return p == no_id || !later || earlier.empty() ? p : earlier[p]; };
  std::map<std::uint32_t, std::string> path;
  const auto of_point = cursor.array(partition_arrays::node_of_point)->as<std::uint32_t>();
  // Repeat until no path is added, because a list may hold parents after their children.
  for (bool found = true; std::exchange(found, false);)
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      if (path.count(i)) continue;
      const std::uint32_t up = list.parent(i);
      if (up == no_id ? i != 0 : !path.count(up) || list.split_dim(up) < 0) continue;
      path[i] = up == no_id ? "." : path[up] + (list.is_right_child(i) ? "r" : "l");
      found = true;
    }
  for (const auto& [i, turns] : path) {
    const auto box = list.box(i);
    const int dim = list.split_dim(i);
    const auto tight = list.tight_box(i);
    std::multiset<std::uint32_t> bucket;
    for (std::uint32_t p = 0; list.keeps_bucket(i) && p < of_point.size(); ++p)
      if (of_point[p] == i) bucket.insert(was(p));
    result.nodes[turns] = {dim,
                           dim < 0 ? 0 : list.split_value(i),
                           {box.begin(), box.end()},
                           was(list.point(i)),
                           {tight.begin(), tight.end()},
                           bucket};
  }
  for (std::uint32_t p = 0; p < of_point.size(); ++p)
    if (was(p) != no_id) result.path_of_point[was(p)] = path.count(of_point[p]) ? path[of_point[p]] : "";
  return result;
}

std::shared_ptr<const Trace> recorded(const std::string& algorithm, std::shared_ptr<const DataSet> data) {
  RunRequest spec{data->name, algorithm, {}, Backend::cpu};
  spec.points = std::move(data);
  return record_run(spec).value().trace;
}

}  // namespace

TEST_CASE("a difference names the nodes and points that a plain comparison finds") {
  std::mt19937 random(3);
  std::map<std::string, int> compared;
  for (const AlgorithmSpec& algorithm : test::point_algorithms())
    for (const char* name : {"wald-10", "uniform:n=60,dim=3,seed=4", "grid:n=40,dim=2,side=4,seed=2"}) {
      const auto opened = open_data_set(name).value();
      const auto first = recorded(algorithm.id, opened);
      for (int edit = 0; edit < 6; ++edit) {
        INFO(algorithm.id << " on " << name << ", edit " << edit);
        auto data = std::make_shared<DataSet>(*opened);
        PointSet& set = data->points;
        const auto n = static_cast<std::uint32_t>(set.size());
        PointIds then{0, n, {}}, now = then;
        std::vector<std::uint32_t> words(set.words.begin(), set.words.begin() + set.stride());
        const auto some = static_cast<std::uint32_t>(random() % n);
        PointChange change = edit % 3 == 0   ? move_of(set, {some}, words)
                             : edit % 3 == 1 ? erasure_in(set, {some})
                                             : insertion_in(set, words);
        if (change.kind != PointChange::Kind::move) change.ids = {edit % 3 == 1 ? change.indices[0] : 1000u};
        set = changed(set, change);
        now = changed(now, change);
        const auto earlier = earlier_indices(then, now);
        const auto second = recorded(algorithm.id, data);
        Cursor after(second), before(first);
        for (const std::uint32_t step : {0u, after.step_count() / 2, after.step_count() - 1}) {
          after.seek(step);
          before.seek(corresponding_step(*second, step, *first));
          if (!after.array(partition_arrays::node_of_point) || !before.array(partition_arrays::node_of_point)) continue;
          ++compared[algorithm.id];
          const Difference found = difference(before, after, earlier);
          const Plain a = plain_tree(before, earlier, false), b = plain_tree(after, earlier, true);
          std::uint64_t differing = 0, splits = 0;
          for (const auto& [path, node] : b.nodes) {
            const auto other = a.nodes.find(path);
            differing += other == a.nodes.end() || other->second != node;
            const int dim = std::get<0>(node);
            splits += other == a.nodes.end()
                          ? dim >= 0
                          : dim != std::get<0>(other->second) || std::get<1>(node) != std::get<1>(other->second);
          }
          for (const auto& [path, node] : a.nodes)
            if (!b.nodes.count(path)) {
              ++differing;
              splits += std::get<0>(node) >= 0;
            }
          const auto strictly = static_cast<std::uint64_t>(
              std::count_if(found.nodes.begin(), found.nodes.end(), [](const NodeDifference& d) {
                return d.split || d.point || d.box || d.tight_box || d.bucket || d.before.value == no_id ||
                       d.after.value == no_id;
              }));
          CHECK(strictly == differing);
          CHECK(found.splits == splits);
          std::uint64_t elsewhere = change.kind == PointChange::Kind::insert;
          for (const auto& [point, path] : b.path_of_point) elsewhere += a.path_of_point.at(point) != path;
          CHECK(found.points.size() == elsewhere);
        }
      }
      Cursor a(first), b(first);
      a.seek(a.step_count());
      b.seek(b.step_count());
      CHECK(difference(a, b).empty());
    }
  // At least the last step of every edit's run is compared.
  for (const AlgorithmSpec& algorithm : test::point_algorithms()) CHECK(compared[algorithm.id] >= 3 * 6);
}

TEST_CASE("steps of two runs correspond by their phases") {
  for (const AlgorithmSpec& algorithm : test::point_algorithms()) {
    INFO(algorithm.id);
    const auto small = recorded(algorithm.id, *open_data_set("wald-10")),
               large = recorded(algorithm.id, *open_data_set("uniform:n=200,dim=2"));
    int same_path = 0;
    for (std::uint32_t step = 0; step < small->steps.size(); ++step) {
      CHECK(corresponding_step(*small, step, *small) == step);
      const std::uint32_t there = corresponding_step(*small, step, *large);
      REQUIRE(there < large->steps.size());
      const auto& path = small->steps[step].path;
      const auto as_often = [&](const Trace& trace, std::uint32_t until) {
        return std::count_if(trace.steps.begin(), trace.steps.begin() + until,
                             [&](const Step& s) { return s.path == path; });
      };
      if (large->steps[there].path != path) continue;
      CHECK(as_often(*small, step) == as_often(*large, there));
      ++same_path;
    }
    CHECK(same_path > 0);
    CHECK(corresponding_step(*large, static_cast<std::uint32_t>(large->steps.size() - 1), *small) <
          small->steps.size());
  }
}

}  // namespace kdscope::difference_test
