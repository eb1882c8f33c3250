#pragma once
// The Lessons menu: the course part by part, with what is done, and the way back to where the last hour ended.

#include <QMenu>
#include <QSettings>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/workbench/workbench.hpp"
#include "walkthroughs/reader/course.hpp"

namespace kdscope {

/// How far a person has come in the lessons: the last stop reached of each, from 0.
struct CourseProgress {
  std::map<std::string, int> reached;
  std::string lesson;  ///< open last, at `stop`; empty: none yet
  int stop = 0;
};

class CourseMenu : public QObject {
  Q_OBJECT

 public:
  CourseMenu(QMenu& menu, Workbench& workbench);
  /// Keeps the progress in the settings between runs. Without settings, it lasts as long as the program.
  void keep_in(QSettings* settings);
  const CourseProgress& progress() const { return progress_; }
  /// The course with the lessons that exist.
  const Course& course() const { return course_; }
  /// Precondition: the course names it.
  const Lesson* lesson_named(const std::string& id) const;
  /// A tick for a lesson that is done, "stop 3 of 9" for one that is begun, nothing for others.
  QString progress_of(const Lesson& lesson) const;
  /// The id of the lesson that was open last, or of the first one; empty without lessons.
  std::string here() const;
  /// Opens the lesson that was open last, at its stop.
  void go_on() { go_to(progress_.lesson, progress_.stop); }
  /// Opens the lesson that follows the open one in the course; the first one if none is open.
  void next_lesson();
  /// Opens the lesson before it, at its last stop.
  void previous_lesson();

 private:
  void go_to(const std::string& lesson, int stop);
  void note_step();
  void arrive();
  void fill();
  void show_progress();
  int reached(const Lesson& lesson) const;
  QString text_of(const Lesson& lesson, bool start) const;
  const Lesson* beside(int places) const;

  QMenu& menu_;
  QAction *continue_ = nullptr, *next_ = nullptr, *previous_ = nullptr, *done_ = nullptr;
  std::vector<QMenu*> parts_;  // of course_, in its order
  std::map<std::string, QAction*> lessons_;
  Workbench& workbench_;
  Course course_;
  std::optional<Error> problem_;
  CourseProgress progress_;
  QSettings* settings_ = nullptr;
  std::optional<std::pair<std::string, int>> going_to_;  // once its lesson is open
};

}  // namespace kdscope
