// Builds a tree and finds the two nearest points of each query.
#include <cstdio>
#include <kdscope/kdscope.hpp>

int main() {
  const std::vector<float> points{0, 0, 4, 0, 4, 3, 1, 1, 9, 9}, queries{0.5f, 0.5f, 8, 8};
  const auto tree = kdscope::build(kdscope::Points(points, 2));
  if (!tree) return std::puts(tree.error().message().c_str()), 1;

  const auto found = tree->nearest(kdscope::Points(queries, 2), 2);
  if (!found) return std::puts(found.error().message().c_str()), 1;

  for (std::size_t i = 0; i < found->indices.size(); ++i)
    std::printf("query %zu: point %u, squared distance %g\n", i / found->k, found->indices[i],
                found->squared_distances[i]);
}
