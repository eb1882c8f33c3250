#include "algorithms/variants/remote/frames.hpp"

#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

namespace kdscope::variants::remote {
namespace {

// The head of a frame: its kind, with a bit for compression, and the length of its payload.
static_assert(std::endian::native == std::endian::little, "lengths and traces travel as they are in memory");
constexpr std::uint8_t compressed_bit = 0x80;
constexpr std::size_t length_bytes = sizeof(std::uint32_t), head_bytes = 1 + length_bytes;
constexpr std::size_t most_before_mark = 64 << 10;

[[noreturn]] void refuse_frame(std::string what) {
  throw ErrorException({ErrorKind::bad_input, std::move(what), "", "name a command that starts kdscope-runner --far"});
}

/// Returns whether frames of a kind are worth a try. Lines are short.
bool is_bulk(FrameKind kind) {
  return kind == FrameKind::trace || kind == FrameKind::points || kind == FrameKind::input || kind == FrameKind::output;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

FrameWriter::FrameWriter(int descriptor, std::chrono::seconds most_wait)
    : descriptor_(descriptor), most_wait_(most_wait) {
  write(stream_mark);
}

void FrameWriter::write(std::string_view bytes, std::string_view more) {
  // Whole seconds of waiting count, not the clock: this process may have been stopped itself.
  for (auto waited = std::chrono::seconds(0); !bytes.empty() || !more.empty();) {
    const std::array<iovec, 2> parts{
        {{const_cast<char*>(bytes.data()), bytes.size()}, {const_cast<char*>(more.data()), more.size()}}};
    const ssize_t sent = ::writev(descriptor_, parts.data(), 2);
    if (sent > 0) {
      waited = std::chrono::seconds(0);
      const std::size_t of_first = std::min(bytes.size(), static_cast<std::size_t>(sent));
      bytes.remove_prefix(of_first);
      more.remove_prefix(static_cast<std::size_t>(sent) - of_first);
      continue;
    }
    pollfd wanted{descriptor_, POLLOUT, 0};
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN && waited < most_wait_) {
      if (::poll(&wanted, 1, 1000) == 0) waited += std::chrono::seconds(1);
      continue;
    }
    throw ErrorException({ErrorKind::io_failure, "the other side takes no more", "", "run again"});
  }
}

void FrameWriter::send(FrameKind kind, std::string_view bytes) {
  const auto head = static_cast<std::uint8_t>(kind);
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), most_payload))) {
    const std::string_view piece = bytes.substr(0, most_payload);
    const auto start = std::chrono::steady_clock::now();
    if (!compresses_ || !is_bulk(kind)) {
      send_frame(head, piece);
    } else if (!choice_.pays()) {
      send_frame(head, piece);
      choice_.note_sent(piece.size(), seconds_since(start));
    } else {
      const std::string_view smaller = compress_into(compressed_, piece);
      choice_.note_compressed(piece.size(), smaller.size(), seconds_since(start));
      const auto begin = std::chrono::steady_clock::now();
      if (smaller.size() < piece.size())
        send_frame(head | compressed_bit, smaller);
      else
        send_frame(head, piece);
      choice_.note_sent(std::min(smaller.size(), piece.size()), seconds_since(begin));
    }
  }
}

void FrameWriter::send_frame(std::uint8_t head, std::string_view payload) {
  const auto length = static_cast<std::uint32_t>(payload.size());
  std::array<char, head_bytes> bytes{static_cast<char>(head)};
  std::memcpy(bytes.data() + 1, &length, length_bytes);
  write({bytes.data(), bytes.size()}, payload);
}

void FrameReader::add(std::string_view bytes) {
  bytes_.erase(0, at_);
  at_ = 0;
  bytes_ += bytes;
}

bool FrameReader::find_mark() {
  const std::size_t found = bytes_.find(stream_mark);
  if (found == std::string::npos) {
    if (bytes_.size() > most_before_mark) refuse_frame("this is no kdscope-runner --far");
    return false;
  }
  at_ = found + stream_mark.size();
  return true;
}

std::optional<Frame> FrameReader::next() {
  if (!marked_ && !(marked_ = find_mark())) return std::nullopt;
  const std::string_view rest = std::string_view(bytes_).substr(at_);
  if (rest.size() < head_bytes) return std::nullopt;
  const auto head = static_cast<std::uint8_t>(rest[0]);
  std::uint32_t length = 0;
  std::memcpy(&length, rest.data() + 1, length_bytes);
  const std::uint8_t kind = head & ~compressed_bit;
  if (kind > static_cast<std::uint8_t>(last_frame_kind) || length > most_payload)
    refuse_frame("what came is no frame of kdscope-runner");
  if (rest.size() < head_bytes + length) return std::nullopt;
  std::string_view payload = rest.substr(head_bytes, length);
  at_ += head_bytes + length;
  if ((head & compressed_bit) != 0) {
    expanded_.resize(most_payload);
    const auto expanded = expand_into(expanded_, payload);
    if (!expanded) refuse_frame("a frame came damaged");
    payload = *expanded;
  }
  return Frame{static_cast<FrameKind>(kind), payload};
}

}  // namespace kdscope::variants::remote
