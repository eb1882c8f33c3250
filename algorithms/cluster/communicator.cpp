#include "algorithms/cluster/communicator.hpp"

#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace kdscope::cluster {
namespace {

/// A datatype of `size` bytes, so that counts of elements stay below 2^31.
class Element {
 public:
  explicit Element(std::size_t size) {
    MPI_Type_contiguous(static_cast<int>(size), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~Element() { MPI_Type_free(&type_); }
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_;
};

/// Counts and displacements as MPI takes them.
struct Blocks {
  std::vector<int> counts, begins;

  explicit Blocks(const std::vector<std::uint64_t>& sizes) {
    std::uint64_t begin = 0;
    for (const std::uint64_t size : sizes) {
      counts.push_back(static_cast<int>(size));
      begins.push_back(static_cast<int>(begin));
      begin += size;
    }
    if (begin > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
      throw ErrorException({ErrorKind::out_of_memory, "a rank would receive more than 2^31 - 1 elements at once", "",
                            "use more ranks, or fewer points"});
  }
};

}  // namespace

Communicator::Communicator(int& argc, char**& argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = static_cast<std::uint32_t>(rank), size_ = static_cast<std::uint32_t>(size);
  // Hosts are counted by the first rank of each
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  int rank_here = 0;
  MPI_Comm_rank(here, &rank_here);
  int first_here = rank;
  MPI_Bcast(&first_here, 1, MPI_INT, 0, here);
  MPI_Comm_free(&here);
  host_ = static_cast<std::uint32_t>(first_here), rank_on_host_ = static_cast<std::uint32_t>(rank_here);
  hosts_ = static_cast<std::uint32_t>(sum(std::uint64_t{rank_here == 0}));
  traffic_ = {};
}

Communicator::~Communicator() { MPI_Finalize(); }

void Communicator::barrier() { MPI_Barrier(MPI_COMM_WORLD); }

void Communicator::sum(std::span<std::uint64_t> numbers) {
  traffic_.counts += numbers.size_bytes() * (size_ > 1), ++traffic_.collectives;
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}
std::uint64_t Communicator::sum(std::uint64_t number) {
  sum(std::span(&number, 1));
  return number;
}
void Communicator::sum_of_earlier(std::span<std::uint64_t> numbers) {
  if (rank_ + 1 < size_) traffic_.counts += numbers.size_bytes();
  ++traffic_.collectives;
  MPI_Exscan(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank_ == 0) std::ranges::fill(numbers, 0);
}
void Communicator::least(std::span<std::uint32_t> numbers) {
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_UINT32_T, MPI_MIN, MPI_COMM_WORLD);
}
void Communicator::greatest(std::span<std::uint32_t> numbers) {
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_UINT32_T, MPI_MAX, MPI_COMM_WORLD);
}
double Communicator::greatest(double number) {
  MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return number;
}

std::uint64_t Communicator::total(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::vector<std::uint64_t> Communicator::counts_of_all(std::uint64_t own) {
  traffic_.counts += sizeof own * (size_ - 1), ++traffic_.collectives;
  std::vector<std::uint64_t> all(size_);
  MPI_Allgather(&own, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
  return all;
}

std::vector<std::uint64_t> Communicator::transposed(const std::vector<std::uint64_t>& counts) {
  traffic_.counts += sizeof(std::uint64_t) * (size_ - 1), ++traffic_.collectives;
  std::vector<std::uint64_t> received(size_);
  MPI_Alltoall(counts.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
  return received;
}

void Communicator::gather_bytes(const void* own, void* all, const std::vector<std::uint64_t>& counts,
                                std::size_t size) {
  traffic_.samples += counts[rank_] * size * (size_ - 1), ++traffic_.collectives;
  const Element element(size);
  const Blocks blocks(counts);
  MPI_Allgatherv(own, blocks.counts[rank_], element.type(), all, blocks.counts.data(), blocks.begins.data(),
                 element.type(), MPI_COMM_WORLD);
}

void Communicator::exchange_bytes(const void* from, const std::vector<std::uint64_t>& sent, void* to,
                                  const std::vector<std::uint64_t>& received, std::size_t size,
                                  std::uint64_t LinkTraffic::*counted) {
  traffic_.*counted += (total(sent) - sent[rank_]) * size, ++traffic_.collectives;
  const Element element(size);
  // A rank that cannot take its blocks throws before the others wait for it
  const Blocks out(sent), in(received);
  MPI_Alltoallv(from, out.counts.data(), out.begins.data(), element.type(), to, in.counts.data(), in.begins.data(),
                element.type(), MPI_COMM_WORLD);
}

bool Communicator::reads_devices() const {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

void Communicator::count_exchange(std::span<const Run> sent) {
  for (const Run& run : sent) traffic_.points += run.bytes * (run.rank != rank_);
  ++traffic_.collectives;
}

void Communicator::exchange_runs(std::span<const Run> sent, std::span<const Run> received) {
  constexpr std::uint64_t most = 1u << 30;  // MPI counts in int
  std::vector<MPI_Request> requests;
  const auto start = [&](std::span<const Run> runs, const auto& each) {
    for (const Run& run : runs)
      for (std::uint64_t at = 0; at < run.bytes; at += most) {
        requests.emplace_back();
        each(run.at + at, static_cast<int>(std::min(most, run.bytes - at)), static_cast<int>(run.rank));
      }
  };
  start(received, [&](std::byte* to, int bytes, int rank) {
    MPI_Irecv(to, bytes, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &requests.back());
  });
  start(sent, [&](const std::byte* from, int bytes, int rank) {
    MPI_Isend(from, bytes, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &requests.back());
  });
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

Result<void> Communicator::agree(const Result<void>& own) {
  std::uint32_t first = own ? size_ : rank_;
  least(std::span(&first, 1));
  if (first == size_) return {};
  // Errors are rare and short: all ranks get all of them
  std::string text;
  if (!own) {
    const Error& error = own.error();
    text = std::string(1, static_cast<char>(error.kind)) + error.what + '\0' + error.where + '\0' + error.remedy;
  }
  const std::vector<std::uint64_t> sizes = counts_of_all(text.size());
  std::vector<char> all(total(sizes));
  gather_bytes(text.data(), all.data(), sizes, 1);
  const auto begin_of = [&](std::uint32_t rank) {
    return std::accumulate(sizes.begin(), sizes.begin() + rank, std::uint64_t{0});
  };
  const auto text_of = [&](std::uint32_t rank) { return std::string(all.data() + begin_of(rank), sizes[rank]); };
  const std::string found = text_of(first);
  bool same = true;
  for (std::uint32_t r = 0; r < size_; ++r) same = same && text_of(r) == found;
  const std::size_t where = found.find('\0', 1) + 1, remedy = found.find('\0', where) + 1;
  Error error{static_cast<ErrorKind>(found[0]), found.substr(1, where - 2), found.substr(where, remedy - where - 1),
              found.substr(remedy)};
  if (!same)
    error.where = "rank " + std::to_string(first) + " of " + std::to_string(size_) +
                  (error.where.empty() ? "" : ", " + error.where);
  return error;
}

void Communicator::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

}  // namespace kdscope::cluster
