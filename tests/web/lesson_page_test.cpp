// The pages of lessons: every text of every step is the one that the window's models give.

#include "visualizer/web/lesson_page.hpp"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

#include "algorithms/text/json_value.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/session/run.hpp"
#include "app/session/saved_run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/share.hpp"
#include "tests/support/temporary_folder.hpp"
#include "visualizer/figure/node_look.hpp"
#include "visualizer/model/array_table.hpp"

using namespace kdscope;

namespace {

struct Recorded {
  Lesson lesson;
  std::shared_ptr<const Trace> trace;
};

std::vector<Lesson> shipped_lessons() {
  std::vector<Lesson> lessons = read_lessons(KDSCOPE_SOURCE_DIR "/walkthroughs").lessons;
  if (!test::everything()) std::erase_if(lessons, [](const Lesson& lesson) { return lesson.id != "wald/ten-points"; });
  return lessons;
}

Recorded recorded(const Lesson& lesson) {
  const auto run = record_run(run_of(lesson, Backend::cpu));
  INFO(lesson.id << (run ? std::string() : run.error().message()));
  REQUIRE(run);
  return {lesson, run->trace};
}

std::string page_of(const Recorded& r) {
  const auto page = lesson_page(r.lesson, r.trace);
  INFO((page ? std::string() : page.error().message()));
  REQUIRE(page);
  return *page;
}

/// The data in a page, as its script reads them.
JsonValue data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(open) + open.size(), end = page.find("</script>", begin);
  REQUIRE(end != std::string::npos);
  return JsonValue::parse(std::string_view(page).substr(begin, end - begin));
}

std::size_t whole(const JsonValue& value) { return static_cast<std::size_t>(value.integer(-1, 1'000'000'000)); }

/// The tables of a step by the model, with the columns that the page shows.
struct ExpectedTables {
  ExpectedTables(const Recorded& r, std::uint32_t step, std::optional<std::size_t> stop)
      : now(r.trace), before(r.trace), highlights(stop ? r.lesson.stops[*stop].highlights : std::vector<Highlight>()) {
    now.seek(step);
    if (step > 0) before.seek(step - 1);
    axes = axes_or_first(axes_of(r.lesson), r.trace->header.dim);
  }
  ArrayTable table(Space space) const {
    return ArrayTable(now, now.step() > 0 ? &before : nullptr, space, axes, highlights);
  }
  Cursor now, before;
  Axes axes;
  std::vector<Highlight> highlights;
};

}  // namespace

TEST_CASE("every text of every step of a page is the table's", "[share]") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  for (const Lesson& lesson : shipped_lessons()) {
    INFO(lesson.id);
    const Recorded r = recorded(lesson);
    const std::string page = page_of(r);
    CHECK(page.size() < (lesson.id == "wald/ten-points" ? 2u : 8u) << 20);
    const JsonValue data = data_of(page);
    const auto& cells = data.at("cells").items();
    std::size_t stops = 0, compared = 0, differing = 0, nodes_compared = 0;
    for (const JsonValue& step : data.at("steps").items()) {
      const JsonValue* stop = step.find("stop");
      stops += stop != nullptr;
      const ExpectedTables expected(r, static_cast<std::uint32_t>(whole(step.at("step"))),
                                    stop ? std::optional(whole(*stop)) : std::nullopt);
      for (const JsonValue& index : step.at("tables").items()) {
        const JsonValue& baked = data.at("tables").items()[whole(index)];
        const ArrayTable table = expected.table(*space_named(baked.at("space").text()));
        REQUIRE(baked.at("rows").items().size() == table.rows().size());
        REQUIRE(whole(baked.at("count")) == table.column_count());
        for (std::size_t row = 0; row < table.rows().size(); ++row) {
          const JsonValue& baked_row = data.at("rows").items()[whole(baked.at("rows").items()[row])];
          REQUIRE(baked_row.at("label").text() == printable(table.rows()[row].label));
          std::size_t next = 0;
          for (const JsonValue& range : baked.at("columns").items())
            for (std::uint64_t c = whole(range.items()[0]); c < whole(range.items()[1]); ++c) {
              const auto& cell = cells[whole(baked_row.at("cells").items()[next++])].items();
              const TableCell wanted = table.cell(row, c);
              const std::size_t flags = whole(cell[1]);
              differing += cell[0].text() != wanted.text || ((flags & 1) != 0) != wanted.pivot ||
                           ((flags & 2) != 0) != wanted.settled || ((flags & 4) != 0) != wanted.changed ||
                           cell[4].text() != wanted.old_text;
              ++compared;
            }
          REQUIRE(next == baked_row.at("cells").items().size());
        }
      }
      const JsonValue* tree = step.find("tree");
      if (!tree) continue;
      const TreeDiagram diagram = TreeDiagram::at(expected.now, {}, nullptr, expected.highlights);
      for (const JsonValue& index : data.at("trees").items()[whole(*tree)].at("nodes").items()) {
        const auto& baked = data.at("nodes").items()[whole(index)].items();
        const auto node = diagram.node(NodeId{static_cast<std::uint32_t>(whole(baked[0]))});
        REQUIRE(node);
        std::vector<std::string> lines;
        for (const JsonValue& line : baked[12].items()) lines.push_back(line.text());
        differing += lines != lines_of(diagram, *node) || whole(baked[4]) != static_cast<std::size_t>(node->state);
        ++nodes_compared;
      }
    }
    CHECK(differing == 0);
    CHECK(stops == lesson.stops.size());
    CHECK(compared > 20 * stops);
    CHECK(nodes_compared > 0);
    // Every claimed value is among the columns that the page shows.
    for (const JsonValue& step : data.at("steps").items()) {
      if (!step.find("stop")) continue;
      for (const ClaimedRow& claim : lesson.stops[whole(step.at("stop"))].shows) {
        const Trace::Array* array = r.trace->find(claim.row);
        REQUIRE(array);
        for (const JsonValue& index : step.at("tables").items()) {
          const JsonValue& baked = data.at("tables").items()[whole(index)];
          if (baked.at("space").text() != array->info.index_space.name()) continue;
          const auto& first = baked.at("columns").items()[0].items();
          CHECK(whole(first[0]) == 0);
          CHECK(whole(first[1]) >=
                std::min<std::size_t>(claim.values.size() / std::max(1u, array->info.components), 512));
        }
      }
    }
  }
}

TEST_CASE("a page needs nothing from outside, and foreign text stays text") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  Lesson lesson = *read_lesson(KDSCOPE_SOURCE_DIR "/walkthroughs/wald/ten-points.md");
  const std::string hostile = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";
  lesson.title = hostile;
  lesson.introduction = hostile;
  lesson.stops[0].narration = hostile;
  lesson.stops[0].questions.front().text = hostile;
  const std::string page = page_of(recorded(lesson));
  CHECK(page.find("Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-") != std::string::npos);
  CHECK(page.find("alert(1)</script>") == std::string::npos);
  CHECK(page.find("<img") == std::string::npos);
  for (const char* outside : {"src=\"", "@import", "url(", "<link", "fetch(", "XMLHttpRequest", "WebSocket"})
    CHECK(page.find(outside) == std::string::npos);
  const JsonValue data = data_of(page);
  CHECK(data.at("title").text() == hostile);
}

TEST_CASE("a page of a run that its stops do not fit is refused with the reason") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  Lesson lesson = *read_lesson(KDSCOPE_SOURCE_DIR "/walkthroughs/wald/ten-points.md");
  const Recorded r = recorded(lesson);
  lesson.stops[2].select = "level 9 / sort";
  const auto page = lesson_page(lesson, r.trace);
  REQUIRE_FALSE(page);
  CHECK(page.error().message().find(lesson.stops[2].title) != std::string::npos);
  std::stop_source stopped;
  stopped.request_stop();
  const auto cancelled = lesson_page(r.lesson, r.trace, {}, stopped.get_token());
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == ErrorKind::cancelled);
}

TEST_CASE("the index of a course links every lesson") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const auto lessons = read_lessons(KDSCOPE_SOURCE_DIR "/walkthroughs").lessons;
  const std::string index = course_page(lessons);
  for (const Lesson& lesson : lessons)
    CHECK(index.find("href=\"" + page_file_name(lesson.id) + "\"") != std::string::npos);
  CHECK(page_file_name("wald/ten-points") == "wald-ten-points.html");
  CHECK(page_file_name("../x y") == "---x-y.html");
}

namespace {

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  char buffer[65536];
  for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  pclose(pipe);
  return text;
}

/// The seal of a result file, from the text of its other members.
std::string seal_of(const std::string& text) {
  std::uint64_t state = 0x6b6473636f7065;
  for (std::size_t i = 0; i < text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, std::min<std::size_t>(8, text.size() - i));
    state = std::rotl((state ^ word) * 0x9e3779b97f4a7c15ull, 29);
  }
  return hash_text(state);
}

std::string unescaped(std::string text) {
  for (const auto& [entity, character] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&nbsp;", "\u00a0"}, {"&amp;", "&"}})
    for (std::size_t at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
      text.replace(at, std::string(entity).size(), character);
  return text;
}

}  // namespace

TEST_CASE("a browser shows every text, steps both ways by keys, and checks answers, narrow and wide",
          "[alone][share]") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (std::system("command -v chromium >/dev/null 2>&1") != 0)
    KDSCOPE_SKIP("chromium is not installed (Debian: chromium)");
  const std::string browser =
      "timeout 120 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir=";
  const std::vector<Lesson> lessons = shipped_lessons();
  for (std::size_t i = 0; i < lessons.size(); i += 4) {  // a browser takes about ten seconds per lesson
    const Lesson& shipped = lessons[i];
    INFO(shipped.id);
    Lesson lesson = shipped;
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
    const Recorded r = recorded(lesson);
    std::string page = page_of(r);
    std::ifstream probe_file(KDSCOPE_SOURCE_DIR "/tests/web/probe.js");
    const std::string probe{std::istreambuf_iterator<char>(probe_file), {}};
    REQUIRE_FALSE(probe.empty());
    const std::size_t nonce_at = page.find("'nonce-") + 7;
    const std::string nonce = page.substr(nonce_at, page.find('\'', nonce_at) - nonce_at);
    page.insert(page.rfind("</body>"), "<script nonce=\"" + nonce + "\">" + probe + "</script>\n");
    const test::TemporaryFolder folder;
    const std::string at = folder.path.string();
    std::ofstream(at + "/page.html") << page;
    std::ofstream(at + "/frames.html")
        << "<!DOCTYPE html><script>addEventListener('message', (e) => { const pre = document.createElement('pre'); "
           "pre.className = 'report'; pre.textContent = e.data; document.body.append(pre); });</script><body>"
           "<iframe src=page.html width=360 height=740></iframe><iframe src=page.html width=1920 height=1080></iframe>";
    const std::string dom = output_of(browser + at + "/profile --virtual-time-budget=20000 --dump-dom file://" + at +
                                      "/frames.html 2>/dev/null");
    std::vector<JsonValue> reports;
    const std::string open = "<pre class=\"report\">";
    for (std::size_t begin = dom.find(open); begin != std::string::npos; begin = dom.find(open, begin + 1)) {
      const std::size_t from = begin + open.size();
      reports.push_back(JsonValue::parse(unescaped(dom.substr(from, dom.find("</pre>", from) - from))));
    }
    REQUIRE(reports.size() == 2);
    std::set<std::int64_t> widths;
    for (const JsonValue& report : reports) {
      widths.insert(report.at("width").integer(0, 10000));
      for (const JsonValue& error : report.at("errors").items()) FAIL_CHECK(error.text());
      CHECK(report.at("same_backwards").boolean());
      CHECK(report.at("too_wide").items().empty());
      CHECK(report.at("first_stop").integer(-1, 1000) == 0);
      CHECK(report.at("end").boolean());
      std::size_t hidden = 0, checked = 0;
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
        CHECK(question.at("covered_at_the_end").integer(0, 100000) == 0);
      }
      if (lesson.id == "wald/ten-points") {
        CHECK(checked >= 8);
        CHECK(hidden >= 2);  // the tree, and the row
        // The file to hand in has every attempt, and the seal of walkthroughs/practice.
        const std::string saved = report.at("saved").text();
        const JsonValue results = JsonValue::parse(saved);
        CHECK(results.at("student").text() == "\u00c4nne \"Q\" O'Neil");
        CHECK(results.at("attempts").items().size() == report.at("questions").items().size() + checked);
        std::set<std::string> kinds;
        for (const JsonValue& attempt : results.at("attempts").items())
          if (const JsonValue* given = attempt.find("given")) kinds.insert(given->at("kind").text());
        CHECK(kinds.size() == 8);
        const std::size_t seal = saved.find(",\"seal\":");
        REQUIRE(seal != std::string::npos);
        CHECK(results.at("seal").text() == seal_of(saved.substr(0, seal) + "}\n"));
      }
      // What stands in the page's tables is what the models say.
      std::size_t compared = 0, differing = 0;
      for (const JsonValue& step : report.at("steps").items()) {
        const std::int64_t number = step.at("step").integer(-1, 1'000'000);
        if (number < 0) continue;
        std::optional<std::size_t> stop;
        for (std::size_t i = 0; i < lesson.stops.size(); ++i)
          if (step.at("heading").text() == lesson.stops[i].title) stop = i;
        const ExpectedTables expected(r, static_cast<std::uint32_t>(number), stop);
        for (const JsonValue& shown : step.at("tables").items()) {
          const JsonValue* space = shown.find("space");
          if (!space) continue;
          const ArrayTable table = expected.table(*space_named(space->text()));
          const auto& columns = shown.at("columns").items();
          for (std::size_t row = 1; row < table.rows().size(); ++row) {
            const auto& cells = shown.at("rows").items()[row - 1].at("cells").items();
            REQUIRE(cells.size() == columns.size());
            for (std::size_t i = 0; i < columns.size(); ++i) {
              differing += cells[i].text() != table.cell(row, std::stoull(columns[i].text())).text;
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
    output_of(browser + at + "/profile --no-pdf-header-footer --print-to-pdf=" + at + "/plain.pdf file://" + at +
              "/plain.html 2>/dev/null");
    std::ifstream pdf_file(at + "/plain.pdf", std::ios::binary);
    const std::string pdf{std::istreambuf_iterator<char>(pdf_file), {}};
    std::size_t pages = 0;
    for (std::size_t i = pdf.find("/Type /Page\n"); i != std::string::npos; i = pdf.find("/Type /Page\n", i + 1))
      ++pages;
    CHECK(pages > lesson.stops.size());
  }
}
