#include "app/cli/busy_machine.hpp"

#include "algorithms/text/counts.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/cli/aligned_table.hpp"

namespace kdscope::cli {
namespace {

constexpr double largest_range = 0.5;

}  // namespace

void BusyMachine::add(const std::string& title, double least, double median, double most) {
  if (median <= 0) return;
  ++rows_;
  const double range = (most - least) / median;
  wide_ += range > largest_range;
  if (range > widest_) widest_ = range, title_ = title;
}

std::string BusyMachine::text() const {
  if (wide_ == 0) return "";
  return "this machine is busy: in " + std::to_string(wide_) + " of " + count_text(rows_, "row", "rows") +
         " the range of the times is over " + formatted("%.0f", 100 * largest_range) + " % of the median, " +
         formatted("%.0f", 100 * widest_) + " % for " + printable(title_) + "; end other programs, and measure again\n";
}

}  // namespace kdscope::cli
