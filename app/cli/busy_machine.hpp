#pragma once
// Tells of times that scatter so far that other programs must have run beside them. No verdict follows from it.

#include <cstddef>
#include <string>

namespace kdscope::cli {

/// The ranges of the times of a table's rows.
class BusyMachine {
 public:
  /// Adds a row of at least three times.
  void add(const std::string& title, double least, double median, double most);
  /// Returns "this machine is busy: in 1 of 2 rows the range of the times is over 50 % of the median, ..." with a line
  /// end; empty if it is not.
  std::string text() const;

 private:
  std::size_t rows_ = 0, wide_ = 0;
  double widest_ = 0;
  std::string title_;  ///< of the widest row
};

}  // namespace kdscope::cli
