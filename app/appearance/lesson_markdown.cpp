#include "app/appearance/lesson_markdown.hpp"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPalette>
#include <QRegularExpression>
#include <QStringList>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextLayout>
#include <QTextTable>

namespace kdscope {

QString with_whole_formulas(const QString& markdown) {
  static const QString sign = QStringLiteral("[-+/=<>\u00b1\u2212\u00d7\u00b7\u2264\u2265\u2248]"),
                       no_break = QStringLiteral("\u00a0");
  static const QRegularExpression before_sign(QStringLiteral("(?<=[^\\s|]) (?=%1 [^\\s|])").arg(sign)),
      behind_sign(QStringLiteral("(?<=\u00a0%1) (?=[^\\s|])").arg(sign)),
      inner_sign(QStringLiteral("(?<=[-|])(?=[\\w(|])")), inner_point(QStringLiteral("(?<=\\d)\\.(?=\\d)")),
      short_word(QStringLiteral("(?<![\\w`-])[a-zA-Z]-[a-zA-Z]{1,4}\\b(?!-)")),
      no_prose(QStringLiteral("^\\s*([-+*] |[#|>`]|\\d+\\. )")),
      whole(QStringLiteral("`[^`]+`|\\[[^\\]]+\\]|\\((?:[-\u2212]?[\\w.]+, )+[-\u2212]?[\\w.]+\\)"));
  // A line may end behind a hyphen, even before a space where none may end
  const QString hyphen = QLatin1Char('-') + no_break, joined_hyphen = QStringLiteral("-\u2060") + no_break;
  constexpr int short_formula = 22, short_word_at_end = 6, short_cell = 10;
  QStringList lines = markdown.split(QLatin1Char('\n'));
  bool fenced = false;
  for (qsizetype i = 0; i < lines.size(); ++i) {
    QString& line = lines[i];
    if (line.startsWith(QStringLiteral("```"))) fenced = !fenced;
    if (fenced) continue;
    line.replace(before_sign, no_break);
    if (line.startsWith(QLatin1Char('|'))) {
      line.replace(behind_sign, no_break);
      line.replace(inner_point, QStringLiteral(".\u2060"));
      QStringList cells = line.split(QLatin1Char('|'));
      for (QString& cell : cells)
        if (const QString text = cell.trimmed(); text.contains(QLatin1Char(' ')) && text.size() <= short_cell)
          cell.replace(text, QString(text).replace(QLatin1Char(' '), no_break));
      line = cells.join(QLatin1Char('|'));
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
                     found.captured().replace(QLatin1Char(' '), no_break).replace(hyphen, joined_hyphen));
    const qsizetype blank = line.lastIndexOf(QLatin1Char(' '));
    const bool ends = i + 1 == lines.size() || lines[i + 1].isEmpty();
    if (!ends || line.size() - blank > short_word_at_end || no_prose.match(line).hasMatch()) continue;
    if (blank >= 0) {
      line[blank] = no_break[0];
    } else if (i > 0 && !lines[i - 1].isEmpty() && !no_prose.match(lines[i - 1]).hasMatch()) {
      lines[i - 1] += no_break + line;
      lines.removeAt(i--);
    }
  }
  return lines.join(QLatin1Char('\n'));
}

void set_markdown(QTextDocument& document, const QString& markdown, int line_height) {
  using Features = QTextDocument::MarkdownFeatures;
  QTextCursor all(&document);
  all.beginEditBlock();  // or each change would lay the text out again
  document.setMarkdown(with_whole_formulas(markdown),
                       Features(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML);
  all.endEditBlock();  // tables exist from here on
  all.beginEditBlock();
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
  QTextCharFormat small;
  small.setFontPointSize(tokens::small_text * document.defaultFont().pointSizeF());
  const double beside = QFontMetricsF(document.defaultFont()).averageCharWidth() / 2;
  static const QRegularExpression number(QStringLiteral("^([-+\u2212]?\\d[\\d.,\u00a0\u2060 ]*%?|\\?)$"));
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
          QTextCursor text = cell.firstCursorPosition();
          text.setPosition(cell.lastPosition(), QTextCursor::KeepAnchor);
          text.mergeCharFormat(small);
          if (!numbers) continue;
          QTextBlockFormat line;
          line.setAlignment(Qt::AlignRight);
          cell.firstCursorPosition().mergeBlockFormat(line);
        }
      }
    }
  all.endEditBlock();
}

}  // namespace kdscope
