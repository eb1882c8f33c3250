// Tests that rays through the edges and corners of closed meshes hit them. Coordinates are whole numbers of at most 12
// bits, so the reference decides with 64-bit integers.
#include <array>
#include <map>
#include <random>
#include <set>

#include "algorithms/trees/split_planes/triangle_hit.hpp"
#include "tests/queries/brute_force.hpp"
#include "tests/support/cases.hpp"

namespace kdscope::watertight_test {
using namespace kdscope::tests;

namespace {

using Place = std::array<std::int64_t, 3>;

Place operator-(const Place& a, const Place& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
std::int64_t determinant(const Place& a, const Place& b, const Place& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// A closed mesh of triangles over whole numbers.
struct Mesh {
  std::vector<Place> places;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// An octahedron around the origin, each face cut into 4^levels triangles whose corners are moved at random. A corner
/// is shared, so the mesh stays closed, though faces may cross.
Mesh rough_ball(int levels, int size, std::uint32_t seed) {
  Mesh mesh;
  std::mt19937 random(seed);
  const int unit = 1 << levels;
  std::map<Place, std::uint32_t> index_of;
  const auto corner = [&](const Place& at) {
    const auto [entry, is_new] = index_of.try_emplace(at, static_cast<std::uint32_t>(mesh.places.size()));
    if (is_new) {
      Place moved;
      for (int d = 0; d < 3; ++d)
        moved[d] = at[d] * size / unit + static_cast<std::int64_t>(random() % static_cast<unsigned>(size / unit / 2));
      mesh.places.push_back(moved);
    }
    return entry->second;
  };
  for (int octant = 0; octant < 8; ++octant) {
    const auto at = [&](int x, int y) {
      return corner({(octant & 1 ? -1 : 1) * x, (octant & 2 ? -1 : 1) * y, (octant & 4 ? -1 : 1) * (unit - x - y)});
    };
    for (int x = 0; x < unit; ++x)
      for (int y = 0; x + y < unit; ++y) {
        mesh.triangles.push_back({at(x, y), at(x + 1, y), at(x, y + 1)});
        if (x + y + 1 < unit) mesh.triangles.push_back({at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)});
      }
  }
  return mesh;
}

/// A ray of whole numbers.
struct WholeRay {
  Place origin, direction;
};

/// The exact multiple at which a ray first hits the mesh, as a fraction; the divisor is 0 if it hits nothing.
struct Fraction {
  std::int64_t number = 0, divisor = 0;
};
Fraction exact_hit(const Mesh& mesh, const WholeRay& ray) {
  Fraction first;
  for (const auto& triangle : mesh.triangles) {
    const Place a = mesh.places[triangle[0]] - ray.origin, b = mesh.places[triangle[1]] - ray.origin,
                c = mesh.places[triangle[2]] - ray.origin;
    const std::int64_t u = determinant(ray.direction, b, c), v = determinant(ray.direction, c, a),
                       w = determinant(ray.direction, a, b);
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) continue;
    Fraction hit{determinant(a, b, c), u + v + w};
    if (hit.divisor == 0) continue;
    if (hit.divisor < 0) hit = {-hit.number, -hit.divisor};
    if (hit.number < 0) continue;
    if (first.divisor == 0 || static_cast<long double>(hit.number) * static_cast<long double>(first.divisor) <
                                  static_cast<long double>(first.number) * static_cast<long double>(hit.divisor))
      first = hit;
  }
  return first;
}

std::shared_ptr<DataSet> data_set_of(const Mesh& mesh, double scale) {
  auto data = std::make_shared<DataSet>();
  data->name = "rough ball";
  data->points.dim = 3;
  for (const Place& place : mesh.places)
    for (const std::int64_t at : place) data->points.words.push_back(word_of(static_cast<float>(double(at) * scale)));
  for (const auto& triangle : mesh.triangles)
    data->triangles.insert(data->triangles.end(), triangle.begin(), triangle.end());
  return data;
}

/// Rays from places inside and outside to every corner and to the middle and the first quarter of every edge, and from
/// corners.
std::vector<WholeRay> rays_at_edges(const Mesh& mesh, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<WholeRay> rays;
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& t : mesh.triangles)
    for (int c = 0; c < 3; ++c) edges.insert(std::minmax(t[c], t[(c + 1) % 3]));
  const auto place = [&](int reach) {
    Place at;
    for (auto& each : at) each = static_cast<std::int64_t>(random() % (2u * unsigned(reach) + 1)) - reach;
    return at;
  };
  const auto aim = [&](const Place& four_times) {
    for (const int reach : {0, 40, 900}) {
      const Place from = reach == 0 ? Place{} : place(reach);
      rays.push_back({from, four_times - Place{4 * from[0], 4 * from[1], 4 * from[2]}});
    }
  };
  for (const Place& p : mesh.places) {
    aim({4 * p[0], 4 * p[1], 4 * p[2]});
    rays.push_back({p, place(500)});
    rays.push_back({p, Place{random() % 2 == 0 ? 2 : -2, 0, 0}});
  }
  for (const auto& [one, other] : edges) {
    const Place &p = mesh.places[one], &q = mesh.places[other];
    aim({2 * (p[0] + q[0]), 2 * (p[1] + q[1]), 2 * (p[2] + q[2])});
    aim({3 * p[0] + q[0], 3 * p[1] + q[1], 3 * p[2] + q[2]});
  }
  return rays;
}

/// Returns how many rays have another first hit than in exact arithmetic.
std::size_t wrong_hits(Backend backend, std::uint32_t seed, double scale) {
  const Mesh mesh = rough_ball(1 + static_cast<int>(seed % 3), 400, seed);
  const auto scene = data_set_of(mesh, scale);
  const std::vector<WholeRay> rays = rays_at_edges(mesh, seed + 1);
  auto queries = std::make_shared<DataSet>();
  queries->points.dim = 6;
  for (const WholeRay& ray : rays)
    for (const Place& vector : {ray.origin, ray.direction})
      for (const std::int64_t at : vector)
        queries->points.words.push_back(word_of(static_cast<float>(double(at) * scale)));
  SearchRequest request = search_over(tree_over("zhou-sah", scene), queries, 1, backend);
  request.question = SearchQuestion::nearest_hit;
  std::vector<Fraction> exact;
  for (const WholeRay& ray : rays) exact.push_back(exact_hit(mesh, ray));
  std::size_t wrong = 0;
  for (const char* id : {"ray-stack", "ray-packet"}) {
    request.search = id;
    const auto found = search(request).value();
    CHECK(difference_of(request, found, *scene) == "");
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const bool hits = found.offsets[i] < found.offsets[i + 1];
      const double at = exact[i].divisor == 0 ? 0 : double(exact[i].number) / double(exact[i].divisor);
      if (hits != (exact[i].divisor != 0) || (hits && std::abs(found.distances[found.offsets[i]] - at) > 1e-6 * at))
        ++wrong;
    }
  }
  request.question = SearchQuestion::any_hit;
  for (const char* id : {"ray-stack", "ray-packet"}) {
    request.search = id;
    const auto found = search(request).value();
    for (std::size_t i = 0; i < rays.size(); ++i)
      if ((found.offsets[i] < found.offsets[i + 1]) != (exact[i].divisor != 0)) ++wrong;
  }
  return wrong;
}

}  // namespace

TEST_CASE("rays: at every edge and corner of 20 closed meshes, hits are those of exact arithmetic") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    INFO("mesh " << seed);
    CHECK(wrong_hits(Backend::cpu, seed, seed % 2 == 0 ? 1 : 0x1p-9) == 0);
  }
}

DEVICE_CASE("rays: at every edge and corner of closed meshes, hits are those of exact arithmetic on CUDA") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    INFO("mesh " << seed);
    CHECK(wrong_hits(Backend::cuda, seed, seed % 2 == 0 ? 1 : 0x1p-9) == 0);
  }
}

TEST_CASE("rays: far origins and numbers of very different sizes are decided exactly") {
  const auto hit = [](const float(&corners)[3][3], const RayNumbers<float>& ray) {
    return hit_triangle(ray, [&](int c, int d) { return corners[c][d]; });
  };
  // From 2^50 and more sizes away through the middle of a triangle; every 24-bit number is exact there.
  const float wall[3][3] = {{-0.5f, -1, -1}, {-0.5f, 3, -1}, {-0.5f, -1, 3}};
  for (const int away : {10, 40, 44, 48, 51, 60, 100}) {
    INFO(away);
    const float far = std::ldexp(1.0f, away);
    CHECK(hit(wall, {{far, 0, 0}, {-far, 0, 0}}) == Approx(1 + 0.5 / far).epsilon(1e-6));
    CHECK(hit(wall, {{far, far, 0}, {-far, -far, 0}}) == Approx(1 + 0.5 / far).epsilon(1e-6));
    CHECK(hit(wall, {{far, 0, 0}, {far, 0, 0}}) == -1);
    // Twice as far aside as the triangle is large.
    CHECK(hit(wall, {{far, 8, 0}, {-far, 0, 0}}) == -1);
  }
  // Small meshes beside ordinary origins.
  const float speck[3][3] = {{-0x1p-51f, -0x1p-51f, 0}, {0x1p-50f, -0x1p-51f, 0}, {-0x1p-51f, 0x1p-50f, 0}};
  CHECK(hit(speck, {{1, 1, 1}, {-1, -1, -1}}) == Approx(1).epsilon(1e-6));
  CHECK(hit(speck, {{1, 1, 1}, {-1, -1, -0.5f}}) == -1);
  // The edge from (-1, -1, 1) to (1, 1, 1) lies in x = y: beside it by 3.7e-33, on either side.
  const float half[3][3] = {{-1, -1, 1}, {1, 1, 1}, {1, -1, 1}};
  CHECK(hit(half, {{0, 0, 0}, {-3.7e-33f, 0, 1}}) == -1);
  CHECK(hit(half, {{0, 0, 0}, {3.7e-33f, 0, 1}}) == 1);
  CHECK(hit(half, {{0, 0, 0}, {0, 0, 1}}) == 1);
  CHECK(hit(half, {{0, 0, 0}, {1e-45f, 0, 1}}) == 1);
  CHECK(hit(half, {{0, 0, 0}, {0, 1e-45f, 1}}) == -1);
}

TEST_CASE("rays: from inside a sphere and a scan, all rays at edges and corners hit") {
  // Coordinates of all bits of a float: nothing but the absence of holes is known without exact arithmetic.
  for (const char* spec : {"rough", "bunny"}) {
    INFO(spec);
    std::shared_ptr<const DataSet> scene;
    if (spec == std::string("bunny")) {
      scene = data_of(spec);
    } else {
      Mesh ball = rough_ball(3, 400, 7);
      auto data = std::make_shared<DataSet>(*data_set_of(ball, 0.0123));
      for (std::size_t v = 0; v < data->points.size(); ++v) {  // onto a sphere
        double length = 0;
        for (std::uint32_t d = 0; d < 3; ++d) length += data->points.value(v, d) * data->points.value(v, d);
        for (std::uint32_t d = 0; d < 3; ++d)
          data->points.words[3 * v + d] = word_of(static_cast<float>(data->points.value(v, d) / std::sqrt(length)));
      }
      scene = data;
    }
    const Box box = bounding_box(scene->points);
    double middle[3];
    for (int d = 0; d < 3; ++d) middle[d] = spec == std::string("bunny") ? (box.lo[d] + box.hi[d]) / 2 : 0.01 * d;
    auto rays = std::make_shared<DataSet>();
    rays->points.dim = 6;
    for (std::size_t i = 0; i < scene->triangles.size(); i += 1 + scene->triangles.size() / 6000)
      for (const bool edge : {false, true}) {
        const std::uint32_t one = scene->triangles[i], other = scene->triangles[i / 3 * 3 + (i + 1) % 3];
        for (int d = 0; d < 3; ++d) rays->points.words.push_back(word_of(static_cast<float>(middle[d])));
        for (std::uint32_t d = 0; d < 3; ++d) {
          const double a = scene->points.value(one, d), b = scene->points.value(other, d);
          rays->points.words.push_back(
              word_of(static_cast<float>(edge ? (a + b) / 2 : a) - static_cast<float>(middle[d])));
        }
      }
    SearchRequest request = search_over(tree_over("zhou-sah", scene), rays);
    request.question = SearchQuestion::nearest_hit;
    const auto found = search(request).value();
    if (spec == std::string("rough")) CHECK(found.found.size() == rays->points.size());
    // The comparison with all triangles is quadratic; every tenth ray.
    auto some = std::make_shared<DataSet>(*rays);
    some->points.words.clear();
    for (std::size_t ray = 0; ray < rays->points.size(); ray += 10)
      some->points.words.insert(some->points.words.end(), rays->points.words.begin() + std::ptrdiff_t(6 * ray),
                                rays->points.words.begin() + std::ptrdiff_t(6 * ray + 6));
    request.queries = some;
    const auto few = search(request).value();
    CHECK(difference_of(request, few, *scene) == "");
  }
}

}  // namespace kdscope::watertight_test
