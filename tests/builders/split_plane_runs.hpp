#pragma once
// Code that the tests of builders of split-plane trees share.

#include <string>

#include "algorithms/trees/split_planes/tree.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/share.hpp"

namespace kdscope::test {

// Quick runs and sanitizers test only a share of the cases.
#if defined(__SANITIZE_THREAD__)
inline constexpr std::size_t every = 41;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr std::size_t every = 7;
#else
inline const std::size_t every = every_nth(7);
#endif

inline std::string text_of(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += " " + name + "=" + value;
  return text;
}

inline SplitPlaneTree split_plane_tree(const std::string& algorithm, const std::shared_ptr<const DataSet>& data,
                                       const Parameters& parameters, Backend backend) {
  auto report = build({{}, algorithm, parameters, backend, false, data});
  if (!report) FAIL(data->name << text_of(parameters) << ": " << report.error().message());
  return std::move(report->tree.as<SplitPlaneTree>());
}

/// Returns the first property in which two trees differ, or null.
inline const char* difference(const SplitPlaneTree& a, const SplitPlaneTree& b) {
  return a.parent != b.parent                                 ? "parents"
         : a.right_child != b.right_child                     ? "children"
         : a.split_dim != b.split_dim                         ? "dimensions"
         : a.split_value != b.split_value                     ? "split values"
         : a.first != b.first || a.count != b.count           ? "spans"
         : a.box != b.box                                     ? "volumes"
         : a.primitive_of_position != b.primitive_of_position ? "listed primitives"
         : a.depth_bounded != b.depth_bounded                 ? "number of bounded leaves"
                                                              : nullptr;
}

}  // namespace kdscope::test
