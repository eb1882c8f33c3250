// verify: hold a finished tree, or a recorded run, against everything that it must satisfy.

#include <algorithm>
#include <cstring>
#include <optional>

#include "algorithms/checks/left_balanced_checks.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/tree_file.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

bool follows_round_robin(const LeftBalancedTree& tree) {
  for (std::uint32_t i = 0; i < tree.size(); ++i)
    if (tree.split_dim[i] != static_cast<std::uint32_t>(level_of(NodeId{i})) % tree.points.dim) return false;
  return true;
}

/// The input as the tree itself remembers it: each point at its original index. Indices out of range are left to the
/// verifier.
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

/// A CSV of integers may have been a tree of floats.
void take_type_of(const PointSet& input, PointSet& points) {
  if (points.type != ScalarType::int32 || input.type != ScalarType::float32) return;
  for (std::uint32_t& word : points.words) word = word_of(static_cast<float>(static_cast<std::int32_t>(word)));
  points.type = ScalarType::float32;
}

struct Verified {
  std::uint64_t n = 0, hash = 0;
  std::vector<Finding> findings;
};

Result<Verified> verify_tree_file(const std::string& path, const Arguments& arguments) {
  auto tree = read_tree(path);
  if (!tree) return tree.error();
  PointSet input;
  if (arguments.has("--data")) {
    const auto data = open_data_set(arguments.text("--data"));
    if (!data) return data.error();
    input = (*data)->points;
    take_type_of(input, tree->points);
    if (input.dim != tree->points.dim || input.type != tree->points.type)
      return Error{ErrorKind::bad_input,
                   "the tree has " + std::to_string(tree->points.dim) + " dimensions of type " +
                       name_of(tree->points.type) + ", the data " + std::to_string(input.dim) + " of type " +
                       name_of(input.type),
                   path, "name the data that the tree was built of"};
  } else {
    input = remembered_input(*tree);
  }
  const std::string rule = arguments.text("--split", follows_round_robin(*tree) ? "round-robin" : "widest");
  const Split split = rule == "widest" ? Split::widest : Split::round_robin;
  return Verified{tree->size(), tree_hash(*tree), verify_left_balanced_tree(*tree, input, split)};
}

/// The tree that a trace of a left-balanced build ends with, and the input it remembers.
struct RecordedTree {
  LeftBalancedTree tree;
  PointSet input;
};

std::optional<RecordedTree> recorded_tree(const std::shared_ptr<const Trace>& trace) {
  const TraceHeader& header = trace->header;
  Cursor cursor(trace);
  cursor.seek(cursor.step_count());
  const TypedArray *points = cursor.array(points_array), *index = cursor.array("index"),
                   *dims = cursor.array("split_dim");
  if (!points || !index || index->type() != ElementType::uint32 || index->size() != header.n) return std::nullopt;
  if (dims && (dims->type() != ElementType::uint8 || dims->size() != header.n)) return std::nullopt;
  RecordedTree result;
  result.input.type = result.tree.points.type = header.scalar;
  result.input.dim = result.tree.points.dim = header.dim;
  result.input.words.resize(points->size());
  if (points->size() > 0) std::memcpy(result.input.words.data(), points->bytes().data(), points->bytes().size());
  for (std::uint32_t i = 0; i < header.n; ++i) {
    const std::uint32_t point = index->as<std::uint32_t>()[i];
    if (point >= header.n) return std::nullopt;
    result.tree.point_of_node.push_back({point});
    result.tree.split_dim.push_back(
        dims ? dims->as<std::uint8_t>()[i]
             : static_cast<std::uint8_t>(static_cast<std::uint32_t>(level_of(NodeId{i})) % header.dim));
    for (std::uint32_t d = 0; d < header.dim; ++d) result.tree.points.words.push_back(result.input.word(point, d));
  }
  return result;
}

Result<Verified> verify_trace_file(const std::string& path) {
  const auto trace = load_trace(path);
  if (!trace) return trace.error();
  const TraceHeader& header = (*trace)->header;
  Verified verified{header.n, header.tree_hash, {}};
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
  if (const auto recorded = recorded_tree(*trace)) {
    for (Finding& f : verify_left_balanced_tree(recorded->tree, recorded->input, split_of(header.parameters)))
      verified.findings.push_back(std::move(f));
    Finding hash{"tree hash", "the last step's tree has the hash that the trace names", true, ""};
    const std::uint64_t found = tree_hash(recorded->tree);
    if (found != header.tree_hash)
      hash.fail("the tree's is " + hash_text(found) + ", the trace names " + hash_text(header.tree_hash));
    verified.findings.push_back(std::move(hash));
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
    console.out << path << ": " << (is_trace ? "trace" : "tree") << " of " << verified->n << " points, hash "
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
       "Checks a tree (.csv or .npy, as `build --tree-out` writes it) or a trace: kd-order with ties by original "
       "index, "
       "split dimensions by the rule, the original indices a permutation; for a trace also that its file is whole and "
       "that every recorded check held. Exit code 4 if a check fails.",
       {{"F", "A tree ending in .csv or .npy; anything else is read as a trace."}},
       {{"--data", "SPEC", "The data set that a tree was built of: its points must be there unchanged."},
        {"--split", "RULE",
         "round-robin or widest, the rule of a tree file. Default: round-robin if the file follows it, else widest."},
        json_option()},
       {"verify tree.npy --data uniform:n=1000,dim=3", "verify ten.kdtrace"}},
      run_verify};
}

}  // namespace kdscope::cli
