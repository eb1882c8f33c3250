// Reads the entries of the gallery. Everything that is wrong is thrown with its line, and caught once.

#include <filesystem>
#include <regex>
#include <system_error>

#include "algorithms/text/printable_text.hpp"
#include "walkthroughs/reader/front_matter.hpp"
#include "walkthroughs/reader/gallery.hpp"

namespace kdscope {
namespace {

constexpr std::uint64_t largest_index = 0x7fffffff;

GalleryEntry::Symptom symptom_of(const YamlFields& fields, const MarkdownText& text) {
  const YamlField *diverges = find(fields, "diverges"), *fails = find(fields, "fails"),
                  *crashes = find(fields, "crashes");
  if ((diverges ? 1 : 0) + (fails ? 1 : 0) + (crashes ? 1 : 0) != 1)
    text.fail(1, "the front matter needs either 'diverges', 'fails' or 'crashes'");
  GalleryEntry::Symptom symptom;
  const YamlFields of = diverges ? diverges->fields({"step", "array", "index"}, {})
                        : fails  ? fails->fields({"step", "check"}, {})
                                 : crashes->fields({"step", "contains"}, {});
  symptom.step = of.at("step").text();
  if (diverges) {
    symptom.array = of.at("array").text();
    symptom.index = of.at("index").natural(0, largest_index);
  } else if (fails) {
    symptom.check = of.at("check").text();
  } else {
    symptom.crash = of.at("contains").text();
  }
  return symptom;
}

/// The text below a heading, up to the next one.
std::string section(const MarkdownText& text, const std::string& heading, std::size_t from) {
  const std::size_t begin = text.find("## " + heading, from);
  if (begin == text.size()) text.fail(MarkdownText::number_of(from), "there is no heading '## " + heading + "'");
  std::size_t end = begin + 1;
  while (end < text.size() && !text[end].starts_with("## ")) ++end;
  const std::string prose = text.prose(begin + 1, end);
  if (prose.empty()) text.fail(MarkdownText::number_of(begin), "there is no text below '## " + heading + "'");
  return prose;
}

GalleryEntry entry_of(const MarkdownText& text, const std::string& path) {
  const std::size_t body = text.end_of_front_matter("gallery entry");
  const YamlFields fields = yaml_block(text, 1, body, "the front matter")
                                .fields({"title", "source", "variant", "data"},
                                        {"parameters", "diverges", "fails", "crashes", "fix", "order"});
  GalleryEntry entry;
  const std::filesystem::path file(path);
  entry.id = file.stem().string();
  entry.title = fields.at("title").text();
  entry.source = fields.at("source").text();
  const std::string variant = fields.at("variant").text();
  if (std::filesystem::path(variant).filename() != variant)
    fields.at("variant").fail("'" + variant + "' is no name of a file in the same folder");
  entry.variant = (file.parent_path() / variant).string();
  entry.data = fields.at("data").text();
  std::error_code failed;  // a path that cannot be looked up names no file
  if (const auto beside = file.parent_path() / entry.data; std::filesystem::is_regular_file(beside, failed))
    entry.data = beside.string();
  if (const YamlField* given = find(fields, "parameters"))
    for (const auto& [name, value] : given->pairs()) entry.parameters[name] = value.text();
  entry.symptom = symptom_of(fields, text);
  if (const YamlField* given = find(fields, "order")) {
    static const std::regex known("descending|at once|shuffled \\d{1,9}");
    entry.order = given->text();
    if (!std::regex_match(entry.order, known))
      given->fail("'" + entry.order + "' is no order of lanes: descending, at once, or shuffled and a number");
  }
  if (const YamlField* given = find(fields, "fix")) {
    const YamlFields fix = given->fields({"line", "wrong", "right"}, {});
    entry.fix = GalleryEntry::Fix{static_cast<std::uint32_t>(fix.at("line").natural(1, largest_index)),
                                  fix.at("wrong").text(), fix.at("right").any_text()};
  }
  entry.story = section(text, "Story", body + 1);
  entry.exercise = section(text, "Exercise", body + 1);
  entry.solution = section(text, "Solution", body + 1);
  return entry;
}

}  // namespace

Result<GalleryEntry> parse_gallery_entry(const std::string& text, const std::string& path) try {
  return entry_of(MarkdownText(text), path);
} catch (const YamlFieldError& e) {
  return Error{ErrorKind::bad_input, e.text, path + ":" + std::to_string(e.line), e.remedy};
} catch (const YAML::Exception& e) {
  return Error{ErrorKind::bad_input, "the front matter cannot be used: " + printable(e.msg), path, ""};
}

}  // namespace kdscope
