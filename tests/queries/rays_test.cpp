// Tests rays through trees of split planes against all triangles.
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/split_planes/triangle_hit.hpp"
#include "tests/queries/brute_force.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

struct Vector {
  long double x, y, z;
  Vector operator-(const Vector& b) const { return {x - b.x, y - b.y, z - b.z}; }
  Vector cross(const Vector& b) const { return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x}; }
  long double dot(const Vector& b) const { return x * b.x + y * b.y + z * b.z; }
};

/// Returns the distance of a ray's first hit, or -1, by the signed volumes that the ray spans with a triangle's edges.
long double first_hit(const DataSet& scene, const PointSet& rays, std::size_t ray) {
  const auto vector = [](const PointSet& from, std::size_t i, std::uint32_t d) {
    return Vector{from.value(i, d), from.value(i, d + 1), from.value(i, d + 2)};
  };
  const Vector o = vector(rays, ray, 0), direction = vector(rays, ray, 3);
  long double first = -1;
  for (std::size_t t = 0; t < scene.triangles.size(); t += 3) {
    const Vector a = vector(scene.points, scene.triangles[t], 0) - o,
                 b = vector(scene.points, scene.triangles[t + 1], 0) - o,
                 c = vector(scene.points, scene.triangles[t + 2], 0) - o;
    const long double u = direction.dot(c.cross(b)), v = direction.dot(a.cross(c)), w = direction.dot(b.cross(a));
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) continue;
    if (u + v + w == 0) continue;
    const long double distance =
        (u * a.dot((b - a).cross(c - a)) + v * b.dot((b - a).cross(c - a)) + w * c.dot((b - a).cross(c - a))) /
        ((u + v + w) * direction.dot((b - a).cross(c - a)));
    if (distance >= 0 && (first < 0 || distance < first)) first = distance;
  }
  return first;
}

/// Rays in all directions: random ones, along an axis, in split planes, through corners and the middles of edges.
std::shared_ptr<const DataSet> hard_rays(const DataSet& scene, const SplitPlaneTree& tree, std::size_t count) {
  auto rays = std::make_shared<DataSet>(*open_queries("random-rays:n=" + std::to_string(count), scene).value());
  PointSet& points = rays->points;
  const auto set = [&](std::size_t ray, std::uint32_t d, double value) {
    points.words[6 * ray + d] = word_of(static_cast<float>(value));
  };
  for (std::size_t ray = 0; ray < count; ++ray) {
    const auto axis = static_cast<std::uint32_t>(ray / 8 % 3);
    const std::size_t triangle = ray * 7919 % (scene.triangles.size() / 3);
    const auto corner = [&](std::size_t c, std::uint32_t d) {
      return scene.points.value(scene.triangles[3 * triangle + c % 3], d);
    };
    if (ray % 8 == 1)  // along an axis
      for (std::uint32_t d = 0; d < 3; ++d) set(ray, 3 + d, d == axis ? (ray % 16 == 1 ? 1 : -0.5) : 0);
    if (ray % 8 == 2) {  // in a split plane
      std::uint32_t node = static_cast<std::uint32_t>(ray * 31 % tree.size());
      while (tree.is_leaf(node) && tree.parent[node] != no_id) node = tree.parent[node];
      if (!tree.is_leaf(node)) {
        points.words[6 * ray + tree.split_dim[node]] = tree.split_value[node];
        set(ray, 3 + tree.split_dim[node], 0);
      }
    }
    for (std::uint32_t d = 0; d < 3; ++d) {
      const double origin = points.value(ray, d);
      if (ray % 8 == 3) set(ray, 3 + d, corner(ray, d) - origin);
      if (ray % 8 == 4) set(ray, 3 + d, (corner(ray, d) + corner(ray + 1, d)) / 2 - origin);
      if (ray % 8 == 5) {  // along an axis through a corner
        if (d != axis) set(ray, d, corner(ray, d));
        set(ray, 3 + d, d == axis ? 1 : 0);
      }
      if (ray % 8 == 6) set(ray, d, corner(ray, d));  // from a corner on
    }
  }
  return rays;
}

void check_scene(Backend backend, const std::string& spec, std::size_t count, bool independently) {
  INFO(spec);
  const auto scene = data_of(spec);
  SearchRequest request;
  request.backend = backend;
  request.tree = tree_over("zhou-sah", scene);
  request.queries = hard_rays(*scene, request.tree->as<SplitPlaneTree>(), count);
  for (const SearchQuestion question : {SearchQuestion::nearest_hit, SearchQuestion::any_hit}) {
    request.question = question;
    // Packets of rays that lie together, and of rays that have nothing in common.
    request.search = "ray-packet";
    for (const QueryOrder order : {QueryOrder::given, QueryOrder::morton}) {
      request.order = order;
      const auto together = search(request).value();
      CHECK(difference_of(request, together, *scene) == "");
    }
    request.order = QueryOrder::given;
    request.search = "ray-stack";
    const auto found = search(request).value();
    CHECK(difference_of(request, found, *scene) == "");
    CHECK(found.found.size() > count / 10);
    if (question == SearchQuestion::any_hit || !independently) continue;
    std::size_t differ = 0, compared = 0;
    for (std::size_t ray = 0; ray < count; ++ray) {
      // The sums are rounded, so that a ray through an edge or a corner may just hit or miss.
      if (ray % 8 >= 2 && ray % 8 <= 6) continue;
      ++compared;
      const long double distance = first_hit(*scene, request.queries->points, ray);
      const bool hits = found.offsets[ray] < found.offsets[ray + 1];
      if (hits != (distance >= 0) ||
          (hits && std::abs(found.distances[found.offsets[ray]] - static_cast<double>(distance)) >
                       1e-5 * (1 + std::abs(static_cast<double>(distance)))))
        ++differ;
    }
    CHECK(differ == 0);
    CHECK(compared > count / 4);
  }
}

}  // namespace

TEST_CASE("rays: hits equal those among all triangles") {
  for (const char* spec : {"zhou-4", "zhou-8", "triangles:n=300,seed=2", "toys"}) {
    if (!open_data_set(spec)) FAIL(spec);
    check_scene(Backend::cpu, spec, 2000, true);
  }
}

TEST_CASE("rays: those beside a plane by less than a double's precision hit what they hit among all triangles") {
  // Roofs on both sides of the plane z = 0, whose edges lie in it.
  auto scene = std::make_shared<DataSet>();
  scene->name = "roofs";
  scene->points.dim = 3;
  const auto add = [&](double x, double y, double z) {
    for (const double value : {x, y, z}) scene->points.words.push_back(word_of(static_cast<float>(value)));
    scene->triangles.push_back(static_cast<std::uint32_t>(scene->triangles.size()));
  };
  for (int i = 0; i < 60; ++i) {
    const double at = 0.1 * i, height = (i % 2 == 0 ? 1 : -1) * (0.01 + 0.003 * (i % 7));
    add(at, 0.3 * (i % 3), 0), add(at + 0.05, 1 - 0.1 * (i % 4), 0), add(at + 0.02, 0.5, height);
  }
  SearchRequest request;
  request.backend = Backend::cpu;
  request.tree = tree_over("zhou-sah", scene);
  auto rays = std::make_shared<DataSet>();
  rays->points.dim = 6;
  for (const double z : {0.0, 1e-45, -1e-45, 1e-30, -1e-30, 1e-19, -1e-19})
    for (const double dz : {0.0, 1e-45, -1e-45, 1e-21, -1e-21})
      for (int i = 0; i < 40; ++i)
        for (const double value : {-1.0, 0.02 * i + 0.1, z, 1.0, 0.001 * (i % 5), dz})
          rays->points.words.push_back(word_of(static_cast<float>(value)));
  request.queries = rays;
  for (const SearchQuestion question : {SearchQuestion::nearest_hit, SearchQuestion::any_hit}) {
    request.question = question;
    const auto found = search(request).value();
    CHECK(difference_of(request, found, *scene) == "");
    CHECK(found.found.size() > rays->points.size() / 10);
  }
}

TEST_CASE("rays: a triangle is not hit outside its box, nor where rounding hides the distance") {
  // Rounded to double, this ray passes through the edge in the plane z = 0; it runs above it, and the triangle is
  // below.
  const float below[3][3] = {{1.25409389f, -0.111059628f, -0.00444444455f},
                             {1.26199567f, -0.110637844f, 0.0f},
                             {1.25936162f, -0.115145676f, 0.0f}};
  const float above[3][3] = {{1.25936162f, -0.115145676f, 0.0f},
                             {1.26199567f, -0.110637844f, 0.0f},
                             {1.26643431f, -0.112503663f, 0.0144444443f}};
  for (const float z : {1.40129846e-45f, 0.0f, -1.40129846e-45f}) {
    INFO(z);
    const RayNumbers<float> ray{{4.31770897f, -3.52783465f, z}, {-4.87192011f, 5.4419055f, 0.0f}};
    CHECK((hit_triangle(ray, [&](int c, int d) { return below[c][d]; }) >= 0) == (z <= 0));
    CHECK((hit_triangle(ray, [&](int c, int d) { return above[c][d]; }) >= 0) == (z >= 0));
  }
  // A ray in the plane of a triangle, turned by so little that its distance is all rounding.
  const float flat[3][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  for (const auto& [slope, hits] : {std::pair{0.0f, false}, {1e-12f, false}, {1e-6f, true}, {-1e-6f, false}}) {
    const RayNumbers<float> ray{{-1, 0.25f, 1 - 1e-6f}, {1, 0, slope}};
    INFO(slope);
    CHECK((hit_triangle(ray, [&](int c, int d) { return flat[c][d]; }) >= 0) == hits);
  }
}

TEST_CASE("rays: one that begins on a triangle hits it at 0, from either side and with either winding") {
  constexpr float corners[2][3][3] = {{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, {{0, 0, 1}, {0, 4, 1}, {4, 0, 1}}};
  for (const auto& triangle : corners)
    for (const float towards : {1.0f, -1.0f}) {
      const RayNumbers<float> ray{{1, 1, 1}, {0, 0, towards}};
      const float distance = hit_triangle(ray, [&](int c, int d) { return triangle[c][d]; });
      CHECK(distance == 0);
      CHECK_FALSE(std::signbit(distance));
    }
}

TEST_CASE("rays: 100,000 per scene hit what they hit among all triangles", "[.][slow]") {
  for (const char* spec : {"toys", "museum", "robots", "kitchen", "fairy-forest", "dragon"})
    check_scene(Backend::automatic, spec, 100'000, false);
}

DEVICE_CASE("rays: hits equal those among all triangles on CUDA") {
  for (const char* spec : {"zhou-4", "zhou-8", "triangles:n=300,seed=2", "toys"})
    check_scene(Backend::cuda, spec, 20'000, false);
}

TEST_CASE("rays: a packet of one ray walks as the ray alone does") {
  const auto scene = data_of("toys");
  SearchRequest request;
  request.backend = Backend::cpu;
  request.tree = tree_over("zhou-sah", scene);
  for (std::size_t ray = 0; ray < 60; ++ray) {
    const auto rays = hard_rays(*scene, request.tree->as<SplitPlaneTree>(), 61);
    auto one = std::make_shared<DataSet>();
    one->points.dim = 6;
    one->points.words.assign(rays->points.words.begin() + static_cast<std::ptrdiff_t>(6 * ray),
                             rays->points.words.begin() + static_cast<std::ptrdiff_t>(6 * ray + 6));
    request.queries = one;
    for (const SearchQuestion question : {SearchQuestion::nearest_hit, SearchQuestion::any_hit}) {
      request.question = question;
      std::vector<std::vector<SearchEvent>> walks;
      for (const char* id : {"ray-stack", "ray-packet"}) {
        request.search = id;
        const auto log = log_search(request, 1u << 16).value();
        walks.push_back(log.events);
        std::erase_if(walks.back(), [](const SearchEvent& e) { return e.kind == EventKind::prune; });
      }
      INFO("ray " << ray);
      CHECK(walks[0] == walks[1]);
    }
  }
}

TEST_CASE("rays: questions about points are refused for triangles, and the other way round") {
  SearchRequest request;
  const auto scene = data_of("zhou-8");
  request.tree = tree_over("zhou-sah", scene);
  request.queries = scene;
  auto refused = search(request);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message().find("the tree is over triangles") != std::string::npos);
  request.tree = tree_over("zhou-vvh", data_of("uniform:n=50,dim=3"));
  request.question = SearchQuestion::nearest_hit;
  refused = search(request);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message().find("the tree is over points") != std::string::npos);
  request.tree = tree_over("zhou-sah", scene);
  refused = search(request);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message().find("give an origin and a direction") != std::string::npos);
}
