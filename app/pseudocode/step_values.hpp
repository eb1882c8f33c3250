#pragma once
// Values that pseudo-code shows beside its lines, read from the trace alone: whatever algorithm recorded it.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "algorithms/text/numbers.hpp"
#include "app/select/selection.hpp"

namespace kdscope {

/// A place in a trace, the state before it where there is one, and what the selection means in both.
struct ValueScope {
  const Cursor& now;
  const Cursor* before = nullptr;
  LinkedSelection selected = {}, selected_before = {};
  std::optional<Axes> axes = {};  ///< of many dimensions, values of these alone; none: of the first ones
};

/// An element of a state array that belongs to the selected point, or the index of the point itself.
struct SelectedElement {
  std::string name;         ///< "tags", "position"
  std::string now, before;  ///< no `before` where it did not change
};

class StepValues {
 public:
  /// Work O(nodes): the dimensions that each level splits come from the finished tree.
  explicit StepValues(const Trace& trace);

  /// A value by name, none where it has none at this step: level, pass, phase, dimension (that the level splits), n, k,
  /// segments, pivots (that the step marks), nodes (so far), blocks, lanes (launched), `index of position`, `index of
  /// point`, `index of node` (selected); a parameter of the run; an array, for its element at the selection.
  std::optional<std::string> value(const std::string& name, const ValueScope& scope) const;
  /// Whether value() may ever answer for a trace.
  static bool is_known(const std::string& name, const Trace& trace);

 private:
  std::string dimensions_of(int level) const;
  std::uint32_t dim_;
  std::vector<std::set<std::uint32_t>> dims_of_level_;
};

/// Returns "3 blocks of 256 threads"; nothing for a step without blocks.
std::string launch_text(const Step& step);
/// How the cursor's step was launched and what it wrote: "3 blocks of 256 threads; writes tags". Empty for a step that
/// did neither.
std::string step_facts(const Cursor& now);

/// Where the selected point is and what the arrays shown as rows hold for it; empty unless one point or position is
/// meant.
std::vector<SelectedElement> selected_elements(const ValueScope& scope);

/// "1 -> 3" with a true arrow; the value alone where it did not change.
std::string change_text(const SelectedElement& element);

}  // namespace kdscope
