// Tests that a trace keeps what a variant printed beside its steps, and that comparisons pass it over.
#include "algorithms/trace/printed_text.hpp"

#include "algorithms/trace/divergence.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trace/trace_validity.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/visualizer/wald_ten_points.hpp"

using namespace kdscope;

TEST_CASE("printed text stands at the steps that printed it, in the trace and in its file") {
  const auto plain = ten_point_trace();
  CHECK_FALSE(has_printed_text(*plain));
  CHECK(printed_text(*plain, 1).empty());
  auto trace = std::make_shared<Trace>(*plain);
  add_printed_text(*trace, {});
  CHECK_FALSE(has_printed_text(*trace));
  // The run ended in a step behind the last one
  add_printed_text(*trace, {{1, "one\n"}, {2, "two"}, {4, "f\303\274nf\n"}, {6, "six\n"}, {7, "seven\n"}});
  REQUIRE(check_trace(*trace));
  const std::vector<std::string> expected{"", "one\n", "two", "", "f\303\274nf\n", "", "six\nseven\n"};
  const auto check = [&](const Trace& kept) {
    CHECK(has_printed_text(kept));
    for (std::uint32_t step = 0; step < expected.size(); ++step) CHECK(printed_text(kept, step) == expected[step]);
  };
  check(*trace);
  CHECK(find_divergence(plain, trace).equal());
  CHECK(find_divergence(trace, plain).equal());
  CHECK(find_divergence(plain, trace, {printed_array}).only_in_b.size() == 1);  // unless it is asked for
  if (!trace_files_available()) return;
  const test::TemporaryFolder folder;
  REQUIRE(save_trace(*trace, folder.file("printed.kdtrace")));
  const auto read = load_trace(folder.file("printed.kdtrace")).value();
  check(*read);
}

TEST_CASE("an array of that name and another kind is no printed text") {
  auto trace = std::make_shared<Trace>(*ten_point_trace());
  trace->arrays.push_back({{.name = printed_array}, {}});
  trace->index_arrays();
  CHECK_FALSE(has_printed_text(*trace));
  CHECK(printed_text(*trace, 0).empty());
  add_printed_text(*trace, {{0, "text"}});
  CHECK_FALSE(has_printed_text(*trace));
}
