#include <algorithm>
#include <cmath>

#include "algorithms/core/vector3.hpp"
#include "datasets/datasets.hpp"
#include "datasets/generators/counter_hash.hpp"
#include "datasets/specification.hpp"

namespace kdscope {
namespace {

const DataSource eye_rays{"eye-rays",
                          "Eye rays",
                          "Rays from one eye through the pixels of a picture of the scene.",
                          true,
                          false,
                          {integer_parameter("width", "Pixels in a row.", 640, 1, 16384),
                           integer_parameter("height", "Rows.", 480, 1, 16384)}};
const DataSource random_rays{
    "random-rays",
    "Random rays",
    "Rays from places in and around the scene's box to places inside it.",
    true,
    false,
    {integer_parameter("n", "Number of rays.", 100'000, 1, 1 << 28, "rays"),
     integer_parameter("seed", "Chooses the random numbers.", 1, 0, std::int64_t{0x7fffffffffffffff})}};

/// Collects rays as records of a scene's type.
class RayCollector {
 public:
  RayCollector(const DataSet& scene, std::string name) {
    rays_.name = std::move(name);
    rays_.points.type = scene.points.type;
    rays_.points.dim = 6;
  }
  void add(Vector3 origin, Vector3 direction) {
    for (const double value : {origin.x, origin.y, origin.z, direction.x, direction.y, direction.z})
      rays_.points.words.push_back(
          rays_.points.type == ScalarType::float32
              ? word_of(static_cast<float>(value))
              : word_of(static_cast<std::int32_t>(std::clamp(std::round(value), -2147483647.0, 2147483647.0))));
  }
  DataSet finish() { return std::move(rays_); }

 private:
  DataSet rays_;
};

/// The eye looks at the middle of the box from the front, a little from the right and from above. The box just fits
/// into the picture.
DataSet make_eye_rays(const DataSet& scene, const ParameterValues& values) {
  const auto width = values.integer("width"), height = values.integer("height");
  const Box box = bounding_box(scene.points);
  const Vector3 low{box.lo[0], box.lo[1], box.lo[2]}, high{box.hi[0], box.hi[1], box.hi[2]};
  const Vector3 middle = 0.5 * (low + high), away{0.45, 0.35, 0.82};
  const double radius = std::max(0.5 * length(high - low), 1e-30), distance = 2.5 * radius;
  const Vector3 backward = (1 / length(away)) * away, sideways = cross({0, 1, 0}, backward);
  const Vector3 right = (1 / length(sideways)) * sideways, up = cross(backward, right);
  const Vector3 eye = middle + distance * backward;
  double pixel = 0;  // its side, in the plane through the middle
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Vector3 at{corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z};
    const Vector3 from_eye = at - eye;
    const double scale = distance / -dot(from_eye, backward);
    pixel = std::max({pixel, 2 * scale * std::abs(dot(from_eye, right)) / static_cast<double>(width),
                      2 * scale * std::abs(dot(from_eye, up)) / static_cast<double>(height)});
  }
  if (pixel == 0) pixel = 1;
  RayCollector rays(scene, values.canonical());
  constexpr std::int64_t tile_width = 8, tile_height = 4;
  for (std::int64_t top = 0; top < height; top += tile_height)
    for (std::int64_t left = 0; left < width; left += tile_width)
      for (std::int64_t y = top; y < std::min(height, top + tile_height); ++y)
        for (std::int64_t x = left; x < std::min(width, left + tile_width); ++x) {
          const double across = (static_cast<double>(x) + 0.5 - static_cast<double>(width) / 2) * pixel,
                       upward = (static_cast<double>(height) / 2 - static_cast<double>(y) - 0.5) * pixel;
          rays.add(eye, across * right + upward * up - distance * backward);
        }
  return rays.finish();
}

/// The box is enlarged by a quarter of its longest side for the origins.
DataSet make_random_rays(const DataSet& scene, const ParameterValues& values) {
  const Box box = bounding_box(scene.points);
  double around = 0;
  for (std::size_t d = 0; d < 3; ++d) around = std::max(around, (box.hi[d] - box.lo[d]) / 4);
  if (around == 0) around = 1;
  const CounterHash random(static_cast<std::uint64_t>(values.integer("seed")), 0);
  RayCollector rays(scene, values.canonical());
  for (std::uint64_t ray = 0; ray < static_cast<std::uint64_t>(values.integer("n")); ++ray) {
    double from[3], to[3];
    for (std::uint64_t d = 0; d < 3; ++d) {
      const double side = box.hi[d] - box.lo[d];
      from[d] = box.lo[d] - around + (side + 2 * around) * random.unit(6 * ray + d);
      to[d] = box.lo[d] + side * random.unit(6 * ray + 3 + d);
    }
    const Vector3 origin{from[0], from[1], from[2]};
    rays.add(origin, Vector3{to[0], to[1], to[2]} - origin);
  }
  return rays.finish();
}

}  // namespace

Result<std::shared_ptr<const DataSet>> open_queries(const std::string& specification, const DataSet& scene) try {
  const std::string name = specification.substr(0, specification.find(':'));
  const DataSource* source = name == eye_rays.id ? &eye_rays : name == random_rays.id ? &random_rays : nullptr;
  if (!source) {
    auto queries = open_data_set(specification);
    if (queries)
      if (auto same = check_same_origin(scene, **queries); !same) return same.error();
    return queries;
  }
  if (scene.points.dim != 3 || scene.points.size() == 0)
    return Error{ErrorKind::bad_input, "rays need a scene in three dimensions", specification,
                 "choose another scene, or queries from a file"};
  const ParameterValues values(*source,
                               std::string_view(specification).substr(std::min(specification.size(), name.size() + 1)));
  return std::make_shared<const DataSet>(source == &eye_rays ? make_eye_rays(scene, values)
                                                             : make_random_rays(scene, values));
} catch (const ErrorException& e) {
  return e.error();
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::out_of_memory, "the rays do not fit in memory", specification, "ask for fewer rays"};
}

}  // namespace kdscope
