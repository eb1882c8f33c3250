#include "algorithms/cluster/rank_search.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

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
    auto built =
        build({{}, dim > rank::max_dim ? "brown" : "rank", {}, Backend::cpu, false, std::move(points)}, control());
    if (!built) throw ErrorException(built.error());
    tree_.emplace(std::make_shared<const Tree>(std::move(built->tree)));
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
    const auto found = tree_->search(request, control());
    if (!found) throw ErrorException(found.error());
    for (std::size_t query = 0; query + 1 < found->offsets.size(); ++query)
      for (std::uint64_t at = found->offsets[query]; at < found->offsets[query + 1]; ++at)
        answers[query * k + at - found->offsets[query]] = {found->distances[at], original_[found->found[at]]};
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
  Boxes(Communicator& ranks, const PointSet& points) : dim_(points.dim), type_(points.type) {
    std::vector<std::uint32_t> own;
    for (const bool upper : {false, true})
      for (std::uint32_t d = 0; d < dim_ && points.size() > 0; ++d) {
        std::uint32_t end = points.word(0, d);
        for (std::size_t i = 1; i < points.size(); ++i)
          if (const std::uint32_t word = points.word(i, d); upper ? ordered_key(end, type_) < ordered_key(word, type_)
                                                                  : ordered_key(word, type_) < ordered_key(end, type_))
            end = word;
        own.push_back(end);
      }
    const std::uint32_t count = own.empty() ? 0 : 1;
    present_ = ranks.gather_all(std::span<const std::uint32_t>(&count, 1));
    ends_ = ranks.gather_all(std::span<const std::uint32_t>(own));
    std::uint32_t before = 0;
    for (std::uint32_t& present : present_) present = present ? before++ : no_id;
  }
  bool has(std::uint32_t rank) const { return present_[rank] != no_id; }
  /// Returns the rank whose box is nearest, the lowest of several; no_id if there are no boxes.
  std::uint32_t nearest(const std::uint32_t* query) const {
    std::uint32_t found = no_id;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t rank = 0; rank < present_.size(); ++rank)
      if (has(rank))
        if (const double there = distance(query, rank); found == no_id || there < least) least = there, found = rank;
    return found;
  }
  /// Returns a squared distance that is at most that of every point in the box, since it is rounded in the same way.
  double distance(const std::uint32_t* query, std::uint32_t rank) const {
    return type_ == ScalarType::float32 ? distance_in<float>(query, rank) : distance_in<double>(query, rank);
  }

 private:
  template <class Number>
  double distance_in(const std::uint32_t* query, std::uint32_t rank) const {
    const std::uint32_t* const box = ends_.data() + std::size_t(present_[rank]) * 2 * dim_;
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
  std::vector<std::uint32_t> present_;  // [ranks] the place of the rank's box, or no_id
  std::vector<std::uint32_t> ends_;     // [boxes][2][dim]
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
  const std::vector<Answer> answers = tree.answers(std::move(asked.elements), queries, k);
  const auto back = ranks.exchange(std::span<const Answer>(answers), asked.counts);
  const Answer* next = back.elements.data();
  for (const std::vector<std::uint32_t>& there : routes)
    for (const std::uint32_t query : there) take(query, std::span(std::exchange(next, next + k), k));
}

/// Returns the points for which each rank answers: those of its subtrees. Points of the upper nodes, which lie on any
/// rank, go to the rank whose box is nearest, so that boxes stay small. Collective.
OwnPoints answered_here(Communicator& ranks, const TreeShare& tree) {
  const std::uint32_t dim = tree.points.dim;
  OwnPoints own{{}, {tree.points.type, dim, 0, {}}};
  const auto each_row = [&](bool upper, const auto& take) {
    for (std::uint32_t row = 0; row < tree.node.size(); ++row)
      if (tree.node[row].value != no_id && (tree.node[row].value < tree.upper_nodes) == upper)
        take(tree.point_of_node[row].value, tree.points.words.data() + std::size_t(row) * dim);
  };
  std::vector<std::pair<std::uint32_t, const std::uint32_t*>> points;
  each_row(false, [&](std::uint32_t point, const std::uint32_t* words) {
    points.emplace_back(point, words);
    own.points.words.insert(own.points.words.end(), words, words + dim);
  });
  const Boxes boxes(ranks, own.points);
  std::vector<std::vector<std::uint32_t>> to_rank(ranks.size());
  each_row(true, [&](std::uint32_t point, const std::uint32_t* words) {
    const std::uint32_t nearest = boxes.nearest(words);
    auto& there = to_rank[nearest == no_id ? 0 : nearest];
    there.push_back(point);
    there.insert(there.end(), words, words + dim);
  });
  std::vector<std::uint32_t> leaving;
  std::vector<std::uint64_t> sizes;
  for (const auto& there : to_rank)
    leaving.insert(leaving.end(), there.begin(), there.end()), sizes.push_back(there.size());
  const auto arrived = ranks.exchange(std::span<const std::uint32_t>(leaving), sizes, &LinkTraffic::samples).elements;
  for (std::size_t at = 0; at < arrived.size(); at += dim + 1) points.emplace_back(arrived[at], &arrived[at + 1]);
  std::ranges::sort(points);
  own.points.words.clear();
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
  const Boxes boxes(ranks, points.points);
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
