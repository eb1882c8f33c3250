#include "app/workbench/inside.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "app/appearance/labels.hpp"
#include "app/workbench/playback.hpp"

namespace kdscope {
namespace {

using access_log::Access, access_log::AccessKind, access_log::Depth, access_log::LaunchKind,
    access_log::LaunchRecording, access_log::LaunchWalk, access_log::LooksByStep, access_log::Site, access_log::Stretch,
    access_log::ValueType, access_log::WatchedArray, access_log::every_lane;

/// Returns the value of an access as the number that a row would hold; nullopt where that is not clear.
std::optional<double> number_of(const LaunchRecording& recording, const Access& access) {
  const WatchedArray& array = recording.array_of(access);
  if (access.bytes != array.element_bytes || access.bytes > sizeof access.value) return std::nullopt;
  if (array.type == ValueType::real) {
    float single = 0;
    double number = 0;
    std::memcpy(&single, &access.value, sizeof single);
    std::memcpy(&number, &access.value, sizeof number);
    return access.bytes == sizeof single ? static_cast<double>(single) : number;
  }
  if (array.type == ValueType::signed_whole) {
    const int unused_bits = 64 - 8 * static_cast<int>(access.bytes);
    return static_cast<double>(static_cast<std::int64_t>(access.value << unused_bits) >> unused_bits);
  }
  return static_cast<double>(access.value);
}

/// Returns whether a row holds what the launch left in an array, or read there if it wrote nothing: in a sample of
/// elements, which must not be empty.
bool agrees(const Cursor& now, const std::string& row, const LaunchRecording& recording, std::uint32_t array) {
  constexpr std::size_t enough = 64;
  std::set<std::int64_t> seen;
  for (const bool reads : {false, true}) {
    for (std::size_t i = recording.accesses.size(); i > 0 && seen.size() < enough; --i) {
      const Access& access = recording.accesses[i - 1];
      if (access.array != array || access.is(AccessKind::read) != reads || recording.out_of_bounds(access)) continue;
      const std::int64_t index = recording.index_of(access);
      if (!seen.insert(index).second) continue;
      const auto value = number_of(recording, access);
      if (!value || static_cast<std::uint64_t>(index) >= now.row_size(row)) return false;
      const double shown = now.number(row, static_cast<std::uint64_t>(index));
      if (shown != *value && !(shown != shown && *value != *value)) return false;
    }
    if (!seen.empty()) return true;
  }
  return false;
}

/// Returns whether the name of an array on a device is that of a row, apart from the plural.
bool same_name(const std::string& array, const std::string& row) {
  std::string name = array;
  std::ranges::replace(name, ' ', '_');
  return name == row || name == row + "s" || (name == "indices" && row == "index");
}

}  // namespace

std::shared_ptr<const InsideLook> prepared(access_log::Look look) {
  put_in_order(look.recording);
  auto costs = cost_of_lines(look.recording);
  return std::make_shared<const InsideLook>(InsideLook{std::move(look), std::move(costs)});
}

Inside::Inside(Playback& playback, QObject* parent) : QObject(parent), playback_(playback) {
  connect(&playback, &Playback::opened, this, &Inside::follow_run);
  connect(&playback, &Playback::stepped, this, &Inside::follow_run);
  // A question must not find its answer here
  connect(&playback, &Playback::concealment_changed, this, [this] {
    if (playback_.concealment().hides_values() || playback_.is_confined()) close();
  });
}

void Inside::follow_run() {
  const auto trace = playback_.trace();
  if (of_.lock() != trace || playback_.step() != step_) message_.clear();
  const bool is_other = is_open() && (of_.lock() != trace || playback_.step() != step_);
  step_ = playback_.step();
  if (is_other) selected_ = false;  // the playback carries the selection over
  if (of_.lock() != trace) {
    close();
    looks_.clear();
    of_ = trace;
  }
  if (is_other || playback_.concealment().hides_values()) close();
}

std::shared_ptr<const InsideLook> Inside::look_at(std::uint32_t step) const {
  const auto found = looks_.find(step);
  return found == looks_.end() ? nullptr : found->second;
}

void Inside::keep(std::uint32_t step, std::shared_ptr<const InsideLook> look) {
  of_ = playback_.trace();
  looks_[step] = std::move(look);
}

LooksByStep Inside::looks() const {
  LooksByStep looks;
  for (const auto& [step, look] : looks_) looks[step] = {look, &look->look};
  return looks;
}

void Inside::open() {
  look_ = look_at(playback_.step());
  if (!look_) return;
  step_ = playback_.step();
  rows_.clear();
  walk_.emplace(std::shared_ptr<const LaunchRecording>(look_, &look_->look.recording));
  emit opened();
  emit moved();
}

void Inside::close() {
  if (!is_open()) return;
  walk_.reset();
  if (std::exchange(selected_, false)) playback_.select(Selection{});
  emit closed();
  emit moved();
}

template <class Move>
void Inside::move(Move walk) {
  if (!is_open() || walk_->empty()) return;
  walk(*walk_);
  show_element();
  emit moved();
}

bool Inside::step(int direction) {
  bool moved = false;
  move([&](LaunchWalk& walk) { moved = walk.step(direction); });
  return moved;
}
bool Inside::leap(int direction) {
  bool moved = false;
  move([&](LaunchWalk& walk) { moved = walk.leap(direction); });
  return moved;
}
void Inside::go_to_end(int direction) {
  move([&](LaunchWalk& walk) { walk.go_to_end(direction); });
}
void Inside::go_deeper() {
  move([](LaunchWalk& walk) { walk.go_deeper(); });
}
void Inside::go_out() {
  if (is_open() && (walk_->empty() || walk_->depth() == Depth::interval)) return close();
  move([](LaunchWalk& walk) { walk.go_out(); });
}
void Inside::set_depth(Depth depth) {
  move([&](LaunchWalk& walk) {
    while (walk.depth() > depth && walk.go_out()) {
    }
    while (walk.depth() < depth && walk.go_deeper()) {
    }
  });
}
void Inside::go_to_stretch(std::size_t number) {
  move([&](LaunchWalk& walk) { walk.go_to_stretch(number); });
}
void Inside::go_to_lane(std::uint32_t lane) {
  move([&](LaunchWalk& walk) { walk.go_to_lane(lane); });
}
void Inside::go_to_access(std::size_t access) {
  move([&](LaunchWalk& walk) { walk.go_to_access(access); });
}

bool Inside::go_to(const access_log::PlaceInside& place) {
  bool there = false;
  move([&](LaunchWalk& walk) { there = walk.go_to(place); });
  return there;
}

void Inside::say(const QString& message, bool failed) {
  message_ = message;
  failed_ = failed;
  emit said();
}

QString Inside::place_text() const {
  if (!is_open() || walk_->empty()) return {};
  const LaunchRecording& recording = walk_->recording();
  const Stretch& at = walk_->stretch();
  const LaunchKind kind = recording.launches[at.launch].kind;
  const bool groups = kind == LaunchKind::blocks || kind == LaunchKind::warps;
  QString text =
      groups
          ? tr("%1 %2, interval %3").arg(QLatin1String(recording.group_word(at.launch))).arg(at.group).arg(at.interval)
          : foreign_text(recording.launches[at.launch].name);
  if (const auto lane = walk_->lane())
    text += *lane == every_lane ? tr(", every lane") : (groups ? tr(", lane %1") : tr(", index %1")).arg(*lane);
  return text;
}

QString Inside::access_text() const {
  return is_open() && !walk_->empty() && walk_->access() ? access_text(*walk_->access()) : QString();
}

QString Inside::access_text(std::size_t place) const {
  const LaunchRecording& recording = look_->recording();
  const Access& access = recording.accesses[place];
  const QString verb = access.is(AccessKind::read)    ? tr("reads")
                       : access.is(AccessKind::write) ? tr("writes")
                                                      : tr("changes atomically");
  const bool reads = access.is(AccessKind::read);
  QString text =
      QStringLiteral("%1: %2 %3 %4 %5 %6")
          .arg(foreign_text(recording.place_of(access)), foreign_text(recording.line_of(access.site)), verb,
               foreign_text(recording.element_of(access)), reads ? QStringLiteral("=") : QStringLiteral("\u2190"),
               foreign_text(recording.value_of(access)));
  if (access.unwritten) text += tr(", which nobody wrote");
  if (recording.out_of_bounds(access)) text += tr(", which is out of bounds");
  return text;
}

const Site* Inside::line() const {
  if (!is_open() || walk_->empty()) return nullptr;
  const LaunchRecording& recording = walk_->recording();
  const Stretch& at = walk_->stretch();
  std::optional<std::uint32_t> site;
  if (walk_->access())
    site = recording.accesses[*walk_->access()].site;
  else if (at.call)
    site = recording.intervals[*at.call].site;
  else if (at.begin < at.end)
    site = recording.accesses[at.begin].site;
  return site && recording.sites[*site].line > 0 ? &recording.sites[*site] : nullptr;
}

const std::string& Inside::row_of(std::uint32_t array) const {
  const auto [found, is_new] = rows_.try_emplace(array);
  const LaunchRecording& recording = look_->recording();
  if (!is_new || recording.arrays[array].shared) return found->second;
  const Cursor& now = *playback_.cursor();
  for (const Trace::Array& row : now.trace().arrays)
    if (!row.info.gather && row.info.name.rfind("partition.", 0) != 0 &&
        same_name(recording.arrays[array].name, row.info.name) && agrees(now, row.info.name, recording, array)) {
      found->second = row.info.name;
      break;
    }
  return found->second;
}

std::optional<std::uint32_t> Inside::array_of_row(const std::string& row) const {
  if (!is_open() || row.empty()) return std::nullopt;
  const std::vector<WatchedArray>& arrays = look_->recording().arrays;
  for (std::uint32_t array = 0; array < arrays.size(); ++array)
    if (!arrays[array].shared && row_of(array) == row) return array;
  // A run in another order of lanes left other values: then by the name alone
  for (const Access& access : look_->recording().accesses)
    if (!access.is(AccessKind::read) && !arrays[access.array].shared && same_name(arrays[access.array].name, row))
      return access.array;
  return std::nullopt;
}

std::optional<Selection> Inside::element_of(std::size_t place) const {
  const LaunchRecording& recording = look_->recording();
  const Access& access = recording.accesses[place];
  const std::string& name = row_of(access.array);
  if (name.empty() || recording.out_of_bounds(access)) return std::nullopt;
  const ArrayInfo& info = playback_.trace()->find(name)->info;
  const auto element = static_cast<std::uint64_t>(recording.index_of(access));
  if (info.index_space == Space::none || info.index_space == Space::count)
    return Selection{Space::count, element, name};
  return Selection{info.index_space, element / std::max(1u, info.components), {}};
}

void Inside::show_element() {
  const auto element = walk_->access() ? element_of(*walk_->access()) : std::nullopt;
  if (!element && !selected_) return;
  selected_ = element.has_value();
  playback_.select(element.value_or(Selection{}));
}

}  // namespace kdscope
