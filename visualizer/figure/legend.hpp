#pragma once
// What the marks of the pictures mean, in words.

#include <span>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// A row of the legend: a mark in a word and in a sentence.
struct LegendText {
  const char *word, *sentence;
  /// Whether a run can show the mark; null: always. `added` holds the highlights of a lesson's stops.
  bool (*shown)(const Trace& trace, std::span<const Highlight> added) = nullptr;
  bool on_pages = true;  ///< whether pages can show it
};
/// The word for what a lesson draws, which only pages of such a lesson show.
inline constexpr const char* drawn_by_lesson = "drawn by the lesson";
/// Returns all rows, in the order of the legend.
std::span<const LegendText> legend_texts();

}  // namespace kdscope
