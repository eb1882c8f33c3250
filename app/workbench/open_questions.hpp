#pragma once
// What the open questions of a lesson hide at any step, for windows that show other steps than the current one.

#include <functional>

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// What a stop of the open lesson hides as long as its questions are open.
Concealment concealed_by(const Workbench& workbench, const Stop& stop);

/// What is hidden at a step of the open run: at the current one what the window hides, at others what the lesson's
/// stops there hide.
Concealment concealment_at(const Workbench& workbench, std::uint32_t step);

/// Which parts of what a question hides are looked for.
using HiddenPartOf = std::function<bool(const Concealment&)>;

/// Until when parts are hidden: "until the question is answered" or, at a stop with several, "until question 2 is
/// answered".
QString until_answered(const Workbench& workbench, const HiddenPartOf& part);

/// What stands in place of the parts until then comes "before the answer" or "before answers 1 and 2".
QString before_answer(const Workbench& workbench, const HiddenPartOf& part);

/// Returns whether the tree is hidden, and an earlier one stands in its place.
bool shows_tree_before(const Workbench& workbench);

/// Returns the same for the partition and the nodes of points in the view.
bool shows_partition_before(const Workbench& workbench);

/// What stands in place of a part that is hidden: on an introduction, whose question is not in sight, that it comes.
QString hidden_words(const Workbench& workbench, const HiddenPartOf& part);

}  // namespace kdscope
