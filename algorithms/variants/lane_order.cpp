#include "algorithms/variants/lane_order.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <new>
#include <utility>

#include "algorithms/core/error.hpp"
#include "algorithms/core/hash.hpp"
#include "algorithms/variants/named_memory.hpp"

namespace kdscope {
namespace {

// Bounds the work of one interval and of a whole run, in bytes that are compared.
constexpr std::uint64_t most_compared_per_interval = std::uint64_t(1) << 26, most_compared = std::uint64_t(1) << 33;

/// What a program's launches share.
struct OrderState {
  LaneOrder order;
  std::uint64_t shuffles = 0;
  RunningLane running;
  std::vector<std::pair<std::byte*, std::size_t>> atomics;  ///< of the running lane
  bool at_once = false;                                     ///< an interval at once is running
  std::uint64_t intervals = 0, whole_intervals = 0, compared = 0, compared_shared = 0;
};
OrderState& order_state() {
  static OrderState state;
  return state;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

void drop_blanks(std::string_view& text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
}

/// Returns the name of the variable that holds the array of a call of shared() or per_lane().
std::string name_at(const std::source_location& where) {
  static std::map<std::pair<std::string, std::pair<std::uint32_t, std::uint32_t>>, std::string> known;
  std::string& name = known[{where.file_name(), {where.line(), where.column()}}];
  if (!name.empty()) return name;
  std::ifstream file(where.file_name());
  std::string line, before;
  for (std::uint32_t number = 0; number < where.line() && std::getline(file, line); ++number)
    if (number + 1 < where.line()) before = line;
  return name = variable_of_call(before, line, where.column());
}

}  // namespace

std::string name_of(const LaneOrder& order) {
  switch (order.kind) {
    case LaneOrder::Kind::ascending:
      return "ascending";
    case LaneOrder::Kind::descending:
      return "descending";
    case LaneOrder::Kind::shuffled:
      return "shuffled " + std::to_string(order.seed);
    case LaneOrder::Kind::at_once:
      return "at once";
  }
  return "";
}

std::optional<LaneOrder> lane_order_named(std::string_view name) {
  for (const auto kind : {LaneOrder::Kind::ascending, LaneOrder::Kind::descending, LaneOrder::Kind::at_once})
    if (name == name_of({kind, 0})) return LaneOrder{kind, 0};
  constexpr std::string_view shuffled = "shuffled ";
  std::uint64_t seed = 0;
  if (!name.starts_with(shuffled)) return std::nullopt;
  const auto [end, failed] = std::from_chars(name.data() + shuffled.size(), name.data() + name.size(), seed);
  if (failed != std::errc() || end != name.data() + name.size() || seed > largest_order_seed) return std::nullopt;
  return LaneOrder{LaneOrder::Kind::shuffled, seed};
}

std::string clause_of(const LaneOrder& order) {
  if (order.kind == LaneOrder::Kind::at_once) return "with all lanes at once";
  if (order.kind == LaneOrder::Kind::shuffled)
    return "with lanes in shuffled order (seed " + std::to_string(order.seed) + ")";
  return "with lanes in " + name_of(order) + " order";
}

const LaneOrder& lane_order() { return order_state().order; }

void set_lane_order(const LaneOrder& order) {
  order_state() = OrderState();
  order_state().order = order;
}

std::vector<std::uint32_t> shuffled_lanes(std::uint32_t n) {
  OrderState& state = order_state();
  std::uint64_t random = mix64(mix64(state.order.seed + 1) + ++state.shuffles);
  std::vector<std::uint32_t> lanes(n);
  for (std::uint32_t i = 0; i < n; ++i) lanes[i] = i;
  for (std::uint32_t i = n; i > 1; --i) {
    random = mix64(random + 0x9e3779b97f4a7c15ull);
    std::swap(lanes[i - 1], lanes[random % i]);
  }
  return lanes;
}

RunningLane& running_lane() { return order_state().running; }

std::string running_lane_text() {
  const RunningLane& running = running_lane();
  if (!running.group) return "";
  return std::string(running.group) + " " + std::to_string(running.group_index) +
         (running.lane < 0 ? "" : ", lane " + std::to_string(running.lane));
}

LanesAtOnce::LanesAtOnce(std::uint32_t lanes) {
  OrderState& state = order_state();
  const auto bytes_of = [&](bool shared_alone) {
    std::uint64_t bytes = 0;
    for (const GuardedArray& array : guarded_arrays())
      if (array.shared || !shared_alone) bytes += array.bytes;
    return bytes * lanes;
  };
  ++state.intervals;
  const std::uint64_t every = bytes_of(false), shared = bytes_of(true);
  const bool whole = every <= most_compared_per_interval && state.compared + every <= most_compared;
  // Shared memory has a limit of its own, so that large arrays do not use it up
  if (!whole && state.compared_shared + shared > most_compared) return;
  state.whole_intervals += whole;
  (whole ? state.compared : state.compared_shared) += whole ? every : shared;
  std::size_t offset = 0;
  for (const GuardedArray& array : guarded_arrays())
    if ((array.shared || whole) && array.bytes > 0) {
      regions_.push_back({array.data, array.bytes, offset});
      offset += array.bytes;
    }
  before_.resize(offset);
  for (const Region& region : regions_) std::memcpy(before_.data() + region.offset, region.at, region.bytes);
  after_ = before_;
  state.at_once = true;
  state.atomics.clear();
}

void LanesAtOnce::end_lane() {
  // Hold back what the lane wrote
  for (const Region& region : regions_) {
    std::byte *before = before_.data() + region.offset, *after = after_.data() + region.offset;
    if (std::memcmp(region.at, before, region.bytes) == 0) continue;
    for (std::size_t i = 0; i < region.bytes; ++i)
      if (region.at[i] != before[i]) after[i] = region.at[i], region.at[i] = before[i];
  }
  // Later lanes see atomic changes
  for (const auto& [at, bytes] : order_state().atomics)
    for (const Region& region : regions_) {
      if (at < region.at || at + bytes > region.at + region.bytes) continue;
      const auto within = static_cast<std::size_t>(at - region.at);
      std::memcpy(before_.data() + region.offset + within, after_.data() + region.offset + within, bytes);
      std::memcpy(at, after_.data() + region.offset + within, bytes);
    }
  order_state().atomics.clear();
}

LanesAtOnce::~LanesAtOnce() {
  for (const Region& region : regions_) std::memcpy(region.at, after_.data() + region.offset, region.bytes);
  order_state().at_once = false;
}

void note_atomic(const void* at, std::size_t bytes) {
  if (order_state().at_once)
    order_state().atomics.emplace_back(const_cast<std::byte*>(static_cast<const std::byte*>(at)), bytes);
}

double compared_share() {
  const OrderState& state = order_state();
  return state.intervals == 0 ? 1 : static_cast<double>(state.whole_intervals) / static_cast<double>(state.intervals);
}

SharedArrays::~SharedArrays() {
  for (const Taken& array : arrays_) release_guarded(array.data);
  end_group();
}

void SharedArrays::begin_group(std::uint32_t index) {
  used_ = next_ = 0;
  running_lane() = {group_, index, -1};
}

void SharedArrays::end_group() { running_lane() = {}; }

void* SharedArrays::take(std::size_t element_bytes, std::size_t elements, const std::source_location& where,
                         bool private_to_lanes) {
  if (!private_to_lanes) {
    constexpr std::size_t alignment = 16;
    used_ = (used_ + alignment - 1) / alignment * alignment + element_bytes * elements;
    if (used_ > most_bytes_)
      throw ErrorException({ErrorKind::bad_usage,
                            std::string("a ") + group_ + " takes more shared memory than its launch asked for: " +
                                std::to_string(used_) + " bytes with the array '" + name_at(where) + "', asked were " +
                                std::to_string(most_bytes_),
                            "", "keep the sizes of the original's shared arrays"});
  }
  if (next_ < arrays_.size()) {
    // A group that takes other arrays than the one before it gets new ones from here on
    const Taken& known = arrays_[next_];
    if (known.element_bytes != element_bytes || known.elements != elements || known.where.line() != where.line()) {
      for (std::size_t i = next_; i < arrays_.size(); ++i) release_guarded(arrays_[i].data);
      arrays_.resize(next_);
    }
  }
  if (next_ == arrays_.size()) {
    void* data = allocate_guarded(name_at(where), element_bytes, elements, true);
    if (!data) throw std::bad_alloc();
    arrays_.push_back({data, element_bytes, elements, where});
  }
  void* data = arrays_[next_++].data;
  std::memset(data, unwritten_shared_byte, element_bytes * elements);
  return data;
}

std::string variable_of_call(std::string_view before, std::string_view line, std::size_t column) {
  // Find the call's name, at or before the column
  std::size_t begin = std::string_view::npos;
  for (const char* name : {"shared", "per_lane"})
    if (const std::size_t at = line.rfind(name, column); at != std::string_view::npos)
      if (begin == std::string_view::npos || at > begin) begin = at;
  // Cut off its object: block.template, this->block_.template
  std::string_view text = line.substr(0, std::min(begin, line.size()));
  if (const std::size_t object = text.find_last_of(".>"); object != std::string_view::npos)
    text = text.substr(0, object + 1);
  while (!text.empty() && (text.back() == '.' || text.ends_with("->"))) {
    text.remove_suffix(text.back() == '.' ? 1 : 2);
    while (!text.empty() && is_word(text.back())) text.remove_suffix(1);
  }
  drop_blanks(text);
  if (text.empty()) text = before, drop_blanks(text);
  if (text.empty() || std::string_view("=({").find(text.back()) == std::string_view::npos) return "shared";
  text.remove_suffix(1);
  drop_blanks(text);
  std::size_t length = 0;
  while (length < text.size() && is_word(text[text.size() - 1 - length])) ++length;
  std::string name(text.substr(text.size() - length));
  if (name.ends_with('_')) name.pop_back();
  return name.empty() ? "shared" : name;
}

}  // namespace kdscope
