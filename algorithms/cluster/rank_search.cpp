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

/// Returns the rows of the points that the tree holds, in the order of their original indices, in which ties come.
std::vector<std::uint32_t> rows_of_nodes(const TreeShare& share) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < share.node.size(); ++row)
    if (share.node[row].value != no_id) rows.push_back(row);
  std::ranges::sort(rows, {}, [&](std::uint32_t row) { return share.point_of_node[row].value; });
  return rows;
}

/// A tree over the points of this rank alone, which answers for them.
class OwnTree {
 public:
  OwnTree(const TreeShare& share, std::span<const std::uint32_t> rows, std::stop_token stop) : stop_(std::move(stop)) {
    const std::size_t dim = share.points.dim;
    if (rows.empty()) return;
    auto points = std::make_shared<DataSet>();
    points->name = "the points of a rank";
    points->points = {share.points.type, share.points.dim, 0, {}};
    points->points.words.reserve(rows.size() * dim);
    for (const std::uint32_t row : rows) {
      original_.push_back(share.point_of_node[row].value);
      const auto at = share.points.words.begin() + static_cast<std::ptrdiff_t>(row * dim);
      points->points.words.insert(points->points.words.end(), at, at + static_cast<std::ptrdiff_t>(dim));
    }
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
  Boxes(Communicator& ranks, const PointSet& points, std::span<const std::uint32_t> rows)
      : dim_(points.dim), type_(points.type) {
    std::vector<std::uint32_t> own;
    for (const bool upper : {false, true})
      for (std::uint32_t d = 0; d < dim_ && !rows.empty(); ++d) {
        std::uint32_t end = points.word(rows.front(), d);
        for (const std::uint32_t row : rows)
          if (const std::uint32_t word = points.word(row, d); upper
                                                                  ? ordered_key(end, type_) < ordered_key(word, type_)
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

}  // namespace

NeighbourShare nearest_by_ranks(Communicator& ranks, const TreeShare& tree, const PointSet& queries, std::uint32_t k,
                                std::stop_token stop) {
  const std::vector<std::uint32_t> rows = rows_of_nodes(tree);
  const Boxes boxes(ranks, tree.points, rows);
  const OwnTree own(tree, rows, std::move(stop));
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
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
      if (boxes.has(rank))
        if (const double distance = boxes.distance(words_of(query), rank); home[query] == no_id || distance < least)
          least = distance, home[query] = rank;
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
