#include "algorithms/builders/option_table.hpp"

namespace kdscope::textbook {

std::uint64_t host_bytes(const DataSet& data, const NoOptions&, bool on_cpu) {
  const std::uint64_t n = data.points.size(), record = 4 * data.points.stride();
  return n * (record + 5) + (on_cpu ? n * (2 * record + 13) : 0);
}

Builder declare() {
  AlgorithmSpec spec{"textbook", "Median split, one thread per node", "Bentley 1975",
                     "Finds the median of every node's points by one thread per node, level by level. The first "
                     "lesson, and the reason for all others: near the root, almost every thread waits."};
  spec.scalars = {ScalarType::float32, ScalarType::int32};
  spec.max_dim = 8;
  spec.max_points =
      1u << 22;  // the root's thread alone would keep a GPU busy for a quarter of a minute, and nothing could stop it
  static const OptionTable<NoOptions> none;
  return BuilderWithOptions<NoOptions>{.spec = spec, .table = none, .host_bytes = host_bytes};
}

}  // namespace kdscope::textbook
