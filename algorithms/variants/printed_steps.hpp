#pragma once
// Sorts what a program prints by the steps of its recording. The program writes a mark between its prints before each
// step, so no order of two pipes matters.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/trace/printed_text.hpp"

namespace kdscope::variants {

/// The variable of the environment that names a program, so that all that it starts are known, and so are its marks.
inline constexpr const char* program_variable = "KDSCOPE_PROGRAM";

/// Returns what a program writes to its output before each step.
std::string mark_of_step(std::string_view program, std::uint32_t step);

/// What a program printed, by steps: the last bytes.
struct Prints {
  std::vector<PrintedStep> steps;  ///< what was printed before the first step is the first one's
  std::uint64_t left_out = 0;      ///< bytes before these
};

/// Drops the first lines of prints so that at most `most` bytes remain, which begin with a whole line if one fits.
void keep_last(Prints& prints, std::size_t most);

class PrintReader {
 public:
  /// program: the value of program_variable. Keeps at least the last `most` bytes.
  PrintReader(std::string_view program, std::size_t most);
  /// Takes the next piece of the output. Returns it without marks; the beginning of a mark waits for its rest.
  std::string take(std::string_view piece);
  /// Returns the prints so far. A beginning of a mark without its rest is text.
  Prints prints() const;

 private:
  void print(std::string_view text);
  std::string begin_;  ///< of every mark
  std::size_t most_;
  std::string waiting_;
  std::uint32_t step_ = 0;
  std::size_t bytes_ = 0;
  Prints prints_;
};

}  // namespace kdscope::variants
