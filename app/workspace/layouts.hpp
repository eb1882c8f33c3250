#pragma once
// Where the docks of the window stand: three layouts for three kinds of work, what a person made of them, and back.

#include <QMainWindow>
#include <QTimer>
#include <array>
#include <map>
#include <optional>
#include <vector>

class QAction;
class QDockWidget;
class QMenu;

namespace kdscope {

class WorkbenchWindow;
class Workbench;

/// For a lecturer in front of a projector, a student alone, an engineer who debugs a variant.
enum class Layout : std::uint8_t { demonstrate, study, debug };
inline constexpr std::array all_layouts{Layout::demonstrate, Layout::study, Layout::debug};
const char* name_of(Layout layout);
std::optional<Layout> layout_named(const QString& name);

class Layouts : public QObject {
  Q_OBJECT

 public:
  Layouts(WorkbenchWindow& window, Workbench& workbench);

  /// A dock that the layouts do not know by name: it joins the tabs of `beside`, and is open at first where `shown`.
  void add(QDockWidget* dock, const QString& beside, bool shown);
  /// Entries and keys for all of this.
  void fill_menu(QMenu& menu);

  Layout current() const { return current_; }
  /// The first time, when the window's size is known: no change that anybody hears of.
  void start();
  /// What start() is to bring: a layout, or what a person had made of one.
  void start_with(Layout layout) { current_ = layout, start_state_.clear(); }
  void start_with(const QByteArray& state) { start_state_ = state; }
  /// Puts every dock in its place.
  void apply(Layout layout);
  void reset() { apply(current_); }
  /// Opens a dock that only some runs need, or closes it: "histogram", "candidates" or "coordinates".
  void show_for_run(const QString& name, bool shown);
  /// The text, or what the docks hold, has another size: room is shared out again, unless a person has done that.
  void fit();
  /// Docks or floats the pane that has the focus.
  void float_focused();
  /// Every floating dock goes back into the window.
  void dock_all();

  /// Layout, places and sizes as bytes for restore(), which refuses, with nothing changed, what is not such bytes.
  QByteArray state() const;
  bool restore(const QByteArray& state);

 signals:
  /// A person chose a layout or moved, floated, sized, opened or closed a dock; not what the program did by itself.
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
  /// Text so large for this window that there is room for two things only.
  bool is_tight() const;
  int side_width() const;
  void place_docks();
  /// The tabs that the layout has in front.
  void raise_docks();
  void share_room();
  void notice();
  void remember();
  /// What the docks do until they rest is not a person's doing.
  void settle();

  WorkbenchWindow& window_;
  Workbench& workbench_;
  Layout current_ = Layout::study;
  std::vector<Place> added_;  // in the order of adding
  std::array<QAction*, all_layouts.size()> choices_{};
  QTimer rest_;  // a user's change is complete once nothing has moved for a while
  QByteArray start_state_;
  QByteArray known_;  // the last state reported by changed()
  std::map<QString, bool> for_run_{{QStringLiteral("histogram"), false},
                                   {QStringLiteral("candidates"), false},
                                   {QStringLiteral("coordinates"), false}};
  bool tight_ = false, silent_ = false;
  bool handle_pressed_ = false;
  bool own_ = false;  // the user moved or resized something: automatic sizes no longer apply
};

}  // namespace kdscope
