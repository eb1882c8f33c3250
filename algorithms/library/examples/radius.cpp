// Lists and counts the points within a radius, on one thread.
#include <cstdio>
#include <kdscope/kdscope.hpp>

int main() {
  const std::vector<std::int32_t> points{0, 0, 4, 0, 4, 3, 1, 1, 9, 9}, query{4, 1};
  const auto tree = kdscope::build(kdscope::Points(points, 2), {.builder = "wald", .backend = "cpu", .processors = 1});
  if (!tree) return std::puts(tree.error().message().c_str()), 1;

  const auto found = tree->within(kdscope::Points(query, 2), 3);
  if (!found) return std::puts(found.error().message().c_str()), 1;
  for (const std::uint32_t point : found->indices) std::printf("point %u is in the ball\n", point);

  const auto boxed = tree->count(kdscope::Points(query, 2), 3, {.region = kdscope::Region::box});
  if (boxed) std::printf("%u points are in the box\n", boxed->front());
}
