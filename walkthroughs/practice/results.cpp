#include "walkthroughs/practice/results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "algorithms/core/byte_hash.hpp"
#include "algorithms/text/json.hpp"
#include "algorithms/text/json_value.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "datasets/loaders/utf16.hpp"

namespace kdscope {
namespace {

constexpr std::string_view file_kind = "kdscope results";
constexpr std::int64_t format_version = 1;
constexpr std::int64_t most_exact = std::int64_t{1} << 53;
constexpr std::array outcomes{Outcome::right, Outcome::wrong, Outcome::revealed, Outcome::skipped};
constexpr std::array answer_kinds{AnswerKind::positions, AnswerKind::points, AnswerKind::nodes, AnswerKind::cell,
                                  AnswerKind::split,     AnswerKind::number, AnswerKind::words, AnswerKind::choice};

bool was_answered(Outcome outcome) { return outcome == Outcome::right || outcome == Outcome::wrong; }

/// Returns a text as a file stores it: at most `most` bytes of whole characters, with U+FFFD for bytes that are not
/// UTF-8. The text reads back as it is.
std::string stored(std::string_view text, std::size_t most = longest_result_text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = length == 0 ? "\xef\xbf\xbd" : text.substr(0, length);
    if (result.size() + character.size() > most) break;
    result += character;
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}

// Writing: an answer has only the members that its kind uses.

void write_answer(const GivenAnswer& given, JsonWriter& json) {
  json.begin_object();
  json.member("kind", name_of(given.kind));
  switch (given.kind) {
    case AnswerKind::cell:
      json.member("row", stored(given.row));
      [[fallthrough]];
    case AnswerKind::positions:
    case AnswerKind::points:
    case AnswerKind::nodes: {
      const std::size_t count = std::min(given.elements.size(), most_answered_elements);
      json.member("elements", std::vector<std::uint32_t>(given.elements.begin(),
                                                         given.elements.begin() + static_cast<std::ptrdiff_t>(count)));
      break;
    }
    case AnswerKind::split:
      json.member("dimension", given.dimension);
      [[fallthrough]];
    case AnswerKind::number:
      // JSON has no NaN; a missing number stands for it.
      if (std::isfinite(given.number)) json.member("number", given.number);
      break;
    case AnswerKind::words:
      json.member("text", stored(given.text));
      break;
    case AnswerKind::choice:
      json.member("choice", given.choice);
      break;
  }
  json.end_object();
}

void write_attempt(const Attempt& attempt, JsonWriter& json) {
  json.begin_object();
  json.member("lesson", stored(attempt.lesson));
  json.member("stop", stored(attempt.stop));
  json.member("question", attempt.question);
  json.member("asked", stored(attempt.asked));
  json.member("outcome", name_of(attempt.outcome));
  if (was_answered(attempt.outcome)) {
    json.key("given");
    write_answer(attempt.given, json);
  }
  json.member("hinted", attempt.hinted);
  json.member("seconds", std::clamp(attempt.seconds, -most_exact, most_exact));
  json.end_object();
}

/// Writes everything, with one attempt per line. seal: empty in the canonical form, which the hash is computed from.
std::string written(const Results& results, const std::string& seal) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  json.member("file", file_kind);
  json.member("version", format_version);
  json.member("student", stored(results.student, longest_student));
  json.key("attempts");
  json.begin_array();
  const std::size_t count = std::min(results.attempts.size(), most_attempts);
  for (std::size_t i = 0; i < count; ++i) {
    out << '\n';
    write_attempt(results.attempts[i], json);
  }
  json.end_array();
  out << '\n';
  if (!seal.empty()) json.member("seal", seal);
  json.end_object();
  out << '\n';
  return out.str();
}

std::string seal_of(const Results& results) {
  const std::string canonical = written(results, "");
  ByteHash hash;
  hash.add(canonical.data(), canonical.size());
  return hash_text(hash.state());
}

// Reading: every member must be known and in its range, so that nothing of a file is silently ignored.

void check_members(const JsonValue& object, std::initializer_list<std::string_view> known) {
  const auto& members = object.members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string& name = members[i].first;
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw JsonError("an unknown member '" + printable(stored(name, 40)) + "'");
    for (std::size_t j = 0; j < i; ++j)
      if (members[j].first == name) throw JsonError("two members '" + name + "'");
  }
}

std::string text_member(const JsonValue& object, std::string_view name, std::size_t longest = longest_result_text) {
  const std::string& text = object.at(name).text();
  if (text.size() > longest)
    throw JsonError("more than " + std::to_string(longest) + " bytes in '" + std::string(name) + "'");
  return text;
}

std::uint32_t id_member(const JsonValue& value) {
  return static_cast<std::uint32_t>(value.integer(0, std::numeric_limits<std::uint32_t>::max()));
}

template <class Enum, std::size_t n>
Enum named(const JsonValue& value, const std::array<Enum, n>& all, const char* what) {
  for (const Enum one : all)
    if (value.text() == name_of(one)) return one;
  throw JsonError("an unknown " + std::string(what) + " '" + printable(stored(value.text(), 40)) + "'");
}

GivenAnswer answer_in(const JsonValue& object) {
  GivenAnswer given;
  given.kind = named(object.at("kind"), answer_kinds, "kind of answer");
  switch (given.kind) {
    case AnswerKind::positions:
    case AnswerKind::points:
    case AnswerKind::nodes:
    case AnswerKind::cell:
      if (given.kind == AnswerKind::cell) {
        check_members(object, {"kind", "row", "elements"});
        given.row = text_member(object, "row");
      } else {
        check_members(object, {"kind", "elements"});
      }
      if (object.at("elements").items().size() > most_answered_elements)
        throw JsonError("more than " + std::to_string(most_answered_elements) + " elements in an answer");
      for (const JsonValue& element : object.at("elements").items()) given.elements.push_back(id_member(element));
      break;
    case AnswerKind::split:
    case AnswerKind::number:
      if (given.kind == AnswerKind::split) {
        check_members(object, {"kind", "dimension", "number"});
        given.dimension = id_member(object.at("dimension"));
      } else {
        check_members(object, {"kind", "number"});
      }
      given.number = object.find("number") ? object.at("number").number() : std::numeric_limits<double>::quiet_NaN();
      break;
    case AnswerKind::words:
      check_members(object, {"kind", "text"});
      given.text = text_member(object, "text");
      break;
    case AnswerKind::choice:
      check_members(object, {"kind", "choice"});
      given.choice = id_member(object.at("choice"));
      break;
  }
  return given;
}

Attempt attempt_in(const JsonValue& object) {
  Attempt attempt;
  attempt.outcome = named(object.at("outcome"), outcomes, "outcome");
  if (was_answered(attempt.outcome)) {
    check_members(object, {"lesson", "stop", "question", "asked", "outcome", "given", "hinted", "seconds"});
    attempt.given = answer_in(object.at("given"));
  } else {
    check_members(object, {"lesson", "stop", "question", "asked", "outcome", "hinted", "seconds"});
  }
  attempt.lesson = text_member(object, "lesson");
  attempt.stop = text_member(object, "stop");
  attempt.question = id_member(object.at("question"));
  attempt.asked = text_member(object, "asked");
  attempt.hinted = object.at("hinted").boolean();
  attempt.seconds = object.at("seconds").integer(-most_exact, most_exact);
  return attempt;
}

/// Returns whether a text lacks the end of a result file. The quotes of a member's name occur in no text inside JSON,
/// where quotes are escaped.
bool is_cut_short(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return text.find("\"seal\":") == text.npos || last == text.npos || text[last] != '}';
}

}  // namespace

Result<void> check_student(const std::string& name) {
  const auto refused = [](const char* what) {
    return Error{ErrorKind::bad_usage, what, "", "write the name on one line, in at most 200 bytes"};
  };
  if (name.find_first_not_of(' ') == name.npos) return refused("a result file needs the student's name");
  if (name.size() > longest_student) return refused("the student's name is too long");
  if (printable(name) != name) return refused("the student's name has characters that cannot be printed");
  return {};
}

std::string attempt_text(const Attempt& attempt) {
  std::ostringstream out;
  JsonWriter json(out);
  write_attempt(attempt, json);
  return out.str();
}

std::string results_text(const Results& results) { return written(results, seal_of(results)); }

Result<Results> read_results(const std::string& text, const std::string& path, SealCheck seal) {
  const auto refused = [&](const std::string& what, const std::string& remedy) {
    return Error{ErrorKind::bad_input, what, path, remedy};
  };
  const auto edited = [&](const std::string& what) {
    return refused("was edited or damaged after kdscope wrote it (" + what + ")", "ask the student for the file again");
  };
  if (text.size() > most_result_bytes) return refused("is too large for a result file", "name another file");
  if (text.find_first_not_of(" \t\r\n") == text.npos) return refused("is empty", "ask the student for the file again");
  if (is_utf16(text, "")) return refused("is in UTF-16", "save it in UTF-8");

  // The file's kind comes first, so that a file that is cut short is still recognised.
  const std::string beginning = text.substr(0, 200);
  if (beginning.find("\"" + std::string(file_kind) + "\"") == beginning.npos)
    return refused("is no result file of kdscope", "name a file that kdscope wrote as a student's results");
  try {
    const JsonValue file = JsonValue::parse(text);
    if (file.at("file").text() != file_kind) throw JsonError("another kind of file");
    const std::int64_t version = file.at("version").integer(1, most_exact);
    if (version > format_version)
      return refused("was written by a newer kdscope (version " + std::to_string(version) +
                         " of the format; this one " + "reads version " + std::to_string(format_version) + ")",
                     "read it with that version");
    check_members(file, {"file", "version", "student", "attempts", "seal"});
    Results results;
    results.student = text_member(file, "student", longest_student);
    if (const auto valid = check_student(results.student); !valid) throw JsonError(valid.error().what);
    const auto& attempts = file.at("attempts").items();
    if (attempts.size() > most_attempts) throw JsonError("more than " + std::to_string(most_attempts) + " attempts");
    results.attempts.reserve(attempts.size());
    for (const JsonValue& attempt : attempts) results.attempts.push_back(attempt_in(attempt));
    const std::string& found = file.at("seal").text();
    if (seal == SealCheck::compare && found != seal_of(results)) return edited("its seal does not match");
    return results;
  } catch (const JsonError& error) {
    if (is_cut_short(text)) return refused("is cut short", "ask the student for the whole file");
    return edited(error.what());
  }
}

}  // namespace kdscope
