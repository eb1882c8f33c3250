#include "visualizer/figure/flights.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <ranges>
#include <utility>

#include "visualizer/style/motion_tokens.hpp"

namespace kdscope {
namespace {

constexpr double lifting = 0.25;   // of the time in which an element is in the air: to lift it, or to put it down
constexpr double new_from = 0.85;  // of the motion's time: new elements appear

/// Lets the columns out of sight follow one another at the edges.
void close_up(std::vector<Flight>& flights, double Flight::*column, IndexRange sight) {
  std::ranges::sort(flights, {}, column);
  double left = static_cast<double>(sight.begin), right = static_cast<double>(sight.end);
  const double begin = left, end = right;
  for (Flight& flight : flights)
    if (flight.*column >= end) flight.*column = right++;
  for (Flight& flight : flights | std::views::reverse)
    if (flight.*column < begin) flight.*column = --left;
}

/// Returns which of some flights, sorted by their early columns, stay in their row: as many as keep their order.
std::vector<bool> keep_order(std::span<const Flight> flights) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> length(flights.size(), 1), before(flights.size(), none);
  std::size_t last = 0;
  for (std::size_t b = 0; b < flights.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a)
      if (flights[a].late < flights[b].late && length[a] + 1 > length[b]) length[b] = length[a] + 1, before[b] = a;
    if (length[b] > length[last]) last = b;
  }
  std::vector<bool> keeps(flights.size());
  for (std::size_t at = last; at != none; at = before[at]) keeps[at] = true;
  return keeps;
}

/// Plans the way of flights that pass each other, sorted by their early columns: the first to be lifted is the one that
/// ends furthest to the left, so that what has been put in order grows from there.
void plan(std::span<Flight> flights) {
  const std::vector<bool> keeps = keep_order(flights);
  std::vector<Flight*> line, lifted;
  std::vector<double> early, late;
  for (std::size_t i = 0; i < flights.size(); ++i) {
    line.push_back(&flights[i]);
    if (!keeps[i]) lifted.push_back(&flights[i]);
    early.push_back(flights[i].early), late.push_back(flights[i].late);
  }
  std::ranges::sort(late);
  std::ranges::sort(lifted, {}, &Flight::late);
  const double length = 1.0 / static_cast<double>(std::max<std::size_t>(1, lifted.size()));
  for (std::size_t turn = 0; turn < lifted.size(); ++turn) {
    Flight* one = lifted[turn];
    const double start = static_cast<double>(turn) * length;
    one->is_lifted = true, one->start = start, one->length = length;
    const auto from = static_cast<std::size_t>(std::ranges::find(line, one) - line.begin());
    line.erase(line.begin() + static_cast<std::ptrdiff_t>(from));
    std::size_t to = 0;  // behind the last one that stays before it
    for (std::size_t i = 0; i < line.size(); ++i)
      if (line[i]->late < one->late) to = i + 1;
    line.insert(line.begin() + static_cast<std::ptrdiff_t>(to), one);
    const auto [first, last] = std::minmax(from, to);
    for (std::size_t after = first; first < last && after <= last; ++after) {
      const std::size_t before = after == to ? from : from < to ? after + 1 : after - 1;
      Flight::Leg leg{.start = start, .length = length, .by = early[after] - early[before]};
      if (after != to) {
        leg.passed = static_cast<double>(std::max(from, before) - std::min(from, before)) - 1;
        leg.passes = static_cast<double>(last - first);
      }
      line[after]->legs.push_back(leg);
    }
  }
  // Where others come into sight, or leave, all drift
  for (std::size_t i = 0; i < line.size(); ++i)
    if (late[i] != early[i]) line[i]->legs.push_back({.by = late[i] - early[i]});
}

}  // namespace

Flights::Flights(const Travel& travel, IndexRange sight, bool backwards) : backwards_(backwards) {
  const std::span<const std::uint32_t> origins = travel.origins();
  std::vector<Flight> fresh;
  const auto add = [](std::vector<Flight>& to, std::uint64_t from, std::uint64_t column) {
    to.push_back({.column = column, .early = static_cast<double>(from), .late = static_cast<double>(column)});
  };
  for (std::uint64_t column = sight.begin; column < sight.end; ++column) {
    if (column < origins.size())
      origins[column] == no_id ? add(fresh, column, column) : add(flights_, origins[column], column);
    const auto to = travel.went_to(column);
    if (to && (*to < sight.begin || *to >= sight.end)) add(flights_, column, *to);
  }
  for (const auto column : {&Flight::late, &Flight::early}) close_up(flights_, column, sight);

  if (backwards)
    for (Flight& flight : flights_) std::swap(flight.early, flight.late);
  std::ranges::sort(flights_, {}, &Flight::early);
  // Those before i and those from i on keep apart if none of these is ever where one of those is
  std::vector<double> least(flights_.size() + 1, std::numeric_limits<double>::infinity());
  for (std::size_t i = flights_.size(); i-- > 0;)
    least[i] = std::min({flights_[i].early, flights_[i].late, least[i + 1]});
  for (std::size_t i = 0, begin = 0; i < flights_.size(); begin = i) {
    double most = least[i];
    do most = std::max({most, flights_[i].early, flights_[i].late});
    while (least[++i] <= most);
    plan(std::span(flights_).subspan(begin, i - begin));
  }
  std::erase_if(flights_, [](const Flight& flight) { return flight.legs.empty(); });
  std::ranges::stable_partition(flights_, std::not_fn(&Flight::is_lifted));

  for (Flight& flight : fresh) {
    flight.is_new = true;
    if (std::ranges::any_of(flights_, [&](const Flight& other) {
          const auto [left, right] = std::minmax(other.early, other.late);
          return left < flight.late + 1 && right > flight.late - 1;
        }))
      flights_.push_back(flight);
  }
}

const Flight* Flights::to(std::uint64_t column) const {
  const auto found = std::ranges::find(flights_, column, &Flight::column);
  return found == flights_.end() ? nullptr : &*found;
}

FlightMoment Flights::at(const Flight& flight, double time) const {
  if (flight.is_new) return {flight.late, time > new_from ? 0.0 : 1.0};
  const double t = backwards_ ? 1 - time : time;
  if (t >= 1) return {flight.late, 0};
  FlightMoment now{flight.early, 0};
  for (const Flight::Leg& leg : flight.legs) {
    const double flown = tokens::eased((t - leg.start) / leg.length);
    now.column += leg.by * std::clamp(leg.passes * flown - leg.passed, 0.0, 1.0);
  }
  const double in_air = (t - flight.start) / flight.length;
  if (flight.is_lifted) now.lifted = tokens::eased(in_air / lifting) * tokens::eased((1 - in_air) / lifting);
  return now;
}

}  // namespace kdscope
