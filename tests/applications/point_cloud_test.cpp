// Tests normals and densities of point clouds against surfaces whose normals are known, and against brute force.
#include "algorithms/applications/point_clouds/point_cloud.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "algorithms/applications/device_arrays.hpp"
#include "algorithms/applications/point_clouds/orientation.hpp"
#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"
#include "datasets/generators/counter_hash.hpp"
#include "datasets/generators/direction.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;

namespace {

struct Sample {
  double at[3], normal[3];
};

/// A cloud of n samples of a surface, with their normals. place: of two numbers in [0, 1).
struct Sampled {
  std::shared_ptr<DataSet> set = std::make_shared<DataSet>();
  std::vector<Sample> samples;

  Sampled(std::uint32_t n, const std::function<Sample(double, double)>& place) {
    set->name = "samples";
    set->points.dim = 3;
    for (std::uint32_t i = 0; i < n; ++i) {
      // Evenly spread: a lattice by the golden ratio
      const double u = (i + 0.5) / n, v = i * 0.6180339887498949 - std::floor(i * 0.6180339887498949);
      samples.push_back(place(u, v));
      for (const double c : samples.back().at) set->points.words.push_back(word_of(static_cast<float>(c)));
    }
  }
};

Sample on_sphere(double u, double v) {
  const double z = 2 * u - 1, r = std::sqrt(1 - z * z);
  const Direction d = direction(v);
  return {{r * d.cosine, r * d.sine, z}, {r * d.cosine, r * d.sine, z}};
}
Sample on_plane(double u, double v) { return {{u, v, 0.5 * u + 0.25 * v}, {-0.5, -0.25, 1}}; }
Sample on_torus(double u, double v) {
  const Direction around = direction(u), section = direction(v);
  const double r = 1 + 0.4 * section.cosine;
  return {{r * around.cosine, r * around.sine, 0.4 * section.sine},
          {section.cosine * around.cosine, section.cosine * around.sine, section.sine}};
}

Cloud estimated(const std::shared_ptr<const DataSet>& points, std::uint32_t k, Backend backend = Backend::cpu) {
  CloudRequest request;
  request.points = points;
  request.k = k;
  request.backend = backend;
  return estimate_cloud(request).value();
}

/// Cosine of the angle between an estimated normal and the true one.
double cosine(const Cloud& cloud, std::size_t i, const Sample& sample) {
  double dot = 0, square = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    dot += double(cloud.normals[3 * i + d]) * sample.normal[d];
    square += sample.normal[d] * sample.normal[d];
  }
  return dot / std::sqrt(square);
}

}  // namespace

TEST_CASE("point cloud: normals are within a degree of the true ones, all on one side") {
  const double one_degree = std::cos(3.14159265358979 / 180);
  const std::vector<std::pair<const char*, Sampled>> surfaces{{"sphere", Sampled(20'000, on_sphere)},
                                                              {"torus", Sampled(60'000, on_torus)},
                                                              {"plane", Sampled(4'000, on_plane)}};
  for (const auto& [name, surface] : surfaces) {
    INFO(name);
    const Cloud cloud = estimated(surface.set, 16);
    CHECK(cloud.parts == 1);
    double least = 1;
    for (std::size_t i = 0; i < surface.samples.size(); ++i)
      least = std::min(least, cosine(cloud, i, surface.samples[i]));
    CHECK(least >= one_degree);
  }
}

TEST_CASE("point cloud: the radius is that of brute force, and the density follows") {
  const auto data = open_data_set("clustered:n=700,dim=3,seed=4").value();
  const PointSet& points = data->points;
  constexpr std::uint32_t k = 8;
  const Cloud cloud = estimated(data, k);
  double largest = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<double> squares;
    for (std::size_t j = 0; j < points.size(); ++j) {
      double square = 0;
      for (std::uint32_t d = 0; d < 3; ++d)
        square += (points.value(i, d) - points.value(j, d)) * (points.value(i, d) - points.value(j, d));
      squares.push_back(square);
    }
    std::ranges::nth_element(squares, squares.begin() + k);
    const double radius = std::sqrt(squares[k]);
    largest = std::max(largest, radius);
    // The search's radius exceeds that of the last neighbour by at most a 1,024th of the first radius.
    CHECK(cloud.radius[i] >= radius * (1 - 1e-6));
    CHECK(cloud.radius[i] <= radius + 2 * largest);
    CHECK(cloud.density[i] == Approx(k / (double(cloud.radius[i]) * cloud.radius[i])));
  }
}

TEST_CASE("point cloud: parts that no neighbours join are oriented by themselves") {
  Sampled two(4'000, [](double u, double v) {
    Sample sample = on_sphere(u < 0.5 ? 2 * u : 2 * u - 1, v);
    if (u >= 0.5) sample.at[0] += 10;
    return sample;
  });
  const Cloud cloud = estimated(two.set, 10);
  CHECK(cloud.parts == 2);
  for (std::size_t i = 0; i < two.samples.size(); ++i)
    if (cosine(cloud, i, two.samples[i]) < 0.9) FAIL("the normal of point " << i << " points inwards");
}

TEST_CASE("point cloud: few points, equal ones and those of a line have no normal, and end well") {
  const auto cloud_of = [](const std::vector<float>& rows) {
    auto set = std::make_shared<DataSet>();
    set->points = points_from_rows<float>(3, rows);
    set->name = "few";
    return estimated(set, 3);
  };
  const Cloud equal = cloud_of({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(std::ranges::all_of(equal.normals, [](float c) { return c == 0; }));
  CHECK(std::ranges::all_of(equal.density, [](float density) { return std::isinf(density); }));
  for (const auto& line :
       {cloud_of({0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0}),
        // Neither coordinates nor steps are whole numbers, and the line is in no axis' direction.
        cloud_of({0.1f, 0.2f, 0.7f, 0.2f, 0.4f, 0.4f, 0.3f, 0.6f, 0.1f, 0.4f, 0.8f, -0.2f, 0.5f, 1.0f, -0.5f})})
    CHECK(std::ranges::all_of(line.normals, [](float c) { return c == 0; }));
  // A thin strip has a normal.
  const Cloud strip = cloud_of({0, 0, 0, 1, 1e-3f, 0, 2, 0, 0, 3, 1e-3f, 0, 4, 0, 0});
  for (std::size_t i = 0; i < 5; ++i) CHECK(std::abs(strip.normals[3 * i + 2]) == 1);
}

TEST_CASE("point cloud: clusters whose density floats cannot hold are refused; points in one place are counted") {
  const auto estimate = [](const std::vector<float>& rows) {
    auto set = std::make_shared<DataSet>();
    set->points = points_from_rows<float>(3, rows);
    set->name = "tiny";
    return estimate_cloud({.points = set, .k = 3, .backend = Backend::cpu});
  };
  // A lattice of 4 x 4 x 4 points and, far away, three more.
  const auto cluster = [&](float spacing) {
    std::vector<float> rows{1, 0, 0, 0, 1, 0, 1, 1, 0};
    for (int i = 0; i < 64; ++i)
      for (const int at : {i % 4, i / 4 % 4, i / 16}) rows.push_back(spacing * static_cast<float>(at));
    return estimate(rows);
  };
  for (const float spacing : {5e-20f, 1e-21f, 1e-24f, 1e-30f, 1e-44f}) {
    INFO(spacing);
    const auto tiny = cluster(spacing);
    REQUIRE_FALSE(tiny.has_value());
    CHECK(tiny.error().message().find("so close that floats cannot hold the density there") != std::string::npos);
    CHECK(tiny.error().message().find("scale=") != std::string::npos);
  }
  const auto small = cluster(1e-17f);
  REQUIRE(small.has_value());
  CHECK(without_extent(*small) == 0);
  CHECK(small->density[3] == Approx(3e34).epsilon(0.01));
  // Points in one place have their nearest there; the others reach further.
  const auto equal = cluster(0);
  REQUIRE(equal.has_value());
  CHECK(without_extent(*equal) == 64);
  for (std::size_t i = 0; i < equal->density.size(); ++i) CHECK(std::isinf(equal->density[i]) == (i >= 3));
}

TEST_CASE("point cloud: the middle of a lattice has no normal, whatever its spacing and place") {
  // 3 x 3 x 3 points and the six nearest of the one in the middle, which extend alike in all directions.
  for (const float spacing : {1.0f, 0.1f, 0.3f, 1e-3f, 1e6f})
    for (const float place : {0.0f, 0.7f, -3.3f, 100.1f}) {
      INFO("spacing " << spacing << " at " << place);
      std::vector<float> rows;
      for (int x = 0; x < 3; ++x)
        for (int y = 0; y < 3; ++y)
          for (int z = 0; z < 3; ++z)
            for (const int c : {x, y, z}) rows.push_back(place * spacing + static_cast<float>(c) * spacing);
      auto set = std::make_shared<DataSet>();
      set->points = points_from_rows<float>(3, rows);
      const Cloud cloud = estimated(set, 6);
      constexpr std::size_t middle = 13;
      for (std::size_t d = 0; d < 3; ++d) CHECK(cloud.normals[3 * middle + d] == 0);
    }
}

TEST_CASE("point cloud: more neighbours than there are other points are refused") {
  CloudRequest request;
  request.backend = Backend::cpu;
  const auto refused = [&](const char* data, std::uint32_t k) {
    request.points = *open_data_set(data);
    request.k = k;
    const auto cloud = estimate_cloud(request);
    REQUIRE(!cloud);
    CHECK(cloud.error().kind == ErrorKind::bad_usage);
    return cloud.error().message();
  };
  CHECK(refused("uniform:n=3,dim=3", 10).find("k is 10, and each of the 3 points has only 2 others") !=
        std::string::npos);
  CHECK(refused("uniform:n=3,dim=3", 3).find("take at least 4 points") != std::string::npos);
  CHECK(refused("uniform:n=10,dim=3", 10).find("at most 9 neighbours") != std::string::npos);
  CHECK(estimated(*open_data_set("uniform:n=10,dim=3"), 9).density.size() == 10);
}

TEST_CASE("point cloud: what has no normals is refused with one sentence") {
  CloudRequest request;
  request.backend = Backend::cpu;
  for (const char* data : {"uniform:n=10,dim=2", "uniform:n=10,dim=3,type=int"}) {
    request.points = *open_data_set(data);
    const auto refused = estimate_cloud(request);
    REQUIRE(!refused);
    CHECK(refused.error().kind == ErrorKind::bad_input);
  }
  request.points = *open_data_set("uniform:n=10,dim=3");
  request.k = 2;
  REQUIRE(!estimate_cloud(request));
  CHECK(estimate_cloud(request).error().message().find("2 neighbours give no normal") != std::string::npos);
}

DEVICE_CASE("point cloud: normals on CUDA are those of the CPU, bit for bit", "[sanitize]") {
  const auto data = open_data_set("bunny:sample=3000,seed=2").value();
  const Cloud expected = estimated(data, 10), cloud = estimated(data, 10, Backend::cuda);
  CHECK(cloud.normals == expected.normals);
  CHECK(cloud.radius == expected.radius);
  CHECK(cloud.parts == expected.parts);
}

DEVICE_CASE("point cloud: few points, and equal ones, on CUDA", "[sanitize]") {
  for (const std::vector<float>& rows :
       {std::vector<float>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.5f}}) {
    INFO(rows.size() / 3 << " points");
    auto set = std::make_shared<DataSet>();
    set->points = points_from_rows<float>(3, rows);
    const Cloud expected = estimated(set, 3), cloud = estimated(set, 3, Backend::cuda);
    CHECK(cloud.normals == expected.normals);
    CHECK(cloud.radius == expected.radius);
    CHECK(cloud.parts == expected.parts);
  }
}

namespace {

/// A graph of neighbours with normals, and which of them to turn.
struct Graph {
  std::uint32_t n = 0, k = 0;
  std::vector<float> coordinates, normals;
  std::vector<std::uint32_t> neighbours;

  double cosine(std::uint32_t i, std::uint32_t j) const {
    return double(normals[3 * i]) * normals[3 * j] + double(normals[3 * i + 1]) * normals[3 * j + 1] +
           double(normals[3 * i + 2]) * normals[3 * j + 2];
  }
};

/// Prim's algorithm by brute force, from the highest point of each part. Returns the number of parts and which normals
/// are turned.
std::pair<std::uint32_t, std::vector<bool>> reference_turns(const Graph& graph, std::uint32_t up) {
  std::vector<std::uint32_t> order(graph.n);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t i) { return graph.coordinates[3 * i + up]; });
  std::vector<bool> reached(graph.n), turned(graph.n);
  std::uint32_t parts = 0;
  for (const std::uint32_t top : order) {
    if (reached[top]) continue;
    ++parts;
    reached[top] = true;
    turned[top] = graph.normals[3 * top + up] < 0;
    for (;;) {
      // Among edges with one end reached, take the cheapest, and among equal ones the first in the lists
      constexpr std::uint32_t none = ~0u;
      double least = 0;
      std::uint32_t place = none;
      for (std::uint32_t at = 0; at < graph.n * graph.k; ++at) {
        const std::uint32_t i = at / graph.k, j = graph.neighbours[at];
        if (j == no_id || reached[i] == reached[j]) continue;
        const double cost = 1 - std::abs(graph.cosine(i, j));
        if (place == none || cost < least) least = cost, place = at;
      }
      if (place == none) break;
      std::uint32_t from = place / graph.k, to = graph.neighbours[place];
      if (reached[to]) std::swap(from, to);
      reached[to] = true;
      turned[to] = turned[from] != (graph.cosine(from, to) < 0);
    }
  }
  return {parts, turned};
}

enum class Neighbours { random, chain, all };

/// Normals of few different values, so that many edges cost the same, and neighbours at random, some of them listed
/// twice. Products of their coordinates are exact, so that doubles and floats agree. With `chain`, the only neighbour
/// is the next point, and the cheapest edge of each part leads to the same side. With `all`, every pair is an edge.
Graph random_graph(std::uint64_t seed, Neighbours kind) {
  Graph graph;
  std::uint64_t count = 0;
  const auto below = [&](std::uint32_t limit) {
    return static_cast<std::uint32_t>(mix64(seed * 1000003 + ++count) % limit);
  };
  const bool chain = kind == Neighbours::chain, all = kind == Neighbours::all;
  graph.n = 1 + below(chain ? 300 : all ? 24 : 60);
  graph.k = chain ? 1 : all ? graph.n : 1 + below(4);
  for (std::uint32_t i = 0; i < graph.n; ++i) {
    for (int d = 0; d < 3; ++d) {
      graph.coordinates.push_back(static_cast<float>(below(5)) - 2);
      graph.normals.push_back((static_cast<float>(below(chain ? 65 : 9)) - (chain ? 32 : 4)) / (chain ? 64 : 8));
    }
    for (std::uint32_t rank = 0; rank < graph.k; ++rank) {
      const std::uint32_t j = chain ? i + 1 : all ? rank : below(graph.n + graph.n / 8);
      graph.neighbours.push_back(j == i || j >= graph.n ? no_id : j);
    }
  }
  return graph;
}

}  // namespace

TEST_CASE("point cloud: normals turn as along the spanning tree that brute force finds") {
  CpuExec exec;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Graph graph = random_graph(seed, Neighbours(seed % 4 % 3));
    const auto up = static_cast<std::uint32_t>(seed % 3);
    INFO("seed " << seed << ", " << graph.n << " points of " << graph.k << " neighbours");
    const auto neighbours = uploaded(exec, "neighbours", graph.neighbours);
    const auto normals = uploaded(exec, "normals", graph.normals);
    std::vector<std::uint32_t> words;
    for (const float c : graph.coordinates) words.push_back(word_of(c));
    const auto there = uploaded(exec, "words", words);
    const std::uint32_t parts = point_clouds::orient_normals(
        exec, {graph.n, graph.k, there.data(), neighbours.data(), normals.data()}, up, normals.data());
    const auto [expected_parts, turned] = reference_turns(graph, up);
    REQUIRE(parts == expected_parts);
    for (std::size_t i = 0; i < graph.normals.size(); ++i)
      REQUIRE(normals.data()[i] == (turned[i / 3] ? -graph.normals[i] : graph.normals[i]));
  }
}
