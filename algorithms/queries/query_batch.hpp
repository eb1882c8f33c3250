#pragma once
// The queries of a request in a back end's memory, sorted if that is asked for, and the timing of their searches.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/exec/points_on_device.hpp"
#include "algorithms/queries/morton.hpp"
#include "algorithms/queries/searching.hpp"

namespace kdscope::queries {

/// Whether a search sorts queries as given by keys of its own.
template <class Searching>
constexpr bool sorts_as_given = requires {
  Searching::sorts_queries;
};

/// Writes the key of each query by which a search sorts them.
template <class Searching, class View, class Number, int dims>
struct OwnKeys {
  View tree;
  QueryView queries;
  std::uint32_t *keys, *indices;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    keys[i] = Searching::key(tree, queries.template served_by<typename Searching::template Query<Number, dims>>(i));
    indices[i] = i;
  }
};

/// The queries of a request in a back end's memory, and the order in which threads serve them.
template <class Searching, class Number, int dims, class Exec>
class Batch {
  using View = decltype(std::declval<typename Searching::template OnDevice<Exec>>().template view<Number>());

 public:
  Batch(Exec& exec, const SearchRequest& request, const View& tree)
      : exec_(exec),
        repeat_(std::max(1, request.repeat)),
        along_curve_(request.order == QueryOrder::morton),
        tree_(tree),
        queries_(upload_points(exec, request.queries->points, request.queries_on_device)) {
    if (along_curve_ || (sorts_as_given<Searching> && request.order == QueryOrder::given))
      sorted_.emplace(exec, queries_.n);
    if (request.order != QueryOrder::tree) return;
    const std::vector<std::uint32_t> order = request.tree->kind().points_in_order(*request.tree);
    tree_order_ = exec.template array<std::uint32_t>("order of queries", order.size());
    exec.upload(tree_order_.data(), std::span(order));
    order_ = tree_order_.data();
  }
  std::uint32_t count() const { return queries_.n; }
  QueryView view() const { return {queries_.words.data(), order_, queries_.stride, queries_.dim}; }

  /// Calls serve(view) `repeat` times, after sorting the queries if requested, and takes the times.
  template <class Serve>
  void timed(const RunControl& control, SearchReport& report, Serve serve) {
    for (int i = 0; i < repeat_; ++i) {
      if (control.progress) control.progress(double(i) / repeat_, "search");
      exec_.synchronize();
      const auto from = exec_.event();
      sort();
      const auto sorted = exec_.event();
      serve(view());
      const auto to = exec_.event();
      report.search_ms.push_back(exec_.elapsed_ms(from, to));
      if (sorted_) report.sort_ms.push_back(exec_.elapsed_ms(from, sorted));
    }
    report.peak_bytes = exec_.memory().peak();
  }
  /// Sorts the queries if requested, or if the search does so.
  void sort() {
    if (along_curve_) {
      order_ = sort_along_curve<Number>(exec_, *sorted_, queries_);
    } else if constexpr (sorts_as_given<Searching>) {
      if (!sorted_) return;
      order_ = nullptr;
      exec_.for_each("keys of queries", count(),
                     OwnKeys<Searching, View, Number, dims>{tree_, view(), sorted_->keys(), sorted_->indices()});
      order_ = sorted_->sort(exec_, Searching::key_bits(tree_));
    }
  }

  /// Returns the query that each thread served.
  std::vector<std::uint32_t> query_of_thread() const {
    std::vector<std::uint32_t> order(count());
    if (order_)
      exec_.download(std::span(order), order_);
    else
      for (std::uint32_t i = 0; i < count(); ++i) order[i] = i;
    return order;
  }
  /// Downloads values [count] by thread and returns them by query.
  template <class To, class From>
  std::vector<To> by_query(const std::vector<std::uint32_t>& query_of_thread, const From* from) const {
    std::vector<From> by_thread(count());
    exec_.download(std::span(by_thread), from);
    std::vector<To> values(count());
    for (std::size_t i = 0; i < by_thread.size(); ++i) values[query_of_thread[i]] = static_cast<To>(by_thread[i]);
    return values;
  }

 private:
  Exec& exec_;
  int repeat_;
  bool along_curve_;
  View tree_;
  PointsOnDevice<Exec> queries_;
  std::optional<KeyOrder<Exec>> sorted_;
  Array<std::uint32_t, Exec> tree_order_;
  const std::uint32_t* order_ = nullptr;
};

}  // namespace kdscope::queries
