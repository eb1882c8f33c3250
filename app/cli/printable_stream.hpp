#pragma once
// The net under everything that commands print: no byte from a file reaches the terminal as a command to it.

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace kdscope::cli {

/// Passes on what is written to it as printable_lines() does. JSON stays the same JSON: a JsonWriter escapes C0 itself,
/// and the rest becomes "\u202e", which reads back as the character. A sequence may be cut between two writes; flush()
/// ends it.
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
