#pragma once
// A source's searches on CUDA. Only generated units include this header.

#include <vector>

#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/queries/run.hpp"

namespace kdscope::queries {

template <class Searching>
SearchReport search_on_cuda(const SearchRequest& request, const Device& device, const RunControl& control) {
  CudaExec exec(device.ordinal, control.stop, request.processors);
  return search_on<Searching>(exec, request, control);
}

template <class Searching>
void log_on_cuda(const SearchRequest& request, const Device& device, std::uint32_t queries, std::uint32_t capacity,
                 const std::function<bool(SearchEvents)>& each) {
  CudaExec exec(device.ordinal, {}, request.processors);
  log_on<Searching>(exec, request, queries, capacity, each);
}

template <class... Searchings>
std::vector<SearchBackEnd> all_on_cuda(SearchList<Searchings...>) {
  return {SearchBackEnd{search_on_cuda<Searchings>, log_on_cuda<Searchings>}...};
}

}  // namespace kdscope::queries
