#pragma once
// Lessons as files of the window: the entries of the Lessons menu that begin, open, edit and save one, and the question
// before one is lost.

#include <QObject>
#include <functional>

#include "app/workbench/workbench.hpp"

class QAction;
class QMenu;

namespace kdscope {

class WorkbenchWindow;
class Workspace;

class LessonFiles : public QObject {
  Q_OBJECT

 public:
  LessonFiles(WorkbenchWindow& window, Workbench& workbench, Workspace& workspace);

  /// Begins a lesson on the open run.
  void begin();
  /// Edits the open lesson: a lesson of a file itself, one of the course as a copy.
  void edit();
  void open();
  /// Saves the lesson that is edited; the first time, as for save_as(), asks for its name.
  void save(std::function<void()> then = {});
  void save_as(std::function<void()> then = {});
  /// Ends editing.
  void close();
  /// Goes on at once if the lesson that is edited is saved, and else after it was saved or dropped.
  void keep_or_drop(std::function<void()> then);

 private:
  void fill_menu();
  void show_pane();
  void update();
  void save_to(const QString& path, const std::function<void()>& then);
  QAction* add(const char* name, const QString& text, const QKeySequence& key, std::function<void()> what);

  WorkbenchWindow& window_;
  Workbench& workbench_;
  Workspace& workspace_;
  QMenu* menu_ = nullptr;  // for the next entry
  QAction *new_, *edit_, *save_, *save_as_, *close_, *add_stop_, *preview_;
};

}  // namespace kdscope
