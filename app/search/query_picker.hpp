#pragma once
// A query that is placed and dragged with the mouse in the 2D view.

#include <QObject>
#include <vector>

#include "app/views/scene_view.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

/// While picking, a click puts the query there and dragging moves it. Dimensions that the view does not draw keep the
/// query's coordinates.
class QueryPicker : public QObject {
  Q_OBJECT

 public:
  QueryPicker(Workbench& workbench, SceneView& view, QObject* parent);

  bool picking() const { return picking_; }
  void set_picking(bool picking);
  /// Sets the query that picking moves: [k].
  void set_query(std::vector<double> query) { query_ = std::move(query); }

 signals:
  void picking_changed(bool picking);
  /// The query was put or moved; last: the button was released.
  void picked(const std::vector<double>& query, bool last);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void pick(QPointF at, bool last);

  Workbench& workbench_;
  SceneView& view_;
  bool picking_ = false, pressed_ = false;
  bool in_space_ = false;  ///< the view was, before a query is placed in a plane of it
  std::vector<double> query_;
};

}  // namespace kdscope
