// Measures what opening and walking a recorded launch of 1,024 blocks of 256 lanes takes: recording, finding lines and
// faults, preparing, opening, and one step at each depth with the sheet and shared memory that the pane Inside
// shows then. Prints a Markdown table.
//   bench_inside_latency [the budget in accesses; default: 1000000 and 20000000]
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "algorithms/variants/inside/cost.hpp"
#include "algorithms/variants/inside/look_inside.hpp"
#include "algorithms/variants/inside/sheet.hpp"
#include "algorithms/variants/inside/writers.hpp"
#include "algorithms/variants/measurement.hpp"

using namespace kdscope;
using namespace kdscope::access_log;

namespace {

/// Adds up the 256 elements of each block, in a tree.
constexpr const char* kernel = R"(
struct SumOfBlocks {
  std::uint32_t* out;
  template <class Block>
  void operator()(Block& block) const {
    auto* h = block.template shared<std::uint32_t>(256);
    const std::uint32_t first = 256 * block.index();
    block.lanes([&](int lane) { h[lane] = out[first + lane]; });
    for (int stride = 128; stride > 0; stride /= 2)
      block.lanes([&](int lane) {
        if (lane < stride) h[lane] += h[lane + stride];
      });
    block.lanes([&](int lane) { out[first + lane] = h[lane]; });
  }
};
struct ClearOut {
  std::uint32_t* out;
  void operator()(std::uint32_t i) const { out[i] = i; }
};

)";

/// Milliseconds of a wall clock, and of processors: of this process and of those that it has started.
struct Time {
  double wall = 0, processors = 0;
};

double processors_so_far() {
  double ms = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& each : {usage.ru_utime, usage.ru_stime})
      ms += 1e3 * static_cast<double>(each.tv_sec) + 1e-3 * static_cast<double>(each.tv_usec);
  }
  return ms;
}

template <class Act>
Time time_of(Act&& act) {
  const auto from = std::chrono::steady_clock::now();
  const double before = processors_so_far();
  act();
  return {std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count(),
          processors_so_far() - before};
}

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

void print_row(const char* what, Time time) { std::printf("| %s | %.1f | %.1f |\n", what, time.wall, time.processors); }

/// Prints the median, the time that 99 percent stay below, and the longest, by the wall clock, and the mean time of
/// processors.
void print_steps(const std::string& what, std::vector<double> each, double processors) {
  std::ranges::sort(each);
  std::printf("| %s | median %.3f, 99 %% below %.3f, most %.3f | %.3f |\n", what.c_str(), each[each.size() / 2],
              each[each.size() * 99 / 100], each.back(), processors / static_cast<double>(each.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const auto kit = variants::find_kit();
  if (!kit) give_up(kit.error().message());
  const auto text = variants::new_builder("textbook", kit->include_folders.front(), "x.cu");
  if (!text) give_up(text.error().message());
  std::string source = *text;
  source.insert(source.find("/// Builds the left-balanced tree"), kernel);
  source.insert(source.find("  // Give all points to the root\n  rec.step("),
                "  auto out = exec.template array<std::uint32_t>(\"out\", 262144);\n"
                "  rec.step(StepLabel{\"clear\"}, [&](const char* name) { exec.for_each(name, 262144, "
                "ClearOut{out.data()}); });\n"
                "  rec.step(StepLabel{\"sum\"}, [&](const char* name) { exec.for_each_block(name, 1024, 256, 1024, "
                "SumOfBlocks{out.data()}); });\n");
  const std::string path = "/tmp/kdscope_inside_latency.cu";
  std::ofstream(path) << source;
  const auto variant = variants::read_variant(path);
  if (!variant) give_up(variant.error().message());
  variants::CompilerErrors errors;
  const auto program = variants::compile(*variant, *kit, errors, {}, Backend::cpu, variants::Purpose::inside);
  if (!program) give_up(program.error().message() + errors.output);

  std::vector<std::uint64_t> budgets;
  for (int i = 1; i < argc; ++i) budgets.push_back(std::strtoull(argv[i], nullptr, 10));
  if (budgets.empty()) budgets = {default_budget, 20'000'000};
  for (const std::uint64_t budget : budgets) {
    Wanted wanted;
    wanted.steps = {1, 2};
    wanted.most_accesses = budget;
    Result<Look> look = Error{};
    std::printf("\n| budget %llu | wall clock, ms | processors, ms |\n|---|---|---|\n",
                static_cast<unsigned long long>(budget));
    print_row("record, find lines and faults", time_of([&] {
                look = look_inside(program->program, variant->path, *kit,
                                   {{"wald-10", variant->algorithm, {}, Backend::cpu}}, wanted);
              }));
    if (!look) give_up(look.error().message());
    if (!look->faults.empty() || !look->crash.empty()) give_up("the kernel has a fault");
    print_row("prepare: order, costs", time_of([&] {
                put_in_order(look->recording);
                cost_of_lines(look->recording);
              }));
    auto recording = std::make_shared<const LaunchRecording>(std::move(look->recording));
    std::optional<LaunchWalk> walk;
    print_row("open: the walk", time_of([&] { walk.emplace(recording); }));
    std::printf("| accesses, of blocks | %zu, %u | |\n", recording->accesses.size(),
                recording->accesses.empty() ? 0 : recording->accesses.back().group + 1);
    for (const char* depth : {"an interval", "a lane", "an access"}) {
      std::vector<double> moves;
      const std::size_t most = 3000;
      const double before_all = processors_so_far();
      for (bool moved = true; moved && moves.size() < most;)
        moves.push_back(time_of([&] {
                          const std::size_t before = walk->number();
                          moved = walk->step(1);
                          // The sheet is made again in another interval, shared memory at each place
                          if (walk->number() != before || moves.empty()) sheet_of(*recording, walk->stretch());
                          const std::size_t at = walk->access().value_or(walk->stretch().begin);
                          shared_arrays_at(*recording, walk->stretches(), walk->number(), at);
                        }).wall);
      print_steps(std::string("step by ") + depth, std::move(moves), processors_so_far() - before_all);
      // The next depth begins in the middle
      const Depth done = walk->depth();
      walk->go_to_stretch(walk->stretches().size() / 2);
      for (int deeper = 0; deeper <= static_cast<int>(done); ++deeper) walk->go_deeper();
    }
    // By a key: the longest way is to the beginning of the recording
    const std::size_t last = recording->accesses.size() - 1;
    Element older = element_of(recording->accesses[last]);
    older.offset = 1 << 30;
    print_row("who wrote an element that the launch did not write",
              time_of([&] { writer_before(*recording, older, last); }));
  }
}
