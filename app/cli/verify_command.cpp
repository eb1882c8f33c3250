// verify: hold a finished tree, or a recorded run, against everything that it must satisfy.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "algorithms/checks/tree_checks.hpp"
#include "algorithms/core/printable_text.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/failed_checks.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/tree_file.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

/// The points that a tree holds, each at its original index; indices out of range are left to the verifier.
PointSet remembered_input(const LeftBalancedTree& tree) {
  PointSet input = tree.points;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const std::uint32_t point = tree.point_of_node[i].value;
    if (point >= tree.size()) continue;
    for (std::uint32_t d = 0; d < input.dim; ++d)
      input.words[std::size_t(point) * input.dim + d] = tree.points.word(i, d);
  }
  return input;
}
PointSet remembered_input(const LevelOrderTree& tree) { return *tree.points; }
PointSet remembered_input(const MedianStoreTree& tree) { return *tree.points; }
PointSet remembered_input(const BucketTree& tree) { return *tree.points; }
PointSet remembered_input(const SplitPlaneTree& tree) { return tree.data->points; }

/// The rule of a tree's split dimensions: level mod k if it follows that, else the widest side.
Split rule_of(const LeftBalancedTree& tree) {
  for (std::uint32_t i = 0; i < tree.size(); ++i)
    if (tree.split_dim[i] != static_cast<std::uint32_t>(level_of(NodeId{i})) % tree.points.dim) return Split::widest;
  return Split::round_robin;
}
Split rule_of(const LevelOrderTree&) { return Split::round_robin; }
Split rule_of(const MedianStoreTree&) { return Split::round_robin; }
Split rule_of(const BucketTree&) { return Split::widest; }
Split rule_of(const SplitPlaneTree&) { return Split::widest; }

/// The tree with its points replaced.
void set_points(LeftBalancedTree& tree, PointSet points) { tree.points = std::move(points); }
void set_points(LevelOrderTree& tree, PointSet points) { tree.points = std::make_shared<PointSet>(std::move(points)); }
void set_points(MedianStoreTree& tree, PointSet points) { tree.points = std::make_shared<PointSet>(std::move(points)); }
void set_points(BucketTree& tree, PointSet points) { tree.points = std::make_shared<PointSet>(std::move(points)); }
void set_points(SplitPlaneTree& tree, PointSet points) {
  auto data = std::make_shared<DataSet>(*tree.data);
  data->points = std::move(points);
  tree.data = std::move(data);
}
const PointSet& points_of(const LeftBalancedTree& tree) { return tree.points; }
const PointSet& points_of(const LevelOrderTree& tree) { return *tree.points; }
const PointSet& points_of(const MedianStoreTree& tree) { return *tree.points; }
const PointSet& points_of(const BucketTree& tree) { return *tree.points; }
const PointSet& points_of(const SplitPlaneTree& tree) { return tree.data->points; }

/// Coordinates that a tree holds beside its points.
template <class Kind>
void to_float(Kind&) {}
template <class Kind>
void words_to_float(Kind& tree) {
  for (auto* words : {&tree.split_value, &tree.box})
    for (std::uint32_t& word : *words) word = word_of(static_cast<float>(static_cast<std::int32_t>(word)));
}

void to_float(BucketTree& tree) { words_to_float(tree); }
void to_float(SplitPlaneTree& tree) { words_to_float(tree); }

/// A CSV of integers may have been a tree of floats.
template <class Kind>
void take_type_of(const PointSet& input, Kind& tree) {
  if (points_of(tree).type != ScalarType::int32 || input.type != ScalarType::float32) return;
  PointSet points = points_of(tree);
  for (std::uint32_t& word : points.words) word = word_of(static_cast<float>(static_cast<std::int32_t>(word)));
  points.type = ScalarType::float32;
  set_points(tree, std::move(points));
  to_float(tree);
}

struct Verified {
  std::uint64_t n = 0, hash = 0;
  std::string over;  ///< "24 points", "8 triangles"
  std::vector<Finding> findings;
  std::shared_ptr<const Trace> trace = nullptr;  ///< of a trace file
  std::vector<FailedCheck> failed = {};          ///< while recording it
  std::string unchecked = "";                    ///< what the file does not hold enough for, and why
};

/// Whether a tree over triangles has those of the data; the verifier sees its points alone.
Finding same_triangles(const SplitPlaneTree& tree, const DataSet& data) {
  Finding same{"triangles", "the triangles are those of the data", true, ""};
  const auto& found = tree.data->triangles;
  const auto [one, other] = std::ranges::mismatch(found, data.triangles);
  if (found.size() != data.triangles.size())
    same.fail("the tree has " + std::to_string(found.size() / 3) + " triangles, the data " + std::to_string(data.triangles.size() / 3));
  else if (one != found.end())
    same.fail("triangle " + std::to_string((one - found.begin()) / 3) + " has corner " + std::to_string(*one) + ", not " + std::to_string(*other));
  return same;
}

template <class Kind>
Result<Verified> verify_tree_of_file(Kind tree, const std::string& path, const Arguments& arguments) {
  PointSet input;
  std::vector<Finding> of_data;
  if (arguments.has("--data")) {
    const auto data = open_data_set(arguments.text("--data"));
    if (!data) return data.error();
    input = (*data)->points;
    take_type_of(input, tree);
    const PointSet& points = points_of(tree);
    if (input.dim != points.dim || input.type != points.type)
      return Error{ErrorKind::bad_input,
                   "the tree has " + std::to_string(points.dim) + " dimensions of type " + name_of(points.type) +
                       ", the data " + std::to_string(input.dim) + " of type " + name_of(input.type),
                   path, "name the data that the tree was built of"};
    if constexpr (std::is_same_v<Kind, SplitPlaneTree>)
      if (tree.primitive == Primitive::triangle) of_data.push_back(same_triangles(tree, **data));
  } else {
    input = remembered_input(tree);
  }
  const std::string rule = arguments.text("--split");
  const Split split = rule.empty() ? rule_of(tree) : rule == "widest" ? Split::widest : Split::round_robin;
  Verified verified{points_of(tree).size(), tree_hash(tree), count_text(points_of(tree).size(), "point", "points"), {}};
  if constexpr (std::is_same_v<Kind, SplitPlaneTree>)
    if (tree.primitive == Primitive::triangle) verified.over = count_text(tree.primitives(), "triangle", "triangles");
  if constexpr (std::is_same_v<Kind, SplitPlaneTree>)
    verified.unchecked = "rules: not checked, because a tree file does not name its run's parameters; `build --verify` and `verify` of a trace check them";
  verified.findings = verify_tree(Tree(std::move(tree)), input, {split});
  verified.findings.insert(verified.findings.end(), of_data.begin(), of_data.end());
  return verified;
}

Result<Verified> verify_tree_file(const std::string& path, const Arguments& arguments) {
  auto file = read_tree(path);
  if (!file) return file.error();
  auto verified = std::visit([&](auto& kind) { return verify_tree_of_file(std::move(kind), path, arguments); }, file->tree);
  if (!verified) return verified;
  Finding as_written{"file", "it reads as kdscope-cli writes this tree", true, ""};
  if (!file->difference.empty()) as_written.fail(file->difference + ": it was altered; write it again with build --tree-out");
  verified->findings.insert(verified->findings.begin(), std::move(as_written));
  return verified;
}

/// Reports that the last state of a run holds no tree: its file is whole, so the run or the program that recorded it is wrong.
[[noreturn]] void no_tree(const char* array, const std::string& what) {
  throw ErrorException({ErrorKind::failed_check, what, "array " + std::string(array), ""});
}

/// The contents of an array of the last state. An array without elements may never have been written.
template <class T>
std::span<const T> elements(const Cursor& end, const char* name, std::size_t size) {
  const TypedArray* array = end.array(name);
  if (!array && size == 0) return {};
  if (!array) no_tree(name, "no step wrote it");
  if (array->type() != ElementTypeOf<T>::value) no_tree(name, std::string("its elements have type ") + name_of(array->type()));
  if (array->size() != size) no_tree(name, "it has " + std::to_string(array->size()) + " elements, not " + std::to_string(size));
  return array->as<T>();
}

/// The same, for arrays that may have any number of elements.
template <class T>
std::span<const T> elements(const Cursor& end, const char* name) {
  const TypedArray* array = end.array(name);
  return elements<T>(end, name, array ? array->size() : 0);
}

[[noreturn]] void no_such_point(const char* array, std::size_t element, std::uint32_t point, std::uint64_t n) {
  no_tree(array, "element " + std::to_string(element) + " names point " + std::to_string(point) + " of " + std::to_string(n));
}

/// A split value as the word of a coordinate.
std::uint32_t split_word(double value, std::size_t node, const char* array, ScalarType type) {
  const bool whole = type == ScalarType::int32;
  const double most = whole ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<float>::max();
  const double least = whole ? std::numeric_limits<std::int32_t>::min() : -most;
  if (!(value >= least && value <= most)) no_tree(array, "element " + std::to_string(node) + " is no coordinate");
  return whole ? word_of(static_cast<std::int32_t>(value)) : word_of(static_cast<float>(value));
}

/// The points of a trace, in their original order.
PointSet recorded_points(const Cursor& end) {
  const TraceHeader& header = end.trace().header;
  const TypedArray* points = end.array(points_array);
  if (!points && header.n > 0) no_tree(points_array, "no step wrote it");
  PointSet input{header.scalar, header.dim, 0, std::vector<std::uint32_t>(points ? points->size() : 0)};
  if (!input.words.empty()) std::memcpy(input.words.data(), points->bytes().data(), points->bytes().size());
  return input;
}

/// The tree with leaf buckets that a trace ends with: a list of nodes, and the array "bucket", position -> point.
BucketTree recorded_bucket_tree(const Cursor& end, const PointSet& input) {
  const auto parent = elements<std::uint32_t>(end, "parent");
  const std::size_t m = parent.size(), k = input.dim;
  BucketTree tree;
  tree.points = std::make_shared<PointSet>(input);
  for (const std::uint32_t point : elements<std::uint32_t>(end, "bucket", input.size())) tree.point_of_position.push_back({point});
  for (const auto& [column, name] : {std::pair{&tree.parent, "parent"}, {&tree.split_dim, "split_dim"}, {&tree.first, "first"}, {&tree.count, "count"}}) {
    const auto values = elements<std::uint32_t>(end, name, m);
    column->assign(values.begin(), values.end());
  }
  const auto child = elements<std::uint32_t>(end, "child", 2 * m);
  const auto split_value = elements<double>(end, "split_value", m);
  std::vector<std::span<const std::byte>> sides;
  for (const char* name : {"aabbMin", "aabbMax"})
    sides.push_back(input.type == ScalarType::int32 ? std::as_bytes(elements<std::int32_t>(end, name, m * k)) : std::as_bytes(elements<float>(end, name, m * k)));
  for (std::size_t i = 0; i < m; ++i) {
    tree.left_child.push_back(child[2 * i]);
    tree.split_value.push_back(split_word(child[2 * i] == no_id ? 0 : split_value[i], i, "split_value", input.type));
    for (const auto& ends : sides) {
      const std::size_t at = tree.box.size();
      tree.box.resize(at + k);
      std::memcpy(&tree.box[at], ends.data() + 4 * i * k, 4 * k);
    }
  }
  return tree;
}

/// The tree of median stores that a trace ends with: the array "median_store", node -> point, "removed", and the references
/// "less" and "greater" by point where they were recorded.
MedianStoreTree recorded_median_store_tree(const Cursor& end, const PointSet& input) {
  MedianStoreTree tree{std::make_shared<PointSet>(input), {}, {}, {}, {}};
  if (input.size() > 0)
    for (const char* name : {"median_store", "removed"})
      if (!end.array(name)) no_tree(name, "no step wrote it");
  for (const std::uint32_t point : elements<std::uint32_t>(end, "median_store")) tree.stores.push_back({point});
  for (const std::uint32_t point : elements<std::uint32_t>(end, "removed")) tree.removed.push_back({point});
  for (std::size_t i = 0; i < tree.stores.size(); ++i)
    if (const std::uint32_t point = tree.stores[i].value; point >= input.size() && point != no_id) no_such_point("median_store", i, point, input.size());
  for (const auto& [column, name] : {std::pair{&tree.less, "less"}, {&tree.greater, "greater"}}) {
    const auto values = elements<std::uint32_t>(end, name);
    column->assign(values.begin(), values.end());
  }
  return tree;
}

/// The tree of split planes that a trace ends with: arrays "tree.", over the trace's points or its triangles.
SplitPlaneTree recorded_split_plane_tree(const Cursor& end, const PointSet& input) {
  SplitPlaneTree tree;
  auto data = std::make_shared<DataSet>();
  data->points = input;
  tree.primitive = sorts_triangles(end.trace()) ? Primitive::triangle : Primitive::point;
  const auto parent = elements<std::uint32_t>(end, "tree.parent");
  const std::size_t m = parent.size();
  for (const auto& [column, name] : {std::pair{&tree.parent, "tree.parent"}, {&tree.right_child, "tree.right_child"}, {&tree.split_dim, "tree.split_dim"},
                                     {&tree.first, "tree.first"}, {&tree.count, "tree.count"}}) {
    const auto values = elements<std::uint32_t>(end, name, m);
    column->assign(values.begin(), values.end());
  }
  const auto take = [](auto values, std::vector<std::uint32_t>& to) {
    to.resize(values.size());
    if (!to.empty()) std::memcpy(to.data(), values.data(), values.size_bytes());
  };
  if (input.type == ScalarType::int32) take(elements<std::int32_t>(end, "tree.box", m * 2 * input.dim), tree.box);
  else take(elements<float>(end, "tree.box", m * 2 * input.dim), tree.box);
  take(elements<std::uint32_t>(end, "tree.references"), tree.primitive_of_position);
  if (tree.primitive == Primitive::triangle) take(elements<std::uint32_t>(end, triangles_array), data->triangles);
  tree.depth_bounded = elements<std::uint32_t>(end, "tree.bounded", 1)[0];
  const auto split_value = elements<double>(end, "tree.split_value", m);
  for (std::size_t i = 0; i < m; ++i)
    tree.split_value.push_back(split_word(tree.right_child[i] == no_id ? 0 : split_value[i], i, "tree.split_value", input.type));
  tree.data = std::move(data);
  return tree;
}

/// The tree that a trace ends with: one that the array "tree" holds, node -> point; one of median stores; one of split planes; one
/// with leaf buckets; or one whose positions are its nodes, the left-balanced order, which the array "index" then holds. Throws
/// ErrorException with the array, and the element, that makes the last state no tree.
Tree recorded_tree(const Cursor& end, const PointSet& input) {
  const Trace& trace = end.trace();
  const std::uint64_t n = trace.header.n;
  const auto level_dimension = [&](std::uint32_t node) {
    return static_cast<std::uint8_t>(static_cast<std::uint32_t>(level_of(NodeId{node})) % trace.header.dim);
  };
  const Trace::Array* tree_array = trace.find("tree");
  if (tree_array && tree_array->info.index_space == Space::node && tree_array->info.value_space == Space::point) {
    LevelOrderTree tree{std::make_shared<PointSet>(input), {}, {}};
    for (const std::uint32_t point : elements<std::uint32_t>(end, "tree")) {
      if (point >= n && point != no_id) no_such_point("tree", tree.size(), point, n);
      tree.split_dim.push_back(level_dimension(tree.size()));
      tree.point_of_node.push_back({point});
    }
    return tree;
  }
  if (trace.find("median_store")) return recorded_median_store_tree(end, input);
  if (trace.find("tree.right_child")) return recorded_split_plane_tree(end, input);
  if (trace.find("bucket")) return recorded_bucket_tree(end, input);
  const auto parents = elements<std::uint32_t>(end, partition_arrays::parent, n), index = elements<std::uint32_t>(end, "index", n);
  const auto dims = end.array("split_dim") ? elements<std::uint8_t>(end, "split_dim", n) : std::span<const std::uint8_t>();
  LeftBalancedTree tree{{input.type, input.dim, 0, {}}, {}, {}};
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t point = index[i];
    if (point >= n) no_such_point("index", i, point, n);
    if (parents[i] != (i == 0 ? no_id : parent_of(NodeId{i}).value))
      no_tree(partition_arrays::parent, "element " + std::to_string(i) + " is not the parent of node " + std::to_string(i) + " in level order");
    tree.point_of_node.push_back({point});
    tree.split_dim.push_back(dims.empty() ? level_dimension(i) : dims[i]);
    for (std::uint32_t d = 0; d < input.dim; ++d) tree.points.words.push_back(input.word(point, d));
  }
  return tree;
}

Result<Verified> verify_trace_file(const std::string& path) {
  const auto trace = load_trace(path);
  if (!trace) return trace.error();
  const TraceHeader& header = (*trace)->header;
  const Trace::Array* triangles = sorts_triangles(**trace) ? (*trace)->find(triangles_array) : nullptr;
  const bool of_triangles = triangles && !triangles->versions.empty();
  Verified verified{header.n, header.tree_hash, of_triangles ? count_text(triangles->versions.front().size / 3, "triangle", "triangles") : count_text(header.n, "point", "points"), {}};
  verified.trace = *trace;
  verified.failed = failed_checks(**trace);
  verified.findings.push_back({"file", "it is whole and unchanged since it was written", true, ""});
  const std::size_t count = check_count(**trace);
  Finding steps{"recorded checks", "every check that ran while recording held (" + std::to_string(count) + ")", true, ""};
  if (!verified.failed.empty()) {
    std::string all;
    for (const FailedCheck& failed : verified.failed) all += (all.empty() ? "" : "\n") + failed_check_text(failed);
    steps.fail(std::move(all));
  }
  verified.findings.push_back(std::move(steps));
  Cursor end(*trace);
  end.seek(end.step_count());
  Finding holds{"tree", "the last step's arrays hold a tree", true, ""};
  try {
    const PointSet input = recorded_points(end);
    const Tree tree = recorded_tree(end, input);
    verified.findings.push_back(holds);
    for (Finding& f : verify_tree(tree, input, tree_rules_of(header.parameters)))
      verified.findings.push_back(std::move(f));
    Finding hash{"tree hash", "the last step's tree has the hash that the trace names", true, ""};
    const std::uint64_t found = tree_hash(tree);
    if (found != header.tree_hash)
      hash.fail("the tree's is " + hash_text(found) + ", the trace names " + hash_text(header.tree_hash));
    verified.findings.push_back(std::move(hash));
  } catch (const ErrorException& e) {
    if (!find_algorithm(header.algorithm)) return verified;  // what its arrays mean is not known here
    holds.fail(e.error().where + ": " + e.error().what);
    verified.findings.push_back(std::move(holds));
  }
  return verified;
}

/// What the findings of a trace add up to: the file is whole, or it would not have been read.
std::string verdict(const std::vector<Finding>& findings, const std::vector<FailedCheck>& failed, std::size_t count) {
  const auto wrong = static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return !f.passed; }));
  if (wrong == 0) return "The file is whole, and the run satisfies every check.";
  std::string text = "The file is whole, but the run is wrong: ";
  if (!failed.empty()) text += std::to_string(failed.size()) + " of " + std::to_string(count) + " recorded checks failed";
  const std::size_t of_tree = wrong - (failed.empty() ? 0 : 1);
  if (of_tree > 0) text += (failed.empty() ? "" : ", and ") + count_text(of_tree, "check", "checks") + " of its tree " + (of_tree == 1 ? "fails" : "fail");
  return text + ".";
}

Result<ExitCode> run_verify(const Arguments& arguments, Console& console) {
  const std::string rule = arguments.text("--split", "round-robin");
  if (rule != "round-robin" && rule != "widest")
    return Error{ErrorKind::bad_usage, "--split cannot be '" + rule + "'", "", "choose round-robin or widest"};
  const std::string path = arguments.operand(0);
  const bool is_trace = !tree_format_of(path).has_value();
  if (is_trace && (arguments.has("--data") || arguments.has("--split")))
    return Error{ErrorKind::bad_usage, "--data and --split are for tree files", path,
                 "a trace holds its data and its rule"};
  const auto verified = is_trace ? verify_trace_file(path) : verify_tree_file(path, arguments);
  if (!verified) return verified.error();
  const auto& findings = verified->findings;
  const bool all = std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.passed; });
  if (arguments.has("--json")) {
    JsonWriter json(console.out);
    json.begin_object();
    json.member("file", path);
    json.member("n", verified->n);
    json.member("tree_hash", hash_text(verified->hash));
    json.member("passed", all);
    write_findings(findings, json);
    json.member("not_checked", verified->unchecked);
    if (is_trace) write_failed_checks("failures", verified->failed, json);
    json.end_object();
    console.out << "\n";
  } else {
    console.out << printable(path) << ": " << (is_trace ? "trace" : "tree") << " of " << verified->over << ", hash "
                << hash_text(verified->hash) << "\n";
    print_findings(findings, console.out);
    if (!verified->unchecked.empty()) console.out << "  --      " << verified->unchecked << "\n";
    if (is_trace) console.out << verdict(findings, verified->failed, check_count(*verified->trace)) << "\n";
  }
  return all ? exit_ok : exit_failed_check;
}

}  // namespace

Command verify_command() {
  return {
      {"verify",
       "check a tree or a trace",
       "Checks a tree (.csv or .npy, as `build --tree-out` writes it) or a trace: kd-order, in left-balanced trees with "
       "ties by original index, split dimensions by the rule, the original indices a permutation, in trees of median "
       "stores super keys, duplicates and references, in trees with leaf "
       "buckets the nodes' points and smallest boxes, in trees of split planes boxes, in exact arithmetic what leaves list, and for a trace "
       "also the rules by which nodes are split; for a trace moreover that "
       "every check that ran while recording held; all that failed are listed with step, array and element. Exit code 3 if the "
       "file is damaged, 4 if the file is whole and a check of its tree or its run fails.",
       {{"F", "A tree ending in .csv or .npy; anything else is read as a trace."}},
       {{"--data", "SPEC", "The data set that a tree was built of: its points must be there unchanged."},
        {"--split", "RULE",
         "round-robin or widest, the rule of a left-balanced tree file. Default: round-robin if the file follows it, else "
         "widest."},
        json_option()},
       {"verify tree.npy --data uniform:n=1000,dim=3", "verify ten.kdtrace"}},
      run_verify};
}

}  // namespace kdscope::cli
