#pragma once
// Values of a YAML document, read strictly: a value without the expected form is reported with its line and name.

#include <cstdint>
#include <exception>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "walkthroughs/reader/bounded_yaml.hpp"

namespace kdscope {

/// The largest index of an element, a node or an occurrence that a file may name.
inline constexpr std::uint32_t max_index = 0x7fffffff;

/// What is wrong with a field. It may quote any bytes of the file, of any length: `text` is printable and bounded.
struct YamlFieldError : std::exception {
  YamlFieldError(int line_in_file, std::string_view problem, std::string advice);
  const char* what() const noexcept override { return text.c_str(); }

  int line;  ///< in the file, from 1
  std::string text, remedy;
};

/// A node of a YAML document, with its line and its name for messages. Every reader throws YamlFieldError if the node
/// does not have the form that it reads.
class YamlField {
 public:
  /// Reads a text as one document within the bounds of read_yaml(). `first_line` is the text's place in its file.
  static YamlField document(const std::string& text, int first_line, std::string name);

  int line() const { return line_; }
  const std::string& name() const { return name_; }
  [[noreturn]] void fail(const std::string& what, const std::string& remedy = "") const;

  /// The values of a mapping that has all of `required`, perhaps some of `optional`, and nothing else.
  std::map<std::string, YamlField> fields(const std::set<std::string>& required,
                                          const std::set<std::string>& optional) const;
  /// The same, but other keys may be there too: a newer program may have written them.
  std::map<std::string, YamlField> known_fields(const std::set<std::string>& required,
                                                const std::set<std::string>& optional) const;
  /// The entries of a mapping in their order; keys are texts and occur once.
  std::vector<std::pair<std::string, YamlField>> pairs() const;
  bool is_list() const { return node_.IsSequence(); }
  /// The entries of a list; of exactly `count` entries in the second form.
  std::vector<YamlField> items() const;
  std::vector<YamlField> items(std::size_t count) const;

  /// Any scalar as it is written; the second does not accept blank ones.
  std::string any_text() const;
  std::string text() const;
  /// text(), cut at white space.
  std::vector<std::string> words() const;
  bool boolean() const;
  /// A finite number.
  double real() const;
  /// The same of a part of the text.
  double real(const std::string& digits) const;
  /// A whole number from min to max.
  std::uint64_t natural(std::uint64_t min, std::uint64_t max) const { return natural(any_text(), min, max); }
  std::int64_t integer(std::int64_t min, std::int64_t max) const;
  /// The same of a part of the text.
  std::uint64_t natural(std::string_view digits, std::uint64_t min, std::uint64_t max) const;

 private:
  /// `at` is the node whose place in the document is this field's: for a value, its key.
  YamlField(YAML::Node node, const YAML::Node& at, int first_line, std::string name);
  std::map<std::string, YamlField> fields(const std::set<std::string>& required, const std::set<std::string>& optional,
                                          bool others) const;

  YAML::Node node_;
  int first_line_;  ///< of the document in its file
  int line_;
  std::string name_;
};

using YamlFields = std::map<std::string, YamlField>;

/// The field of a name, or null.
inline const YamlField* find(const YamlFields& fields, const std::string& name) {
  const auto found = fields.find(name);
  return found == fields.end() ? nullptr : &found->second;
}

}  // namespace kdscope
