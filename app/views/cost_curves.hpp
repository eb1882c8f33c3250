#pragma once
// The cost of every split candidate of a node over its position: one curve per dimension, side by side. A line across
// shows the cost of a leaf; the chosen candidate is marked.

#include <QFont>
#include <QWidget>
#include <optional>
#include <vector>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/model/split_candidates.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// candidate_words(), and whether it is the chosen one.
QString candidate_text(const NodeCandidates& node, std::size_t place, std::uint32_t dims);

class CostCurves : public QWidget {
  Q_OBJECT

 public:
  explicit CostCurves(QWidget* parent = nullptr);

  /// `dims`: the dimension of the points, which decides how coordinates are named.
  void show_node(NodeCandidates node, std::uint32_t dims);
  void clear();
  /// Paints a node's candidates into another place.
  void paint(QPainter& painter, const NodeCandidates& node, std::uint32_t dims, const QRect& room) const;
  void set_appearance(const Theme& theme, int text_scale);
  /// `place`: an index into the candidates that the node tried.
  void set_picked(std::optional<std::size_t> place);
  std::optional<std::size_t> picked() const { return picked_; }
  const std::optional<NodeCandidates>& node() const { return node_; }

  /// Where a candidate is drawn; none while its dimension has no room.
  std::optional<QPointF> place_of(std::size_t candidate) const;
  /// The candidate nearest to a place, within reach.
  std::optional<std::size_t> candidate_at(QPointF at) const;
  /// Dimensions in sight.
  std::vector<std::uint32_t> dimensions_in_sight() const;
  QSize sizeHint() const override { return {520, 240}; }
  QSize minimumSizeHint() const override;

 signals:
  void candidate_picked(std::size_t place);
  void picked_nothing();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void lay_out();
  DisplayList drawing_of(const NodeCandidates& node, std::uint32_t dims, QSize size,
                         std::optional<std::size_t> picked) const;
  void move_picked(int key);

  std::optional<NodeCandidates> node_;
  std::uint32_t dims_ = 3;
  std::optional<std::size_t> picked_;
  DisplayList drawing_;
  const Theme* theme_;
  int text_scale_ = 100;
  QFont small_;
};

}  // namespace kdscope
