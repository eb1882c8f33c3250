// verify: hold a finished tree, or a recorded run, against everything that it must satisfy.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "algorithms/checks/tree_checks.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/cli/commands.hpp"
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
};

template <class Kind>
Result<Verified> verify_tree_of_file(Kind tree, const std::string& path, const Arguments& arguments) {
  PointSet input;
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
  } else {
    input = remembered_input(tree);
  }
  const std::string rule = arguments.text("--split");
  const Split split = rule.empty() ? rule_of(tree) : rule == "widest" ? Split::widest : Split::round_robin;
  Verified verified{points_of(tree).size(), tree_hash(tree), count_text(points_of(tree).size(), "point", "points"), {}};
  if constexpr (std::is_same_v<Kind, SplitPlaneTree>)
    if (tree.primitive == Primitive::triangle) verified.over = count_text(tree.primitives(), "triangle", "triangles");
  verified.findings = verify_tree(Tree(std::move(tree)), input, split);
  return verified;
}

Result<Verified> verify_tree_file(const std::string& path, const Arguments& arguments) {
  auto tree = read_tree(path);
  if (!tree) return tree.error();
  return std::visit([&](auto& kind) { return verify_tree_of_file(std::move(kind), path, arguments); }, *tree);
}

/// The points of a trace, in their original order.
std::optional<PointSet> recorded_points(const Cursor& end) {
  const TraceHeader& header = end.trace().header;
  const TypedArray* points = end.array(points_array);
  if (!points) return std::nullopt;
  PointSet input{header.scalar, header.dim, 0, std::vector<std::uint32_t>(points->size())};
  if (points->size() > 0) std::memcpy(input.words.data(), points->bytes().data(), points->bytes().size());
  return input;
}

/// The tree with leaf buckets that a trace ends with: a list of nodes, and the array "bucket", position -> point.
std::optional<BucketTree> recorded_bucket_tree(const Cursor& end, const PointSet& input) {
  const auto elements = [&]<class T>(const char* name, std::size_t size, T) -> std::span<const T> {
    const TypedArray* array = end.array(name);
    return array && array->type() == ElementTypeOf<T>::value && array->size() == size ? array->as<T>() : std::span<const T>();
  };
  const TypedArray* parent = end.array("parent");
  const std::size_t m = parent ? parent->size() : 0, k = input.dim;
  BucketTree tree;
  tree.points = std::make_shared<PointSet>(input);
  for (const std::uint32_t point : elements("bucket", input.size(), std::uint32_t{})) tree.point_of_position.push_back({point});
  for (const auto& [column, name] : {std::pair{&tree.parent, "parent"}, {&tree.split_dim, "split_dim"}, {&tree.first, "first"}, {&tree.count, "count"}}) {
    const auto values = elements(name, m, std::uint32_t{});
    column->assign(values.begin(), values.end());
  }
  const auto child = elements("child", 2 * m, std::uint32_t{});
  const auto split_value = elements("split_value", m, double{});
  const TypedArray *low = end.array("aabbMin"), *high = end.array("aabbMax");
  for (const TypedArray* ends : {low, high})
    if (!ends || ends->size() != m * k || size_of(ends->type()) != 4) return std::nullopt;
  if (tree.point_of_position.size() != input.size() || tree.parent.size() != m || child.size() != 2 * m || split_value.size() != m) return std::nullopt;
  for (std::size_t i = 0; i < m; ++i) {
    tree.left_child.push_back(child[2 * i]);
    const double value = child[2 * i] == no_id ? 0 : split_value[i];
    const double most = input.type == ScalarType::int32 ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<float>::max();
    if (!(std::abs(value) <= most + 1) || (input.type == ScalarType::int32 && value > most)) return std::nullopt;
    tree.split_value.push_back(input.type == ScalarType::int32 ? word_of(static_cast<std::int32_t>(value)) : word_of(static_cast<float>(value)));
    for (const TypedArray* ends : {low, high}) {
      const std::size_t at = tree.box.size();
      tree.box.resize(at + k);
      std::memcpy(&tree.box[at], ends->bytes().data() + 4 * i * k, 4 * k);
    }
  }
  return tree;
}

/// The tree of median stores that a trace ends with: the array "median_store", node -> point, "removed", and the references
/// "less" and "greater" by point where they were recorded.
std::optional<MedianStoreTree> recorded_median_store_tree(const Cursor& end, const PointSet& input) {
  MedianStoreTree tree{std::make_shared<PointSet>(input), {}, {}, {}, {}};
  const auto take = [&](const char* name, auto add) {
    const TypedArray* array = end.array(name);
    if (!array || array->type() != ElementType::uint32) return false;
    for (const std::uint32_t value : array->as<std::uint32_t>()) add(value);
    return true;
  };
  const bool stores = take("median_store", [&](std::uint32_t point) { tree.stores.push_back({point}); });
  const bool removed = take("removed", [&](std::uint32_t point) { tree.removed.push_back({point}); });
  if (input.size() > 0 && (!stores || !removed)) return std::nullopt;
  for (const PointId point : tree.stores)
    if (point.value >= input.size() && point.value != no_id) return std::nullopt;
  take("less", [&](std::uint32_t point) { tree.less.push_back(point); });
  take("greater", [&](std::uint32_t point) { tree.greater.push_back(point); });
  return tree;
}

/// The tree of split planes that a trace ends with: arrays "tree.", over the trace's points or its triangles.
std::optional<SplitPlaneTree> recorded_split_plane_tree(const Cursor& end, const PointSet& input) {
  SplitPlaneTree tree;
  const auto take = [&](const char* name, std::vector<std::uint32_t>& to) {
    const TypedArray* array = end.array(name);
    if (!array || size_of(array->type()) != 4) return false;
    to.resize(array->size());
    if (array->size() > 0) std::memcpy(to.data(), array->bytes().data(), array->bytes().size());
    return true;
  };
  auto data = std::make_shared<DataSet>();
  data->points = input;
  tree.primitive = sorts_triangles(end.trace()) ? Primitive::triangle : Primitive::point;
  const bool all = take("tree.parent", tree.parent) && take("tree.right_child", tree.right_child) && take("tree.split_dim", tree.split_dim) && take("tree.first", tree.first) &&
                   take("tree.count", tree.count) && take("tree.box", tree.box) && take("tree.references", tree.primitive_of_position) &&
                   (tree.primitive == Primitive::point || take(triangles_array, data->triangles));
  const TypedArray* split_value = end.array("tree.split_value");
  const std::size_t m = tree.parent.size();
  if (!all || !split_value || split_value->type() != ElementType::float64 || split_value->size() != m || tree.right_child.size() != m || tree.split_dim.size() != m || tree.first.size() != m ||
      tree.count.size() != m || tree.box.size() != m * 2 * input.dim || data->triangles.size() % 3 != 0)
    return std::nullopt;
  for (const std::uint32_t corner : data->triangles)
    if (corner >= input.size()) return std::nullopt;
  for (std::size_t i = 0; i < m; ++i) {
    const double value = tree.right_child[i] == no_id ? 0 : split_value->as<double>()[i];
    const double most = input.type == ScalarType::int32 ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<float>::max();
    if (!(std::abs(value) <= most)) return std::nullopt;
    tree.split_value.push_back(input.type == ScalarType::int32 ? word_of(static_cast<std::int32_t>(value)) : word_of(static_cast<float>(value)));
  }
  tree.data = std::move(data);
  return tree;
}

/// The tree that a trace ends with, if it is of a kind that has a verifier: one that the array "tree" holds, node ->
/// point; one of median stores; one of split planes; one with leaf buckets; or one whose positions are its nodes, the left-balanced order, which the array "index"
/// then holds.
std::optional<Tree> recorded_tree(const Cursor& end, const PointSet& input) {
  const Trace& trace = end.trace();
  const std::uint64_t n = trace.header.n;
  const auto elements = [&]<class T>(const char* name, std::uint64_t size, T) -> std::optional<std::span<const T>> {
    const TypedArray* array = end.array(name);
    if (!array || array->type() != ElementTypeOf<T>::value || array->size() != size) return std::nullopt;
    return array->as<T>();
  };
  const auto level_dimension = [&](std::uint32_t node) {
    return static_cast<std::uint8_t>(static_cast<std::uint32_t>(level_of(NodeId{node})) % trace.header.dim);
  };
  const Trace::Array* tree_array = trace.find("tree");
  if (tree_array && tree_array->info.index_space == Space::node && tree_array->info.value_space == Space::point) {
    const TypedArray* slots = end.array("tree");
    const auto points = elements("tree", slots ? slots->size() : 0, std::uint32_t{});
    if (!points) return std::nullopt;
    LevelOrderTree tree{std::make_shared<PointSet>(input), {}, {}};
    for (const std::uint32_t point : *points) {
      if (point >= n && point != no_id) return std::nullopt;
      tree.split_dim.push_back(level_dimension(tree.size()));
      tree.point_of_node.push_back({point});
    }
    return tree;
  }
  if (trace.find("median_store")) {
    auto stores = recorded_median_store_tree(end, input);
    return stores ? std::optional<Tree>(std::move(*stores)) : std::nullopt;
  }
  if (trace.find("tree.right_child")) {
    auto planes = recorded_split_plane_tree(end, input);
    return planes ? std::optional<Tree>(std::move(*planes)) : std::nullopt;
  }
  if (trace.find("bucket")) {
    auto buckets = recorded_bucket_tree(end, input);
    return buckets ? std::optional<Tree>(std::move(*buckets)) : std::nullopt;
  }
  const auto parents = elements(partition_arrays::parent, n, std::uint32_t{}), index = elements("index", n, std::uint32_t{});
  if (!parents || !index) return std::nullopt;
  const auto dims = elements("split_dim", n, std::uint8_t{});
  LeftBalancedTree tree{{input.type, input.dim, 0, {}}, {}, {}};
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t point = (*index)[i];
    if (point >= n || (*parents)[i] != (i == 0 ? no_id : parent_of(NodeId{i}).value)) return std::nullopt;
    tree.point_of_node.push_back({point});
    tree.split_dim.push_back(dims ? (*dims)[i] : level_dimension(i));
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
  std::size_t count = 0;
  Finding steps{"recorded checks", "every check that ran while recording held", true, ""};
  for (const Step& step : (*trace)->steps)
    for (const CheckResult& check : step.checks) {
      ++count;
      if (!check.passed)
        steps.fail("step " + std::to_string(step.ordinal) + " (" + path_text(step) + "): " + check.name + ", " +
                   check.detail);
    }
  steps.statement += " (" + std::to_string(count) + ")";
  verified.findings.push_back(std::move(steps));
  Cursor end(*trace);
  end.seek(end.step_count());
  const auto input = recorded_points(end);
  if (const auto tree = input ? recorded_tree(end, *input) : std::nullopt) {
    for (Finding& f : verify_tree(*tree, *input, split_of(header.parameters), leaf_size_of(header.parameters)))
      verified.findings.push_back(std::move(f));
    Finding hash{"tree hash", "the last step's tree has the hash that the trace names", true, ""};
    const std::uint64_t found = tree_hash(*tree);
    if (found != header.tree_hash)
      hash.fail("the tree's is " + hash_text(found) + ", the trace names " + hash_text(header.tree_hash));
    verified.findings.push_back(std::move(hash));
  } else if (find_algorithm(header.algorithm)) {
    verified.findings.push_back({"tree", "the last state holds the tree", false, "its arrays are missing or damaged"});
  }
  return verified;
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
    json.end_object();
    console.out << "\n";
  } else {
    console.out << path << ": " << (is_trace ? "trace" : "tree") << " of " << verified->over << ", hash "
                << hash_text(verified->hash) << "\n";
    print_findings(findings, console.out);
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
       "buckets the nodes' points and smallest boxes, in trees of split planes boxes and what leaves list; for a trace also that "
       "its file is whole and that every recorded check held. Exit code 4 if a check fails.",
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
