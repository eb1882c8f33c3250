#include "app/shell/course_list.hpp"

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

constexpr int id_role = Qt::UserRole;

/// Rows with room between their lines, at every text scale, and as high as the aim needs in its column.
class RoomyRow : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem wrapped = option;
    if (index.column() == 1) wrapped.rect = {0, 0, static_cast<const QTreeView*>(option.widget)->columnWidth(1), 1};
    return QStyledItemDelegate::sizeHint(wrapped, index) + QSize(tokens::space, tokens::space);
  }
};

}  // namespace

CourseList::CourseList(const CourseMenu& course, Workbench& workbench, QWidget* parent)
    : QTreeWidget(parent), workbench_(workbench) {
  setObjectName(QStringLiteral("course_list"));
  setAccessibleName(tr("All lessons"));
  setHeaderLabels({tr("Lesson"), tr("What it teaches"), tr("Length"), tr("Done")});
  setRootIsDecorated(false);
  setItemsExpandable(false);
  setWordWrap(true);
  setAllColumnsShowFocus(true);
  headerItem()->setToolTip(0, tr("A click or Enter opens a lesson"));
  setItemDelegate(new RoomyRow(this));
  for (const CoursePart& part : course.course().parts) {
    auto* heading = new QTreeWidgetItem(this);
    heading->setText(0, part.title.empty() ? tr("More lessons") : foreign_text(part.title));
    heading->setFlags(Qt::ItemIsEnabled);
    QFont bold = font();
    bold.setBold(true);
    heading->setFont(0, bold);
    for (const std::string& id : part.lessons) {
      const Lesson& lesson = *course.lesson_named(id);
      auto* row = new QTreeWidgetItem(
          heading, {foreign_text(lesson.title), foreign_text(lesson.aim),
                    lesson.minutes > 0 ? tr("%1 min").arg(lesson.minutes) : QString(), course.progress_of(lesson)});
      row->setData(0, id_role, QString::fromStdString(id));
      row->setToolTip(0, plain_tip(row->text(0) + QLatin1Char('\n') + foreign_text(lesson.source)));
      if (id == course.here()) setCurrentItem(row);
    }
  }
  expandAll();
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  header()->setSectionResizeMode(0, QHeaderView::Fixed);
  header()->setSectionResizeMode(1, QHeaderView::Stretch);
  for (const auto signal : {&QTreeWidget::itemClicked, &QTreeWidget::itemActivated})
    connect(this, signal, this, [this](const QTreeWidgetItem* item) { open(*item); });
}

void CourseList::resizeEvent(QResizeEvent* event) {
  QTreeWidget::resizeEvent(event);
  header()->resizeSection(0, std::min(sizeHintForColumn(0), width() * 2 / 5));  // the aims of lessons need room, too
  scheduleDelayedItemsLayout();
}

/// The row that Enter opens is tinted: it is one of many, and nothing has been chosen yet.
void CourseList::drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem tinted = option;
  const Theme& t = theme_of(workbench_.looks().appearance());
  tinted.palette.setColor(QPalette::Highlight, colour(mix(t.base, t.focus, 0.18)));
  tinted.palette.setColor(QPalette::HighlightedText, palette().color(QPalette::Text));
  QTreeWidget::drawRow(painter, tinted, index);
}

void CourseList::open(const QTreeWidgetItem& item) {
  const QString id = item.data(0, id_role).toString();
  if (id.isEmpty() || workbench_.jobs().busy()) return;  // a double click opens once
  workbench_.desk().open_lesson(id.toStdString());
}

}  // namespace kdscope
