// Tests the sorts separately, on the CPU back end.
#include <cmath>

#include "algorithms/exec/cpu_exec.hpp"
#include "tests/builders/wehr_sort_cases.hpp"

using namespace kdscope;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
const std::vector<std::uint32_t> sizes{1, 33, 257};
#else
const std::vector<std::uint32_t> sizes{1, 2, 4, 5, 31, 32, 33, 64, 100, 127, 128, 255, 257, 1000, 1024, 1025};
#endif

TEST_CASE("wehr: the segmented radix sort alone equals std::stable_sort per chunk, on the CPU") {
  test::check_parallel_sort<CpuExec>(sizes, {4, 8, 32, 64, 256}, {2, 3, 10, 32, 256});
  test::check_parallel_sort<CpuExec>({10000}, {32, 1024}, {32});
}
TEST_CASE("wehr: the sorts with one thread per chunk equal std::stable_sort per chunk, on the CPU") {
  test::check_sorts_by_chunk<CpuExec>(sizes, {2, 10, 32, 256});
}

TEST_CASE("wehr: digits and passes, to the largest key") {
  for (std::uint32_t base = 2; base <= 256; ++base)
    for (std::uint32_t key : {0u, 1u, base - 1, base, base * base - 1, 12345678u, 0xfffffffeu, 0xffffffffu}) {
      const int passes = wehr::passes_for(key, base);
      std::uint64_t value = 0, magnitude = 1;
      for (int pass = 0; pass < passes; ++pass, magnitude *= base)
        value += magnitude * wehr::Digit::of_pass(base, pass).of(key);
      CHECK(value == key);
      CHECK((passes == 0 || magnitude / base <= key));  // not one pass too many
    }
}

TEST_CASE("wehr: the strategy follows Algorithm 2") {
  wehr::WehrOptions options{32, 64, 64};
  const auto strategy = [&](std::uint32_t n, int level) {
    return std::string(name_of(wehr::strategy_of(options, n, level)));
  };
  CHECK(strategy(64, 0) == "parallel radix sort");
  CHECK(strategy(127, 1) == "sequential radix sort");  // 63.5 wide
  CHECK(strategy(128, 1) == "parallel radix sort");
  CHECK(strategy(128, 3) == "sequential radix sort");  // 16 wide
  CHECK(strategy(127, 3) == "insertion sort");         // 15.875 wide
  CHECK(strategy(1, 0) == "insertion sort");
  options.sort = wehr::SortChoice::adaptive_radix;
  CHECK(strategy(127, 3) == "sequential radix sort");
  CHECK(strategy(128, 1) == "parallel radix sort");
  options.sort = wehr::SortChoice::adaptive_insertion;
  CHECK(strategy(127, 1) == "insertion sort");
  CHECK(strategy(128, 1) == "parallel radix sort");
  options.sort = wehr::SortChoice::naive_radix;
  CHECK(strategy(100000, 0) == "sequential radix sort");
  options.sort = wehr::SortChoice::naive_insertion;
  CHECK(strategy(100000, 0) == "insertion sort");
  options.sort = wehr::SortChoice::sequential;
  CHECK(strategy(100000, 0) == "sequential sort");
  // With narrow blocks, the parallel sort is used below a width of 16.
  options = {32, 4, 4};
  CHECK(strategy(16, 2) == "parallel radix sort");
  CHECK(strategy(16, 3) == "insertion sort");
}

TEST_CASE("wehr: quantizing keeps order, fills 0 to F, and gives flat dimensions the key 0") {
  using namespace kdscope::wehr;
  const PointSet points = points_from_rows<float>(3, {-1.f, 2.f, 7.f, 3.f, 4.f, 7.f, 0.f, 3.f, 7.f, -0.5f, 2.f, 7.f});
  KeyBox box = empty_key_box();
  for (std::uint32_t i = 0; i < 4; ++i) box = Enclose{}(box, BoxOfPoint{view_of(points)}(i));
  const auto keys = [&](std::uint32_t f, Scale scale) {
    const Quantizer quantizer = quantizer_of(box, 3, ScalarType::float32, f, scale);
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < 4; ++i)
      for (std::uint32_t d = 0; d < 3; ++d) all.push_back(quantizer.key(points.word(i, d), d));
    return all;
  };
  CHECK(keys(100, Scale::common) == std::vector<std::uint32_t>{0, 0, 0, 100, 50, 0, 25, 25, 0, 12, 0, 0});
  CHECK(keys(100, Scale::each) == std::vector<std::uint32_t>{0, 0, 0, 100, 100, 0, 25, 50, 0, 12, 0, 0});
  CHECK(keys(0xffffffffu, Scale::each)[3] == 0xffffffffu);
  CHECK(keys(1, Scale::each) == std::vector<std::uint32_t>{0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("wehr: exact keys order all words of a type, from 0 on") {
  using namespace kdscope::wehr;
  const std::vector<float> floats{-INFINITY,       -3.4028235e38f, -1.f, -1.17549435e-38f, -1e-45f, -0.0f, 0.0f, 1e-45f,
                                  1.17549435e-38f, 0.99999994f,    1.f,  3.4028235e38f,    INFINITY};
  const std::vector<std::int32_t> ints{INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX};
  const auto keys = [](const PointSet& points) {
    KeyBox box = empty_key_box();
    for (std::uint32_t i = 0; i < points.size(); ++i) box = Enclose{}(box, BoxOfPoint{view_of(points)}(i));
    const auto exact = std::get<ExactKeys>(keys_of(box, 1, points.type, WehrOptions{}));
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < points.size(); ++i) all.push_back(exact.key(points.word(i, 0), 0));
    return all;
  };
  const auto of_floats = keys(points_from_rows<float>(1, floats)),
             of_ints = keys(points_from_rows<std::int32_t>(1, ints));
  for (std::size_t i = 1; i < floats.size(); ++i)
    CHECK((of_floats[i - 1] < of_floats[i]) == (floats[i - 1] < floats[i]));
  CHECK(of_floats[5] == of_floats[6]);  // -0.0 and 0.0
  CHECK(of_floats[0] == 0);
  CHECK(of_ints == std::vector<std::uint32_t>{0, 1, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu});
  CHECK(keys(points_from_rows<float>(1, {7.f, 7.f})) == std::vector<std::uint32_t>{0, 0});
  const WehrOptions quantized{32, 32, 32, 100, Scale::each, SortChoice::adaptive, KeyChoice::quantized};
  CHECK(std::holds_alternative<Quantizer>(keys_of(empty_key_box(), 1, ScalarType::float32, quantized)));
}
