#include "app/panes/bookmarks_pane.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <algorithm>

#include "app/appearance/icons.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/views/step_slider.hpp"

namespace kdscope {
namespace {

constexpr int note_column = 2;
constexpr std::size_t most_jumps = 9;  // Ctrl+1 to Ctrl+9

/// Allows only notes to be edited.
class NoteDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    if (index.column() != note_column) return nullptr;
    QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
    editor->setAccessibleName(QObject::tr("Note"));
    editor->setObjectName(QStringLiteral("note_editor"));
    return editor;
  }
};

QString step_text(const Trace& trace, std::uint32_t step) {
  const Step& s = trace.steps.at(step);
  return s.level >= 0 ? QObject::tr("%1  level %2, %3").arg(step).arg(s.level).arg(foreign_text(s.name))
                      : QStringLiteral("%1  %2").arg(step).arg(foreign_text(s.name));
}

}  // namespace

BookmarkNote::BookmarkNote(Workbench& workbench, QWidget* parent)
    : QFrame(parent, Qt::Popup), workbench_(workbench), title_(plain_label()), note_(new QLineEdit) {
  setFrameShape(QFrame::StyledPanel);
  setObjectName(QStringLiteral("bookmark_note"));
  auto* column = new QVBoxLayout(this);
  auto* row = new QHBoxLayout;
  column->addWidget(title_);
  column->addLayout(row);
  row->addWidget(note_, 1);
  note_->setPlaceholderText(tr("A note, if you like"));
  note_->setAccessibleName(tr("Note of the bookmark"));
  note_->setObjectName(QStringLiteral("bookmark_note_text"));
  auto* remove = new QPushButton(tr("Remove"));
  remove->setObjectName(QStringLiteral("remove_bookmark"));
  remove->setToolTip(tr("Take the bookmark away"));
  remove->setAutoDefault(false);
  row->addWidget(remove);
  connect(note_, &QLineEdit::returnPressed, this, &QWidget::close);
  connect(remove, &QPushButton::clicked, this, [this] {
    keep_ = false;
    is_new_ = true;
    close();
  });
  // Close when another run is opened: the bookmark belongs to the old one.
  connect(&workbench.playback(), &Playback::opened, this, [this] {
    keep_ = is_new_ = false;
    close();
  });
}

void BookmarkNote::ask(QPoint above) {
  step_ = workbench_.playback().step();
  const Bookmark* mark = workbench_.marks().at(step_);
  is_new_ = !mark;
  keep_ = true;
  note_->setText(mark ? QString::fromStdString(mark->note) : QString());
  note_->selectAll();
  title_->setText(tr("Bookmark at step %1").arg(step_text(workbench_.playback().cursor()->trace(), step_)));
  if (is_new_) workbench_.marks().set(step_, "");
  note_->setMinimumWidth(fontMetrics().averageCharWidth() * 36);
  adjustSize();
  const QRect room = parentWidget()->window()->screen()->availableGeometry();
  move(std::clamp(above.x() - width() / 2, room.left(), std::max(room.left(), room.right() - width())),
       std::clamp(above.y() - height(), room.top(), std::max(room.top(), room.bottom() - height())));
  show();
  note_->setFocus();
}

void BookmarkNote::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return;  // ignore all other keys that no field takes
  keep_ = false;
  close();
}

void BookmarkNote::hideEvent(QHideEvent*) {
  if (keep_)
    workbench_.marks().set(step_, note_->text().trimmed().toStdString());
  else if (is_new_)
    workbench_.marks().remove(step_);
}

BookmarksPane::BookmarksPane(Workbench& workbench, QWidget* parent)
    : QTreeWidget(parent),
      workbench_(workbench),
      note_(new BookmarkNote(workbench, this)),
      buttons_(new QWidget),
      mark_(new QAction(icon(Symbol::bookmark), tr("&Bookmark this step\u2026"), this)),
      remove_(new QAction(icon(Symbol::close), tr("Remove the bookmark"), this)) {
  setColumnCount(3);
  setHeaderLabels({tr("Key"), tr("Step"), tr("Note")});
  header()->setStretchLastSection(true);
  header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  setRootIsDecorated(false);
  setFrameShape(QFrame::NoFrame);
  setUniformRowHeights(true);
  setAccessibleName(tr("Bookmarks"));
  setObjectName(QStringLiteral("bookmark_list"));
  setItemDelegate(new NoteDelegate(this));
  setEditTriggers(QAbstractItemView::DoubleClicked);
  setContextMenuPolicy(Qt::ActionsContextMenu);

  const auto here = [this](const QString& text, Qt::Key key, auto what) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, what);
    addAction(action);
    return action;
  };
  here(tr("Edit the note"), Qt::Key_F2, [this] {
    if (currentItem()) editItem(currentItem(), note_column);
  });
  here(tr("Compare with this step"), Qt::Key_C, [this] {
    if (const auto step = current_step()) workbench_.playback().compare_with({ComparedWith::bookmark, *step});
  });
  here(tr("Remove"), Qt::Key_Delete, [this] {
    if (const auto step = current_step()) workbench_.marks().remove(*step);
  });

  mark_->setShortcut(Qt::CTRL | Qt::Key_B);
  mark_->setToolTip(tr("Bookmark this step, or edit its note (Ctrl+B)"));
  mark_->setEnabled(false);
  keep_in_window(*mark_);
  remove_->setEnabled(false);
  connect(mark_, &QAction::triggered, this, &BookmarksPane::ask);
  connect(remove_, &QAction::triggered, this, [this] { workbench_.marks().remove(workbench_.playback().step()); });
  auto* row = new QHBoxLayout(buttons_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  auto* button = new QToolButton;
  button->setDefaultAction(mark_);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(tr("Bookmark this step"));
  row->addWidget(button);
  for (std::size_t n = 0; n < most_jumps; ++n) {
    auto* jump = new QAction(this);
    jump->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + n)));
    connect(jump, &QAction::triggered, this, [this, n] { workbench_.marks().go_to(n); });
    jumps_.push_back(jump);
  }

  const auto go = [this](QTreeWidgetItem* item) { workbench_.playback().seek(item->data(0, Qt::UserRole).toUInt()); };
  connect(this, &QTreeWidget::itemClicked, this, go);
  connect(this, &QTreeWidget::itemActivated, this, go);
  connect(this, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
    if (column == note_column)
      workbench_.marks().set(item->data(0, Qt::UserRole).toUInt(), item->text(column).trimmed().toStdString());
  });
  connect(&workbench.marks(), &Marks::changed, this, &BookmarksPane::list);
  connect(&workbench.playback(), &Playback::stepped, this, &BookmarksPane::show_step);
  list();
}

std::optional<std::uint32_t> BookmarksPane::current_step() const {
  return currentItem() ? std::optional(currentItem()->data(0, Qt::UserRole).toUInt()) : std::nullopt;
}

void BookmarksPane::fill_menu(QMenu& menu) {
  menu.addActions({mark_, remove_});
  QMenu* to = menu.addMenu(tr("Go to boo&kmark"));
  to->addActions(QList<QAction*>(jumps_.begin(), jumps_.end()));
}

void BookmarksPane::ask() {
  if (!workbench_.playback().cursor()) return;
  const auto* slider = window()->findChild<StepSlider*>();  // the mark appears there
  const QWidget* by = slider && slider->isVisible() ? static_cast<const QWidget*>(slider) : this;
  note_->ask(by->mapToGlobal(QPoint(
      slider == by ? static_cast<int>(slider->x_of(static_cast<int>(workbench_.playback().step()))) : width() / 2, 0)));
}

void BookmarksPane::list() {
  const QSignalBlocker quiet(this);
  const std::vector<Bookmark>& marks = workbench_.marks().all();
  const Cursor* cursor = workbench_.playback().cursor();
  // Reuse the rows: one of them may be in editing.
  while (topLevelItemCount() > static_cast<int>(marks.size())) delete takeTopLevelItem(topLevelItemCount() - 1);
  while (topLevelItemCount() < static_cast<int>(marks.size())) {
    auto* item = new QTreeWidgetItem;
    item->setFlags(item->flags() | Qt::ItemIsEditable);
    addTopLevelItem(item);
  }
  for (std::size_t n = 0; n < marks.size(); ++n) {
    QTreeWidgetItem* item = topLevelItem(static_cast<int>(n));
    const QString note = foreign_text(marks[n].note);
    item->setData(0, Qt::UserRole, marks[n].step);
    item->setText(0, n < most_jumps ? jumps_[n]->shortcut().toString(QKeySequence::NativeText) : QString());
    item->setText(1, cursor && marks[n].step < cursor->step_count() ? step_text(cursor->trace(), marks[n].step)
                                                                    : QString::number(marks[n].step));
    item->setText(note_column, note);
    item->setToolTip(note_column, plain_tip(note));
  }
  for (std::size_t n = 0; n < jumps_.size(); ++n) {
    const bool there = n < marks.size();
    jumps_[n]->setEnabled(there);
    jumps_[n]->setText(there ? tr("&%1  step %2  %3").arg(n + 1).arg(marks[n].step).arg(as_label(marks[n].note))
                             : tr("&%1  none yet").arg(n + 1));
  }
  setWindowTitle(marks.empty()       ? QString()
                 : marks.size() == 1 ? tr("1 bookmark")
                                     : tr("%1 bookmarks").arg(marks.size()));
  show_step();
  viewport()->update();
}

void BookmarksPane::show_step() {
  const QSignalBlocker quiet(this);
  mark_->setEnabled(workbench_.playback().cursor() != nullptr);
  remove_->setEnabled(workbench_.playback().cursor() && workbench_.marks().at(workbench_.playback().step()));
  for (int i = 0; i < topLevelItemCount(); ++i) {
    QFont font = this->font();
    font.setBold(topLevelItem(i)->data(0, Qt::UserRole).toUInt() == workbench_.playback().step());
    for (int column = 0; column < columnCount(); ++column)
      topLevelItem(i)->setData(column, Qt::FontRole, font.bold() ? QVariant(font) : QVariant());
  }
}

void BookmarksPane::paintEvent(QPaintEvent* event) {
  QTreeWidget::paintEvent(event);
  if (topLevelItemCount() > 0) return;
  QPainter painter(viewport());
  painter.setPen(palette().color(QPalette::PlaceholderText));
  painter.drawText(
      viewport()->rect().adjusted(12, 0, -12, 0), Qt::AlignCenter | Qt::TextWordWrap,
      tr("%1 marks the step that you see, with a note.").arg(mark_->shortcut().toString(QKeySequence::NativeText)));
}

}  // namespace kdscope
