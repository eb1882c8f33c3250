#pragma once
// Lessons' Markdown as a document: where formulas may be broken into lines, and how tables look.

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPalette>
#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>

#include "visualizer/style/tokens.hpp"

namespace kdscope {

/// Lessons are a little larger than the rest of the interface, until that is large itself.
inline constexpr int large_text = 130;  // a text scale
inline double lesson_size(int text_scale) { return text_scale > large_text ? 1.0 : tokens::lesson_text; }

/// Returns a Markdown text in which no line begins with an operator: "y - 15" breaks behind the sign, where it cannot
/// be read as a negative number or a list. What a formula writes without blanks stays whole, "1<<(L-l-1)" or "|x|", and
/// so do "k-th", short code, an index, "h[i + 4]", a point, "(6, -4)", and formulas in a table. Fenced code stays as it
/// is, and so do cells that hold one sign alone.
inline QString with_whole_formulas(const QString& markdown) {
  static const QString sign = QStringLiteral("[-+/=<>\u00b1\u2212\u00d7\u00b7\u2264\u2265\u2248]"),
                       no_break = QStringLiteral("\u00a0");
  static const QRegularExpression before_sign(QStringLiteral("(?<=[^\\s|]) (?=%1 [^\\s|])").arg(sign)),
      behind_sign(QStringLiteral("(?<=\u00a0%1) (?=[^\\s|])").arg(sign)),
      inner_sign(QStringLiteral("(?<=[-|])(?=[\\w(|])")),
      short_word(QStringLiteral("(?<![\\w`-])[a-zA-Z]-[a-zA-Z]{1,4}\\b(?!-)")),
      whole(QStringLiteral("`[^`]+`|\\[[^\\]]+\\]|\\((?:-?[\\w.]+, )+-?[\\w.]+\\)"));
  constexpr int short_formula = 22;
  QStringList lines = markdown.split(QLatin1Char('\n'));
  bool fenced = false;
  for (QString& line : lines) {
    if (line.startsWith(QStringLiteral("```"))) fenced = !fenced;
    if (fenced) continue;
    line.replace(before_sign, no_break);
    if (line.startsWith(QLatin1Char('|'))) {
      line.replace(behind_sign, no_break);
      continue;
    }
    QStringList words = line.split(QLatin1Char(' '));
    for (QString& word : words)
      if (word.contains(QLatin1String("<<")) || word.contains(QLatin1Char('|')) || short_word.match(word).hasMatch())
        word.replace(inner_sign, QStringLiteral("\u2060"));
    line = words.join(QLatin1Char(' '));
    QRegularExpressionMatch found;
    for (qsizetype at = 0; (found = whole.match(line, at)).hasMatch(); at = found.capturedEnd())
      if (found.capturedLength() <= short_formula)
        line.replace(found.capturedStart(), found.capturedLength(),
                     found.captured().replace(QLatin1Char(' '), no_break));
  }
  return lines.join(QLatin1Char('\n'));
}

/// Sets Markdown, with its lines this far apart, in percent, and its tables in single thin lines, with columns of
/// numbers to the right: Qt's own are tight for a projector, with double lines around each cell.
/// Code has the size of the text around it: Qt gives it that of the moment, which would stay when the text shrinks.
inline void set_markdown(QTextDocument& document, const QString& markdown, int line_height) {
  using Features = QTextDocument::MarkdownFeatures;
  document.setMarkdown(with_whole_formulas(markdown),
                       Features(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML);
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    QTextBlockFormat format = block.blockFormat();
    format.setLineHeight(line_height, QTextBlockFormat::ProportionalHeight);
    QTextCursor(block).setBlockFormat(format);
    for (QTextLayout::FormatRange span : block.textFormats()) {
      if (!span.format.fontFixedPitch()) continue;
      QTextCursor code(block);
      code.setPosition(block.position() + span.start);
      code.setPosition(code.position() + span.length, QTextCursor::KeepAnchor);
      for (const auto size : {QTextFormat::FontPointSize, QTextFormat::FontPixelSize}) span.format.clearProperty(size);
      code.setCharFormat(span.format);
    }
  }
  constexpr double between_rows = 4;
  const double beside = QFontMetricsF(document.defaultFont()).averageCharWidth() / 2;
  static const QRegularExpression number(QStringLiteral("^[-+\u2212]?\\d[\\d.,\u00a0 ]*%?$"));
  for (QTextFrame* frame : document.rootFrame()->childFrames())
    if (auto* table = qobject_cast<QTextTable*>(frame)) {
      QTextTableFormat format = table->format();
      format.setCellPadding(between_rows);
      format.setCellSpacing(0);
      format.setBorderCollapse(true);
      format.setBorder(1);
      format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
      format.setBorderBrush(QGuiApplication::palette().color(QPalette::Mid));
      table->setFormat(format);
      for (int column = 0; column < table->columns(); ++column) {
        bool numbers = table->rows() > 1;
        for (int row = 1; row < table->rows(); ++row)
          numbers = numbers && number.match(table->cellAt(row, column).firstCursorPosition().block().text()).hasMatch();
        for (int row = 0; row < table->rows(); ++row) {
          QTextTableCell cell = table->cellAt(row, column);
          QTextTableCellFormat sides = cell.format().toTableCellFormat();
          sides.setLeftPadding(beside);
          sides.setRightPadding(beside);
          cell.setFormat(sides);
          if (!numbers) continue;
          QTextBlockFormat line;
          line.setAlignment(Qt::AlignRight);
          cell.firstCursorPosition().mergeBlockFormat(line);
        }
      }
    }
}

}  // namespace kdscope
