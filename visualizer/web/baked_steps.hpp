#pragma once
// The steps of a run as JSON for a page: their states, and what stands beside these.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "visualizer/web/baked_states.hpp"
#include "visualizer/web/page_code.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

/// Bakes steps one after another, for a lesson or for a run of its own.
class BakedSteps {
 public:
  /// As for BakedStates. `code`: the pseudo-code of the run's algorithm.
  BakedSteps(std::shared_ptr<const Trace> trace, const std::optional<Axes>& axes, bool coordinates,
             const PageCode& code);

  /// Returns a step's number, title, path, checks and source region. `passed`: the last stop, whose panes it has; null:
  /// the usual ones.
  JsonObject describe(std::uint32_t step, const Stop* passed);
  /// Bakes a state with the lines that the step runs, and returns its number among the states.
  std::size_t bake(std::uint32_t step, const BakedStates::Focus& focus);
  /// Adds the states and all parts that they share as members.
  void add_states(JsonObject& page) const;
  /// Adds the pseudo-code, and the source regions of the described steps.
  void add_texts(JsonObject& page) const;
  /// Returns the style sheet of the states' colours.
  std::string css() const { return states_.colours().css(); }

 private:
  std::shared_ptr<const Trace> trace_;
  const PageCode& code_;
  BakedStates states_;
  Pool baked_states_, runs_, sources_;
  std::map<std::string, std::size_t> source_of_region_;  ///< numbers among sources_
};

/// Adds what a page says about a run: data, algorithm, program, last step, the panes that the page can show, its
/// legend, and the texts that request the same run. `added`: the highlights of the lesson's stops; `is_drawn_on`:
/// whether a stop of the lesson draws marks of its own.
void add_run(JsonObject& page, const Trace& trace, std::span<const Highlight> added = {}, bool is_drawn_on = false);

template <class Values>
std::string json_numbers(const Values& values) {
  JsonList list;
  for (const auto value : values) list.add(value);
  return list.text();
}

std::string json_texts(const std::vector<std::string>& texts);

}  // namespace kdscope
