// Samples, their statistics, and how those of several works are taken.

#include "algorithms/core/samples.hpp"

#include <string>

#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("samples: quantiles are interpolated, and a median lies in the middle") {
  CHECK(quantile({3, 1, 2}, 0.5) == 2);
  CHECK(quantile({1, 2, 3, 4}, 0.5) == 2.5);
  CHECK(quantile({1, 2, 3, 4, 5}, 0.25) == 2);
  CHECK(quantile({7}, 0.75) == 7);
  CHECK(median_ms({}) == 0);
  CHECK(median_ms({5, 1, 4}) == 4);
  CHECK(median_ms({5, 1, 4, 2}) == 3);
}

TEST_CASE("samples: statistics of values, and of a summary") {
  const Samples samples{{4, 2, 9, 5}};
  CHECK(samples.count() == 4);
  CHECK(samples.median() == 4.5);
  CHECK(samples.least() == 2);
  CHECK(samples.most() == 9);
  CHECK(samples.mean() == 5);
  CHECK(samples.deviation() * samples.deviation() == Approx((1 + 9 + 16 + 0) / 3.0));
  const Samples kept{{}, Samples::Summary{7, 3, 1, 8, 4, 2}};
  CHECK(kept.count() == 7);
  CHECK((kept.median() == 3 && kept.least() == 1 && kept.most() == 8 && kept.mean() == 4 && kept.noise() == 2));
  CHECK(Samples{}.empty());
}

TEST_CASE("samples: works are measured in turn, forwards and backwards, after a round that does not count") {
  std::string order;
  const auto once = [&](std::size_t work, bool counts) -> Result<double> {
    order += static_cast<char>((counts ? 'A' : 'a') + static_cast<char>(work));
    return static_cast<double>(order.size());
  };
  const auto samples = samples_in_turn(3, 2, once).value();
  CHECK(order == "abcCBAABC");
  CHECK(samples == std::vector<std::vector<double>>{{6, 7}, {5, 8}, {4, 9}});
  int calls = 0;
  const auto refused = samples_in_turn(2, 5, [&](std::size_t, bool) -> Result<double> {
    if (++calls == 3) return Error{ErrorKind::cancelled, "stopped", "", ""};
    return 1.0;
  });
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what == "stopped");
  CHECK(calls == 3);
}
