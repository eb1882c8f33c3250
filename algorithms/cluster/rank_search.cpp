#include "algorithms/cluster/rank_search.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "algorithms/core/caught.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/queries/query_point.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"

namespace kdscope::cluster {
namespace {

/// A point found. Ordered by distance, then by index.
struct Answer {
  double distance = std::numeric_limits<double>::infinity();
  std::uint64_t point = no_id;
  bool operator<(const Answer& other) const {
    return distance < other.distance || (distance == other.distance && point < other.point);
  }
};

/// Points of the tree for which this rank answers.
struct OwnPoints {
  std::vector<std::uint32_t> original;  ///< ascending, the order in which ties come
  PointSet points;
  std::vector<std::uint32_t> boxes;  ///< [boxes][2][dim] words of the least and the greatest coordinates

  /// Makes a box of one point.
  void add_box(const std::uint32_t* words) {
    for (int end = 0; end < 2; ++end) boxes.insert(boxes.end(), words, words + points.dim);
  }
  /// Widens a box so that it holds a point.
  void extend(std::size_t box, const std::uint32_t* words) {
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      std::uint32_t &least = boxes[2 * box * points.dim + d], &greatest = boxes[(2 * box + 1) * points.dim + d];
      const std::uint32_t key = ordered_key(words[d], points.type);
      if (key < ordered_key(least, points.type)) least = words[d];
      if (key > ordered_key(greatest, points.type)) greatest = words[d];
    }
  }
};

/// A tree over the points of this rank alone, which answers for them.
class OwnTree {
 public:
  OwnTree(OwnPoints own, std::stop_token stop) : stop_(std::move(stop)), original_(std::move(own.original)) {
    if (original_.empty()) return;
    const std::uint32_t dim = own.points.dim;
    auto points = std::make_shared<DataSet>();
    points->name = "the points of a rank";
    points->points = std::move(own.points);
    // rank does not take many dimensions; brown does, and no points of its trees are equal
    auto built = value_of(
        build({{}, dim > rank::max_dim ? "brown" : "rank", {}, Backend::cpu, false, std::move(points)}, control()));
    tree_.emplace(std::make_shared<const Tree>(std::move(built.tree)));
  }

  /// Returns k answers per query, words: [queries * dim].
  std::vector<Answer> answers(std::vector<std::uint32_t> words, const PointSet& like, std::uint32_t k) const {
    std::vector<Answer> answers(words.size() / like.dim * k);
    if (answers.empty()) return answers;
    auto queries = std::make_shared<DataSet>();
    queries->name = "the queries";
    queries->points = {like.type, like.dim, 0, std::move(words)};
    SearchRequest request;
    request.search = like.dim > rank::max_dim ? "super-key-walk" : "stack";
    request.queries = std::move(queries);
    request.k = static_cast<std::uint32_t>(std::min<std::size_t>(k, original_.size()));
    request.backend = Backend::cpu;
    request.order = QueryOrder::morton;
    const auto found = value_of(tree_->search(request, control()));
    for (std::size_t query = 0; query + 1 < found.offsets.size(); ++query)
      for (std::uint64_t at = found.offsets[query]; at < found.offsets[query + 1]; ++at)
        answers[query * k + at - found.offsets[query]] = {found.distances[at], original_[found.found[at]]};
    return answers;
  }

 private:
  RunControl control() const {
    RunControl control;
    control.stop = stop_;
    return control;
  }
  std::stop_token stop_;
  std::vector<std::uint32_t> original_;
  std::optional<SearchedTree> tree_;
};

/// The boxes of all ranks' points.
class Boxes {
 public:
  /// Collective.
  Boxes(Communicator& ranks, const OwnPoints& own) : dim_(own.points.dim), type_(own.points.type) {
    const auto count = static_cast<std::uint32_t>(own.boxes.size() / (2 * dim_));
    const auto counts = ranks.gather_all(std::span<const std::uint32_t>(&count, 1));
    ends_ = ranks.gather_all(std::span<const std::uint32_t>(own.boxes));
    begins_.assign(1, 0);
    for (const std::uint32_t boxes : counts) begins_.push_back(begins_.back() + boxes);
  }
  /// Returns a squared distance that is at most that of every point in the rank's boxes, since it is rounded in the
  /// same way; infinity for a rank without boxes.
  double distance(const std::uint32_t* query, std::uint32_t rank) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t box = begins_[rank]; box < begins_[rank + 1]; ++box)
      least = std::min(least, distance_of_box(query, box));
    return least;
  }
  bool has(std::uint32_t rank) const { return begins_[rank] < begins_[rank + 1]; }
  /// Returns the rank whose boxes are nearest, the lowest of several; no_id if there are no boxes.
  std::uint32_t nearest(const std::uint32_t* query) const {
    std::uint32_t found = no_id;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t rank = 0; rank + 1 < begins_.size(); ++rank)
      if (has(rank))
        if (const double there = distance(query, rank); found == no_id || there < least) least = there, found = rank;
    return found;
  }
  /// Returns which of a rank's boxes is nearest. It must have one.
  std::size_t nearest_of(std::uint32_t rank, const std::uint32_t* query) const {
    std::size_t found = begins_[rank];
    for (std::size_t box = begins_[rank]; box < begins_[rank + 1]; ++box)
      if (distance_of_box(query, box) < distance_of_box(query, found)) found = box;
    return found - begins_[rank];
  }

 private:
  double distance_of_box(const std::uint32_t* query, std::size_t box) const {
    const std::uint32_t* const ends = ends_.data() + box * 2 * dim_;
    return type_ == ScalarType::float32 ? distance_in<float>(query, ends) : distance_in<double>(query, ends);
  }
  template <class Number>
  double distance_in(const std::uint32_t* query, const std::uint32_t* box) const {
    Number sum = 0;
    for (std::uint32_t d = 0; d < dim_; ++d) {
      const Number at = queries::number_of<Number>(query[d]);
      const Number below = queries::number_of<Number>(box[d]) - at,
                   above = at - queries::number_of<Number>(box[dim_ + d]);
      const Number outside = std::max({Number(0), below, above});
      sum += outside * outside;
    }
    return sum;
  }
  std::uint32_t dim_;
  ScalarType type_;
  std::vector<std::size_t> begins_;  // [ranks + 1] the first box of each rank
  std::vector<std::uint32_t> ends_;  // [boxes][2][dim]
};

/// Queries on their way: for each rank those that go there.
using Routes = std::vector<std::vector<std::uint32_t>>;

/// Sends queries and calls take(query, its k answers) for each of them.
template <class Take>
void ask(Communicator& ranks, const OwnTree& tree, const PointSet& queries, std::uint32_t k, const Routes& routes,
         Take take) {
  std::vector<std::uint32_t> words;
  std::vector<std::uint64_t> sizes;
  for (const std::vector<std::uint32_t>& there : routes) {
    sizes.push_back(there.size() * queries.dim);
    for (const std::uint32_t query : there) {
      const auto at = queries.words.begin() + static_cast<std::ptrdiff_t>(query * queries.stride());
      words.insert(words.end(), at, at + queries.dim);
    }
  }
  auto asked = ranks.exchange(std::span<const std::uint32_t>(words), sizes);
  for (std::uint64_t& count : asked.counts) count = count / queries.dim * k;
  const std::vector<Answer> answers = tree.answers({asked.elements.begin(), asked.elements.end()}, queries, k);
  const auto back = ranks.exchange(std::span<const Answer>(answers), asked.counts);
  const Answer* next = back.elements.data();
  for (const std::vector<std::uint32_t>& there : routes)
    for (const std::uint32_t query : there) take(query, std::span(std::exchange(next, next + k), k));
}

/// Returns the points for which each rank answers: those of its subtrees, with a box for each subtree. Points of the
/// upper nodes, which lie on any rank, go to the rank whose boxes are nearest, so that boxes stay small. Collective.
OwnPoints answered_here(Communicator& ranks, const TreeShare& tree) {
  const std::uint32_t dim = tree.points.dim;
  OwnPoints own{{}, {tree.points.type, dim, 0, {}}, {}};
  const auto each_row = [&](bool upper, const auto& take) {
    for (std::uint32_t row = 0; row < tree.node.size(); ++row)
      if (tree.node[row].value != no_id && (tree.node[row].value < tree.upper_nodes) == upper)
        take(row, tree.points.words.data() + std::size_t(row) * dim);
  };
  std::vector<std::pair<std::uint32_t, const std::uint32_t*>> points;
  std::map<std::uint32_t, std::size_t> box_of;  // by subtree
  const int upper_levels = num_levels(tree.upper_nodes);
  each_row(false, [&](std::uint32_t row, const std::uint32_t* words) {
    points.emplace_back(tree.point_of_node[row].value, words);
    const auto [box, added] =
        box_of.emplace(level_ancestor(tree.node[row], upper_levels).value, own.boxes.size() / (2 * dim));
    if (added) own.add_box(words);
    own.extend(box->second, words);
  });
  const Boxes boxes(ranks, own);
  std::vector<std::vector<std::uint32_t>> to_rank(ranks.size());
  each_row(true, [&](std::uint32_t row, const std::uint32_t* words) {
    const std::uint32_t nearest = boxes.nearest(words);
    auto& there = to_rank[nearest == no_id ? 0 : nearest];
    there.push_back(tree.point_of_node[row].value);
    there.insert(there.end(), words, words + dim);
  });
  std::vector<std::uint32_t> leaving;
  std::vector<std::uint64_t> sizes;
  for (const auto& there : to_rank) {
    leaving.insert(leaving.end(), there.begin(), there.end());
    sizes.push_back(there.size());
  }
  const auto arrived = ranks.exchange(std::span<const std::uint32_t>(leaving), sizes, &LinkTraffic::samples).elements;
  for (std::size_t at = 0; at < arrived.size(); at += dim + 1) {
    const std::uint32_t* const words = &arrived[at + 1];
    points.emplace_back(arrived[at], words);
    if (own.boxes.empty()) own.add_box(words);
    own.extend(boxes.has(ranks.rank()) ? boxes.nearest_of(ranks.rank(), words) : 0, words);
  }
  std::ranges::sort(points);
  for (const auto& [point, words] : points) {
    own.original.push_back(point);
    own.points.words.insert(own.points.words.end(), words, words + dim);
  }
  return own;
}

}  // namespace

NeighbourShare nearest_by_ranks(Communicator& ranks, const TreeShare& tree, const PointSet& queries, std::uint32_t k,
                                std::stop_token stop) {
  OwnPoints points = answered_here(ranks, tree);
  const Boxes boxes(ranks, points);
  const OwnTree own(std::move(points), std::move(stop));
  const auto count = static_cast<std::uint32_t>(queries.size());
  const auto words_of = [&](std::uint32_t query) { return queries.words.data() + query * queries.stride(); };
  std::vector<Answer> nearest(std::size_t(count) * k), merged(k);
  const auto merge = [&](std::uint32_t query, std::span<const Answer> answers) {
    Answer* const so_far = nearest.data() + std::size_t(query) * k;
    const Answer* other = answers.data();
    const Answer* mine = so_far;
    for (Answer& next : merged) next = *other < *mine ? *other++ : *mine++;
    std::ranges::copy(merged, so_far);
  };

  // Each query goes to the rank whose box is nearest
  Routes routes(ranks.size());
  std::vector<std::uint32_t> home(count, no_id);
  for (std::uint32_t query = 0; query < count; ++query) {
    home[query] = boxes.nearest(words_of(query));
    if (home[query] != no_id) routes[home[query]].push_back(query);
  }
  ask(ranks, own, queries, k, routes, merge);

  // Then to those whose boxes its ball meets: also at the ball's own radius, where a point of lower index comes first
  NeighbourShare share;
  for (std::vector<std::uint32_t>& there : routes) share.asked += there.size(), there.clear();
  for (std::uint32_t query = 0; query < count; ++query)
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
      if (boxes.has(rank) && rank != home[query] &&
          boxes.distance(words_of(query), rank) <= nearest[std::size_t(query) * k + k - 1].distance)
        routes[rank].push_back(query);
  ask(ranks, own, queries, k, routes, merge);
  for (const std::vector<std::uint32_t>& there : routes) share.asked += there.size();

  for (const Answer& answer : nearest) {
    share.found.push_back(static_cast<std::uint32_t>(answer.point));
    share.distances.push_back(answer.distance);
  }
  return share;
}

}  // namespace kdscope::cluster
