#include "algorithms/checks/key_loss.hpp"

#include <algorithm>
#include <vector>

namespace kdscope {

void add_dimension(KeyLoss& loss, std::span<const std::uint32_t> keys, const PointsView& points, std::uint32_t dim) {
  std::vector<std::uint64_t> pairs(points.n);  // the order of the coordinate in the high word, its key in the low word
  for (std::uint32_t i = 0; i < points.n; ++i) pairs[i] = std::uint64_t(points.key(i, dim)) << 32 | keys[i];
  std::sort(pairs.begin(), pairs.end());
  std::uint64_t run = 0;  // number of distinct coordinates so far with the current key
  const auto close_run = [&] { loss.sharing += run > 1 ? run : 0; };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool same_coordinate = i > 0 && pairs[i] >> 32 == pairs[i - 1] >> 32;
    const std::uint32_t key = static_cast<std::uint32_t>(pairs[i]),
                        before = i > 0 ? static_cast<std::uint32_t>(pairs[i - 1]) : key;
    if (key < before || (same_coordinate && key != before)) loss.ordered = false;
    if (same_coordinate) continue;
    ++loss.distinct;
    if (i > 0 && key == before) {
      ++run;
      continue;
    }
    close_run();
    run = 1;
  }
  close_run();
}

KeyLoss key_loss(std::span<const std::uint32_t> keys, const PointsView& points) {
  KeyLoss loss;
  for (std::uint32_t d = 0; d < points.dim; ++d)
    add_dimension(loss, keys.subspan(std::size_t(d) * points.n, points.n), points, d);
  return loss;
}

std::string text_of(const KeyLoss& loss) {
  if (loss.sharing == 0) return "distinct coordinates have distinct keys";
  return std::to_string(loss.sharing) + " of " + std::to_string(loss.distinct) +
         " distinct coordinates share a key with another one";
}

CheckResult check_keys(const KeyLoss& loss, bool exact) {
  CheckResult f{"keys", "keys order the points as their coordinates do; " + text_of(exact ? KeyLoss{} : loss), true,
                ""};
  if (!loss.ordered)
    f.fail("a key falls where the coordinate grows, or equal coordinates have different keys");
  else if (exact && loss.sharing > 0)
    f.fail(text_of(loss));
  return f;
}

}  // namespace kdscope
