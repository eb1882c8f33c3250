#pragma once
// A field of a form that is narrow: its label above, and one sentence below while something is wrong with it.

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>

#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"

namespace kdscope {

class LabelledField : public QWidget {
 public:
  /// The label is the spoken name of `input`, too.
  LabelledField(const QString& label, QWidget* input, const char* name, QWidget* extra = nullptr)
      : note_(plain_label()) {
    input->setObjectName(QString::fromLatin1(name));
    input->setAccessibleName(label);
    note_->setObjectName(QString::fromLatin1(name) + QStringLiteral("_note"));
    note_->setWordWrap(true);
    note_->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* head = new QHBoxLayout;
    QLabel* words = plain_label(label);
    words->setWordWrap(true);
    head->addWidget(words, 1);
    if (extra) head->addWidget(extra);
    column->addLayout(head);
    column->addWidget(input);
    column->addWidget(note_);
  }

  void say(const QString& sentence, const QColor& ink) {
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, ink);
    note_->setPalette(colours);
    note_->setText(sentence);
    note_->setVisible(!sentence.isEmpty());
  }
  const QLabel& note() const { return *note_; }

 private:
  QLabel* note_;
};

/// A button with a text, which the Tab key reaches.
inline QToolButton* text_button(const QString& text, const char* name, const QString& spoken) {
  auto* made = new QToolButton;
  made->setText(text);
  made->setObjectName(QString::fromLatin1(name));
  made->setAccessibleName(spoken);
  made->setToolTip(spoken);
  made->setFocusPolicy(Qt::StrongFocus);
  return made;
}

/// A Markdown field of `lines` lines. Tab leaves it.
inline QPlainTextEdit* text_area(int lines) {
  auto* area = new QPlainTextEdit;
  area->setTabChangesFocus(true);
  area->setFixedHeight(area->fontMetrics().lineSpacing() * lines + 14);
  return area;
}

/// The text of a field as a lesson keeps it: without blank lines around it.
inline std::string prose_of(const QPlainTextEdit& area) {
  std::string text = area.toPlainText().toStdString();
  const std::size_t first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
  if (first == std::string::npos) return {};
  const std::size_t line = text.rfind('\n', first);
  return text.substr(line == std::string::npos ? 0 : line + 1, last + 1 - (line == std::string::npos ? 0 : line + 1));
}
inline std::string text_of(const QPlainTextEdit& area) { return area.toPlainText().trimmed().toStdString(); }
inline std::string text_of(const QLineEdit& line) { return line.text().trimmed().toStdString(); }

/// Shows a text, unless the field has it already: what is being typed keeps its cursor and its blanks.
inline void show_text(QPlainTextEdit& area, const std::string& text) {
  if (prose_of(area) == text || text_of(area) == text) return;
  const QSignalBlocker quiet(area);
  area.setPlainText(QString::fromStdString(text));
}
inline void show_text(QLineEdit& line, const std::string& text) {
  if (text_of(line) == text) return;
  const QSignalBlocker quiet(line);
  line.setText(QString::fromStdString(text));
}

}  // namespace kdscope
