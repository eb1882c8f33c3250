#pragma once
// All keys of the window: those of the menus as their actions have them, and those that a view says it has.

#include <QDialog>
#include <QMainWindow>
#include <QString>
#include <initializer_list>
#include <utility>
#include <vector>

class QTextBrowser;

namespace kdscope {

/// A view tells the keys that it handles itself, while it has the focus: {"Alt+arrows", "From node to node"}.
void describe_keys(QWidget& view, const QString& name, std::initializer_list<std::pair<QString, QString>> keys);

struct KeyGroup {
  QString title;
  std::vector<std::pair<QString, QString>> keys;  ///< the keys, and what they do
};

/// Menus in their order, then actions and shortcuts that no menu has, then what views tell.
std::vector<KeyGroup> keys_of(const QMainWindow& window);

/// The list as a window of its own, beside which work goes on. F1 and Escape close it.
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
