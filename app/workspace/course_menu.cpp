#include "app/workspace/course_menu.hpp"

#include <QTimer>
#include <algorithm>

#include "app/look/icons.hpp"
#include "app/look/labels.hpp"
#include "app/panes/stop_list.hpp"

namespace kdscope {
namespace {

const QString reached_group = QStringLiteral("course_reached"), last_lesson = QStringLiteral("course_lesson"),
              last_stop = QStringLiteral("course_stop");

}  // namespace

CourseMenu::CourseMenu(QMenu& menu, Workbench& workbench) : QObject(&menu), menu_(menu), workbench_(workbench) {
  if (auto course = read_course(lessons_folder()))
    course_ = std::move(*course);
  else
    problem_ = course.error();
  course_ = with_all_lessons(std::move(course_), workbench.catalogue());
  connect(&workbench.playback(), &Playback::stepped, this, &CourseMenu::note_step);
  // The lesson goes on to its introduction first.
  connect(&workbench.playback(), &Playback::opened, this, [this] { QTimer::singleShot(0, this, &CourseMenu::arrive); });
  fill();
}

void CourseMenu::keep_in(QSettings* settings) {
  settings_ = settings;
  settings->beginGroup(reached_group);
  for (const Lesson& lesson : workbench_.catalogue().lessons)
    if (const int stop = settings->value(QString::fromStdString(lesson.id), -1).toInt(); stop >= 0)
      progress_.reached[lesson.id] = stop;
  settings->endGroup();
  progress_.lesson = settings->value(last_lesson).toString().toStdString();
  progress_.stop = settings->value(last_stop).toInt();
  fill();
}

const Lesson* CourseMenu::lesson_named(const std::string& id) const {
  const auto& lessons = workbench_.catalogue().lessons;
  const auto found = std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& each) { return each.id == id; });
  return found == lessons.end() ? nullptr : &*found;
}

void CourseMenu::note_step() {
  const Lesson* lesson = workbench_.lesson();
  const int stop = workbench_.stop_index();
  if (!lesson || stop < 0) return;
  int& reached = progress_.reached.try_emplace(lesson->id, -1).first->second;
  const bool same = progress_.lesson == lesson->id && progress_.stop == stop && reached >= stop;
  reached = std::max(reached, stop);
  progress_.lesson = lesson->id;
  progress_.stop = stop;
  if (same) return;
  if (settings_) {
    settings_->setValue(reached_group + QLatin1Char('/') + QString::fromStdString(lesson->id), reached);
    settings_->setValue(last_lesson, QString::fromStdString(lesson->id));
    settings_->setValue(last_stop, stop);
  }
  fill();
}

void CourseMenu::go_on() {
  if (!lesson_named(progress_.lesson)) return;
  going_to_ = {progress_.lesson, progress_.stop};
  if (workbench_.lesson() && workbench_.lesson()->id == progress_.lesson)
    arrive();
  else
    workbench_.open_lesson(progress_.lesson);
}

void CourseMenu::arrive() {
  const auto there = std::exchange(going_to_, {});
  if (there && workbench_.lesson() && workbench_.lesson()->id == there->first) go_to_stop(workbench_, there->second);
}

void CourseMenu::add_lesson(QMenu& menu, const Lesson& lesson, bool start) {
  const int stops = static_cast<int>(lesson.stops.size());
  const auto found = progress_.reached.find(lesson.id);
  const int reached = found == progress_.reached.end() ? -1 : std::min(found->second, stops - 1);
  const bool done = reached + 1 >= stops;
  QString text = as_label(lesson.title + " (" + lesson.source + ")");
  if (start) text = tr("Start here: %1").arg(text);
  if (done) text.prepend(QStringLiteral("\u2713 "));
  QStringList right;  // the column of the keys
  if (reached >= 0 && !done) right << tr("stop %1 of %2").arg(reached + 1).arg(stops);
  if (lesson.minutes > 0) right << tr("%1 min").arg(lesson.minutes);
  if (!right.empty()) text += QLatin1Char('\t') + right.join(QStringLiteral(", "));
  QAction* action = menu.addAction(text);
  action->setObjectName(QString::fromStdString(lesson.id));
  // Later, because the menu is filled again while the lesson opens.
  connect(
      action, &QAction::triggered, this, [this, id = lesson.id] { workbench_.open_lesson(id); }, Qt::QueuedConnection);
}

void CourseMenu::fill() {
  for (QMenu* part : menu_.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly)) part->deleteLater();
  menu_.clear();
  if (const Lesson* last = lesson_named(progress_.lesson)) {
    QAction* action = menu_.addAction(
        tr("&Continue where you left off: %1, stop %2").arg(as_label(last->title)).arg(progress_.stop + 1));
    action->setObjectName(QStringLiteral("continue_course"));
    connect(action, &QAction::triggered, this, &CourseMenu::go_on, Qt::QueuedConnection);
    menu_.addSeparator();
  }
  bool start = true;
  for (const CoursePart& part : course_.parts) {
    int done = 0, minutes = 0;
    for (const std::string& id : part.lessons) {
      const Lesson& lesson = *lesson_named(id);
      const auto reached = progress_.reached.find(id);
      done += reached != progress_.reached.end() && reached->second + 1 >= static_cast<int>(lesson.stops.size());
      minutes += lesson.minutes;
    }
    // Without a course, the lessons stand in the menu itself.
    QMenu* place = &menu_;
    if (course_.parts.size() > 1 || !part.title.empty()) {
      const auto count = static_cast<int>(part.lessons.size());
      QString title = part.title.empty() ? tr("More lessons") : as_label(part.title);
      title += minutes > 0 ? tr("  (%1 of %2 done, %3 min)").arg(done).arg(count).arg(minutes)
                           : tr("  (%1 of %2 done)").arg(done).arg(count);
      if (done == count) title.prepend(QStringLiteral("\u2713 "));
      place = new QMenu(title, &menu_);
      menu_.addMenu(place);
    }
    for (const std::string& id : part.lessons)
      add_lesson(*place, *lesson_named(id), std::exchange(start, false) && !part.title.empty());
  }
  if (problem_) menu_.addAction(icon(Symbol::warning), as_label(problem_->message()))->setEnabled(false);
  for (const Error& problem : workbench_.catalogue().problems)
    menu_.addAction(icon(Symbol::warning), as_label(problem.message()))->setEnabled(false);
  if (menu_.isEmpty()) menu_.addAction(tr("No lesson is installed"))->setEnabled(false);
}

}  // namespace kdscope
