#include "walkthroughs/reader/in_short.hpp"

#include <regex>

#include "tests/support/catch.hpp"
#include "tests/walkthroughs/shipped_lessons.hpp"

namespace kdscope {
namespace {

using Versions = std::vector<std::string>;

TEST_CASE("in short: a class reads two sentences and the tables") {
  CHECK(in_short("One. Two! Three?").front() == "One. Two!");
  CHECK(in_short("One sentence only").front() == "One sentence only");
  CHECK(in_short("First *one.* Then `a.b c. d` counts.\n\nThird.").front() == "First *one.* Then `a.b c. d` counts.");
  CHECK(in_short("First.\n\nSecond, i.e. the last. Third.").front() == "First.\n\nSecond, i.e. the last.");
  CHECK(in_short("The rank is 2.5 here. Second. Third.").front() == "The rank is 2.5 here. Second.");
  CHECK(in_short("One. Two. Three.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nFour.").front() ==
        "One. Two.\n\n| a | b |\n|---|---|\n| 1 | 2 |");
  CHECK(in_short("Prose.\n\n```\ncode. More. Code.\n\nStill code.\n```\n\nLast one. No.").front() ==
        "Prose.\n\nLast one.");
}

TEST_CASE("in short: headings in bold stand before their sentence, and take no sentence's place") {
  CHECK(in_short("One.\n\n**Why so?** Because. Three.").front() == "One.\n\n**Why so?** Because.");
  CHECK(in_short("**The slip:** it is left. Two. Three.").front() == "**The slip:** it is left. Two.");
  CHECK(in_short("One.\n\n**What about speed?**\n\n- 3 ms").front() == "One.");
  CHECK(in_short("**Two ballots** decide. Two.").front() == "**Two ballots** decide. Two.");
  CHECK(in_short("**").front() == "**");
}

TEST_CASE("in short: full stops of shortened words and within brackets end no sentence") {
  CHECK(in_short("As in Fig. 2 here. Two. Three.").front() == "As in Fig. 2 here. Two.");
  CHECK(in_short("(One stands in Sec. 3. Two does not.) Three. Four.").front() ==
        "(One stands in Sec. 3. Two does not.) Three.");
  CHECK(in_short("One (a. B c). Two. Three.").front() == "One (a. B c). Two.");
}

TEST_CASE("in short: where there is less room, sentences go first, then the tables, of which questions ask") {
  CHECK(in_short("One. Two. Three.\n\n| a |\n|---|\n| 1 |") == Versions{"One. Two.\n\n| a |\n|---|\n| 1 |",
                                                                        "One.\n\n| a |\n|---|\n| 1 |",
                                                                        "| a |\n|---|\n| 1 |", "One. Two.", "One."});
  CHECK(in_short("One. Two. Three.") == Versions{"One. Two.", "One."});
  CHECK(in_short("One.") == Versions{"One."});
  CHECK(in_short("- a list\n\n| a |\n|---|\n| 1 |") == Versions{"| a |\n|---|\n| 1 |"});
  CHECK(in_short("- a list\n- alone") == Versions{"- a list\n- alone"});  // nothing else to read
  CHECK(in_short("") == Versions{""});
  CHECK(in_short("One leads to:\n\n| a |\n|---|\n| 1 |") ==
        Versions{"One leads to:\n\n| a |\n|---|\n| 1 |", "One leads to."});
  // What figures are of stands with them
  CHECK(in_short("One. Two. Three. Of these:\n\n| a |\n|---|\n| 1 |") ==
        Versions{"One. Two. Of these:\n\n| a |\n|---|\n| 1 |", "One. Of these:\n\n| a |\n|---|\n| 1 |",
                 "Of these:\n\n| a |\n|---|\n| 1 |", "One. Two.", "One."});
  CHECK(in_short("One. Two.\n\n**How long?** Not short. Of ten:\n\n| a |\n|---|\n| 1 |")[2] ==
        "**How long?** Of ten:\n\n| a |\n|---|\n| 1 |");
  CHECK(in_short("One leads to:\n\n- a list\n\nTwo.").front() == "One leads to.\n\nTwo.");
}

TEST_CASE("in short: what speaks of a control goes with it") {
  CHECK(without_controls("One. Press F5 now. Its bars grow. They end. Two. It is second.") ==
        "One. Two. It is second.");
}

TEST_CASE("in short: the sentence that defines a term stays") {
  CHECK(in_short("One. Two. The rest waits on the **stack**. Four.") ==
        Versions{"One. The rest waits on the **stack**.", "The rest waits on the **stack**."});
  CHECK(in_short("One. The **reach** is its distance. Three.") ==
        Versions{"One. The **reach** is its distance.", "The **reach** is its distance."});
  CHECK(in_short("One. Two. It is the **reach**.") == Versions{"One. Two.", "One."});  // what is?
  CHECK(in_short("One. Two.\n\nThe **stack** keeps it.").front() == "One.\n\nThe **stack** keeps it.");
}

TEST_CASE("in short: a class is not sent to controls that it does not see") {
  CHECK(in_short("One. Open View > Panes > Watches, and add it. Two. Three.").front() == "One. Two.");
  CHECK(in_short("Choose one unit of length in the Parallel\npane. One.").front() == "One.");
  CHECK(in_short("**Break it.** Write `<=`, then press Ctrl+R.\n\nOne.").front() == "One.");
  CHECK(without_controls("One. Press **Q** for a query. Two.\n\nClick on a leaf.\n\n- a list") ==
        "One. Two.\n\n- a list");
  CHECK(without_controls("A\n\n```\nthe menu. here\n```") == "A\n\n```\nthe menu. here\n```");
  CHECK(without_controls("") == "");
}

/// Whether a text names what only the window has: its panes by name, menus and keys.
bool names_window(const std::string& text) {
  static const std::regex controls(
      R"((\bpanes?\b|\bmenus?\b|View >|Ctrl\+|Shift\+|\b[Pp]ress(es)? \*|\b[Cc]lick (on|a|the)\b|\bbutton))");
  return std::regex_search(text, controls);
}

TEST_CASE("no text that a class reads names a control of the window, and every stop leaves it something to read") {
  const LessonCatalogue catalogue = read_lessons(shipped_lessons);
  CHECK(catalogue.lessons.size() > 30);
  const auto has_bare_table = [](const std::string& text) {
    const std::size_t table = text.starts_with('|') ? 0 : text.find("\n\n|");
    return table != std::string::npos && (table == 0 || text[table - 1] != ':');
  };
  for (const Lesson& lesson : catalogue.lessons) {
    INFO(lesson.id);
    CHECK_FALSE(names_window(without_controls(lesson.introduction)));
    for (const std::string& version : in_short(lesson.introduction)) CHECK_FALSE(has_bare_table(version));
    for (const Stop& stop : lesson.stops) {
      INFO(stop.title);
      for (const std::string& version : in_short(stop.narration)) {
        CAPTURE(version);
        CHECK_FALSE(version.empty());
        CHECK_FALSE(names_window(version));
        CHECK_FALSE(has_bare_table(version));
      }
      for (const Question& question : stop.questions) {
        CAPTURE(question.text);
        CHECK_FALSE(names_window(question.text));
        if (question.expects)
          for (const std::string& text : question.expects->texts) CHECK_FALSE(names_window(text));
      }
    }
  }
}

}  // namespace
}  // namespace kdscope
