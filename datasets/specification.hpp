#pragma once
// Reads and writes the parameters of a specification, `name:key=value,key=value`, against what a source declares.

#include <map>
#include <string>
#include <string_view>

#include "datasets/datasets.hpp"

namespace kdscope {

/// The parameters of one source, all of them, checked; defaults for those that the specification leaves out.
class ParameterValues {
 public:
  /// Parses "key=value,key=value" (may be empty); items without "=" belong to the list before them. `source` must
  /// outlive the values. Throws ErrorException: unknown or repeated parameter, no number, out of range, unknown choice.
  ParameterValues(const DataSource& source, std::string_view text);

  std::int64_t integer(const std::string& name) const;
  const std::string& text(const std::string& name) const { return values_.at(name); }
  /// The items of a list, as they are written; none if it is empty.
  std::vector<std::string> list(const std::string& name) const;
  /// The values of all parameters, by name.
  const std::map<std::string, std::string>& all() const { return values_; }
  /// The specification with every parameter written out, in declared order, but for one that plays no part.
  std::string canonical(const std::string& without = {}) const;

  /// The share of the points that a generator is to make, which is no part of the specification.
  std::uint32_t part = 0, parts = 1;

 private:
  const DataSource& source_;
  std::map<std::string, std::string> values_;
};

/// Writes a specification of a source or file. Leaves out parameters at their defaults, so that names stay short.
std::string specification_of(const std::string& name, const std::vector<DataParameter>& parameters,
                             const std::map<std::string, std::string>& values);

/// The ids nearest to a mistyped name, at most three, nearest first; all of them when none is near.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& names);

/// "a, b or c".
std::string listed(const std::vector<std::string>& names);

}  // namespace kdscope
