#include "app/appearance/mnemonics.hpp"

#include <QHash>
#include <QMenu>
#include <QRegularExpression>
#include <QSet>
#include <utility>
#include <vector>

namespace kdscope {
namespace {

constexpr const char* kept = "kdscope_keeps_mnemonics";

/// The place of the & that marks a letter, or -1. "&&" is a printed &.
qsizetype mark_in(const QString& text) {
  for (qsizetype at = 0; at + 1 < text.size(); ++at)
    if (text[at] == QLatin1Char('&')) {
      if (text[at + 1] != QLatin1Char('&')) return at;
      ++at;
    }
  return -1;
}

struct Entry {
  QAction* action;
  QString text;                        ///< without a mark
  std::vector<qsizetype> places = {};  ///< of its letters and digits, the best first
};

/// Gives an entry one of its letters, for which the owner of the letter may have to take another one. `asked`: letters
/// that were tried on the way.
bool take_letter(std::vector<Entry>& entries, std::size_t entry,
                 QHash<QChar, std::pair<std::size_t, qsizetype>>& owners, QSet<QChar>& asked) {
  for (const qsizetype at : entries[entry].places) {
    const QChar letter = entries[entry].text[at].toLower();
    if (asked.contains(letter)) continue;
    asked.insert(letter);
    const auto owner = owners.constFind(letter);
    if (owner != owners.constEnd() && !take_letter(entries, owner->first, owners, asked)) continue;
    owners[letter] = {entry, at};
    return true;
  }
  return false;
}

}  // namespace

void give_mnemonics(QMenu& menu) {
  std::vector<Entry> entries;
  for (QAction* action : menu.actions()) {
    if (action->isSeparator() || !action->isVisible() || action->text().isEmpty()) continue;
    Entry entry{action, action->text()};
    const qsizetype mark = mark_in(entry.text);
    if (mark >= 0) entry.text.remove(mark, 1), entry.places.push_back(mark);
    for (const bool of_words : {true, false})
      for (qsizetype at = 0; at < entry.text.size(); ++at)
        if (entry.text[at].isLetterOrNumber() && (at == 0 || entry.text[at - 1].isSpace()) == of_words)
          entry.places.push_back(at);
    entries.push_back(std::move(entry));
  }
  QHash<QChar, std::pair<std::size_t, qsizetype>> owners;
  for (std::size_t entry = 0; entry < entries.size(); ++entry) {
    QSet<QChar> asked;
    take_letter(entries, entry, owners, asked);
  }
  for (const auto& [entry, at] : owners) entries[entry].text.insert(at, QLatin1Char('&'));
  for (const Entry& entry : entries)
    if (entry.action->text() != entry.text) entry.action->setText(entry.text);
}

void keep_mnemonics(QMenu& menu) {
  if (menu.property(kept).toBool()) return;
  menu.setProperty(kept, true);
  const auto give = [&menu] {
    give_mnemonics(menu);
    for (const QAction* action : menu.actions())
      if (action->menu()) keep_mnemonics(*action->menu());
  };
  QObject::connect(&menu, &QMenu::aboutToShow, &menu, give);
}

QString words_of(const QAction& entry) {
  // && is a letter of both, an entry and a button
  return entry.text()
      .section(QLatin1Char('\t'), 0, 0)
      .replace(QRegularExpression(QStringLiteral("&(&?)")), QStringLiteral("\\1\\1"));
}

}  // namespace kdscope
