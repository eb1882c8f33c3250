#pragma once
// Where formulas in running text may be broken into lines.

#include <QRegularExpression>
#include <QString>
#include <QStringList>

namespace kdscope {

/// Returns a Markdown text in which no line begins with an operator: "y - 15" breaks behind the sign, where it cannot
/// be read as a negative number or a list. Tables and fenced code stay as they are.
inline QString with_whole_formulas(const QString& markdown) {
  static const QRegularExpression before_operator(
      QStringLiteral("(?<=\\S) (?=[-+/=<>\u00b1\u2212\u00d7\u00b7\u2264\u2265\u2248] \\S)"));
  QStringList lines = markdown.split(QLatin1Char('\n'));
  bool fenced = false;
  for (QString& line : lines) {
    if (line.startsWith(QStringLiteral("```"))) fenced = !fenced;
    if (!fenced && !line.startsWith(QLatin1Char('|'))) line.replace(before_operator, QStringLiteral("\u00a0"));
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace kdscope
