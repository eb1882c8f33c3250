// Tests that contents of untrusted files, names and lessons reach the terminal as text, never as terminal commands.

#include <cstdlib>

#include "algorithms/trace/trace_file.hpp"
#include "app/cli/printable_stream.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/support/cases.hpp"
#include "walkthroughs/reader/lesson.hpp"

using namespace kdscope;
using namespace kdscope::tests;
namespace fs = std::filesystem;

namespace {

const std::string escape =
    "\x1b]0;PWNED\x07\xc2\x9b"
    "31m\xe2\x80\xae";
const std::string shown = "\\x1b]0;PWNED\\x07\\u009b31m\\u202e";

bool is_harmless(const std::string& text) {
  for (const char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f) return false;
  return !contains(text, "\xc2\x9b") && !contains(text, "\xe2\x80\xae");
}

}  // namespace

TEST_CASE("escapes in data files and in names of files and commands are printed as texts, on one line") {
  const Folder folder;
  const std::string ply = folder.file("esc.ply"), pcd = folder.file("esc.pcd");
  const std::string odd = folder.file("a\nb" + escape + ".csv");
  put(ply, "ply\nformat ascii 1.0\nelement fac" + escape +
               " 3\nproperty float x\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n");
  put(pcd, "VERSION 0.7\nFIELDS x " + escape +
               " z\nSIZE 4 9 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 1\nHEIGHT 1\nPOINTS 1\nDATA ascii\n1 2 3\n");
  for (const std::string& data : {ply, pcd, odd, folder.file("no\nsuch" + escape)}) {
    const CommandRun r = run({"build", "--data", data, "--backend", "cpu"});
    INFO(r.err);
    CHECK(r.code == 3);
    CHECK(is_harmless(r.err));
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
    CHECK(contains(r.err, "\\x1b]0;PWNED"));
  }
  CHECK(contains(run({"do" + escape}).err, shown));
  put(odd, "0,1\n1,0\n16777217,0.5\n");
  const CommandRun warned = run({"build", "--data", odd, "--backend", "cpu"});
  REQUIRE(warned.code == 0);
  CHECK(contains(warned.err, "warning: "));
  CHECK(is_harmless(warned.out + warned.err));
  CHECK(contains(warned.err, "a\\nb" + shown));
}

LESSON_CASE("a lesson's title is printed as a text, and a damaged lesson costs the exit code") {
  const Folder folder;
  fs::create_directories(folder.path / "a");
  ::setenv("KDSCOPE_LESSONS", folder.path.c_str(), 1);
  put(folder.file("a/good.md"),
      "---\ntitle: \"T\\e]0;PWNED\\a\"\nsource: S\ndata: wald-10\nalgorithm: wald\n---\n"
      "## A\n```stop\nselect: a\n```\nWords.\n");
  const CommandRun good = run({"list", "lessons"});
  put(folder.file("a/bad.md"), "---\n,\n---");
  const CommandRun one_damaged = run({"list", "lessons"}), json = run({"list", "lessons", "--json"});
  ::unsetenv("KDSCOPE_LESSONS");
  CHECK(good.code == 0);
  CHECK(good.out == "a/good  T\\x1b]0;PWNED\\x07 (S): 1 stops on wald-10\n");
  CHECK(one_damaged.code == 3);
  CHECK(one_damaged.out == good.out);
  CHECK(contains(one_damaged.err, "bad.md:2: "));
  CHECK(json.code == 3);
  CHECK(JsonReader::read(json.out).list.size() == 1);
}

TRACE_CASE("a trace's texts are printed as texts, and its JSON holds them unchanged") {
  const Folder folder;
  const std::string path = folder.file("t.kdtrace");
  REQUIRE(run({"record", "--data", "wald-10", "--algorithm", "wald", "--backend", "cpu", "-o", path}).code == 0);
  Trace trace = **load_trace(path);
  trace.header.title = "T" + escape;
  trace.header.data_set = "D\n" + escape;
  trace.header.device = escape;
  trace.steps[0].title = escape;
  trace.steps[0].name = trace.steps[0].path.back() = "sort" + escape;
  REQUIRE(save_trace(trace, path));
  const CommandRun text = run({"show", path, "--all"}), list = run({"show", path});
  const CommandRun json = run({"show", path, "--json"});
  REQUIRE((text.code == 0 && list.code == 0 && json.code == 0));
  CHECK(is_harmless(text.out));
  CHECK(contains(text.out, "\n" + shown + "\n"));
  CHECK(is_harmless(list.out));
  CHECK(list.out.starts_with("T" + shown + " ("));
  CHECK(contains(list.out, "\nD\\n" + shown + ": 10 points"));
  CHECK(is_harmless(json.out));
  CHECK(contains(json.out, "\\u202e"));
  JsonReader::read(json.out);
}

TEST_CASE("the filter of what is printed keeps characters that are written in pieces") {
  std::stringbuf target;
  {
    cli::PrintableBuffer buffer(target);
    std::ostream out(&buffer);
    for (const char c : "\xe2\x86\x92 \xf0\x9f\x8c\xb3\n" + escape) out << c;
    out << "\xe2"
        << "\x86"
        << "\x92"
        << "\xe2\x80"
        << "x"
        << "\xc3" << std::flush;
  }
  CHECK(target.str() == "\xe2\x86\x92 \xf0\x9f\x8c\xb3\n" + shown + "\xe2\x86\x92\\xe2\\x80x\\xc3");
}
