#include "app/cli/printable_stream.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/text/printable_text.hpp"

namespace kdscope::cli {
namespace {

bool is_plain(char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; }

/// Number of bytes at the end of a text that begin a UTF-8 sequence, which later bytes may complete.
std::size_t begun_sequence(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return utf8_length(text.substr(text.size() - back)) == 0 ? back : 0;
  }
  return 0;
}

}  // namespace

bool PrintableBuffer::pass_on(std::string_view text) {
  const auto write = [this](std::string_view shown) {
    const auto size = static_cast<std::streamsize>(shown.size());
    return target_.sputn(shown.data(), size) == size;
  };
  return std::all_of(text.begin(), text.end(), is_plain) ? write(text) : write(printable_lines(text));
}

bool PrintableBuffer::pass_on_all() {
  const std::string rest = std::exchange(begun_, {});
  return pass_on(rest);
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize size) {
  std::string_view written(text, static_cast<std::size_t>(size));
  std::string joined;
  if (!begun_.empty()) written = joined = std::exchange(begun_, {}).append(written);
  begun_ = written.substr(written.size() - begun_sequence(written));
  written.remove_suffix(begun_.size());
  return pass_on(written) ? size : 0;
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char byte = traits_type::to_char_type(c);
  return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
}

int PrintableBuffer::sync() { return pass_on_all() && target_.pubsync() == 0 ? 0 : -1; }

}  // namespace kdscope::cli
