#pragma once
// The ranks of a program that mpirun started, and the collectives between them. Only communicator.cpp includes MPI.
// All functions are collective: every rank calls them in the same order. An error inside MPI ends all ranks.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/core/error.hpp"

namespace kdscope::cluster {

/// Leaves elements uninitialised when a vector grows.
template <class T>
struct UninitialisedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UninitialisedAllocator<U>;
  };
  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... From>
  void construct(U* at, From&&... from) {
    std::construct_at(at, std::forward<From>(from)...);
  }
};
/// A vector whose elements are written before they are read.
template <class T>
using Buffer = std::vector<T, UninitialisedAllocator<T>>;

/// Bytes that this rank has sent to other ranks, by purpose.
struct LinkTraffic {
  std::uint64_t samples = 0;      ///< samples and pivots, to every other rank
  std::uint64_t counts = 0;       ///< sums and sizes
  std::uint64_t points = 0;       ///< points and nodes that move to another rank
  std::uint64_t collectives = 0;  ///< calls
};

/// Bytes in a rank's memory that go to another rank, or come from it.
struct Run {
  std::uint32_t rank = 0;
  std::byte* at = nullptr;
  std::uint64_t bytes = 0;
};

class Communicator {
 public:
  /// Starts MPI. There is one per process; its end waits for all ranks.
  Communicator(int& argc, char**& argv);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  std::uint32_t rank() const { return rank_; }
  std::uint32_t size() const { return size_; }
  /// Returns the number of hosts that the ranks run on.
  std::uint32_t hosts() const { return hosts_; }
  /// Returns the number of this rank among those of its host, and a number that all ranks of the host share.
  std::uint32_t rank_on_host() const { return rank_on_host_; }
  std::uint32_t host() const { return host_; }
  /// Returns whether MPI reads and writes the memory of CUDA devices.
  bool reads_devices() const;
  const LinkTraffic& traffic() const { return traffic_; }

  void barrier();
  /// Replaces each number by the sum over all ranks, modulo 2^64.
  void sum(std::span<std::uint64_t> numbers);
  std::uint64_t sum(std::uint64_t number);
  /// Replaces each number by the sum over the ranks before this one.
  void sum_of_earlier(std::span<std::uint64_t> numbers);
  /// Replaces each number by the least or the greatest of all ranks.
  void least(std::span<std::uint32_t> numbers);
  void greatest(std::span<std::uint32_t> numbers);
  double greatest(double number);

  /// Returns the elements of all ranks, in the order of the ranks. At most 2^31 - 1 elements.
  template <class T>
  std::vector<T> gather_all(std::span<const T> own) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::vector<std::uint64_t> counts = counts_of_all(own.size());
    std::vector<T> all(total(counts));
    gather_bytes(own.data(), all.data(), counts, sizeof(T));
    return all;
  }
  /// What one rank received: the elements, those of rank 0 first, and their number by rank.
  template <class T>
  struct Received {
    Buffer<T> elements;
    std::vector<std::uint64_t> counts;  ///< [size()]
  };
  /// Sends counts[r] elements to each rank r, those for rank 0 first. At most 2^31 - 1 elements per rank. counted: the
  /// purpose for which the bytes are counted.
  template <class T>
  Received<T> exchange(std::span<const T> elements, const std::vector<std::uint64_t>& counts,
                       std::uint64_t LinkTraffic::*counted = &LinkTraffic::points) {
    static_assert(std::is_trivially_copyable_v<T>);
    Received<T> there{{}, transposed(counts)};
    there.elements.resize(total(there.counts));
    exchange_bytes(elements.data(), counts, there.elements.data(), there.counts, sizeof(T), counted);
    return there;
  }
  /// Sends runs of bytes and receives others, in memory that MPI reads and writes. Both ranks of a pair give their runs
  /// in the same order. Not counted.
  void exchange_runs(std::span<const Run> sent, std::span<const Run> received);
  /// Counts an exchange of points, which may have gone other ways than MPI's.
  void count_exchange(std::span<const Run> sent);
  /// Returns what `work` returns; bytes that it sends are not counted.
  template <class Work>
  auto uncounted(const Work& work) {
    const LinkTraffic before = traffic_;
    auto result = work();
    traffic_ = before;
    return result;
  }
  /// Returns the same result on all ranks: success, or the error of the lowest rank that has one. The error names the
  /// rank unless all ranks have the same.
  Result<void> agree(const Result<void>& own);

  /// Ends all ranks at once. Not collective: for an error that other ranks cannot know of.
  [[noreturn]] void abort(int code);

 private:
  static std::uint64_t total(const std::vector<std::uint64_t>& counts);
  std::vector<std::uint64_t> counts_of_all(std::uint64_t own);
  std::vector<std::uint64_t> transposed(const std::vector<std::uint64_t>& counts);
  void gather_bytes(const void* own, void* all, const std::vector<std::uint64_t>& counts, std::size_t size);
  void exchange_bytes(const void* from, const std::vector<std::uint64_t>& sent, void* to,
                      const std::vector<std::uint64_t>& received, std::size_t size,
                      std::uint64_t LinkTraffic::*counted);

  std::uint32_t rank_ = 0, size_ = 1, hosts_ = 1, host_ = 0, rank_on_host_ = 0;
  LinkTraffic traffic_;
};

}  // namespace kdscope::cluster
