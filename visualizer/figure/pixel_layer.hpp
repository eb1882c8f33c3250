#pragma once
// Text and thin marks in pixels above a picture: axes with ticks, labels of points and cells, captions, and the frame
// around the selection. The window places them again for every camera.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/figure/frame.hpp"
#include "visualizer/figure/projection.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

enum class Align { start, centre, end };

/// The style of a text. Sizes in device pixels.
struct TextStyle {
  double size = 14;
  DisplayInk ink = {};
  Align across = Align::centre, up = Align::centre;
  bool bold = false;
  DisplayInk ground = {};  ///< of a box behind the text; none: no box
  bool halo = false;       ///< letters have a rim in the colour of the ground
};

/// A rectangle of the picture, in device pixels from the lower left.
struct Room {
  double left = 0, bottom = 0, right = 0, top = 0;
  bool overlaps(const Room& other) const {
    return left < other.right && other.left < right && bottom < other.top && other.bottom < top;
  }
};

/// Texts and lines in pixels from the lower left: call begin(), add them, and call list().
class PixelLayer {
 public:
  /// Sets how wide texts are; without, an estimate is used.
  void set_text_width(TextWidth width) { width_of_ = std::move(width); }
  void begin(double width, double height);
  void text(const std::string& words, double x, double y, const TextStyle& style);
  /// Returns the rectangle that text() would fill.
  Room room(const std::string& words, double x, double y, const TextStyle& style) const;
  /// Returns whether no text lies in a rectangle, nor anything for which it is kept.
  bool free(const Room& room) const;
  /// Keeps texts that come later out of a rectangle.
  void keep_clear(const Room& room) { kept_.push_back(room); }
  /// Adds the mark of a point, below all lines; `diameter` with its rim. (x, y) from the upper left.
  void mark(const std::array<double, 2>& at, double diameter, Glyph glyph, DisplayInk fill, DisplayInk rim,
            double width);
  /// Adds a line. What lies `under` the others is a rim in the colour of the background.
  void line(double x0, double y0, double x1, double y1, DisplayInk ink, double width, bool under = false);
  /// Adds the outline of a circle.
  void circle(double x, double y, double radius, DisplayInk ink, double width, bool under = false);
  /// Return the marks and the lines, for those that others draw.
  DisplayList& marks() { return marks_; }
  DisplayList& strokes() { return strokes_; }
  /// Returns the marks, the rims, the other lines above them, and the texts above all, so that no line goes through a
  /// word.
  DisplayList list() const;
  /// Returns the texts with their sizes in device pixels.
  const std::vector<std::pair<std::string, double>>& texts() const { return written_; }
  /// Returns the rectangles of texts().
  const std::vector<Room>& rooms() const { return rooms_; }

 private:
  TextWidth width_of_;
  std::vector<std::pair<std::string, double>> written_;
  std::vector<Room> rooms_, kept_;
  double width_ = 0, height_ = 0;
  DisplayList marks_, rims_, strokes_, words_;
};

/// Sizes that depend on text scale, pixel ratio and the size of the plot, in device pixels.
struct Measures {
  double pixel = 1;  ///< a logical pixel of a small plot
  double text = 15;  ///< body text
  double scale = 1;  ///< text scale times pixel
  bool low = false;  ///< the view has so little height that names of axes stand at their ends
};

/// Average width of a digit or letter, in text sizes; bold ones need a tenth more.
inline constexpr double widest_character = 0.64;
/// Returns the room beside an axis for its tick texts of this size.
double tick_width(const Frame& frame, int axis, double size);

/// The values at the ticks of each axis.
using Ticks = std::array<std::vector<double>, 3>;

/// Draws axes around the frame: bottom and left in 2D, the edges of the box's silhouette in 3D. Returns their ticks.
Ticks draw_axes(PixelLayer& layer, const Frame& frame, std::uint32_t dim, const Projection& projection,
                const Measures& measures);
/// Draws a small cross of the axes of a 3D picture, with their names, in its lower left corner; a smaller one, or none,
/// where the box leaves less room. What points away from the eye is paler.
void draw_axes_cross(PixelLayer& layer, const Frame& frame, std::uint32_t dim, const Projection& projection,
                     const Measures& measures);
/// Returns the room that the axes of a plot in 2D need on its left, below, on its right and above.
std::array<double, 4> axes_margins(const Frame& frame, std::uint32_t dim, const Measures& measures);

}  // namespace kdscope
