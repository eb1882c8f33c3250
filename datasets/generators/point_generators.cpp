#include "datasets/generators/point_generators.hpp"

#include <cmath>
#include <vector>

#include "algorithms/core/available_memory.hpp"
#include "datasets/generators/counter_hash.hpp"
#include "datasets/generators/parallel_chunks.hpp"

namespace kdscope {
namespace {

// Streams keep what a generator draws for different purposes independent.
enum Stream : std::uint64_t { coordinates, choice, centres, widths, ends };

std::uint32_t scaled_word(double unit, const GeneratorParameters& p) {
  if (p.type == ScalarType::float32) return word_of(static_cast<float>(unit));
  return word_of(std::min(static_cast<std::int32_t>(unit * p.range), p.range - 1));
}

std::uint32_t lattice_word(double value, const GeneratorParameters& p) {
  return p.type == ScalarType::float32 ? word_of(static_cast<float>(value)) : word_of(static_cast<std::int32_t>(value));
}

/// Fills the points of a share; place(i, row) writes the k coordinates of point i as doubles, to_word makes words of
/// them.
template <class ToWord, class Place>
PointSet fill(const GeneratorParameters& p, const ToWord& to_word, const Place& place) {
  PointSet set;
  set.type = p.type;
  set.dim = p.dim;
  const std::uint64_t first = std::uint64_t{p.n} * p.part / p.parts,
                      count = std::uint64_t{p.n} * (p.part + 1) / p.parts - first, words = count * p.dim;
  require_memory(words * sizeof(std::uint32_t), "the points");
  set.words.resize(words);
  parallel_chunks(count, [&](std::uint64_t begin, std::uint64_t end) {
    double row[512];
    for (std::uint64_t i = begin; i < end; ++i) {
      place(first + i, row);
      for (std::uint32_t d = 0; d < p.dim; ++d) set.words[i * p.dim + d] = to_word(row[d], p);
    }
  });
  return set;
}

}  // namespace

PointSet uniform_points(const GeneratorParameters& p) {
  const CounterHash hash(p.seed, coordinates);
  return fill(p, scaled_word, [&](std::uint64_t i, double* row) {
    for (std::uint32_t d = 0; d < p.dim; ++d) row[d] = hash.unit(i * p.dim + d);
  });
}

PointSet clustered_points(const GeneratorParameters& p, std::uint32_t clusters) {
  const CounterHash offset(p.seed, coordinates), which(p.seed, choice), centre(p.seed, centres), width(p.seed, widths);
  return fill(p, scaled_word, [&](std::uint64_t i, double* row) {
    const std::uint64_t cluster = which.bits(i) % clusters;
    // A normal deviate stays within +-6, so a cloud reaches at most 0.15 from a centre in [0.15, 0.85].
    const double deviation = (0.1 + 0.9 * width.unit(cluster)) * 0.025;
    for (std::uint32_t d = 0; d < p.dim; ++d)
      row[d] = 0.15 + 0.7 * centre.unit(cluster * p.dim + d) + deviation * offset.normal(i * p.dim + d);
  });
}

PointSet sphere_points(const GeneratorParameters& p) {
  const CounterHash hash(p.seed, coordinates);
  return fill(p, scaled_word, [&](std::uint64_t i, double* row) {
    double square = 0;
    for (std::uint32_t d = 0; d < p.dim; ++d) {
      row[d] = hash.normal(i * p.dim + d);
      square += row[d] * row[d];
    }
    if (square == 0) row[0] = square = 1;
    const double length = std::sqrt(square);
    for (std::uint32_t d = 0; d < p.dim; ++d) row[d] = 0.5 + 0.5 * (row[d] / length);
  });
}

PointSet line_points(const GeneratorParameters& p) {
  const CounterHash along(p.seed, coordinates), end(p.seed, ends);
  std::vector<double> from(p.dim), step(p.dim);
  for (std::uint32_t d = 0; d < p.dim; ++d) {
    // Each end lies in its own third of every axis, so that no dimension is flat.
    const double low = end.unit(2 * d) / 3, high = (2 + end.unit(2 * d + 1)) / 3;
    const bool rises = d == 0 || (end.bits(2 * d) & 1);
    from[d] = rises ? low : high;
    step[d] = rises ? high - low : low - high;
  }
  return fill(p, scaled_word, [&](std::uint64_t i, double* row) {
    const double t = along.unit(i);
    for (std::uint32_t d = 0; d < p.dim; ++d) row[d] = from[d] + t * step[d];
  });
}

PointSet grid_points(const GeneratorParameters& p, std::uint32_t side) {
  const CounterHash hash(p.seed, coordinates);
  return fill(p, lattice_word, [&](std::uint64_t i, double* row) {
    for (std::uint32_t d = 0; d < p.dim; ++d) row[d] = static_cast<double>(hash.bits(i * p.dim + d) % side);
  });
}

PointSet equal_points(const GeneratorParameters& p) {
  const CounterHash hash(p.seed, coordinates);
  return fill(p, scaled_word, [&](std::uint64_t, double* row) {
    for (std::uint32_t d = 0; d < p.dim; ++d) row[d] = hash.unit(d);
  });
}

PointSet presorted_points(const GeneratorParameters& p) {
  const CounterHash hash(p.seed, coordinates);
  return fill(p, scaled_word, [&](std::uint64_t i, double* row) {
    for (std::uint32_t d = 0; d < p.dim; ++d) row[d] = hash.unit(i * p.dim + d);
    row[0] = (static_cast<double>(i) + row[0]) / p.n;
  });
}

}  // namespace kdscope
