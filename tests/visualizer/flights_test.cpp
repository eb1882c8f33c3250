// Tests that elements move from their old columns to their new ones without a jump, that few are lifted and pass above
// the others one after the other, and that a step back is the same film backwards.

#include "visualizer/figure/flights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

constexpr int moments = 400;

std::vector<std::uint32_t> ascending(std::uint32_t n) {
  std::vector<std::uint32_t> ids(n);
  std::iota(ids.begin(), ids.end(), 0u);
  return ids;
}

std::size_t lifted_of(const Flights& flights) {
  return static_cast<std::size_t>(std::ranges::count_if(flights.all(), &Flight::is_lifted));
}

/// Checks the flights at every moment.
void check_flights(const Flights& flights) {
  for (const Flight& flight : flights.all()) {
    CHECK(flights.at(flight, 0).column == flight.early);
    CHECK(flights.at(flight, 1).column == flight.late);
    CHECK(std::abs(flights.at(flight, 1 - 1e-12).column - flight.late) < 1e-6);
  }
  for (int i = 0; i <= moments; ++i) {
    const double time = static_cast<double>(i) / moments;
    std::size_t in_air = 0, covered = 0;
    for (const Flight& flight : flights.all()) {
      const FlightMoment now = flights.at(flight, time), next = flights.at(flight, time + 1.0 / moments);
      CHECK(std::abs(next.column - now.column) <= 0.15 * static_cast<double>(flights.all().size()));
      CHECK(std::abs(next.lifted - now.lifted) <= 0.3);
      CHECK((now.lifted == 0 || flight.is_lifted));
      in_air += now.lifted > 0;
      for (const Flight& other : flights.all()) {
        if (&other == &flight) break;
        const FlightMoment beside = flights.at(other, time);
        if (std::abs(beside.column - now.column) >= 1 - 1e-9) continue;
        ++covered;
        CHECK((beside.lifted > 0 || now.lifted > 0));  // only what is lifted passes others
      }
    }
    CHECK(in_air <= 1);
    CHECK(covered <= 2);  // what is in the air is between two columns, one of which may make room just now
  }
}

}  // namespace

TEST_CASE("elements move without a jump, and only what is lifted passes others") {
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

TEST_CASE("as many elements as possible keep their order, and those that make no room stand still") {
  const auto lifted = [](const std::vector<std::uint32_t>& order) {
    const auto n = static_cast<std::uint32_t>(order.size());
    return lifted_of(Flights(Travel(ascending(n), order, n), {0, n}, false));
  };
  CHECK(lifted({6, 0, 3, 5, 1, 2, 4, 9, 7, 8}) == 4);  // 0 1 2 4 and 7 8 keep theirs
  CHECK(lifted({1, 2, 3, 4, 0}) == 1);
  CHECK(lifted({4, 3, 2, 1, 0}) == 4);
  const std::vector<std::uint32_t> swapped{1, 0, 2, 3};
  CHECK(Flights(Travel(ascending(4), swapped, 4), {0, 4}, false).all().size() == 2);
}

TEST_CASE("elements are put in from the left to the right, and each column makes room as they pass it") {
  const std::vector<std::uint32_t> order{4, 0, 1, 3, 2};
  const Flights flights(Travel(ascending(5), order, 5), {0, 5}, false);
  REQUIRE(lifted_of(flights) == 2);
  const Flight *first = flights.to(0), *second = nullptr;
  for (const std::uint64_t column : {3u, 4u})
    if (flights.to(column)->is_lifted) second = flights.to(column);
  REQUIRE((first->is_lifted && second));
  CHECK(first->start + first->length <= second->start);
  // The first one passes 3, 2, 1 and 0 in turn: each stands until then
  std::vector<double> starts;
  for (const std::uint64_t column : {3u, 4u, 2u, 1u}) {
    const Flight& flight = *flights.to(column);
    double time = 0;
    while (time < 1 && flights.at(flight, time).column == flight.early) time += 0.001;
    starts.push_back(time);
  }
  CHECK(std::ranges::is_sorted(starts));
  CHECK(starts.back() > starts.front() + 0.1);
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
      CHECK(std::abs(a.lifted - b.lifted) < 1e-9);
    }
  }
}

TEST_CASE("a new element appears once those that fly over its column have landed") {
  const std::vector<std::uint32_t> before{0, 1, 2, 3}, after{2, 4, 0, 3};
  const Flights flights(Travel(before, after, 5), {0, 4}, false);
  const Flight* fresh = flights.to(1);
  REQUIRE(fresh);
  CHECK(fresh->is_new);
  CHECK(flights.at(*fresh, 0.8).lifted == 1);
  CHECK(flights.at(*fresh, 1).lifted == 0);
  CHECK(flights.to(3) == nullptr);
}
