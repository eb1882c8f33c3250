#pragma once
// The array tables of the open run, one for each index space that has rows. If there are many columns, the pane also
// offers strips, one for each segment, which open into the elements.

#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <optional>
#include <vector>

#include "app/panes/table_choice.hpp"
#include "app/views/array_table_view.hpp"
#include "app/views/column_overview.hpp"
#include "app/views/find_bar.hpp"
#include "app/views/segment_strips.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class FewTabs;
class ShownUpdate;

class ArraysPane : public QWidget {
  Q_OBJECT

 public:
  explicit ArraysPane(Workbench& workbench, QWidget* parent = nullptr);
  ArrayTableView& view() { return *view_; }
  /// Another table, which stands beside one of few columns; hidden where there is no room.
  ArrayTableView& beside() { return *beside_; }
  SegmentStrips& strips() { return *strips_; }
  bool shows_strips() const { return stack_->currentWidget() == strips_; }
  /// Shows strips, if there are enough columns, or elements.
  void show_strips(bool strips);
  /// Opens the find bar. find_again() moves on (1) or back (-1) among its matches.
  void find();
  void find_again(int direction);
  FindBar& find_bar() { return *find_bar_; }
  /// A comfortable height at this width, the same at all stops of a lesson that show tables of as many columns.
  int comfortable_height(int width) const;
  /// The height that a layout gives the pane at first: no more than the largest table of the run needs at this width,
  /// so that figures have the rest, and stay where they are from step to step.
  int usual_height();
  /// For panes that nobody scrolls, in front of an audience: where the rows do not all fit, the pane shows those of the
  /// stop and of the step, then those that it showed before, and leaves out the rest. Real numbers are rounded, and
  /// nothing stands above the table.
  void show_to_audience();
  /// An audience's digits have this size, relative to the interface font, or smaller ones to fit.
  void set_largest_digits(double factor);
  /// Says in front of an audience how many rows with values have no room; empty if all have.
  QString rows_left_out() const;
  QTabBar& tabs() const { return *tabs_; }
  /// Makes a place in a title bar, with the legend: where the pane is wide, its tabs stand there, and the table has
  /// their line.
  QWidget* title_place();
  /// Lets an audience's lecturer choose the table, too.
  void offer_tables(bool offered);
  /// Whether the table of this step has any columns.
  bool has_columns() const;

 signals:
  /// A person wants to see the whole legend.
  void legend_pressed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void place_head();
  bool head_has_its_place() const;
  void move_head();
  void open_table();
  void show_table();
  void show_step_in(ArrayTableView& table);
  void show_motion();
  void search();
  void show_found(std::size_t row, std::uint64_t column);
  void stop_finding();
  Space space() const { return spaces_[static_cast<std::size_t>(std::max(0, tabs_->currentIndex()))]; }
  void open_elements(IndexRange columns);
  void select_segment(IndexRange columns);
  bool go_back();
  void show_head();
  void open_run();
  void show_step();
  void follow_space();
  Space space_of_step() const;
  bool open_axes();
  void show_spoken();
  void show_beside();
  void show_folded(const ArrayTable& whole, const std::vector<RowName>& rows);
  void show_all_rows();
  bool choose_rows();
  void show_selection();
  void show_change();
  void show_axes();
  void choose_space(int tab);
  void pick_cell(const ArrayTableView& in, std::size_t row, std::uint64_t column);
  void pick_range(const ArrayTableView& in, std::size_t row, std::uint64_t first, std::uint64_t count);
  void pick_segment(Space in, std::uint64_t column);
  void update_overview();

  Workbench& workbench_;
  TableChoice choice_;
  ShownUpdate* step_shown_ = nullptr;
  QWidget* head_;
  QWidget* title_place_ = nullptr;
  QTimer head_moves_;
  QTabBar* tabs_;
  QLabel *where_, *hidden_;
  FewTabs* more_;
  QToolButton *folded_, *back_, *toggle_;
  QStackedWidget* stack_;
  QWidget* tables_;
  ArrayTableView *view_, *beside_;  // the table, and another one where it leaves room
  SegmentStrips* strips_;
  ColumnOverview* overview_;
  FindBar* find_bar_;
  std::optional<Space> found_in_;  // the table that the matches are of
  std::vector<Space> spaces_;
  std::optional<std::uint32_t> followed_step_;
  std::pair<std::uint32_t, int> asked_{no_id, -1};  // the step, and the question whose columns were brought into view
  bool leaves_out_rows_ = false, offers_tables_ = true;
  bool space_chosen_ = false;        // by a person: kept until the next stop of a lesson
  bool opened_from_strips_ = false;  // the elements in sight: Back leads to the strips
};

}  // namespace kdscope
