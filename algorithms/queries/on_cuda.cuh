#pragma once
// A source's searches on CUDA. Only generated units include this header.

#include <memory>
#include <vector>

#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/queries/run.hpp"

namespace kdscope::queries {

template <class Searching>
std::unique_ptr<OpenSearch> open_on_cuda(const Tree& tree, const Device& device) {
  const auto new_exec = [ordinal = device.ordinal](std::stop_token stop, int multiprocessors) {
    return CudaExec(ordinal, std::move(stop), multiprocessors);
  };
  return std::make_unique<TreeKeptThere<Searching, decltype(new_exec)>>(tree, new_exec);
}

template <class Searching>
void log_on_cuda(const SearchRequest& request, const Device& device, std::uint32_t queries, std::uint32_t capacity,
                 const std::function<bool(SearchEvents)>& each) {
  CudaExec exec(device.ordinal, {}, request.processors);
  log_on<Searching>(exec, request, queries, capacity, each);
}

template <class... Searchings>
std::vector<SearchBackEnd> all_on_cuda(SearchList<Searchings...>) {
  return {SearchBackEnd{open_on_cuda<Searchings>, log_on_cuda<Searchings>}...};
}

}  // namespace kdscope::queries
