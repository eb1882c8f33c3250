// Opens session files: the run, the lesson and the marks, as far as they are available.

#include "app/recording/saved_run.hpp"

#include "algorithms/trace/trace_file.hpp"
#include "tests/app/session_files.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

/// Saves a session in a folder and opens it again.
SavedRun opened(const test::TemporaryFolder& folder, const SavedSession& saved, const LessonCatalogue& lessons = {}) {
  REQUIRE(save_session(saved, folder.file("s.kdsession")));
  return open_saved_run(folder.file("s.kdsession"), lessons).value();
}

SavedSession session_of(const std::string& data, const std::string& algorithm = "wald") {
  SavedSession saved;
  saved.session.run.data = data;
  saved.session.run.algorithm = algorithm;
  return saved;
}

std::string all(const SavedRun& run) { return sum_up(run.problems, "s").message(); }

}  // namespace

TEST_CASE("each algorithm's session opens at its step, with its marks") {
  const test::TemporaryFolder folder;
  for (const AlgorithmSpec& algorithm : test::point_algorithms()) {
    INFO(algorithm.id);
    SavedSession saved = session_of("uniform:n=200,dim=3,seed=4", algorithm.id);
    const auto run = record_run(saved.session.run).value();
    saved.place.step = static_cast<std::uint32_t>(run.trace->steps.size() - 2);
    saved.place.selection = {Space::point, 199};
    saved.session.bookmarks = {{1, "one"}};
    saved.tree_hash = run.trace->header.tree_hash;
    const SavedRun again = opened(folder, saved);
    CHECK(again.problems.empty());
    REQUIRE(again.recording);
    CHECK(again.recording->trace->header.tree_hash == saved.tree_hash);
    CHECK((again.saved.session == saved.session));
    // Do the same with own points.
    auto points = std::make_shared<DataSet>(**open_data_set(saved.session.run.data));
    saved.session.run.points = points;
    saved.session.run.data = "/gone.csv";
    const SavedRun own = opened(folder, saved);
    CHECK(own.problems.empty());
    REQUIRE(own.recording);
    CHECK(own.recording->trace->header.tree_hash == saved.tree_hash);
    // A changed program or file is detected.
    saved.tree_hash += 1;
    CHECK(all(opened(folder, saved)).find("another tree") != std::string::npos);
  }
}

TEST_CASE("missing data: the looks open, and the sentence names the file") {
  const test::TemporaryFolder folder;
  SavedSession saved = session_of("/no/such/scan.ply");
  saved.session.looks.theme = "dark";
  const SavedRun run = opened(folder, saved);
  CHECK_FALSE(run.recording);
  CHECK(run.saved.session.looks.theme == "dark");
  CHECK(all(run).find("/no/such/scan.ply") != std::string::npos);
}

TEST_CASE("data that moved with the session is found beside it") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("scan.csv")) << "1,2\n3,4\n5,6\n7,8\n";
  const SavedRun run = opened(folder, session_of("/elsewhere/scan.csv"));
  CHECK(run.problems.empty());
  REQUIRE(run.recording);
  CHECK(run.recording->trace->header.n == 4);
}

TRACE_CASE("a trace that is missing or damaged is made again") {
  const test::TemporaryFolder folder;
  SavedSession saved = session_of("wald-10");
  const auto recorded = record_run(saved.session.run).value();
  REQUIRE(save_trace(*recorded.trace, folder.file("ten.kdtrace")));
  saved.session.trace_file = folder.file("ten.kdtrace");
  CHECK(opened(folder, saved).problems.empty());
  CHECK(opened(folder, saved).recording->trace_file == saved.session.trace_file);
  std::ofstream(folder.file("ten.kdtrace")) << "no trace";
  for (int time = 0; time < 2; ++time) {
    const SavedRun run = opened(folder, saved);
    REQUIRE(run.recording);
    CHECK(run.recording->trace->header.tree_hash == recorded.trace->header.tree_hash);
    CHECK(all(run).find("ten.kdtrace") != std::string::npos);
    std::filesystem::remove(folder.file("ten.kdtrace"));
  }
}

TEST_CASE("a lesson that is missing or damaged is said, and its run opens") {
  const test::TemporaryFolder folder;
  SavedSession saved = session_of("wald-10");
  saved.session.lesson = "mine/lesson";
  CHECK(all(opened(folder, saved)).find("there is no lesson 'mine/lesson'") != std::string::npos);
  LessonCatalogue damaged;
  damaged.problems.push_back({ErrorKind::bad_input, "a missing field", "/lessons/mine/lesson.md:3", ""});
  const SavedRun run = opened(folder, saved, damaged);
  CHECK(all(run).find("lesson.md:3: a missing field") != std::string::npos);
  CHECK(run.recording);
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const LessonCatalogue shipped = read_lessons(lessons_folder());
  saved.session.lesson = shipped.lessons.front().id;
  saved.session.run = {};  // the state after damage
  const SavedRun lesson = opened(folder, saved, shipped);
  REQUIRE(lesson.recording);
  REQUIRE(lesson.lesson);
  CHECK(lesson.recording->trace->header.algorithm == lesson.lesson->algorithm);
}

TEST_CASE("marks that the run does not have are left out and said") {
  const test::TemporaryFolder folder;
  SavedSession saved = session_of("wald-10");
  saved.place.step = 5000;
  saved.session.bookmarks = {{2, "kept"}, {6000, "lost"}};
  saved.place.baseline = {ComparedWith::bookmark, 6000};
  for (const Selection& selection :
       {Selection{Space::point, 10}, Selection{Space::position, 8, "", 3},
        Selection{Space::position, 1, "", ~std::uint64_t{0}}, Selection{Space::node, 1u << 30},
        Selection{Space("sideways"), 0}, Selection{Space::count, 0, "no array"}, Selection{Space::point, 1, "", 0}}) {
    saved.place.selection = selection;
    const SavedRun run = opened(folder, saved);
    REQUIRE(run.recording);
    CHECK(run.problems.size() == 3);
    CHECK(run.saved.place.step == run.recording->trace->steps.size() - 1);
    CHECK((run.saved.session.bookmarks == std::vector<Bookmark>{{2, "kept"}}));
    CHECK((run.saved.place.baseline == Baseline{}));
    CHECK_FALSE(run.saved.place.selection);
  }
}

TEST_CASE("what was selected at a later step stays selected at a step before it is there") {
  const test::TemporaryFolder folder;
  SavedSession saved = session_of("wald-10");
  for (const Selection& selection : {Selection{Space::node, 5}, Selection{Space::position, 2, "", 3}}) {
    saved.place.selection = selection;
    const SavedRun run = opened(folder, saved);
    REQUIRE(run.recording);
    CHECK(run.problems.empty());
    CHECK(run.saved.place.selection == selection);
  }
}

TEST_CASE("what cannot be run as it was is run as it can be") {
  const test::TemporaryFolder folder;
  SavedSession saved = session_of("wald-10");
  saved.session.run.parameters = {{"colour", "mauve"}};
  const SavedRun defaults = opened(folder, saved);
  CHECK(defaults.recording);
  CHECK(all(defaults).find("defaults") != std::string::npos);
  saved = session_of("/gone.csv");
  saved.edited_points = own_set({1, 2, 3, 4, 5, 6});
  const SavedRun edited = opened(folder, saved);
  REQUIRE(edited.recording);
  CHECK(edited.recording->trace->header.n == 3);
  CHECK_FALSE(edited.saved.edited_points);
  saved.session.run.algorithm = "abacus";
  CHECK_FALSE(opened(folder, saved).recording);
}
