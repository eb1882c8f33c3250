// Tests that elements fly from their old columns to their new ones without a jump, that none covers another on the way,
// and that a step back is the same film backwards.

#include "visualizer/figure/flights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

constexpr int moments = 100;

std::vector<std::uint32_t> ascending(std::uint32_t n) {
  std::vector<std::uint32_t> ids(n);
  std::iota(ids.begin(), ids.end(), 0u);
  return ids;
}

/// Checks the flights at every moment.
void check_flights(const Flights& flights) {
  for (const Flight& flight : flights.all()) {
    CHECK(flights.at(flight, 0).column == flight.early);
    CHECK(flights.at(flight, 1).column == flight.late);
    for (int i = 0; i <= moments; ++i) {
      const double time = static_cast<double>(i) / moments;
      const FlightMoment now = flights.at(flight, time), next = flights.at(flight, time + 1.0 / moments);
      // On its way: without a jump, and never back
      const double ahead = (next.column - now.column) * (flight.late < flight.early ? -1 : 1);
      CHECK(ahead >= 0);
      CHECK(ahead <= 0.2 * std::abs(flight.late - flight.early));
      CHECK(std::abs(next.lane - now.lane) <= 0.3);
      CHECK(std::abs(next.lifted - now.lifted) <= 0.2);
      CHECK((now.column == flight.early || now.column == flight.late || now.lifted == 1));
      for (const Flight& other : flights.all()) {
        if (&other == &flight) break;
        const FlightMoment beside = flights.at(other, time);
        const double apart = std::abs(beside.column - now.column),
                     above = std::abs(beside.lane - now.lane) * std::min(beside.lifted, now.lifted);
        CHECK((apart >= 1 - 1e-9 || above >= 1 - 1e-9));
      }
    }
  }
}

}  // namespace

TEST_CASE("elements fly without a jump, and none covers another") {
  std::mt19937 random(3);
  for (const std::uint32_t n : {2u, 5u, 7u, 10u, 24u})
    for (int times = 0; times < 3; ++times) {
      const auto before = ascending(n);
      auto after = before;
      std::shuffle(after.begin(), after.end(), random);
      INFO(Catch::StringMaker<std::vector<std::uint32_t>>::convert(after));
      const Travel travel(before, after, n);
      check_flights(Flights(travel, {0, n}, false));
      check_flights(Flights(travel, {n / 4, n - n / 4}, false));  // others come from the edges and leave to them
    }
}

TEST_CASE("elements that one side sends to the other need two lanes, and a reversal as many as there are") {
  std::vector<std::uint32_t> parted = ascending(32), reversed = parted;
  std::ranges::stable_partition(parted, [](std::uint32_t id) { return id % 3 == 0; });
  std::ranges::reverse(reversed);
  const Flights two(Travel(ascending(32), parted, 32), {0, 32}, false);
  REQUIRE_FALSE(two.all().empty());
  for (const Flight& flight : two.all()) {
    CHECK(flight.lanes == 2);
    CHECK(flight.waves == 1);
    if (flight.early != flight.late) CHECK((flight.rank == 0) == (flight.late > flight.early));  // rightwards above
  }
  const Flights all(Travel(ascending(32), reversed, 32), {0, 32}, false);
  for (const Flight& flight : all.all()) CHECK(flight.lanes == 32);
  // Four or five that pass each other keep to three lanes, in waves.
  for (const std::uint32_t n : {4u, 5u}) {
    const std::span<const std::uint32_t> order(reversed.data() + 32 - n, n);
    const Flights waves(Travel(ascending(n), order, n), {0, n}, false);
    for (const Flight& flight : waves.all()) {
      CHECK(flight.lanes == 3);
      CHECK(flight.waves == n - 2);
    }
  }
  // Those that make no room for others stand still.
  const std::vector<std::uint32_t> swapped{1, 0, 2, 3};
  CHECK(Flights(Travel(ascending(4), swapped, 4), {0, 4}, false).all().size() == 2);
}

TEST_CASE("a step back is the same film backwards") {
  const std::vector<std::uint32_t> after{6, 0, 3, 5, 1, 2, 4, 9, 7, 8};
  const Flights on(Travel(ascending(10), after, 10), {0, 10}, false),
      back(Travel(after, ascending(10), 10), {0, 10}, true);
  for (std::uint32_t column = 0; column < 10; ++column) {
    const Flight *there = on.to(column), *home = back.to(after[column]);
    REQUIRE((there && home));
    for (const double time : {0.0, 0.1, 0.4, 0.5, 0.8, 1.0}) {
      const FlightMoment a = on.at(*there, time), b = back.at(*home, 1 - time);
      CHECK(std::abs(a.column - b.column) < 1e-9);
      CHECK(a.lane == b.lane);
      CHECK(std::abs(a.lifted - b.lifted) < 1e-9);
    }
  }
}

TEST_CASE("a new element appears once those that fly over its column have landed") {
  const std::vector<std::uint32_t> before{0, 1, 2, 3}, after{2, 4, 0, 3};
  const Flights flights(Travel(before, after, 5), {0, 4}, false);
  const Flight* fresh = flights.to(1);
  REQUIRE(fresh);
  CHECK(fresh->lanes == 0);
  CHECK(flights.at(*fresh, 0.8).lifted == 1);
  CHECK(flights.at(*fresh, 1).lifted == 0);
  CHECK(flights.to(3) == nullptr);
}
