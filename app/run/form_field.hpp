#pragma once
// Fields of forms: a widget with a value as text.

#include <QString>
#include <QWidget>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "datasets/datasets.hpp"

class QComboBox;

namespace kdscope {

struct FormField {
  QWidget* widget;
  std::function<QString()> value;
  std::function<void(const QString&)> set;
};
using FormFields = std::map<std::string, FormField>;
using Changed = std::function<void()>;

/// Makes a combo box whose long choices do not widen the dock.
QComboBox* narrow_combo(const QString& name);

/// Makes a field of one of several values; each has a text that explains it, or an empty one.
FormField choice_field(const std::vector<std::pair<QString, QString>>& values_and_help, const QString& start,
                       const Changed& changed);
/// Makes a field of a whole number. `automatic`: "auto" is a value too.
FormField integer_field(std::int64_t min, std::int64_t max, const QString& start, bool automatic,
                        const Changed& changed);
/// Makes the field of a parameter of a source or of a file.
FormField field_of(const DataParameter& parameter, const Changed& changed);

}  // namespace kdscope
