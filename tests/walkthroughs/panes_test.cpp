// Tests the table of panes: its ids are unique and those of lessons stay valid, and an unknown id is refused in words.

#include "walkthroughs/reader/panes.hpp"

#include <set>
#include <stdexcept>

#include "tests/support/catch.hpp"
#include "walkthroughs/reader/lesson.hpp"

using namespace kdscope;

TEST_CASE("every pane has an id, a title and a sentence of its own") {
  std::set<std::string> ids, titles, sentences;
  for (const Pane& pane : all_panes()) {
    INFO(pane.id);
    CHECK(ids.insert(pane.id).second);
    CHECK(titles.insert(pane.title).second);
    CHECK(sentences.insert(pane.shows).second);
    CHECK(&pane_named(pane.id) == &pane);
  }
}

TEST_CASE("the panes that lessons name stay valid, in the order of their keys") {
  CHECK(lesson_panes() == std::vector<std::string>{"view", "tree", "arrays", "narration", "source", "histogram",
                                                   "candidates", "coordinates", "search", "inside"});
  CHECK(std::string(pane_named("view").title) == "View");
  CHECK(std::string(pane_named("candidates").title) == "Split candidates");
  CHECK(std::string(pane_named("coordinates").title) == "Parallel coordinates");
}

TEST_CASE("an unknown pane is refused with the place of the table") {
  try {
    pane_named("views");
    FAIL("accepted");
  } catch (const std::out_of_range& refused) {
    CHECK(std::string(refused.what()) == "no pane is called 'views': give it a row in walkthroughs/reader/panes.cpp");
  }
}

TEST_CASE("a stop without panes has the usual ones") {
  const std::vector<std::string> usual{"view", "tree", "narration", "arrays"};
  CHECK(panes_of(nullptr) == usual);
  Stop stop;
  CHECK(panes_of(&stop) == usual);
  stop.panes = {"source", "tree"};
  CHECK(panes_of(&stop) == stop.panes);
}
