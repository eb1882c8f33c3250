#pragma once
// Compression of frames by zstd, where kdscope was built with it.

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace kdscope::variants::remote {

/// Returns whether this build can compress and expand.
bool has_compression();

/// Returns the bytes compressed, in `buffer`; as they are if this build cannot. About 500 MB/s.
std::string_view compress_into(std::vector<char>& buffer, std::string_view bytes);

/// Returns the bytes expanded, in `buffer`, which keeps its size; nullopt if they are damaged, do not fit into it, or
/// if this build cannot.
std::optional<std::string_view> expand_into(std::vector<char>& buffer, std::string_view bytes);

/// Decides whether compression saves time: a slow line gains, a pipe within one machine loses. Compares the times of
/// what was sent before, and tries now and then what it does not choose, because lines and data change.
class CompressionChoice {
 public:
  /// Returns whether to compress the next piece.
  bool pays();
  /// The line took so many bytes in this time.
  void note_sent(std::size_t bytes, double seconds);
  /// So many bytes became `smaller` ones in this time.
  void note_compressed(std::size_t bytes, std::size_t smaller, double seconds);

 private:
  double line_ = 0;        ///< seconds per byte on the line
  double compression_ = 0; ///< seconds per byte of compression
  double share_ = 0;       ///< bytes after compression per byte before it
  unsigned pieces_ = 0;
};

}  // namespace kdscope::variants::remote
