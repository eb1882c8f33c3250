#pragma once
// The small node stage and the output (Zhou et al. 2008, second half of Alg. 1). Both are the same for triangles and
// points.

#include <span>

#include "algorithms/builders/zhou/large_stage.hpp"
#include "algorithms/builders/zhou/preorder.hpp"
#include "algorithms/builders/zhou/recording.hpp"
#include "algorithms/exec/growing_array.hpp"
#include "algorithms/exec/scans.hpp"
#include "algorithms/trees/split_planes/on_device.hpp"

namespace kdscope::zhou {

/// The steps, in the order of the construction.
namespace steps {
inline constexpr StepLabel split_candidates{"split candidates", "zhou/preprocess_small", "", StepKind::launch, false,
                                            "small nodes"};
inline constexpr StepLabel evaluate_costs{"evaluate costs", "zhou/evaluate_costs", "", StepKind::launch, false,
                                          "small nodes"};
inline constexpr StepLabel split_small_nodes{"split small nodes", "zhou/split_small", "", StepKind::launch, true,
                                             "small nodes"};
inline constexpr StepLabel leaf_sizes{"leaf sizes", "zhou/up_pass", "", StepKind::launch, false, "output"};
inline constexpr StepLabel up_pass{"up pass", "zhou/up_pass", "", StepKind::launch, false, "output"};
inline constexpr StepLabel allocate_tree{"allocate tree", "zhou/down_pass", "", StepKind::host, false, "output"};
inline constexpr StepLabel down_pass{"down pass", "zhou/down_pass", "", StepKind::launch, false, "output"};
inline constexpr StepLabel store_nodes{"store nodes", "zhou/store_nodes", "", StepKind::launch, false, "output"};
}  // namespace steps

/// Returns the nodes of a level on the host.
template <class Writer>
StepPresenter::Ids ids_of(Writer& writer, const LevelNodes& level) {
  return level.list ? writer.read(level.list, level.count) : StepPresenter::range(level.begin, level.count);
}

/// Splits small roots down to leaves, level by level. Downloads one number per level.
template <class Candidates, class Exec, class Cost, class Recorder, class Reader>
std::vector<LevelRange> build_small_nodes(Exec& exec, Nodes<Exec>& nodes, LevelNodes roots, const ReferencesView& kept,
                                          std::uint32_t kept_count, const Cost& cost, std::uint32_t depth,
                                          int first_level, Recorder& rec, StepPresenter*& recording,
                                          Reader read_nodes) {
  std::vector<LevelRange> levels;
  if (roots.count == 0) return levels;
  const std::size_t candidates = std::size_t(kept_count) * Candidates::of_primitive;
  auto sets = exec.template array<SplitSets>("split sets", candidates);
  rec.step(
      steps::split_candidates.at(first_level),
      [&](const char* name) {
        exec.for_each_warp(name, roots.count, 64 * sizeof(Box3),
                           MakeSplitSets<Candidates>{nodes.view(), roots, kept.box, sets.data()});
      },
      [&](auto& writer) {
        recording->candidates(writer, Candidates::of_primitive, writer.read(roots.list, roots.count),
                              writer.read(kept.primitive, kept_count), writer.read(kept.box, kept_count),
                              writer.read(sets.data(), candidates));
      });

  GrowingArray<std::uint32_t, Exec> choice(exec, "choices"), before(exec, "split nodes before");
  choice.reserve(kept_count), before.reserve(std::size_t(kept_count) + 1);  // usually enough for all levels
  LevelNodes level = roots;
  for (int at = first_level; level.count > 0; ++at) {
    constexpr int row = cost_row(Candidates::of_primitive);
    choice.grow_to(level.count), before.grow_to(std::size_t(level.count) + 1);
    const auto costs = rec.template probe_rows<double>("costs", level.count, row);
    using Probe = decltype(costs.probe());
    rec.step(
        steps::evaluate_costs.at(at),
        [&](const char* name) {
          exec.for_each_warp(name, level.count, 64,
                             ChooseSplits<Candidates, Cost, Probe>{nodes.view(), level, kept.box, sets.data(), cost,
                                                                   depth, choice.data(), costs.probe()});
        },
        [&](auto& writer) {
          recording->evaluated(writer, read_nodes(writer), ids_of(writer, level),
                               writer.read(choice.data(), level.count),
                               writer.read(costs.data(), std::size_t(level.count) * row));
        });
    std::uint32_t split = 0;
    const std::uint32_t begin = nodes.size();
    rec.step(
        steps::split_small_nodes.at(at),
        [&](const char* name) {
          exec.compact_indices("split nodes before", 0, NoOp{}, level.count, IsSplit{choice.data()}, before.data(),
                               NoOp{}, &split);
          nodes.grow_to(begin + 2ull * split);
          exec.for_each(name, level.count,
                        SplitSmallNodes<Candidates>{nodes.view(), level, kept.box, sets.data(), choice.data(),
                                                    before.data(), begin});
        },
        [&](auto& writer) { recording->split_small(writer, read_nodes(writer), begin); });
    levels.push_back({level.begin, level.count});
    level = {nullptr, begin, 2 * split};
  }
  return levels;
}

/// Lays out the tree in pre-order. kept: [kept_count] primitives; k: dimensions of the volumes that the tree lists;
/// type: type of their coordinates.
template <class Exec, class Recorder, class Reader>
SplitPlaneTreeOnDevice<Exec> lay_out(Exec& exec, Nodes<Exec>& nodes, const LargeStage<Exec>& large,
                                     const std::vector<LevelRange>& small, LevelNodes roots, const std::uint32_t* kept,
                                     std::uint32_t kept_count, Primitive primitive, std::uint32_t k, ScalarType type,
                                     Recorder& rec, StepPresenter*& recording, Reader read_nodes) {
  const std::uint32_t m = nodes.size();
  auto size = exec.template array<std::uint64_t>("sizes", m),
       address = exec.template array<std::uint64_t>("addresses", m);
  std::vector<PassNodes> passes;  // from the top down
  for (const LevelRange& level : large.levels()) passes.push_back(large.pass(level));
  for (std::size_t i = 0; i < small.size(); ++i) {
    LevelNodes level{nullptr, small[i].begin, small[i].count};
    if (i == 0) level = roots;
    passes.push_back(PassNodes{level, nullptr});
  }
  rec.step(
      steps::leaf_sizes,
      [&](const char* name) {
        exec.for_each(name, m, LeafSizes{nodes.view(), size.data()});
      },
      [&](auto& writer) { recording->sized(writer, read_nodes(writer), writer.read(size.data(), m), {}); });
  // Make every pass a step of its own if steps must not share launches.
  const std::uint32_t at_once = separate_launches<Recorder> ? 1 : PassGroup::most;
  const std::vector<PassNodes> upwards(passes.rbegin(), passes.rend());
  int pass = 0;
  for (const PassGroup& group : groups_of(upwards, at_once))
    rec.step(
        steps::up_pass.at(-1, pass++),
        [&](const char* name) {
          exec.for_each_block(name, group.blocks(), static_cast<int>(PassGroup::lanes), 0,
                              UpPass{nodes.view(), group, size.data()});
        },
        [&](auto& writer) {
          recording->sized(writer, read_nodes(writer), writer.read(size.data(), m),
                           ids_of(writer, group.pass[0].level));
        });

  std::uint32_t listed = 0;
  rec.step(
      steps::allocate_tree,
      [&] {
        listed = listed_primitives(exec, nodes.view(), m, kept_count, size.data());
        constexpr std::uint64_t root = 0;
        exec.upload(address.data(), std::span(&root, 1));
      },
      [&](auto& writer) { recording->addressed(writer, writer.read(address.data(), m), {}, {}); });
  pass = 0;
  for (const PassGroup& group : groups_of(passes, at_once))
    rec.step(
        steps::down_pass.at(-1, pass++),
        [&](const char* name) {
          exec.for_each_block(name, group.blocks(), static_cast<int>(PassGroup::lanes), 0,
                              DownPass{nodes.view(), group, size.data(), address.data()});
        },
        [&](auto& writer) {
          const PassNodes& of = group.pass[0];
          recording->addressed(
              writer, writer.read(address.data(), m), ids_of(writer, of.level),
              of.pairs ? writer.read(of.pairs, of.level.count) : StepPresenter::Ids(of.level.count, 1));
        });

  SplitPlaneTreeOnDevice<Exec> tree;
  tree.primitive = primitive;
  for (auto* column : {&tree.parent, &tree.right_child, &tree.split_dim, &tree.split_value, &tree.first, &tree.count})
    *column = exec.template array<std::uint32_t>("tree", m);
  tree.box = exec.template array<std::uint32_t>("tree", std::size_t(m) * 2 * k);
  tree.primitive_of_position = exec.template array<std::uint32_t>("listed primitives", listed);
  const TreeView view{tree.parent.data(),
                      tree.right_child.data(),
                      tree.split_dim.data(),
                      tree.split_value.data(),
                      tree.first.data(),
                      tree.count.data(),
                      tree.box.data(),
                      tree.primitive_of_position.data(),
                      k,
                      type};
  rec.step(
      steps::store_nodes,
      [&](const char* name) {
        exec.for_each(name, m, StoreNodes{nodes.view(), size.data(), address.data(), kept, view});
        tree.depth_bounded = exec.reduce("bounded leaves", m, IsBounded{nodes.view().bounded}, AddUp{}, 0u);
      },
      [&](auto& writer) {
        const auto column = [&](const auto& from) { return writer.read(from.data(), from.size()); };
        SplitPlaneTree host;
        host.primitive = primitive;
        host.depth_bounded = tree.depth_bounded;
        host.parent = column(tree.parent), host.right_child = column(tree.right_child),
        host.split_dim = column(tree.split_dim), host.split_value = column(tree.split_value);
        host.first = column(tree.first), host.count = column(tree.count), host.box = column(tree.box),
        host.primitive_of_position = column(tree.primitive_of_position);
        recording->stored(writer, std::move(host));
      });
  return tree;
}

}  // namespace kdscope::zhou
