#pragma once
// Runs command lines in this process and captures their output.

#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
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
#include "tests/support/temporary_folder.hpp"

namespace kdscope::tests {

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

inline std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

/// Returns the message of a command that must exit with this code.
inline std::string refusal(const std::vector<std::string>& words, int code) {
  const CommandRun r = run(words);
  INFO(r.out << r.err);
  REQUIRE(r.code == code);
  return r.err;
}

/// Verifies a file, which must fail, and returns what is printed.
inline std::string failures(const std::string& path, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"verify", path};
  words.insert(words.end(), more.begin(), more.end());
  const CommandRun r = run(words);
  INFO(r.out << r.err);
  REQUIRE(r.code == 4);
  return r.out;
}

/// Writes a text with its first `from` replaced.
inline void put_replaced(const std::string& path, std::string text, const std::string& from, const std::string& to) {
  INFO(from);
  REQUIRE(text.find(from) != std::string::npos);
  put(path, text.replace(text.find(from), from.size(), to));
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
    const CommandRun r = run(words);
    INFO(r.out << r.err);
    REQUIRE(r.code == 0);
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

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace kdscope::tests
