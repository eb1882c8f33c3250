// Tests that prints are sorted by the marks between them, however they arrive, and that the last ones are kept.
#include "algorithms/variants/printed_steps.hpp"

#include "algorithms/variants/child_program.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::variants::printed_steps_test {

namespace {

using Steps = std::vector<PrintedStep>;

}  // namespace

TEST_CASE("prints: marks between them sort them by steps, in whatever pieces they arrive") {
  const std::string all = "before\n" + mark_of_step("7.1", 0) + mark_of_step("7.1", 1) + "one\ntwo" +
                          mark_of_step("7.1", 2) + mark_of_step("7.2", 3) + "three\n" + mark_of_step("7.1", 4);
  // The mark of another program is text
  const std::string other = mark_of_step("7.2", 3);
  const Steps expected{{0, "before\n"}, {1, "one\ntwo"}, {2, other + "three\n"}};
  for (std::size_t size = 1; size <= all.size(); ++size) {
    PrintReader reader("7.1", 1000);
    std::string text;
    for (std::size_t at = 0; at < all.size(); at += size) text += reader.take(std::string_view(all).substr(at, size));
    CHECK(text == "before\none\ntwo" + other + "three\n");
    CHECK(reader.prints().steps == expected);
    CHECK(reader.prints().left_out == 0);
  }
}

TEST_CASE("prints: what only begins like a mark is text") {
  const std::string mark = mark_of_step("7.1", 5);
  for (std::size_t length = 1; length < mark.size(); ++length) {
    PrintReader reader("7.1", 1000);
    reader.take("a" + mark.substr(0, length));
    CHECK(reader.prints().steps == Steps{{0, "a" + mark.substr(0, length)}});
    const std::string rest = reader.take("! and more than any number has\n" + mark + "b");
    CHECK(rest.ends_with("b"));
    CHECK(reader.prints().steps ==
          Steps{{0, "a" + mark.substr(0, length) + "! and more than any number has\n"}, {5, "b"}});
  }
}

TEST_CASE("prints: the last lines are kept, with the steps that printed them") {
  Prints prints{{{0, "aaaa\nbbbb\n"}, {3, "cccc\n"}, {4, "dddd"}}, 0};
  keep_last(prints, 12);
  CHECK(prints.steps == Steps{{3, "cccc\n"}, {4, "dddd"}});
  CHECK(prints.left_out == 10);
  keep_last(prints, 3);
  CHECK(prints.steps == Steps{{4, "ddd"}});  // no whole line fits
  CHECK(prints.left_out == 16);

  // Many steps that print nothing leave room for those that do
  PrintReader reader("7.1", 100);
  reader.take("first\n");
  for (std::uint32_t step = 0; step < 100'000; ++step) reader.take(mark_of_step("7.1", step));
  reader.take("last\n");
  CHECK(reader.prints().steps == Steps{{0, "first\n"}, {99'999, "last\n"}});
  for (int line = 0; line < 1000; ++line) reader.take("line\n");
  CHECK(reader.prints().steps.size() == 1);
  CHECK(reader.prints().left_out > 0);
  CHECK(reader.prints().left_out + reader.prints().steps[0].text.size() == 6 + 5 + 5000);
}

TEST_CASE("prints: a program's marks are taken out of its output") {
  const auto end = run_program({"/bin/sh", "-c",
                                "mark() { printf '\\036kdscope step of %s: %d\\036' $KDSCOPE_PROGRAM $1; }; "
                                "mark 0; echo a; mark 1; mark 2; echo b >&2; echo c"},
                               "", {}, [](const std::string&) {})
                       .value();
  CHECK(end.output == "a\nb\nc\n");
  CHECK(end.prints.steps == Steps{{0, "a\n"}, {2, "b\nc\n"}});
}

}  // namespace kdscope::variants::printed_steps_test
