#pragma once
// ExecutorBuild on an executor. Only executor_build_on_cpu.cpp and executor_build_on_cuda.cu include this header.

#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/builders/rank/rank.hpp"
#include "algorithms/cluster/executor_build.hpp"
#include "algorithms/cluster/share_kernels.hpp"
#include "algorithms/record/recorders.hpp"

namespace kdscope::cluster {

template <class Exec>
class ExecutorBuildOn final : public ExecutorBuild {
 public:
  /// arguments: those of the executor.
  template <class... Arguments>
  ExecutorBuildOn(Communicator& ranks, const PointSet& points, std::uint64_t first, const rank::RankOptions& options,
                  const ExecutorSizes& sizes, Arguments&&... arguments)
      : exec_(std::forward<Arguments>(arguments)...),
        ranks_(ranks),
        options_(options),
        sizes_(sizes),
        k_(points.dim),
        first_(static_cast<std::uint32_t>(first)),
        rule_{options.split, k_, points.type, nullptr},
        points_(upload_points(exec_, points)) {}

  void connect(Place& place) override {
    if constexpr (!Exec::runs_on_host) {
      const bool several = ranks_.size() > 1;
      exec_.use_device();
      if (several && (place.way == Way::automatic || place.way == Way::nccl)) {
        if (!place.nccl) place.nccl = NcclLink::connect(ranks_, place.device, why_);
        nccl_ = place.nccl;
      }
      if (several && place.way == Way::nccl && !nccl_)
        throw ErrorException({ErrorKind::bad_usage, "NCCL cannot connect the ranks' devices: " + why_, "",
                              "leave --link out: points then travel through host memory"});
      reads_devices_ = place.way != Way::host && ranks_.reads_devices();
    }
    n_ = static_cast<std::uint32_t>(ranks_.sum(std::uint64_t{points_.n}));
    // A single rank builds one tree. Others split until subtrees are many, but not too small; blocks of the partition
    // have counters for 1024
    const std::uint64_t size = ranks_.size();
    while (size > 1 && upper_ < std::min(num_levels(n_) - 1, 10) && (1u << upper_) < sizes_.build.subtrees * size &&
           ((1u << upper_) < sizes_.least_subtrees * size || n_ >> (upper_ + 1) >= sizes_.subtree_points))
      ++upper_;
  }

  void build() override {
    trees_.clear();
    planes_.assign(full_tree_size(upper_), {});
    times_ = {};
    timed(times_.pivots, [&] { find_pivots(); });
    timed(times_.partition, [&] { partition(); });
    timed(times_.exchange, [&] { exchange(); });
    timed(times_.subtrees, [&] { build_subtrees(); });
  }

  std::uint64_t hash() override {
    const TreeShare pivots = own_pivots();
    const PointsView records = view_of(pivots.points);
    std::uint64_t sum = 0;
    for (std::uint32_t row = 0; row < pivots.node.size(); ++row)
      sum += node_hash(pivots.node[row], pivots.point_of_node[row], pivots.split_dim[row], records, row);
    for (const Subtree& subtree : trees_)
      sum += exec_.template reduce<std::uint64_t>("hash", subtree.tree.points.n,
                                                  HashOfNode{arrays_of(subtree), subtree.tree.points.n}, AddHashes{},
                                                  std::uint64_t{0});
    return finish_tree_hash(ranks_.sum(sum), n_, k_, rule_.type);
  }

  TreeShare download() override {
    TreeShare share = own_pivots();
    std::size_t row = share.node.size(), rows = row;
    for (const Subtree& subtree : trees_) rows += subtree.tree.points.n;
    share.node.resize(rows);
    share.point_of_node.resize(rows);
    share.split_dim.resize(rows);
    share.points.words.resize(rows * k_);
    for (const Subtree& subtree : trees_) {
      const std::uint32_t size = subtree.tree.points.n;
      const SubtreeArrays there = arrays_of(subtree);
      exec_.download(std::span(share.point_of_node).subspan(row, size), there.points);
      exec_.download(std::span(share.split_dim).subspan(row, size), there.split_dim);
      exec_.download(std::span(share.points.words).subspan(row * k_, std::size_t(size) * k_), there.words);
      for (std::uint32_t t = 0; t < size; ++t) share.node[row + t] = there.node(t);
      row += size;
    }
    return share;
  }

  std::string way() const override {
    if (ranks_.size() == 1) return "none";
    if (nccl_) return "NCCL";
    if (Exec::runs_on_host) return "MPI";
    if (reads_devices_) return "MPI, which reads the devices' memory";
    return "MPI, through host memory" + (why_.empty() ? "" : ", because " + why_);
  }
  std::uint64_t peak_bytes() override { return exec_.memory().peak(); }

 private:
  struct Subtree {
    NodeId root;
    LeftBalancedTreeOnDevice<Exec> tree;
  };
  /// A subtree before it is built.
  struct Incoming {
    NodeId root;
    PointsOnDevice<Exec> points;
    Array<PointId, Exec> original;
  };

  /// Runs work to its end on the executor and sets `ms` to its time.
  template <class Work>
  void timed(double& ms, const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    exec_.synchronize();
    ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }

  // [region cluster/find_pivots]
  void find_pivots() {
    if (ranks_.size() > 1 && words_.size() == 0) {
      // Room for gaps between the subtrees, and for the lists of few points
      const std::uint32_t gaps = std::max(256u, gap << upper_);
      words_ = exec_.template array<std::uint32_t>("coordinates", points_.words.size() + std::size_t(gaps) * k_);
      original_ = exec_.template array<PointId>("original indices", points_.n + gaps);
    }
    if (upper_ == 0) return;
    const std::uint32_t nodes = 1u << (upper_ - 1);
    planes_there_ = exec_.template array<rank::Plane>("planes", full_tree_size(upper_));
    windows_ = exec_.template array<SearchedWindow>("windows", nodes);
    counters_ = exec_.template array<std::uint32_t>("counters", 2 * nodes + 1);
    std::size_t most_sampled = 0;
    for (int level = 0; level < upper_; ++level)
      most_sampled = std::max<std::size_t>(most_sampled, (few(level) + 2 * wanted(level)) << level);
    sample_ = exec_.template array<Sampled>("sample", most_sampled);
    // The lists lie where the points will be partitioned to
    const std::uint32_t room = points_.n / sizes_.points_per_listed + 64;
    lists_[0] = {reinterpret_cast<Sampled*>(words_.data()), room};
    lists_[1] = {reinterpret_cast<Sampled*>(original_.data()), room};
    for (int level = 0; level < upper_; ++level) split_level(level);
  }

  /// Returns how many points of a node of a level are sampled.
  std::uint64_t wanted(int level) const {
    return std::max({sizes_.build.of_level >> level, sizes_.build.least, std::uint64_t{8} * ranks_.size()});
  }

  /// Returns up to how many points of a window are compared by all ranks: fewer where there are many nodes, since a
  /// rank's host looks at those of all of them.
  std::uint64_t few(int level) const {
    return std::max<std::uint64_t>(8 * sizes_.build.few >> level, std::min<std::uint64_t>(sizes_.build.few, 64));
  }

  /// Finds the pivots of all nodes of a level.
  void split_level(int level) {
    const std::uint32_t nodes = 1u << level, first = full_tree_size(level);
    std::vector<PivotSearch> searches(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) {
      const NodeId node{first + i};
      searches[i].count = subtree_size(node, n_), searches[i].rank = rank::rank_of_pivot(node, n_);
      searches[i].dim = rule_.dim_of(node, [&](NodeId above) { return planes_[above.value]; });
    }
    // The first pass reads all points, later ones the list that the pass before has left
    Pass pass{level, 0, true, 0};
    for (;; ++pass.number) {
      sample(pass, searches);
      bool open = false;
      for (std::uint32_t i = 0; i < nodes; ++i) {
        PivotSearch& s = searches[i];
        if (!s.found && s.whole) planes_[first + i] = {s.lo, s.dim}, s.found = true;
        open = open || !s.found;
      }
      if (!open) break;
      narrow(pass, searches);
    }
    exec_.upload(planes_there_.data() + first, std::span<const rank::Plane>(planes_).subspan(first, nodes));
  }

  /// A pass over all points or over those that the last pass has listed.
  struct Pass {
    int level;
    std::uint64_t number;
    bool reads_points;
    std::uint32_t listed;  ///< otherwise: points of lists_[0]
  };

  struct List {
    Sampled* data = nullptr;
    std::uint32_t room = 0;
  };

  /// Takes samples of the windows of all ranks, or all points of windows with few, and brackets the pivots.
  void sample(const Pass& pass, std::vector<PivotSearch>& searches) {
    const std::uint64_t wanted = this->wanted(pass.level);
    std::uint64_t points = 0, open = 0;
    for (const PivotSearch& s : searches)
      if (!s.found) points += s.count, ++open;
    const std::uint64_t skip = pass.reads_points ? std::max<std::uint64_t>(1, points / (wanted * open)) : 1;
    std::vector<SearchedWindow> windows;
    for (PivotSearch& s : searches) {
      std::uint64_t every = pass.reads_points || s.count <= few(pass.level) ? 1 : s.count / wanted;
      every = std::max<std::uint64_t>(every, 1);
      s.whole = skip == 1 && every == 1;
      windows.push_back({s.from, s.to, s.from, s.to, s.dim, s.found ? 0 : static_cast<std::uint32_t>(every)});
    }
    const List to{sample_.data(), static_cast<std::uint32_t>(sample_.size())};
    const std::uint32_t taken = list("sample", pass, static_cast<std::uint32_t>(skip), windows, to).back();
    std::vector<Sampled> own(std::min(taken, to.room));
    exec_.download(std::span(own), sample_.data());
    set_brackets(searches, ranks_.gather_all(std::span<const Sampled>(own)));
  }

  /// Lists the points in the brackets, and continues on the side of each on which the pivot lies.
  void narrow(Pass& pass, std::vector<PivotSearch>& searches) {
    std::vector<SearchedWindow> windows;
    for (const PivotSearch& s : searches)
      windows.push_back({s.from, s.to, std::max(s.lo, s.from), std::min(s.hi, s.to), s.dim, s.found ? 0u : 1u});
    const List to = lists_[pass.reads_points ? 0 : 1];
    const std::vector<std::uint32_t> counted = list("narrow", pass, 1, windows, to);
    std::vector<std::uint64_t> sums(counted.begin(), counted.end());
    sums.back() = counted.back() > to.room;
    ranks_.sum(sums);
    // Without a list of the points that are needed, read all points again: a bracket has missed, or a list was too long
    const std::size_t nodes = searches.size();
    bool all_listed = sums.back() == 0;
    for (std::size_t i = 0; i < nodes; ++i)
      if (!searches[i].found && take_side(searches[i], sums[i], sums[nodes + i]) != Side::within) all_listed = false;
    if (all_listed && !pass.reads_points) std::swap(lists_[0], lists_[1]);
    pass.reads_points = !all_listed, pass.listed = counted.back();
  }

  /// Runs a pass. Returns the numbers of points before the brackets, of those in them, and of all listed ones.
  std::vector<std::uint32_t> list(const char* name, const Pass& pass, std::uint32_t skip,
                                  const std::vector<SearchedWindow>& windows, const List& to) {
    const std::uint32_t nodes = static_cast<std::uint32_t>(windows.size()), counters = 2 * nodes + 1;
    exec_.upload(windows_.data(), std::span<const SearchedWindow>(windows));
    exec_.for_each("clear", counters, rank::Clear{counters_.data()});
    const std::uint64_t scatter = mix64(pass.number * 0x9e37 + static_cast<std::uint64_t>(pass.level) * 131 + skip +
                                        (std::uint64_t{ranks_.rank()} << 32));
    const auto run = [&](auto source) {
      const ListWindows<decltype(source)> work{source,
                                               skip,
                                               scatter,
                                               windows_.data(),
                                               nodes,
                                               counters_.data(),
                                               counters_.data() + nodes,
                                               to.data,
                                               to.room,
                                               counters_.data() + 2 * nodes};
      exec_.for_each_block(name, work.blocks(), work.lanes, work.shared_bytes(), work);
    };
    if (pass.reads_points)
      run(PointsOfLevel{points_.view(), first_, planes_there_.data(), pass.level, windows_.data()});
    else
      run(ListedPoints{lists_[0].data, pass.listed});
    std::vector<std::uint32_t> counted(counters);
    exec_.download(std::span(counted), counters_.data());
    return counted;
  }
  // [endregion]

  /// Puts the points of each subtree side by side.
  void partition() {
    const std::uint32_t subtrees = 1u << upper_;
    begins_.assign(subtrees + 1, 0);
    if (ranks_.size() == 1) {
      // The only subtree has all points, in their order
      begins_[1] = points_.n;
      words_ = exec_.template array<std::uint32_t>("coordinates", points_.words.size());
      exec_.copy(words_.data(), points_.words.data(), points_.words.size());
      return;
    }
    ShareBySubtree of{points_.view(), first_, planes_there_.data(), upper_, nullptr};
    const std::uint32_t tiles = of.tiles(), places = subtrees * tiles, lanes = of.lanes();
    auto begins = exec_.template array<std::uint32_t>("places", places + 1, Allocation::scratch);
    auto of_subtrees = exec_.template array<std::uint32_t>("begins", subtrees + 1, Allocation::scratch);
    of.begins = begins.data();
    if (points_.n > 0) {
      const CountSubtrees count{of};
      exec_.for_each_block("count subtrees", tiles, static_cast<int>(lanes), count.shared_bytes(), count);
      exec_.for_each("clear", 1, rank::Clear{begins.data() + places});
      exec_.exclusive_sum("sum subtrees", begins.data(), places + 1);
      exec_.for_each("begins", subtrees + 1, BeginsOfSubtrees{begins.data(), tiles, of_subtrees.data()});
      exec_.download(std::span(begins_), of_subtrees.data());
    }
    const std::vector<std::uint32_t> gaps = leave_gaps();
    if (points_.n == 0) return;
    exec_.upload(of_subtrees.data(), std::span<const std::uint32_t>(gaps));
    const PlaceInSubtrees place{of, of_subtrees.data(), words_.data(), original_.data()};
    exec_.for_each_block("partition", tiles, static_cast<int>(lanes), place.shared_bytes(), place);
  }

  /// Moves each subtree's begin behind, so that it lies as far from a multiple of `gap` points as these points will lie
  /// among the subtree's points of all ranks. Returns the sums of the gaps. Collective.
  std::vector<std::uint32_t> leave_gaps() {
    const std::size_t subtrees = begins_.size() - 1;
    sizes_of_.resize(subtrees);
    for (std::size_t s = 0; s < subtrees; ++s) sizes_of_[s] = begins_[s + 1] - begins_[s];
    std::vector<std::uint64_t> earlier(sizes_of_.begin(), sizes_of_.end());
    ranks_.sum_of_earlier(earlier);
    std::vector<std::uint32_t> gaps(subtrees);
    for (std::size_t s = 0; s < subtrees; ++s) {
      const std::uint32_t before = s == 0 ? 0 : gaps[s - 1];
      gaps[s] = before + (static_cast<std::uint32_t>(earlier[s]) - (begins_[s] + before)) % gap;
    }
    for (std::size_t s = 0; s < subtrees; ++s) begins_[s] += gaps[s];
    return gaps;
  }

  NodeId root_of(std::uint32_t subtree) const { return {full_tree_size(upper_) + subtree}; }

  // [region cluster/exchange_on_executor]
  /// Sends every point to the rank that builds its subtree. What ranks send is received where it belongs: the points of
  /// a subtree stand in the order of the ranks, which is that of original indices.
  void exchange() {
    const std::uint32_t subtrees = n_ == 0 ? 0 : 1u << upper_, size = ranks_.size();
    incoming_.clear();
    if (size == 1) {
      if (subtrees > 0) incoming_.push_back({root_of(0), {std::move(words_), points_.n, k_, k_, rule_.type}, {}});
      return;
    }
    std::vector<std::uint64_t> subtrees_of(size);
    std::vector<Run> sent, received;
    for (std::uint32_t s = 0; s < subtrees; ++s) {
      const std::uint32_t owner = owner_of_subtree(root_of(s), n_, size);
      ++subtrees_of[owner];
      if (owner != ranks_.rank()) add_points(sent, owner, words_.data(), original_.data(), begins_[s], sizes_of_[s]);
    }
    const auto sizes_of_all =
        ranks_.exchange(std::span<const std::uint32_t>(sizes_of_).first(subtrees), subtrees_of).elements;
    const std::uint32_t own_subtrees = static_cast<std::uint32_t>(subtrees_of[ranks_.rank()]);
    for (std::uint32_t s = 0; s < subtrees; ++s)
      if (owner_of_subtree(root_of(s), n_, size) == ranks_.rank()) {
        const std::uint32_t points = subtree_size(root_of(s), n_);
        incoming_.push_back(
            {root_of(s),
             {exec_.template array<std::uint32_t>("points", std::size_t(points) * k_), points, k_, k_, rule_.type},
             exec_.template array<PointId>("original indices", points)});
        std::size_t at = 0;
        for (std::uint32_t from = 0; from < size; ++from) {
          const Incoming& to = incoming_.back();
          const std::uint32_t own = static_cast<std::uint32_t>(incoming_.size()) - 1,
                              count = sizes_of_all[from * own_subtrees + own];
          if (from == ranks_.rank()) {
            exec_.copy(to.points.words.data() + at * k_, words_.data() + std::size_t(begins_[s]) * k_,
                       std::size_t(count) * k_);
            exec_.copy(to.original.data() + at, original_.data() + begins_[s], count);
          } else {
            add_points(received, from, to.points.words.data(), to.original.data(), at, count);
          }
          at += count;
        }
      }
    ranks_.count_exchange(sent);
    if constexpr (!Exec::runs_on_host)
      if (nccl_) nccl_->exchange(sent, received, exec_.stream());
    exec_.synchronize();
    if (Exec::runs_on_host || (reads_devices_ && !nccl_))
      ranks_.exchange_runs(sent, received);
    else if (!nccl_)
      exchange_through_host(sent, received);
  }

  /// Adds the runs of `count` points from place `at` on. NCCL copies 16 bytes at a time where it reads and writes at
  /// multiples of 16, else byte by byte. Both ends lie equally far from one, so only the points in front of it travel
  /// apart.
  void add_points(std::vector<Run>& runs, std::uint32_t rank, std::uint32_t* words, PointId* original, std::size_t at,
                  std::size_t count) const {
    const std::size_t before = std::min<std::size_t>(count, (gap - at % gap) % gap);
    for (const auto& [begin, end] : {std::pair{at, at + before}, std::pair{at + before, at + count}}) {
      add_run(runs, rank, words + begin * k_, (end - begin) * k_);
      add_run(runs, rank, original + begin, end - begin);
    }
  }

  template <class T>
  static void add_run(std::vector<Run>& runs, std::uint32_t rank, T* at, std::size_t count) {
    if (count > 0) runs.push_back({rank, reinterpret_cast<std::byte*>(at), count * sizeof(T)});
  }

  /// Exchanges runs by pieces in the host's memory, with one other rank at a time.
  void exchange_through_host(const std::vector<Run>& sent, const std::vector<Run>& received) {
    constexpr std::uint64_t most = std::uint64_t{1} << 26;
    Buffer<std::byte> out(most), in(most);
    const auto total = [](const std::vector<Run>& runs, std::uint32_t rank) {
      std::uint64_t bytes = 0;
      for (const Run& run : runs) bytes += run.rank == rank ? run.bytes : 0;
      return bytes;
    };
    // Calls take(at, bytes, place) for the parts of a rank's runs between two of their bytes
    const auto each_part = [](const std::vector<Run>& runs, std::uint32_t rank, std::uint64_t begin, std::uint64_t end,
                              const auto& take) {
      std::uint64_t place = 0;
      for (const Run& run : runs) {
        if (run.rank != rank) continue;
        const std::uint64_t from = std::max(begin, place), to = std::min(end, place + run.bytes);
        if (from < to) take(run.at + (from - place), to - from, from - begin);
        place += run.bytes;
      }
    };
    const std::uint32_t size = ranks_.size(), rank = ranks_.rank();
    for (std::uint32_t away = 1; away < size; ++away) {
      const std::uint32_t to = (rank + away) % size, from = (rank + size - away) % size;
      const std::uint64_t leaving = total(sent, to), coming = total(received, from);
      for (std::uint64_t begin = 0; begin < std::max(leaving, coming); begin += most) {
        const auto piece = [&](std::uint64_t bytes) { return bytes > begin ? std::min(most, bytes - begin) : 0; };
        each_part(sent, to, begin, begin + piece(leaving),
                  [&](std::byte* at, std::uint64_t bytes, std::uint64_t place) {
                    exec_.download(std::span(out).subspan(place, bytes), at);
                  });
        const Run leaves{to, out.data(), piece(leaving)}, comes{from, in.data(), piece(coming)};
        ranks_.exchange_runs(std::span(&leaves, 1), std::span(&comes, 1));
        each_part(received, from, begin, begin + piece(coming),
                  [&](std::byte* at, std::uint64_t bytes, std::uint64_t place) {
                    exec_.upload(at, std::span<const std::byte>(in).subspan(place, bytes));
                  });
      }
    }
  }
  // [endregion]

  void build_subtrees() {
    for (Incoming& incoming : incoming_) {
      if (incoming.points.n == 0) continue;
      NullRecorder recorder;
      trees_.push_back({incoming.root, rank::build(exec_, std::move(incoming.points), options_, recorder)});
      if (incoming.original.size() > 0)
        exec_.for_each("original indices", trees_.back().tree.points.n,
                       ReturnToOriginal{arrays_of(trees_.back()), incoming.original.data()});
      incoming.original = {};
    }
    incoming_.clear();
  }

  SubtreeArrays arrays_of(const Subtree& subtree) const {
    return {subtree.tree.points.words.data(),
            subtree.tree.point_of_node.data(),
            subtree.tree.split_dim.data(),
            subtree.root,
            k_,
            static_cast<std::uint32_t>(upper_) % k_,
            rule_.type};
  }

  /// Returns the rows of the upper nodes whose points lie in this share.
  TreeShare own_pivots() {
    TreeShare share;
    share.n = n_;
    share.upper_nodes = full_tree_size(upper_);
    share.points = {rule_.type, k_, 0, {}};
    std::vector<std::uint32_t> at;
    for (std::uint32_t node = 0; node < planes_.size(); ++node) {
      const PointId point = rank::point_of(planes_[node].pivot);
      if (point.value < first_ || point.value - first_ >= points_.n) continue;
      share.node.push_back({node});
      share.point_of_node.push_back(point);
      share.split_dim.push_back(static_cast<std::uint8_t>(planes_[node].dim));
      at.push_back(point.value - first_);
    }
    if (at.empty()) return share;
    auto at_there = exec_.template array<std::uint32_t>("pivots", at.size(), Allocation::scratch);
    auto words = exec_.template array<std::uint32_t>("pivots", at.size() * k_, Allocation::scratch);
    exec_.upload(at_there.data(), std::span<const std::uint32_t>(at));
    exec_.for_each("pivots", static_cast<std::uint32_t>(at.size()),
                   GatherPivots{points_.view(), at_there.data(), words.data()});
    share.points.words.resize(at.size() * k_);
    exec_.download(std::span(share.points.words), words.data());
    return share;
  }

  Exec exec_;
  Communicator& ranks_;
  rank::RankOptions options_;
  ExecutorSizes sizes_;
  std::uint32_t k_, first_, n_ = 0;
  rank::SplitRule rule_;
  int upper_ = 0;  ///< levels that all ranks split together
  PointsOnDevice<Exec> points_;
  std::shared_ptr<NcclLink> nccl_;
  std::string why_;  ///< why there is no NCCL
  bool reads_devices_ = false;
  std::vector<rank::Plane> planes_;  ///< of the upper levels
  Array<rank::Plane, Exec> planes_there_;
  Array<SearchedWindow, Exec> windows_;
  Array<std::uint32_t, Exec> counters_;
  Array<Sampled, Exec> sample_;
  List lists_[2];
  static constexpr std::uint32_t gap = 4;  ///< points whose words, and whose indices, take a multiple of 16 bytes
  std::vector<std::uint32_t> begins_;      ///< [subtrees + 1] places of own points in front of each subtree
  std::vector<std::uint32_t> sizes_of_;    ///< [subtrees] own points
  // By subtree. They stay from build to build, since taking so much memory costs as much time as filling it
  Array<std::uint32_t, Exec> words_;
  Array<PointId, Exec> original_;
  std::vector<Incoming> incoming_;
  std::vector<Subtree> trees_;
};

}  // namespace kdscope::cluster
