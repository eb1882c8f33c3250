#pragma once
// Runs command lines in this process and captures their output.

#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trees/tree.hpp"
#include "app/cli/commands.hpp"
#include "tests/cli/json_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace kdscope::tests {

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct CommandRun {
  int code = 0;
  std::string out, err;
};

inline CommandRun run(const std::vector<std::string>& words, std::stop_token stop = {}) {
  std::ostringstream out, err;
  cli::Console console{out, err, std::move(stop)};
  const int code = cli::run_command_line(words, console);
  return {code, out.str(), err.str()};
}

using Folder = test::TemporaryFolder;
using test::content_of;
using test::put;

/// Returns the run of a command that must exit with this code.
inline CommandRun ended(const std::vector<std::string>& words, int code = 0) {
  CommandRun r = run(words);
  INFO(r.out << r.err);
  REQUIRE(r.code == code);
  return r;
}

/// Returns the message of a command that must exit with this code.
inline std::string refusal(const std::vector<std::string>& words, int code) { return ended(words, code).err; }

/// Verifies a file, which must fail, and returns what is printed.
inline std::string failures(const std::string& path, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"verify", path};
  words.insert(words.end(), more.begin(), more.end());
  const CommandRun r = ended(words, 4);
  return r.out;
}

/// Writes a text with its first `from` replaced.
inline void put_replaced(const std::string& path, const std::string& text, const std::string& from,
                         const std::string& to) {
  put(path, test::replaced(text, from, to));
}

/// A replacement in the text of a good file, and a part of what its verification prints then.
struct Replacement {
  const char *from, *to, *printed;
};
/// Verifies a file after each replacement alone, which must exit with this code: 4 if it fails, 3 if it is refused.
inline void check_replaced(const std::string& path, const std::string& good, int code,
                           std::initializer_list<Replacement> replacements) {
  for (const auto& [from, to, printed] : replacements) {
    put_replaced(path, good, from, to);
    INFO(from << " becomes " << to);
    CHECK(contains(code == 4 ? failures(path) : refusal({"verify", path}, code), printed));
  }
}

/// Writes a trace whose array of this name is changed at the end, and returns what its verification prints.
template <class Change>
std::string failures_with(const Trace& trace, const std::string& name, Change change, const std::string& path) {
  Trace other = trace;
  for (Trace::Array& array : other.arrays) {
    if (array.info.name != name) continue;
    TypedArray values = contents_at(array, static_cast<std::uint32_t>(trace.steps.size() - 1));
    change(values);
    array.versions.back() = {array.versions.back().step, true, values.size(), {}, values};
  }
  REQUIRE(save_trace(other, path));
  return failures(path);
}

/// Verifies the file of a tree, alone and with its data, and checks that the printed facts are true of the tree.
inline void check_verified(const std::string& path, const std::string& data, const Tree& tree, std::size_t points) {
  char hash[20];
  std::snprintf(hash, sizeof hash, "0x%016llx", static_cast<unsigned long long>(tree_hash(tree)));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"verify", path, "--json"}, {"verify", path, "--data", data, "--json"}}) {
    const CommandRun r = ended(words);
    const Json report = JsonReader::read(r.out);
    CHECK(report["passed"].truth);
    CHECK(report["n"].number == static_cast<double>(points));
    if (points > 0) CHECK(report["tree_hash"].text == hash);
  }
}

/// Checks that a truncated file is rejected with a sentence. A file with a flipped bit must be rejected, fail the
/// verification, or be another valid file; it must never crash the verifier.
inline void check_damage(const std::string& path) {
  const std::string bytes = content_of(path);
  for (std::size_t length = 0; length < bytes.size(); length += 7) {
    put(path, bytes.substr(0, length));
    INFO(length << " bytes");
    refusal({"verify", path}, 3);
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
    put(path, changed);
    const int code = run({"verify", path}).code;
    REQUIRE((code == 0 || code == 3 || code == 4));
  }
}

}  // namespace kdscope::tests
