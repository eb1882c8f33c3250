#pragma once
// The algorithms over which tests with points iterate.

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "tests/support/share.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope::test {

/// Returns the algorithms that take points; the others need triangles.
inline std::vector<AlgorithmSpec> point_algorithms() {
  std::vector<AlgorithmSpec> taking;
  for (const AlgorithmSpec& algorithm : algorithms())
    if (!algorithm.takes_triangles) taking.push_back(algorithm);
  return taking;
}

/// Returns the algorithms for tests of the window, whose cases have the tag [share]: one per form of run, because panes
/// depend only on that form. In a slow entry, returns all point_algorithms().
inline std::vector<AlgorithmSpec> shown_point_algorithms() {
  if (everything()) return point_algorithms();
  std::vector<AlgorithmSpec> shown;
  // Take one order of the points, one order per dimension, and leaves with buckets.
  for (const char* id : {"wald", "brown", "hu"}) {
    const AlgorithmSpec* algorithm = find_algorithm(id);
    if (!algorithm) throw std::logic_error(std::string("there is no algorithm ") + id);
    shown.push_back(*algorithm);
  }
  return shown;
}

/// Returns the same and one algorithm over triangles, which evaluates split candidates. In a slow entry, returns all
/// algorithms().
inline std::vector<AlgorithmSpec> shown_algorithms() {
  if (everything()) return algorithms();
  std::vector<AlgorithmSpec> shown = shown_point_algorithms();
  const AlgorithmSpec* over_triangles = find_algorithm("zhou-sah");
  if (!over_triangles) throw std::logic_error("there is no algorithm zhou-sah");
  shown.push_back(*over_triangles);
  return shown;
}

/// Returns the first lesson of each algorithm, for cases with the tag [share]. In a slow entry, returns all lessons.
inline std::vector<Lesson> shown_lessons(const LessonCatalogue& catalogue) {
  std::vector<Lesson> shown;
  std::set<std::string> algorithms;
  for (const Lesson& lesson : catalogue.lessons)
    if (algorithms.insert(lesson.algorithm).second || everything()) shown.push_back(lesson);
  return shown;
}

/// Returns one choice of a parameter, with the value of another parameter without which it has no effect: scale needs
/// quantized keys.
inline Parameters parameters_with(const ParameterSpec& parameter, const Choice& choice) {
  Parameters chosen{{parameter.name, choice.value}};
  if (parameter.name == "scale") chosen["keys"] = "quantized";
  return chosen;
}

}  // namespace kdscope::test
