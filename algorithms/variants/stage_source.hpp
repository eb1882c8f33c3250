#pragma once
// The stages of the builders that a variant may replace, found in the marked regions of their sources, and the files of
// variants made from them.

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope::variants {

/// A functor that a builder launches.
struct Stage {
  std::string name;        ///< "update_tags"
  std::string functor;     ///< "UpdateTags"
  std::string region;      ///< "wald/update_tags"
  std::string header;      ///< "algorithms/builders/wald/update_tags.hpp"
  std::string docstring;   ///< lines of its comment
  std::string parameters;  ///< of a template: "class Keys, class Cost"; empty otherwise
  std::string body;        ///< between the braces
};

/// The stages of an algorithm, in the order of its sources; none for an unknown one.
std::vector<Stage> stages_of(std::string_view algorithm);

/// Finds a stage by its name, its functor, or the beginning of its name if no other begins so. Errors of kind bad_usage
/// list the stages.
Result<Stage> find_stage(std::string_view algorithm, std::string_view name);

/// The text of a variant's file that replaces these stages by copies of themselves. file: its name, for the comment.
std::string new_variant(std::string_view algorithm, const std::vector<Stage>& stages, const std::string& file);

/// What a variant's file declares.
struct VariantFile {
  std::string path;                    ///< absolute
  std::string algorithm;               ///< that it is a variant of
  std::vector<RecordedSource> stages;  ///< its regions; steps of these names show them in place of the original
};

/// Reads a variant's file. Errors: io_failure if it cannot be read; bad_input if it is no variant, or names an unknown
/// algorithm, stage or region.
Result<VariantFile> read_variant(const std::string& path);

}  // namespace kdscope::variants
