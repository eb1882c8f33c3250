#include "app/cli/searched_tree.hpp"

#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/tree_file.hpp"

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
};

Result<ReadTree> tree_of_table(const std::string& path) {
  auto file = read_tree(path);
  if (!file) return file.error();
  if (!file->difference.empty()) return not_right(path, "the file was altered (" + file->difference + ")");
  PointSet input = file->tree.kind().original_points(file->tree);
  return ReadTree{std::move(file->tree), std::move(input), ""};
}

Result<ReadTree> tree_of_trace(const std::string& path) {
  const auto trace = load_trace(path);
  if (!trace) return trace.error();
  auto recorded = recorded_tree(*trace);
  if (!recorded) return not_right(path, recorded.error().where + ": " + recorded.error().what);
  if (recorded->tree.empty()) return not_right(path, recorded->unchecked);
  return ReadTree{std::move(recorded->tree), std::move(recorded->input), (*trace)->header.algorithm};
}

}  // namespace

Result<SearchedTree> read_searched_tree(const std::string& path) {
  auto read = tree_format_of(path) ? tree_of_table(path) : tree_of_trace(path);
  if (!read) return read.error();
  for (const CheckResult& check : verify_tree(read->tree, read->input))
    if (!check.passed) return not_right(path, "the check \"" + check.name + "\" fails: " + check.detail);
  auto data = std::make_shared<DataSet>();
  const TreeKind& kind = read->tree.kind();
  if (kind.over_triangles(read->tree)) *data = *read->tree.as<SplitPlaneTree>().data;
  data->name = path;
  if (!kind.over_triangles(read->tree)) data->points = std::move(read->input);
  return SearchedTree{std::make_shared<const Tree>(std::move(read->tree)), std::move(data), std::move(read->algorithm)};
}

}  // namespace kdscope::cli
