#pragma once
// The arrangement of the window's docks: three layouts for three kinds of work, the user's changes, and their restore.

#include <QMainWindow>
#include <QMap>
#include <QTimer>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>

class QAction;
class QDockWidget;
class QMenu;

namespace kdscope {

class WorkbenchWindow;
class Workbench;

/// Layouts for a lecturer with a projector, for a student, and for an engineer who debugs a variant.
enum class Layout : std::uint8_t { demonstrate, study, debug };
inline constexpr std::array all_layouts{Layout::demonstrate, Layout::study, Layout::debug};
const char* name_of(Layout layout);
std::optional<Layout> layout_named(const QString& name);

class Layouts : public QObject {
  Q_OBJECT

 public:
  Layouts(WorkbenchWindow& window, Workbench& workbench);

  /// Adds a dock. If `beside` is not empty, the layouts do not know the dock by name: it joins the tabs of `beside`,
  /// and is open at first if `shown`.
  void add(QDockWidget* dock, const QString& beside, bool shown);
  /// Adds the menu entries and keys of all layout actions.
  void fill_menu(QMenu& menu);

  Layout current() const { return current_; }
  /// Applies the first layout, once the window's size is known, without changed().
  void start();
  /// Sets what start() applies: a layout, or the saved state of one that the user changed.
  void start_with(Layout layout) { current_ = layout, start_state_.clear(); }
  void start_with(const QByteArray& state) { start_state_ = state; }
  /// Puts every dock in its place.
  void apply(Layout layout);
  void reset() { apply(current_); }
  /// Opens a dock that only some runs need, or closes it: "histogram", "candidates" or "coordinates".
  void show_for_run(const QString& name, bool shown);
  /// Says whether one of these stands in front of the tree where both share a place, as it does until something else is
  /// said. Tabs change only when what is said does.
  void put_in_front(const QString& plot, bool front);
  /// Opens a dock and brings it to the front because a command needs it. This is not a change that the user undoes.
  void reveal(QDockWidget& dock);
  /// Closes a dock that a command has opened, in the same way.
  void put_away(QDockWidget& dock);
  /// Distributes the room again after a change of the text scale or of the contents of docks, unless the user has set
  /// sizes.
  void fit();
  /// Docks or floats the pane that has the focus.
  void float_focused();
  /// Docks every floating dock.
  void dock_all();

  /// Layout, places and sizes as bytes for restore(), which rejects other bytes and then changes nothing.
  QByteArray state() const;
  /// The state with the sizes of window and docks: restore() keeps their proportions in a window of another size.
  QByteArray state_with_sizes() const;
  bool restore(const QByteArray& state);
  /// Returns whether docks moved a moment ago, so that no change is complete yet.
  bool in_motion() const { return rest_.isActive(); }

 signals:
  /// The user chose a layout, or moved, floated, resized, opened or closed a dock. Not emitted for the program's own
  /// changes.
  void changed(const QByteArray& before, const QByteArray& after);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Place {
    QDockWidget* dock;
    QString beside;
    bool shown;
  };
  QDockWidget* dock(const char* name) const;
  /// How much the window has room for, measured in its text.
  struct Room {
    bool tight = false;    ///< only two columns
    bool low = false;      ///< as low as on a projector
    bool cramped = false;  ///< no room for a narration above arrays
    bool flat = false;     ///< none for arrays below the view
    bool operator==(const Room&) const = default;
  };
  Room room() const;
  bool has_whole_column() const;
  int side_width() const;
  void place_docks();
  /// Raises the tabs that the layout has in front.
  void raise_docks();
  void raise_plot(const QString& name);
  void fit_tabs();
  void share_room();
  void notice();
  void remember();
  void share_room_as(QSize then, const QMap<QString, QSize>& sizes);
  /// Treats changes of the docks as the program's own until the docks rest.
  void settle();

  WorkbenchWindow& window_;
  Workbench& workbench_;
  Layout current_ = Layout::study;
  std::vector<Place> added_;  // in the order of adding
  std::array<QAction*, all_layouts.size()> choices_{};
  QTimer rest_;  // a user's change is complete once nothing has moved for a while
  QByteArray start_state_;
  QByteArray known_;  // the last known state, with which the next one is compared
  std::map<QString, bool> for_run_{{QStringLiteral("histogram"), false},
                                   {QStringLiteral("candidates"), false},
                                   {QStringLiteral("coordinates"), false}};
  std::set<QString> behind_;  // of these, those that the tree stands in front of
  Room room_;
  bool silent_ = false;
  bool handle_pressed_ = false;
  bool own_ = false;  // the user moved or resized something: automatic sizes no longer apply
};

}  // namespace kdscope
