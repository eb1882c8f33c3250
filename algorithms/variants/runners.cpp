#include "algorithms/variants/runners.hpp"

#include <string.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <system_error>
#include <utility>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/variants/child_program.hpp"
#include "algorithms/variants/work.hpp"

namespace kdscope::variants {
namespace {

namespace fs = std::filesystem;
using Reason = ProgramEnd::Reason;

constexpr std::size_t most_idle = 2;

/// The runners in use.
struct InUse {
  std::mutex mutex;
  std::shared_ptr<Runners> runners;
};
InUse& in_use() {
  static InUse shared;
  return shared;
}

/// What ends requests for values that stay elsewhere.
struct LeavingValues {
  std::mutex mutex;
  std::stop_source source;
};
LeavingValues& leaving_values() {
  static LeavingValues shared;
  return shared;
}
std::stop_token leaves_values() {
  const std::lock_guard lock(leaving_values().mutex);
  return leaving_values().source.get_token();
}

/// Returns whether a process that answered with this error is as good as a new one.
bool harmless(const Error& error) {
  return error.kind == ErrorKind::bad_usage || error.kind == ErrorKind::bad_input ||
         error.kind == ErrorKind::over_budget || error.kind == ErrorKind::no_device;
}

}  // namespace

/// What a process answered to one request.
struct Runners::Answer {
  bool began = false;  ///< whether the process has worked on the request
  std::optional<std::string> other_id;
  std::string step;  ///< the last step that began
  std::optional<Error> error;
  std::optional<Event> result;  ///< replaced, built or done
  std::optional<ProgramEnd> end;
  ReceivedTrace received;

  /// Takes in one event. Returns whether it ends the request.
  bool hear(const std::string& line, const RunControl& control);
  /// Turns an answer that does not fit its request into an error: a runner elsewhere is foreign.
  void check(const ProcessRequest& request);
  std::string crash_text() const;
  Error crash_error() const;
};

bool Runners::Answer::hear(const std::string& line, const RunControl& control) {
  auto event = event_from(line);
  if (!event) return error = event.error(), true;
  switch (event->kind) {
    case Event::Kind::ready:
      if (event->text != runner_id()) other_id = event->text;
      return other_id.has_value();
    case Event::Kind::step:
      began = true;
      step = event->text;
      return false;
    case Event::Kind::progress:
      began = true;
      if (control.progress) control.progress(event->fraction, event->text);
      return false;
    case Event::Kind::failed:
      return error = event->error, true;
    case Event::Kind::replaced:  // ends a recording
    case Event::Kind::built:
    case Event::Kind::done:
      return result = std::move(*event), true;
    case Event::Kind::fault:
    case Event::Kind::array:
    case Event::Kind::shared:  // comes before `replaced`
      return false;
  }
  return false;
}

void Runners::Answer::check(const ProcessRequest& request) {
  if (error || !result) return;
  const Event::Kind wanted = !request.work.empty() ? Event::Kind::done
                             : request.timed       ? Event::Kind::built
                                                   : Event::Kind::replaced;
  const bool whole = wanted != Event::Kind::replaced || (received.complete && !received.trace->steps.empty());
  if (result->kind == wanted && whole) return;
  error = received.error = Error{ErrorKind::bad_input, "the runner sent another answer than was asked for", "",
                                 "run again, or install kdscope again"};
}

std::string Runners::Answer::crash_text() const {
  std::string text = "the process that builds ";
  if (end->reason == Reason::signal)
    text += std::string("crashed (") + ::strsignal(end->code) + ")";
  else
    text += "ended itself with exit code " + std::to_string(end->code);
  if (!step.empty()) text += " in the step " + step;
  return text;
}

Error Runners::Answer::crash_error() const {
  return {ErrorKind::device_failure, crash_text(), "", "run again, or on the other back end"};
}

struct Runners::Runner {
  explicit Runner(const std::vector<std::string>& command, RunnersAre where) : program(command), where(where) {}
  /// What leads elsewhere ends itself, so that it gives back the place that it has there.
  ~Runner() {
    constexpr std::chrono::seconds most(4);
    if (where == RunnersAre::elsewhere) program.end_within(most);
  }
  RunningProgram program;
  RunnersAre where;
  std::weak_ptr<const DataSet> data;  ///< the data that the process keeps
  bool has_served = false;
};

/// The values that a process elsewhere keeps of a recording. The process belongs to them until they are forgotten.
class Runners::FarValues : public trace_stream::ValueSource {
 public:
  explicit FarValues(Runners& runners) : runners_(runners.weak_from_this().lock()), device_(runners.device()) {}
  ~FarValues() override {
    if (runner_ && runners_) runners_->give_back(std::move(runner_));
  }
  void set_runner(std::unique_ptr<Runner> runner) { runner_ = std::move(runner); }
  void read(std::uint32_t array, std::uint64_t place, TypedArray& values) const override;

 private:
  std::shared_ptr<Runners> runners_;  ///< whose thread the process needs
  std::string device_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<Runner> runner_;  ///< null once it has failed
  mutable Error lost_{ErrorKind::device_failure, "the recording had not ended", "", "run again"};
};

void Runners::FarValues::read(std::uint32_t array, std::uint64_t place, TypedArray& values) const {
  const std::lock_guard lock(mutex_);
  if (!runner_) throw ErrorException(lost_);
  trace_stream::SharedObjects shared;
  const SharedFile input, output;
  KeptValuesRequest request{array, place, values.type(), values.size()};
  trace_stream::Sender out(input.number(), &shared);
  out(request);
  out.flush();
  ProcessRequest wanted;
  wanted.stays = true;
  wanted.work = values_work;
  wanted.input = input.path(), wanted.output = output.path();
  Answer answer;
  answer.step = wanted.work;
  answer.end = runner_->program.ask(
      line_of(wanted), no_limits, [&](const std::string& line) { return answer.hear(line, {}); }, leaves_values());
  answer.check(wanted);
  if (answer.end && !answer.error)
    answer.error = Error{ErrorKind::device_failure, "the connection or the runner there has ended", "", ""};
  KeptValuesOutput received;
  if (!answer.error) {
    trace_stream::Receiver in(reader_of(output.number()), values.byte_count(), &shared);
    in(received);
    if (received.bytes.size() != values.byte_count())
      answer.error = Error{ErrorKind::bad_input, "the runner sent another number of values than it kept", "", ""};
  }
  if (answer.error) {
    lost_ = *answer.error;
    lost_.what = "values of this run are lost that were still on " + device_ + ": " + lost_.what;
    lost_.remedy = "run again; what was looked at before is still here";
    runner_.reset();
    throw ErrorException(lost_);
  }
  if (!received.bytes.empty()) std::memcpy(values.bytes().data(), received.bytes.data(), received.bytes.size());
}

Runners::Runners(std::vector<std::string> command, RunnersAre where, std::string device, std::uint64_t keeps_above)
    : command_(std::move(command)), where_(where), device_(std::move(device)), keeps_above_(keeps_above) {
  idle_.reserve(most_idle + 1);  // the starting thread must not run out of memory
  starter_ = std::thread([this] { start_processes(); });
}

Runners::~Runners() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    idle_.clear();
  }
  changed_.notify_all();
  starter_.join();
}

void Runners::start_processes() {
  std::unique_lock lock(mutex_);
  for (bool first = true;; first = false) {
    const auto needed = [&] { return first || where_ == RunnersAre::here || waiting_ > 0; };
    changed_.wait(lock, [&] { return ends_ || (idle_.empty() && !start_failed_ && needed()); });
    if (ends_) return;
    lock.unlock();
    std::unique_ptr<Runner> started;
    try {
      started = std::make_unique<Runner>(command_, where_);
    } catch (const std::exception&) {  // start_failed_ tells
    }
    lock.lock();
    start_failed_ = !started;
    if (started) idle_.push_back(std::move(started));
    changed_.notify_all();
  }
}

std::unique_ptr<Runners::Runner> Runners::take() {
  std::unique_lock lock(mutex_);
  ++waiting_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return !idle_.empty() || start_failed_; });
  --waiting_;
  if (idle_.empty()) {
    start_failed_ = false;  // the next request tries again
    changed_.notify_all();
    throw ErrorException({ErrorKind::io_failure, "no process can be started to build in", command_.front(),
                          "end other programs, or start kdscope with --in-process"});
  }
  std::unique_ptr<Runner> runner = std::move(idle_.back());  // the last one used, which may hold the data
  idle_.pop_back();
  changed_.notify_all();
  return runner;
}

void Runners::give_back(std::unique_ptr<Runner> runner) {
  const std::lock_guard lock(mutex_);
  if (ends_) return;
  idle_.push_back(std::move(runner));
  if (idle_.size() > most_idle) idle_.erase(idle_.begin());
  changed_.notify_all();  // another request may wait for a process, which is now not started
}

Runners::Answer Runners::ask(ProcessRequest wanted, const RunControl& control, const StepsArrived& arrived) {
  wanted.stays = true;
  ProgramLimits limits = no_limits;
  if (where_ == RunnersAre::elsewhere) limits.trace_bytes = available_memory();
  std::function<void(std::shared_ptr<const Trace>)> pass_on;
  if (where_ == RunnersAre::elsewhere && arrived)
    pass_on = [&](std::shared_ptr<const Trace> so_far) { arrived({std::move(so_far), {}, device_}); };
  wanted.keeps_above = pass_on ? keeps_above_ : 0;
  const std::shared_ptr<const DataSet> data = wanted.run.points;
  if (data) wanted.run.data.clear();  // its name alone
  for (std::size_t attempt = 0;; ++attempt) {
    std::unique_ptr<Runner> runner = take();
    std::optional<SharedPoints> points;
    wanted.points_file.clear();
    if (data && runner->data.lock() != data) wanted.points_file = points.emplace(*data).path();
    const auto far_values = wanted.keeps_above > 0 ? std::make_shared<FarValues>(*this) : nullptr;
    Answer answer;
    answer.step = wanted.work;  // the process may crash before it says what it works at
    answer.end = runner->program.ask(
        line_of(wanted), limits, [&](const std::string& line) { return answer.hear(line, control); }, control.stop,
        wanted.timed || !wanted.work.empty() ? nullptr : &answer.received, pass_on, far_values);
    if (answer.other_id)
      answer.error =
          Error{ErrorKind::bad_usage, "belongs to another version of kdscope", command_.front(), "install both again"};
    else if (answer.received.error && !answer.error)
      answer.error = answer.received.error;
    answer.check(wanted);
    if (answer.end && answer.end->reason == Reason::stopped && control.stop.stop_requested())
      answer.error = Error{ErrorKind::cancelled, "the run was cancelled", "", ""};
    // A process that was ended while it waited has not seen the request. A connection that was lost since its last
    // request may show that only now.
    const bool ended_before = answer.end && !answer.error;
    const bool lost_before = where_ == RunnersAre::elsewhere && runner->has_served && answer.error &&
                             answer.error->kind == ErrorKind::device_failure;
    if ((ended_before || lost_before) && !answer.began && attempt <= most_idle) continue;
    const bool in_step = !answer.end && !answer.other_id && !answer.received.error;
    if (in_step && (!answer.error || harmless(*answer.error))) {
      if (wanted.work.empty()) runner->data = data;
      runner->has_served = true;
      if (far_values && !answer.error && trace_stream::has_values_elsewhere(*answer.received.trace))
        far_values->set_runner(std::move(runner));
      else
        give_back(std::move(runner));
    }
    return answer;
  }
}

Result<BuildReport> Runners::build(const RunRequest& request, const RunControl& control) try {
  ProcessRequest wanted{request};
  wanted.timed = true;
  Answer answer = ask(std::move(wanted), control);
  if (answer.error) return *answer.error;
  if (answer.end) return answer.crash_error();
  return std::move(*answer.result->report);
} catch (const ErrorException& e) {
  return e.error();
}

Result<Recording> Runners::record(const RunRequest& request, const RunControl& control,
                                  const StepsArrived& arrived) try {
  Answer answer = ask({request}, control, arrived);
  const std::shared_ptr<Trace>& trace = answer.received.trace;
  if (answer.error || answer.end) trace_stream::drop_steps_elsewhere(*trace);  // nobody has their values any more
  if (where_ == RunnersAre::elsewhere && answer.error && answer.error->kind == ErrorKind::device_failure &&
      !answer.received.error && !trace->steps.empty()) {  // a lost connection leaves what came before
    mark_end(*trace, answer.error->what);
    return Recording{trace, answer.error->where + ": " + answer.error->what, device_};
  }
  if (answer.error) return *answer.error;
  if (!answer.end) return Recording{trace, {}, device_};
  if (trace->steps.empty()) return answer.crash_error();
  mark_end(*trace, answer.crash_text());
  return Recording{trace, answer.crash_text(), device_};
} catch (const ErrorException& e) {
  return e.error();
}

Result<void> Runners::work(const std::string& name, const SharedFile& input, const SharedFile& output,
                           const RunControl& control) try {
  ProcessRequest wanted;
  wanted.work = name;
  wanted.input = input.path(), wanted.output = output.path();
  const Answer answer = ask(std::move(wanted), control);
  if (answer.error) return *answer.error;
  if (answer.end) return answer.crash_error();
  return {};
} catch (const ErrorException& e) {
  return e.error();
}

Result<std::string> Runners::find_program() {
  std::error_code failed;
  const fs::path here = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const fs::path& place : {here / "kdscope-runner", fs::path(KDSCOPE_BUILD_RUNNER)})
    if (::access(place.c_str(), X_OK) == 0) return place.string();
  return Error{ErrorKind::bad_usage, "kdscope-runner, which builds for the window, is missing", here.string(),
               "install kdscope again, or start it with --in-process"};
}

void leave_far_values() {
  const std::lock_guard lock(leaving_values().mutex);
  std::exchange(leaving_values().source, {}).request_stop();
}

void use_runners(std::shared_ptr<Runners> runners) {
  {
    const std::lock_guard lock(in_use().mutex);
    in_use().runners.swap(runners);
  }
  runners.reset();  // those before may end now, which takes a moment
}

std::shared_ptr<Runners> runners_in_use() {
  const std::lock_guard lock(in_use().mutex);
  return in_use().runners;
}

}  // namespace kdscope::variants
