#pragma once
// A short list of names with check boxes.

#include <QKeyEvent>
#include <QListWidget>
#include <algorithm>
#include <string>
#include <vector>

#include "app/appearance/labels.hpp"

namespace kdscope {

class CheckedList : public QListWidget {
  Q_OBJECT

 public:
  CheckedList() {
    connect(this, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
      const std::string name = item->data(Qt::UserRole).toString().toStdString();
      std::erase(checked_, name);
      if (item->checkState() == Qt::Checked) checked_.push_back(name);
      emit checked_changed();
    });
  }

  /// Shows names, and which of them are checked. A checked name that is not among them stands there too.
  void show_names(std::vector<std::string> names, const std::vector<std::string>& checked) {
    for (const std::string& name : checked)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    if (names == names_ && checked == checked_) return;
    const QSignalBlocker quiet(*this);
    if (names != names_) {
      clear();
      for (const std::string& name : names) {
        auto* item = new QListWidgetItem(foreign_text(name), this);
        item->setData(Qt::UserRole, QString::fromStdString(name));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
      }
      names_ = std::move(names);
    }
    checked_ = checked;
    for (int i = 0; i < count(); ++i) {
      const bool on = std::find(checked.begin(), checked.end(), names_[static_cast<std::size_t>(i)]) != checked.end();
      item(i)->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    }
  }
  /// The checked names, in the order in which they were checked.
  const std::vector<std::string>& checked() const { return checked_; }

 signals:
  void checked_changed();

 protected:
  /// Space checks the focused row; the window would begin to play.
  bool event(QEvent* event) override {
    if (event->type() == QEvent::ShortcutOverride) {
      const auto* pressed = static_cast<QKeyEvent*>(event);
      if (pressed->key() == Qt::Key_Space && pressed->modifiers() == Qt::NoModifier) {
        event->accept();
        return true;
      }
    }
    return QListWidget::event(event);
  }

 private:
  std::vector<std::string> names_, checked_;
};

}  // namespace kdscope
