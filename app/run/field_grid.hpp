#pragma once
// Small fields with their names above them, side by side in as many columns as the width has room for.

#include <QGridLayout>
#include <QLabel>
#include <QWidget>
#include <vector>

namespace kdscope {

class FieldGrid : public QWidget {
  Q_OBJECT

 public:
  explicit FieldGrid(QWidget* parent = nullptr);
  /// Takes ownership of the field. `label` names it, and is its key if it has none; `help` is its tool tip and its
  /// description for assistive programs.
  void add(const QString& label, const QString& help, QWidget* field);
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  int cell_width() const;
  void arrange();
  QGridLayout* grid_;
  std::vector<QWidget*> cells_;
  int columns_ = 0;
};

}  // namespace kdscope
