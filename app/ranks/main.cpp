// kdscope-ranks: what kdscope-cli runs under mpirun. Each rank holds a share of the points and of the tree.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "algorithms/cluster/rank_search.hpp"
#include "algorithms/cluster/tree_shares.hpp"
#include "algorithms/exec/devices.hpp"
#include "algorithms/exec/threads.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/cli/answer_files.hpp"
#include "app/cli/rank_under_mpirun.hpp"
#include "app/cli/report.hpp"
#include "app/cli/run_options.hpp"
#include "datasets/datasets.hpp"

namespace {

using namespace kdscope;
using namespace kdscope::cli;

/// What is removed when a signal ends this rank.
struct Unfinished {
  std::mutex mutex;
  std::string folder;

  void set(std::string name) {
    const std::lock_guard lock(mutex);
    folder = std::move(name);
  }
};

CommandSpec spec_of(const std::string& command) {
  const bool build = command == "build";
  CommandSpec spec{
      command,
      build ? "build a tree in shares, one per rank" : "search a tree in shares, one per rank",
      build
          ? "Under mpirun, all ranks build one tree. Each rank makes or reads its share of the points and keeps its "
            "share of the tree, which is that of one process, bit for bit."
          : "Under mpirun, all ranks build one tree and find the k nearest points of queries. Each rank has its share "
            "of the points, of the tree and of the queries, which travel to the ranks whose points they need. What "
            "is found is what one process finds, bit for bit.",
      {},
      {algorithm_option("rank"), data_option(true), parameter_option()},
      {build ? "build --data uniform:n=10000000,dim=3 --tree-out tree.shares"
             : "query --data uniform:n=10000000,dim=3 --k 8 --out near.npy"}};
  spec.program = "mpirun -n RANKS kdscope-cli";
  if (build) {
    spec.options.push_back({"--tree-out", "F.shares",
                            "A folder in which each rank writes its share of the tree. kdscope-cli verify reads it."});
  } else {
    spec.options.push_back({"--k", "K", "Neighbours per query, 1 to 128. Default: 1."});
    spec.options.push_back(
        {"--queries", "SPEC", "A data set or file of the data's dimensions and type. Default: the points themselves."});
    spec.options.push_back({"--out", "FILE",
                            "Write rows of query, rank, point and distance, as query does without mpirun: FILE.csv or "
                            "FILE.npy. The first rank holds all of them."});
  }
  spec.options.push_back({"--processors", "N", "Threads per rank. Default: those that mpirun gives to a rank."});
  spec.options.push_back(json_option());
  return spec;
}

/// Returns what --help or --version prints; empty if the words ask for neither.
std::string asked_for(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  if (words[0] == "--version") return std::string("kdscope ") + version() + "\n";
  const auto asks = [](const std::string& word) { return word == "--help"; };
  if (asks(words[0])) {
    std::string text =
        "mpirun -n RANKS kdscope-cli COMMAND [options]\n\n"
        "Builds one tree in several processes, on one machine or several. Under mpirun,\n"
        "kdscope-cli runs kdscope-ranks, which has these commands.\n\n"
        "Commands:\n";
    for (const char* command : {"build", "query"})
      text += "  " + std::string(command) + std::string(7, ' ') + spec_of(command).summary + "\n";
    return text + "\nkdscope-ranks COMMAND --help explains every option.\n";
  }
  const bool is_command = words[0] == "build" || words[0] == "query";
  return is_command && std::any_of(words.begin() + 1, words.end(), asks) ? help_text(spec_of(words[0])) : "";
}

/// A run that every rank has prepared.
struct Prepared {
  Arguments arguments;
  rank::RankOptions options;
  std::shared_ptr<const DataSet> data;
  cluster::PointShare share;
  std::uint64_t processors = 0;
  std::shared_ptr<const DataSet> queries = nullptr;  ///< of query: this rank's own
  std::uint32_t k = 1;
};

/// Opens what only query has.
Result<void> prepare_query(const cluster::Communicator& ranks, Prepared& run) {
  const auto k = run.arguments.integer("--k", 1, 1, 128);
  if (!k) return k.error();
  run.k = static_cast<std::uint32_t>(*k);
  run.queries = run.data;
  const std::string queries = run.arguments.text("--queries");
  if (queries.empty()) return {};
  auto opened = open_data_share(queries, ranks.rank(), ranks.size());
  if (!opened) return opened.error();
  run.queries = opened->data;
  if (run.queries->points.dim != run.data->points.dim || run.queries->points.type != run.data->points.type)
    return Error{ErrorKind::bad_input, "the queries have other dimensions or another type than the points", queries,
                 "give queries like the points"};
  return {};
}

Result<Prepared> prepare(const cluster::Communicator& ranks, const std::vector<std::string>& words) {
  if (words.empty() || (words[0] != "build" && words[0] != "query"))
    return Error{ErrorKind::bad_usage, "under mpirun, kdscope-cli has the commands build and query alone", "",
                 "run other commands without mpirun"};
  auto arguments = parse_arguments(spec_of(words[0]), {words.begin() + 1, words.end()});
  if (!arguments) return arguments.error();
  Prepared run{std::move(*arguments), {}, nullptr, {}};
  if (const std::string algorithm = run.arguments.text("--algorithm", "rank"); algorithm != "rank")
    return Error{ErrorKind::bad_usage, "several ranks do not build with " + algorithm, "",
                 "use --algorithm rank, whose tree is also that of wald; brown has parts=2 for several GPUs of one "
                 "process"};
  const auto parameters = parameters_from(run.arguments);
  if (!parameters) return parameters.error();
  auto options = rank::option_table().parse("rank", *parameters);
  if (!options) return options.error();
  run.options = *options;
  const auto processors = run.arguments.integer("--processors", 0, 1, 1'000'000);
  if (!processors) return processors.error();
  if (*processors > static_cast<std::uint64_t>(describe_cpu().threads))
    return Error{ErrorKind::no_device,
                 "a rank cannot use " + std::to_string(*processors) + " threads; this machine has " +
                     std::to_string(describe_cpu().threads),
                 "", "give fewer --processors"};
  run.processors = *processors;
  auto opened = open_data_share(run.arguments.text("--data"), ranks.rank(), ranks.size());
  if (!opened) return opened.error();
  run.data = opened->data;
  const PointSet& points = run.data->points;
  if (points.dim > rank::max_dim)
    return Error{ErrorKind::bad_input,
                 "rank takes points of 1 to " + std::to_string(rank::max_dim) + " dimensions, and these have " +
                     std::to_string(points.dim),
                 "", "use other data"};
  run.share = {points, opened->first};
  if (words[0] == "query")
    if (const auto ready = prepare_query(ranks, run); !ready) return ready.error();
  return run;
}

/// Runs work on the threads that were asked for, and returns the time until the last rank was done, in ms.
template <class Work>
double timed(cluster::Communicator& ranks, const Prepared& run, Work work) {
  ranks.barrier();
  const auto start = std::chrono::steady_clock::now();
  if (run.processors > 0)
    on_threads(static_cast<int>(run.processors), work);
  else
    work();
  return ranks.greatest(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
}

/// Bytes that travel between ranks, counted from its making on.
class Travelled {
 public:
  explicit Travelled(const cluster::Communicator& ranks) : ranks_(ranks), before_(ranks.traffic()) {}
  /// Collective.
  void report(cluster::Communicator& ranks, const char* what, Report* to) const {
    const cluster::LinkTraffic after = ranks_.traffic();
    std::uint64_t bytes[] = {after.points - before_.points, after.samples - before_.samples,
                             after.counts - before_.counts};
    const std::uint64_t collectives = after.collectives - before_.collectives;
    ranks.sum(bytes);
    if (!to) return;
    to->line("between ranks", bytes_text(bytes[0]), " of ", what, ", ", bytes_text(bytes[1]), " of samples, ",
             bytes_text(bytes[2]), " of counts, in ", collectives, " collectives")
        .member(std::string("bytes_of_") + what, bytes[0])
        .member("bytes_of_samples", bytes[1])
        .member("bytes_of_counts", bytes[2])
        .member("collectives", collectives);
  }

 private:
  const cluster::Communicator& ranks_;
  cluster::LinkTraffic before_;
};

void report_data(const cluster::Communicator& ranks, const Prepared& run, std::uint64_t points, Report& report) {
  for (const std::string& warning : run.data->warnings)
    std::cerr << "kdscope-cli: warning: " << printable(warning) << "\n";
  const PointSet& own = run.data->points;
  report.line("algorithm", "rank").member("algorithm", "rank");
  report.line("data", printable(run.data->name)).member("data", run.data->name);
  report.line("points", points, " of ", own.dim, " dimensions, ", name_of(own.type))
      .member("n", points)
      .member("dim", own.dim)
      .member("type", name_of(own.type));
  report.line("ranks", ranks.size(), " on ", count_text(ranks.hosts(), "host", "hosts"))
      .member("ranks", ranks.size())
      .member("hosts", ranks.hosts());
}

Result<ExitCode> build(cluster::Communicator& ranks, Prepared& run, Unfinished& unfinished) {
  const std::string folder = run.arguments.text("--tree-out");
  if (!folder.empty()) {
    if (auto begun = cluster::begin_shares(ranks, folder); !begun) return begun.error();
    unfinished.set(cluster::unfinished_folder_of(folder));
  }
  const std::uint64_t points = ranks.sum(std::uint64_t{run.share.points.size()});
  const Travelled travelled(ranks);
  cluster::TreeShare tree;
  const double ms =
      timed(ranks, run, [&] { tree = cluster::build_by_rank(ranks, std::move(run.share), run.options, {}); });
  std::optional<Report> report;
  if (ranks.rank() == 0) {
    report.emplace(std::cout, run.arguments.has("--json"));
    report_data(ranks, run, points, *report);
    report->line("build", duration_text(ms), "  until the last rank is done, shares in memory").member("build_ms", ms);
  }
  travelled.report(ranks, "points", report ? &*report : nullptr);
  const std::uint64_t hash = cluster::tree_hash_of(ranks, tree);
  if (report) report->line("tree hash", hash_text(hash)).member("tree_hash", hash_text(hash));
  if (!folder.empty()) {
    if (auto written = cluster::write_shares(ranks, tree, folder); !written) return written.error();
    unfinished.set("");
  }
  return exit_ok;
}

/// Gathers what all ranks found, and writes it on the first.
Result<void> write_found(cluster::Communicator& ranks, const cluster::NeighbourShare& found, std::uint32_t k,
                         const std::string& path) {
  const std::vector<std::uint32_t> points = ranks.gather_all(std::span<const std::uint32_t>(found.found));
  const std::vector<double> distances = ranks.gather_all(std::span<const double>(found.distances));
  if (ranks.rank() != 0) return ranks.agree({});
  SearchRequest request;
  request.k = k;
  SearchReport all;
  all.offsets.push_back(0);
  for (std::size_t at = 0; at < points.size(); ++at) {
    if (points[at] != no_id) {
      all.found.push_back(points[at]);
      all.distances.push_back(distances[at]);
    }
    if (at % k == k - 1) all.offsets.push_back(all.found.size());
  }
  return ranks.agree(write_answers(path, request, all));
}

Result<ExitCode> query(cluster::Communicator& ranks, Prepared& run) {
  const std::uint64_t points = ranks.sum(std::uint64_t{run.share.points.size()}),
                      queries = ranks.sum(std::uint64_t{run.queries->points.size()});
  cluster::TreeShare tree;
  const double build_ms =
      timed(ranks, run, [&] { tree = cluster::build_by_rank(ranks, std::move(run.share), run.options, {}); });
  const Travelled travelled(ranks);
  cluster::NeighbourShare found;
  const double ms =
      timed(ranks, run, [&] { found = cluster::nearest_by_ranks(ranks, tree, run.queries->points, run.k, {}); });
  const std::uint64_t asked = ranks.sum(found.asked);
  if (const std::string out = run.arguments.text("--out"); !out.empty())
    if (auto written = write_found(ranks, found, run.k, out); !written) return written.error();
  std::optional<Report> report;
  if (ranks.rank() == 0) {
    report.emplace(std::cout, run.arguments.has("--json"));
    report_data(ranks, run, points, *report);
    report->line("queries", queries, ", the ", count_text(run.k, "nearest point", "nearest points"), " of each")
        .member("queries", queries)
        .member("k", run.k);
    report->line("build", duration_text(build_ms), "  until the last rank is done").member("build_ms", build_ms);
    report->line("search", duration_text(ms), "  with the trees of the shares").member("search_ms", ms);
    const double mean = queries == 0 ? 0 : static_cast<double>(asked) / static_cast<double>(queries);
    report->line("ranks asked", short_number(mean), " per query").member("ranks_asked_per_query", mean);
  }
  travelled.report(ranks, "queries", report ? &*report : nullptr);
  return exit_ok;
}

Result<ExitCode> run(cluster::Communicator& ranks, const std::vector<std::string>& words, Unfinished& unfinished) {
  Result<Prepared> prepared = prepare(ranks, words);
  // All ranks stop if one of them cannot start
  if (auto all = ranks.agree(prepared ? Result<void>() : prepared.error()); !all) return all.error();
  return words[0] == "build" ? build(ranks, *prepared, unfinished) : query(ranks, *prepared);
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "an unknown host";
}

/// Removes a folder to which this rank and others may still write for a moment.
void remove_unfinished(const std::string& folder) {
  std::error_code ignored;
  for (int tries = 0; !folder.empty() && tries < 100 && std::filesystem::exists(folder, ignored); ++tries) {
    std::filesystem::remove_all(folder, ignored);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // a file may have come while others went
  }
}

/// Removes an unfinished tree if mpirun ends the ranks, as it does when one of them dies.
void end_at_signal(const sigset_t& signals, std::stop_token program_ends, Unfinished& unfinished) {
  const timespec wait{0, 50'000'000};
  while (!program_ends.stop_requested()) {
    if (sigtimedwait(&signals, nullptr, &wait) < 0) continue;
    const std::lock_guard lock(unfinished.mutex);
    remove_unfinished(unfinished.folder);
    _exit(exit_other_failure);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (const std::string text = asked_for(words); !text.empty()) {
    const char* rank = rank_under_mpirun();
    if (!rank || rank == std::string_view("0")) std::cout << text;
    return exit_ok;
  }
  // A file that reaches its size limit shall fail the write, not end the program.
  signal(SIGXFSZ, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  cluster::Communicator ranks(argc, argv);
  Unfinished unfinished;
  std::jthread watcher([&](std::stop_token ends) { end_at_signal(signals, ends, unfinished); });
  // Ends all ranks, for an error that only this one knows of
  const auto fail_alone = [&](const std::string& what) {
    const std::string text = "kdscope-cli: rank " + std::to_string(ranks.rank()) + " of " +
                             std::to_string(ranks.size()) + " on " + host_name() + ": " + printable(what) + "\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
    remove_unfinished(unfinished.folder);
    ranks.abort(exit_other_failure);
  };
  try {
    const Result<ExitCode> code = run(ranks, words, unfinished);
    unfinished.set("");
    if (code) return *code;
    if (ranks.rank() == 0) std::cerr << "kdscope-cli: " << printable(code.error().message()) << "\n" << std::flush;
    return exit_code_of(code.error().kind);
  } catch (const ErrorException& e) {
    fail_alone(e.error().message());
  } catch (const std::bad_alloc&) {
    fail_alone("host memory is exhausted; use fewer points per rank, or more ranks.");
  } catch (const std::exception& e) {
    fail_alone(std::string("a library failed: ") + e.what());
  }
}
