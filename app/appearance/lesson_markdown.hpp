#pragma once
// Lessons' Markdown as a document: where formulas may be broken into lines, and how tables look.

#include <QString>
#include <QTextDocument>

#include "visualizer/style/tokens.hpp"

namespace kdscope {

/// Lessons are a little larger than the rest of the interface, until that is large itself.
inline constexpr int large_text = 130;            // a text scale
inline constexpr int audience_line_height = 112;  // in percent, of a narration and its question
inline double lesson_size(int text_scale) { return text_scale > large_text ? 1.0 : tokens::lesson_text; }

/// Returns a Markdown text in which no line begins with an operator: "y - 15" breaks behind the sign, where it cannot
/// be read as a negative number or a list. What a formula writes without blanks stays whole, "1<<(L-l-1)" or "|x|", and
/// so do "k-th", short code, an index, "h[i + 4]", a point, "(6, -4)", and formulas, numbers and short cells in
/// a table. Fenced code stays as it is, and so do cells that hold one sign alone. A short word at the end of a
/// paragraph is not alone on its line.
QString with_whole_formulas(const QString& markdown);

/// Sets Markdown, with its lines this far apart, in percent, and its tables in small text and single thin lines, with
/// columns of numbers to the right: Qt's own are tight for a projector, with double lines around each cell.
/// Code has the size of the text around it: Qt gives it that of the moment, which would stay when the text shrinks.
void set_markdown(QTextDocument& document, const QString& markdown, int line_height);

}  // namespace kdscope
