#pragma once
// A source's searches on CUDA. Only generated units include this header.

#include <memory>
#include <vector>

#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/queries/run.hpp"
#include "algorithms/trees/left_balanced/on_device.hpp"

namespace kdscope::queries {

/// Gives executors on a device.
struct NewCudaExec {
  int ordinal;
  std::shared_ptr<CudaExec> operator()(std::stop_token stop, int multiprocessors) const {
    return rested_cuda_exec(ordinal, std::move(stop), multiprocessors);
  }
};

template <class Searching>
std::unique_ptr<OpenSearch> open_on_cuda(const Tree& tree, const Device& device) {
  return std::make_unique<TreeKeptThere<Searching, NewCudaExec>>(tree, NewCudaExec{device.ordinal});
}

template <class Searching>
std::unique_ptr<OpenSearch> open_kept_on_cuda(const std::shared_ptr<const KeptTree>& kept, const Device& device) {
  using Built = LeftBalancedTreeOnDevice<CudaExec>;
  if constexpr (reads_there<Searching, CudaExec, Built>)
    if (auto built = std::dynamic_pointer_cast<const KeptTreeAs<Built>>(kept))
      return std::make_unique<TreeKeptThere<Searching, NewCudaExec>>(std::move(built), NewCudaExec{device.ordinal});
  return nullptr;
}

template <class Searching>
void log_on_cuda(const SearchRequest& request, const Device& device, std::uint32_t queries, std::uint32_t capacity,
                 const std::function<bool(SearchEvents)>& each) {
  CudaExec exec(device.ordinal, {}, request.processors);
  log_on<Searching>(exec, request, queries, capacity, each);
}

template <class... Searchings>
std::vector<SearchBackEnd> all_on_cuda(SearchList<Searchings...>) {
  return {SearchBackEnd{open_on_cuda<Searchings>, log_on_cuda<Searchings>, open_kept_on_cuda<Searchings>}...};
}

}  // namespace kdscope::queries
