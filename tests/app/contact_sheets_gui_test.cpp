// Draws every stop of every lesson as an audience sees it, and lays the pictures out on one sheet per lesson, for a
// person to look at; and every pane in the window. Hidden: run them by their tags, with the folder of the pictures in
// KDSCOPE_SHEETS.

#include <QDir>
#include <QDockWidget>
#include <QPainter>

#include "app/workbench/step_motion.hpp"
#include "tests/app/on_stage.hpp"
#include "tests/app/rows_in_sight.hpp"

namespace kdscope::contact_sheets_gui_test {

namespace {

QString setting(const char* name, const char* usual) { return qEnvironmentVariable(name, QString::fromLatin1(usual)); }

QSize size_of_setting() {
  const QStringList size = setting("KDSCOPE_SHEETS_SIZE", "1280x720").split(QLatin1Char('x'));
  REQUIRE(size.size() == 2);
  return {size[0].toInt(), size[1].toInt()};
}

void set_looks(OpenWorkbench& open) {
  open.workbench.looks().set_theme(setting("KDSCOPE_SHEETS_THEME", "light").toStdString());
  open.workbench.looks().set_text_scale(setting("KDSCOPE_SHEETS_TEXT", "100").toInt());
  if (qEnvironmentVariableIsSet("KDSCOPE_SHEETS_ANSWERS")) open.show_answers();
}

}  // namespace

TEST_CASE("pictures of all panes in the window", "[.panes][screen]") {
  const QDir folder(setting("KDSCOPE_SHEETS", "sheets"));
  REQUIRE(folder.mkpath(QStringLiteral(".")));
  OpenWorkbench open(size_of_setting());
  set_looks(open);
  open.open_lesson(setting("KDSCOPE_SHEETS_LESSON", start_lesson).toStdString());
  const auto stops = static_cast<int>(open.workbench.lessons().stop_steps().size());
  open.workbench.lessons().go_to_stop(setting("KDSCOPE_SHEETS_STOP", "4").toInt() % std::max(1, stops));
  for (QDockWidget* dock : open.window.docks()) {
    open.window.layouts().reset();
    open.rest();
    if (dock->isHidden()) dock->toggleViewAction()->trigger();
    dock->raise();
    open.rest();
    CHECK(open.picture().save(folder.filePath(dock->objectName() + QStringLiteral(".png"))));
  }
}

namespace {

/// Returns the window with the panes that float over it. A look inside the step comes first, if the stop has one.
QImage picture_with_floating(OpenWorkbench& open, const Stop* stop) {
  const Inside& inside = open.workbench.inside();
  if (stop && !stop->inside.empty())
    REQUIRE(QTest::qWaitFor(
        [&] { return !open.workbench.jobs().busy() && (inside.is_open() || !inside.message().isEmpty()); },
        10 * patience_ms));
  open.rest();
  QImage picture = open.picture();
  QPainter painter(&picture);
  for (QDockWidget* dock : open.window.docks())
    if (dock->isVisible() && dock->isFloating())
      painter.drawPixmap(open.window.mapFromGlobal(dock->mapToGlobal(QPoint(0, 0))), dock->grab());
  return picture;
}

/// Pictures of one lesson, such as those of its introduction and its stops.
class ContactSheet {
 public:
  ContactSheet(const Lesson& lesson, QSize screen)
      : ContactSheet(QString::fromStdString(lesson.id), static_cast<int>(lesson.stops.size()) + 1, screen) {}
  ContactSheet(QString name, int pictures, QSize screen)
      : name_(std::move(name)),
        thumb_(screen.scaled(800, 4000, Qt::KeepAspectRatio)),
        sheet_(columns * thumb_.width(), (pictures + columns - 1) / columns * (thumb_.height() + caption),
               QImage::Format_RGB32) {
    sheet_.fill(Qt::gray);
  }
  void add(const QImage& picture, const QString& words) {
    const QPoint at(count_ % columns * thumb_.width(), count_ / columns * (thumb_.height() + caption));
    QPainter painter(&sheet_);
    painter.drawText(QRect(at, QSize(thumb_.width(), caption)), Qt::AlignVCenter,
                     QStringLiteral("%1 %2%3").arg(name_).arg(count_++).arg(words));
    painter.drawImage(at + QPoint(0, caption), picture.scaled(thumb_, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
  }
  void save_in(const QDir& folder) {
    CHECK(sheet_.save(
        folder.filePath(QString(name_).replace(QLatin1Char('/'), QLatin1Char('-')) + QStringLiteral(".png"))));
  }

 private:
  static constexpr int columns = 3, caption = 22;
  QString name_;
  QSize thumb_;
  QImage sheet_;
  int count_ = 0;
};

std::vector<const Lesson*> chosen_lessons(const OpenWorkbench& open) {
  const QString only = setting("KDSCOPE_SHEETS_LESSON", "");
  std::vector<const Lesson*> lessons = every_nth_lesson(open.workbench, 1);
  std::erase_if(lessons, [&](const Lesson* lesson) { return !QString::fromStdString(lesson->id).contains(only); });
  return lessons;
}

}  // namespace

TEST_CASE("contact sheets of all lessons in a presentation", "[.sheets][screen]") {
  const QDir folder(setting("KDSCOPE_SHEETS", "sheets"));
  REQUIRE(folder.mkpath(QStringLiteral(".")));
  OpenWorkbench open;
  set_looks(open);
  const QSize screen = size_of_setting();
  std::optional<ContactSheet> sheet;
  walk_on_stage(
      open, chosen_lessons(open), screen, [&](const Lesson& lesson, const Stop* stop, AudienceWindow& audience) {
        if (!stop) sheet.emplace(lesson, screen);
        QStringList missing;
        if (stop)
          for (const std::string& row : rows_out_of_sight(*stop, audience, *open.workbench.playback().cursor()))
            missing << QString::fromStdString(row);
        QString words;
        if (!missing.isEmpty()) {
          words = QStringLiteral("   out of sight: ") + missing.join(QStringLiteral(", "));
          WARN(lesson.id << words.toStdString());
        }
        sheet->add(audience.grab().toImage(), words);
        if (lesson.stops.empty() || stop == &lesson.stops.back()) sheet->save_in(folder);
      });
}

TEST_CASE("stills of the moves that lead to the stops of lessons in a presentation", "[.stills][screen]") {
  const QDir folder(setting("KDSCOPE_SHEETS", "sheets"));
  REQUIRE(folder.mkpath(QStringLiteral(".")));
  OpenWorkbench open;
  set_looks(open);
  open.show_answers();
  const QSize screen = size_of_setting();
  StepMotion& motion = open.workbench.motion();
  walk_on_stage(open, chosen_lessons(open), screen,
                [&](const Lesson& lesson, const Stop* stop, AudienceWindow& audience) {
                  const std::uint32_t step = open.workbench.playback().step();
                  if (!stop || step == 0) return;
                  const int number = static_cast<int>(stop - lesson.stops.data());
                  open.workbench.playback().seek(step - 1);
                  open.settle();
                  motion.set_enabled(true);
                  open.workbench.lessons().go_to_stop(number);
                  if (motion.under_way()) {
                    constexpr int stills = 9;
                    ContactSheet sheet(QStringLiteral("%1-%2").arg(QString::fromStdString(lesson.id)).arg(number + 1),
                                       stills, screen);
                    for (int still = 0; still < stills; ++still) {
                      const double time = static_cast<double>(still) / (stills - 1);
                      motion.hold(time);
                      wait_until_idle(open.workbench);
                      sheet.add(audience.grab().toImage(), QStringLiteral("   %1").arg(time));
                    }
                    sheet.save_in(folder);
                  }
                  motion.set_enabled(false);
                });
}

TEST_CASE("contact sheets of all lessons in the window", "[.window][screen]") {
  const QDir folder(setting("KDSCOPE_SHEETS", "sheets"));
  REQUIRE(folder.mkpath(QStringLiteral(".")));
  const QSize size = size_of_setting();
  OpenWorkbench open(size);
  set_looks(open);
  for (const Lesson* lesson : chosen_lessons(open)) {
    if (open.workbench.lessons().lesson()->id != lesson->id) open.open_lesson(lesson->id);
    ContactSheet sheet(*lesson, size);
    for (int stop = -1; stop < static_cast<int>(lesson->stops.size()); ++stop) {
      open.workbench.lessons().go_to_stop(stop);
      sheet.add(picture_with_floating(open, stop < 0 ? nullptr : &lesson->stops[stop]), {});
    }
    sheet.save_in(folder);
  }
}

}  // namespace kdscope::contact_sheets_gui_test
