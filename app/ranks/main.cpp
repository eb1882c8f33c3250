// kdscope-ranks: what kdscope-cli runs under mpirun. Each rank holds a share of the points and of the tree.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

#include "algorithms/cluster/brown_build.hpp"
#include "algorithms/cluster/executor_build.hpp"
#include "algorithms/cluster/rank_recording.hpp"
#include "algorithms/cluster/rank_search.hpp"
#include "algorithms/cluster/tree_shares.hpp"
#include "algorithms/core/available_memory.hpp"
#include "algorithms/exec/devices.hpp"
#include "algorithms/exec/threads.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/run_on.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/cli/answer_files.hpp"
#include "app/cli/failed_checks.hpp"
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

constexpr const char* command_names[] = {"build", "query", "record"};

CommandSpec spec_of(const std::string& command) {
  CommandSpec spec;
  if (command == "build") {
    spec = {command,
            "build a tree in shares, one per rank",
            "Under mpirun, all ranks build one tree. Each rank makes or reads its share of the points and keeps its "
            "share of the tree, which is that of one process, bit for bit.",
            {},
            {algorithm_option("rank"), data_option(true), parameter_option()},
            {"build --data uniform:n=10000000,dim=3 --tree-out tree.shares"}};
    spec.options.push_back({"--tree-out", "F.shares",
                            "A folder in which each rank writes its share of the tree. kdscope-cli verify reads it."});
    spec.options.push_back(
        {"--repeat", "N", "Build N times, and report the median; on devices, the first apart. Default: 1."});
  } else if (command == "query") {
    spec = {command,
            "search a tree in shares, one per rank",
            "Under mpirun, all ranks build one tree and find the k nearest points of queries. Each rank has its share "
            "of the points, of the tree and of the queries, which travel to the ranks whose points they need. What "
            "is found is what one process finds, bit for bit.",
            {},
            {algorithm_option("rank"), data_option(true), parameter_option()},
            {"query --data uniform:n=10000000,dim=3 --k 8 --out near.npy"}};
    spec.options.push_back({"--k", "K", "Neighbours per query, 1 to 128. Default: 1."});
    spec.options.push_back(
        {"--queries", "SPEC", "A data set or file of the data's dimensions and type. Default: the points themselves."});
    spec.options.push_back({"--out", "FILE",
                            "Write rows of query, rank, point and distance, as query does without mpirun: FILE.csv or "
                            "FILE.npy. The first rank holds all of them."});
  } else {
    spec = {command,
            "record how the ranks build a tree together",
            "Under mpirun, all ranks build one tree, and the first gathers what they hold after every stage in one "
            "trace, which the window and kdscope-cli show step through: which points lie on which rank, and how many "
            "bytes each rank sends. Samples are smaller than those of build, so that few points are enough.",
            {},
            {algorithm_option("rank"), data_option(true), parameter_option()},
            {"record --data uniform:n=200,dim=2 -o ranks.kdtrace"}};
    spec.options.push_back(
        {"-o", "F.kdtrace", "The trace file; an older one is replaced once the new one is complete.", true});
    spec.options.push_back({"--budget", "BYTES",
                            "Memory that the recording may keep on the first rank; K, M or G multiply by 1024, 1024^2 "
                            "or 1024^3. Default: half of its machine's free memory."});
  }
  spec.program = "mpirun -n RANKS kdscope-cli";
  if (command != "record") {
    spec.options.push_back({"--backend", "NAME",
                            "cpu, or cuda: each rank builds on a device of its host, rank r of R on device r mod the "
                            "number of devices. Default: cpu."});
    spec.options.push_back({"--link", "NAME",
                            "How points travel between devices: nccl, mpi (with addresses of devices, where MPI reads "
                            "them), host (copies), or auto for the first of these that works. Default: auto."});
  }
  spec.options.push_back({"--processors", "N", "Threads per rank. Default: those that mpirun gives to a rank."});
  spec.options.push_back(json_option());
  return spec;
}

bool is_command(const std::string& word) { return std::ranges::find(command_names, word) != std::end(command_names); }

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
    for (const std::string command : command_names)
      text += "  " + command + std::string(12 - command.size(), ' ') + spec_of(command).summary + "\n";
    return text + "\nkdscope-ranks COMMAND --help explains every option.\n";
  }
  return is_command(words[0]) && std::any_of(words.begin() + 1, words.end(), asks) ? help_text(spec_of(words[0])) : "";
}

/// A run that every rank has prepared.
struct Prepared {
  Arguments arguments;
  std::string algorithm;
  rank::RankOptions options;
  brown::BrownOptions brown_options;
  std::uint32_t parts = 1;  ///< of brown
  std::shared_ptr<const DataSet> data;
  std::uint64_t first = 0;  ///< original index of this rank's first point
  std::uint64_t processors = 0;
  std::optional<Device> device = {};  ///< that builds; none for the CPU
  cluster::Way way = cluster::Way::automatic;
  int repeat = 1;
  std::shared_ptr<const DataSet> queries = nullptr;  ///< of query: this rank's own
  std::uint32_t k = 1;
};

/// Opens what only query has.
Result<void> prepare_query(const cluster::Communicator& ranks, Prepared& run) {
  run.k = static_cast<std::uint32_t>(value_of(run.arguments.integer("--k", 1, 1, 128)));
  run.queries = run.data;
  const std::string queries = run.arguments.text("--queries");
  if (queries.empty()) return {};
  auto opened = value_of(open_data_share(queries, ranks.rank(), ranks.size()));
  run.queries = opened.data;
  if (run.queries->points.dim != run.data->points.dim || run.queries->points.type != run.data->points.type)
    return Error{ErrorKind::bad_input, "the queries have other dimensions or another type than the points", queries,
                 "give queries like the points"};
  return {};
}

/// Chooses the parameters of brown for this rank's points.
Result<void> prepare_brown(const cluster::Communicator& ranks, const Parameters& parameters, Prepared& run) {
  const auto options = value_of(resolved_options("brown", parameters, run.data->points, cpu_device()));
  run.brown_options = options.as<brown::BrownOptions>();
  run.parts = parameters.contains("parts") ? run.brown_options.parts : cluster::parts_for(ranks.size());
  if (run.parts >= ranks.size()) return {};
  return Error{
      ErrorKind::bad_usage,
      "parts=" + std::to_string(run.parts) + " does not give each of " + std::to_string(ranks.size()) + " ranks a part",
      "", "leave parts out, or use fewer ranks"};
}

/// Chooses the device on which this rank builds, if there should be one.
Result<void> prepare_device(const cluster::Communicator& ranks, Prepared& run) {
  run.repeat = static_cast<int>(value_of(run.arguments.integer("--repeat", 1, 1, 1'000'000)));
  const std::string ways[] = {"auto", "nccl", "mpi", "host"}, way = run.arguments.text("--link", "auto");
  const auto found = std::ranges::find(ways, way);
  if (found == std::end(ways))
    return Error{ErrorKind::bad_usage, "there is no link '" + way + "'", "", "choose auto, nccl, mpi or host"};
  run.way = static_cast<cluster::Way>(found - ways);
  const auto backend = value_of(backend_named(run.arguments.text("--backend", "cpu")));
  if (backend == Backend::automatic)
    return Error{ErrorKind::bad_usage, "ranks do not choose their back end", "", "give --backend cpu or cuda"};
  if (backend == Backend::cpu) return {};
  if (run.algorithm != "rank")
    return Error{ErrorKind::bad_usage, "several ranks build by " + run.algorithm + " on the CPU alone", "",
                 "leave --backend out, or build without mpirun, with --param parts=2 or more for several devices"};
  if (run.options.split == Split::widest)
    return Error{ErrorKind::bad_usage, "several ranks build with split=widest on the CPU alone", "",
                 "leave --backend out, or take split=round-robin"};
  DeviceReport report = find_devices();
  std::erase_if(report.devices, [](const Device& device) { return device.backend != Backend::cuda; });
  if (report.devices.empty())
    return Error{ErrorKind::no_device, "no CUDA device can be used: " + report.cuda_status, "",
                 "leave --backend out: the ranks then build on the CPU"};
  run.device = report.devices[ranks.rank_on_host() % report.devices.size()];
  return {};
}

/// The tree of all ranks, on the host or where it was built.
struct BuiltTree {
  std::unique_ptr<cluster::ExecutorBuild> there;
  cluster::TreeShare here;
  std::vector<double> ms = {};  ///< of each build, until the last rank was done

  std::uint64_t hash(cluster::Communicator& ranks) const {
    return there ? there->hash() : cluster::tree_hash_of(ranks, here);
  }
  /// Returns the share on the host.
  const cluster::TreeShare& share() {
    if (there) here = there->download(), there.reset();
    return here;
  }
};

#if defined(KDSCOPE_HAS_CUDA)
/// Brings the points of all ranks to their devices. Collective: if one of them cannot, none does.
Result<std::unique_ptr<cluster::ExecutorBuild>> bring_to_devices(cluster::Communicator& ranks, const Prepared& run) {
  const PointSet& points = run.data->points;
  const std::uint64_t n = ranks.sum(std::uint64_t{points.size()});
  std::uint32_t largest = static_cast<std::uint32_t>(points.size());
  ranks.greatest(std::span(&largest, 1));
  const std::array<std::uint32_t, 2> own{ranks.host(), static_cast<std::uint32_t>(run.device->ordinal)};
  const auto all = ranks.gather_all(std::span(&own, 1));
  const std::uint64_t sharing = static_cast<std::uint64_t>(std::ranges::count(all, own));
  // All look at the free memory before any takes some
  Result<void> ready = caught([&] {
    const std::uint64_t needed = cluster::bytes_of_executor_build(largest, n, points.dim, ranks.size()),
                        room = cluster::free_bytes_on_cuda(run.device->ordinal) / sharing;
    if (needed > room)
      throw ErrorException({ErrorKind::out_of_memory,
                            "building " + std::to_string(n) + " points on " +
                                count_text(ranks.size(), "rank", "ranks") + " takes about " + memory_text(needed) +
                                " of a device per rank, and " + run.device->name + " has " + memory_text(room) +
                                " left" + (sharing > 1 ? " for each of its ranks" : ""),
                            "", "use more devices, fewer points, or the CPU"});
  });
  if (ready = ranks.agree(ready); !ready) return ready.error();
  std::unique_ptr<cluster::ExecutorBuild> there;
  ready = caught([&] {
    there = cluster::executor_build_on_cuda(ranks, points, run.first, run.options, {}, {}, run.device->ordinal);
  });
  if (ready = ranks.agree(ready); !ready) return ready.error();
  cluster::Place place{run.device->ordinal, run.way};
  ready = caught([&] { there->connect(place); });
  if (ready = ranks.agree(ready); !ready) return ready.error();
  return there;
}
#endif

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

/// Builds the tree of all ranks, as often as was asked for. Collective.
Result<BuiltTree> build_tree(cluster::Communicator& ranks, const Prepared& run) {
  BuiltTree tree;
#if defined(KDSCOPE_HAS_CUDA)
  if (run.device) {
    auto there = bring_to_devices(ranks, run);
    if (!there) return there.error();
    tree.there = std::move(*there);
  }
#endif
  for (int i = 0; i < run.repeat; ++i) {
    cluster::PointShare share;
    if (!tree.there) share = {run.data->points, run.first};
    tree.ms.push_back(timed(ranks, run, [&] {
      if (tree.there)
        tree.there->build();
      else if (run.algorithm == "rank")
        tree.here = cluster::build_by_rank(ranks, std::move(share), run.options, {});
      else
        tree.here = cluster::build_by_brown(ranks, std::move(share), run.brown_options, run.parts, {});
    }));
  }
  return tree;
}

Result<Prepared> prepare(const cluster::Communicator& ranks, const std::vector<std::string>& words) {
  if (words.empty() || !is_command(words[0]))
    return Error{ErrorKind::bad_usage, "under mpirun, kdscope-cli has the commands build, query and record alone", "",
                 "run other commands without mpirun"};
  auto arguments = value_of(parse_arguments(spec_of(words[0]), {words.begin() + 1, words.end()}));
  Prepared run{std::move(arguments), "rank", {}, {}, 1, nullptr};
  run.algorithm = run.arguments.text("--algorithm", "rank");
  if (run.algorithm != "rank" && run.algorithm != "brown")
    return Error{ErrorKind::bad_usage, "several ranks do not build with " + run.algorithm, "",
                 "use --algorithm rank, whose tree is also that of wald, or brown"};
  if (run.algorithm == "brown" && words[0] == "record")
    return Error{ErrorKind::bad_usage, "several ranks do not record brown", "",
                 "record it without mpirun, with --param parts=" + std::to_string(cluster::parts_for(ranks.size())) +
                     ": its steps show what each part sends to its neighbours, as ranks do"};
  const auto parameters = value_of(parameters_from(run.arguments));
  // Wrong parameters are reported before the data is opened
  if (run.algorithm == "rank")
    run.options = value_of(rank::option_table().parse("rank", parameters));
  else
    ensure(brown::option_table().parse("brown", parameters));
  const auto processors = value_of(run.arguments.integer("--processors", 0, 1, 1'000'000));
  if (processors > static_cast<std::uint64_t>(describe_cpu().threads))
    return Error{ErrorKind::no_device,
                 "a rank cannot use " + std::to_string(processors) + " threads; this machine has " +
                     std::to_string(describe_cpu().threads),
                 "", "give fewer --processors"};
  run.processors = processors;
  ensure(prepare_device(ranks, run));
  auto opened = value_of(open_data_share(run.arguments.text("--data"), ranks.rank(), ranks.size()));
  run.data = opened.data;
  const PointSet& points = run.data->points;
  if (const std::uint32_t most = run.algorithm == "rank" ? rank::max_dim : brown::max_dim; points.dim > most)
    return Error{ErrorKind::bad_input,
                 run.algorithm + " takes points of 1 to " + std::to_string(most) + " dimensions, and these have " +
                     std::to_string(points.dim),
                 "", "use other data"};
  if (run.algorithm == "brown") ensure(prepare_brown(ranks, parameters, run));
  run.first = opened.first;
  if (words[0] == "query") ensure(prepare_query(ranks, run));
  return run;
}

/// Bytes that travel between ranks, counted from its making on.
class Travelled {
 public:
  /// times: how often what is counted is done.
  explicit Travelled(const cluster::Communicator& ranks, int times = 1)
      : ranks_(ranks), times_(static_cast<std::uint64_t>(times)), before_(ranks.traffic()) {}
  /// Collective.
  void report(cluster::Communicator& ranks, const char* what, Report* to) const {
    const cluster::LinkTraffic after = ranks_.traffic();
    std::uint64_t bytes[] = {after.points - before_.points, after.samples - before_.samples,
                             after.counts - before_.counts};
    const std::uint64_t collectives = (after.collectives - before_.collectives) / times_;
    ranks.sum(bytes);
    for (std::uint64_t& sum : bytes) sum /= times_;
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
  std::uint64_t times_;
  cluster::LinkTraffic before_;
};

void report_data(const cluster::Communicator& ranks, const Prepared& run, std::uint64_t points, Report& report) {
  for (const std::string& warning : run.data->warnings)
    std::cerr << "kdscope-cli: warning: " << printable(warning) << "\n";
  const PointSet& own = run.data->points;
  report.line("algorithm", run.algorithm).member("algorithm", run.algorithm);
  if (run.algorithm == "brown") report.line("parts", run.parts).member("parts", run.parts);
  report.line("data", printable(run.data->name)).member("data", run.data->name);
  report.line("points", points, " of ", own.dim, " dimensions, ", name_of(own.type))
      .member("n", points)
      .member("dim", own.dim)
      .member("type", name_of(own.type));
  if (run.device) report.line("back end", "cuda, ", run.device->name).member("backend", "cuda");
  report.line("ranks", ranks.size(), " on ", count_text(ranks.hosts(), "host", "hosts"))
      .member("ranks", ranks.size())
      .member("hosts", ranks.hosts());
}

/// Reports the median of several builds with the least and the greatest time, or the only one. on_devices: the first of
/// several builds is reported apart, since it takes memory and opens the connections that later ones find.
void report_times(std::vector<double> ms, bool on_devices, Report& report) {
  const char* const what = on_devices ? "  until the last rank is done, shares on the devices"
                                      : "  until the last rank is done, shares in memory";
  if (on_devices && ms.size() > 1) {
    report.line("first build", duration_text(ms.front()), "  takes memory and connects devices; not in the median")
        .member("first_build_ms", ms.front());
    ms.erase(ms.begin());
  }
  std::ranges::sort(ms);
  const double median = ms[ms.size() / 2];
  if (ms.size() == 1)
    report.line("build", duration_text(median), what);
  else
    report.line("build", duration_text(median), " (", duration_text(ms.front()), " to ", duration_text(ms.back()),
                "), the median of ", ms.size(), what);
  report.member("build_ms", median).member("least_build_ms", ms.front()).member("most_build_ms", ms.back());
}

/// Reports the stages of the last build on devices, each on the rank that took longest. Collective.
void report_stages(cluster::Communicator& ranks, cluster::ExecutorBuild& there, Report* to) {
  const cluster::StageTimes& times = there.times();
  double ms[] = {times.pivots, times.partition, times.exchange, times.subtrees};
  for (double& one : ms) one = ranks.greatest(one);
  std::uint32_t mebibytes = static_cast<std::uint32_t>(there.peak_bytes() >> 20);
  ranks.greatest(std::span(&mebibytes, 1));
  if (!to) return;
  to->line("link", there.way()).member("link", there.way());
  to->line("stages", "pivots ", duration_text(ms[0]), ", partition ", duration_text(ms[1]), ", exchange ",
           duration_text(ms[2]), ", subtrees ", duration_text(ms[3]), "  each on its slowest rank")
      .member("pivots_ms", ms[0])
      .member("partition_ms", ms[1])
      .member("exchange_ms", ms[2])
      .member("subtrees_ms", ms[3]);
  to->line("device memory", mebibytes, " MiB on the rank that took most").member("device_mebibytes", mebibytes);
}

Result<ExitCode> build(cluster::Communicator& ranks, Prepared& run, Unfinished& unfinished) {
  const std::string folder = run.arguments.text("--tree-out");
  if (!folder.empty()) {
    if (auto begun = cluster::begin_shares(ranks, folder); !begun) return begun.error();
    unfinished.set(cluster::unfinished_folder_of(folder));
  }
  const std::uint64_t points = ranks.sum(std::uint64_t{run.data->points.size()});
  const Travelled travelled(ranks, run.repeat);
  auto tree = build_tree(ranks, run);
  if (!tree) return tree.error();
  std::optional<Report> report;
  if (ranks.rank() == 0) {
    report.emplace(std::cout, run.arguments.has("--json"));
    report_data(ranks, run, points, *report);
    report_times(tree->ms, tree->there != nullptr, *report);
  }
  if (tree->there) report_stages(ranks, *tree->there, report ? &*report : nullptr);
  travelled.report(ranks, "points", report ? &*report : nullptr);
  const std::uint64_t hash = tree->hash(ranks);
  if (report) report->line("tree hash", hash_text(hash)).member("tree_hash", hash_text(hash));
  if (!folder.empty()) {
    if (auto written = cluster::write_shares(ranks, tree->share(), folder); !written) return written.error();
    unfinished.set("");
  }
  return exit_ok;
}

/// Writes a file of the first rank by write(path), into a folder of its own until the file is whole. Collective.
template <class Write>
Result<void> keep_file(cluster::Communicator& ranks, const std::string& path, Unfinished& unfinished,
                       const Write& write) {
  const std::string folder = path + ".unfinished";
  unfinished.set(folder);
  Result<void> kept;
  if (ranks.rank() == 0) {
    std::error_code failure;
    std::filesystem::remove_all(folder, failure);  // what a killed run has left
    const std::string file = folder + "/" + std::filesystem::path(path).filename().string();
    if (!std::filesystem::create_directory(folder, failure)) {
      kept = Error{ErrorKind::io_failure, "cannot be saved (" + failure.message() + ")", path,
                   "check the folder and its permissions"};
    } else if (kept = write(file); !kept) {
      kept = Error{kept.error().kind, kept.error().what, path, kept.error().remedy};
    } else if (std::filesystem::rename(file, path, failure); failure) {
      kept = Error{ErrorKind::io_failure, "cannot be saved (" + failure.message() + ")", path, "choose another name"};
    }
    std::filesystem::remove_all(folder, failure);
  }
  kept = ranks.agree(kept);
  unfinished.set("");
  return kept;
}

/// Gathers what all ranks found, and writes it on the first.
Result<void> write_found(cluster::Communicator& ranks, const cluster::NeighbourShare& found, std::uint32_t k,
                         const std::string& path, Unfinished& unfinished) {
  const std::vector<std::uint32_t> points = ranks.gather_all(std::span<const std::uint32_t>(found.found));
  const std::vector<double> distances = ranks.gather_all(std::span<const double>(found.distances));
  return keep_file(ranks, path, unfinished, [&](const std::string& file) {
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
    return write_answers(file, request, all);
  });
}

Result<ExitCode> query(cluster::Communicator& ranks, Prepared& run, Unfinished& unfinished) {
  const std::uint64_t points = ranks.sum(std::uint64_t{run.data->points.size()}),
                      queries = ranks.sum(std::uint64_t{run.queries->points.size()});
  auto built = build_tree(ranks, run);
  if (!built) return built.error();
  const double build_ms = built->ms.front();
  const cluster::TreeShare& tree = built->share();
  const Travelled travelled(ranks);
  cluster::NeighbourShare found;
  const double ms =
      timed(ranks, run, [&] { found = cluster::nearest_by_ranks(ranks, tree, run.queries->points, run.k, {}); });
  const std::uint64_t asked = ranks.sum(found.asked);
  if (const std::string out = run.arguments.text("--out"); !out.empty())
    if (auto written = write_found(ranks, found, run.k, out, unfinished); !written) return written.error();
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

Result<ExitCode> record(cluster::Communicator& ranks, Prepared& run, Unfinished& unfinished) {
  const std::string path = run.arguments.text("-o");
  Result<void> ready;
  if (!trace_files_available())
    ready = save_trace(Trace(), path);
  else if (ready = check_folder_of(path); ready)
    ready = check_output_is_not_input("-o", path, run.arguments.text("--data"));
  if (auto all = ranks.agree(ready); !all) return all.error();
  const auto budget = run.arguments.integer("--budget", 0, 1, 1ull << 50, true);
  if (!budget) return budget.error();
  const auto trace = cluster::record_by_rank(ranks, {run.data->points, run.first}, run.options,
                                             {run.data, *budget == 0 ? default_trace_budget() : *budget}, {});
  if (!trace) return trace.error();
  const auto save = [&](const std::string& file) { return save_trace(**trace, file); };
  if (auto kept = keep_file(ranks, path, unfinished, save); !kept) return kept.error();
  std::uint64_t failures = 0;
  if (ranks.rank() == 0) {
    const std::vector<FailedCheck> failed = failed_checks(**trace);
    failures = failed.size();
    const std::size_t checks = check_count(**trace);
    Report report(std::cout, run.arguments.has("--json"));
    report_data(ranks, run, (*trace)->header.n, report);
    report
        .line("recorded", count_text((*trace)->steps.size(), "step", "steps"), " in ", printable(path), ", ",
              bytes_text((*trace)->stored_bytes()))
        .member("file", path)
        .member("steps", (*trace)->steps.size())
        .member("stored_bytes", (*trace)->stored_bytes());
    report.line("tree hash", hash_text((*trace)->header.tree_hash))
        .member("tree_hash", hash_text((*trace)->header.tree_hash));
    report.line("checks", checks - failed.size(), " of ", checks, " hold")
        .member("checks", checks)
        .member("failed_checks", failed.size());
    for (const FailedCheck& f : failed) std::cerr << "FAILED " << printable(failed_check_text(f)) << "\n";
  }
  return ranks.sum(failures) == 0 ? exit_ok : exit_failed_check;
}

Result<ExitCode> run(cluster::Communicator& ranks, const std::vector<std::string>& words, Unfinished& unfinished) {
  Result<Prepared> prepared = caught([&] { return prepare(ranks, words); });
  // All ranks stop if one of them cannot start
  if (auto all = ranks.agree(prepared ? Result<void>() : prepared.error()); !all) return all.error();
  return words[0] == "build"   ? build(ranks, *prepared, unfinished)
         : words[0] == "query" ? query(ranks, *prepared, unfinished)
                               : record(ranks, *prepared, unfinished);
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
    if (!code) remove_unfinished(unfinished.folder);
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
