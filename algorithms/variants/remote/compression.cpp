#include "algorithms/variants/remote/compression.hpp"

#ifdef KDSCOPE_HAS_ZSTD
#include <zstd.h>
#endif

namespace kdscope::variants::remote {
namespace {

/// The weight of the newest value in a mean that follows the values.
constexpr double newest = 0.25;
void follow(double& mean, double value) { mean += (mean == 0 ? 1 : newest) * (value - mean); }

}  // namespace

bool CompressionChoice::pays() {
  constexpr unsigned pieces_between_tries = 16;
  // Both sides work for a smaller piece, and a fast line such as ssh needs the same processors.
  constexpr double least_gain = 0.2;
  if (pieces_++ % pieces_between_tries == 0) return true;
  return compression_ + share_ * line_ < (1 - least_gain) * line_;
}

void CompressionChoice::note_sent(std::size_t bytes, double seconds) {
  if (bytes > 0) follow(line_, seconds / static_cast<double>(bytes));
}

void CompressionChoice::note_compressed(std::size_t bytes, std::size_t smaller, double seconds) {
  if (bytes == 0) return;
  follow(compression_, seconds / static_cast<double>(bytes));
  follow(share_, static_cast<double>(smaller) / static_cast<double>(bytes));
}

#ifdef KDSCOPE_HAS_ZSTD
bool has_compression() { return true; }

std::string_view compress_into(std::vector<char>& buffer, std::string_view bytes) {
  constexpr int fastest = 1;
  buffer.resize(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(buffer.data(), buffer.size(), bytes.data(), bytes.size(), fastest);
  return ZSTD_isError(size) ? bytes : std::string_view(buffer.data(), size);
}

std::optional<std::string_view> expand_into(std::vector<char>& buffer, std::string_view bytes) {
  const std::size_t size = ZSTD_decompress(buffer.data(), buffer.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size)) return std::nullopt;
  return std::string_view(buffer.data(), size);
}
#else
bool has_compression() { return false; }
std::string_view compress_into(std::vector<char>&, std::string_view bytes) { return bytes; }
std::optional<std::string_view> expand_into(std::vector<char>&, std::string_view) { return std::nullopt; }
#endif

}  // namespace kdscope::variants::remote
