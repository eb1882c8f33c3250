// Tests that the reports of commands on traces are true: failed checks with their places, differences, and JSON that
// any reader accepts.

#include <algorithm>
#include <cstring>

#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/cli/failed_checks.hpp"
#include "datasets/datasets.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/cli/json_reader.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/point_algorithms.hpp"
#include "tests/support/recorded.hpp"
#include "tests/support/share.hpp"
#include "walkthroughs/reader/lesson.hpp"

using namespace kdscope;
using namespace kdscope::tests;

#ifdef KDSCOPE_HAS_HDF5
namespace {

std::string recorded(const Folder& folder, const std::string& name, std::vector<std::string> options, int code = 0) {
  const std::string path = folder.file(name);
  options.insert(options.begin(), "record");
  options.insert(options.end(), {"--backend", "cpu", "-o", path});
  const CommandRun r = run(options);
  INFO(r.out << r.err);
  REQUIRE(r.code == code);
  return path;
}

Trace::Array& array_of(Trace& trace, std::string_view name) {
  return *std::find_if(trace.arrays.begin(), trace.arrays.end(),
                       [&](const Trace::Array& a) { return a.info.name == name; });
}

Json json_of(const std::vector<std::string>& words, int code = 0) {
  const CommandRun r = run(words);
  INFO(r.err);
  REQUIRE(r.code == code);
  return JsonReader::read(r.out);
}

}  // namespace

TEST_CASE("record and verify list every failed check with its step and place") {
  const Folder folder;
  // Use ten points with so few keys that two of them are on the wrong side.
  const std::string path = folder.file("wrong.kdtrace");
  const std::vector<std::string> words{
      "record",  "--algorithm", "wehr",      "--data", "wald-10", "--param", "keys=quantized",
      "--param", "f=3",         "--backend", "cpu",    "-o",      path};
  const CommandRun r = run(words);
  CHECK(r.code == 4);
  const std::string where =
      "step 12 (build / level 3 / create nodes), kd-order: 2 of 10 points lie on a wrong side; the first is node 10";
  CHECK(contains(r.out, "FAILED " + where));
  std::vector<std::string> as_json = words;
  as_json.emplace_back("--json");
  const Json report = json_of(as_json, 4);
  REQUIRE(report["failures"].list.size() == 1);
  CHECK(report["failures"].list[0]["step"].number == 12);
  CHECK(report["failures"].list[0]["name"].text == "kd-order");
  CHECK(report["failures"].list[0]["violations"].number == 2);
  CHECK(report["failures"].list[0]["array"].text == "tree");
  CHECK(report["failures"].list[0]["index"].number == 10);

  // Plant more than one failed check, one of which names an element.
  Trace trace = **load_trace(path);
  trace.steps[3].checks.push_back({"planted", "planted", false, "index[7] is 3, a second time"});
  REQUIRE(save_trace(trace, path));
  const CommandRun verified = run({"verify", path});
  INFO(verified.out);
  CHECK(verified.code == 4);
  CHECK(contains(verified.out, "ok      file: "));
  CHECK(contains(verified.out, "step 3 (build / level 0 / insertion sort), planted: index[7] is 3, a second time\n"));
  CHECK(contains(verified.out, where));
  CHECK_FALSE(contains(verified.out, "damaged"));
  CHECK(contains(
      verified.out,
      "The file is whole, but the run is wrong: 2 of 32 recorded checks failed, and 1 check of its tree fails.\n"));
  const Json found = json_of({"verify", path, "--json"}, 4);
  REQUIRE(found["failures"].list.size() == 2);
  CHECK(found["failures"].list[0]["array"].text == "index");
  CHECK(found["failures"].list[0]["index"].number == 7);
  CHECK(contains(run({"show", path}).out, "  3  build / level 0 / insertion sort  [1 check failed]\n"));
}

TEST_CASE("verify holds sound traces for sound: of no triangles, of no points, of few steps") {
  const Folder folder;
  const std::string none =
      recorded(folder, "none.kdtrace", {"--algorithm", "zhou-sah", "--data", "triangles:kind=none"});
  for (const std::string& path : {none, recorded(folder, "empty.kdtrace", {"--data", "uniform:n=0"}),
                                  recorded(folder, "thin.kdtrace", {"--data", "wald-10", "--thin"})}) {
    const CommandRun r = run({"verify", path});
    INFO(r.out);
    CHECK(r.code == 0);
    CHECK(contains(r.out, "The file is whole, and the run satisfies every check.\n"));
  }
}

TEST_CASE("verify names the element that makes the last state no tree, and calls no whole file damaged") {
  const Folder folder;
  const std::string path = recorded(folder, "ten.kdtrace", {"--data", "wald-10"});
  const Trace good = **load_trace(path);
  const auto planted = [&](const char* array, std::size_t element, std::uint32_t value) {
    Trace trace = good;
    Cursor end(std::make_shared<const Trace>(good));
    end.seek(end.step_count());
    TypedArray contents = *end.array(array);
    std::memcpy(contents.bytes().data() + 4 * element, &value, 4);
    ArrayVersion& last = array_of(trace, array).versions.back();
    last.keyframe = true;
    last.ranges.clear();
    last.values = std::move(contents);
    REQUIRE(save_trace(trace, path));
    const CommandRun r = run({"verify", path});
    CHECK(r.code == 4);
    CHECK_FALSE(contains(r.out + r.err, "damaged"));
    return r.out + r.err;
  };
  // Plant faults of failing builders: a duplicate point, a parent from another tree, and a point that does not exist.
  CHECK(contains(planted("index", 3, 1), "FAILED  permutation"));
  CHECK(contains(planted(partition_arrays::parent, 5, 1),
                 "array partition.parent: element 5 is not the parent of node 5 in level order"));
  const std::string there_is_not = planted("index", 3, 99);
  INFO(there_is_not);
  CHECK(contains(there_is_not, "element 3 names point 99 of 10"));
  Trace trace = good;
  array_of(trace, "index").versions.clear();
  REQUIRE(save_trace(trace, path));
  CHECK(contains(run({"verify", path}).out, "array index: no step wrote it"));
}

TEST_CASE("places are found where a detail begins with an element") {
  const Folder folder;
  const auto trace = load_trace(recorded(folder, "ten.kdtrace", {"--data", "wald-10"}));
  const auto place = [&](const char* detail) {
    const auto found = cli::place_in(**trace, detail);
    return found ? found->array + " " + std::to_string(found->index) : std::string();
  };
  CHECK(place("tags[984] is 62 in the segment of 61") == "tags 984");
  CHECK(place("data[i].x[3] is 40") == "data[i].x 3");
  for (const char* none : {"", "position 7", "tgas[984] is 62", "tags[x] is", "tags[9",
                           "tags[99999999999999999999] is 1", "the tags[9] are"})
    CHECK(place(none).empty());
}

TEST_CASE("diff reports hashes and numbers of steps that differ, whatever arrays are compared") {
  const Folder folder;
  const std::string a = recorded(folder, "a", {"--data", "wald-10"}),
                    b = recorded(folder, "b", {"--data", "wald-10", "--param", "split=widest"});
  const CommandRun tags = run({"diff", a, b, "--array", "tags"});
  CHECK(tags.code == 0);
  CHECK(contains(tags.out, "tree hash: 0x6d90ec375a3273fd in " + a + ", 0x7c3dff4d239b5288 in " + b + "\n"));
  CHECK(contains(tags.out, "tags is equal at the 10 steps of the same name\ncompared only tags\n"));
  const CommandRun all = run({"diff", a, b});
  CHECK(all.code == 4);
  CHECK(contains(all.out, "array split_dim: only in " + b + "\n"));
  CHECK_FALSE(json_of({"diff", a, b, "--array", "tags", "--json"})["equal"].truth);

  // The first steps of a run are not a complete run.
  Trace cut = **load_trace(a);
  cut.steps.pop_back();
  for (Trace::Array& array : cut.arrays)
    while (!array.versions.empty() && array.versions.back().step >= cut.steps.size()) array.versions.pop_back();
  REQUIRE(save_trace(cut, b));
  const CommandRun shorter = run({"diff", a, b});
  CHECK(shorter.code == 4);
  CHECK(shorter.out == "steps: 10 in " + a + ", 9 in " + b +
                           "\nthe arrays that both traces hold are equal at the 9 steps that both have\n");
  CHECK(contains(run({"diff", a, b, "--array", "tags"}).out, "steps: 10 in "));
  Trace other = **load_trace(a);
  other.header.tree_hash ^= 1;
  REQUIRE(save_trace(other, b));
  CHECK(run({"diff", a, b}).code == 4);
  other.header.tree_hash ^= 1;
  other.steps[2].checks[0].passed = false;
  REQUIRE(save_trace(other, b));
  CHECK(contains(run({"diff", a, b}).out, "failed checks: 0 in " + a + ", 1 in " + b));
}

LESSON_CASE("the JSON of every lesson's run is JSON", "[share]") {
  const Folder folder;
  for (const Lesson& lesson : test::shown_lessons(read_lessons(KDSCOPE_SOURCE_DIR "/walkthroughs"))) {
    INFO(lesson.id);
    std::vector<std::string> options{"--algorithm", lesson.algorithm, "--data", lesson.data};
    for (const auto& [name, value] : lesson.parameters) options.insert(options.end(), {"--param", name + "=" + value});
    const std::string path = recorded(folder, "lesson.kdtrace", options);
    const Json report = json_of({"show", path, "--all", "--json"});
    CHECK_FALSE(report["steps"].list.empty());
  }
}

TEST_CASE("the JSON of runs over parts of every scene is JSON", "[share]") {
  const Folder folder;
  const std::string path = folder.file("scene.kdtrace");
  std::size_t scenes = 0;
  for (const DataSource& source : data_sources()) {
    if (!source.has_triangles || source.id == "triangles") continue;
    if (scenes++ % test::every_nth(4) != 0) continue;
    INFO(source.id);
    // Take forty of the set's triangles, as flat and as different in size as the whole set.
    const auto whole = open_data_set(source.id).value();
    auto some = std::make_shared<DataSet>();
    some->name = source.id;
    some->points.dim = whole->points.dim;
    const std::size_t all = whole->triangles.size() / 3, every = std::max<std::size_t>(1, all / 40);
    for (std::size_t t = 0; t < all; t += every)
      for (std::size_t c = 0; c < 3; ++c) {
        some->triangles.push_back(static_cast<std::uint32_t>(some->triangles.size()));
        for (std::uint32_t d = 0; d < some->points.dim; ++d)
          some->points.words.push_back(
              word_of(static_cast<float>(whole->points.value(whole->triangles[3 * t + c], d))));
      }
    REQUIRE(save_trace(*recorded(some, "zhou-sah", {{"small", "8"}, {"chunk", "4"}}), path));
    CHECK_FALSE(json_of({"show", path, "--all", "--json"})["steps"].list.empty());
  }
  CHECK(scenes >= 8);
}

TEST_CASE("show prints the identities of Table 1 as they were written, and a dash for what is not there") {
  const Folder folder;
  const std::string path = recorded(
      folder, "z.kdtrace", {"--algorithm", "zhou-sah", "--data", "zhou-8", "--param", "small=3", "--param", "chunk=2"});
  const CommandRun boxes = run({"show", path, "--step", "level 1 / node boxes / pass 1", "--arrays", "result.box"});
  INFO(boxes.out << boxes.err);
  CHECK(contains(boxes.out, "result.box.low.x :  inf  8\n"));
  CHECK(contains(boxes.out, "result.box.high.x: -inf 16\n"));
  const Json report = json_of({"show", path, "--step", "level 1 / node boxes / pass 1", "--json"});
  const Json& rows = report["steps"].list[0]["rows"];
  CHECK(rows["result.box.low.x"].list[0].text == "inf");
  CHECK(rows["result.box.high.x"].list[0].text == "-inf");
  CHECK(rows["result.box.low.x"].list[1].number == 8);
  const CommandRun early =
      run({"show", path, "--step", "level 0 / node boxes / pass 0", "--arrays", "result[owner].left"});
  INFO(early.out << early.err);
  CHECK(contains(early.out, "result[owner].left: - - - -\n"));
  const Json derived = json_of({"show", path, "--step", "level 0 / node boxes / pass 0", "--json"});
  CHECK(derived["steps"].list[0]["rows"]["result[owner].left"].list[0].kind == Json::Kind::null);
}

TEST_CASE("show prints the build and the source that a trace holds, and none of its own") {
  const Folder folder;
  const std::string path = recorded(folder, "ten.kdtrace", {"--data", "wald-10"});
  Trace trace = **load_trace(path);
  CHECK(contains(run({"show", path}).out, "built from " + text_of(trace.header.build) + "\n"));
  for (RecordedSource& source : trace.header.sources)
    if (source.region == "wald/update_tags") source.text = "another variant\n", source.first_line = 7;
  trace.header.build.commit = "abcdef0123";
  REQUIRE(save_trace(trace, path));
  const CommandRun r = run({"show", path, "--step", "level 0 / update tags", "--source"});
  CHECK(contains(r.out, "algorithms/builders/wald/update_tags.hpp, from line 7:\nanother variant\n"));
  const Json report = json_of({"show", path, "--source", "--json"});
  CHECK(report["build"]["commit"].text == "abcdef0123");
  CHECK(report["sources"].list.size() == trace.header.sources.size());
  // Reports distinguish two builds, but the runs count as equal if their contents are.
  const std::string again = recorded(folder, "again.kdtrace", {"--data", "wald-10"});
  const CommandRun both = run({"diff", again, path});
  CHECK(both.code == 0);
  CHECK(contains(both.out, "equal: 10 steps"));
  CHECK(contains(both.out, ", commit abcdef0"));
  CHECK(contains(both.out, "source wald/update_tags: different text in " + path + "\n"));
  const CommandRun old = run({"show", KDSCOPE_SOURCE_DIR "/tests/trace/format-3.kdtrace", "--source"});
  CHECK(old.code == 0);
  CHECK(contains(old.out, "(the trace does not hold the source wald/"));
  CHECK_FALSE(contains(old.out, "built from"));
}

TEST_CASE("show prints a window of columns") {
  const Folder folder;
  const std::string path = recorded(folder, "ten.kdtrace", {"--data", "wald-10"});
  const auto shown = [&](std::vector<std::string> more, int code = 0) {
    more.insert(more.begin(), {"show", path, "--step", "0", "--arrays", "data[i].x"});
    const CommandRun r = run(more);
    CHECK(r.code == code);
    return r.out + r.err;
  };
  CHECK(contains(shown({"--columns", "3-5"}), "array-idx:  3  4  5\ndata[i].x: 40 25 15\n(columns 3 to 5 of 10)\n"));
  CHECK(contains(shown({"--columns", "8-100"}), "array-idx:  8  9\n"));
  CHECK(contains(shown({"--columns", "100-200"}), "(no array has columns 100 to 200 at this step)\n"));
  CHECK(contains(shown({"--columns", "5-3"}, 2), "a first and a last column such as 980-990"));
  CHECK(contains(shown({"--columns", "3-5", "--full"}, 2), "exclude each other"));
  CHECK(JsonReader::read(shown({"--columns", "3-5", "--json"}))["steps"].list[0]["rows"]["data[i].x"].list.size() == 3);
}
#endif
