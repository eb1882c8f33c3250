#pragma once
// What the builders of triangles and of points have in common (Zhou et al. 2008, Alg. 1): the lists of a build, the
// steps of a level of large nodes that do not depend on the primitives, the small node stage and the output.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/builders/zhou/arrays.hpp"
#include "algorithms/builders/zhou/large_stage.hpp"
#include "algorithms/builders/zhou/on_host.hpp"
#include "algorithms/builders/zhou/preorder.hpp"
#include "algorithms/builders/zhou/recording.hpp"
#include "algorithms/core/processor.hpp"
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

/// A build under way: its lists and its stages. A builder adds the lists of its large nodes and calls the stages in the
/// order of the construction.
template <class Exec, class Recorder>
class Build {
 protected:
  Build(Exec& exec_of_build, Recorder& recorder, const ZhouOptions& options_of_build)
      : exec(exec_of_build),
        rec(recorder),
        options(options_of_build),
        nodes(exec),
        kept(exec, "kept references"),
        large(exec, nodes, options.rules, options.chunk) {}

  /// True if each step has launches of its own.
  static constexpr bool apart = separate_launches<Recorder>;
  /// True if the host runs kernels of its own (on_host.hpp). Its recordings and step times are those of the device's.
  static constexpr bool on_host = Exec::runs_on_host && !apart;

  /// Launches a kernel of blocks or of warps, or the host's own in its place.
  template <class Kernel>
  void for_each_block(const char* name, std::uint32_t blocks, int lanes, std::size_t shared_bytes,
                      const Kernel& kernel) {
    if constexpr (on_host)
      for_each_on_host(name, blocks, OnHost<Kernel>{kernel});
    else
      exec.for_each_block(name, blocks, lanes, shared_bytes, kernel);
  }
  template <class Kernel>
  void for_each_warp(const char* name, std::uint32_t warps, std::size_t shared_bytes, const Kernel& kernel) {
    if constexpr (on_host)
      for_each_on_host(name, warps, OnHost<Kernel>{kernel});
    else
      exec.for_each_warp(name, warps, shared_bytes, kernel);
  }

  /// Runs two steps of a level of large nodes: plans the splits, then creates the children. tight: [active] boxes;
  /// before(i) computes the box of active node i unless it exists already. If steps may share launches, one launch does
  /// all of this when there are few nodes.
  template <class Before>
  void split_large_nodes(const Box3* tight, const Before& before) {
    const std::uint32_t a = large.active().count, begin = nodes.size();
    const PlanSplits planner = large.planner(tight);
    rec.step(
        large_steps::split_large_nodes.at(level),
        [&](const char* name) {
          if constexpr (apart) exec.for_each(name, a, planner);
        },
        [&](auto& writer) {
          const LevelPlan plan = large.plan();
          presenter->planned(writer, writer.read(plan.planes, std::size_t(a) * most_planes), writer.read(plan.pairs, a),
                             writer.read(plan.halved, a), writer.read(tight, a));
        });
    rec.step(
        large_steps::create_children.at(level),
        [&] {
          large.create(no_op_if<apart>(Sequence{before, planner}));
        },
        [&](auto& writer) {
          // nodes.size() does not count the new children until filter() knows the totals: read them, too
          presenter->created(writer, begin, writer.read(large.plan().halved, a),
                             writer.read(large.plan().child, 2 * std::size_t(a)),
                             read_node_list(nodes, writer, presenter->planned_nodes(begin)));
        });
  }

  /// Decides where the children of large nodes go. counts(i): SideCounts of active node i.
  template <class Counts, class Cost>
  void filter_small_nodes(const Counts& counts, const Cost& cost) {
    rec.step(
        large_steps::filter_small_nodes.at(level), [&] { large.filter(counts, cost, kept.size()); },
        [&](auto& writer) {
          presenter->filtered(writer, read_nodes(writer),
                              writer.read(large.plan().kind, 2 * std::size_t(large.active().count)));
        });
  }

  /// Splits small roots down to leaves, level by level. Downloads one number per level.
  template <class Candidates, class Cost>
  void split_small_nodes(const Cost& cost) {
    LevelNodes nodes_of_level = small_roots();
    if (nodes_of_level.count == 0) return;
    SmallLists lists(exec, kept.size(), Candidates::of_primitive);
    make_split_sets<Candidates>(lists);
    for (; nodes_of_level.count > 0; ++level) {
      evaluate_costs<Candidates>(nodes_of_level, cost, lists);
      const LevelNodes children = split_level<Candidates>(nodes_of_level, lists);
      small_levels_.push_back(std::exchange(nodes_of_level, children));
    }
  }

  /// Lays out the tree in pre-order. k: dimensions of the volumes that the tree lists; type: type of their coordinates.
  SplitPlaneTreeOnDevice<Exec> lay_out(Primitive primitive, std::uint32_t k, ScalarType type) {
    const std::uint32_t m = nodes.size();
    Extents extents{exec.template array<std::uint64_t>("sizes", m), exec.template array<std::uint64_t>("addresses", m)};
    const std::vector<PassNodes> downwards = passes();
    add_up_sizes(downwards, extents);
    const std::uint32_t listed = pass_down_addresses(downwards, extents);
    return store_nodes(extents, listed, {primitive, k, type});
  }

  template <class Writer>
  NodeList read_nodes(Writer& writer) const {
    return read_node_list(nodes, writer);
  }

  Exec& exec;
  Recorder& rec;
  ZhouOptions options;
  Nodes<Exec> nodes;
  References<Exec> kept;  ///< the references of small nodes and leaves
  LargeStage<Exec> large;
  std::optional<StepPresenter> presenter;  ///< empty unless a trace is recorded: a full-speed build shows no step
  int level = 0;                           ///< level of the tree that is being built

 private:
  /// The lists of the small node stage, which serve all of its levels.
  struct SmallLists {
    SmallLists(Exec& exec, std::uint32_t kept, std::uint32_t of_primitive)
        : sets(exec.template array<SplitSets>("split sets", std::size_t(kept) * of_primitive)),
          choice(exec, "choices"),
          before(exec, "split nodes before") {}
    Array<SplitSets, Exec> sets;                       ///< [kept x of_primitive]
    GrowingArray<std::uint32_t, Exec> choice, before;  ///< [nodes of the level]
  };
  /// The sizes of all subtrees and their addresses in pre-order: [nodes].
  struct Extents {
    Array<std::uint64_t, Exec> size, address;
  };
  /// What the tree stores beside its nodes.
  struct TreeForm {
    Primitive primitive;
    std::uint32_t k;
    ScalarType type;
  };

  template <class Body>
  void for_each_on_host(const char* name, std::uint32_t n, const Body& body) {
    exec.for_each(name, n, [=](std::uint32_t i) { on_this_processor([&] { body(i); }); });
  }

  LevelNodes small_roots() const { return {large.small_roots(), 0, large.small_root_count()}; }

  /// Returns the nodes of a level on the host.
  template <class Writer>
  static StepPresenter::Ids ids_of(Writer& writer, const LevelNodes& of) {
    return of.list ? writer.read(of.list, of.count) : StepPresenter::range(of.begin, of.count);
  }

  template <class Candidates>
  void make_split_sets(SmallLists& lists) {
    const LevelNodes roots = small_roots();
    rec.step(
        steps::split_candidates.at(level),
        [&](const char* name) {
          for_each_warp(name, roots.count, 64 * sizeof(Box3),
                        MakeSplitSets<Candidates>{nodes.view(), roots, kept.view().box, lists.sets.data()});
        },
        [&](auto& writer) {
          presenter->candidates(writer, Candidates::of_primitive, writer.read(roots.list, roots.count),
                                writer.read(kept.view().primitive, kept.size()),
                                writer.read(kept.view().box, kept.size()),
                                writer.read(lists.sets.data(), lists.sets.size()));
        });
    // This is usually enough for all levels
    lists.choice.reserve(kept.size()), lists.before.reserve(std::size_t(kept.size()) + 1);
  }

  template <class Candidates, class Cost>
  void evaluate_costs(const LevelNodes& of, const Cost& cost, SmallLists& lists) {
    constexpr int row = cost_row(Candidates::of_primitive);
    const auto costs = rec.template probe_rows<double>("costs", of.count, row);
    using Probe = decltype(costs.probe());
    rec.step(
        steps::evaluate_costs.at(level),
        [&](const char* name) {
          lists.choice.grow_to(of.count), lists.before.grow_to(std::size_t(of.count) + 1);
          for_each_warp(
              name, of.count, 64,
              ChooseSplits<Candidates, Cost, Probe>{nodes.view(), of, kept.view().box, lists.sets.data(), cost,
                                                    options.rules.depth, lists.choice.data(), costs.probe()});
        },
        [&](auto& writer) {
          presenter->evaluated(writer, read_nodes(writer), ids_of(writer, of),
                               writer.read(lists.choice.data(), of.count),
                               writer.read(costs.data(), std::size_t(of.count) * row));
        });
  }

  /// Splits the nodes of a level by their choices. Returns their children.
  template <class Candidates>
  LevelNodes split_level(const LevelNodes& of, SmallLists& lists) {
    std::uint32_t split = 0;
    const std::uint32_t begin = nodes.size();
    rec.step(
        steps::split_small_nodes.at(level),
        [&](const char* name) {
          exec.compact_indices("split nodes before", Compaction{0u, NoOp{}, of.count, IsSplit{lists.choice.data()},
                                                                lists.before.data(), NoOp{}, &split});
          nodes.grow_to(begin + 2ull * split);
          exec.for_each(name, of.count,
                        SplitSmallNodes<Candidates>{nodes.view(), of, kept.view().box, lists.sets.data(),
                                                    lists.choice.data(), lists.before.data(), begin});
        },
        [&](auto& writer) { presenter->split_small(writer, read_nodes(writer), begin); });
    return {nullptr, begin, 2 * split};
  }

  /// Returns the nodes of all levels, from the top down.
  std::vector<PassNodes> passes() const {
    std::vector<PassNodes> all;
    for (const LevelRange& of : large.levels()) all.push_back(large.pass(of));
    for (const LevelNodes& of : small_levels_) all.push_back({of, nullptr});
    return all;
  }

  /// Makes every pass a group of its own if steps must not share launches.
  static std::vector<PassGroup> grouped(const std::vector<PassNodes>& all) {
    return groups_of(all, apart ? 1 : PassGroup::most);
  }

  void add_up_sizes(const std::vector<PassNodes>& downwards, Extents& extents) {
    const std::uint32_t m = nodes.size();
    std::uint64_t* const size = extents.size.data();
    rec.step(
        steps::leaf_sizes,
        [&](const char* name) {
          exec.for_each(name, m, LeafSizes{nodes.view(), size});
        },
        [&](auto& writer) { presenter->sized(writer, read_nodes(writer), writer.read(size, m), {}); });
    int pass = 0;
    for (const PassGroup& group : grouped({downwards.rbegin(), downwards.rend()}))
      rec.step(
          steps::up_pass.at(-1, pass++),
          [&](const char* name) {
            exec.for_each_block(name, group.blocks(), static_cast<int>(PassGroup::lanes), 0,
                                UpPass{nodes.view(), group, size});
          },
          [&](auto& writer) {
            presenter->sized(writer, read_nodes(writer), writer.read(size, m), ids_of(writer, group.pass[0].level));
          });
  }

  /// Computes the addresses. Returns the number of primitives that the leaves list.
  std::uint32_t pass_down_addresses(const std::vector<PassNodes>& downwards, Extents& extents) {
    const std::uint32_t m = nodes.size();
    std::uint64_t* const address = extents.address.data();
    std::uint32_t listed = 0;
    rec.step(
        steps::allocate_tree,
        [&] {
          listed = listed_primitives(exec, nodes.view(), m, kept.size(), extents.size.data());
          constexpr std::uint64_t root = 0;
          exec.upload(address, std::span(&root, 1));
        },
        [&](auto& writer) { presenter->addressed(writer, writer.read(address, m), {}, {}); });
    int pass = 0;
    for (const PassGroup& group : grouped(downwards))
      rec.step(
          steps::down_pass.at(-1, pass++),
          [&](const char* name) {
            exec.for_each_block(name, group.blocks(), static_cast<int>(PassGroup::lanes), 0,
                                DownPass{nodes.view(), group, extents.size.data(), address});
          },
          [&](auto& writer) {
            const PassNodes& of = group.pass[0];
            presenter->addressed(
                writer, writer.read(address, m), ids_of(writer, of.level),
                of.pairs ? writer.read(of.pairs, of.level.count) : StepPresenter::Ids(of.level.count, 1));
          });
    return listed;
  }

  SplitPlaneTreeOnDevice<Exec> store_nodes(const Extents& extents, std::uint32_t listed, const TreeForm& form) {
    const std::uint32_t m = nodes.size();
    SplitPlaneTreeOnDevice<Exec> tree;
    tree.primitive = form.primitive;
    for (auto* column : {&tree.parent, &tree.right_child, &tree.split_dim, &tree.split_value, &tree.first, &tree.count})
      *column = exec.template array<std::uint32_t>("tree", m);
    tree.box = exec.template array<std::uint32_t>("tree", std::size_t(m) * 2 * form.k);
    tree.primitive_of_position = exec.template array<std::uint32_t>("listed primitives", listed);
    const TreeView view{tree.parent.data(),
                        tree.right_child.data(),
                        tree.split_dim.data(),
                        tree.split_value.data(),
                        tree.first.data(),
                        tree.count.data(),
                        tree.box.data(),
                        tree.primitive_of_position.data(),
                        form.k,
                        form.type};
    rec.step(
        steps::store_nodes,
        [&](const char* name) {
          exec.for_each(
              name, m,
              StoreNodes{nodes.view(), extents.size.data(), extents.address.data(), kept.view().primitive, view});
          tree.depth_bounded = exec.reduce("bounded leaves", m, IsBounded{nodes.view().bounded}, AddUp{}, 0u);
        },
        [&](auto& writer) {
          const auto column = [&](const auto& from) { return writer.read(from.data(), from.size()); };
          SplitPlaneTree host;
          host.primitive = form.primitive;
          host.depth_bounded = tree.depth_bounded;
          host.parent = column(tree.parent), host.right_child = column(tree.right_child),
          host.split_dim = column(tree.split_dim), host.split_value = column(tree.split_value);
          host.first = column(tree.first), host.count = column(tree.count), host.box = column(tree.box),
          host.primitive_of_position = column(tree.primitive_of_position);
          presenter->stored(writer, std::move(host));
        });
    return tree;
  }

  std::vector<LevelNodes> small_levels_;  // the small roots, then the nodes of each level below them
};

/// A base of the Construction of both builders (builders/timed_run.hpp).
template <Primitive primitive>
struct BuildsTreesOf {
  using Tree = SplitPlaneTree;
  using Options = ZhouOptions;
  static void declare(ArrayList& list, const Options&) { zhou::declare(list, primitive); }
  static void set_rules(SplitPlaneTree& tree, const Options& options) {
    tree.rules = options.rules;
    tree.traversal_cost = options.rules.traversal_cost;
  }
};

}  // namespace kdscope::zhou
