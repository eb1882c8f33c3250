#include "algorithms/variants/lane_order.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <new>
#include <set>

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
  std::vector<AtOnce*> at_once;  ///< those that run: of a launch, and of an interval of one of its groups
  SharedFill fill;
  std::set<std::string> shared_names;
  std::uint64_t intervals = 0, whole_intervals = 0, compared = 0, compared_shared = 0;
};
OrderState& order_state() {
  static OrderState state;
  return state;
}

/// Where the lane that runs is kept.
RunningLane*& running_lane_place() {
  static RunningLane own;
  static RunningLane* kept = &own;
  return kept;
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
    case LaneOrder::Kind::at_once_by_words:
      return "at once by words";
  }
  return "";
}

std::optional<LaneOrder> lane_order_named(std::string_view name) {
  for (const auto kind : {LaneOrder::Kind::ascending, LaneOrder::Kind::descending, LaneOrder::Kind::at_once,
                          LaneOrder::Kind::at_once_by_words})
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
  if (order.kind == LaneOrder::Kind::at_once_by_words) return "with all lanes at once, each word written as a whole,";
  if (order.kind == LaneOrder::Kind::shuffled)
    return "with lanes in shuffled order (seed " + std::to_string(order.seed) + ")";
  return "with lanes in " + name_of(order) + " order";
}

const LaneOrder& lane_order() { return order_state().order; }

void set_lane_order(const LaneOrder& order) {
  order_state() = OrderState();
  running_lane() = {};
  order_state().order = order;
  order_state().fill.byte = shared_byte_of(order);
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

RunningLane& running_lane() { return *running_lane_place(); }

void move_running_lane(RunningLane& to) {
  to = running_lane();
  running_lane_place() = &to;
}

std::string running_lane_text() {
  const RunningLane& running = running_lane();
  if (!running.group) return "";
  return std::string(running.group) + " " + std::to_string(running.group_index) +
         (running.lane < 0 ? "" : ", lane " + std::to_string(running.lane));
}

AtOnce::AtOnce(Of of, std::uint32_t count) {
  OrderState& state = order_state();
  const std::vector<GuardedArray> arrays = guarded_arrays();
  // The groups of a launch share no shared arrays
  const auto bytes_of = [&](bool shared) {
    std::uint64_t bytes = 0;
    for (const GuardedArray& array : arrays)
      if (array.shared == shared) bytes += array.bytes;
    return bytes * count;
  };
  ++state.intervals;
  const std::uint64_t shared = of == Of::lanes ? bytes_of(true) : 0, every = shared + bytes_of(false);
  const bool whole = every <= most_compared_per_interval && state.compared + every <= most_compared;
  // Shared memory has a limit of its own, so that large arrays do not use it up
  if (!whole && state.compared_shared + shared > most_compared) return;
  state.whole_intervals += whole;
  (whole ? state.compared : state.compared_shared) += whole ? every : shared;
  std::size_t offset = 0;
  for (const GuardedArray& array : arrays)
    if ((array.shared ? of == Of::lanes : whole) && array.bytes > 0) {
      regions_.push_back({array.data, array.bytes, offset,
                          state.order.kind == LaneOrder::Kind::at_once_by_words ? array.word_bytes : 1});
      offset += array.bytes;
    }
  before_.resize(offset);
  for (const Region& region : regions_) std::memcpy(before_.data() + region.offset, region.at, region.bytes);
  after_ = before_;
  state.at_once.push_back(this);
}

void AtOnce::end_one() {
  // Hold back what was written
  for (const Region& region : regions_) {
    std::byte *before = before_.data() + region.offset, *after = after_.data() + region.offset;
    constexpr std::size_t chunk = 256;  // a lane writes few of them
    for (std::size_t begin = 0; begin < region.bytes; begin += chunk) {
      const std::size_t end = std::min(begin + chunk, region.bytes);
      if (std::memcmp(region.at + begin, before + begin, end - begin) == 0) continue;
      for (std::size_t i = begin; i < end; i += region.word_bytes) {
        if (std::memcmp(region.at + i, before + i, region.word_bytes) == 0) continue;
        std::memcpy(after + i, region.at + i, region.word_bytes);
        std::memcpy(region.at + i, before + i, region.word_bytes);
      }
    }
  }
  // Those that follow see atomic changes
  for (const auto& [at, bytes] : atomics_)
    for (const Region& region : regions_) {
      if (at < region.at || at + bytes > region.at + region.bytes) continue;
      const auto within = static_cast<std::size_t>(at - region.at);
      std::memcpy(before_.data() + region.offset + within, after_.data() + region.offset + within, bytes);
      std::memcpy(at, after_.data() + region.offset + within, bytes);
    }
  atomics_.clear();
}

AtOnce::~AtOnce() {
  for (const Region& region : regions_) std::memcpy(region.at, after_.data() + region.offset, region.bytes);
  std::erase(order_state().at_once, this);
}

void note_atomic(const void* at, std::size_t bytes) {
  for (AtOnce* running : order_state().at_once)
    running->note_atomic(const_cast<std::byte*>(static_cast<const std::byte*>(at)), bytes);
}

std::uint8_t shared_byte_of(const LaneOrder& order) {
  switch (order.kind) {
    case LaneOrder::Kind::descending:
      return 0x3d;
    case LaneOrder::Kind::shuffled:
      return 0x5a;
    case LaneOrder::Kind::at_once:
    case LaneOrder::Kind::at_once_by_words:
      return 0xc3;
    default:
      return unwritten_shared_byte;
  }
}

void set_shared_fill(const SharedFill& fill) { order_state().fill = fill; }

std::vector<std::string> shared_array_names() {
  return {order_state().shared_names.begin(), order_state().shared_names.end()};
}

namespace {
MisuseHandler misuse_handler = nullptr;
}

void set_misuse_handler(MisuseHandler handler) { misuse_handler = handler; }

void report_misuse(const std::string& deed, const std::source_location& where) {
  if (misuse_handler) misuse_handler(deed, where);
  throw ErrorException(
      {ErrorKind::bad_input, deed, std::string(where.file_name()) + ":" + std::to_string(where.line()), ""});
}

void check_between_intervals(const char* call, const std::source_location& where) {
  if (running_lane().group && running_lane().lane >= 0)
    report_misuse(std::string("calls ") + call +
                      " inside an interval: all lanes make this call together, and wait there for one another",
                  where);
}

void check_inside_interval(const char* call, const std::source_location& where) {
  if (running_lane().group && running_lane().lane < 0)
    report_misuse(std::string("calls ") + call + " outside of an interval, where every lane of a device does so",
                  where);
}

void check_own_register(const LaneAt& at) {
  const std::int64_t running = running_lane().lane;
  if (!running_lane().group || running == at.lane) return;
  const std::string registers = "the registers of lane " + std::to_string(at.lane);
  report_misuse(running < 0 ? "uses " + registers + " outside of an interval, where each lane of a device has its own"
                            : "uses " + registers +
                                  " in another lane, which on a device finds its own; shared memory "
                                  "and shuffles pass values between lanes",
                at.where);
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

void SharedArrays::note(Taken& array) {
  const auto* begin = static_cast<const std::byte*>(array.data);
  if (!array.private_to_lanes) array.noted.assign(begin, begin + array.element_bytes * array.elements);
}

void SharedArrays::note_contents() {
  for (std::size_t i = 0; i < next_; ++i) note(arrays_[i]);
}

void SharedArrays::check_contents(const std::source_location& where) const {
  for (std::size_t i = 0; i < next_; ++i) {
    const Taken& array = arrays_[i];
    if (array.noted.empty() || std::memcmp(array.data, array.noted.data(), array.noted.size()) == 0) continue;
    report_misuse("changes the shared array '" + array.name +
                      "' outside of an interval, where every lane of a device does so, before this line",
                  where);
  }
}

void SharedArrays::end_group() { running_lane() = {}; }

void* SharedArrays::take(std::size_t element_bytes, std::size_t elements, const std::source_location& where,
                         bool private_to_lanes, std::size_t word_bytes) {
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
    const std::string name = name_at(where);
    void* data = allocate_guarded(name, {element_bytes, word_bytes}, elements, true);
    if (!data) throw std::bad_alloc();
    arrays_.push_back({data, element_bytes, elements, where, name, private_to_lanes, {}});
    order_state().shared_names.insert(name);
  }
  Taken& taken = arrays_[next_++];
  const SharedFill& fill = order_state().fill;
  std::memset(taken.data, fill.array.empty() || fill.array == taken.name ? fill.byte : unwritten_shared_byte,
              element_bytes * elements);
  note(taken);
  return taken.data;
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
