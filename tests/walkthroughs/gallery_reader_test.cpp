#include <fstream>

#include "tests/support/cases.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"
#include "walkthroughs/reader/gallery.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope::gallery_reader_test {

namespace {

const std::string front =
    "---\ntitle: A title\nsource: \"Wald 2023\"\nvariant: some.cu\ndata: wald-10\n"
    "diverges: {step: \"build / level 0 / update tags\", array: tags, index: 6}\n"
    "fix: {line: 2, wrong: \"i <= pivot\", right: \"i < pivot\"}\n---\n";
const std::string body = "## Story\n\nOnce.\n\n## Exercise\n\nWhich?\n\n## Solution\n\nThat one.\n";

std::string without(const std::string& text, const std::string& part, const std::string& instead = "") {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return std::string(text).replace(at, part.size(), instead);
}

}  // namespace

LESSON_CASE("an entry of the gallery is read whole") {
  const auto entry = parse_gallery_entry(front + body, "/some/where/less-or-equal.md").value();
  CHECK(entry.id == "less-or-equal");
  CHECK(entry.variant == "/some/where/some.cu");
  CHECK(entry.symptom.array == "tags");
  CHECK(entry.symptom.index == 6);
  REQUIRE(entry.fix);
  CHECK(entry.fix->line == 2);
  CHECK(entry.story == "Once.");
  CHECK(entry.exercise == "Which?");
  CHECK(entry.solution == "That one.");
  CHECK(with_fix("a\nif (i <= pivot)\n", *entry.fix) == "a\nif (i < pivot)\n");
  CHECK_FALSE(with_fix("if (i <= pivot)\n", *entry.fix));                      // on another line
  CHECK_FALSE(with_fix("a\nif (i <= pivot)\nif (i <= pivot)\n", *entry.fix));  // twice
  CHECK_FALSE(with_fix("a\nb\n", *entry.fix));
}

LESSON_CASE("a damaged entry of the gallery gets one sentence with its line") {
  const std::string whole = front + body;
  const std::pair<std::string, const char*> damaged[] = {
      {"", "begins with a line '---'"},
      {without(whole, "title: A title\n"), "title"},
      {without(whole, "variant: some.cu", "variant: ../some.cu"), "no name of a file"},
      {without(whole, "index: 6", "index: six"), "index"},
      {without(whole, "diverges: {step: \"build / level 0 / update tags\", array: tags, index: 6}\n"),
       "either 'diverges', 'fails' or 'crashes'"},
      {without(whole, "data:", "crashes: {step: a, contains: b}\ndata:"), "either 'diverges', 'fails' or 'crashes'"},
      {without(whole, "## Exercise"), "'## Exercise'"},
      {without(whole, "That one.\n"), "no text below '## Solution'"},
      {without(whole, "line: 2", "line: 0"), "line"},
  };
  for (const auto& [text, words] : damaged) {
    const auto entry = parse_gallery_entry(text, "x.md");
    INFO(words);
    REQUIRE_FALSE(entry);
    CHECK(entry.error().kind == ErrorKind::bad_input);
    CHECK(entry.error().message().find(words) != std::string::npos);
    CHECK(entry.error().where.starts_with("x.md"));
  }
}

LESSON_CASE("a damaged entry does not hide the others, and no lesson is looked for in the gallery") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path / "gallery");
  std::ofstream(folder.path / "gallery/b.md") << front + body;
  std::ofstream(folder.path / "gallery/a.md") << front + body;
  std::ofstream(folder.path / "gallery/c.md") << "nothing";
  const Gallery gallery = read_gallery((folder.path / "gallery").string());
  REQUIRE(gallery.entries.size() == 2);
  CHECK(gallery.entries[0].id == "a");
  REQUIRE(gallery.problems.size() == 1);
  CHECK(gallery.problems[0].where == (folder.path / "gallery/c.md").string() + ":1");
  CHECK(read_lessons(folder.path.string()).problems.empty());
  CHECK(read_gallery(folder.file("none")).problems.size() == 1);
}

LESSON_CASE("every shipped entry is read, and its fix fits its variant") {
  const Gallery gallery = read_gallery(gallery_folder());
  for (const Error& problem : gallery.problems) FAIL_CHECK(problem.message());
  CHECK_FALSE(gallery.entries.empty());
  for (const GalleryEntry& entry : gallery.entries) {
    INFO(entry.id);
    const std::string text = test::content_of(entry.variant);
    REQUIRE_FALSE(text.empty());
    REQUIRE(entry.fix);
    CHECK(with_fix(text, *entry.fix));
    CHECK(std::count(text.begin(), text.end(), '\n') <= 60);
  }
}

}  // namespace kdscope::gallery_reader_test
