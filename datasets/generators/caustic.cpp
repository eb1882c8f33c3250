#include "datasets/generators/caustic.hpp"

#include "algorithms/core/available_memory.hpp"
#include "datasets/generators/counter_hash.hpp"
#include "datasets/generators/direction.hpp"
#include "datasets/generators/parallel_chunks.hpp"

namespace kdscope {

PointSet caustic_photons(std::uint32_t n, std::uint64_t seed) {
  constexpr double lamp_height = 1, wall_height = 0.5;
  PointSet photons;
  photons.type = ScalarType::float32;
  photons.dim = 3;
  require_memory(std::uint64_t{n} * 3 * sizeof(std::uint32_t), "the points");
  photons.words.resize(std::uint64_t{n} * 3);
  const CounterHash random(seed, 0);
  parallel_chunks(n, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      // Seen from the lamp above (-1, 0), the wall at an angle of a to the x axis is 2 cos(a) away, at the angle 2a
      // seen from the ring's centre. There the light turns by 180 degrees less twice a, and it falls as steeply as
      // before.
      const Direction half = direction(0.5 * random.unit(2 * i) - 0.25);
      const double x = 2 * half.cosine * half.cosine - 1, y = 2 * half.cosine * half.sine;
      const double chord = 2 * half.cosine, height = wall_height * random.unit(2 * i + 1);
      const double travelled = chord * height / (lamp_height - height);
      const double in_x = half.cosine, in_y = half.sine, along = in_x * x + in_y * y;
      photons.words[3 * i] = word_of(static_cast<float>(x + travelled * (in_x - 2 * along * x)));
      photons.words[3 * i + 1] = word_of(static_cast<float>(y + travelled * (in_y - 2 * along * y)));
      photons.words[3 * i + 2] = word_of(0.0f);
    }
  });
  return photons;
}

}  // namespace kdscope
