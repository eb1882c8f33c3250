#pragma once
// Labels of a plot: beside their marks, inside the picture, and clear of other texts, marks and lines. The same in the
// window, on paper and on pages.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "visualizer/figure/growth.hpp"
#include "visualizer/figure/partition_picture.hpp"
#include "visualizer/figure/pixel_layer.hpp"
#include "visualizer/figure/projection.hpp"
#include "visualizer/model/overlay.hpp"

namespace kdscope {

/// What a label may cover where there is no free place beside its mark.
enum class Covers : std::uint8_t { nothing, marks, marks_and_texts };

/// A text for which a place is wanted beside a mark.
struct LabelWish {
  std::string words;
  TextStyle style;
  std::array<double, 2> mark{};  ///< the middle of the mark
  double apart = 0;              ///< from there
  Covers covers = Covers::nothing;
  bool far = false;          ///< a place further away will do
  std::optional<Room> cell;  ///< other parts of the plot belong to other marks
  bool keeps_off = false;    ///< lines, from further away; a text on a ground does so too
};

/// A place for a text. `joined`: only a line shows to which mark the text belongs.
struct LabelPlace {
  double x = 0, y = 0;
  TextStyle style;
  Room room;
  std::array<double, 2> mark{};
  bool joined = false;
  /// Returns the line from the middle of the mark to the text, both ends.
  std::array<double, 4> leader() const;
  /// Returns whether there is about a digit's width between the text and another one beside it.
  bool clear_of(const Room& other) const;
};

/// A point that wants a name.
struct NamedPoint {
  std::uint32_t point = 0;
  std::array<double, 2> at{};
  std::size_t raised = 0;         ///< marks with more lie above those with less; 0: not raised
  bool ringed = false;            ///< a ring surrounds the mark
  std::optional<Room> cell = {};  ///< its part of the plot
  bool faded = false;
};

/// The name of a point, or of all points on its spot, as the picture shows it: left, bottom, right and top in device
/// pixels from the lower left.
struct WrittenName {
  PointId point;
  std::array<double, 4> room{};
  bool joined = false;  ///< a line leads from the name to the mark
};

/// How points are named.
struct NameRules {
  /// The words for a point, which stand before the names of several on one spot; none: names alone.
  std::function<std::string(std::uint32_t point)> words = {};
  Covers covers = Covers::nothing;
  bool far = true;                 ///< a name may stand away from its mark, joined by a line
  std::uint32_t labelled = no_id;  ///< a point that has a larger label of its own
};

/// Writes labels into a layer. They avoid what was written or kept clear there, and what begin() and avoid() name.
class PlotLabels {
 public:
  /// All live longer.
  PlotLabels(PixelLayer& layer, const Frame& frame, const Projection& projection)
      : layer_(layer), frame_(frame), projection_(projection) {}
  /// Begins a picture with these marks of points in it, or none if they are too many to keep clear.
  void begin(const Measures& measures, double mark_diameter, std::vector<std::array<double, 2>> marks);
  /// Avoids split planes in 2D, the lines and arrows of an overlay, and the edges of a triangle in the scene.
  void avoid(const Partition& partition);
  void avoid(const Overlay& overlay);
  void avoid(const std::array<std::array<double, 3>, 3>& triangle);

  /// Returns the part of a plot in 2D that belongs to a node; nullopt if no cells are drawn.
  std::optional<Room> cell_of(const Partition& partition, std::uint32_t node) const;
  /// Finds the place for a text that covers the fewest marks: beside its mark, inside the picture and, if possible,
  /// inside its cell. nullopt if every place covers more than it may.
  std::optional<LabelPlace> beside(const LabelWish& wish) const;
  /// Writes a text at its place. If it is joined to its mark, or does not touch it, a line joins them, which later
  /// texts avoid.
  void write(const std::string& words, const LabelPlace& place, double radius);

  /// Draws a line above an element that the step reads, writes or compares, with a ring around the small mark of a
  /// point (alone where the point is compared), and keeps texts clear of them. `faded`: something hides the element.
  void draw_role(std::array<double, 2> at, double above, Role role, bool of_point = true, bool faded = false);
  /// Writes the names of points beside their marks: first those of raised marks, and then those whose cells have the
  /// least room; each then moves to a better place that the others leave. Points on one spot are named together.
  std::vector<WrittenName> name(std::vector<NamedPoint> points, const NameRules& rules);
  /// Writes the number of each cell in 2D that holds no point of its own, where there is room, if cells are few; of new
  /// cells once their colours have come.
  void number_cells(const Partition& partition, const Growth& growth = {});
  /// Writes the labels of an overlay whose places are in the picture.
  void write_labels(const Overlay& overlay);

  double role_thickness() const;

 private:
  void avoid_line(const std::array<double, 3>& from, const std::array<double, 3>& to);
  std::optional<Room> room_between(const std::array<double, 3>& lo, const std::array<double, 3>& hi) const;
  std::optional<double> cost_of(const LabelWish& wish, LabelPlace& at, const std::optional<Room>& plot,
                                double times) const;
  bool free(const LabelPlace& at) const;
  LabelWish wish_for(const NamedPoint& top, const std::vector<std::uint32_t>& spot, const NameRules& rules,
                     bool quiet) const;

  PixelLayer& layer_;
  const Frame& frame_;
  const Projection& projection_;
  Measures measures_;
  double mark_diameter_ = 4;
  std::vector<std::array<double, 2>> marks_;  // their middles
  std::vector<std::array<double, 4>> lines_;  // of overlays: both ends
  std::vector<Room> planes_;
  std::vector<std::array<double, 4>> leaders_;      // of written texts
  std::vector<std::optional<LabelPlace>> planned_;  // of names that are not written yet
};

}  // namespace kdscope
