#pragma once
// The arrays of counts of the open run, one at a time: tabs for the arrays, a picture, and what the picked cell counts.

#include <QLabel>
#include <QTabBar>
#include <QWidget>
#include <string>
#include <vector>

#include "app/views/histogram_view.hpp"
#include "app/views/minimap.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

/// The colour ramp from 1 to the largest count, with both numbers.
class RampLegend : public QWidget {
  Q_OBJECT

 public:
  explicit RampLegend(QWidget* parent = nullptr);
  void show_range(double largest, const Theme& theme);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString most_;
  const Theme* theme_;
};

class HistogramPane : public QWidget {
  Q_OBJECT

 public:
  explicit HistogramPane(Workbench& workbench, QWidget* parent = nullptr);
  HistogramView& view() { return *view_; }
  Minimap& minimap() { return *minimap_; }
  /// Whether the open run has anything to show here.
  bool has_counts() const { return !names_.empty(); }
  /// Whether one of its arrays has been written.
  bool has_counts_now() const;
  QString status() const { return status_->text(); }
  /// Leaves out how to use it: an audience reads.
  void show_to_audience();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void share_room();
  void show_window();
  void open_run();
  void show_step();
  void show_counts();
  void show_selection();
  void show_change();
  void draw_minimap();
  void show_status();
  void say_empty(const QString& words);

  Workbench& workbench_;
  QTabBar* tabs_;
  RampLegend* legend_;
  HistogramView* view_;
  Minimap* minimap_;
  QLabel *status_, *empty_;
  bool for_audience_ = false;
  std::vector<std::string> names_;
  QString picked_words_;  // about the picked cell, if it belongs to the array shown
};

}  // namespace kdscope
