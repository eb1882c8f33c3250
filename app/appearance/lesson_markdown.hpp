#pragma once
// Lessons' Markdown as a document: where formulas may be broken into lines, and how tables look.

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

namespace kdscope {

/// Lessons are a little larger than the rest of the interface, until that is large itself.
inline constexpr int large_text = 130;  // a text scale
inline double lesson_size(int text_scale) { return text_scale > large_text ? 1.0 : 1.1; }

/// Returns a Markdown text in which no line begins with an operator: "y - 15" breaks behind the sign, where it cannot
/// be read as a negative number or a list. Fenced code stays as it is, and so do cells that hold one sign alone.
inline QString with_whole_formulas(const QString& markdown) {
  static const QRegularExpression before_operator(
      QStringLiteral("(?<=[^\\s|]) (?=[-+/=<>\u00b1\u2212\u00d7\u00b7\u2264\u2265\u2248] [^\\s|])"));
  QStringList lines = markdown.split(QLatin1Char('\n'));
  bool fenced = false;
  for (QString& line : lines) {
    if (line.startsWith(QStringLiteral("```"))) fenced = !fenced;
    if (!fenced) line.replace(before_operator, QStringLiteral("\u00a0"));
  }
  return lines.join(QLatin1Char('\n'));
}

/// Sets Markdown, with its lines this far apart, in percent, and its tables in single thin lines: Qt's own are tight
/// for a projector, with double lines around each cell.
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
  constexpr double between_cells = 4;
  for (QTextFrame* frame : document.rootFrame()->childFrames())
    if (auto* table = qobject_cast<QTextTable*>(frame)) {
      QTextTableFormat format = table->format();
      format.setCellPadding(between_cells);
      format.setCellSpacing(0);
      format.setBorderCollapse(true);
      format.setBorder(1);
      format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
      format.setBorderBrush(QGuiApplication::palette().color(QPalette::Mid));
      table->setFormat(format);
    }
}

}  // namespace kdscope
