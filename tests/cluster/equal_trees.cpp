// A program for mpirun: its ranks build trees of many sets in shares, search them, and compare trees and neighbours
// with those of one process.

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <random>
#include <span>

#include "algorithms/cluster/rank_search.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/text/numbers.hpp"
#include "datasets/datasets.hpp"

using namespace kdscope;

namespace {

/// Returns the begins of all shares of a set, and its end. Some ranks may have nothing.
std::vector<std::uint64_t> cuts(std::uint64_t n, std::uint32_t ranks, std::uint32_t number) {
  std::mt19937_64 random(number);
  std::vector<std::uint64_t> begins{0, n};
  while (begins.size() <= ranks) begins.push_back(number % 3 == 0 ? n : random() % (n + 1));
  std::ranges::sort(begins);
  return begins;
}

/// Plants zeros of both signs, and points that are at their worst for samples.
void spoil(PointSet& points, std::uint32_t number) {
  if (number % 5 != 0) return;
  for (std::size_t i = 0; i < points.words.size(); ++i)
    if (points.type == ScalarType::float32) {
      if (i % 3 == 0) points.words[i] = word_of(i % 2 == 0 ? 0.0f : -0.0f);
    } else if (i % 4 != 0) {
      points.words[i] = i % 2 == 0 ? 0x80000000u : 0x7fffffffu;
    }
}

std::string specification(std::uint32_t number) {
  const char* const generators[] = {"uniform", "grid", "clustered", "equal", "presorted", "grid", "sphere"};
  const std::uint32_t sizes[] = {0, 1, 2, 3, 5, 6, 9, 31, 100, 257, 1000, 4099, 20000, 70001};
  const std::string generator = generators[number % 7];
  const std::uint32_t n = sizes[number % 14] + (number > 28 ? number : 0), dim = 1 + number % 8;
  return generator + ":n=" + std::to_string(n) + ",dim=" + std::to_string(dim) + ",seed=" + std::to_string(number) +
         (number % 2 == 0 ? ",type=int" : "") + (generator == "grid" ? ",side=" + std::to_string(2 + number % 9) : "");
}

/// Returns how many of this rank's queries have other neighbours than one process finds in its tree.
std::uint32_t wrong_neighbours(cluster::Communicator& ranks, const cluster::TreeShare& tree, const DataSet& whole,
                               std::uint32_t number) {
  // Points of the set, of which many are equally far from others, or points anywhere
  PointSet all = whole.points;
  if (number % 3 == 0 || all.size() == 0)
    all = (*open_data_set("uniform:n=60,dim=" + std::to_string(all.dim) + ",seed=" + std::to_string(number) +
                          (all.type == ScalarType::int32 ? ",type=int" : "")))
              ->points;
  all.words.resize(std::min<std::size_t>(all.size(), 60) * all.dim);
  const auto begins = cuts(all.size(), ranks.size(), number + 1);
  auto own = std::make_shared<DataSet>();
  own->points = {all.type, all.dim, 0, {}};
  own->points.words = {all.words.begin() + static_cast<std::ptrdiff_t>(begins[ranks.rank()] * all.dim),
                       all.words.begin() + static_cast<std::ptrdiff_t>(begins[ranks.rank() + 1] * all.dim)};
  const std::uint32_t k = 1 + number % 9;
  const cluster::NeighbourShare found = cluster::nearest_by_ranks(ranks, tree, own->points, k, {});
  const auto report = build({{}, "wald", {}, Backend::cpu, false, std::make_shared<const DataSet>(whole)});
  std::uint32_t wrong = 0;
  for (std::size_t query = 0; query < own->points.size(); ++query) {
    // One query at a time, with the k that the tree has
    SearchRequest request{"stack", std::make_shared<const Tree>(report->tree), nullptr};
    auto alone = std::make_shared<DataSet>();
    alone->points = {all.type, all.dim, 0, {}};
    alone->points.words = {own->points.words.begin() + static_cast<std::ptrdiff_t>(query * all.dim),
                           own->points.words.begin() + static_cast<std::ptrdiff_t>((query + 1) * all.dim)};
    request.queries = alone;
    request.k = static_cast<std::uint32_t>(std::min<std::size_t>(k, whole.points.size()));
    request.backend = Backend::cpu;
    std::vector<std::uint32_t> points(k, no_id);
    std::vector<double> distances(k, std::numeric_limits<double>::infinity());
    if (request.k > 0) {
      const SearchReport expected = search(request).value();
      std::ranges::copy(expected.found, points.begin());
      std::ranges::copy(expected.distances, distances.begin());
    }
    wrong += !std::ranges::equal(points, std::span(found.found).subspan(query * k, k)) ||
             !std::ranges::equal(distances, std::span(found.distances).subspan(query * k, k));
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  cluster::Communicator ranks(argc, argv);
  constexpr std::uint32_t sets = 50;
  std::uint32_t wrong = 0;
  for (std::uint32_t number = 0; number < sets; ++number) {
    const std::string name = specification(number);
    DataSet whole = **open_data_set(name);
    const std::uint64_t n = whole.points.size(), stride = whole.points.stride();
    // A share that a generator makes is a part of the set
    const DataShare made = open_data_share(name, ranks.rank(), ranks.size()).value();
    if (!std::ranges::equal(
            made.data->points.words,
            std::span(whole.points.words).subspan(made.first * stride, made.data->points.words.size())) ||
        ranks.sum(std::uint64_t{made.data->points.size()}) != n) {
      std::printf("%s: rank %u makes other points than the set has\n", name.c_str(), ranks.rank());
      ++wrong;
    }
    spoil(whole.points, number);
    const auto begins = cuts(n, ranks.size(), number);
    cluster::PointShare share{{whole.points.type, whole.points.dim, 0, {}}, begins[ranks.rank()]};
    const auto at = [&](std::uint64_t point) {
      return whole.points.words.begin() + static_cast<std::ptrdiff_t>(point * stride);
    };
    share.points.words = {at(begins[ranks.rank()]), at(begins[ranks.rank() + 1])};
    rank::RankOptions options;
    options.split = number % 4 == 1 ? Split::widest : Split::round_robin;
    const cluster::TreeShare tree = cluster::build_by_rank(ranks, std::move(share), options, {});
    const std::uint64_t hash = cluster::tree_hash_of(ranks, tree);
    if (ranks.sum(std::uint64_t{tree.node.size()}) != n) ++wrong;
    // -0 counts as 0 in hashes: compare the words of the records as well
    for (std::size_t row = 0; row < tree.node.size(); ++row)
      wrong += !std::equal(tree.points.words.begin() + static_cast<std::ptrdiff_t>(row * stride),
                           tree.points.words.begin() + static_cast<std::ptrdiff_t>((row + 1) * stride),
                           at(tree.point_of_node[row].value));
    if (const std::uint32_t other = wrong_neighbours(ranks, tree, whole, number); other > 0) {
      std::printf("%s: %u queries of rank %u have other neighbours\n", name.c_str(), other, ranks.rank());
      ++wrong;
    }
    if (ranks.rank() != 0) continue;
    const Parameters parameters{{"split", options.split == Split::widest ? "widest" : "round-robin"}};
    const auto one = build({{}, "wald", parameters, Backend::cpu, false, std::make_shared<const DataSet>(whole)});
    if (one && one->tree_hash == hash) continue;
    std::printf("%s, %s: %u ranks build the tree %s, one process %s\n", name.c_str(), parameters.at("split").c_str(),
                ranks.size(), hash_text(hash).c_str(),
                one ? hash_text(one->tree_hash).c_str() : one.error().message().c_str());
    ++wrong;
  }
  const std::uint64_t all_wrong = ranks.sum(std::uint64_t{wrong});
  if (ranks.rank() == 0)
    std::printf("%u sets on %u ranks, %u faults\n", sets, ranks.size(), static_cast<unsigned>(all_wrong));
  return all_wrong == 0 ? 0 : 1;
}
