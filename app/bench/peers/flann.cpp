// FLANN beside kdscope: its exact single kd-tree with buckets of 10 points (FLANN's default), which reorders the points
// and is built by one thread.

#include <flann/flann.hpp>

#include "app/bench/peers/peer_program.hpp"

namespace {

struct Flann {
  static std::string version() { return FLANN_VERSION_; }
  static std::size_t build_threads(std::size_t) { return 1; }

  template <int D>
  class Index {
   public:
    Index(const float* points, std::size_t n, std::size_t)
        : tree_(flann::Matrix<float>(const_cast<float*>(points), n, D), flann::KDTreeSingleIndexParams(10)) {
      tree_.buildIndex();
    }
    void nearest(const float* query, std::size_t k, float* squared) const {
      thread_local std::vector<int> found;
      found.resize(k);
      flann::Matrix<float> queries(const_cast<float*>(query), 1, D), distances(squared, 1, k);
      flann::Matrix<int> indices(found.data(), 1, k);
      static const flann::SearchParams exact = [] {
        flann::SearchParams parameters(flann::FLANN_CHECKS_UNLIMITED);
        parameters.cores = 1;  // the threads are those of the program
        return parameters;
      }();
      tree_.knnSearch(queries, indices, distances, k, exact);
    }

   private:
    flann::KDTreeSingleIndex<flann::L2_Simple<float>> tree_;
  };
};

}  // namespace

int main() { return kdscope::peers::PeerProgram<Flann>().run(); }
