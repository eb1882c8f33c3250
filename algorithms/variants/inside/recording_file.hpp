#pragma once
// The file of a recording, and the program that writes it. The program maps the file, and the process that started it
// reads the same memory: so everything recorded outlives the program, however it ends.

#include <array>
#include <cstdint>
#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/file_seal.hpp"
#include "algorithms/variants/inside/launch_recording.hpp"
#include "algorithms/variants/lane_order.hpp"

namespace kdscope::access_log {

/// An access to memory that belongs to no array.
struct WildAccess {
  std::uint32_t known = 0;               ///< 1, or 0: there is none
  std::uint64_t address = 0, place = 0;  ///< place: the accesses recorded before it
  Access access = {};
  /// The nearest array, and where the access begins: bytes behind its end, or, negative, in front of its begin.
  std::array<char, 64> nearest = {};
  std::int64_t distance = 0;
};

/// What the program does now. It stands at the beginning of the file, the accesses follow (for which there is room),
/// then lines of JSON.
struct RecordingState {
  std::uint64_t mark = 0, room = 0;
  std::uint64_t accesses = 0, text_bytes = 0;
  std::uint64_t left_out = 0;  ///< accesses of the launch that runs, which the budget left out
  std::uint32_t launch = 0, group = 0, interval = 0;
  std::uint32_t in_launch = 0;  ///< 1, or 0
  std::uint64_t unknown = 0;    ///< index of an access, plus 1, that may not have happened; 0: there is none
  RunningLane running = {};
  WildAccess last_wild = {};         ///< the last access, if it is wild
  WildAccess first_wild_write = {};  ///< of the whole recording
  std::uint64_t stack_begin = 0;     ///< the lowest address of the stack
  std::int32_t signal = 0;           ///< that has ended the program; 0: none, or one that it could not note
  std::uint64_t fault = 0;           ///< SIGSEGV, SIGBUS: the address; 0: it is not known
};

/// Writes a recording. One thread.
class RecordingWriter {
 public:
  RecordingWriter() = default;
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;

  /// Maps the file, with room for so many accesses. Returns whether that worked; otherwise nothing may be added.
  bool open(const std::string& path, std::uint64_t most_accesses);
  bool is_open() const { return state_ != nullptr; }
  RecordingState& state() { return *state_; }
  /// Returns whether an address lies in the recording itself.
  bool holds(std::uintptr_t address) const {
    return address - reinterpret_cast<std::uintptr_t>(reserved_) < reserved_bytes_;
  }
  Access* accesses() { return accesses_; }
  bool has_room() const { return state_->accesses < state_->room; }
  void add(const Access& access) { accesses_[state_->accesses] = access, ++state_->accesses; }
  void add(Launch launch);
  void add(WatchedArray array);
  void add(Site site);
  void add(Interval interval);
  /// Ends a launch.
  void end_launch();
  /// Returns whether all could be written so far.
  bool good() const { return good_; }

 private:
  void add_line(struct RecordingLine line);

  Descriptor file_{-1};
  std::byte* reserved_ = nullptr;
  std::uint64_t reserved_bytes_ = 0;
  RecordingState* state_ = nullptr;
  Access* accesses_ = nullptr;
  bool good_ = true;
};

/// Writes a whole recording, without its lines. Returns whether the file could be written.
bool write_recording(const LaunchRecording& recording, const std::string& path);

/// Reads a recording whose program has ended, however it did. Errors: io_failure if the file cannot be read, or nothing
/// was recorded; bad_input if it is no recording, as that of a foreign program may be.
Result<LaunchRecording> read_recording(const std::string& path);

}  // namespace kdscope::access_log
