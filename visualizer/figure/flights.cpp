#include "visualizer/figure/flights.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <ranges>
#include <utility>

#include "visualizer/style/motion_tokens.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_lanes = 3, most_waves = 3;  // in which digits are large enough to be read, and time suffices
// Shares of the motion's time: to lift or to land all elements, and to change lanes between two waves.
constexpr double lifting = 0.15, changing = 0.06;
constexpr double latest_start = 0.25;  // of the time of a wave

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

/// Ranks flights that pass each other, sorted by their early columns.
void rank(std::span<Flight> flights) {
  std::size_t ranks = 1;
  for (std::size_t b = 0; b < flights.size(); ++b)
    for (std::size_t a = 0; a < b; ++a)
      if (flights[a].late > flights[b].late) {
        flights[b].rank = std::max(flights[b].rank, flights[a].rank + 1);
        ranks = std::max(ranks, flights[b].rank + 1);
      }
  const bool in_waves = ranks > most_lanes && ranks - most_lanes < most_waves;
  for (Flight& flight : flights) {
    flight.lanes = in_waves ? most_lanes : ranks;
    flight.waves = ranks - flight.lanes + 1;
  }
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
    rank(std::span(flights_).subspan(begin, i - begin));
  }
  std::erase_if(flights_, [](const Flight& flight) { return flight.lanes == 1 && flight.early == flight.late; });
  for (Flight& flight : flights_) {
    const double middle = ((flight.early + flight.late) / 2 - static_cast<double>(sight.begin)) /
                          static_cast<double>(sight.end - sight.begin);
    flight.delay = std::clamp(flight.late > flight.early ? 1 - middle : middle, 0.0, 1.0);
  }
  std::ranges::sort(flights_, std::greater(), &Flight::rank);

  for (Flight& flight : fresh) {
    flight.lanes = 0;
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
  if (flight.lanes == 0) return {flight.late, time > 1 - lifting ? 0.0 : 1.0, 0};
  const double t = backwards_ ? 1 - time : time;
  const double waves = static_cast<double>(flight.waves), rank = static_cast<double>(flight.rank),
               lowest = static_cast<double>(flight.lanes - 1);
  const double wave_time = (1 - 2 * lifting - (waves - 1) * changing) / waves;
  const auto start_of = [&](double wave) { return lifting + wave * (wave_time + changing); };

  // In each wave, those in the lanes between the highest and the lowest fly, first the highest too, last the lowest
  // too. Those that have landed wait in the highest lane, those that have not yet left in the lowest one.
  const double start = start_of(std::clamp(rank - 1, 0.0, waves - 1)) + latest_start * flight.delay * wave_time;
  const double flown = tokens::eased((t - start) / ((1 - latest_start) * wave_time));
  double climbed = 0;
  for (double wave = 1; wave < waves; ++wave) climbed += tokens::eased((t - start_of(wave) + changing) / changing);
  return {flight.early + (flight.late - flight.early) * flown,
          tokens::eased(t / lifting) * tokens::eased((1 - t) / lifting), std::clamp(rank - climbed, 0.0, lowest)};
}

}  // namespace kdscope
