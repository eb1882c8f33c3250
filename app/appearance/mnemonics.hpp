#pragma once
// Keys of menu entries: each entry of a menu has a letter of its own, underlined and pressed while the menu is open.

class QMenu;

namespace kdscope {

/// Gives each entry of a menu a letter or digit that no other entry has: that which its text marks with & where
/// possible, then a beginning of a word. An entry has none only where there are not enough letters for all.
void give_mnemonics(QMenu& menu);

/// Does so each time that the menu, or a menu in it, opens: their entries change.
void keep_mnemonics(QMenu& menu);

}  // namespace kdscope
