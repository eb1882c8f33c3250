#include "app/run/form_field.hpp"

#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>
#include <limits>

#include "app/look/icons.hpp"

namespace kdscope {
namespace {

/// Makes a field of several values with commas between them.
FormField list_field(const QString& hint, const Changed& changed) {
  auto* line = new QLineEdit;
  line->setPlaceholderText(hint);
  QObject::connect(line, &QLineEdit::textChanged, line, changed);
  return {line,
          [line] {
            QStringList items = line->text().split(QLatin1Char(','));
            for (QString& item : items) item = item.trimmed();
            return items.join(QLatin1Char(','));
          },
          [line](const QString& value) { line->setText(value); }};
}

}  // namespace

QComboBox* narrow_combo(const QString& name) {
  auto* box = new QComboBox;
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(10);
  box->setAccessibleName(name);
  return box;
}

FormField choice_field(const std::vector<std::pair<QString, QString>>& values_and_help, const QString& start,
                       const Changed& changed) {
  auto* box = narrow_combo(QString());
  for (const auto& [value, help] : values_and_help) {
    box->addItem(value);
    box->setItemData(box->count() - 1, help, Qt::ToolTipRole);
  }
  box->setCurrentText(start);
  QObject::connect(box, &QComboBox::currentIndexChanged, box, changed);
  return {box, [box] { return box->currentText(); }, [box](const QString& value) { box->setCurrentText(value); }};
}

FormField integer_field(std::int64_t min, std::int64_t max, const QString& start, bool automatic,
                        const Changed& changed) {
  constexpr std::int64_t least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  if (automatic || max > most) {  // "auto" is a value too, or the number is too large for a spin box
    auto* line = new QLineEdit;
    line->setPlaceholderText(QObject::tr("%L1 to %L2").arg(min).arg(max));
    line->setText(start);
    QObject::connect(line, &QLineEdit::textChanged, line, changed);
    if (automatic) {
      QAction* reset = line->addAction(icon(Symbol::clock), QLineEdit::TrailingPosition);
      reset->setToolTip(QObject::tr("Back to auto"));
      QObject::connect(reset, &QAction::triggered, line, [line] { line->setText(QStringLiteral("auto")); });
    }
    return {line, [line] { return line->text().trimmed().remove(QLatin1Char(',')); },
            [line](const QString& value) { line->setText(value); }};
  }
  auto* box = new QSpinBox;
  box->setRange(static_cast<int>(std::max(min, least)), static_cast<int>(std::min(max, most)));
  box->setGroupSeparatorShown(true);
  box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  box->setValue(start.toInt());
  QObject::connect(box, &QSpinBox::valueChanged, box, changed);
  return {box, [box] { return QString::number(box->value()); },
          [box](const QString& value) { box->setValue(value.toInt()); }};
}

FormField field_of(const DataParameter& parameter, const Changed& changed) {
  const QString start = QString::fromStdString(parameter.default_value);
  if (parameter.is_list) return list_field(QString::fromStdString(parameter.example), changed);
  if (parameter.choices.empty()) return integer_field(parameter.min, parameter.max, start, false, changed);
  std::vector<std::pair<QString, QString>> choices;
  for (const std::string& choice : parameter.choices) choices.emplace_back(QString::fromStdString(choice), QString());
  return choice_field(choices, start, changed);
}

}  // namespace kdscope
