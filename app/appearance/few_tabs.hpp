#pragma once
// Tabs with whole names, and a menu of those that have no room.

#include <QTabBar>
#include <QToolButton>

namespace kdscope {

/// Keeps the first tabs of a bar, the one in front among them: as many as have room, and at most five. The button
/// names the others in its menu.
class FewTabs : public QToolButton {
  Q_OBJECT

 public:
  /// `name`: of the button, such as "Other tables".
  FewTabs(QTabBar& tabs, const QString& name);
  /// Lies over the end of the bar, which has so much room as it is wide. Otherwise its owner places it, and the bar.
  void lie_over_tabs();
  /// Sets the room of a bar whose owner places it, with the button.
  void set_room(int width);
  /// Chooses the tabs. For the owner, when their names or number have changed.
  void fit();

 signals:
  void chosen();  ///< by a person, in the menu

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QTabBar& tabs_;
  bool lies_over_tabs_ = false;
  int room_ = QWIDGETSIZE_MAX;
};

}  // namespace kdscope
