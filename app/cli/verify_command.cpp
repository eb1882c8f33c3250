// verify: checks a finished tree, or a recorded run, against everything that it must satisfy.

#include <algorithm>

#include "algorithms/slabs/slab_verify.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trees/tree_file.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/failed_checks.hpp"
#include "app/cli/run_options.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

struct Verified {
  std::uint64_t n = 0, hash = 0;
  std::string over;  ///< "24 points", "8 triangles"
  std::vector<CheckResult> findings;
  std::shared_ptr<const Trace> trace = nullptr;  ///< null for a tree file
  std::vector<FailedCheck> failed = {};          ///< checks that failed while the trace was recorded
  std::string unchecked = "";                    ///< the checks that the file lacks data for, and why
};

Result<Verified> verify_tree_file(const std::string& path, const Arguments& arguments, Console& console) {
  auto file = value_of(read_tree(path));
  Tree& tree = file.tree;
  const TreeKind& kind = tree.kind();
  CheckResult as_written{"file", "it reads as kdscope-cli writes this tree", true, ""};
  if (!file.difference.empty())
    as_written.fail(file.difference + ": it was altered; write it again with build --tree-out");
  std::optional<CheckResult> same_triangles;
  PointSet input;
  if (arguments.has("--data")) {
    const auto data = value_of(open_data_set(arguments.text("--data")));
    print_warnings(*data, console);
    input = data->points;
    if (kind.points(tree).type == ScalarType::int32 && input.type == ScalarType::float32) kind.become_float(tree);
    const PointSet& points = kind.points(tree);
    if (input.dim != points.dim || input.type != points.type)
      return Error{ErrorKind::bad_input,
                   "the tree has " + std::to_string(points.dim) + " dimensions of type " + name_of(points.type) +
                       ", the data " + std::to_string(input.dim) + " of type " + name_of(input.type),
                   path, "name the data that the tree was built from"};
    same_triangles = kind.same_triangles(tree, *data);
  } else {
    input = kind.original_points(tree);
  }
  if (const std::string rule = arguments.text("--split"); !rule.empty())
    kind.expect_split(tree, rule == "widest" ? Split::widest : Split::round_robin);
  Verified verified{kind.points(tree).size(), tree_hash(tree), kind.contents(tree), {std::move(as_written)}};
  for (CheckResult& result : verify_tree(tree, input)) verified.findings.push_back(std::move(result));
  if (same_triangles) verified.findings.push_back(std::move(*same_triangles));
  verified.unchecked = kind.unchecked(tree);
  return verified;
}

/// The same within the memory that --memory allows.
Result<Verified> verify_in_memory_of(const std::string& path, const Arguments& arguments, Console& console) {
  const auto memory = value_of(arguments.integer("--memory", 0, 1, std::uint64_t{1} << 50, true));
  if (arguments.text("--split") == "widest")
    return Error{ErrorKind::bad_usage, "verify --memory checks trees that split level mod k alone", path,
                 "leave out --memory or --split"};
  const auto found = value_of(slabs::verify_in_slabs(path, arguments.text("--data"), memory, control_for(console)));
  finish_progress(console);
  Verified verified{found.shape.n, found.tree_hash, count_text(found.shape.n, "point", "points"), found.findings};
  if (!arguments.has("--data")) verified.unchecked = "records: not compared, because there is no --data";
  return verified;
}

Result<Verified> verify_trace_file(const std::string& path) {
  const auto trace = value_of(load_trace(path));
  const TraceHeader& header = trace->header;
  const Trace::Array* triangles = sorts_triangles(*trace) ? trace->find(triangles_array) : nullptr;
  const bool of_triangles = triangles && !triangles->versions.empty();
  Verified verified{header.n,
                    header.tree_hash,
                    of_triangles ? count_text(triangles->versions.front().size / 3, "triangle", "triangles")
                                 : count_text(header.n, "point", "points"),
                    {}};
  verified.trace = trace;
  verified.failed = failed_checks(*trace);
  verified.findings.push_back({"file", "it is whole and unchanged since it was written", true, ""});
  const std::size_t count = check_count(*trace);
  CheckResult steps{"recorded checks", "every check that ran while recording held (" + std::to_string(count) + ")",
                    true, ""};
  if (!verified.failed.empty()) {
    std::string all;
    for (const FailedCheck& failed : verified.failed) all += (all.empty() ? "" : "\n") + failed_check_text(failed);
    steps.fail(std::move(all));
  }
  verified.findings.push_back(std::move(steps));
  const Result<RecordedTree> recorded = recorded_tree(trace);
  CheckResult holds{"tree", "the last step's arrays hold a tree", true, ""};
  if (!recorded) {
    holds.fail(recorded.error().where + ": " + recorded.error().what);
    verified.findings.push_back(std::move(holds));
    return verified;
  }
  verified.unchecked = recorded->unchecked;
  if (recorded->tree.empty()) return verified;
  verified.findings.push_back(std::move(holds));
  for (CheckResult& f : verify_tree(recorded->tree, recorded->input)) verified.findings.push_back(std::move(f));
  CheckResult hash{"tree hash", "the last step's tree has the hash that the trace names", true, ""};
  if (const std::uint64_t found = tree_hash(recorded->tree); found != header.tree_hash)
    hash.fail("the tree's is " + hash_text(found) + ", the trace names " + hash_text(header.tree_hash));
  verified.findings.push_back(std::move(hash));
  return verified;
}

/// Sums up the findings of a trace. Its file is whole, because reading rejects damaged files.
std::string verdict(const std::vector<CheckResult>& findings, const std::vector<FailedCheck>& failed,
                    std::size_t count) {
  const auto wrong = static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [](const CheckResult& f) { return !f.passed; }));
  if (wrong == 0) return "The file is whole, and the run satisfies every check.";
  std::string text = "The file is whole, but the run is wrong: ";
  if (!failed.empty())
    text += std::to_string(failed.size()) + " of " + std::to_string(count) + " recorded checks failed";
  const std::size_t of_tree = wrong - (failed.empty() ? 0 : 1);
  if (of_tree > 0)
    text += (failed.empty() ? "" : ", and ") + count_text(of_tree, "check", "checks") + " of its tree " +
            (of_tree == 1 ? "fails" : "fail");
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
  const bool in_slabs = arguments.has("--memory");
  const auto verified = value_of(in_slabs   ? verify_in_memory_of(path, arguments, console)
                                 : is_trace ? verify_trace_file(path)
                                            : verify_tree_file(path, arguments, console));
  const auto& findings = verified.findings;
  const bool all = std::all_of(findings.begin(), findings.end(), [](const CheckResult& f) { return f.passed; });
  if (arguments.has("--json")) {
    JsonWriter json(console.out);
    json.begin_object();
    json.member("file", path);
    json.member("n", verified.n);
    json.member("tree_hash", hash_text(verified.hash));
    json.member("passed", all);
    write_findings(findings, json);
    json.member("not_checked", verified.unchecked);
    if (is_trace) write_failed_checks("failures", verified.failed, json);
    json.end_object();
    console.out << "\n";
  } else {
    console.out << printable(path) << ": " << (is_trace ? "trace" : "tree") << " of " << verified.over << ", hash "
                << hash_text(verified.hash) << "\n";
    print_findings(findings, console.out);
    if (!verified.unchecked.empty()) console.out << "  --      " << verified.unchecked << "\n";
    if (is_trace) console.out << verdict(findings, verified.failed, check_count(*verified.trace)) << "\n";
  }
  return all ? exit_ok : exit_failed_check;
}

}  // namespace

Command verify_command() {
  return {
      {"verify",
       "check a tree or a trace",
       "Checks a tree (.csv or .npy, as `build --tree-out` writes it) or a trace: kd-order, unchanged points, and the "
       "rules of the tree's kind. Left-balanced trees: a permutation of the original indices, ties by original index, "
       "split dimensions by the rule. Median stores: super keys, duplicates and references. Leaf buckets: the nodes' "
       "points and smallest boxes. Split planes: boxes and, in exact arithmetic, the lists of the leaves. For a trace, "
       "the rules by which nodes are split are also checked, and every check that ran while recording must have held; "
       "those that failed are listed with step, array and element. Exit code 3 if the file is damaged, 4 if the file "
       "is whole and a check of its tree or its run fails.",
       {{"F", "A tree ending in .csv or .npy; anything else is read as a trace."}},
       {{"--data", "SPEC", "The data set that a tree was built from: the tree must hold its points unchanged."},
        {"--split", "RULE",
         "round-robin or widest, the rule of a left-balanced tree file. Default: round-robin if the file follows it, "
         "else widest."},
        {"--memory", "BYTES",
         "Check a left-balanced tree in slabs, within so much memory (K, M, G: powers of 1024). The tree is an NPY "
         "file, and so is --data."},
        json_option()},
       {"verify tree.npy --data uniform:n=1000,dim=3", "verify ten.kdtrace"}},
      run_verify};
}

}  // namespace kdscope::cli
