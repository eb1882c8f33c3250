// A program for mpirun: its ranks build trees of many sets in shares, search them, and compare trees and neighbours
// with those of one process.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "algorithms/cluster/brown_build.hpp"
#include "algorithms/cluster/executor_build.hpp"
#include "algorithms/cluster/rank_search.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/exec/devices.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"
#include "algorithms/trees/median_stores/reference.hpp"
#include "datasets/datasets.hpp"
#include "tests/cluster/sets.hpp"

using namespace kdscope;
using namespace kdscope::ranks_test;

namespace {

/// Returns how many of this rank's queries have other neighbours than one process finds in the same tree `one`, which
/// has `nodes` nodes.
std::uint32_t wrong_neighbours(cluster::Communicator& ranks, const cluster::TreeShare& tree, const DataSet& whole,
                               std::uint32_t number, std::shared_ptr<const Tree> one, std::size_t nodes) {
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
  // With the k that the tree has
  SearchRequest request{one->kind().id() == "left-balanced" ? "stack" : "super-key-walk", one, nullptr};
  request.queries = own;
  request.k = static_cast<std::uint32_t>(std::min<std::size_t>(k, nodes));
  request.backend = Backend::cpu;
  SearchReport expected;
  if (request.k > 0 && own->points.size() > 0) expected = search(request).value();
  std::uint32_t wrong = 0;
  for (std::size_t query = 0; query < own->points.size(); ++query) {
    std::vector<std::uint32_t> points(k, no_id);
    std::vector<double> distances(k, std::numeric_limits<double>::infinity());
    std::ranges::copy(std::span(expected.found).subspan(query * request.k, request.k), points.begin());
    std::ranges::copy(std::span(expected.distances).subspan(query * request.k, request.k), distances.begin());
    wrong += !std::ranges::equal(points, std::span(found.found).subspan(query * k, k)) ||
             !std::ranges::equal(distances, std::span(found.distances).subspan(query * k, k));
  }
  return wrong;
}

/// Returns how many faults this rank finds in the trees that the ranks build by brown.
std::uint32_t faults_of_brown(cluster::Communicator& ranks, const DataSet& whole, std::uint32_t number) {
  const PointSet& points = whole.points;
  const auto one = std::make_shared<const Tree>(reference_median_store_tree(std::make_shared<PointSet>(points)));
  const MedianStoreTree& expected = one->as<MedianStoreTree>();
  std::uint32_t wrong = 0;
  const auto fault = [&](const std::string& what) {
    std::printf("%s, brown: %s on rank %u\n", specification(number).c_str(), what.c_str(), ranks.rank());
    ++wrong;
  };
  // As many parts as are needed, and more
  for (const std::uint32_t more : {1, 4}) {
    brown::BrownOptions options;
    options.warps = 1u << number % 7;
    if (number % 2 == 1) options.sort = brown::SortMethod::merge;
    if (number % 3 == 1) options.compare = brown::Compare::tuples;
    const cluster::TreeShare tree = cluster::build_by_brown(ranks, own_share(ranks, points, number), options,
                                                            more * cluster::parts_for(ranks.size()), {});
    if (ranks.sum(std::uint64_t{tree.node.size()}) != points.size()) fault("not one row per point");
    if (cluster::tree_hash_of(ranks, tree) != tree_hash(expected)) fault("another tree");
    for (std::size_t row = 0; row < tree.node.size(); ++row) {
      const NodeId node = tree.node[row];
      const PointId point = tree.point_of_node[row];
      if (node.value == no_id ? !std::binary_search(expected.removed.begin(), expected.removed.end(), point)
                              : node.value >= expected.stores.size() || expected.stores[node.value] != point ||
                                    tree.split_dim[row] != static_cast<std::uint32_t>(level_of(node)) % points.dim)
        fault("node " + std::to_string(node.value) + " is wrong");
      for (std::uint32_t d = 0; d < points.dim; ++d)
        if (tree.points.word(row, d) != points.word(point.value, d)) fault("the words of a point are others");
    }
    if (more == 1 && wrong_neighbours(ranks, tree, whole, number, one, points.size() - expected.removed.size()) > 0)
      fault("other neighbours");
  }
  return wrong;
}

/// Returns how many faults this rank finds in the trees that the ranks build on executors: on CUDA devices if `on_cuda`
/// is set, else on the host. expected: the tree of one process.
std::uint32_t faults_on_executors(cluster::Communicator& ranks, const DataSet& whole, std::uint32_t number,
                                  [[maybe_unused]] bool on_cuda, cluster::Place& place,
                                  const std::shared_ptr<const Tree>& expected) {
  const PointSet& points = whole.points;
  const std::uint64_t expected_hash = tree_hash(expected->as<LeftBalancedTree>());
  std::uint32_t wrong = 0;
  const auto fault = [&](const std::string& what) {
    std::printf("%s, on executors: %s on rank %u\n", specification(number).c_str(), what.c_str(), ranks.rank());
    ++wrong;
  };
  // As in large builds; with samples so small that brackets miss; and with lists that have no room, so that passes read
  // all points again. The CPU builds each set in two of these ways, devices, which ranks may share, in one
  const cluster::ExecutorSizes ways[] = {{}, {{64, 64, 64, 16}, 1, 2, 4}, {{64, 256, 64, 4}, 1, 1, 1u << 30}};
  for (std::uint32_t way = 0; way < 3; ++way) {
    if (on_cuda ? number / 3 % 3 != way : way > 0 && number / 2 % 2 != way - 1) continue;
    const cluster::ExecutorSizes& sizes = ways[way];
    const cluster::PointShare share = own_share(ranks, points, number);
    std::unique_ptr<cluster::ExecutorBuild> there;
#if defined(KDSCOPE_HAS_CUDA)
    if (on_cuda) {
      const std::size_t devices = find_cuda_devices().devices.size();
      place.device = static_cast<int>(ranks.rank_on_host() % devices);
      place.way = way == 0 ? cluster::Way::automatic : cluster::Way::host;
      there = cluster::executor_build_on_cuda(ranks, share.points, share.first, {}, sizes, {}, place.device);
    }
#endif
    if (!there) there = cluster::executor_build_on_cpu(ranks, share.points, share.first, {}, sizes, {});
    there->connect(place);
    for (int repeat = way == 0 ? 2 : 1; repeat > 0; --repeat) there->build();
    if (number == 10 && ranks.rank() == 0) std::printf("points travel by %s\n", there->way().c_str());
    if (there->hash() != expected_hash) fault("another tree");
    const cluster::TreeShare tree = there->download();
    if (cluster::tree_hash_of(ranks, tree) != expected_hash) fault("another tree on the host");
    if (ranks.sum(std::uint64_t{tree.node.size()}) != points.size()) fault("not one row per point");
    for (std::size_t row = 0; row < tree.node.size(); ++row)
      for (std::uint32_t d = 0; d < points.dim; ++d)
        if (tree.points.word(row, d) != points.word(tree.point_of_node[row].value, d)) {
          fault("the words of a point are others");
          break;
        }
    if (number % 10 == 3 && wrong_neighbours(ranks, tree, whole, number, expected, points.size()) > 0)
      fault("other neighbours");
  }
  return wrong;
}

}  // namespace

/// With the argument cuda, the builds on executors run on CUDA devices, and the others are left out. A second argument
/// is the number of sets.
int main(int argc, char** argv) {
  const bool on_cuda = argc > 1 && std::string(argv[1]) == "cuda";
  if (const CudaDevices found = find_cuda_devices(); on_cuda && found.devices.empty()) {
    std::printf("skipped: %s\n", found.status.c_str());
    return 77;
  }
  cluster::Communicator ranks(argc, argv);
  const std::uint32_t sets = argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 50;
  cluster::Place place;
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
    const auto build_alone = [data = std::make_shared<const DataSet>(whole)](const Parameters& parameters) {
      return build({{}, "wald", parameters, Backend::cpu, false, data}).value();
    };
    const auto one = std::make_shared<const Tree>(build_alone({}).tree);
    wrong += faults_on_executors(ranks, whole, number, on_cuda, place, one);
    if (on_cuda) continue;
    const auto at = [&](std::uint64_t point) {
      return whole.points.words.begin() + static_cast<std::ptrdiff_t>(point * stride);
    };
    const rank::RankOptions options = options_of(number);
    const cluster::TreeShare tree = cluster::build_by_rank(ranks, own_share(ranks, whole.points, number), options, {});
    const std::uint64_t hash = cluster::tree_hash_of(ranks, tree);
    if (ranks.sum(std::uint64_t{tree.node.size()}) != n) ++wrong;
    // -0 counts as 0 in hashes: compare the words of the records as well
    for (std::size_t row = 0; row < tree.node.size(); ++row)
      wrong += !std::equal(tree.points.words.begin() + static_cast<std::ptrdiff_t>(row * stride),
                           tree.points.words.begin() + static_cast<std::ptrdiff_t>((row + 1) * stride),
                           at(tree.point_of_node[row].value));
    if (const std::uint32_t other = wrong_neighbours(ranks, tree, whole, number, one, n); other > 0) {
      std::printf("%s: %u queries of rank %u have other neighbours\n", name.c_str(), other, ranks.rank());
      ++wrong;
    }
    wrong += faults_of_brown(ranks, whole, number);
    if (ranks.rank() != 0) continue;
    const bool widest = options.split == Split::widest;
    const std::uint64_t expected =
        widest ? build_alone({{"split", "widest"}}).tree_hash : tree_hash(one->as<LeftBalancedTree>());
    if (expected == hash) continue;
    std::printf("%s, %s: %u ranks build the tree %s, one process %s\n", name.c_str(), widest ? "widest" : "round-robin",
                ranks.size(), hash_text(hash).c_str(), hash_text(expected).c_str());
    ++wrong;
  }
  const std::uint64_t all_wrong = ranks.sum(std::uint64_t{wrong});
  if (ranks.rank() == 0)
    std::printf("%u sets on %u ranks, %u faults\n", sets, ranks.size(), static_cast<unsigned>(all_wrong));
  return all_wrong == 0 ? 0 : 1;
}
