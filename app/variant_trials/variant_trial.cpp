#include "app/variant_trials/variant_trial.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "algorithms/core/caught.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/trace/printed_text.hpp"
#include "algorithms/variants/measurement.hpp"
#include "algorithms/variants/points_file.hpp"
#include "app/variant_trials/tree_difference.hpp"
#include "app/variant_trials/trials_elsewhere.hpp"
#include "app/variant_trials/variant_launches.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string step_text(const Trace& trace, std::uint32_t step) {
  return "step " + std::to_string(step) + " (" + path_text(trace.steps[step]) + ")";
}

/// Returns what a value means that shared memory holds before anybody writes there; empty for other values.
std::string unwritten_text(const std::string& value, std::uint8_t byte) {
  const std::uint32_t word = 0x01010101u * byte;
  float number = 0;
  std::memcpy(&number, &word, sizeof number);
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(number));
  const bool unwritten = value == std::to_string(word) || value == std::to_string(static_cast<std::int32_t>(word)) ||
                         (value.size() >= 6 && std::string_view(digits).starts_with(value)) || value == digits;
  return unwritten ? ", as in shared memory that nobody wrote," : "";
}

std::string difference_text(const VariantTrial& trial) {
  const Divergence& found = trial.divergence;
  const Trace& trace = *trial.run.trace;
  // A check that fails before any element that is recorded
  const std::uint32_t none = static_cast<std::uint32_t>(trace.steps.size());
  if (trial.failed_check && trial.failed_check->step < (found.steps ? found.steps->second : none)) {
    const CheckResult& check = trial.failed_check->check;
    std::string text = "fails a check first at " + step_text(trace, trial.failed_check->step) + ": '" + check.name +
                       "': " + check.detail;
    if (found.steps && !found.step_names && !found.arrays.empty())
      text += "; the first array that differs is " + found.arrays.front().array + ", at " +
              step_text(trace, found.steps->second);
    return text;
  }
  if (!found.steps) {
    if (!found.only_in_a.empty()) return "does not write the array " + found.only_in_a.front();
    if (!found.only_in_b.empty()) return "writes another array, " + found.only_in_b.front();
    if (!found.step_counts)
      return found.hashes ? "records the same arrays as the original, but another tree"
                          : "records the same arrays as the original, but other checks fail";
    return "is equal to the original up to " + step_text(trace, none - 1) + ", its last step";
  }
  if (found.step_names) {
    // Steps of other names are not compared, so the trees are
    const std::string tree =
        found.hashes && trial.run.crash.empty() ? tree_difference(trial.original, trial.run.trace) : "";
    return (tree.empty() ? "" : "builds another tree, first at " + tree + "; it ") +
           "has other steps than the original, first at " + step_text(trace, found.steps->second) +
           ", where the original runs " + path_text(trial.original->steps[found.steps->first]);
  }
  std::string text = "differs from the original first at " + step_text(trace, found.steps->second);
  const DifferentArray& array = found.arrays.front();
  if (array.first.empty()) return text + ": " + array.array + " has " + array.b + " instead of " + array.a;
  const DifferentElement& element = array.first.front();
  return text + ": " + array.array + "[" + std::to_string(element.index) + "] is " + element.b +
         unwritten_text(element.b, trial.shared_byte) + " instead of " + element.a;
}

/// Returns how a run ended before its time. late: the limit of time was the reason, which is no fault.
std::string crash_outcome(const VariantTrial& trial) {
  const variants::VariantRun& run = trial.run;
  if (run.step.empty()) return "ran to its end, but " + run.crash;
  if (run.late) return "was ended in " + run.step + ": " + run.crash + "; more time may be allowed (--seconds)";
  return "crashed in " + run.step + ": " + run.crash;
}

/// Returns "'h' and 'sums'": what a trial reads where nobody wrote.
std::string unwritten_arrays_text(const VariantTrial& trial) {
  std::vector<std::string> names;
  for (const std::string& name : trial.unwritten_arrays) names.push_back("'" + name + "'");
  return names.empty() ? "shared memory or registers" : joined(names);
}

/// Returns how the orders were tried in which the result was that of the original.
std::string orders_text(const VariantTrial& trial) {
  if (trial.backend == Backend::cuda)
    return (trial.tools.empty() ? "" : ", and " + joined(trial.tools) + " found nothing") +
           ", with lanes as the device ran them this time; other orders were not tried";
  if (trial.orders.empty()) return "";
  std::vector<std::string> names;
  bool at_once = false;
  for (const LaneOrder& order : trial.orders) {
    if (order.kind == LaneOrder::Kind::shuffled)
      names.push_back("shuffled order (seed " + std::to_string(order.seed) + ")");
    else if (order.kind == LaneOrder::Kind::at_once)
      at_once = true;
    else
      names.push_back(name_of(order));
  }
  std::string text = ", with lanes, warps and blocks in " + joined(names) + (names.size() == 1 ? " order" : "");
  if (at_once) text += ", and all at once";
  if (at_once && trial.compared_share < 1)
    text += " (of large arrays, shared memory alone and the first intervals and launches)";
  if (at_once && !trial.words_tried) text += "; updates of different bytes of one word were not looked for";
  for (const LaneOrder& order : trial.too_slow)
    text += "; not " + clause_of(order) + ", as that took too long (--seconds)";
  if (!at_once) text += "; updates that lanes or blocks lose were not looked for";
  if (trial.file.has_own_atomics) text += ", because the file has atomic operations that kdscope does not see";
  text += "; races that change no result here are not found";
  if (trial.original_depends)
    text += "; the arrays of the original depend on that order too, and were compared in the same one";
  return text;
}

/// Records the variant, and compares it with the original.
class Trier {
 public:
  Trier(const TrialRequest& request, variants::CompilerErrors& errors, const RunControl& control)
      : request_(request), errors_(errors), control_(control) {}

  /// Throws ErrorException.
  VariantTrial run() {
    trial_.file = value_of(variants::read_variant(request_.file));
    trial_.backend = request_.backend;
    trial_.data = request_.data.empty() ? usual_trial_data(trial_.file.algorithm) : request_.data;
    trial_.parameters = request_.parameters;
    use(request_.own_points ? request_.own_points : value_of(open_data_set(trial_.data)));
    trial_.own_points = request_.own_points;
    report(0.0, "Compiling " + request_.file);
    kit_ = value_of(variants::find_kit());
    const auto compiled = value_of(variants::compile(trial_.file, kit_, errors_, control_.stop, request_.backend));
    program_ = compiled.program;
    trial_.warnings = compiled.warnings;
    trial_.compile_seconds = compiled.seconds;
    trial_.headers_prepared = compiled.prepared;

    // A variant of CUDA compiles where no device is, so this comes first
    trial_.original = request_.original ? request_.original : recorded_original();

    report(0.7, "Recording the variant");
    if (!request_.tools.empty()) trial_.tools = {request_.tools.front()};
    record_in({});
    if (trial_.run.crash.empty() && trial_.not_used()) find_launch();
    for (std::size_t tool = 1; tool < request_.tools.size() && trial_.run.crash.empty(); ++tool) {
      trial_.tools.push_back(request_.tools[tool]);
      record_in({});
    }
    compare();
    if (request_.backend == Backend::cpu) try_orders();
    if (!right()) look_for_unwritten();
    return std::move(trial_);
  }

 private:
  void report(double fraction, const std::string& what) const {
    if (control_.progress) control_.progress(fraction, what);
  }
  void use(std::shared_ptr<const DataSet> data) {
    data_ = std::move(data);
    points_.reset();
    if (request_.own_points == data_) points_.emplace(*data_);
  }

  Result<std::shared_ptr<const Trace>> recording_of_original() {
    auto original = run_record({trial_.data, trial_.file.algorithm, trial_.parameters, request_.backend, false, data_},
                               {control_.stop, {}});
    if (!original) return original.error();
    if (original->crash.empty()) return original->trace;
    return Error{ErrorKind::device_failure, original->crash, "", "run again, or on the other back end"};
  }

  std::shared_ptr<const Trace> recorded_original() {
    report(0.6, "Recording the original");
    auto original = recording_of_original();
    if (!original && original.error().kind == ErrorKind::no_device)
      throw ErrorException({ErrorKind::no_device, "the variant compiles, but cannot run: " + original.error().what, "",
                            "run it where a device is, or choose --backend cpu"});
    return value_of(std::move(original));
  }

  Result<variants::VariantRun> record_with(const std::filesystem::path& program, const LaneOrder& order, bool thin,
                                           const std::optional<SharedFill>& fill = {}) {
    variants::ProcessRequest request{
        {trial_.data, {}, trial_.parameters, request_.backend, thin}, data_->name, points_ ? points_->path() : ""};
    request.run.replaced_sources = trial_.file.stages;
    if (!trial_.tools.empty()) request.tool = trial_.tools.back();
    request.order = order;
    request.fill = fill;
    return variants::run_variant(program, kit_, request, request_.limits, control_.stop);
  }
  /// Records the variant in an order, whose byte fills shared memory, as the trial's run.
  void record_in(const LaneOrder& order) {
    trial_.run = value_of(record_with(program_, order, false));
    trial_.order = order;
    trial_.shared_byte = shared_byte_of(order);
  }

  /// Looks for parameters and data with which the builder launches a stage of the file. Changes nothing if there are
  /// none.
  void find_launch() {
    const Parameters parameters = trial_.parameters;
    const std::string name = trial_.data;
    const auto data = data_;
    variants::VariantRun before = std::move(trial_.run);
    for (const LaunchChoice& choice : launch_choices(*find_algorithm(trial_.file.algorithm), parameters)) {
      report(0.7, "Looking for a launch of the stage: " + choice.changed);
      trial_.parameters = choice.parameters;
      trial_.data = choice.data.empty() ? name : choice.data;
      const auto set = choice.data.empty() ? Result<std::shared_ptr<const DataSet>>(data) : open_data_set(choice.data);
      if (!set) continue;
      use(*set);
      auto run = record_with(program_, {}, true);
      if (!run && run.error().kind == ErrorKind::cancelled) throw ErrorException(run.error());
      if (!run || (run->crash.empty() && run->replaced.empty())) continue;
      // A choice that the original cannot build is none
      const auto original = recording_of_original();
      if (!original) continue;
      trial_.original = *original;
      trial_.used_with = choice.changed;
      if (!choice.data.empty()) trial_.own_points = nullptr;
      record_in({});
      return;
    }
    trial_.parameters = parameters;
    trial_.data = name;
    use(data);
    trial_.run = std::move(before);
  }

  void compare() {
    const variants::VariantRun& run = trial_.run;
    trial_.failed_check.reset();
    trial_.divergence = {};
    trial_.unused.clear();
    if (!run.trace) return;
    trial_.divergence = find_divergence(trial_.original, run.trace, {}, control_.stop);
    for (std::uint32_t step = 0; step < run.trace->steps.size() && !trial_.failed_check; ++step)
      for (const CheckResult& check : run.trace->steps[step].checks)
        if (!check.passed && !fails_in_original(step, check) &&
            !(check.name == variants::end_check && !run.crash.empty())) {
          trial_.failed_check = FailedAt{step, check};
          break;
        }
    if (run.crash.empty())
      for (const std::string& stage : trial_.file.replaced)
        if (std::ranges::find(run.replaced, stage) == run.replaced.end()) trial_.unused.push_back(stage);
  }

  bool fails_in_original(std::uint32_t step, const CheckResult& check) const {
    const auto same = step_of_same_path(*trial_.run.trace, step, *trial_.original);
    return same && std::ranges::any_of(trial_.original->steps[*same].checks, [&](const CheckResult& other) {
             return other.name == check.name && !other.passed;
           });
  }

  bool right() const { return trial_.run.crash.empty() && (trial_.equal() || trial_.other_steps()); }

  /// Runs a variant that is right so far in further orders, until one of them gives something else.
  void try_orders() {
    std::vector<LaneOrder> orders{{LaneOrder::Kind::descending, 0}, {LaneOrder::Kind::shuffled, request_.seed}};
    if (!trial_.file.has_own_atomics)
      orders.insert(orders.end(), {{LaneOrder::Kind::at_once, 0}, {LaneOrder::Kind::at_once_by_words, 0}});
    if (!right() || trial_.not_used()) return;
    trial_.orders.push_back({});
    for (const LaneOrder& order : orders) {
      report(0.8, "Recording the variant " + clause_of(order));
      VariantTrial before = trial_;
      record_in(order);
      if (trial_.run.late) {
        trial_ = std::move(before);
        trial_.too_slow.push_back(order);
        continue;
      }
      compare();
      if (order.kind == LaneOrder::Kind::at_once) trial_.compared_share = trial_.run.compared_share;
      const bool by_words = order.kind == LaneOrder::Kind::at_once_by_words;
      // An original that writes bytes of words does something else by words, and so may the variant
      const bool left_out = by_words && !right() && !original_is_same_in(order);
      if (!left_out && !right() && !same_as_original_in(order)) return;
      // Keep the run in ascending order, which the pictures show
      if (by_words)
        before.words_tried = !left_out;
      else
        before.orders.push_back(order);
      before.compared_share = trial_.compared_share;
      before.original_depends = trial_.original_depends;
      trial_ = std::move(before);
    }
  }

  /// Records the original in an order. Compiles it as a variant is compiled, because only these run in an order.
  variants::VariantRun original_in(const LaneOrder& order) {
    report(0.8, "Compiling the original, to run it " + clause_of(order));
    const auto compiled = value_of(variants::compile_original(trial_.file.algorithm, kit_, Backend::cpu, errors_,
                                                              control_.stop, variants::Purpose::record));
    return value_of(record_with(compiled.program, order, false));
  }
  bool original_is_same_in(const LaneOrder& order) {
    const variants::VariantRun original = original_in(order);
    return original.trace && original.crash.empty() &&
           find_divergence(trial_.original, original.trace, {}, control_.stop).equal();
  }

  /// Returns whether the original records the same as the variant when it runs in the same order. If it records
  /// something else, compares with that.
  bool same_as_original_in(const LaneOrder& order) {
    if (!trial_.run.crash.empty()) return false;
    const variants::VariantRun original = original_in(order);
    if (!original.trace || !original.crash.empty()) return false;
    const auto ascending = std::exchange(trial_.original, original.trace);
    compare();
    if (right()) {
      trial_.original_depends = true;
      return true;
    }
    // The recording beside the variant's is the usual one, unless the original's order changes what it records
    if (find_divergence(ascending, original.trace, {}, control_.stop).equal()) {
      trial_.original = ascending;
      compare();
    }
    return false;
  }

  bool same_result(const variants::VariantRun& a, const variants::VariantRun& b) const {
    if (a.crash != b.crash || !a.trace != !b.trace) return false;
    return !a.trace || find_divergence(a.trace, b.trace, {}, control_.stop).equal();
  }

  /// Finds out whether a run that differs would do so with other bytes in shared memory that nobody wrote, and which
  /// array makes the difference. Some more runs, of a variant that is wrong.
  void look_for_unwritten() {
    constexpr std::size_t most_arrays = 12;
    const std::vector<std::string> arrays = trial_.run.shared_arrays;
    if (request_.backend != Backend::cpu || arrays.empty() || trial_.run.late) return;
    report(0.9, "Recording the variant with other bytes in shared memory");
    const LaneOrder order = trial_.order;
    const bool usual = trial_.shared_byte == unwritten_shared_byte;
    const std::uint8_t byte = usual ? shared_byte_of({LaneOrder::Kind::descending, 0}) : trial_.shared_byte;
    VariantTrial found = trial_;
    const variants::VariantRun other =
        value_of(record_with(program_, order, false, SharedFill{usual ? byte : unwritten_shared_byte}));
    found.unwritten = !other.late && !same_result(found.run, other);
    if (!found.unwritten) return;
    for (std::size_t i = 0; i < std::min(arrays.size(), most_arrays); ++i)
      if (!same_result(usual ? found.run : other,
                       value_of(record_with(program_, order, false, SharedFill{byte, arrays[i]}))))
        found.unwritten_arrays.push_back(arrays[i]);
    // The bytes alone make the difference if the usual ones give the original's result in this order
    trial_.run = other;
    compare();
    if (!usual && right()) found.order = {};
    trial_ = std::move(found);
  }

  const TrialRequest& request_;
  variants::CompilerErrors& errors_;
  const RunControl& control_;
  VariantTrial trial_;
  std::shared_ptr<const DataSet> data_;
  std::optional<variants::SharedPoints> points_;
  variants::Kit kit_;
  std::filesystem::path program_;
};

}  // namespace

bool VariantTrial::not_used() const { return run.crash.empty() && run.replaced.empty() && !file.is_builder; }

bool VariantTrial::other_steps() const {
  return file.is_builder && run.trace && run.crash.empty() && !divergence.hashes && !failed_check &&
         !divergence.equal();
}

std::optional<std::uint32_t> VariantTrial::first_wrong_step() const {
  std::optional<std::uint32_t> first;
  if (divergence.steps) first = divergence.steps->second;
  if (failed_check && (!first || failed_check->step < *first)) first = failed_check->step;
  return first;
}

std::string usual_trial_data(const std::string& algorithm) {
  const AlgorithmSpec* spec = find_algorithm(algorithm);
  return spec && spec->takes_triangles ? "zhou-8" : "wald-10";
}

Result<VariantTrial> try_variant(const TrialRequest& request, variants::CompilerErrors& errors,
                                 const RunControl& control) try {
  if (const auto there = runners_elsewhere()) return try_variant_there(request, errors, control, there);
  return Trier(request, errors, control).run();
} catch (const ErrorException& e) {
  return e.error();
}

RunRequest request_of(const VariantTrial& trial) {
  RunRequest request{trial.data, trial.file.algorithm, trial.parameters, trial.backend};
  request.points = trial.own_points;
  return request;
}

std::shared_ptr<Trace> trace_of(const VariantTrial& trial) {
  auto trace = std::make_shared<Trace>(*trial.run.trace);
  // A trace leaves out regions that no step names, such as that of a kernel which shares a step with another; without
  // any, nobody could tell that the run is a variant's
  std::vector<RecordedSource>& sources = trace->header.sources;
  if (std::ranges::find(sources, trial.file.path, &RecordedSource::file) == sources.end())
    sources.insert(sources.end(), trial.file.stages.begin(), trial.file.stages.end());
  add_printed_text(*trace, trial.run.prints.steps);
  return trace;
}

RecordedRun run_of(const VariantTrial& trial) {
  auto trace = trace_of(trial);
  const std::string& path = trial.file.path;
  trace->header.title = "Variant " + path.substr(path.rfind('/') + 1) + " of " + trace->header.title;
  RecordedRun run{request_of(trial), "", trace, {trial.original, "the original"}, {}};
  run.first_difference = trial.first_wrong_step();
  if (!run.first_difference && !trial.run.crash.empty())
    run.first_difference = static_cast<std::uint32_t>(trace->steps.size() - 1);
  return run;
}

std::string outcome_text(const VariantTrial& trial) {
  std::string text;
  if (trial.unwritten)
    text = "reads " + unwritten_arrays_text(trial) + " where nobody wrote, so its result depends on what is there: it ";
  if (trial.order != LaneOrder())
    text += "depends on the order of lanes: it is equal to the original " + clause_of(LaneOrder()) + ", but " +
            clause_of(trial.order) + " it ";
  const std::string used = trial.used_with.empty() ? "" : " (used with " + trial.used_with + ")";
  const std::string unused = trial.unused.empty() ? ""
                                                  : "; never launched, and so not tried: " + joined(trial.unused) +
                                                        " (kdscope-cli variant stages " + trial.file.algorithm +
                                                        " --launches names what launches them)";
  if (!trial.run.crash.empty()) {
    if (!trial.first_wrong_step()) return text + crash_outcome(trial) + used;
    return text + difference_text(trial) + "; later it " + crash_outcome(trial) + used;
  }
  if (!trial.run.trace) return "recorded nothing";
  if (trial.not_used())
    return "was not used: no launch of the builder takes its stage, with these parameters and data and others that "
           "were tried; name some in --param and --data that reach it";
  if (trial.other_steps()) {
    const Divergence& found = trial.divergence;
    const bool values = found.steps && !found.step_names;
    return text + "has other " + (values ? "values on the way" : "steps") +
           " than the original, but builds the same tree" + (values ? ": it " + difference_text(trial) : "") +
           orders_text(trial);
  }
  if (!trial.equal())
    return text + difference_text(trial) + (trial.divergence.hashes ? "" : "; the tree is the same") + used + unused;
  return "is equal to the original: " + std::to_string(trial.divergence.compared_steps) + " steps, the same tree" +
         orders_text(trial) + used + unused;
}

}  // namespace kdscope
