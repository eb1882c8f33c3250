#pragma once
// Three recorders with one interface: step(label, work, show). `work(name)` runs in every mode and launches under the
// step's name. `show(writer)` writes the state to keep; it is compiled only if a trace is recorded. A step without
// `show` records only its label. A builder takes its recorder as a template parameter.
//
//   NullRecorder    full speed; the same machine code as calling `work` by hand
//   TimingRecorder  brackets each step with events, and counts its launches
//   TraceRecorder   copies the arrays that the step wrote and runs its checks
//
// probe_rows(name, blocks, width) allocates rows for values that a kernel shows per block. It allocates nothing unless
// a trace is recorded.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/exec/memory.hpp"
#include "algorithms/exec/probe.hpp"
#include "algorithms/record/checked.hpp"
#include "algorithms/record/step_writer.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// A step of a builder as one constant. Its name identifies the step in launches, the profiler, the trace and lessons.
///
///   constexpr StepLabel update_tags{"update tags", "wald/update_tags", "Update tags: left of the pivot to ..."};
///   rec.step(update_tags.at(level), [&](const char* name) { exec.for_each(name, n, UpdateTags{...}); }, show);
struct StepLabel {
  const char* name;         ///< "sort"
  const char* anchor = "";  ///< region of our source
  const char* title = "";   ///< for display; a step may replace it
  StepKind kind = StepKind::launch;
  bool ends_level = false;  ///< whether a thinned recording keeps the step
  const char* phase = "";   ///< strategy or stage to which the step belongs: "parallel radix sort"
  int level = -1;           ///< tree level, or -1
  int pass = -1;            ///< pass of the phase, or -1

  /// Returns the same step at a level, or in a pass.
  constexpr StepLabel at(int level_of_tree, int pass_of_phase = -1) const {
    StepLabel there = *this;
    there.level = level_of_tree, there.pass = pass_of_phase;
    return there;
  }
  /// Returns the same step in a phase that is known only at run time.
  constexpr StepLabel of(const char* phase_of_run) const {
    StepLabel there = *this;
    there.phase = phase_of_run;
    return there;
  }
  /// Returns the same step with the source region that this run executes.
  constexpr StepLabel done_by(const char* region) const {
    StepLabel there = *this;
    there.anchor = region;
    return there;
  }
  /// Returns the same step, marked as the last of its level or not.
  constexpr StepLabel ending_level(bool ends) const {
    StepLabel there = *this;
    there.ends_level = ends;
    return there;
  }
};

/// Returns the path of a step: {"build", "level 1", "parallel radix sort", "pass 2", "prefix sum"}. Omits parts that
/// the label lacks, and a phase that equals the step's name.
std::vector<std::string> path_of(const StepLabel& label);

/// Stands for the rows of a probe (exec/probe.hpp) while nothing is recorded.
template <class T>
struct NoProbeRows {
  NoProbe probe(std::uint32_t = 0) const { return {}; }
  const T* data() const { return nullptr; }
};

/// The rows that a recorded run's probe fills, in the back end's memory.
template <class T, class Exec>
struct ProbeRows {
  Array<T, Exec> rows;  ///< [blocks * width]
  std::uint32_t blocks;
  int width;
  /// Returns the probe of a launch whose first block fills row `from`.
  BlockProbe<T> probe(std::uint32_t from = 0) const {
    return {rows.data() + std::size_t(from) * static_cast<std::size_t>(width), 0, blocks - from, width};
  }
  const T* data() const { return rows.data(); }
};

/// Does a step's work. Work that launches under names other than the step's takes no argument.
template <class Work>
void do_work(Work& work, const StepLabel& label) {
  if constexpr (requires { work(label.name); })
    work(label.name);
  else
    work();
}

/// Shows nothing.
struct LabelAlone {
  void operator()(auto&) const {}
};

struct NullRecorder {
  template <class Work, class Show = LabelAlone>
  void step(const StepLabel& label, Work&& work, Show&& = {}) {
    do_work(work, label);
  }
  template <class T>
  NoProbeRows<T> probe_rows(const char*, std::uint32_t, int) {
    return {};
  }
};

/// True if steps must not share launches because each is timed or recorded separately.
template <class Recorder>
inline constexpr bool separate_launches = !std::is_same_v<Recorder, NullRecorder>;

/// Returns the bytes read and written so far, if the executor counts them.
template <class Exec>
Traffic traffic_of([[maybe_unused]] Exec& exec) {
  if constexpr (requires { Exec::traffic(); })
    return Exec::traffic();
  else
    return {};
}

/// Times each step on the device's own clock. Read the results after the build.
template <class Exec>
class TimingRecorder {
 public:
  explicit TimingRecorder(Exec& exec) : exec_(exec) {}
  template <class Work, class Show = LabelAlone>
  void step(const StepLabel& label, Work&& work, Show&& = {}) {
    exec_.open_range(label.name);
    const std::uint64_t launches = exec_.launches();
    const Traffic before = traffic_of(exec_);
    auto from = exec_.event();
    do_work(work, label);
    auto to = exec_.event();
    const Traffic traffic = traffic_of(exec_) - before;
    spans_.push_back({label, std::move(from), std::move(to), exec_.launches() - launches, traffic});
    exec_.close_range();
  }
  template <class T>
  NoProbeRows<T> probe_rows(const char*, std::uint32_t, int) {
    return {};
  }
  struct StepSpan {
    StepLabel label;
    typename Exec::Event from, to;
    std::uint64_t launches;
    Traffic traffic;
  };
  const std::vector<StepSpan>& spans() const { return spans_; }

 private:
  Exec& exec_;
  std::vector<StepSpan> spans_;
};

/// The argument of a step's `show` while a trace is recorded: the step, and a reader that copies the device's arrays.
template <class Exec>
class DeviceStepWriter : public StepWriter {
 public:
  /// copied: called with each copy, which it may change; may be empty.
  DeviceStepWriter(Exec& exec, TraceBuilder& trace, const std::function<void(std::span<std::byte>)>& copied)
      : StepWriter(trace), exec_(exec), copied_(copied) {}
  /// Copies n elements from the device.
  template <class T>
  std::vector<T> read(const T* from, std::size_t n) {
    std::vector<T> host(n);
    exec_.download(std::span<T>(host), from);
    if (copied_) copied_(std::as_writable_bytes(std::span(host)));
    return host;
  }

 private:
  Exec& exec_;
  const std::function<void(std::span<std::byte>)>& copied_;
};

/// Thrown by a TraceRecorder once it has recorded the last requested step.
struct EndOfRecording {};

/// What a TraceRecorder does on every back end. Compiled once, because each of a builder's steps is a type of its own.
class StepRecording {
 public:
  struct Options {
    std::uint64_t budget_bytes = ~0ull;
    bool thin = false;  ///< keeps only the steps that end a level
    int levels = 0;     ///< expected levels of the tree, for progress; some trees turn out deeper
    std::function<void(double, std::string_view)> progress;
    std::vector<std::pair<std::string, TypedArray>> given =
        {};                      ///< declared arrays that no step writes; recorded with the first step
    std::size_t most_steps = 0;  ///< throws EndOfRecording after this many steps; 0 for no limit
    std::function<void(std::string_view path)> step_starts = {};       ///< called before each step's work
    std::function<void(TraceBuilder& trace)> step_recorded = {};       ///< called after each step that is kept
    std::function<void(std::span<std::byte> copy)> array_copied = {};  ///< called with each array that a step shows
  };
  StepRecording(TraceBuilder& trace, Options options) : trace_(trace), options_(std::move(options)) {}

 protected:
  /// Announces a step whose work begins.
  void start(const StepLabel& label);
  /// Adds a step that took `ms` milliseconds to the trace; returns false if a thin recording leaves it out.
  bool keep(const StepLabel& label, double ms);
  /// Checks the budget and reports progress, once the step's state is written.
  void finish(const StepLabel& label);

  TraceBuilder& trace_;
  Options options_;

 private:
  double reached_ = 0;  // progress so far; steps outside of levels do not change it
  std::size_t recorded_ = 0;
};

/// Records a trace while the builder runs. Throws once the trace exceeds its budget.
template <class Exec>
class TraceRecorder : public StepRecording {
 public:
  TraceRecorder(Exec& exec, TraceBuilder& trace, Options options)
      : StepRecording(trace, std::move(options)), exec_(exec) {}

  template <class Work, class Show = LabelAlone>
  void step(const StepLabel& label, Work&& work, Show&& show = {}) {
    start(label);
    exec_.open_range(label.name);
    const auto from = exec_.event();
    do_work(work, label);
    const auto to = exec_.event();
    const double ms = exec_.elapsed_ms(from, to);
    exec_.close_range();
    if (!keep(label, ms)) return;
    DeviceStepWriter<Exec> writer(exec_, trace_, options_.array_copied);
    try {
      show(writer);
    } catch (const BrokenState& broken) {
      writer.check({"state", "what the step left in memory can be followed", false, broken.what()});
    }
    finish(label);
  }
  /// Allocates rows for the values that a kernel of `blocks` blocks shows, `width` values per block.
  template <class T>
  ProbeRows<T, Exec> probe_rows(const char* name, std::uint32_t blocks, int width) {
    return {exec_.template array<T>(name, std::size_t(blocks) * static_cast<std::size_t>(width), Allocation::scratch),
            blocks, width};
  }

 private:
  Exec& exec_;
};

/// True for recorders that keep every step's state.
template <class Recorder>
inline constexpr bool is_recording = false;
template <class Exec>
inline constexpr bool is_recording<TraceRecorder<Exec>> = true;

}  // namespace kdscope
