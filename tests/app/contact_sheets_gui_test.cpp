// Draws every stop of every lesson as an audience sees it, and lays the pictures out on one sheet per lesson, for a
// person to look at. Hidden: run it by its tag, with the folder of the sheets in KDSCOPE_SHEETS.

#include <QDir>
#include <QPainter>

#include "tests/app/on_stage.hpp"
#include "tests/app/rows_in_sight.hpp"

namespace kdscope::contact_sheets_gui_test {

namespace {

QString setting(const char* name, const char* usual) { return qEnvironmentVariable(name, QString::fromLatin1(usual)); }

}  // namespace

TEST_CASE("contact sheets of all lessons in a presentation", "[.sheets][screen]") {
  const QDir folder(setting("KDSCOPE_SHEETS", "sheets"));
  REQUIRE(folder.mkpath(QStringLiteral(".")));
  const QStringList size = setting("KDSCOPE_SHEETS_SIZE", "1280x720").split(QLatin1Char('x'));
  REQUIRE(size.size() == 2);
  const QString only = setting("KDSCOPE_SHEETS_LESSON", "");
  constexpr int columns = 3, thumb_width = 800, caption = 22;
  const QSize screen(size[0].toInt(), size[1].toInt()), thumb = screen.scaled(thumb_width, 4000, Qt::KeepAspectRatio);
  OpenWorkbench open;
  open.workbench.looks().set_theme(setting("KDSCOPE_SHEETS_THEME", "light").toStdString());
  if (qEnvironmentVariableIsSet("KDSCOPE_SHEETS_ANSWERS")) open.show_answers();
  std::vector<const Lesson*> lessons = every_nth_lesson(open.workbench, 1);
  std::erase_if(lessons, [&](const Lesson* lesson) { return !QString::fromStdString(lesson->id).contains(only); });
  QImage sheet;
  int picture = 0;
  walk_on_stage(open, lessons, screen, [&](const Lesson& lesson, const Stop* stop, AudienceWindow& audience) {
    const auto pictures = static_cast<int>(lesson.stops.size()) + 1;
    if (!stop) {
      sheet = QImage(columns * thumb.width(), (pictures + columns - 1) / columns * (thumb.height() + caption),
                     QImage::Format_RGB32);
      sheet.fill(Qt::gray);
      picture = 0;
    }
    QString words = QStringLiteral("%1 %2").arg(QString::fromStdString(lesson.id)).arg(picture);
    QStringList missing;
    if (stop)
      for (const std::string& row : rows_out_of_sight(*stop, audience, *open.workbench.playback().cursor()))
        missing << QString::fromStdString(row);
    if (!missing.isEmpty()) {
      words += QStringLiteral("   out of sight: ") + missing.join(QStringLiteral(", "));
      WARN(words.toStdString());
    }
    const QPoint at(picture % columns * thumb.width(), picture / columns * (thumb.height() + caption));
    QPainter painter(&sheet);
    painter.drawText(QRect(at, QSize(thumb.width(), caption)), Qt::AlignVCenter, words);
    painter.drawImage(at + QPoint(0, caption),
                      audience.grab().toImage().scaled(thumb, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    painter.end();
    if (++picture < pictures) return;
    const QString name = QString::fromStdString(lesson.id).replace(QLatin1Char('/'), QLatin1Char('-'));
    CHECK(sheet.save(folder.filePath(name + QStringLiteral(".png"))));
  });
}

}  // namespace kdscope::contact_sheets_gui_test
