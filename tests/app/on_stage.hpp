#pragma once
// Lessons in front of an audience, stop by stop.

#include <QScrollBar>
#include <QTextBrowser>

#include "app/panes/question_panel.hpp"
#include "app/present/presentation.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"

namespace kdscope {

constexpr QSize least_stage(1280, 720);

/// Every nth lesson of the course.
inline std::vector<const Lesson*> every_nth_lesson(const Workbench& workbench, std::size_t n) {
  std::vector<const Lesson*> lessons;
  std::size_t number = 0;
  for (const Lesson& lesson : workbench.lessons().catalogue().lessons)
    if (number++ % n == 0) lessons.push_back(&lesson);
  return lessons;
}

/// Presents lessons on a stage of a size. Calls visit(lesson, stop, audience) at each stop once all is at rest, and
/// first of all at the introduction, where the stop is null.
template <class Visit>
void walk_on_stage(OpenWorkbench& open, const std::vector<const Lesson*>& lessons, QSize size, const Visit& visit) {
  for (const Lesson* lesson : lessons) {
    if (open.workbench.lessons().lesson()->id != lesson->id) open.open_lesson(lesson->id);
    open.workbench.lessons().go_to_stop(-1);
    Presentation& presentation = open.window.presentation();
    presentation.start({QRect(QPoint(), size)}, 0);
    REQUIRE(presentation.running());
    AudienceWindow& audience = *presentation.audience();
    REQUIRE(QTest::qWaitForWindowExposed(&audience, patience_ms));
    wait_until_idle(open.workbench);
    visit(*lesson, static_cast<const Stop*>(nullptr), audience);
    for (const Stop& stop : lesson->stops) {
      open.workbench.lessons().stop_forward();
      INFO(lesson->id << ", " << stop.title << ", " << size.width());
      CHECK(wait_until_idle(open.workbench));
      visit(*lesson, &stop, audience);
    }
    presentation.stop();
    open.settle();
  }
}

inline bool shows(AudienceWindow& audience, const char* pane) {
  const std::vector<std::string> shown = audience.shown_panes();
  return std::ranges::find(shown, pane) != shown.end();
}

/// An open question is whole and covers no line of the narration, and no line is cut.
inline void check_narration(AudienceWindow& audience) {
  if (!shows(audience, "narration")) return;
  QWidget& text = *audience.narration().findChild<QTextBrowser*>()->viewport();
  const auto* question = audience.findChild<QuestionPanel*>();
  if (question->isVisible()) CHECK(question->findChild<QTextBrowser*>()->verticalScrollBar()->maximum() == 0);
  const int end = question->isVisible() ? text.mapFrom(&audience, question->geometry().topLeft()).y() : text.height();
  for (const PaintedText& line : painted_texts(text)) {
    CAPTURE(line.text.toStdString());
    const double slack = 0.2 * line.box.height();  // ascent and descent include space that letters do not use
    if (line.box.top() < text.height() - slack) CHECK(line.box.bottom() <= std::min(end, text.height()) + slack);
  }
}

}  // namespace kdscope
