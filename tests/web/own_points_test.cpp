// Pages with their engine in headless Chromium: points that a reader adds, moves and removes.

#include "algorithms/registry/registry.hpp"
#include "algorithms/text/numbers.hpp"
#include "datasets/datasets.hpp"
#include "datasets/loaders/loaders.hpp"
#include "tests/web/browser_run.hpp"
#include "tests/web/page_comparison.hpp"
#include "visualizer/web/html_text.hpp"

using namespace kdscope;
using namespace kdscope::test;

namespace {

/// The hash of the tree that this machine's back end builds of points in a CSV file.
std::string hash_of(const std::string& csv, const std::string& algorithm) {
  auto read = parse_points(FileFormat::csv, csv, "points");
  REQUIRE(read);
  RunRequest request{"", algorithm, {}, Backend::cpu};
  request.points = std::make_shared<const DataSet>(std::move(*read));
  const auto built = build(request);
  REQUIRE(built);
  return hash_text(built->tree_hash);
}

std::size_t rows_in(const std::string& csv) {
  return static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) + 1;
}

}  // namespace

TEST_CASE("points that a reader adds, moves, removes and pastes change the tree of a page", "[alone]") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  if (!has_browser()) KDSCOPE_SKIP("chromium is not installed (Debian: chromium)");
  if (const std::string reason = why_no_engine(); !reason.empty()) KDSCOPE_SKIP(reason.c_str());
  const RecordedLesson r = recorded(*read_lesson(KDSCOPE_SOURCE_DIR "/walkthroughs/wald/ten-points.md"));
  const auto baked = BakedLesson::bake(r.lesson, r.trace, page_code(r.trace, axes_of(r.lesson)));
  REQUIRE(baked);
  const std::string page = baked->page({}, {.script = *read_engine()});
  CHECK(page.size() <= 3'000'000);
  const TemporaryFolder folder;
  const auto reports = reports_of(page, "own_probe.js", {{390, 844}, {1920, 1080}}, folder.path.string());
  REQUIRE(reports.size() == 2);
  std::string link;
  for (const JsonValue& report : reports) {
    for (const char* list : {"errors", "loaded"})
      for (const JsonValue& fault : report.at(list).items()) FAIL_CHECK(list << ": " << fault.text());
    CHECK_FALSE(report.at("too_wide").boolean());
    CHECK(report.at("lesson_again").boolean());
    std::map<std::string, const JsonValue*> runs;
    for (const JsonValue& run : report.at("runs").items()) {
      const std::string what = run.at("what").text(), points = run.at("points").text();
      INFO(what);
      runs[what] = &run;
      const bool textbook = what == "another algorithm" || what == "a step back";
      CHECK(run.at("hash").text() == hash_of(points, textbook ? "textbook" : "wald"));
      CHECK(run.at("marks").integer(0, 100) == static_cast<std::int64_t>(rows_in(points)));
      CHECK(run.at("said").text().empty() == (what != "a bad file"));
    }
    REQUIRE(runs.size() == 8);
    const auto hash = [&](const char* what) { return runs.at(what)->at("hash").text(); };
    const auto count = [&](const char* what) { return rows_in(runs.at(what)->at("points").text()); };
    CHECK(hash("as in the lesson") == hash_text(r.trace->header.tree_hash));
    CHECK(count("as in the lesson") == 10);
    CHECK(count("a click") == 11);
    CHECK(hash("a click") != hash("as in the lesson"));
    CHECK(count("a way of a point") == 11);
    CHECK(runs.at("a way of a point")->at("points").text() != runs.at("a click")->at("points").text());
    CHECK(hash("Delete") == hash("as in the lesson"));
    CHECK(runs.at("a bad file")->at("said").text().find("own points:3:3") != std::string::npos);
    CHECK(hash("a bad file") == hash("Delete"));
    CHECK(count("a good file") == 3);
    CHECK(runs.at("a good file")->at("nodes").integer(0, 100) == 3);
    const auto step = [&](const char* what) { return runs.at(what)->at("step").integer(0, 1000); };
    CHECK(step("a step back") == step("another algorithm") - 1);
    link = runs.at("a step back")->at("link").text();
  }
  // Who follows the link sees the same.
  CHECK(link.starts_with("#own="));
  const auto shared = reports_of(page, "own_probe.js", {{390, 844, link}}, folder.path.string());
  REQUIRE(shared.size() == 1);
  REQUIRE(shared[0].at("runs").items().size() == 1);
  const JsonValue& opened = shared[0].at("runs").items()[0];
  const JsonValue& sent = reports[1].at("runs").items().back();
  for (const char* member : {"hash", "points", "link"}) CHECK(opened.at(member).text() == sent.at(member).text());
  CHECK(opened.at("step").integer(0, 1000) == sent.at("step").integer(0, 1000));
}
