#pragma once
// Texts of labels: texts from the user's data, and places in a run.

#include <QObject>
#include <QString>

#include "algorithms/text/printable_text.hpp"

namespace kdscope {

/// A foreign text (a title, a file's name, a note) with escaped control characters.
inline QString foreign_text(const std::string& text) { return QString::fromStdString(printable_lines(text)); }
inline QString foreign_text(const QString& text) { return foreign_text(text.toStdString()); }

/// The same for a menu, a button or a tab, where a single & marks a key.
inline QString as_label(const std::string& text) {
  return foreign_text(text).replace(QLatin1Char('&'), QLatin1String("&&"));
}
inline QString as_label(const QString& text) { return as_label(text.toStdString()); }

/// "step 3 / 8": steps count from 0, and the second number is the last step.
inline QString step_place(std::uint32_t step, std::uint32_t step_count) {
  return QStringLiteral("step %1 / %2").arg(step).arg(step_count - 1);
}

/// What a pane shows in place of something that a question asks for.
inline QString hidden_words() { return QObject::tr("Hidden until the question is answered."); }

}  // namespace kdscope
