#pragma once
// A source's searches on the CPU. Only generated units include this header.

#include <memory>
#include <vector>

#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/queries/run.hpp"

namespace kdscope::queries {

template <class Searching>
SearchBackEnd on_cpu_threads() {
  return {[](const Tree& tree, const Device&) -> std::unique_ptr<OpenSearch> {
            const auto new_exec = [](std::stop_token stop, int) { return std::make_unique<CpuExec>(std::move(stop)); };
            return std::make_unique<TreeKeptThere<Searching, decltype(new_exec)>>(tree, new_exec);
          },
          [](const SearchRequest& request, const Device&, std::uint32_t queries, std::uint32_t capacity,
             const std::function<bool(SearchEvents)>& each) {
            CpuExec exec;
            log_on<Searching>(exec, request, queries, capacity, each);
          }};
}

template <class... Searchings>
std::vector<SearchBackEnd> all_on_cpu(SearchList<Searchings...>) {
  return {on_cpu_threads<Searchings>()...};
}

}  // namespace kdscope::queries
