#pragma once
// How the command `inside` prints what lanes did.

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "algorithms/variants/inside/look_inside.hpp"

namespace kdscope::cli {

/// What the command line wants to see.
struct InsideView {
  std::optional<std::uint32_t> launch = {};
  bool check = false, cost = false;
  std::optional<std::pair<std::string, std::int64_t>> who = {};  ///< array and index
};

/// Prints the sheets of a launch, or the faults, or the costs, in at most 120 columns.
void print_look(const access_log::Look& look, const InsideView& view, std::ostream& out);
/// Prints the accesses to the wanted element in the original and in a variant in two columns, step after step: the k-th
/// one of each step in one row. Marks the first row that differs. Precondition: view.who.
void print_beside(const access_log::Look& original, const access_log::Look& variant, const InsideView& view,
                  std::ostream& out);
/// Writes the recording, its faults and its costs as one JSON object; without the accesses if costs are wanted.
void write_look(const access_log::Look& look, const InsideView& view, std::ostream& out);

}  // namespace kdscope::cli
