#pragma once
// How processes exchange measured rows (trace_stream.hpp): all members in the order of their declaration. A new member
// does not compile until it is counted here.

#include "algorithms/trace/trace_stream.hpp"
#include "app/measure/measured_row.hpp"

namespace kdscope {

// clang-format off
constexpr WorkKind last_of(WorkKind) { return WorkKind::search; }
template <class Io> void fields(Io& io, Samples& value) { auto& [a, b] = value; io(a, b); }
template <class Io> void fields(Io& io, MeasuredWork& value) {
  auto& [a, b, c, d, e, f, g, h, i, j] = value;
  io(a, b, c, d, e, f, g, h, i, j);
}
template <class Io> void fields(Io& io, MeasuredFacts& value) {
  auto& [a, b, c, d, e, f, g, h, i] = value;
  io(a, b, c, d, e, f, g, h, i);
}
// clang-format on

/// The members of a row, for the fields() of what holds it: those of the row itself are in the kept file.
template <class Io>
void row_fields(Io& io, MeasuredRow& row) {
  auto& [a, b, c, d, e, f, g] = row;
  io(a, b, c, d, e, f, g);
}

}  // namespace kdscope
