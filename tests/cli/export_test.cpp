// export: pages of lessons and of the course, and what is refused.

#include "algorithms/text/json_value.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/support/cases.hpp"
#include "visualizer/web/html_text.hpp"
#include "walkthroughs/reader/lesson.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

/// A folder of lessons in the place of the shipped ones, until the end of a block.
struct Lessons {
  Folder folder;
  Lessons() { ::setenv("KDSCOPE_LESSONS", folder.path.c_str(), 1); }
  ~Lessons() { ::unsetenv("KDSCOPE_LESSONS"); }
  void add(const std::string& id, const std::string& text) {
    const std::filesystem::path path = folder.path / (id + ".md");
    std::filesystem::create_directories(path.parent_path());
    put(path.string(), text);
  }
};

/// Chooses the file of the engine.
struct ChosenEngine {
  explicit ChosenEngine(const std::string& path) { ::setenv("KDSCOPE_ENGINE", path.c_str(), 1); }
  ~ChosenEngine() { ::unsetenv("KDSCOPE_ENGINE"); }
};

const std::string shipped = KDSCOPE_SOURCE_DIR "/walkthroughs/";

}  // namespace

LESSON_CASE("a lesson becomes one page") {
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  const Folder folder;
  const CommandRun r =
      run({"export", "lesson", "wald/six-points", "--web", folder.file("six.html"), "--backend", "cpu"});
  INFO(r.err);
  REQUIRE(r.code == cli::exit_ok);
  CHECK(r.out.find("six.html  Six points and their tree, ") != std::string::npos);
  CHECK(content_of(folder.file("six.html")).starts_with("<!DOCTYPE html>"));
  CHECK(folder.names() == std::vector<std::string>{"six.html"});
}

LESSON_CASE("pages get the engine: one inside, those of a course one beside them; without it, they are static") {
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  const Folder folder;
  const std::string page = folder.file("six.html");
  const std::string engine = "// kdscope engine " KDSCOPE_VERSION ", sources 1\nrun();\n";
  const std::vector<std::string> words{"export", "lesson", "wald/six-points", "--web", page, "--backend", "cpu"};
  const ChosenEngine chosen(folder.file("engine.js"));
  CommandRun r = run(words);
  CHECK(r.code == cli::exit_ok);
  CHECK(r.err.find("the pages are static: ") != std::string::npos);
  CHECK(r.err.find("engine.js") != std::string::npos);
  const std::string alone = content_of(page);
  CHECK(alone.find("wasm-unsafe-eval") == std::string::npos);

  put(folder.file("engine.js"), "// kdscope engine 0.0.9, sources 1\nrun();\n");
  r = run(words);
  CHECK(r.err.find("is not the engine of kdscope " KDSCOPE_VERSION "; build it with: ") != std::string::npos);
  CHECK(content_of(page) == alone);

  put(folder.file("engine.js"), engine);
  r = run(words);
  CHECK(r.code == cli::exit_ok);
  CHECK(r.err.empty());
  CHECK(content_of(page).find(engine) != std::string::npos);
  CHECK(content_of(page).find(" 'wasm-unsafe-eval'; worker-src blob:; ") != std::string::npos);
  std::vector<std::string> without = words;
  without.push_back("--static");
  CHECK(run(without).err.empty());
  CHECK(content_of(page) == alone);

  Lessons lessons;
  lessons.add("wald/six-points", content_of(shipped + "wald/six-points.md"));
  CHECK(run({"export", "course", "--web", folder.file("course"), "--backend", "cpu"}).code == cli::exit_ok);
  CHECK(content_of(folder.file("course/kdscope-engine.js")) == engine);
  const std::string of_course = content_of(folder.file("course/wald-six-points.html"));
  CHECK(of_course.find("src=\"kdscope-engine.js\"") != std::string::npos);
  CHECK(of_course.find(engine) == std::string::npos);
}

LESSON_CASE(
    "a course has a page per lesson and an index; a lesson that fails is reported, and the others are written") {
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  Lessons lessons;
  const std::string six = content_of(shipped + "wald/six-points.md");
  lessons.add("wald/six-points", six);
  std::string other = six;
  other.replace(other.find("title:"), 6, "title: Other,");
  lessons.add("wald/other", other);
  const Folder folder;
  const std::vector<std::string> words{"export", "course", "--web", folder.file("course"), "--backend", "cpu"};
  CommandRun r = run(words);
  INFO(r.err);
  CHECK(r.code == cli::exit_ok);
  const std::string index = content_of(folder.file("course/index.html"));
  CHECK(index.find("href=\"wald-six-points.html\"") != std::string::npos);
  CHECK(index.find("href=\"wald-other.html\"") != std::string::npos);
  CHECK(content_of(folder.file("course/wald-other.html")).find("\"index\":{\"file\":\"index.html\"") !=
        std::string::npos);

  // A lesson between two others fails: the others link one another, the index names it, and no link leads to it.
  std::string misfit = six;
  misfit.replace(misfit.find("select: "), 8, "select: level 77 / ");
  misfit.replace(misfit.find("title:"), 6, "title: Misfit,");
  lessons.add("wald/misfit", misfit);
  std::string after = other;
  after.replace(after.find("builds_on: textbook/first-tree"), 30, "builds_on: wald/misfit wald/six-points");
  lessons.add("wald/other", after);
  lessons.add("wald/damaged", "no front matter");
  put((lessons.folder.path / "course.yaml").string(),
      "title: Three\nparts:\n  - title: One part\n    lessons: [wald/six-points, wald/misfit, wald/other]\n");
  const std::string stale = folder.file("course/wald-misfit.html");
  r = run(words);
  INFO(r.err);
  CHECK(r.code == cli::exit_bad_input);
  CHECK(r.err.find("wald/misfit: ") != std::string::npos);
  CHECK(r.err.find("damaged.md") != std::string::npos);
  CHECK(r.err.find("2 lessons have no page, see above; the index lists them, and no link leads to them") !=
        std::string::npos);
  const std::string whole = content_of(folder.file("course/index.html"));
  CHECK(whole.find("<h1>Three</h1>") != std::string::npos);
  CHECK(whole.find("<h2>One part</h2>") != std::string::npos);
  CHECK(whole.find("Without a page") != std::string::npos);
  CHECK(whole.find("could not be exported: ") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(stale));
  const std::string first = content_of(folder.file("course/wald-six-points.html")),
                    last = content_of(folder.file("course/wald-other.html"));
  CHECK(first.find("\"next\":{\"file\":\"wald-other.html\"") != std::string::npos);
  CHECK(last.find("\"previous\":{\"file\":\"wald-six-points.html\"") != std::string::npos);
  CHECK(last.find("\"builds_on\":[[\"wald/six-points\",{\"file\":\"wald-six-points.html\"") != std::string::npos);
  for (const std::string& page : {whole, first, last}) CHECK(page.find("wald-misfit.html") == std::string::npos);
}

LESSON_CASE("a trace becomes a page with every step, and a long one a page of evenly spread steps") {
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  if (!trace_files_available()) KDSCOPE_SKIP("this build has no HDF5");
  const Folder folder;
  const std::string trace = folder.file("run.kdtrace"), page = folder.file("run.html");
  const auto exported = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "record");
    words.insert(words.end(), {"--backend", "cpu", "-o", trace});
    REQUIRE(run(words).code == cli::exit_ok);
    const CommandRun r = run({"export", "trace", trace, "--web", page, "--static"});
    INFO(r.err);
    REQUIRE(r.code == cli::exit_ok);
    const std::string html = content_of(page), begin = "id=\"data\">";
    const std::size_t at = html.find(begin) + begin.size();
    return JsonValue::parse(html.substr(at, html.find("</script>", at) - at));
  };
  JsonValue data = exported({"--data", "wald-10"});
  CHECK(data.at("steps").items().size() == load_trace(trace).value()->steps.size());
  CHECK(data.at("stops").integer(0, 1000) == 0);
  data = exported({"--data", "uniform:n=600,dim=2", "--query", "0.5,0.5", "--question", "ball", "--radius", "1"});
  REQUIRE(load_trace(trace).value()->steps.size() > 200);
  CHECK(data.at("steps").items().size() == 200);
  CHECK(data.at("stops").integer(0, 1000) == 200);
}

LESSON_CASE("what cannot be exported is refused in one sentence") {
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  const Folder folder;
  const std::string page = folder.file("page.html");
  CHECK(refusal({"export", "film", "--web", page}, 2).find("choose lesson, course or trace") != std::string::npos);
  CHECK(refusal({"export", "lesson", "--web", page}, 2).find("no lesson is named") != std::string::npos);
  CHECK(refusal({"export", "lesson", "wald/none", "--web", page}, 2).find("wald/none") != std::string::npos);
  CHECK(refusal({"export", "trace", "--web", page}, 2).find("no trace is named") != std::string::npos);
  CHECK(refusal({"export", "trace", "none.kdtrace", "--web", page}, 3).find("none.kdtrace") != std::string::npos);
  CHECK(refusal({"export", "lesson", "wald/six-points"}, 2).find("--web") != std::string::npos);
  CHECK(refusal({"export", "course", "wald/six-points", "--web", page}, 2).find("has no id") != std::string::npos);
  CHECK(
      refusal({"export", "lesson", "wald/six-points", "--web", folder.file("no/page.html")}, 5).find("no/page.html") !=
      std::string::npos);
  put(folder.file("file"), "");
  CHECK(refusal({"export", "course", "--web", folder.file("file/course")}, 5).find("cannot be created") !=
        std::string::npos);
  CHECK(folder.names() == std::vector<std::string>{"file"});
}
