#pragma once
// The handout of a lesson: its introduction, and every stop with its picture, tree and arrays, its text and its
// questions, on pages of A4.

#include <QPainter>
#include <QPdfWriter>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/axes.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

class ArrayTableView;
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
  void paint_figures(const Stop& stop);
  void paint_table(const Stop& stop);
  double width() const;

  const Lesson& lesson_;
  std::vector<std::uint32_t> steps_;
  bool answers_;
  Axes axes_;
  Cursor now_, before_;
  QPdfWriter& writer_;
  QPainter& painter_;
  std::unique_ptr<TreeView> tree_;
  std::unique_ptr<ArrayTableView> table_;
  double y_ = 0;  // where the next part begins, in pixels of 1/96 inch
  int pages_ = 1;
};

}  // namespace kdscope
