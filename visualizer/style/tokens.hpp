#pragma once
// The sheet of tokens: every distance, corner, line and face of the window, in pixels at a text scale of 100 %.
// Widgets take them from here or from app/appearance/flat_style, and never write numbers of their own.

namespace kdscope::tokens {

inline constexpr int space_small = 4, space = 8, space_large = 16;
inline constexpr int radius = 6;
inline constexpr int border = 1;
inline constexpr int accent_line = 2;  ///< focus, and the line below the tab in front
inline constexpr int control_height = 32, compact_height = 24;
inline constexpr int scroll_bar = 12;

/// The type scale, relative to the interface font: notes, the texts of lessons, the title of the first page.
inline constexpr double small_text = 0.85, lesson_text = 1.1, title_text = 2;

/// One face for window, stage, view and exported figures, with digits of one width, and what replaces it where it is
/// not installed.
inline constexpr const char *face = "Open Sans", *other_face = "DejaVu Sans";

}  // namespace kdscope::tokens
