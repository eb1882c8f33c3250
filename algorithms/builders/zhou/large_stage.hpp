#pragma once
// The lists of the large node stage on each level, and the steps that triangles and points share.

#include <span>
#include <vector>

#include "algorithms/builders/zhou/large_nodes.hpp"
#include "algorithms/builders/zhou/preorder.hpp"
#include "algorithms/builders/zhou/recording.hpp"
#include "algorithms/exec/growing_array.hpp"
#include "algorithms/exec/numbering.hpp"
#include "algorithms/exec/scans.hpp"

namespace kdscope::zhou {

/// The nodes that one level processed, for the output: a range of the list of large nodes.
struct LevelRange {
  std::uint32_t begin, count;
};

/// Initialises the lists with the root alone.
struct ListRoot {
  NodesView nodes;
  Box3 volume;
  std::uint32_t n;
  bool small;
  ActiveNodes active;
  std::uint32_t* small_list;
  KDSCOPE_HD void operator()(std::uint32_t) const {
    nodes.make(0, volume, n, 0);
    if (small)
      small_list[0] = 0, nodes.set[0] = whole_set(n);
    else
      active.node[0] = active.first[0] = active.chunk[0] = 0;
  }
};

struct PairsOf {
  const std::uint32_t* pairs;
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t i) const { return pairs[i]; }
};

/// The state of the large node stage. Its lists serve all levels and double when they are full. Each level calls
/// make_room(), planner(), create(), filter() and advance(), in this order.
template <class Exec>
class LargeStage {
 public:
  LargeStage(Exec& exec, Nodes<Exec>& nodes, const SplitPlaneRules& rules, std::uint32_t chunk_size)
      : exec_(exec),
        nodes_(nodes),
        rules_(rules),
        chunk_size_(chunk_size),
        node_(exec, "large nodes"),
        pairs_(exec, "pairs"),
        small_(exec, "small roots"),
        first_{{exec, "large nodes"}, {exec, "large nodes"}},
        chunk_{{exec, "large nodes"}, {exec, "large nodes"}},
        planes_(exec, "split planes"),
        halved_(exec, "halved nodes"),
        child_(exec, "children"),
        kind_(exec, "kinds"),
        destination_(exec, "destinations"),
        before_(exec, "pairs before"),
        tally_(exec, "tally") {}

  /// Makes room for levels of up to this many references. A large node has more than T of them, so nothing has to grow
  /// while the nodes of all levels fit in two such lists. Growing takes one launch's time per array.
  void reserve(std::size_t references) {
    const std::size_t a = references / (rules_.small + 1) + 1;
    for (auto* list : {&node_, &small_}) list->reserve(4 * a);
    for (auto* list : {&pairs_, &child_, &destination_, &first_[0], &first_[1], &chunk_[0], &chunk_[1]})
      list->reserve(2 * a);
    for (auto* list : {&halved_, &before_}) list->reserve(a + 1);
    planes_.reserve(a * most_planes), kind_.reserve(2 * a), tally_.reserve(2 * a + 1);
  }
  /// Starts with the root of n primitives, whose references are in one list.
  void start(const Box3& volume, std::uint32_t n) {
    nodes_.grow_to(1);
    const bool small = n <= rules_.small;
    small_.grow_to(1), node_.grow_to(1), first_[0].grow_to(1), chunk_[0].grow_to(1);
    small_count_ = small ? 1 : 0;
    range_ = {0, small ? 0u : 1u};
    totals_ = small ? Tally{0, 0, 0, 1, n, 0} : Tally{1, (n + chunk_size_ - 1) / chunk_size_, n, 0, 0, 0};
    exec_.for_each(
        "root", 1,
        ListRoot{
            nodes_.view(), volume, n, small, {node_.data(), first_[0].data(), chunk_[0].data(), 1}, small_.data()});
  }

  ActiveNodes active() const {
    return {node_.data() + range_.begin, first_[now_].data(), chunk_[now_].data(), range_.count};
  }
  LevelPlan plan() const {
    return {planes_.data(), pairs_.data() + range_.begin, halved_.data(), child_.data(),
            kind_.data(),   destination_.data()};
  }
  /// Returns the totals of the level: chunks and references of its active nodes. After filter(): the totals of the next
  /// level and of the children that left the stage.
  const Tally& totals() const { return totals_; }
  const std::uint32_t* small_roots() const { return small_.data(); }
  std::uint32_t small_root_count() const { return small_count_; }
  const std::vector<LevelRange>& levels() const { return levels_; }
  PassNodes pass(const LevelRange& level) const {
    return {{node_.data() + level.begin, 0, level.count}, pairs_.data() + level.begin};
  }

  /// Makes room for all results of the level and for the largest possible number of children; the totals later give the
  /// actual number. Invalidates earlier views of the nodes and lists.
  void make_room() {
    const std::uint32_t a = range_.count, slots = 2 * a;
    nodes_.reserve(nodes_.size() + std::size_t(a) * 2 * most_planes);
    pairs_.grow_to(range_.begin + a), planes_.grow_to(std::size_t(a) * most_planes), halved_.grow_to(a),
        child_.grow_to(2 * a), kind_.grow_to(2 * a), destination_.grow_to(2 * a);
    before_.grow_to(a + 1), tally_.grow_to(2 * a + 1);
    // Those of the next level, too: what counts the children has views of the active nodes
    next_ = {range_.begin + a, 0};
    node_.grow_to(next_.begin + slots), first_[1 - now_].grow_to(slots), chunk_[1 - now_].grow_to(slots),
        small_.grow_to(small_count_ + slots);
  }
  /// Returns the functor that plans the level's splits. tight: [active].
  PlanSplits planner(const Box3* tight) const { return {nodes_.view(), active(), tight, rules_, plan()}; }
  /// Creates the children. The same launch first calls before(i) for each active node i.
  template <class Before>
  void create(const Before& before) {
    const std::uint32_t a = range_.count;
    exec_.compact_indices("create children",
                          Compaction{a, before, a, PairsOf{plan().pairs}, before_.data(),
                                     CreateChildren{nodes_.view(), active(), plan(), before_.data(), nodes_.size()}});
  }
  /// Decides where the children go, by their numbers of primitives, counts(i), and lists them by kind. kept: number of
  /// references kept so far. Makes the level's only download.
  template <class Counts, class Cost>
  void filter(const Counts& counts, const Cost& cost, std::uint32_t kept) {
    const std::uint32_t a = range_.count, slots = 2 * a;
    const ActiveNodes next{node_.data() + next_.begin, first_[1 - now_].data(), chunk_[1 - now_].data(), slots};
    exec_.compact_indices(
        "filter small nodes",
        Compaction{a, ClassifyChildren<Counts, Cost>{nodes_.view(), active(), counts, rules_, cost, plan()}, slots,
                   TallyOfChild{nodes_.view(), plan(), chunk_size_}, tally_.data(),
                   ListChildren{nodes_.view(), plan(), tally_.data(), next, small_.data() + small_count_, kept},
                   &totals_});
    nodes_.grow_to(nodes_.size() + 2ull * totals_.pairs);
    next_.count = totals_.active;
  }
  /// Returns the nodes that are listed but not yet split or made leaves: those of the next level, and all small roots.
  template <class Writer>
  std::vector<std::uint32_t> read_pending(Writer& writer) const {
    std::vector<std::uint32_t> nodes = writer.read(node_.data() + next_.begin, next_.count);
    const std::vector<std::uint32_t> small = writer.read(small_.data(), small_count_ + totals_.small);
    nodes.insert(nodes.end(), small.begin(), small.end());
    return nodes;
  }
  void advance() {
    small_count_ += totals_.small;
    levels_.push_back(range_);
    range_ = next_;
    now_ = 1 - now_;
  }

 private:
  Exec& exec_;
  Nodes<Exec>& nodes_;
  SplitPlaneRules rules_;
  std::uint32_t chunk_size_;
  GrowingArray<std::uint32_t, Exec> node_, pairs_, small_;  // hold all levels; pairs_ has the indices of node_
  GrowingArray<std::uint32_t, Exec> first_[2], chunk_[2];   // of the current level and of the next one
  GrowingArray<PlannedSplit, Exec> planes_;
  GrowingArray<std::uint32_t, Exec> halved_, child_;
  GrowingArray<ChildKind, Exec> kind_;
  GrowingArray<std::uint32_t, Exec> destination_, before_;
  GrowingArray<Tally, Exec> tally_;
  LevelRange range_{0, 0}, next_{0, 0};
  std::uint32_t small_count_ = 0;
  int now_ = 0;
  Tally totals_;
  std::vector<LevelRange> levels_;
};

/// The steps of every level of large nodes.
namespace large_steps {
inline constexpr const char* phase = "large nodes";
inline constexpr StepLabel split_large_nodes{
    "split large nodes", "zhou/split_large", "", StepKind::launch, false, phase};
inline constexpr StepLabel create_children{
    "create children", "zhou/create_children", "", StepKind::launch, false, phase};
inline constexpr StepLabel filter_small_nodes{
    "filter small nodes", "zhou/filter_small", "", StepKind::launch, false, phase};
}  // namespace large_steps

}  // namespace kdscope::zhou
