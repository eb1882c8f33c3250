#pragma once
// The handout of a lesson: its introduction, and every stop with the figures that it names and its arrays, its text and
// its questions, on pages of A4. Without answers, the figures leave out what the questions hide.

#include <QPainter>
#include <QPdfWriter>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/axes.hpp"
#include "visualizer/model/concealment.hpp"
#include "walkthroughs/reader/lesson.hpp"
#include "walkthroughs/reader/panes.hpp"

namespace kdscope {

class ArrayTableView;
class CoordinatesFigure;
class CostCurves;
class HistogramView;
class TreeView;

/// Paints a lesson stop by stop, each on a page of its own or on several. The figures are those of the window.
class HandoutPainter {
 public:
  /// `stops`: the steps of the lesson's stops. `answers`: prints the answers, otherwise room for them. The writer and
  /// its painter must outlive this object.
  HandoutPainter(const Lesson& lesson, std::shared_ptr<const Trace> trace, std::span<const std::uint32_t> stops,
                 bool answers, const std::optional<Axes>& axes, QPdfWriter& writer, QPainter& painter);
  ~HandoutPainter();

  void paint_introduction();
  void paint_stop(std::size_t stop);
  int page_count() const { return pages_; }

 private:
  void new_page();
  /// Begins a new page unless this height is left.
  void need(double height);
  void paint_markdown(const std::string& markdown, double size, bool bold = false);
  /// Paints a line below a figure.
  void paint_note(const std::string& words);
  /// Paints the figures that a stop names, in its order; tree and view side by side.
  void paint_figures(const Stop& stop);
  void paint_space_and_tree(const Stop& stop, const std::vector<PaneFigure>& figures);
  void paint_view(const Stop& stop, const QRectF& area);
  double height_of_tree(const Stop& stop, double width);
  void paint_counts();
  void paint_candidates();
  void paint_coordinates();
  void paint_table(const Stop& stop);
  /// Paints an empty frame in place of a figure that would answer the stop's questions.
  void paint_hidden(const char* what, const QRectF& area);
  double width() const;

  const Lesson& lesson_;
  std::vector<std::uint32_t> steps_;
  bool answers_;
  Axes axes_;
  Cursor now_, before_;
  Concealment concealed_;  // of the stop
  QPdfWriter& writer_;
  QPainter& painter_;
  std::unique_ptr<TreeView> tree_;
  std::unique_ptr<ArrayTableView> table_;
  std::unique_ptr<HistogramView> counts_;
  std::unique_ptr<CostCurves> costs_;
  std::unique_ptr<CoordinatesFigure> coordinates_;  // made on first use
  std::string note_;                                // on what the view leaves out
  double y_ = 0;                                    // where the next part begins, in pixels of 1/96 inch
  int pages_ = 1;
};

}  // namespace kdscope
