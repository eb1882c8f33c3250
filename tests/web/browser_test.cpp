// Pages in headless Chromium: what a reader sees, by keys and by answers, and the file that is handed in.

#include <fstream>
#include <set>

#include "tests/cli/command_runs.hpp"
#include "tests/support/share.hpp"
#include "tests/web/browser_run.hpp"
#include "tests/web/page_comparison.hpp"
#include "visualizer/web/html_text.hpp"
#include "walkthroughs/practice/results.hpp"

using namespace kdscope;
using namespace kdscope::test;
using namespace kdscope::tests;

namespace {

/// The lessons that a browser opens; all of them would take minutes. The last one is in three dimensions.
std::vector<Lesson> opened_lessons() {
  std::vector<Lesson> lessons;
  for (const char* id : {"wald/ten-points", "wehr/segmented-radix-sort", "hu/many-dimensions", "zhou/small-nodes",
                         "wald/nearest-with-a-stack", "wald/ten-points"})
    if (everything() || lessons.empty())
      lessons.push_back(*read_lesson(KDSCOPE_SOURCE_DIR "/walkthroughs/" + std::string(id) + ".md"));
  if (everything()) {
    lessons.back().id = "three-dimensions";
    lessons.back().data = "uniform:n=10,dim=3,seed=1";
  }
  return lessons;
}

}  // namespace

TEST_CASE("a browser shows every text, steps both ways by keys, and checks answers, narrow and wide",
          "[alone][share]") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  if (!has_browser()) KDSCOPE_SKIP("chromium is not installed (Debian: chromium)");
  for (Lesson lesson : opened_lessons()) {
    INFO(lesson.id);
    if (lesson.id == "wald/ten-points") {
      // One question of each form, whatever the lesson asks.
      const auto ask = [&](std::size_t stop, ExpectedAnswer expected, std::vector<HiddenPart> hides,
                           std::vector<std::string> rows = {}) {
        Question question;
        question.text = "What?";
        question.answer = "This.";
        question.hint = "Think.";
        question.expects = std::move(expected);
        question.hides = std::move(hides);
        question.hidden_rows = std::move(rows);
        lesson.stops[stop].questions.push_back(question);
      };
      ask(2, {.kind = AnswerKind::positions, .elements = {6}}, {HiddenPart::marks, HiddenPart::tree});
      ask(3, {.kind = AnswerKind::points, .elements = {1, 9}}, {HiddenPart::splits});
      ask(4, {.kind = AnswerKind::nodes, .elements = {1, 2}}, {HiddenPart::changes});
      ask(5, {.kind = AnswerKind::cell, .elements = {4}, .row = "tags"}, {}, {"tags"});
      ask(5, {.kind = AnswerKind::split, .number = 43, .within = 0.5, .dimension = 1}, {HiddenPart::splits});
      ask(6, {.kind = AnswerKind::number, .number = 0.5, .within = 0.01}, {HiddenPart::strips});
      ask(7, {.kind = AnswerKind::words, .texts = {"four", "4"}}, {HiddenPart::counts});
      ask(8, {.kind = AnswerKind::choice, .texts = {"less", "equal", "greater"}, .right = 1}, {HiddenPart::code});
    }
    const RecordedLesson r = recorded(lesson);
    const auto stops = resolve_stops(lesson, *r.trace);
    REQUIRE(stops);
    const Folder folder;
    const std::string at = folder.path.string();
    const std::vector<JsonValue> reports = reports_of(page_of(r), "probe.js", {{360, 740}, {1920, 1080}}, at);
    REQUIRE(reports.size() == 2);
    std::set<std::int64_t> widths;
    for (const JsonValue& report : reports) {
      widths.insert(report.at("width").integer(0, 10000));
      for (const char* list : {"errors", "loaded", "other_texts"})
        for (const JsonValue& fault : report.at(list).items()) FAIL_CHECK(list << ": " << fault.text());
      CHECK(report.at("texts").integer(0, 100'000'000) > 50);
      CHECK(report.at("turned").boolean());  // true without a picture in three dimensions, too
      CHECK(report.at("panes_chosen").boolean());
      if (lesson.id == "hu/many-dimensions") CHECK(report.find("continued"));
      if (lesson.id == "zhou/small-nodes") CHECK(report.at("sets_clicked").text() == "triangle");
      for (const JsonValue& cell : report.at("tables_without_heads").items()) FAIL_CHECK(cell.text());
      CHECK(report.at("same_backwards").boolean());
      CHECK(report.at("too_wide").items().empty());
      CHECK(report.at("first_stop").integer(-1, 1000) == 0);
      CHECK(report.at("end").boolean());
      std::size_t hidden = 0, checked = 0, trees = 0;
      for (const JsonValue& question : report.at("questions").items()) {
        if (question.find("right")) {
          CHECK_FALSE(question.at("wrong").boolean());
          CHECK(question.at("right").boolean());
          CHECK(question.at("covered_after_wrong").integer(0, 100000) ==
                question.at("covered_before").integer(0, 100000));
          ++checked;
        } else {
          CHECK(question.at("revealed").boolean());
        }
        hidden += question.at("covered_before").integer(0, 100000) > 0;
        // A hidden tree leaves that of the stop before. A root stands alone, without the numbers of later levels.
        if (const JsonValue* tree = question.find("tree_before")) {
          const std::int64_t step = question.at("step").integer(0, 1'000'000);
          Cursor before(r.trace);
          for (const std::uint32_t stop : *stops)
            if (stop < step) before.seek(std::max(before.step(), stop));
          CHECK(static_cast<std::uint64_t>(tree->at("nodes").integer(0, 1000)) ==
                TreeDiagram::at(before, {}).node_count);
          CHECK(tree->at("levels").boolean() == (tree->at("nodes").integer(0, 1000) > 1));
          ++trees;
        }
        CHECK(question.at("covered_at_the_end").integer(0, 100000) == 0);
      }
      if (lesson.id == "wald/ten-points") {
        CHECK(checked >= 8);
        CHECK(hidden >= 2);  // the tree, and the row
        CHECK(trees > 4);
        // The file that the page saves is graded; cut short or edited, it is refused with the reason.
        const std::string saved = report.at("saved").text();
        const auto results = read_results(saved, "saved");
        INFO((results ? std::string() : results.error().message()));
        REQUIRE(results);
        CHECK(results->student == "\u00c4nne \"Q\" O'Neil");
        CHECK(results->attempts.size() == report.at("questions").items().size() + checked);
        std::set<AnswerKind> kinds;
        for (const Attempt& attempt : results->attempts)
          if (attempt.outcome == Outcome::right) kinds.insert(attempt.given.kind);
        CHECK(kinds.size() == 8);
        const Folder hand_ins;
        put(hand_ins.file("whole.kdresults"), saved);
        CommandRun graded = run({"grade", hand_ins.path.string()});
        INFO(graded.err);
        CHECK(graded.code == cli::exit_ok);
        CHECK(graded.out.find("O'Neil") != std::string::npos);
        put(hand_ins.file("cut.kdresults"), saved.substr(0, saved.size() / 2));
        std::string edited = saved;
        edited.replace(edited.find("\"wrong\""), 7, "\"right\"");
        put(hand_ins.file("edited.kdresults"), edited);
        graded = run({"grade", hand_ins.path.string()});
        CHECK(graded.code == cli::exit_bad_input);
        CHECK(graded.out.find("O'Neil") != std::string::npos);
        for (const char* reason : {"cut.kdresults", "edited.kdresults"})
          CHECK(graded.err.find(reason) != std::string::npos);
        const auto cut = read_results(saved.substr(0, saved.size() / 2), "cut"),
                   changed = read_results(edited, "edited");
        CHECK((!cut && !changed && cut.error().message() != changed.error().message()));
      }
      // What stands in the page's tables is what the models say.
      std::size_t compared = 0, differing = 0;
      for (const JsonValue& step : report.at("steps").items()) {
        const std::int64_t number = step.at("step").integer(-1, 1'000'000);
        if (number < 0) continue;
        std::optional<std::size_t> stop;
        for (std::size_t i = 0; i < lesson.stops.size(); ++i)
          if (step.at("heading").text() == lesson.stops[i].title) stop = i;
        Cursor now(r.trace), before(r.trace);
        now.seek(static_cast<std::uint32_t>(number));
        if (number > 0) before.seek(static_cast<std::uint32_t>(number - 1));
        const std::vector<Highlight> added = stop ? lesson.stops[*stop].highlights : std::vector<Highlight>();
        for (const JsonValue& shown : step.at("tables").items()) {
          const JsonValue* space = shown.find("space");
          if (!space) continue;
          const ArrayTable table(now, number > 0 ? &before : nullptr, *space_named(space->text()),
                                 axes_or_first(axes_of(lesson), r.trace->header.dim), added);
          const auto& columns = shown.at("columns").items();
          for (std::size_t row = 1; row < table.rows().size(); ++row) {
            const auto& cells = shown.at("rows").items()[row - 1].at("cells").items();
            REQUIRE(cells.size() == columns.size());
            for (std::size_t i = 0; i < columns.size(); ++i) {
              const std::string name = columns[i].text();  // "7" or, of triangles, "t7"
              differing += cells[i].text() != table.cell(row, std::stoull(name.substr(name.starts_with('t')))).text;
              ++compared;
            }
          }
        }
      }
      CHECK(differing == 0);
      CHECK(compared > 100);
    }
    CHECK(widths == std::set<std::int64_t>{360, 1920});

    // Printed, every stop has a page.
    if (lesson.id != "wald/ten-points") continue;
    std::ofstream(at + "/plain.html") << page_of(r);
    output_of(browser_in(at) + "--no-pdf-header-footer --print-to-pdf=" + at + "/plain.pdf file://" + at +
              "/plain.html 2>/dev/null");
    const std::string pdf = test::content_of(at + "/plain.pdf");
    std::size_t pages = 0;
    for (std::size_t i = pdf.find("/Type /Page\n"); i != std::string::npos; i = pdf.find("/Type /Page\n", i + 1))
      ++pages;
    CHECK(pages > lesson.stops.size());
  }
}

TEST_CASE("a browser draws the chart of an experiment, legible on a phone, above its rows", "[alone]") {
  if (!has_browser()) KDSCOPE_SKIP("chromium is not installed (Debian: chromium)");
  const Folder folder;
  REQUIRE(run({"experiment", "wald-table-1", "--max-n", "1K", "--backend", "cpu", "--repeat", "1", "-o",
               folder.file("rows.csv"), "--page", folder.file("chart.html")})
              .code == cli::exit_ok);
  const auto reports = reports_of(test::content_of(folder.file("chart.html")), "chart_probe.js",
                                  {{390, 844}, {1920, 1080}}, folder.path.string());
  REQUIRE(reports.size() == 2);
  for (const JsonValue& report : reports) {
    INFO(report.at("width").integer(0, 10000));
    for (const char* list : {"errors", "loaded"})
      for (const JsonValue& fault : report.at(list).items()) FAIL_CHECK(list << ": " << fault.text());
    CHECK_FALSE(report.at("too_wide").boolean());
    CHECK(report.at("smallest_text").number() > 10);
    std::string words, spoken;
    for (const JsonValue& text : report.at("words").items()) words += text.text() + "\n";
    for (const JsonValue& text : report.at("spoken").items()) spoken += text.text() + "\n";
    CHECK(words.find("Printed: Wald 2023, Table 1") != std::string::npos);
    // Every row of the table is a mark of the chart.
    const auto& rows = report.at("rows").items();
    REQUIRE(rows.size() == 2);
    for (const JsonValue& row : rows) {
      CHECK(row.items().at(1).text() == "1000");
      CHECK(spoken.find(row.items().at(0).text() + ", 1K: ") != std::string::npos);
    }
  }
}

TEST_CASE("a browser walks through the page of a run without a lesson, from Begin to its last step", "[alone]") {
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  if (!has_browser()) KDSCOPE_SKIP("chromium is not installed (Debian: chromium)");
  const auto recorded = record_run({"wald-10", "wald", {}, Backend::cpu});
  REQUIRE(recorded);
  const Trace& trace = *recorded->trace;
  const auto baked = BakedLesson::bake(run_as_lesson(trace), recorded->trace);
  REQUIRE(baked);
  const Folder folder;
  const std::vector<JsonValue> reports = reports_of(baked->page(), "run_probe.js", {{390, 844}}, folder.path.string());
  REQUIRE(reports.size() == 1);
  const JsonValue& report = reports.front();
  CHECK(report.at("errors").items().empty());
  const std::string last = std::to_string(trace.steps.size() - 1);
  CHECK(report.at("card").text().find(trace.header.title) != std::string::npos);
  CHECK(report.at("card").text().find(std::to_string(trace.steps.size()) + " steps") != std::string::npos);
  const auto& places = report.at("places").items();
  REQUIRE(places.size() == 4);
  for (const auto& [place, step] : {std::pair{0, std::string("0")}, {1, "1"}, {2, last}, {3, "0"}})
    CHECK(places[static_cast<std::size_t>(place)].text().starts_with("Step " + step + " of " + last + ": "));
  CHECK(report.at("tables").integer(0, 100) > 0);
  CHECK(report.at("words").text().find("lesson") == std::string::npos);
  CHECK(report.at("back").integer(-1, 100) == -1);
}
