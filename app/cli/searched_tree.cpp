#include "app/cli/searched_tree.hpp"

#include "algorithms/core/caught.hpp"
#include "algorithms/queries/recorded_search.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/tree_file.hpp"
#include "datasets/data_form.hpp"

namespace kdscope::cli {
namespace {

Error not_right(const std::string& path, std::string what) {
  return {ErrorKind::bad_input, "the tree cannot be searched: " + std::move(what), path,
          "kdscope-cli verify prints all of its checks; build the tree again"};
}

struct ReadTree {
  Tree tree;
  PointSet input;
  std::string algorithm;
  std::shared_ptr<const Trace> trace = {};
};

Result<ReadTree> tree_of_table(const std::string& path) {
  auto file = value_of(read_tree(path));
  if (!file.difference.empty()) return not_right(path, "the file was altered (" + file.difference + ")");
  PointSet input = file.tree.kind().original_points(file.tree);
  return ReadTree{std::move(file.tree), std::move(input), ""};
}

Result<ReadTree> tree_of_trace(const std::string& path) {
  const auto trace = value_of(load_trace(path));
  auto recorded = recorded_tree(trace);
  if (!recorded) return not_right(path, recorded.error().where + ": " + recorded.error().what);
  if (recorded->tree.empty()) return not_right(path, recorded->unchecked);
  return ReadTree{std::move(recorded->tree), std::move(recorded->input), trace->header.algorithm, trace};
}

/// Gives the points the shift and the scale with which a recorded run has read its file.
void take_transform(const Trace& trace, DataSet& data) {
  const DataForm form = parse_data_form(trace.header.data_set);
  const auto numbers = [&](const char* parameter) {
    const auto text = form.parameters.find(parameter);
    if (!form.source.empty() || text == form.parameters.end()) return std::vector<double>();
    const auto read = coordinates_in(text->second);
    return read ? *read : std::vector<double>();
  };
  if (const auto shift = numbers("shift"); shift.size() == data.points.dim) data.shift = shift;
  if (const auto scale = numbers("scale"); scale.size() == 1) data.scale = scale[0];
}

}  // namespace

Result<void> check_tree_alone(const Arguments& arguments) {
  for (const char* other : {"--data", "--algorithm", "--param"})
    if (arguments.has(other))
      return Error{ErrorKind::bad_usage, std::string("--tree and ") + other + " exclude each other", "",
                   "the file holds the tree and its points"};
  return {};
}

Result<SearchedTree> read_searched_tree(const std::string& path) {
  auto read = value_of(tree_format_of(path) ? tree_of_table(path) : tree_of_trace(path));
  for (const CheckResult& check : verify_tree(read.tree, read.input))
    if (!check.passed) return not_right(path, "the check \"" + check.name + "\" fails: " + check.detail);
  auto data = std::make_shared<DataSet>();
  const TreeKind& kind = read.tree.kind();
  if (kind.over_triangles(read.tree)) *data = *read.tree.as<SplitPlaneTree>().data;
  data->name = path;
  if (!kind.over_triangles(read.tree)) data->points = std::move(read.input);
  if (read.trace) take_transform(*read.trace, *data);
  return SearchedTree{std::make_shared<const Tree>(std::move(read.tree)), std::move(data), std::move(read.algorithm),
                      std::move(read.trace)};
}

}  // namespace kdscope::cli
