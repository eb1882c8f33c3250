#include "app/pseudocode/page_code.hpp"

#include <algorithm>

#include "app/pseudocode/pseudocode.hpp"
#include "app/pseudocode/step_values.hpp"

namespace kdscope {
namespace {

/// What the values of all steps are read with. `code` refers to `trace`.
struct Reading {
  Reading(std::shared_ptr<const Trace> of, const Pseudocode& text)
      : trace(std::move(of)), pseudocode(text), code(*trace, &text), values(*trace) {}
  std::shared_ptr<const Trace> trace;
  const Pseudocode& pseudocode;
  CodeOfSteps code;
  StepValues values;
};

}  // namespace

PageCode page_code(std::shared_ptr<const Trace> trace, const std::optional<Axes>& axes) {
  PageCode page;
  const Pseudocode* pseudocode = find_pseudocode(trace->header.algorithm);
  if (!pseudocode) return page;
  for (const PseudocodeLine& line : pseudocode->lines) {
    PageCode::Line shown{line.number, line.indent, {}};
    for (const PseudocodeLine::Piece& piece : line.pieces) shown.pieces.push_back(piece.text);
    page.lines.push_back(std::move(shown));
  }
  const auto reading = std::make_shared<const Reading>(std::move(trace), *pseudocode);
  page.run_at = [reading, axes](const Cursor& now, const Cursor* before, bool values) {
    const auto& lines = reading->pseudocode.lines;
    PageCode::Run run;
    run.lines = reading->code.lines(now.step());
    run.facts = step_facts(now);
    const ValueScope scope{now, before, {}, {}, axes};
    for (std::size_t i = 0; values && i < lines.size(); ++i) {
      const int line = static_cast<int>(i);
      const bool runs = std::find(run.lines.begin(), run.lines.end(), line) != run.lines.end();
      const bool free = lines[i].bindings.empty() && reading->code.steps_of_line(line).empty();
      if (!(runs || free || reading->code.encloses(line, run.lines))) continue;
      for (std::size_t k = 0; k < lines[i].pieces.size(); ++k) {
        const PseudocodeLine::Piece& piece = lines[i].pieces[k];
        if (piece.source.empty()) continue;
        if (const auto value = reading->values.value(piece.source, scope))
          run.values.push_back({line, static_cast<int>(k), piece.label + " = " + *value});
      }
    }
    return run;
  };
  return page;
}

}  // namespace kdscope
