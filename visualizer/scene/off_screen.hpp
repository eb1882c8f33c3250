#pragma once
// Draws pictures of a scene without a window, one after another, all of one size.

#include <memory>
#include <vector>

#include "visualizer/scene/scene.hpp"

namespace kdscope {

/// A picture in memory: rows from the bottom up, three bytes per pixel.
struct DrawnScene {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;
};

/// A render window that is never shown, and a scene in it. Pictures up to 4K are drawn at twice the size.
/// Text is 24 px high at 1080 rows, and in proportion at others. Use it only on the thread of all other VTK.
class OffScreen {
 public:
  /// Errors: no X server answers, or a side is not 16 to 16384 pixels long.
  static Result<std::unique_ptr<OffScreen>> of_size(int width, int height);
  ~OffScreen();

  Scene& scene();
  /// Draws what lies below the scene's annotations().
  DrawnScene draw();

 private:
  OffScreen();
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace kdscope
