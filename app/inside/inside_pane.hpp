#pragma once
// The pane of looks inside steps: the sheet of lanes, shared memory, the intervals, the lines by cost, the faults.

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QWidget>
#include <array>

#include "app/inside/inside_lists.hpp"
#include "app/inside/lane_sheet.hpp"
#include "app/inside/shared_banks.hpp"

class QSplitter;

namespace kdscope {

class InsidePane : public QWidget {
  Q_OBJECT

 public:
  explicit InsidePane(Workbench& workbench, QWidget* parent = nullptr);

  LaneSheet& sheet() { return *sheet_; }
  SharedBanks& banks() { return *banks_; }
  /// Leaves out all controls: an audience sees where the lecturer stands.
  void show_to_audience();
  /// Goes to the access that wrote the element of the place last, or reads it next, and reports it. Where the value is
  /// older than the step, go_to_writer() names the step that wrote its array last; again, it looks inside that one.
  void go_to_writer();
  void go_to_reader();
  /// Looks inside the step, goes to the access that wrote an element of the arrays last, and lists all accesses to it,
  /// those of a variant beside the original's. The element is the change at which the walk over changes stands, or else
  /// the cell that was clicked last; in a run that is compared with another, else the first that differs. If the
  /// variant's kernels of the step access it as the original's do, or not at all, the first write that differs takes
  /// its place.
  void ask_for_writer();
  /// Shows the recording of the original, or why there is none, for original_wanted().
  void show_original(std::uint32_t step, const OriginalBeside& original);
  void report_original(const QString& problem) { lists_->history().report(problem); }

 signals:
  /// The accesses of the original to an element of the open look are to be shown beside the variant's.
  void original_wanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// An element of the run's arrays, and a step that may have written it.
  struct OlderWrite {
    std::uint32_t step = 0;
    std::string row;
    std::uint64_t index = 0;  ///< of the element, with all its components
  };
  std::optional<OlderWrite> wrong_element() const;

  void show_look();
  void show_place();
  void show_place_text();
  /// Divides the audience's height: shared memory has all of its rows if they leave room to the lanes.
  void share_height();
  void restyle();
  /// Shows what is said of looks, or else `text`, in place of the sheet.
  void show_message(const QString& text);
  void choose_block(int block);
  /// The element that a question is about: that of the access, or the one chosen in shared memory or in the arrays.
  std::optional<access_log::Element> asked_element() const;
  void choose_element(const std::string& row, std::uint64_t index);
  /// Lists the accesses to the chosen element or, without one, to that of the access.
  void list_accesses();
  void list_accesses(const access_log::LaunchRecording& recording, const access_log::Element& element);
  /// Goes to the first write that differs from the original's, if nothing in the list does.
  void go_to_first_difference();
  /// Goes to the writer of the wanted element, now that the look inside its step is open.
  void take_wanted();
  std::optional<OlderWrite> older_write(const access_log::Element& element) const;
  void report_search(std::optional<std::size_t> found, bool writer);
  QWidget* make_empty_page();
  QWidget* make_shared_memory();
  QWidget* make_head();
  QWidget* make_foot();

  Workbench& workbench_;
  QStackedWidget* stack_;
  QLabel *message_, *place_, *what_, *left_out_;
  QComboBox *launch_, *colour_;
  QSpinBox* block_;
  QLabel* blocks_;
  std::array<QToolButton*, 3> depths_{};  ///< by Depth
  QPushButton *start_, *writer_, *reader_, *record_block_;
  LaneSheet* sheet_;
  SharedBanks* banks_;
  QWidget *shared_, *head_ = nullptr;
  QSplitter *across_, *down_;
  InsideLists* lists_;
  std::optional<access_log::Element> chosen_;  ///< by a click, until the place moves
  std::optional<OlderWrite> older_;            ///< reported, until the place moves
  std::optional<OlderWrite> wanted_;           ///< until a look inside its step opens
  std::optional<OlderWrite> clicked_;          ///< the last cell of the arrays
  bool filling_ = false, for_audience_ = false;
};

}  // namespace kdscope
