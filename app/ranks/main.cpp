// kdscope-ranks: what kdscope-cli runs under mpirun. Each rank holds a share of the points and of the tree.

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <new>
#include <thread>

#include "algorithms/cluster/tree_shares.hpp"
#include "algorithms/exec/devices.hpp"
#include "algorithms/exec/threads.hpp"
#include "algorithms/text/printable_text.hpp"
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

CommandSpec build_spec() {
  CommandSpec spec{"build",
                   "build a tree in shares, one per rank",
                   "Under mpirun, all ranks build one tree. Each rank makes or reads its share of the points and keeps "
                   "its share of the tree, which is that of one process, bit for bit.",
                   {},
                   {algorithm_option("rank"), data_option(true), parameter_option()},
                   {"build --data uniform:n=10000000,dim=3 --tree-out tree.shares"}};
  spec.program = "mpirun -n RANKS kdscope-cli";
  spec.options.push_back({"--tree-out", "F.shares",
                          "A folder in which each rank writes its share of the tree. kdscope-cli verify reads it."});
  spec.options.push_back({"--processors", "N", "Threads per rank. Default: those that mpirun gives to a rank."});
  spec.options.push_back(json_option());
  return spec;
}

/// A run that every rank has prepared.
struct Prepared {
  Arguments arguments;
  rank::RankOptions options;
  std::shared_ptr<const DataSet> data;
  cluster::PointShare share;
  std::uint64_t processors = 0;
};

Result<Prepared> prepare(const cluster::Communicator& ranks, const std::vector<std::string>& words) {
  if (words.empty() || words[0] != "build")
    return Error{ErrorKind::bad_usage, "under mpirun, kdscope-cli has the command build alone", "",
                 "run other commands without mpirun"};
  auto arguments = parse_arguments(build_spec(), {words.begin() + 1, words.end()});
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
  return run;
}

Result<ExitCode> build(cluster::Communicator& ranks, const std::vector<std::string>& words, Unfinished& unfinished) {
  Result<Prepared> prepared = prepare(ranks, words);
  // All ranks stop if one of them cannot start
  if (auto all = ranks.agree(prepared ? Result<void>() : prepared.error()); !all) return all.error();
  const std::string folder = prepared->arguments.text("--tree-out");
  if (!folder.empty()) {
    if (auto begun = cluster::begin_shares(ranks, folder); !begun) return begun.error();
    unfinished.set(cluster::unfinished_folder_of(folder));
  }
  const std::uint64_t points = ranks.sum(std::uint64_t{prepared->share.points.size()});
  const cluster::LinkTraffic before = ranks.traffic();
  ranks.barrier();
  const auto start = std::chrono::steady_clock::now();
  const auto made = [&] { return cluster::build_by_rank(ranks, std::move(prepared->share), prepared->options, {}); };
  const cluster::TreeShare tree =
      prepared->processors > 0 ? on_threads(static_cast<int>(prepared->processors), made) : made();
  const double ms =
      ranks.greatest(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  const cluster::LinkTraffic after = ranks.traffic();
  std::uint64_t bytes[] = {after.points - before.points, after.samples - before.samples, after.counts - before.counts};
  ranks.sum(bytes);
  const std::uint64_t hash = cluster::tree_hash_of(ranks, tree);
  if (!folder.empty()) {
    if (auto written = cluster::write_shares(ranks, tree, folder); !written) return written.error();
    unfinished.set("");
  }
  if (ranks.rank() != 0) return exit_ok;
  for (const std::string& warning : prepared->data->warnings)
    std::cerr << "kdscope-cli: warning: " << printable(warning) << "\n";
  Report report(std::cout, prepared->arguments.has("--json"));
  report.line("algorithm", "rank").member("algorithm", "rank");
  report.line("data", printable(prepared->data->name)).member("data", prepared->data->name);
  const PointSet& own = prepared->data->points;
  report.line("points", points, " of ", own.dim, " dimensions, ", name_of(own.type))
      .member("n", points)
      .member("dim", own.dim)
      .member("type", name_of(own.type));
  report.line("ranks", ranks.size(), " on ", count_text(ranks.hosts(), "host", "hosts"))
      .member("ranks", ranks.size())
      .member("hosts", ranks.hosts());
  report.line("build", duration_text(ms), "  until the last rank is done, shares in memory").member("build_ms", ms);
  report
      .line("between ranks", bytes_text(bytes[0]), " of points, ", bytes_text(bytes[1]), " of samples, ",
            bytes_text(bytes[2]), " of counts, in ", after.collectives - before.collectives, " collectives")
      .member("bytes_of_points", bytes[0])
      .member("bytes_of_samples", bytes[1])
      .member("bytes_of_counts", bytes[2])
      .member("collectives", after.collectives - before.collectives);
  report.line("tree hash", hash_text(hash)).member("tree_hash", hash_text(hash));
  return exit_ok;
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
  const std::vector<std::string> words(argv + 1, argv + argc);
  // Ends all ranks, for an error that only this one knows of
  const auto fail_alone = [&](const std::string& what) {
    const std::string text = "kdscope-cli: rank " + std::to_string(ranks.rank()) + " of " +
                             std::to_string(ranks.size()) + " on " + host_name() + ": " + printable(what) + "\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
    remove_unfinished(unfinished.folder);
    ranks.abort(exit_other_failure);
  };
  try {
    const Result<ExitCode> code = build(ranks, words, unfinished);
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
