#pragma once
// All lessons in the order of the course, to browse: what each one teaches, how long it takes, and how far one has
// come.

#include <QTreeWidget>

#include "app/workspace/course_menu.hpp"

namespace kdscope {

class CourseList : public QTreeWidget {
  Q_OBJECT

 public:
  CourseList(const CourseMenu& course, Workbench& workbench, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void open(const QTreeWidgetItem& item);

  Workbench& workbench_;
};

}  // namespace kdscope
