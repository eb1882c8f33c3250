#pragma once
// The name of a point as a text of Qt.

#include <QString>

#include "algorithms/text/point_name.hpp"

namespace kdscope {

/// Returns "p7".
inline QString point_label(std::uint64_t point) { return QString::fromStdString(point_name(point)); }

}  // namespace kdscope
