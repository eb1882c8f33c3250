#pragma once
// Data sets that change from frame to frame: sources with the parameter "frame", such as `toys:frame=20`, and files
// with
// "{frame}" in their name, such as `scan-{frame}.ply`.

#include <cstdint>
#include <optional>
#include <string>

#include "datasets/generators/placement.hpp"

namespace kdscope {

/// Returns how many frames a specification has, from 0 on: those of a source, 2^31 for files, 1 for data that stand
/// still.
std::uint32_t frames_of(const std::string& specification);
/// Returns the frame that a specification names; 0 if it names none.
std::uint32_t frame_of(const std::string& specification);
/// Returns the specification of another frame: "toys:frame=20" for "toys" or "toys:frame=3", "scan-20.ply" for
/// "scan-{frame}.ply". That of data that stand still is returned as it is.
std::string with_frame(const std::string& specification, std::uint32_t frame);

/// What is known about a scan of this project, in which an object can be tracked.
struct KnownScan {
  std::string object;  ///< data set of the object, in its own coordinates
  Placement place;     ///< of the object in the scan's frame
  Vector3 camera;
};
/// Returns it for a specification; nullopt for other data.
std::optional<KnownScan> known_scan(const std::string& specification);

}  // namespace kdscope
