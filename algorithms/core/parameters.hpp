#pragma once
// The parameters of procedures: what each may be, the texts that people give, and the typed record that is made of them
// once. Stages after that read the record.

#include <any>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// A value that a choice parameter may take.
struct Choice {
  std::string value;
  std::string help;  ///< one sentence
};

/// A parameter of a procedure: a choice if `choices` is not empty, otherwise an integer in [min, max].
struct ParameterSpec {
  std::string name;
  std::string title;
  std::string help;
  std::string default_value;
  std::vector<Choice> choices;
  std::int64_t min = 0, max = 0;
  bool automatic = false;  ///< "auto" is also allowed; the registry replaces it by a value before a run
  std::vector<std::string> candidates =
      {};  ///< values that a search on a device tries for "auto"; empty if a search is not worthwhile
};

/// The text of an automatic parameter whose value is not chosen yet.
inline constexpr const char* automatic_value = "auto";

/// The texts of parameters by name.
using Parameters = std::map<std::string, std::string>;

/// Options of one run of a procedure, made once from its parameters (OptionTable). Only code of the procedure reads
/// the record, which has a type of its own.
class TypedOptions {
 public:
  TypedOptions() = default;
  /// texts: of all parameters of the record.
  template <class Options>
  TypedOptions(Parameters texts, Options record) : texts_(std::move(texts)), record_(std::move(record)) {}
  /// All parameters as texts, for people and files; "auto" where no value is chosen yet.
  const Parameters& texts() const { return texts_; }
  bool empty() const { return !record_.has_value(); }
  /// Returns the record. Throws std::bad_any_cast if it has another type.
  template <class Options>
  const Options& as() const {
    return std::any_cast<const Options&>(record_);
  }

 private:
  Parameters texts_;
  std::any record_;
};

/// The options of a procedure without parameters.
struct NoOptions {};

/// Returns the integer in a text for a parameter without choices, or nullopt if the text is not an integer in the
/// parameter's range.
std::optional<std::int64_t> integer_of(const ParameterSpec& spec, std::string_view text);

/// Returns whether a parameter may have the value in this text.
bool allows(const ParameterSpec& spec, std::string_view text);

/// Returns "radix, comparator or bitonic".
std::string alternatives(const std::vector<std::string>& names);

/// The error of a parameter that a procedure does not have. owner: the procedure's id.
Error no_such_parameter(const std::string& owner, const std::vector<ParameterSpec>& specs, const std::string& name);
/// The error of a text that allows() refuses; it names the permitted values.
Error refused_value(const ParameterSpec& spec, const std::string& text);

/// Completes texts with defaults, for forms and files. owner: the procedure's id. Errors: the two above.
Result<Parameters> complete_parameters(const std::string& owner, const std::vector<ParameterSpec>& specs,
                                       const Parameters& given);

}  // namespace kdscope
