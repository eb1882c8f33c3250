// Tests session files: the opened session equals the saved one, damage affects only one section, and a failed save
// keeps the old file.

#include "app/session/session_file.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <limits>
#include <set>

#include "algorithms/core/input_file.hpp"
#include "datasets/generators/counter_hash.hpp"
#include "tests/app/session_files.hpp"

using namespace kdscope;
using test::replaced;

namespace {

bool says(const std::vector<std::string>& problems, const std::string& text) {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const std::string& problem) { return problem.find(text) != std::string::npos; });
}

ReadSession parsed(const std::string& text) {
  auto read = parse_session(text, "s.kdsession");
  INFO(text.substr(0, 1500));
  if (!read) FAIL(read.error().message());
  return *read;
}

}  // namespace

TEST_CASE("a session reads back as it was saved, floats to the last bit") {
  const SavedSession saved = full_session();
  const std::string text = session_text(saved);
  const ReadSession read = parsed(text);
  INFO(text);
  CHECK(read.problems == std::vector<std::string>{});
  check_same(read.saved, saved);
  CHECK(text.find("\n71 3.5\n0.1 -1e+30\n1e-45 16777216\n") != std::string::npos);

  check_same(parsed(session_text(SavedSession())).saved, SavedSession());  // empty
  SavedSession integers;
  auto whole = std::make_shared<DataSet>();
  whole->points = points_from_rows<std::int32_t>(3, {std::numeric_limits<int>::min(), 0, -1, 2147483647, 7, 8});
  whole->column_names = {"a", "b: c", "\"d\""};
  integers.session.run.points = whole;
  check_same(parsed(session_text(integers)).saved, integers);
}

TEST_CASE("every 32-bit float that is finite reads back") {
  const CounterHash hash(7, 0);
  SavedSession saved;
  auto data = std::make_shared<DataSet>();
  for (std::uint64_t i = 0; data->points.words.size() < 20000; ++i) {
    const auto word = static_cast<std::uint32_t>(hash.bits(i));
    if (std::isfinite(scalar_value(word, ScalarType::float32))) data->points.words.push_back(word);
  }
  saved.session.run.points = data;
  check_same(parsed(session_text(saved)).saved, saved);
}

TEST_CASE("files are named from anywhere, generators as they are") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("scan.csv")) << "1,2\n";
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path);
  SavedSession saved;
  saved.session.run.data = "scan.csv";
  saved.session.trace_file = "sub/../ten.kdtrace";
  const ReadSession read = parsed(session_text(saved));
  saved.session.run.data = "uniform:n=10";
  const ReadSession generated = parsed(session_text(saved));
  std::filesystem::current_path(before);
  CHECK(std::filesystem::equivalent(read.saved.session.run.data, folder.file("scan.csv")));
  CHECK(std::filesystem::path(read.saved.session.trace_file).is_absolute());
  CHECK(read.saved.session.trace_file.ends_with("/ten.kdtrace"));
  CHECK(generated.saved.session.run.data == "uniform:n=10");
}

TEST_CASE("a damaged section is named and costs nothing else") {
  const SavedSession saved = full_session();
  const std::string text = session_text(saved);
  for (const std::string section :
       {"parameters", "backend", "thin", "search", "trace_budget_bytes", "step", "selection", "baseline", "bookmarks",
        "camera", "axes", "text_scale", "tree_hash", "data", "algorithm", "lesson", "theme", "layout", "file"})
    for (const std::string damage : {" [oops", " {a: *b}", " \xff\xfe{", " - - :", ""}) {
      INFO(section << ":" << damage);
      if (damage.starts_with(" \xff") &&
          std::set<std::string>{"data", "algorithm", "lesson", "theme", "layout", "file"}.contains(section))
        continue;                                              // any text is valid
      if (damage.empty() && section == "bookmarks") continue;  // its list is on the lines below
      const std::size_t at = text.find("\n" + section + ":") + section.size() + 2, end = text.find('\n', at);
      std::string broken = text;
      broken.replace(at, end - at, damage);
      const ReadSession read = parsed(broken);
      REQUIRE(!read.problems.empty());
      CHECK(says(read.problems, "'" + section + "'"));
      CHECK(read.saved.session.run.points != nullptr);
      if (section != "step") CHECK(read.saved.place.step == 3);
      if (section != "theme") CHECK(read.saved.session.looks.theme == "dark");
      if (section != "camera") CHECK(read.saved.session.looks.camera == saved.session.looks.camera);
      if (section != "bookmarks") CHECK((read.saved.session.bookmarks == saved.session.bookmarks));
    }
}

TEST_CASE("values out of range are refused one by one") {
  const std::string text = session_text(full_session());
  const std::pair<std::string, std::string> changes[] = {{"step: 3", "step: -3"},
                                                         {"step: 3", "step: 99999999999"},
                                                         {"text_scale: 150", "text_scale: 500"},
                                                         {"backend: cpu", "backend: abacus"},
                                                         {"processors: 2", "processors: 99999999999"},
                                                         {"space: position", "space: Sideways"},
                                                         {"with: bookmark", "with: tomorrow"},
                                                         {"scale: 0.7", "scale: .nan"},
                                                         {"scale: 0.7", "scale: 0"},
                                                         {"axes: [1, 0, -1]", "axes: [-5, 0, 1]"},
                                                         {"- {step: 1}", "- {step: x}"},
                                                         {"dim: 2", "dim: 0"}};
  for (const auto& [from, to] : changes) {
    INFO(to);
    const ReadSession read = parsed(replaced(text, from, to));
    REQUIRE(read.problems.size() == 1);
    CHECK(says(read.problems, ") is damaged: "));  // and the reason
  }
  CHECK(says(parsed(replaced(text, "scale: 0.7", "scale: 0")).problems, "'scale' must be greater than 0"));
  CHECK(parsed(replaced(text, "- {step: 1}", "- {step: x}")).saved.session.bookmarks.size() == 1);  // the other one
}

TEST_CASE("points that can be read are kept, and the others are counted") {
  const std::string text = session_text(full_session());
  for (const std::string bad : {"0.1 x", "0.1", "0.1 2 3", "nan 1", "1e99 1", "", "0.1,2"}) {
    INFO(bad);
    const ReadSession read = parsed(replaced(text, "0.1 -1e+30", bad));
    REQUIRE(read.saved.session.run.points);
    CHECK(read.saved.session.run.points->points.size() == 5);
    CHECK(says(read.problems, "its own points 5 of 6"));
    CHECK(says(read.problems, "line "));
  }
  const std::size_t edited = text.find("--- | # edited_points");
  const ReadSession cut = parsed(text.substr(0, edited));
  CHECK(says(cut.problems, "its edited points are missing"));
  CHECK(cut.saved.session.run.points->points.size() == 6);
  const ReadSession half =
      parsed(text.substr(0, text.find("\n16777216") == std::string::npos ? text.find("3 4\n5 6") : 0));
  CHECK(says(half.problems, "its own points 3 of 6"));
  const ReadSession headless = parsed(replaced(text, "\npoints: {", "\npoints: }{"));
  REQUIRE(headless.saved.session.run.points);  // the rows are sufficient
  CHECK(headless.saved.session.run.points->points.size() == 6);
}

TEST_CASE("a newer file is opened as far as it is known, and says so") {
  std::string text = replaced(session_text(full_session()), "kdscope_session: 1", "kdscope_session: 7");
  text = replaced(text, "\nstep:", "\nwormholes: {a: [1, 2]}\nstep:");
  const ReadSession read = parsed(text);
  CHECK(read.problems.size() == 2);
  CHECK(says(read.problems, "newer kdscope (format 7"));
  CHECK(says(read.problems, "'wormholes'"));
  check_same(read.saved, full_session());
}

TEST_CASE("thousands of unknown sections are named in part and counted") {
  const std::string good = session_text(full_session());
  const std::size_t end_of_head = good.find("--- | #");
  const auto with_unknown = [&](int count) {
    std::string head = good.substr(0, end_of_head);
    for (int i = 0; i < count; ++i) head += "s" + std::to_string(i) + ": 1\n  more of it\n";
    return parsed(head + good.substr(end_of_head));
  };
  const ReadSession four = with_unknown(4);
  REQUIRE(four.problems.size() == 4);
  CHECK(four.problems[2].starts_with("its section 's2' (line "));
  CHECK(four.problems[3] == "1 other section is unknown here too");
  const ReadSession many = with_unknown(300000);
  REQUIRE(many.problems.size() == 4);
  CHECK(many.problems[3] == "299997 other sections are unknown here too");
  check_same(many.saved, full_session());
  const ReadSession long_name = parsed(std::string(100000, 'k') + ": 1\n" + good);
  REQUIRE(long_name.problems.size() == 1);
  CHECK(long_name.problems[0].size() < 100);
  // The second of two sections with one name does not add to the first.
  const ReadSession twice = parsed(replaced(good, "\nstep: 3", "\nstep: 3\nstep: 4\n  5"));
  CHECK(twice.saved.place.step == 3);
}

TEST_CASE("a small session cannot ask for gigabytes") {
  const std::string good = session_text(full_session());
  const std::string text(300000, 't');
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& section) {
    const ReadSession read = parsed(replaced(good, from, to));
    REQUIRE(read.problems.size() == 1);
    CHECK(says(read.problems, "its section '" + section + "'"));
    return read;
  };
  std::string aliases = "- {step: 1, note: &a \"" + text + "\"}";
  for (int i = 2; i < 15000; ++i) aliases += "\n- {step: " + std::to_string(i) + ", note: *a}";
  CHECK(refused("- {step: 1}", aliases, "bookmarks").saved.session.bookmarks.empty());
  std::string parameters = "parameters: {a: &a \"" + text + "\"";
  for (int i = 0; i < 50000; ++i) parameters += ", p" + std::to_string(i) + ": *a";
  refused("parameters: {", parameters + ", ", "parameters");
  std::string columns = "count: 6, columns: [&a \"" + text + "\"";
  for (int i = 0; i < 50000; ++i) columns += ", *a";
  refused("count: 6", columns + "]", "points");
  refused("theme: \"dark\"", "theme: " + std::string(1 << 20, 'x'), "theme");
  refused("theme: \"dark\"", "theme: " + std::string(100, '[') + std::string(100, ']'), "theme");
  // Either all columns have names, or none has.
  const ReadSession three = parsed(replaced(good, "count: 6", "count: 6, columns: [a, b, c]"));
  CHECK(three.saved.session.run.points->column_names.empty());
}

TEST_CASE("what is no session is refused with a sentence") {
  for (const std::string text : {"", "\n\n", "x,y\n1,2\n", "a: b\n", "--- | # points\n1 2\n", "step: 4\n"}) {
    INFO(text);
    const auto read = parse_session(text, "f");
    REQUIRE_FALSE(read);
    CHECK(read.error().message().find("no session file") != std::string::npos);
  }
  CHECK_FALSE(read_session("/no/such.kdsession"));
  CHECK_FALSE(read_session("/tmp"));
  // The file is valid without its first line.
  const ReadSession read = parsed(replaced(session_text(full_session()), "kdscope_session: 1\n", ""));
  CHECK(says(read.problems, "format is missing"));
  CHECK(read.saved.place.step == 3);
}

TEST_CASE("a failed save keeps the old file and leaves nothing behind") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("s.kdsession");
  REQUIRE(save_session(full_session(), path));
  const std::string old = test::content_of(path);
  SavedSession other = full_session();
  other.place.step = 4;

  SECTION("disk full") {
    struct rlimit whole {};
    getrlimit(RLIMIT_FSIZE, &whole);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small{200, whole.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const auto saved = save_session(other, path);
    setrlimit(RLIMIT_FSIZE, &whole);
    std::signal(SIGXFSZ, handler);
    REQUIRE_FALSE(saved);
    CHECK(saved.error().message().find("the old file is unchanged") != std::string::npos);
  }
  SECTION("no permission") {
    // Become another user if this is root, which has all permissions.
    constexpr uid_t nobody = 65534;
    const bool root = ::geteuid() == 0;
    if (root) REQUIRE(::chown(folder.path.c_str(), nobody, static_cast<gid_t>(-1)) == 0);
    std::filesystem::permissions(folder.path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    if (root) REQUIRE(::seteuid(nobody) == 0);
    const auto saved = save_session(other, path);
    if (root) REQUIRE(::seteuid(0) == 0);
    REQUIRE_FALSE(saved);
    CHECK(saved.error().kind == ErrorKind::io_failure);
  }
  SECTION("folder missing, folder instead of a file, device") {
    for (const std::string& bad : {folder.file("no/such.kdsession"), folder.path.string(), std::string("/dev/full")}) {
      const auto saved = save_session(other, bad);
      REQUIRE_FALSE(saved);
      CHECK(saved.error().message().find(bad) != std::string::npos);
    }
  }
  CHECK(test::content_of(path) == old);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("what could not be opened again is not saved, and the old file stays") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("s.kdsession");
  REQUIRE(save_session(full_session(), path));
  const std::string old = test::content_of(path);
  const auto refused = [&](const SavedSession& saved) {
    const auto result = save_session(saved, path);
    REQUIRE_FALSE(result);
    CHECK(result.error().message().find("'bookmarks' would be too large") != std::string::npos);
    CHECK(result.error().message().find("shorten the notes") != std::string::npos);
    CHECK(test::content_of(path) == old);
  };
  SavedSession saved = full_session();
  saved.session.bookmarks = {{1, std::string(1 << 20, 'n')}};
  refused(saved);
  saved.session.bookmarks = {{1, std::string(300'000, '\x01')}};  // four bytes each in the file
  refused(saved);
  saved.session.bookmarks.clear();
  for (std::uint32_t step = 0; step < 100'000; ++step) saved.session.bookmarks.push_back({step, ""});
  refused(saved);
  // A little less can be saved and opened.
  saved.session.bookmarks = {{1, std::string((1 << 20) - 200, 'n')}};
  REQUIRE(save_session(saved, path));
  const auto read = read_session(path).value();
  CHECK(read.problems.empty());
  CHECK(read.saved.session.bookmarks == saved.session.bookmarks);
}

TEST_CASE("points whose columns have very long names are saved without the names") {
  auto data = std::make_shared<DataSet>(*own_set({1, 2, 3, 4}));
  data->column_names = {std::string(600'000, 'x'), "y"};
  SavedSession saved = full_session();
  saved.session.run.points = data;
  const test::TemporaryFolder folder;
  REQUIRE(save_session(saved, folder.file("s.kdsession")));
  const auto read = read_session(folder.file("s.kdsession")).value();
  CHECK(read.problems.empty());
  REQUIRE(read.saved.session.run.points);
  CHECK(read.saved.session.run.points->column_names.empty());
  CHECK(read.saved.session.run.points->points.words == data->points.words);
}

TEST_CASE("saving through a link keeps the link, and rights stay") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("s.kdsession"), link = folder.file("link.kdsession");
  REQUIRE(save_session(SavedSession(), path));
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::create_symlink(path, link);
  REQUIRE(save_session(full_session(), link));
  CHECK(std::filesystem::is_symlink(link));
  CHECK(test::content_of(path) == session_text(full_session()));
  CHECK((std::filesystem::status(path).permissions() & std::filesystem::perms::others_read) ==
        std::filesystem::perms::none);
}

TEST_CASE("a million own points are saved and read") {
  auto data = std::make_shared<DataSet>();
  data->points.dim = 3;
  const CounterHash hash(3, 0);
  for (std::uint64_t i = 0; i < 3'000'000; ++i)
    data->points.words.push_back(word_of(static_cast<float>(hash.bits(i) % 1'000'003) / 1'000'003));
  SavedSession saved;
  saved.session.run.points = data;
  const test::TemporaryFolder folder;
  REQUIRE(save_session(saved, folder.file("m.kdsession")));
  const auto read = read_session(folder.file("m.kdsession")).value();
  CHECK(read.problems.empty());
  CHECK((read.saved.session.run.points->points.words == data->points.words));
}
