#pragma once
// Text that becomes smaller where it has no room.

#include <QFont>

namespace kdscope {

/// Returns a font with which a text fits: the given one, or else the first that does as it becomes smaller by a factor
/// per step, or the last one that is at least `least` times as large. `fits(font)`: whether the text fits.
template <class Fits>
QFont smaller_until(QFont font, double step, double least, const Fits& fits) {
  const double smallest = font.pointSizeF() * least;
  while (!fits(font) && font.pointSizeF() * step >= smallest) font.setPointSizeF(font.pointSizeF() * step);
  return font;
}

}  // namespace kdscope
