#pragma once
// A filter for everything that commands print: no text of a file reaches the terminal as a control sequence.

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace kdscope::cli {

/// Passes text on as printable_lines() converts it. JSON keeps its meaning: a JsonWriter escapes C0 characters itself,
/// and others become escapes such as "\u202e", which parse as the same character. A UTF-8 sequence may be split between
/// two writes; flush() passes on an incomplete one.
class PrintableBuffer : public std::streambuf {
 public:
  explicit PrintableBuffer(std::streambuf& target) : target_(target) {}

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  bool pass_on(std::string_view text);
  bool pass_on_all();

  std::streambuf& target_;
  std::string begun_;  // a sequence that is not whole yet
};

}  // namespace kdscope::cli
