#include "app/workspace/course_menu.hpp"

#include <QTimer>
#include <algorithm>

#include "app/appearance/icons.hpp"
#include "app/appearance/labels.hpp"

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
  course_ = with_all_lessons(std::move(course_), workbench.lessons().catalogue());
  connect(&workbench.playback(), &Playback::stepped, this, &CourseMenu::note_step);
  // The lesson goes on to its introduction first.
  connect(&workbench.playback(), &Playback::opened, this, [this] { QTimer::singleShot(0, this, &CourseMenu::arrive); });
  fill();
}

void CourseMenu::keep_in(QSettings* settings) {
  settings_ = settings;
  settings->beginGroup(reached_group);
  for (const Lesson& lesson : workbench_.lessons().catalogue().lessons)
    if (const int stop = settings->value(QString::fromStdString(lesson.id), -1).toInt(); stop >= 0)
      progress_.reached[lesson.id] = stop;
  settings->endGroup();
  progress_.lesson = settings->value(last_lesson).toString().toStdString();
  progress_.stop = settings->value(last_stop).toInt();
  show_progress();
}

const Lesson* CourseMenu::lesson_named(const std::string& id) const {
  const auto& lessons = workbench_.lessons().catalogue().lessons;
  const auto found = std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& each) { return each.id == id; });
  return found == lessons.end() ? nullptr : &*found;
}

void CourseMenu::note_step() {
  const Lesson* lesson = workbench_.lessons().lesson();
  const int stop = workbench_.lessons().stop_index();
  if (!lesson || stop < 0 || !workbench_.lessons().is_listed(*lesson)) return;
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
  show_progress();
}

void CourseMenu::go_to(const std::string& lesson, int stop) {
  if (!lesson_named(lesson)) return;
  going_to_ = {lesson, stop};
  if (workbench_.lessons().lesson() && workbench_.lessons().lesson()->id == lesson)
    arrive();
  else
    workbench_.desk().open_lesson(lesson);
}

/// The lesson so many places behind the open one in the course; null beyond its ends. None is open before the first.
const Lesson* CourseMenu::beside(int places) const {
  std::vector<std::string> ids{std::string()};
  for (const CoursePart& part : course_.parts) ids.insert(ids.end(), part.lessons.begin(), part.lessons.end());
  const Lesson* open = workbench_.lessons().lesson();
  const auto here = std::ranges::find(ids, open ? open->id : std::string());
  const auto there = here - ids.begin() + places;
  if (here == ids.end() || there < 1 || there >= std::ssize(ids)) return nullptr;
  return lesson_named(ids[static_cast<std::size_t>(there)]);
}

void CourseMenu::next_lesson() {
  if (const Lesson* lesson = beside(1)) workbench_.desk().open_lesson(lesson->id);
}

void CourseMenu::previous_lesson() {
  if (const Lesson* lesson = beside(-1)) go_to(lesson->id, static_cast<int>(lesson->stops.size()) - 1);
}

void CourseMenu::arrive() {
  show_progress();
  const auto there = std::exchange(going_to_, {});
  if (there && workbench_.lessons().lesson() && workbench_.lessons().lesson()->id == there->first)
    workbench_.lessons().go_to_stop(there->second);
}

/// Returns the number of stops reached, at most all of them.
int CourseMenu::reached(const Lesson& lesson) const {
  const auto found = progress_.reached.find(lesson.id);
  return found == progress_.reached.end() ? 0 : std::min(found->second + 1, static_cast<int>(lesson.stops.size()));
}

/// Makes the entries, in the order of the course.
void CourseMenu::fill() {
  continue_ = menu_.addAction(QString(), this, &CourseMenu::go_on);
  continue_->setObjectName(QStringLiteral("continue_course"));
  next_ = menu_.addAction(QString(), this, &CourseMenu::next_lesson);
  next_->setObjectName(QStringLiteral("next_lesson"));
  next_->setShortcut(Qt::ALT | Qt::Key_PageDown);
  previous_ = menu_.addAction(QString(), this, &CourseMenu::previous_lesson);
  previous_->setObjectName(QStringLiteral("previous_lesson"));
  previous_->setShortcut(Qt::ALT | Qt::Key_PageUp);
  done_ = menu_.addAction(QString());
  done_->setObjectName(QStringLiteral("course_done"));
  done_->setEnabled(false);
  menu_.addSeparator();
  for (const CoursePart& part : course_.parts) {
    // Without a course, the lessons stand in the menu itself.
    QMenu* place = &menu_;
    if (course_.parts.size() > 1 || !part.title.empty()) place = menu_.addMenu(QString());
    parts_.push_back(place);
    for (const std::string& id : part.lessons) {
      QAction* action = place->addAction(QString(), [this, id] { workbench_.desk().open_lesson(id); });
      action->setObjectName(QString::fromStdString(id));
      lessons_[id] = action;
    }
  }
  if (problem_) menu_.addAction(icon(Symbol::warning), as_label(problem_->message()))->setEnabled(false);
  for (const Error& problem : workbench_.lessons().catalogue().problems)
    menu_.addAction(icon(Symbol::warning), as_label(problem.message()))->setEnabled(false);
  if (lessons_.empty()) menu_.addAction(tr("No lesson is installed"))->setEnabled(false);
  show_progress();
}

void CourseMenu::show_progress() {
  const Lesson* last = lesson_named(progress_.lesson);
  continue_->setVisible(last != nullptr);
  if (last)
    continue_->setText(
        tr("&Continue where you left off: %1, stop %2").arg(as_label(last->title)).arg(progress_.stop + 1));
  const Lesson *next = beside(1), *previous = beside(-1);
  next_->setText(next ? tr("&Next lesson: %1").arg(as_label(next->title)) : tr("&Next lesson"));
  next_->setData(next ? foreign_text(next->title) : QString());  // for those who name the lesson in other words
  next_->setEnabled(next != nullptr);
  previous_->setText(previous ? tr("&Previous lesson: %1, last stop").arg(as_label(previous->title))
                              : tr("&Previous lesson"));
  previous_->setEnabled(previous != nullptr);
  int all = 0, all_done = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const CoursePart& part = course_.parts[i];
    int done = 0, minutes = 0;
    for (const std::string& id : part.lessons) {
      const Lesson& lesson = *lesson_named(id);
      const bool start = i == 0 && !part.title.empty() && id == part.lessons.front();
      lessons_[id]->setText(text_of(lesson, start));
      done += reached(lesson) == static_cast<int>(lesson.stops.size());
      minutes += lesson.minutes;
    }
    const auto count = static_cast<int>(part.lessons.size());
    all += count;
    all_done += done;
    if (parts_[i] == &menu_) continue;
    QString title = part.title.empty() ? tr("More lessons") : as_label(part.title);
    title += minutes > 0 ? tr("  (%1 of %2 done, %3 min)").arg(done).arg(count).arg(minutes)
                         : tr("  (%1 of %2 done)").arg(done).arg(count);
    if (i == 0 && done == 0) title.prepend(tr("Start here: "));
    if (done == count) title.prepend(QStringLiteral("\u2713 "));
    parts_[i]->setTitle(title);
  }
  done_->setVisible(all > 0 && all_done == all);
  done_->setText(QStringLiteral("\u2713 ") +
                 (all == 1 ? tr("The lesson is done") : tr("All %1 lessons are done").arg(all)));
}

QString CourseMenu::progress_of(const Lesson& lesson) const {
  const int stops = static_cast<int>(lesson.stops.size()), so_far = reached(lesson);
  return so_far == stops ? QStringLiteral("\u2713")
         : so_far > 0    ? tr("stop %1 of %2").arg(so_far).arg(stops)
                         : QString();
}

std::string CourseMenu::here() const {
  if (lesson_named(progress_.lesson)) return progress_.lesson;
  return course_.parts.empty() ? std::string() : course_.parts.front().lessons.front();
}

/// The entry of a lesson: a tick if it is done, its title and source, how far it is, and its minutes.
QString CourseMenu::text_of(const Lesson& lesson, bool start) const {
  const QString so_far = progress_of(lesson);
  const bool done = so_far == QStringLiteral("\u2713");
  QString text = as_label(lesson.title + " (" + lesson.source + ")");
  if (start && so_far.isEmpty()) text = tr("Start here: %1").arg(text);
  if (done) text.prepend(so_far + QLatin1Char(' '));
  QStringList right;  // the column of the keys
  if (!done && !so_far.isEmpty()) right << so_far;
  if (lesson.minutes > 0) right << tr("%1 min").arg(lesson.minutes);
  return right.empty() ? text : text + QLatin1Char('\t') + right.join(QStringLiteral(", "));
}

}  // namespace kdscope
