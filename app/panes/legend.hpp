#pragma once
// What the colours, shapes and lines of all panes mean: as a pane, and as one line for a presentation.

#include <QScrollArea>
#include <QWidget>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "app/workbench/workbench.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// One entry: how it looks, in a word and in a sentence.
struct LegendEntry {
  std::function<void(QPainter&, const QRectF&, const Theme&)> draw;  ///< null: the word is its own sample
  QString word, sentence;
  std::optional<Role> role = {};  ///< the highlights that it explains
  bool of_window = false;         ///< left out in front of an audience, which needs no word for it
  bool lasts = false;             ///< looks the same at every step that has it, and most steps do
  bool is_name = false;           ///< explains how elements are named, once per lesson
  bool is_usual = true;           ///< where room is scarce, it goes before those that only this step has
  bool is_known = false;          ///< from an earlier stop: it goes first
};

/// The entries for what the open run can show, then those for its phases.
std::vector<LegendEntry> legend_entries(const Workbench& workbench);

/// Return the ground of an access inside a block, where that of its row is `row`.
Rgb lane_writes_ground(const Theme& theme, Rgb row);
Rgb lane_adds_ground(const Theme& theme, Rgb row);
/// Returns the ground of what the n-th lane, warp or interval wrote: one of eight greys, as hues belong to subtrees.
/// Neighbours differ most.
Rgb writer_ground(const Theme& theme, std::uint32_t number);

/// The picture of an entry, as high as the text beside it.
class LegendSample : public QWidget {
  Q_OBJECT

 public:
  LegendSample(const LegendEntry& entry, const Theme& theme, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  LegendEntry entry_;
  const Theme& theme_;
};

class LegendPane : public QScrollArea {
  Q_OBJECT

 public:
  explicit LegendPane(Workbench& workbench, QWidget* parent = nullptr);

 private:
  void fill();
  Workbench& workbench_;
};

/// Pictures and words side by side on one line: of what a presentation or the window shows at this step.
class LegendStrip : public QWidget {
  Q_OBJECT

 public:
  explicit LegendStrip(Workbench& workbench, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }
  /// From now on, names what these panes show at the step; all panes if empty. In front of an audience, which names
  /// panes, what lasts through a lesson is named at the first stop that shows it, and where a stop speaks of it.
  void show(const std::vector<std::string>& panes);
  /// The words of the entries that have room at a width. Where not all do, those that every step has go first, and the
  /// window says how many.
  QStringList words(int width) const;

 signals:
  /// A person wants to see all entries.
  void pressed();

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  double sample_room(const LegendEntry& entry) const;
  double width_of(const LegendEntry& entry) const;
  double used_by(const std::vector<LegendEntry>& entries) const;
  std::vector<LegendEntry> entries_within(int width) const;
  /// What stands in place of `left_out` entries in a strip of a width: "+2 more", or "+2" where that has no room.
  QString words_for(std::size_t left_out, int width) const;
  bool is_known(const LegendEntry& entry);

  Workbench& workbench_;
  std::vector<LegendEntry> entries_;  ///< in sight
  std::vector<std::string> panes_;
  std::map<QString, int> named_at_;  ///< the first stop at which each word stood here
  std::string named_in_;             ///< of this lesson
};

}  // namespace kdscope
