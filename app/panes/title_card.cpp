#include "app/panes/title_card.hpp"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "app/appearance/labels.hpp"

namespace kdscope {
namespace {

QString counted(std::size_t count, const char* one, const char* many) {
  return count == 1 ? QCoreApplication::translate("TitleCard", one)
                    : QCoreApplication::translate("TitleCard", many).arg(count);
}

}  // namespace

QString title_card(const Lesson& lesson, const LessonCatalogue& catalogue, int level) {
  const auto words = [](const char* text) { return QCoreApplication::translate("TitleCard", text); };
  QString text = QString(level, QLatin1Char('#')) +
                 QStringLiteral(" %1\n\n*%2*").arg(foreign_text(lesson.title), foreign_text(lesson.source));
  const auto paragraph = [&](const QString& words) { text += QStringLiteral("\n\n") + words; };
  if (!lesson.aim.empty()) paragraph(QStringLiteral("**%1** %2").arg(words("Aim:"), foreign_text(lesson.aim)));

  std::size_t questions = 0;
  for (const Stop& stop : lesson.stops) questions += stop.questions.size();
  QStringList size;
  if (lesson.minutes > 0) size << counted(static_cast<std::size_t>(lesson.minutes), "1 minute", "%1 minutes");
  size << counted(lesson.stops.size(), "1 stop", "%1 stops");
  if (questions > 0) size << counted(questions, "1 question", "%1 questions");
  paragraph(size.join(QStringLiteral(" \u00b7 ")));

  QStringList before;
  for (const std::string& id : lesson.builds_on) {
    const auto& all = catalogue.lessons;
    const auto known = std::find_if(all.begin(), all.end(), [&](const Lesson& other) { return other.id == id; });
    before << foreign_text(known == all.end() ? id : known->title);
  }
  if (!before.empty())
    paragraph(QStringLiteral("**%1** %2").arg(words("Know before:"), before.join(QStringLiteral("; "))));
  if (!lesson.introduction.empty()) paragraph(foreign_text(lesson.introduction));
  return text;
}

}  // namespace kdscope
