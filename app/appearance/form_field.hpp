#pragma once
// Forms as tables. Each row makes a widget from its key, its texts, its range or choices, its default and what it
// calls.

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QIcon>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QString>
#include <QVBoxLayout>
#include <QVariant>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {

/// Called when a value has changed or a button was clicked; may be empty.
using Changed = std::function<void()>;

/// What a form declares of each widget.
struct FieldText {
  const char* key;  ///< object name
  QString spoken =
      {};  ///< name for assistive programs; a button and a tick show it, with the mnemonic that it marks by &
  QString tip = {};
};

/// Texts to choose from, each with the value that it stands for.
using Choices = std::vector<std::pair<QString, QVariant>>;

template <class Number>
struct Range {
  Number least, most, start;
};

/// Gives a widget its key and texts, and returns it. What is empty stays as the widget has it.
template <class Widget>
Widget* named(Widget* widget, const FieldText& text) {
  if (*text.key != '\0') widget->setObjectName(QLatin1String(text.key));
  if (!text.spoken.isEmpty()) widget->setAccessibleName(text.spoken);
  if (!text.tip.isEmpty()) widget->setToolTip(text.tip);
  return widget;
}

/// Gives a button its key and texts, and returns it.
template <class Button>
Button* button_of(Button* button, const FieldText& text) {
  button->setText(text.spoken);
  return named(button, {text.key, QString(text.spoken).remove(QLatin1Char('&')), text.tip});
}

template <class Button = QPushButton>
Button* button(const FieldText& text, const Changed& clicked = {}, const QIcon& icon = {}) {
  auto* made = button_of(new Button, text);
  if (!icon.isNull()) made->setIcon(icon);
  if (clicked) QObject::connect(made, &QAbstractButton::clicked, made, clicked);
  return made;
}

/// A check box, or another button that stays pressed.
template <class Button = QCheckBox>
Button* tick(const FieldText& text, const Changed& changed = {}, bool on = false) {
  auto* made = button_of(new Button, text);
  made->setCheckable(true);
  made->setChecked(on);
  if (changed) QObject::connect(made, &QAbstractButton::toggled, made, changed);
  return made;
}

/// Fills a list with choices, of which one is chosen by its number.
template <class Box>
Box* choice(Box* box, const FieldText& text, const Choices& choices, const Changed& changed = {}, int start = 0) {
  named(box, text);
  for (const auto& [words, value] : choices) box->addItem(words, value);
  box->setCurrentIndex(start);
  if (changed) QObject::connect(box, &QComboBox::currentIndexChanged, box, changed);
  return box;
}

/// Gives a spin box or a slider its range.
template <class Box, class Number>
Box* number(Box* box, const FieldText& text, const Range<Number>& range, const Changed& changed = {}) {
  named(box, text);
  box->setRange(range.least, range.most);
  box->setValue(range.start);
  if (changed) QObject::connect(box, &Box::valueChanged, box, changed);
  return box;
}

/// A line to type in. `hint` stands in it while it is empty.
QLineEdit* entry(const FieldText& text, const QString& hint, const Changed& changed = {});
/// Offers the back ends of a device, each with its number, and keeps the one that was chosen if it is among them.
void show_backends(QComboBox& box, const DeviceReport& device);
/// A text that the form shows.
QLabel* text_line(const FieldText& text, bool wraps = true);
/// The label in front of a field.
QLabel* label_of(const QString& text, QWidget* field);

/// The rows of a form from the top down, on a page that scrolls.
class FormColumn {
 public:
  /// Fills `pane`, whose accessible name is set.
  explicit FormColumn(QWidget& pane);
  void add(QWidget* widget, int stretch = 0) { column_->addWidget(widget, stretch); }
  /// Widgets from left to right, which go on below where the width ends.
  void wrap(std::initializer_list<QWidget*> widgets);
  /// A field as wide as the page, between its label and a text.
  void line(const QString& label, QWidget* field, QWidget* after = nullptr);
  void stretch() { column_->addStretch(1); }

 private:
  QVBoxLayout* column_;
};

/// A widget with a value as text.
struct FormField {
  QWidget* widget;
  std::function<QString()> value;
  std::function<void(const QString&)> set;
};
using FormFields = std::map<std::string, FormField>;

/// Makes a combo box whose long choices do not widen the dock.
QComboBox* narrow_combo(int characters = 10);

/// Makes a field of one of several values; each has a text that explains it, or an empty one.
FormField choice_field(const std::vector<std::pair<QString, QString>>& values_and_help, const QString& start,
                       const Changed& changed);
/// Makes a field of a whole number. `automatic`: "auto" is a value too.
FormField integer_field(std::int64_t min, std::int64_t max, const QString& start, bool automatic,
                        const Changed& changed);
/// Makes the field of a parameter of a source or of a file.
FormField field_of(const DataParameter& parameter, const Changed& changed);

}  // namespace kdscope
