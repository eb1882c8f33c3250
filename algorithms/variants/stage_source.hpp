#pragma once
// Finds the stages of the builders that a variant may replace, in the marked regions of their sources. Writes and reads
// the files of variants.

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope::variants {

/// A functor that a builder launches, or a helper: a function that such functors call.
struct Stage {
  std::string name;        ///< "update_tags"
  std::string functor;     ///< "UpdateTags"; of a helper, its name in the source
  std::string region;      ///< "wald/update_tags"
  std::string header;      ///< "algorithms/builders/wald/update_tags.hpp"
  std::string docstring;   ///< the lines of its comment
  std::string parameters;  ///< parameters of a template: "class Keys, class Cost"; empty otherwise
  std::string body;        ///< the text between the braces; of a helper, all but the docstring and the template's line
  bool is_helper = false;
};

/// Returns the stages of an algorithm in the order of its sources; none for an unknown algorithm.
std::vector<Stage> stages_of(std::string_view algorithm);

/// Returns the helpers in the regions of an algorithm that stages call, also through one another.
std::vector<Stage> helpers_of(std::string_view algorithm);

/// Finds a stage or helper by its name, its functor, or an unambiguous beginning of a stage's name. Errors of kind
/// bad_usage list the stages and helpers.
Result<Stage> find_stage(std::string_view algorithm, std::string_view name);

/// Returns the text of a variant's file that replaces these stages by copies of themselves. A helper brings copies of
/// the helpers and stages that call it, which call the copy. file: the file's name, for the comment.
std::string new_variant(std::string_view algorithm, const std::vector<Stage>& stages, const std::string& file);

/// Returns the text of a variant's file that is a copy of a whole builder: the header with its construction. file: the
/// file's name, for the comment. include_folder: the folder of kdscope's headers. Errors: bad_usage for an unknown
/// algorithm; io_failure if the header cannot be read.
Result<std::string> new_builder(std::string_view algorithm, const std::string& include_folder, const std::string& file);

/// Returns the text of a program that looks inside a search over the trees of an algorithm: that of kdscope's own, or a
/// copy of its header to change. copy: whether it is the copy. Errors: bad_usage for an unknown search or algorithm;
/// io_failure if the header cannot be read.
Result<std::string> search_program(std::string_view search, std::string_view algorithm,
                                   const std::string& include_folder, bool copy);

/// The declarations in a variant's file.
struct VariantFile {
  std::string path;       ///< absolute path
  std::string algorithm;  ///< the algorithm of which the file is a variant
  /// Its regions; steps with these names show them instead of the original. A line `// @ wald/update_tags` in a region
  /// names the region of the original whose pseudo-code its steps run (app/pseudocode/pseudocode.hpp).
  std::vector<RecordedSource> stages;
  bool is_search = false;                  ///< whether it is a search over the algorithm's trees, to look inside alone
  bool is_builder = false;                 ///< whether it is a whole builder, and replaces no stages of the original
  std::vector<std::string> replaced = {};  ///< names of the stages that it replaces
  bool has_own_atomics = false;            ///< whether it has atomic operations beside those of blocks
};

/// Reads a variant's file. Errors: io_failure if it cannot be read; bad_input if it is not a variant, or names an
/// unknown algorithm, stage or region.
Result<VariantFile> read_variant(const std::string& path);

}  // namespace kdscope::variants
