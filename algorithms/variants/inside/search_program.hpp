#pragma once
// The program that looks inside a search: it builds a tree as the library does, and searches it with the executor that
// records accesses. Its file includes the header of a source's searches, or is a copy of it, and ends with
// KDSCOPE_SEARCH_OF. Only programs with Purpose::inside include this header.

#include <cstddef>
#include <memory>
#include <tuple>
#include <vector>

#include "algorithms/builders/builders.hpp"
#include "algorithms/queries/morton_keys.hpp"
#include "algorithms/queries/run.hpp"
#include "algorithms/variants/inside/inside_exec.hpp"
#include "algorithms/variants/variant_program.hpp"

namespace kdscope {

/// One search of a list.
template <std::size_t number, class List>
struct SearchingAt;
template <std::size_t number, class... Searchings>
struct SearchingAt<number, queries::SearchList<Searchings...>> {
  using type = std::tuple_element_t<number, std::tuple<Searchings...>>;
};

/// Uploads the tree for every search, so that one executor has all arrays.
template <class Searching>
class SearchInside final : public OpenSearch {
 public:
  SearchReport search(const SearchRequest& request, const RunControl& control) const override {
    WithWatchedMemory<InsideExec> exec(control.stop);
    // An element that nobody has written looks the same in every run
    exec.mark_unwritten();
    return queries::search_on<Searching>(exec, request, control);
  }
};
template <class Searching>
std::unique_ptr<OpenSearch> open_inside(const Tree&, const Device&) {
  return std::make_unique<SearchInside<Searching>>();
}
[[noreturn]] inline void no_log(const SearchRequest&, const Device&, std::uint32_t, std::uint32_t,
                                const std::function<bool(SearchEvents)>&) {
  throw ErrorException({ErrorKind::bad_usage, "this program of a search records its accesses alone", "", ""});
}

/// Returns the one search of this program. specs: those that the source declares.
template <class Searching>
std::vector<Search> search_alone(const std::vector<SearchSpec>& specs, std::size_t number) {
  static const SearchBackEnd back_end{open_inside<Searching>, no_log};
  return {{specs.at(number), &back_end, nullptr}};
}

}  // namespace kdscope

/// The last line of a search's file. source: the folder of the search in algorithms/queries, and number: its place in
/// the list Searches there; builder: whose trees it searches. Names have '_' for '-'.
#define KDSCOPE_SEARCH_OF(source, number, builder)                                                           \
  namespace kdscope {                                                                                        \
  namespace builder {                                                                                        \
  Builder declare();                                                                                         \
  const TreeKind& tree_kind();                                                                               \
  void set_rules(kdscope::Tree& tree, const TypedOptions& options);                                          \
  extern const BackEnd on_cpu;                                                                               \
  }                                                                                                          \
  const std::vector<const Builder*>& builders() {                                                            \
    static const Builder of_library = [] {                                                                   \
      Builder made = builder::declare();                                                                     \
      made.tree_kind = builder::tree_kind, made.set_rules = builder::set_rules, made.cpu = &builder::on_cpu; \
      return made;                                                                                           \
    }();                                                                                                     \
    static const std::vector<const Builder*> alone{&of_library};                                             \
    return alone;                                                                                            \
  }                                                                                                          \
  namespace queries::source {                                                                                \
  std::vector<SearchSpec> declare();                                                                         \
  }                                                                                                          \
  const std::vector<Search>& all_searches() {                                                                \
    using Searching = SearchingAt<number, queries::source::Searches>::type;                                  \
    static const std::vector<Search> alone = search_alone<Searching>(queries::source::declare(), number);    \
    return alone;                                                                                            \
  }                                                                                                          \
  }                                                                                                          \
  int main() { return kdscope::run_as_variant(__FILE__, KDSCOPE_KIT_ID); }
