// nanoflann beside kdscope: the points stay where they are, the tree has buckets of 10 points (nanoflann's default),
// and one thread builds it.

#include <nanoflann.hpp>

#include "app/bench/peers/peer_program.hpp"

namespace {

struct Nanoflann {
  static std::string version() {
    char text[16];
    std::snprintf(text, sizeof text, "%x.%x.%x", NANOFLANN_VERSION >> 8, NANOFLANN_VERSION >> 4 & 15,
                  NANOFLANN_VERSION & 15);
    return text;
  }
  static std::size_t build_threads(std::size_t) { return 1; }

  struct Cloud {
    const float* points;
    std::size_t n, dim;
    std::size_t kdtree_get_point_count() const { return n; }
    float kdtree_get_pt(std::size_t i, std::size_t d) const { return points[i * dim + d]; }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
      return false;
    }
  };

  template <int D>
  class Index {
   public:
    Index(const float* points, std::size_t n, std::size_t)
        : cloud_{points, n, D}, tree_(D, cloud_, nanoflann::KDTreeSingleIndexAdaptorParams(10)) {
      tree_.buildIndex();
    }
    void nearest(const float* query, std::size_t k, float* squared) const {
      thread_local std::vector<std::uint32_t> found;
      found.resize(k);
      tree_.knnSearch(query, k, found.data(), squared);
    }

   private:
    Cloud cloud_;
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>, Cloud, D, std::uint32_t> tree_;
  };
};

}  // namespace

int main() { return kdscope::peers::PeerProgram<Nanoflann>().run(); }
