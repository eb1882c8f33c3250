#pragma once
// Declarative command lines: one description of a command defines its parser, its --help and its error messages.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// An option of a command: `--data SPEC`, or a flag when `value` is empty.
struct Option {
  std::string name;   ///< "--data", or "-o"
  std::string value;  ///< placeholder for the value in --help; empty for flags; "[=VALUE]" if it may be left out
  std::string help;   ///< what it does, its default, its range
  bool required = false;
  bool repeatable = false;
  std::string group = {};  ///< heading in --help for this option and those after it; empty: the previous heading

  /// "--data SPEC", "--json", "--sanitize[=TOOLS]".
  std::string use() const { return name + (value.empty() || value.starts_with("[=") ? "" : " ") + value; }
};

/// A word of a command line that is not an option.
struct Operand {
  std::string name;
  std::string help;
  bool required = true;
  bool repeatable = false;  ///< the last one only: any number of words

  /// "NAME", "[NAME]", "[NAME...]".
  std::string use() const {
    const std::string all = name + (repeatable ? "..." : "");
    return required ? all : "[" + all + "]";
  }
};

/// A command as --help explains it.
struct CommandSpec {
  std::string name;
  std::string summary;      ///< one line, for the list of commands
  std::string description;  ///< sentences
  std::vector<Operand> operands;
  std::vector<Option> options;
  std::vector<std::string> examples;  ///< without the program's name
  std::string program = {};           ///< the program that has this command; empty: `name` is the program
  std::string notes = {};             ///< sentences after the options

  /// "kdscope-cli build".
  std::string called() const { return program.empty() ? name : program + " " + name; }
};

/// The words of a command line, sorted by the option that they belong to.
class Arguments {
 public:
  bool has(const std::string& option) const { return values_.count(option) > 0; }
  /// The value given, the last one if there are several; `fallback` if there is none.
  std::string text(const std::string& option, const std::string& fallback = "") const;
  std::vector<std::string> all(const std::string& option) const;
  /// An integer in [min, max]. A suffix K, M or G multiplies by 2^10, 2^20 or 2^30 if `bytes` is set, otherwise by
  /// 10^3, 10^6 or 10^9.
  Result<std::uint64_t> integer(const std::string& option, std::uint64_t fallback, std::uint64_t min, std::uint64_t max,
                                bool bytes = false) const;
  /// A list "10K,100K" of such integers, none twice.
  Result<std::vector<std::uint64_t>> integers(const std::string& option, const std::vector<std::uint64_t>& fallback,
                                              std::uint64_t min, std::uint64_t max) const;
  /// `count` finite numbers, separated by commas; empty if the option was not given.
  Result<std::vector<double>> numbers(const std::string& option, std::size_t count, const std::string& example) const;
  /// The same for each time that the option was given.
  Result<std::vector<std::vector<double>>> all_numbers(const std::string& option, std::size_t count,
                                                       const std::string& example) const;
  /// One of `choices`; empty if the option was not given.
  Result<std::string> choice(const std::string& option, const std::vector<std::string>& choices) const;
  /// The values of a repeatable option NAME=VALUE. Errors name a word of another form, or a name that is given twice.
  Result<std::map<std::string, std::string>> named_values(const std::string& option, const std::string& example) const;
  std::size_t operand_count() const { return operands_.size(); }
  /// Operand i; empty if it was left out.
  std::string operand(std::size_t i) const { return i < operands_.size() ? operands_[i] : std::string(); }
  /// Operand i and those after it.
  std::vector<std::string> operands_from(std::size_t i) const {
    return {operands_.begin() + static_cast<std::ptrdiff_t>(std::min(i, operands_.size())), operands_.end()};
  }

 private:
  friend Result<Arguments> parse_arguments(const CommandSpec&, const std::vector<std::string>&);
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> operands_;
};

/// Parses the words after a command's name. `--name=value` and `--name value` are the same; `--` ends the options.
/// Empty values are rejected. Errors of kind bad_usage name the word, and for an unknown option the nearest one.
Result<Arguments> parse_arguments(const CommandSpec& spec, const std::vector<std::string>& words);

/// The command's --help.
std::string help_text(const CommandSpec& spec);

}  // namespace kdscope
