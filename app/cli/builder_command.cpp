// builder: the files of a new builder in a source tree, as a copy of the smallest one that compiles and passes its
// test.

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "algorithms/registry/registry.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/quotes.hpp"
#include "app/cli/commands.hpp"

namespace kdscope::cli {
namespace {

namespace fs = std::filesystem;

/// The builder that new ones begin as.
constexpr const char* smallest_builder = "textbook";

/// Names that a namespace in kdscope cannot have, or that mean something else there.
constexpr const char* taken_names[] = {
    "arrays",   "auto",   "bool",      "break",   "case",     "catch",    "char",   "class",   "cli",      "const",
    "continue", "core",   "default",   "delete",  "do",       "double",   "else",   "enum",    "exec",     "explicit",
    "export",   "extern", "false",     "float",   "for",      "friend",   "goto",   "if",      "inline",   "int",
    "library",  "long",   "namespace", "new",     "operator", "private",  "public", "queries", "register", "return",
    "short",    "signed", "sizeof",    "static",  "std",      "steps",    "struct", "switch",  "template", "test",
    "this",     "throw",  "trace",     "tree",    "trees",    "true",     "try",    "typedef", "typename", "union",
    "unsigned", "using",  "variants",  "virtual", "void",     "volatile", "web",    "while"};

struct NewFile {
  fs::path path;
  std::string text;
};

Result<void> check_id(const std::string& id) {
  bool is_valid = !id.empty() && std::islower(static_cast<unsigned char>(id.front())) && !id.ends_with('-') &&
                  id.find("--") == id.npos;
  for (const char c : id)
    is_valid = is_valid &&
               (std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) || c == '-');
  if (!is_valid)
    return Error{ErrorKind::bad_usage, kdscope::quoted(id) + " cannot be the id of a builder", "",
                 "take small letters, digits and single hyphens, and begin with a letter: my-median"};
  for (const char* name : taken_names)
    if (id == name)
      return Error{ErrorKind::bad_usage, kdscope::quoted(id) + " has another meaning in C++ or in kdscope", "",
                   "add a word: my-" + id};
  if (find_algorithm(id))
    return Error{ErrorKind::bad_usage, "there is a builder " + kdscope::quoted(id), "", "choose another id"};
  return {};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
  return text;
}

Result<std::string> file_text(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf()))
    return Error{ErrorKind::bad_usage, "cannot be read", path.string(),
                 "give the folder of kdscope's sources in --in: the one with algorithms/, app/ and tests/"};
  return text.str();
}

/// Returns code of the smallest builder as that of a new one. Prose keeps its words.
std::string renamed(std::string text, const std::string& id, const std::string& name) {
  const std::string old = smallest_builder;
  for (const auto& [from, to] :
       {std::pair(old + "/" + old + ".hpp", id + "/" + name + ".hpp"), std::pair(old + "_test", name + "_test"),
        std::pair(old + "::", name + "::"), std::pair("::" + old, "::" + name), std::pair(old + "/", id + "/"),
        std::pair("\"" + old, "\"" + id)})
    text = replaced(std::move(text), from, to);
  const std::string mark = "#pragma once\n", note = "// Begun as a copy of the builder " + old + ".\n";
  return text.starts_with(mark) ? mark + note + text.substr(mark.size()) : text.starts_with("//") ? note + text : text;
}

std::string readme(const std::string& id, const std::string& name) {
  return "# `" + id + "`: a title\n\n" +
         "## What it builds\n\nA left-balanced kd-tree in level order. Name the source here.\n\n"
         "## How it works\n\nOne paragraph for each kind of step, and the work and depth of the whole.\n\n"
         "## Parameters\n\nNone.\n\n"
         "## Limits and memory\n\nFloat and int32 points of 1 to 8 dimensions. State the memory per point.\n\n"
         "## Equal coordinates and determinism\n\nEqual coordinates are ordered by original index.\n\n"
         "## Departures from the source\n\nWhat the source does, what this builder does, and why.\n\n"
         "## Measurements\n\n`kdscope-cli build --algorithm " +
         id +
         " --data uniform:n=100000,dim=3 --repeat 11` times it on your machine.\n\n"
         "## Checks and tests\n\n`tests/builders/" +
         name +
         "_test.cpp` compares the trees with the plain recursive reference and with\n"
         "`tests/golden/wald-trees.txt`, and damages recorded states.\n";
}

/// Returns the files of a new builder below the folder of the sources.
Result<std::vector<NewFile>> files_of(const std::string& id, const fs::path& sources) {
  const std::string name = replaced(id, "-", "_"), old = smallest_builder;
  const fs::path from = sources / "algorithms/builders" / old, to = sources / "algorithms/builders" / id;
  std::vector<NewFile> files;
  for (const auto& [original, copy] :
       {std::pair(from / (old + ".hpp"), to / (name + ".hpp")), std::pair(from / "recording.hpp", to / "recording.hpp"),
        std::pair(from / "registration.cpp", to / "registration.cpp"),
        std::pair(from / "pseudocode.txt", to / "pseudocode.txt"),
        std::pair(sources / "tests/builders" / (old + "_test.cpp"),
                  sources / "tests/builders" / (name + "_test.cpp"))}) {
    auto text = value_of(file_text(original));
    files.push_back({copy, renamed(std::move(text), id, name)});
  }
  std::string& declared = files[2].text;
  declared = replaced(declared, "\"Median split, one thread per node\", \"Bentley 1975\"",
                      "\"A title for " + id + "\", \"Author Year\"");
  files.push_back({to / "README.md", readme(id, name)});
  return files;
}

Result<ExitCode> run_builder(const Arguments& arguments, Console& console) {
  if (arguments.operand(0) != "new" || arguments.operand_count() != 2)
    return Error{ErrorKind::bad_usage, "builder takes the word new and the id of the builder", "",
                 "for example kdscope-cli builder new my-median"};
  const std::string id = arguments.operand(1);
  ensure(check_id(id));
  const auto files = value_of(files_of(id, arguments.text("--in", ".")));
  for (const NewFile& file : files)
    if (std::error_code ignored; fs::exists(file.path, ignored))
      return Error{ErrorKind::bad_usage, "is there already", file.path.string(), "choose another id, or remove it"};
  for (const NewFile& file : files) {
    std::error_code ignored;
    fs::create_directories(file.path.parent_path(), ignored);
    std::ofstream out(file.path);
    if (!(out << file.text) || !out.flush())
      return Error{ErrorKind::io_failure, "cannot be written", file.path.string(), "check the folder and the disk"};
    console.out << printable(file.path.string()) << "\n";
  }
  console.out << "Configure and build as before; the list of builders is made from the folders. The new one builds the "
                 "tree of "
              << smallest_builder << " until you change it.\n";
  return exit_ok;
}

}  // namespace

Command builder_command() {
  return {{"builder",
           "write the files of a new builder into kdscope's sources",
           "new ID writes six files: the construction, what its steps show, its registration, its pseudo-code, its "
           "README and its test. They compile and pass their test at once, because they begin as a copy of the "
           "smallest builder; algorithms/builders/README.md says what to put in their place. To replace only a stage, "
           "in a file of its own and without a build of kdscope, see kdscope-cli variant.",
           {{"ACTION", "new."}, {"ID", "The builder: small letters, digits and hyphens."}},
           {{"--in", "FOLDER", "The folder of kdscope's sources. Default: this one."}},
           {"builder new my-median", "builder new my-median --in ~/kdscope"}},
          run_builder};
}

}  // namespace kdscope::cli
