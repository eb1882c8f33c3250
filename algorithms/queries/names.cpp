#include "algorithms/queries/search.hpp"

namespace kdscope {

const char* name_of(SearchQuestion question) {
  constexpr const char* names[search_question_count] = {"nearest", "ball", "box", "count", "nearest-hit", "any-hit"};
  return names[static_cast<int>(question)];
}

const char* name_of(Metric metric) {
  constexpr const char* names[metric_count] = {"euclidean", "l1", "max"};
  return names[static_cast<int>(metric)];
}

const char* name_of(QueryOrder order) {
  constexpr const char* names[query_order_count] = {"given", "morton", "tree"};
  return names[static_cast<int>(order)];
}

}  // namespace kdscope
