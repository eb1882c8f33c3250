// Menus as a person opens them: letters, words, and lines between groups.

#include <QMenu>
#include <QMenuBar>
#include <map>

#include "app/workbench/transport.hpp"
#include "tests/app/open_workbench.hpp"

namespace kdscope::menus_gui_test {
namespace {

/// Opens a menu and those in it, and returns the entries whose letter is not their own or is missing.
QStringList wrong_letters(QMenu& menu) {
  emit menu.aboutToShow();
  QStringList wrong, without;
  std::map<QChar, QString> taken;
  for (const QAction* action : menu.actions()) {
    if (action->isSeparator() || !action->isVisible() || action->text().isEmpty()) continue;
    QString text = action->text();
    const qsizetype mark = text.replace(QLatin1String("&&"), QLatin1String("+")).indexOf(QLatin1Char('&'));
    if (mark < 0)
      without << text;
    else if (text.count(QLatin1Char('&')) != 1 || !taken.emplace(text[mark + 1].toLower(), text).second)
      wrong << text;
    if (action->menu()) wrong << wrong_letters(*action->menu());
  }
  // The longest menu has more entries than letters: an entry may have none if others have all of its letters.
  for (const QString& text : without)
    if (std::any_of(text.begin(), text.end(),
                    [&](QChar c) { return c.isLetterOrNumber() && !taken.contains(c.toLower()); }))
      wrong << text;
  return wrong;
}

/// Returns the entries of a menu, and of those in it, that are not written as in a good English program.
QStringList wrong_words(const QMenu& menu) {
  QStringList wrong;
  bool line_before = true;  // also in front of the first entry
  int entries = 0;
  for (const QAction* action : menu.actions()) {
    if (!action->isVisible()) continue;
    if (action->isSeparator()) {
      if (line_before && action->text().isEmpty()) wrong << menu.title() + QStringLiteral(": two lines in a row");
      line_before = true;
      continue;
    }
    ++entries;
    line_before = false;
    const QString text = QString(action->text()).replace(QLatin1String("&&"), QLatin1String("+")).remove(u'&');
    const bool spaces = text != text.trimmed(), dots = text.contains(QLatin1String("...")) || text.endsWith(u'.');
    if (text.isEmpty() || text[0].isLower() || spaces || dots) wrong << text;
    if (action->menu()) wrong << wrong_words(*action->menu());
  }
  if (entries > 0 && line_before) wrong << menu.title() + QStringLiteral(": a line at the end");
  return wrong;
}

}  // namespace

TEST_CASE("each entry of each menu has a letter of its own while there are letters, also after its text has changed") {
  OpenWorkbench open;
  for (int time = 0; time < 2; ++time) {
    std::map<QChar, int> bar;
    for (const QAction* entry : open.window.menuBar()->actions()) {
      const qsizetype mark = entry->text().indexOf(QLatin1Char('&'));
      REQUIRE(mark >= 0);
      CHECK(++bar[entry->text()[mark + 1].toLower()] == 1);
      CHECK(wrong_letters(*entry->menu()).join(" | ").toStdString() == "");
    }
    open.workbench.transport().set_playing(true);  // Play becomes Pause
    REQUIRE(open.workbench.transport().playing());
  }
}

TEST_CASE("entries of menus begin with a capital, have the character for an ellipsis, and lines stand between groups") {
  OpenWorkbench open;
  for (const QAction* entry : open.window.menuBar()->actions()) {
    emit entry->menu()->aboutToShow();
    CHECK(wrong_words(*entry->menu()).join(" | ").toStdString() == "");
  }
}

}  // namespace kdscope::menus_gui_test
