#pragma once
// A walk through the recording of a step's launches: by intervals of blocks and warps, by lanes, or by accesses.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/variants/inside/launch_recording.hpp"
#include "algorithms/variants/inside/place_inside.hpp"

namespace kdscope::access_log {

/// The accesses of one interval of a block or warp, or of a whole launch without these.
struct Stretch {
  std::uint32_t launch = 0, group = 0, interval = 0;
  std::size_t begin = 0, end = 0;        ///< in LaunchRecording::accesses
  std::optional<std::size_t> call = {};  ///< what its lanes did together, in LaunchRecording::intervals
  bool operator==(const Stretch&) const = default;
};

/// Puts the accesses in the order of launches, groups and intervals, if a run in another order recorded them; those of
/// one interval keep their order.
void put_in_order(LaunchRecording& recording);

/// Returns the stretches in the order of launches, groups and intervals, also those without accesses. Precondition:
/// put_in_order(). Work O(accesses).
std::vector<Stretch> stretches_of(const LaunchRecording& recording);

/// What one move of a walk goes over.
enum class Depth : std::uint8_t { interval, lane, access };

/// A place in a recording. It has a lane below Depth::interval, and an access at Depth::access.
class LaunchWalk {
 public:
  /// Begins at the first interval. Precondition: put_in_order().
  explicit LaunchWalk(std::shared_ptr<const LaunchRecording> recording);

  const LaunchRecording& recording() const { return *recording_; }
  const std::vector<Stretch>& stretches() const { return stretches_; }
  /// Whether there is nothing to walk through. Then no other member may be called.
  bool empty() const { return stretches_.empty(); }
  std::size_t number() const { return stretch_; }
  const Stretch& stretch() const { return stretches_[stretch_]; }
  Depth depth() const { return access_ ? Depth::access : lane_ ? Depth::lane : Depth::interval; }
  std::optional<std::uint32_t> lane() const { return lane_; }
  std::optional<std::size_t> access() const { return access_; }

  /// Moves by one interval, lane or access, forwards (1) or backwards (-1). Returns false at the end, where it stays.
  bool step(int direction);
  /// Moves to the next or the previous block or warp, interval or lane.
  bool leap(int direction);
  /// Goes to the last (1) or first (-1) interval, lane or access of the recording.
  void go_to_end(int direction);
  /// Goes from an interval to its first lane, or from a lane to its first access; or back out. Returns whether there is
  /// such a depth.
  bool go_deeper();
  bool go_out();

  void go_to_stretch(std::size_t number);
  /// Goes to a lane of the interval, whether it made accesses or not.
  void go_to_lane(std::uint32_t lane);
  void go_to_access(std::size_t access);
  /// Goes to a place by its name. Returns false, and stays, if the recording does not hold it.
  bool go_to(const PlaceInside& place);

 private:
  /// The first access of the next or the previous lane in the recording.
  std::optional<std::size_t> other_lane(int direction) const;
  std::optional<std::size_t> first_of_lane() const;

  std::shared_ptr<const LaunchRecording> recording_;
  std::vector<Stretch> stretches_;
  std::size_t stretch_ = 0;
  std::optional<std::uint32_t> lane_;
  std::optional<std::size_t> access_;
};

}  // namespace kdscope::access_log
