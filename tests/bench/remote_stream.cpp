// Measures how fast a recorded trace travels from a runner to this process, without the time of the recording:
//   bench_remote_stream DATA                              from a runner of this machine
//   bench_remote_stream DATA COMMAND... --far             over a connection; COMMAND starts this program elsewhere
// The program stands for the runner too: it records the first request, and answers every later one with the same bytes
// at once. Prints megabytes (10^6) of raw state per second.
#include <sys/mman.h>

#include <chrono>
#include <cstdio>
#include <iostream>

#include "algorithms/trace/trace_stream.hpp"
#include "algorithms/variants/points_file.hpp"
#include "algorithms/variants/protocol.hpp"
#include "algorithms/variants/remote/devices.hpp"
#include "algorithms/variants/remote/far_end.hpp"
#include "algorithms/variants/runners.hpp"
#include "datasets/datasets.hpp"

using namespace kdscope;
using namespace kdscope::variants;

namespace {

void send(Event::Kind kind, const std::string& text = "") { write_all(event_descriptor, line_of({kind, text})); }

/// Records a request into a file in memory, as a runner sends the trace.
void record_into(const SharedFile& file, const ProcessRequest& wanted) {
  RunRequest request = wanted.run;
  request.points = *read_points(wanted.points_file);
  trace_stream::StepSender sender(file.number());
  RunControl control;
  control.step_recorded = [&](TraceBuilder& trace) {
    sender.step(trace.so_far());
    trace.release_values();
  };
  sender.end(**record(request, control));
}

int run_as_recorded() {
  send(Event::Kind::ready, runner_id());
  const SharedFile file;
  std::string_view bytes;
  for (std::string line; std::getline(std::cin, line);) {
    if (bytes.empty()) {
      record_into(file, *request_from(line));
      const auto size = static_cast<std::size_t>(::lseek(file.number(), 0, SEEK_END));
      bytes = {static_cast<const char*>(::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0)), size};
    }
    write_all(trace_descriptor, bytes);
    send(Event::Kind::replaced);
  }
  return 0;
}

int measure(const std::string& data, const std::vector<std::string>& command, const std::string& self) {
  constexpr int turns = 5;
  const auto runner = Runners::find_program();
  const auto points = open_data_set(data);
  if (!runner || !points) {
    std::fprintf(stderr, "%s\n", (runner ? points.error() : runner.error()).message().c_str());
    return 2;
  }
  const bool here = command.empty();
  Runners runners(here ? std::vector<std::string>{self} : remote::near_command(*runner, {command}),
                  here ? RunnersAre::here : RunnersAre::elsewhere);
  RunRequest request;
  request.points = *points;
  request.algorithm = "wald";
  for (int turn = 0; turn <= turns; ++turn) {
    const auto start = std::chrono::steady_clock::now();
    const auto recording = runners.record(request);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    if (!recording || !recording->crash.empty()) {
      std::fprintf(stderr, "%s\n", (recording ? recording->crash : recording.error().message()).c_str());
      return 5;
    }
    const double megabytes = static_cast<double>(recording->trace->stored_bytes()) / 1e6;
    if (turn > 0) std::printf("%.0f MB in %.3f s: %.0f MB/s\n", megabytes, time.count(), megabytes / time.count());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty()) return run_as_recorded();
  if (word == "--far") return remote::run_far_end();
  return measure(word, {argv + 2, argv + argc}, argv[0]);
}
