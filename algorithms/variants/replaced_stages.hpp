#pragma once
// Replaces the functors that a builder launches, without a change to the builder. An executor launches a variant's
// functor wherever the builder passes the original one.

#include <bit>
#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "algorithms/exec/memory.hpp"
#include "algorithms/exec/numbering.hpp"

namespace kdscope {

/// Names the replacement of a functor. A variant specialises it for each functor that it replaces:
///
///   template <>
///   struct kdscope::ReplacementOf<kdscope::wald::UpdateTags> {
///     using type = MyUpdateTags;
///     static constexpr const char* stage = "update_tags";
///   };
///
/// `type` derives from the original without new members, or has the original's members in the same order.
template <class Original>
struct ReplacementOf {};

/// Returns the stages of this program that have been replaced in a launch so far.
inline std::set<std::string>& replaced_launches() {
  static std::set<std::string> stages;
  return stages;
}

/// Returns the functor to launch in place of `body`: its replacement with the same values, or `body` itself.
template <class Body>
auto replaced(const Body& body) {
  if constexpr (requires { typename ReplacementOf<Body>::type; }) {
    using Replacement = typename ReplacementOf<Body>::type;
    static_assert(sizeof(Replacement) == sizeof(Body),
                  "a replacement has exactly the members of the functor that it replaces");
    replaced_launches().insert(ReplacementOf<Body>::stage);
    if constexpr (std::is_base_of_v<Body, Replacement>)
      return Replacement{body};
    else
      return std::bit_cast<Replacement>(body);
  } else {
    return body;
  }
}
template <class First, class Then>
auto replaced(const Sequence<First, Then>& sequence) {
  auto first = replaced(sequence.first);
  auto then = replaced(sequence.then);
  return Sequence<decltype(first), decltype(then)>{first, then};
}

/// An executor whose launches run replacements. Members that take no functor are those of Exec.
template <class Exec>
class ExecWithReplacements : public Exec {
 public:
  using Exec::Exec;

  template <class T>
  Array<T, ExecWithReplacements> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    return {*this, name, n, allocation};
  }
  template <class Body>
  void for_each(const char* name, std::uint32_t n, Body body) {
    Exec::for_each(name, n, replaced(body));
  }
  template <class Body>
  void for_each_block(const char* name, std::uint32_t blocks, int lanes, std::size_t shared_bytes, Body body) {
    Exec::for_each_block(name, blocks, lanes, shared_bytes, replaced(body));
  }
  template <class Body>
  void for_each_warp(const char* name, std::uint32_t warps, std::size_t shared_bytes, Body body) {
    Exec::for_each_warp(name, warps, shared_bytes, replaced(body));
  }
  template <class T, class Less>
  void sort(const char* name, T* data, std::uint32_t n, Less less) {
    Exec::sort(name, data, n, replaced(less));
  }
  template <class T, class Map, class Combine>
  T reduce(const char* name, std::uint32_t n, Map map, Combine combine, T identity) {
    return Exec::template reduce<T>(name, n, replaced(map), replaced(combine), identity);
  }
  template <class T, class Map>
  void transform_exclusive_scan(const char* name, std::uint32_t n, Map map, T* out) {
    Exec::transform_exclusive_scan(name, n, replaced(map), out);
  }
  template <class T, class Before, class Map, class After>
  void compact_indices(const char* name, const Compaction<T, Before, Map, After>& of) {
    Exec::compact_indices(name, Compaction{of.items, replaced(of.before), of.count, replaced(of.map), of.out,
                                           replaced(of.after), of.sum});
  }
};

}  // namespace kdscope
