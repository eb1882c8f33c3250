#pragma once
// All keys of the window: those of the menus' actions, and those that views declare.

#include <QDialog>
#include <QMainWindow>
#include <QString>
#include <initializer_list>
#include <utility>
#include <vector>

class QTextBrowser;

namespace kdscope {

/// Declares the keys that a view handles itself while it has the focus: {"Alt+arrows", "From node to node"}.
void describe_keys(QWidget& view, const QString& name, std::initializer_list<std::pair<QString, QString>> keys);

struct KeyGroup {
  QString title;
  std::vector<std::pair<QString, QString>> keys;  ///< the keys, and what they do
};

/// The keys of the menus in their order, then those of actions outside menus, then those that views declare.
std::vector<KeyGroup> keys_of(const QMainWindow& window);

/// The list in a separate, non-modal window. F1 and Escape close it.
class KeyList : public QDialog {
  Q_OBJECT

 public:
  explicit KeyList(QMainWindow& window);
  void show_keys();
  QString text() const;

 private:
  QMainWindow& window_;
  QTextBrowser* page_;
};

}  // namespace kdscope
