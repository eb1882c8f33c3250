#include "algorithms/checks/sequence_checks.hpp"

#include "algorithms/trees/leaf_buckets/point_boxes.hpp"

namespace kdscope {
namespace {

using leaf_buckets::ByCoordinate;

std::string node_name(std::uint32_t node) { return "node " + std::to_string(node); }

}  // namespace

static std::string name_of_sequence(const SequenceState& state, std::size_t d) {
  return d < state.names.size() ? state.names[d] : std::string();
}

CheckResult check_sequences_agree(const SequenceState& state) {
  CheckResult f{"sequences agree", "each node holds the same points in every dimension's sequence", true, ""};
  const std::size_t n = state.owner.size();
  std::vector<std::uint32_t> node_of_point(state.points.n, no_id);
  for (std::size_t d = 0; d < state.sequence.size(); ++d) {
    std::vector<bool> seen(state.points.n);
    for (std::size_t i = 0; i < n; ++i) {
      if (state.owner[i] == no_id) continue;
      const std::uint32_t point = state.sequence[d][i].value;
      const auto fail = [&](auto what) { f.fail_at(name_of_sequence(state, d), i, what); };
      if (point >= state.points.n || seen[point])
        fail([&] {
          return "position " + std::to_string(i) + " of dimension " + std::to_string(d) + " holds point " +
                 std::to_string(point) + ", which does not exist or is there twice";
        });
      else if (d > 0 && node_of_point[point] != state.owner[i])
        fail([&] {
          return "point " + std::to_string(point) + " is in " + node_name(state.owner[i]) + " in dimension " +
                 std::to_string(d) + ", elsewhere in dimension 0";
        });
      if (point >= state.points.n) continue;
      seen[point] = true;
      if (d == 0) node_of_point[point] = state.owner[i];
    }
  }
  return f;
}

CheckResult check_sequences_sorted(const SequenceState& state) {
  CheckResult f{"sequences sorted",
                "within a node each dimension's sequence ascends, equal coordinates by original index", true, ""};
  for (std::uint32_t d = 0; d < state.sequence.size(); ++d) {
    const ByCoordinate before{state.points, d};
    for (std::size_t i = 1; i < state.owner.size(); ++i) {
      if (state.owner[i] == no_id || state.owner[i] != state.owner[i - 1]) continue;
      const PointId a = state.sequence[d][i - 1], b = state.sequence[d][i];
      if (a.value >= state.points.n || b.value >= state.points.n || !before(a, b))
        f.fail_at(name_of_sequence(state, d), i, [&] {
          return "position " + std::to_string(i) + " of dimension " + std::to_string(d) + " is out of order";
        });
    }
  }
  return f;
}

}  // namespace kdscope
