#pragma once
// Keys of menu entries: each entry of a menu has a letter of its own, underlined and pressed while the menu is open.

#include <QString>

class QAction;
class QMenu;

namespace kdscope {

/// Gives each entry of a menu a letter or digit that no other entry has: that which its text marks with & where
/// possible, then a beginning of a word. An entry has none only where there are not enough letters for all.
void give_mnemonics(QMenu& menu);

/// Does so each time that the menu, or a menu in it, opens: their entries change.
void keep_mnemonics(QMenu& menu);

/// The words of a menu's entry for a button: without the entry's key, and without the letter that is marked in it.
QString words_of(const QAction& entry);

}  // namespace kdscope
