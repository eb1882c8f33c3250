#pragma once
// The frames in which requests, events, traces and files travel over one pair of streams (README.md). A reader trusts
// no byte: the other side may be any program.

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/variants/remote/compression.hpp"

namespace kdscope::variants::remote {

/// What each side sends first. What a login prints before it is no part of the stream.
inline constexpr std::string_view stream_mark = "kdscope frames 1\n";

enum class FrameKind : std::uint8_t {
  greeting,  ///< the first frame of each side (greeting.hpp)
  requests,  ///< bytes for the runner's standard input
  points,    ///< bytes of the file `points_file` of the next request
  input,     ///< bytes of its file `input`
  output,    ///< bytes of the file `output` of the request that ends
  events,    ///< bytes of the runner's descriptor 3
  trace,     ///< bytes of its descriptor 4
  prints,    ///< bytes of its standard output and error
  ended,     ///< how the runner ended (greeting.hpp); the last frame
  alive      ///< one byte, every second until a request is answered, so that a silent line is one that was lost
};
inline constexpr FrameKind last_frame_kind = FrameKind::alive;

/// The most bytes that a frame carries, before and after compression.
inline constexpr std::size_t most_payload = 1 << 20;

struct Frame {
  FrameKind kind;
  std::string_view payload;
};

/// Sends frames to a descriptor.
class FrameWriter {
 public:
  /// Sends the mark of the stream. SIGPIPE must be ignored. most_wait: of a descriptor that does not block, how long
  /// the other side may have no room.
  explicit FrameWriter(int descriptor, std::chrono::seconds most_wait = std::chrono::seconds(0));
  /// Compresses traces and files from now on, where that pays.
  void compress() { compresses_ = true; }
  /// Sends bytes in frames of one kind, and waits until the other side has room. Throws ErrorException of kind
  /// io_failure if it takes no more.
  void send(FrameKind kind, std::string_view bytes);

 private:
  void send_frame(std::uint8_t head, std::string_view payload);
  void write(std::string_view bytes, std::string_view more = {});

  int descriptor_;
  std::chrono::seconds most_wait_;
  bool compresses_ = false;
  CompressionChoice choice_;
  std::vector<char> compressed_;
};

/// Finds frames in bytes that arrive in pieces.
class FrameReader {
 public:
  /// Takes the next bytes. They may be of any length.
  void add(std::string_view bytes);
  /// Returns the next whole frame, or nullopt until more bytes arrive. Its payload is valid until the next call of
  /// add() or next(). Throws ErrorException of kind bad_input if the bytes are not a frame, or if more than 64 KiB
  /// arrive without the stream's mark.
  std::optional<Frame> next();
  /// Returns the bytes received while the mark is missing; empty once it is found.
  std::string_view before_mark() const { return marked_ ? std::string_view() : std::string_view(bytes_); }

 private:
  bool find_mark();

  std::string bytes_;
  std::size_t at_ = 0;  ///< where the next frame begins
  bool marked_ = false;
  std::vector<char> expanded_;
};

}  // namespace kdscope::variants::remote
