// The pages of lessons: every text of every pane is the one that the window's models give.

#include "visualizer/web/lesson_page.hpp"

#include <regex>
#include <set>
#include <sstream>

#include "algorithms/variants/inside/launch_walk.hpp"
#include "algorithms/variants/inside/sheet.hpp"
#include "app/variant_trials/step_look.hpp"
#include "tests/support/share.hpp"
#include "tests/web/page_comparison.hpp"
#include "visualizer/web/html_text.hpp"

using namespace kdscope;
using namespace kdscope::test;

namespace {

constexpr const char* folder = KDSCOPE_SOURCE_DIR "/walkthroughs";

Lesson shipped(const std::string& id) { return *read_lesson(std::string(folder) + "/" + id + ".md"); }

/// Returns what differs between the data of a page and the models.
PageComparison compared(const RecordedLesson& r, const std::string& data) {
  return PageComparison(r, JsonValue::parse(data));
}

}  // namespace

TEST_CASE("every text of every pane of every stop is the window's, in all lessons", "[share]") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  const LessonCatalogue catalogue = read_lessons(folder);
  CHECK(catalogue.problems.empty());
  std::size_t lessons = 0;
  std::map<std::string, std::size_t> texts;
  for (const Lesson& lesson : catalogue.lessons) {
    if (!everything() && lesson.id != "wald/ten-points") continue;
    INFO(lesson.id);
    const RecordedLesson r = recorded(lesson);
    const std::string page = page_of(r);
    CHECK(page.size() <= (lesson.data == "wald-10" ? 2u : 8u) << 20);
    const JsonValue data = JsonValue::parse(data_text_of(page));
    const PageComparison comparison(r, data);
    for (const std::string& difference : comparison.differences()) FAIL_CHECK(difference);
    CHECK(comparison.stops().size() == lesson.stops.size());
    for (const char* pane : {"arrays", "view"}) CHECK(comparison.compared().count(pane) == 1);
    for (const auto& [pane, count] : comparison.compared()) texts[pane] += count;
    ++lessons;
    // Every pane that a stop names is on the page, and every claimed value among the columns that it shows.
    for (const JsonValue& step : data.at("steps").items()) {
      if (!step.find("stop")) continue;
      const Stop& stop = lesson.stops[whole(step.at("stop"))];
      const JsonValue& state = data.at("states").items()[whole(step.at("states").items()[0])];
      for (const std::string& pane : stop.panes) {
        INFO(stop.title << ": " << pane);
        if (pane == "arrays") CHECK_FALSE(state.at("tables").items().empty());
        if (pane == "source") CHECK((state.find("run") || step.find("source")));
        if (pane == "inside") CHECK(step.at("inside").text() == stop.inside);
        const bool of_step = pane == "source" || pane == "inside" || pane == "narration" || pane == "search";
        if (pane != "arrays" && !of_step) CHECK(state.find(pane));
      }
      for (const ClaimedRow& claim : stop.shows) {
        const Trace::Array* array = r.trace->find(claim.row);
        REQUIRE(array);
        for (const JsonValue& index : state.at("tables").items()) {
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
  CHECK(lessons == (everything() ? catalogue.lessons.size() : 1));
  if (everything())
    for (const char* pane :
         {"narration", "view", "tree", "arrays", "source", "histogram", "candidates", "coordinates"}) {
      INFO(pane);
      CHECK(texts[pane] > 1000);
    }
}

TEST_CASE("a page has the window's titles of panes, and the keys of a presentation") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  const JsonValue data = JsonValue::parse(data_text_of(page_of(recorded(shipped("wald/ten-points")))));
  std::string titles;
  for (const JsonValue& pane : data.at("panes").items())
    titles += pane.items().at(2).text() + " " + pane.items().at(0).text() + ": " + pane.items().at(1).text() + "\n";
  CHECK(titles ==
        "1 view: View\n2 tree: Tree\n3 arrays: Arrays\n5 source: Source\n6 histogram: Histogram\n"
        "7 candidates: Split candidates\n8 coordinates: Parallel coordinates\ni inside: Inside\n");
}

TEST_CASE("a page explains the marks of its lesson in the words of the window, and fades what a search skips") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  const auto words = [](const JsonValue& data) {
    std::set<std::string> all;
    for (const JsonValue& row : data.at("legend").items()) all.insert(row.items().at(0).text());
    return all;
  };
  const JsonValue build = JsonValue::parse(data_text_of(page_of(recorded(shipped("wald/ten-points"))))),
                  search = JsonValue::parse(data_text_of(page_of(recorded(shipped("wald/nearest-with-a-stack")))));
  for (const char* word : {"pivot", "changed", "checks"}) CHECK(words(build).count(word) == 1);
  for (const char* word : {"query", "skipped", "compared"}) {
    CHECK(words(build).count(word) == 0);
    CHECK(words(search).count(word) == 1);
  }
  const auto most_faded = [](const JsonValue& data) {
    std::size_t most = 0;
    for (const JsonValue& picture : data.at("pictures").items())
      for (const auto& group : baked_groups(data, picture.at("list")))
        for (const BakedItem& item : group) {
          if (item.marks < 0) continue;
          const auto& runs = data.at("mark_lists").items()[static_cast<std::size_t>(item.marks)].items();
          std::size_t faded = 0;
          for (std::size_t i = 0; i < runs.size(); i += 2)
            if (data.at("marks").items()[whole(runs[i])].items().size() > 2) faded += whole(runs[i + 1]);
          most = std::max(most, faded);
        }
    return most;
  };
  CHECK(most_faded(build) == 0);
  CHECK(most_faded(search) > 0);
  CHECK(most_faded(search) < 10);
}

TEST_CASE("the comparison of pages finds a fault in every pane") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  // In each pool of texts, the first one behind an anchor is changed by one character.
  struct Fault {
    const char *lesson, *pane, *pool, *before;
  };
  std::string last;
  std::optional<RecordedLesson> r;
  std::string data;
  for (const Fault& fault : {Fault{"wald/ten-points", "arrays", "\"texts\":[[\"", ",[\""},
                             {"wald/ten-points", "tree", ",\"nodes\":[[", "[\""},
                             {"wald/ten-points", "tree", "\"looks\":[[[", "\"node "},
                             {"wald/ten-points", "arrays", "\"facts\":[", ",[\""},
                             {"wald/ten-points", "view", "\"places\":[", ",\"p0"},
                             {"wald/ten-points", "source", "\"runs\":[", "\"values\":[[0,0,\""},
                             {"wald/ten-points", "source", "\"sources\":[", "\"lines\":[\""},
                             {"wald/ten-points", "narration", "\"steps\":[", "\"heading\":\""},
                             {"wald/ten-points", "narration", "\"steps\":[", "\"sentence\":\""},
                             {"wehr/segmented-radix-sort", "histogram", "\"count_arrays\":[", "\"label\":\""},
                             {"zhou/small-nodes", "candidates", "\"candidates\":[{", "\"tried\":[[\""},
                             {"hu/many-dimensions", "coordinates", "\"coordinate_states\":[", "\"splits\":[\""}}) {
    INFO(fault.lesson << ", " << fault.pane << ", " << fault.pool);
    if (last != fault.lesson) {
      last = fault.lesson;
      r = recorded(shipped(fault.lesson));
      data = data_text_of(page_of(*r));
      CHECK(compared(*r, data).differences().empty());
    }
    const std::size_t pool = data.find(fault.pool);
    REQUIRE(pool != std::string::npos);
    const std::size_t text = data.find(fault.before, pool);
    REQUIRE(text != std::string::npos);
    std::string planted = data;
    planted.insert(text + std::string(fault.before).size(), "#");
    const PageComparison comparison = compared(*r, planted);
    REQUIRE_FALSE(comparison.differences().empty());
    CHECK(comparison.differences().front().starts_with(fault.pane));
  }
}

TEST_CASE("the script of a page declares no name twice, which would keep all of it from running") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  std::istringstream page(page_of(recorded(shipped("wald/ten-points"))));
  std::map<std::string, int> declared;
  const std::regex declaration("^(const|let|var|function|class) (\\w+)");
  std::smatch found;
  for (std::string line; std::getline(page, line);)
    if (line.size() < 200 && std::regex_search(line, found, declaration)) ++declared[found[2]];
  CHECK(declared.size() > 50);
  for (const auto& [name, times] : declared) {
    INFO(name);
    CHECK(times == 1);
  }
}

TEST_CASE("a page leaves out what its open questions hide") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  Lesson lesson = shipped("wald/ten-points");
  for (Stop& stop : lesson.stops) stop.questions.clear();
  const auto ask = [&](std::vector<HiddenPart> hides, std::vector<std::string> rows, bool about_a_split = false) {
    Question question;
    question.text = "What?";
    question.answer = "0. Nothing.";
    question.hides = std::move(hides);
    question.hidden_rows = std::move(rows);
    if (about_a_split) question.expects = {.kind = AnswerKind::split};
    lesson.stops[5].questions.push_back(question);
  };
  ask({HiddenPart::tree, HiddenPart::marks, HiddenPart::code}, {});
  ask({}, {});
  ask({HiddenPart::splits}, {"tags"});
  ask({HiddenPart::splits}, {"tags"}, true);
  const RecordedLesson r = recorded(lesson);
  const JsonValue data = JsonValue::parse(data_text_of(page_of(r)));
  const PageComparison comparison(r, data);
  for (const std::string& difference : comparison.differences()) FAIL_CHECK(difference);
  const auto stop = [&](std::size_t number) {
    return std::ranges::find_if(data.at("steps").items(),
                                [&](const JsonValue& s) { return s.find("stop") && whole(*s.find("stop")) == number; });
  };
  const auto step = stop(5);
  CHECK(step->at("questions").items()[0].at("answer").text() == "<p>0. Nothing.</p>\n");
  std::vector<std::size_t> bits;
  for (const JsonValue& question : step->at("questions").items()) bits.push_back(whole(question.at("bit")) + 1);
  CHECK(bits == std::vector<std::size_t>{1, 0, 2, 3});
  REQUIRE(step->at("states").items().size() == 8);
  const auto state = [&](std::size_t open) -> const JsonValue& {
    return data.at("states").items()[whole(step->at("states").items()[open])];
  };
  const auto covered = [&](std::size_t open, const std::string& pane) {
    for (const JsonValue& name : state(open).at("covered").items())
      if (name.text() == pane) return true;
    return false;
  };
  const auto picture_of = [&](const JsonValue& shown) -> const JsonValue& {
    return data.at("pictures").items()[whole(shown.at("view"))];
  };
  const auto picture = [&](std::size_t open) -> const JsonValue& { return picture_of(state(open)); };
  CHECK(state(0).find("tree"));
  CHECK_FALSE(state(1).find("tree"));
  CHECK(covered(1, "tree"));
  CHECK(covered(3, "source"));
  CHECK_FALSE(covered(2, "tree"));
  CHECK(whole(picture(0).at("splits")) > 0);
  CHECK(picture(2).at("pivots").items().empty() == picture(0).at("pivots").items().empty());
  // The class knows the picture of the stop before, unless the answer is a place in it.
  const JsonValue& before = picture_of(data.at("states").items()[whole(stop(4)->at("states").items()[0])]);
  CHECK(whole(before.at("splits")) < whole(picture(0).at("splits")));
  CHECK(whole(picture(2).at("splits")) == whole(before.at("splits")));
  CHECK(picture(2).at("note").text().starts_with("The picture before."));
  CHECK_FALSE(picture(2).find("splits_hidden"));
  CHECK(whole(picture(4).at("splits")) == 0);
  CHECK(picture(4).find("splits_hidden"));
  // A hidden row of nodes takes the colours of the subtrees along, in every row and in the picture.
  const auto marks = [&](const JsonValue& of) {
    for (const auto& group : baked_groups(data, of.at("list")))
      for (const BakedItem& item : group)
        if (item.marks >= 0) return static_cast<std::size_t>(item.marks);
    FAIL("the picture has no marks");
    return std::size_t(0);
  };
  CHECK(marks(picture(2)) == marks(before));
  CHECK(marks(picture(4)) != marks(picture(0)));
  CHECK(data.at("mark_lists").items()[marks(picture(4))].items().size() == 2);
}

TEST_CASE("a page needs nothing from outside, and foreign text stays text") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  Lesson lesson = shipped("wald/ten-points");
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
  CHECK(JsonValue::parse(data_text_of(page)).at("title").text() == hostile);
}

TEST_CASE("a page of a run that its stops do not fit is refused with the reason") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  Lesson lesson = shipped("wald/ten-points");
  const RecordedLesson r = recorded(lesson);
  lesson.stops[2].select = "level 9 / sort";
  const auto misfit = BakedLesson::bake(lesson, r.trace);
  REQUIRE_FALSE(misfit);
  CHECK(misfit.error().message().find(lesson.stops[2].title) != std::string::npos);
  std::stop_source stopped;
  stopped.request_stop();
  const auto cancelled = BakedLesson::bake(r.lesson, r.trace, {}, {}, stopped.get_token());
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == ErrorKind::cancelled);
}

TEST_CASE("a page shows every access of the launches at which its lesson stops, interval by interval") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  RecordedLesson r = recorded(shipped("brown/inside-a-warp"));
  const JsonValue data = JsonValue::parse(data_text_of(page_of(r)));
  const auto stops = resolve_stops(r.lesson, *r.trace);
  REQUIRE(stops);
  std::size_t looks = 0, votes = 0, accesses = 0, idle = 0;
  for (const JsonValue& step : data.at("steps").items()) {
    if (!step.find("inside")) continue;
    const std::size_t stop = whole(step.at("stop"));
    INFO(r.lesson.stops[stop].title);
    auto look = look_beside(r.lesson, *r.trace, (*stops)[stop]);
    REQUIRE(look);
    const access_log::LaunchRecording& recording = look->recording;
    access_log::put_in_order(look->recording);
    access_log::LaunchWalk walk(std::make_shared<const access_log::LaunchRecording>(recording));
    REQUIRE(walk.go_to(*access_log::place_inside(r.lesson.stops[stop].inside)));
    const JsonValue& lanes = step.at("lanes");
    CHECK(lanes.at("missing").text().empty());
    CHECK(lanes.at("launch").text() == recording.text_of_launch(walk.stretch().launch));
    // The texts of the accesses, by lane, against those of the sheets
    std::size_t number = 0;
    for (const access_log::Stretch& at : walk.stretches()) {
      if (at.launch != walk.stretch().launch || at.group != walk.stretch().group) continue;
      if (at == walk.stretch()) CHECK(whole(lanes.at("open")) == number);
      const JsonValue& sheet = data.at("lanes").items()[whole(lanes.at("intervals").items().at(number++))];
      std::multiset<std::string> made, shown;
      for (std::size_t i = at.begin; i < at.end; ++i) {
        const access_log::Access& access = recording.accesses[i];
        made.insert((access.lane == access_log::every_lane ? "every lane" : "lane " + std::to_string(access.lane)) +
                    ": " + cell_text(recording, access));
      }
      for (const JsonValue& row : sheet.at("rows").items()) {
        const auto& cells = row.items().at(1).items();
        REQUIRE(cells.size() == sheet.at("columns").items().size());
        for (std::size_t c = 0; c < cells.size(); ++c) {
          const std::string head = sheet.at("columns").items()[c].items()[0].text();
          idle += cells[c].text().empty();
          if (head.find(':') == std::string::npos)
            votes += head == "ballot" && cells[c].text() == "1";
          else if (!cells[c].text().empty())
            shown.insert(row.items()[0].text() + ": " + cells[c].text());
        }
      }
      CHECK(whole(sheet.at("lanes_left_out")) + whole(sheet.at("columns_left_out")) == 0);
      CHECK(shown == made);
      accesses += shown.size();
    }
    CHECK(number == lanes.at("intervals").items().size());
    ++looks;
  }
  CHECK(looks == 4);
  CHECK(votes > 0);
  CHECK(accesses > 100);
  CHECK(idle > 0);

  // Without its recording, a page has the reason
  r.lesson.path = "/nowhere/lesson.md";
  const JsonValue without = JsonValue::parse(data_text_of(page_of(r)));
  CHECK(without.at("lanes").items().empty());
  for (const JsonValue& step : without.at("steps").items())
    if (step.find("inside"))
      CHECK(step.at("lanes").at("missing").text().find("/nowhere/lesson.kdtrace") != std::string::npos);
}

TEST_CASE("the index of a course links every lesson in the order of the course, and names those without a page") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  const auto lessons = read_lessons(folder).lessons;
  const auto course = read_course(folder);
  REQUIRE(course);
  const std::string index = course_page(*course, lessons);
  std::size_t from = 0;
  for (const CoursePart& part : course->parts)
    for (const std::string& id : part.lessons) {
      from = index.find("href=\"" + page_file_name(id) + "\">", from);
      INFO(id);
      CHECK(from != std::string::npos);
    }
  CHECK(index.find("Without a page") == std::string::npos);
  const MissingPage missing[] = {{"A <lesson>", "it does not fit"}};
  CHECK(course_page(*course, lessons, missing)
            .find("A &lt;lesson&gt; <span class=\"muted\">could not be exported: it "
                  "does not fit") != std::string::npos);
  CHECK(page_file_name("wald/ten-points") == "wald-ten-points.html");
  CHECK(page_file_name("../x y") == "---x-y.html");
}
