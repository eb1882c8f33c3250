#pragma once
// All keys of the window: those of the menus' actions, and those that views declare.

#include <QDialog>
#include <QMainWindow>
#include <QString>
#include <QStringList>
#include <initializer_list>
#include <utility>
#include <vector>

class QAction;
class QMenu;
class QTextBrowser;

namespace kdscope {

/// Declares the keys that a view handles itself while it has the focus: {"Alt+arrows", "From node to node"}.
void describe_keys(QWidget& view, const QString& name, std::initializer_list<std::pair<QString, QString>> keys);

/// Lists an action under this title, even if it is in a menu.
void group_key(QAction& action, const QString& title);
/// Marks an action that opens something in the workbench's own window, so that presentations do not offer it.
void keep_in_window(QAction& action);
bool is_kept_in_window(const QAction& action);
/// A menu's title as the list has it.
QString plain_title(const QMenu& menu);

struct KeyGroup {
  QString title;
  std::vector<std::pair<QString, QString>> keys;  ///< the keys, and what they do
};

/// The keys of the menus in their order, then those of actions outside menus, then those that views declare.
std::vector<KeyGroup> keys_of(const QMainWindow& window);

/// The list in a separate, non-modal window over `parent`, of all groups or only of those with the given titles. F1 and
/// Escape close it.
class KeyList : public QDialog {
  Q_OBJECT

 public:
  explicit KeyList(QMainWindow& window) : KeyList(window, &window, {}) {}
  KeyList(QMainWindow& window, QWidget* parent, const QStringList& groups);
  void show_keys();
  QString text() const;

 private:
  QMainWindow& window_;
  QStringList groups_;  // empty: all
  QTextBrowser* page_;
};

}  // namespace kdscope
