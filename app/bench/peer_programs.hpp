#pragma once
// Runs the programs of libraries beside kdscope (app/bench/peers).

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/core/points.hpp"
#include "algorithms/queries/search.hpp"
#include "app/measure/sampling.hpp"

namespace kdscope {

/// A library that builds kd-trees on the CPU.
struct PeerLibrary {
  std::string id;       ///< "cgal"
  std::string package;  ///< the Debian package with which kdscope's build finds it
};
const std::vector<PeerLibrary>& peer_libraries();

/// Whether this build of kdscope has the program of a library.
bool has_peer(const std::string& library);

/// A process that builds and searches trees of a library over the same points.
class PeerProcess {
 public:
  /// Starts the program and passes it the points. Throws ErrorException: bad_input if the library does not take such
  /// points, out_of_memory, io_failure, cancelled.
  PeerProcess(const std::string& library, const PointSet& points, const RowClock& clock);
  ~PeerProcess();

  const std::string& version() const { return version_; }

  struct Answer {
    std::vector<double> ms;
    std::uint64_t result = 0;  ///< of a build its peak memory in bytes, of searches a hash of all distances
    int threads = 0;           ///< threads that the library used
  };
  /// Builds on at most so many threads. Errors: cancelled when the clock stops, device_failure if the program fails. Do
  /// not ask a process again after an error.
  Result<Answer> build(int times, int threads, const RowClock& clock);
  /// Finds the k nearest of every point in the tree of the last build.
  Result<Answer> search(std::uint32_t k, int times, int threads, const RowClock& clock);

 private:
  Answer ask(const std::string& line, const RowClock& clock);
  Result<Answer> asked(const std::string& line, const RowClock& clock);

  std::string library_, version_;
  std::unique_ptr<class PeerPipes> pipes_;
};

/// The hash by which rows of a bench are compared, as peers compute it: of the squared distances to the first k points
/// found for each query. A search that chooses a radius may find more.
std::uint64_t hash_of_distances(const SearchReport& found, std::uint32_t k);

}  // namespace kdscope
