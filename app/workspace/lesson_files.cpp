#include "app/workspace/lesson_files.hpp"

#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QRegularExpression>

#include "app/workbench/workbench_window.hpp"
#include "app/workspace/layouts.hpp"
#include "app/workspace/workspace.hpp"

namespace kdscope {
namespace {

/// "Wald's ten points" becomes "wald-s-ten-points.md".
QString file_name_of(const std::string& title) {
  QString name = QString::fromStdString(title).toLower();
  static const QRegularExpression others(QStringLiteral("[^\\p{L}\\p{N}]+"));
  name.replace(others, QStringLiteral("-"));
  while (name.startsWith(QLatin1Char('-'))) name.remove(0, 1);
  while (name.endsWith(QLatin1Char('-'))) name.chop(1);
  return (name.isEmpty() ? QStringLiteral("lesson") : name) + QLatin1String(lesson_ending);
}

}  // namespace

LessonFiles::LessonFiles(WorkbenchWindow& window, Workbench& workbench, Workspace& workspace)
    : QObject(&window), window_(window), workbench_(workbench), workspace_(workspace) {
  fill_menu();
  connect(&workbench.playback(), &Playback::opened, this, &LessonFiles::update, Qt::QueuedConnection);
  connect(&workbench.lessons(), &LessonPlayer::shown, this, &LessonFiles::update);
  connect(&workbench.editor(), &LessonEditor::opened, this, &LessonFiles::update);
  connect(&workbench.editor(), &LessonEditor::changed, this, &LessonFiles::update);
  update();
}

QAction* LessonFiles::add(const char* name, const QString& text, const QKeySequence& key, std::function<void()> what) {
  QAction* action = menu_->addAction(text);
  action->setObjectName(QString::fromLatin1(name));
  action->setShortcut(key);
  connect(action, &QAction::triggered, this, [what = std::move(what)] { what(); });
  return action;
}

void LessonFiles::fill_menu() {
  menu_ = &window_.menu(QStringLiteral("lessons"));
  menu_->addSeparator();
  LessonEditor& editor = workbench_.editor();
  QAction* open = add("open_lesson_file", tr("&Open lesson file\u2026"), {}, [this] { this->open(); });
  open->setEnabled(lessons_available());
  menu_ = menu_->addMenu(tr("&Write a lesson"));
  new_ = add("new_lesson", tr("&New lesson"), {}, [this] { begin(); });
  edit_ = add("edit_lesson", tr("&Edit a copy of this lesson"), {}, [this] { edit(); });
  menu_->addSeparator();
  add_stop_ =
      add("add_stop", tr("&Add a stop here"), Qt::CTRL | Qt::SHIFT | Qt::Key_A, [&editor] { editor.add_stop(); });
  preview_ = add("preview_lesson", tr("See it as a student &does"), Qt::CTRL | Qt::SHIFT | Qt::Key_P,
                 [&editor] { editor.preview(!editor.previews()); });
  preview_->setCheckable(true);
  menu_->addSeparator();
  save_ = add("save_lesson", tr("&Save the lesson"), Qt::CTRL | Qt::ALT | Qt::Key_S, [this] { save(); });
  save_as_ = add("save_lesson_as", tr("Save the lesson as\u2026"), {}, [this] { save_as(); });
  close_ = add("close_lesson", tr("End editi&ng"), {}, [this] { close(); });
}

void LessonFiles::update() {
  const LessonEditor& editor = workbench_.editor();
  const bool available = lessons_available(), active = editor.active();
  const Lesson* lesson = workbench_.lessons().lesson();
  new_->setEnabled(available && workbench_.playback().cursor());
  edit_->setEnabled(available && lesson && !active);
  edit_->setText(lesson && !workbench_.lessons().is_listed(*lesson) ? tr("&Edit this lesson")
                                                                    : tr("&Edit a copy of this lesson"));
  for (QAction* action : {save_, save_as_, close_}) action->setEnabled(active);
  add_stop_->setEnabled(active && editor.fits_run());
  preview_->setEnabled(active && editor.fits_run() && !editor.lesson().stops.empty());
  preview_->setChecked(active && editor.previews());
}

/// Brings the pane to the front, and gives it most of its column's height: on a projector there is little.
void LessonFiles::show_pane() {
  QDockWidget* pane = window_.dock(QStringLiteral("lesson_editor"));
  window_.layouts().reveal(*pane);
  if (QDockWidget* below = window_.dock(QStringLiteral("checks")); !below->isHidden())
    window_.resizeDocks({pane, below}, {10, 1}, Qt::Vertical);
}

void LessonFiles::begin() {
  keep_or_drop([this] {
    if (const auto begun = workbench_.editor().begin(); !begun) return workbench_.messages().report(begun.error());
    show_pane();
  });
}

void LessonFiles::edit() {
  if (!workbench_.lessons().lesson()) return;
  const Lesson lesson = *workbench_.lessons().lesson();
  keep_or_drop([this, lesson] {
    workbench_.editor().edit(lesson, workbench_.lessons().is_listed(lesson) || lesson.path.empty());
    show_pane();
  });
}

void LessonFiles::open() {
  workspace_.ask_for_file(
      nullptr, tr("Open a lesson"), {}, [this](const QString& path) { workbench_.open(path); }, tr("Lessons (*.md)"));
}

void LessonFiles::save(std::function<void()> then) {
  const LessonEditor& editor = workbench_.editor();
  if (!editor.active()) return;
  editor.file().empty() ? save_as(std::move(then)) : save_to(QString::fromStdString(editor.file()), then);
}

void LessonFiles::save_as(std::function<void()> then) {
  const LessonEditor& editor = workbench_.editor();
  if (!editor.active()) return;
  const QString name = editor.file().empty() ? file_name_of(editor.lesson().title)
                                             : QFileInfo(QString::fromStdString(editor.file())).fileName();
  workspace_.ask_for_file(
      lesson_ending, tr("Save the lesson"), name,
      [this, then = std::move(then)](const QString& path) { save_to(path, then); }, tr("Lessons (*.md)"));
}

void LessonFiles::save_to(const QString& path, const std::function<void()>& then) {
  if (!workbench_.messages().conclude(workbench_.editor().save(path.toStdString()))) return show_pane();
  workspace_.note_file(path);
  if (then) then();
}

void LessonFiles::close() {
  keep_or_drop([this] { workbench_.editor().close(); });
}

void LessonFiles::keep_or_drop(std::function<void()> then) {
  if (!workbench_.editor().unsaved()) return then();
  if (window_.findChild<QMessageBox*>(QStringLiteral("unsaved_lesson"))) return;
  auto* box = new QMessageBox(QMessageBox::Question, tr("Unsaved lesson"), tr("Save the changes to the lesson?"),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
  box->setObjectName(QStringLiteral("unsaved_lesson"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setDefaultButton(QMessageBox::Save);
  connect(box, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
    if (answer == QMessageBox::Save) save(then);
    if (answer != QMessageBox::Discard) return;
    workbench_.editor().close();
    then();
  });
  box->open();
}

}  // namespace kdscope
