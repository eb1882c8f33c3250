#pragma once
// Text and thin marks in window pixels above the picture: axes with ticks, labels of points and cells, captions, and
// the frame around the selection. Placed again for every camera.

#include <vtkActor2D.h>
#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkTextActor.h>
#include <vtkUnsignedCharArray.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "visualizer/figure/frame.hpp"
#include "visualizer/scene/point_cloud.hpp"
#include "visualizer/style/theme.hpp"

class vtkRenderer;

namespace kdscope {

enum class Align { start, centre, end };

/// The style of a text. Sizes in device pixels.
struct TextStyle {
  double size = 14;
  Rgb colour;
  Align across = Align::centre, up = Align::centre;
  bool bold = false;
  double opacity = 1;
  std::optional<Rgb> ground;  ///< background of the text
  std::optional<Rgb> halo;    ///< a rim of this colour around the letters
};

/// A rectangle of the window, in device pixels from the lower left.
struct Room {
  double left = 0, bottom = 0, right = 0, top = 0;
  bool overlaps(const Room& other) const {
    return left < other.right && other.left < right && bottom < other.top && other.bottom < top;
  }
};

/// Texts and lines in window pixels: call begin(), add them, call end().
class PixelLayer {
 public:
  void add_to(vtkRenderer* renderer);
  void begin();
  void text(const std::string& words, double x, double y, const TextStyle& style);
  /// Returns the rectangle that text() would fill.
  Room room(const std::string& words, double x, double y, const TextStyle& style) const;
  /// Returns whether no text lies in a rectangle, nor anything for which it is kept.
  bool free(const Room& room) const;
  /// Keeps texts that come later out of a rectangle.
  void keep_clear(const Room& room) { kept_.push_back(room); }
  /// Adds a line. What lies `under` the others is a rim in the colour of the background.
  void line(double x0, double y0, double x1, double y1, Rgb colour, double width, bool under = false);
  /// Adds a line through several places.
  void lines(std::vector<std::array<double, 2>> places, Rgb colour, double width, bool under = false);
  /// Adds the outline of a circle.
  void circle(double x, double y, double radius, Rgb colour, double width, bool under = false);
  void end();
  /// Returns the texts with their sizes in device pixels.
  const std::vector<std::pair<std::string, double>>& texts() const { return written_; }
  /// Returns the rectangles of texts().
  const std::vector<Room>& rooms() const { return rooms_; }

 private:
  void write(const std::string& words, double x, double y, const TextStyle& style);
  std::vector<std::pair<std::string, double>> written_;
  std::vector<Room> rooms_, kept_;
  struct Stroke {
    std::vector<std::array<double, 2>> places;
    Rgb colour;
    double width;
    bool under;
    unsigned char opacity = 255;
  };
  vtkRenderer* renderer_ = nullptr;
  std::vector<vtkSmartPointer<vtkTextActor>> texts_;
  std::size_t used_texts_ = 0;
  std::vector<Stroke> strokes_;
  // One actor per line width, because VTK's 2D mapper has one width per actor; those that lie under the others first.
  struct StrokeActor {
    double width = 0;
    vtkSmartPointer<vtkActor2D> actor;
    vtkSmartPointer<vtkPolyData> data;
  };
  std::vector<StrokeActor> stroke_actors_;
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
                const Theme& theme, const Measures& measures);

}  // namespace kdscope
