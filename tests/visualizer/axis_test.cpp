#include "visualizer/style/axis.hpp"

#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("ticks are round, and their texts differ") {
  CHECK(tick_values(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  CHECK(tick_texts({0, 0.5, 1}) == std::vector<std::string>{"0.0", "0.5", "1.0"});
  CHECK(tick_texts({-0.5, 0, 0.5}) == std::vector<std::string>{"\u22120.5", "0.0", "0.5"});
  CHECK(tick_texts({12345677, 12345678}) == std::vector<std::string>{"12345677", "12345678"});
  CHECK(tick_texts({1e7, 2e7}) == std::vector<std::string>{"1e+07", "2e+07"});
  CHECK(tick_values(1, 1, 5).empty());
  // Three where three are wanted, also where no three of these steps fit.
  CHECK(tick_values(5, 94, 3) == std::vector<double>{30, 60, 90});
  CHECK(tick_values(6.8, 71.2, 3) == std::vector<double>{20, 40, 60});
  CHECK(tick_values(0.5, 3.7, 3) == std::vector<double>{1, 2, 3});
  for (double low = 0; low < 10; low += 0.37)
    for (double high = low + 0.1; high < 100; high *= 1.3) CHECK(tick_values(low, high, 3).size() >= 3);
}

TEST_CASE("a plot's marks and texts grow with it, but more slowly") {
  CHECK(plot_growth(0) == 1);
  CHECK(plot_growth(480) == 1);
  CHECK(plot_growth(960) > 1.4);
  CHECK(plot_growth(960) < 2);
  CHECK(plot_growth(1e6) == 2);
}

TEST_CASE("an axis covers its values and puts ticks within its ends") {
  const PlotAxis decades = PlotAxis::over(0.3, 400, true);
  CHECK(decades.low == 0.1);
  CHECK(decades.high == 1000);
  CHECK(decades.ticks().size() == 5);
  CHECK(PlotAxis::over(20, 40, true).ticks() == std::vector<double>{10, 20, 50, 100});
  const PlotAxis linear = PlotAxis::over(3, 47, false);
  CHECK(linear.low == 0);
  CHECK(linear.high == 50);
  CHECK(linear.ticks() == std::vector<double>{0, 10, 20, 30, 40, 50});
  const PlotAxis whole = PlotAxis::over(1, 4, false, true);
  CHECK(whole.ticks() == std::vector<double>{1, 2, 3, 4});
  PlotAxis pixels = linear;
  pixels.begin = 100, pixels.end = 0;
  CHECK(pixels(25) == 50);
}
