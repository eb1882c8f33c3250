#include "app/appearance/form_field.hpp"

#include <QHBoxLayout>
#include <QSpinBox>
#include <limits>

#include "algorithms/builders/algorithm.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/narrow_form.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/scrolling_page.hpp"

namespace kdscope {
namespace {

/// Makes a field of several values with commas between them.
FormField list_field(const QString& hint, const Changed& changed) {
  auto* line = entry({""}, hint, changed);
  return {line,
          [line] {
            QStringList items = line->text().split(QLatin1Char(','));
            for (QString& item : items) item = item.trimmed();
            return items.join(QLatin1Char(','));
          },
          [line](const QString& value) { line->setText(value); }};
}

}  // namespace

QLineEdit* entry(const FieldText& text, const QString& hint, const Changed& changed) {
  auto* line = named(new QLineEdit, text);
  line->setPlaceholderText(hint);
  if (changed) QObject::connect(line, &QLineEdit::textChanged, line, changed);
  return line;
}

void show_backends(QComboBox& box, const DeviceReport& device) {
  const QSignalBlocker quiet(box);
  const QVariant before = box.currentData();
  box.clear();
  box.addItem(QObject::tr("Automatic"), static_cast<int>(Backend::automatic));
  box.addItem(QObject::tr("CPU"), static_cast<int>(Backend::cpu));
  if (device.cuda_status.empty()) box.addItem(QObject::tr("CUDA"), static_cast<int>(Backend::cuda));
  box.setCurrentIndex(std::max(0, box.findData(before)));
}

QLabel* text_line(const FieldText& text, bool wraps) {
  auto* label = named(plain_label(), text);
  label->setWordWrap(wraps);
  return label;
}

QLabel* label_of(const QString& text, QWidget* field) {
  auto* label = plain_label(text);
  label->setBuddy(field);
  return label;
}

FormColumn::FormColumn(QWidget& pane) : column_(new QVBoxLayout(scrolling_page(pane))) {
  column_->setContentsMargins(8, 6, 8, 6);
  column_->setSpacing(6);
}

void FormColumn::wrap(std::initializer_list<QWidget*> widgets) {
  auto* row = new WrappingRow(column_->spacing());
  for (QWidget* widget : widgets) row->addWidget(widget);
  column_->addLayout(row);
}

void FormColumn::line(const QString& label, QWidget* field, QWidget* after) {
  auto* row = new QHBoxLayout;
  row->addWidget(label_of(label, field));
  row->addWidget(field, 1);
  if (after) row->addWidget(after);
  column_->addLayout(row);
}

QComboBox* narrow_combo(int characters) {
  auto* box = new QComboBox;
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(characters);
  return box;
}

FormField choice_field(const std::vector<std::pair<QString, QString>>& values_and_help, const QString& start,
                       const Changed& changed) {
  auto* box = narrow_combo();
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
    auto* line = entry({""}, QObject::tr("%L1 to %L2").arg(min).arg(max));
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
  if (parameter.is_list)
    return list_field(QObject::tr("such as %1").arg(QString::fromStdString(parameter.example)), changed);
  if (parameter.choices.empty()) return integer_field(parameter.min, parameter.max, start, false, changed);
  std::vector<std::pair<QString, QString>> choices;
  for (const std::string& choice : parameter.choices) choices.emplace_back(QString::fromStdString(choice), QString());
  return choice_field(choices, start, changed);
}

}  // namespace kdscope
