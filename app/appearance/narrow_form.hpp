#pragma once
// Parts of forms in narrow docks: a combo box that is no wider than its room, and buttons that go on below.

#include <QAbstractItemView>
#include <QComboBox>
#include <QHelpEvent>
#include <QLayout>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <algorithm>
#include <memory>
#include <vector>

#include "app/appearance/plain_text.hpp"

namespace kdscope {

/// A combo box that asks for a few characters of room, ends a longer text with dots, and says it whole in its tool tip.
class NarrowComboBox : public QComboBox {
 public:
  explicit NarrowComboBox(QWidget* parent = nullptr) : QComboBox(parent) {
    constexpr int fewest_characters = 12;
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(fewest_characters);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  }

  /// The list is as wide as its longest text.
  void showPopup() override {
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    QComboBox::showPopup();
  }

  /// The text as it is drawn.
  QString drawn_text() const {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const int room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
    return fontMetrics().elidedText(currentText(), Qt::ElideRight, room - 4);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    option.currentText = drawn_text();
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
  }

  bool event(QEvent* event) override {
    if (event->type() == QEvent::ToolTip) {
      const QString whole = currentText() + (toolTip().isEmpty() ? QString() : QLatin1Char('\n') + toolTip());
      show_plain_tip(static_cast<QHelpEvent*>(event)->globalPos(), whole, this);
      return true;
    }
    return QComboBox::event(event);
  }
};

/// Lays widgets out from left to right, and goes on below where the width ends.
class WrappingRow : public QLayout {
 public:
  explicit WrappingRow(int gap) : gap_(gap) { setContentsMargins(0, 0, 0, 0); }

  void addItem(QLayoutItem* item) override { items_.emplace_back(item); }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int i) const override {
    return i >= 0 && i < count() ? items_[static_cast<std::size_t>(i)].get() : nullptr;
  }
  QLayoutItem* takeAt(int i) override {
    if (i < 0 || i >= count()) return nullptr;
    QLayoutItem* item = items_[static_cast<std::size_t>(i)].release();
    items_.erase(items_.begin() + i);
    return item;
  }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return lay_out(QRect(0, 0, width, 0), false); }
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override {
    QSize size;
    for (const auto& item : items_) size = size.expandedTo(item->minimumSize());
    return size;
  }
  void setGeometry(const QRect& rect) override {
    QLayout::setGeometry(rect);
    lay_out(rect, true);
  }

 private:
  /// Returns the height.
  int lay_out(const QRect& rect, bool place) const {
    int y = rect.top();
    for (std::size_t first = 0; first < items_.size();) {
      // A row: as many as fit
      int width = 0, height = 0;
      std::size_t end = first;
      for (; end < items_.size(); ++end) {
        const QSize size = size_of(*items_[end], rect.width());
        if (end > first && width + size.width() > rect.width()) break;
        width += size.width() + gap_;
        height = std::max(height, size.height());
      }
      int x = rect.left();
      for (; first < end; ++first) {
        const QSize size = size_of(*items_[first], rect.width());
        if (place) items_[first]->setGeometry(QRect(QPoint(x, y + (height - size.height()) / 2), size));
        x += size.width() + gap_;
      }
      y += height + (end < items_.size() ? gap_ : 0);
    }
    return y - rect.top();
  }
  static QSize size_of(const QLayoutItem& item, int width) {
    return item.sizeHint().boundedTo({std::max(width, item.minimumSize().width()), QWIDGETSIZE_MAX});
  }

  int gap_;
  std::vector<std::unique_ptr<QLayoutItem>> items_;
};

}  // namespace kdscope
