// CGAL beside kdscope: Kd_tree with CGAL's default splitter and buckets of 10 points. The tree copies the points, and
// is built in parallel where CGAL has oneTBB. CGAL's spatial searching is under the GPL-3, as is this program
// therefore.

#include <CGAL/Dimension.h>
#include <CGAL/Euclidean_distance.h>
#include <CGAL/Kd_tree.h>
#include <CGAL/Orthogonal_k_neighbor_search.h>
#include <CGAL/Search_traits.h>
#include <CGAL/tags.h>
#include <CGAL/version.h>
#ifdef CGAL_LINKED_WITH_TBB
#include <tbb/global_control.h>
#endif

#include "app/bench/peers/peer_program.hpp"

namespace {

template <int D>
struct Point {
  float at[D];
};

template <int D>
struct Coordinates {
  using result_type = const float*;
  const float* operator()(const Point<D>& p) const { return p.at; }
  const float* operator()(const Point<D>& p, int) const { return p.at + D; }
};

struct Cgal {
  static std::string version() { return CGAL_VERSION_STR; }
#ifdef CGAL_LINKED_WITH_TBB
  using Tag = CGAL::Parallel_tag;
  static std::size_t build_threads(std::size_t threads) { return threads; }
#else
  using Tag = CGAL::Sequential_tag;
  static std::size_t build_threads(std::size_t) { return 1; }
#endif

  template <int D>
  class Index {
    using Traits = CGAL::Search_traits<float, Point<D>, const float*, Coordinates<D>, CGAL::Dimension_tag<D>>;
    using Search = CGAL::Orthogonal_k_neighbor_search<Traits>;

   public:
    Index(const float* points, std::size_t n, [[maybe_unused]] std::size_t threads)
        : tree_(reinterpret_cast<const Point<D>*>(points), reinterpret_cast<const Point<D>*>(points) + n) {
#ifdef CGAL_LINKED_WITH_TBB
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
#endif
      tree_.template build<Tag>();
    }
    void nearest(const float* query, std::size_t k, float* squared) const {
      Point<D> point;
      std::copy_n(query, D, point.at);
      const Search search(tree_, point, static_cast<unsigned>(k));
      for (const auto& [found, distance] : search) *squared++ = distance;
    }

   private:
    typename Search::Tree tree_;
  };
};

}  // namespace

int main() { return kdscope::peers::PeerProgram<Cgal>().run(); }
