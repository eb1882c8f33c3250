#include "algorithms/variants/trace_receiver.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "algorithms/trace/trace_validity.hpp"

namespace kdscope::variants {
namespace {

/// The pipe has ended before the recording.
struct EndOfStream {};

Error no_memory() {
  return {ErrorKind::out_of_memory, "memory does not hold this trace", "",
          "close other traces, or record fewer points"};
}

}  // namespace

void mark_end(Trace& trace, std::string detail) {
  trace.steps.back().checks.push_back({end_check, "the run goes on to its last step", false, std::move(detail)});
}

TraceReceiver::TraceReceiver(int descriptor, std::uint64_t most_bytes, bool copies,
                             std::shared_ptr<const trace_stream::ValueSource> elsewhere)
    : copies_(copies), elsewhere_(std::move(elsewhere)), wake_(::eventfd(0, EFD_CLOEXEC)) {
  try {
    thread_ = std::thread([this, descriptor, most_bytes] { receive(descriptor, most_bytes); });
  } catch (const std::system_error&) {
    throw ErrorException({ErrorKind::io_failure, "no thread can be started", "", "end other programs"});
  }
}

TraceReceiver::~TraceReceiver() {
  if (thread_.joinable()) stop();
}

std::size_t TraceReceiver::read_some(int descriptor, void* bytes, std::size_t size) {
  for (;;) {
    pollfd wanted[] = {{descriptor, POLLIN, 0}, {wake_.number(), POLLIN, 0}};
    if (::poll(wanted, 2, -1) < 0 && errno == EINTR) continue;
    if (wanted[0].revents == 0) throw EndOfStream();  // woken, and nothing is left to read
    const ssize_t got = ::read(descriptor, bytes, size);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got == 0 || (errno != EINTR && errno != EAGAIN)) throw EndOfStream();
  }
}

void TraceReceiver::receive(int descriptor, std::uint64_t most_bytes) {
  try {
    trace_stream::Receiver in([&](void* bytes, std::size_t size) { return read_some(descriptor, bytes, size); },
                              most_bytes);
    while (receive_part(in, *received_.trace, elsewhere_))
      if (copies_ && received_.trace->steps.size() >= next_copy_) copy_steps(most_bytes);
    received_.complete = true;
  } catch (const EndOfStream&) {
  } catch (...) {  // turned into an error where there may be memory for it
    thrown_ = std::current_exception();
  }
  done_ = true;
}

void TraceReceiver::copy_steps(std::uint64_t most_bytes) {
  const Trace& trace = *received_.trace;
  next_copy_ = 2 * trace.steps.size();
  copies_ = trace.stored_bytes() < most_bytes / 4 && !trace_stream::has_values_elsewhere(trace);
  if (!copies_) return;
  auto copy = std::make_shared<Trace>(trace);
  trace_stream::drop_open_step(*copy);
  copy->index_arrays();
  const std::lock_guard lock(mutex_);
  arrived_ = std::move(copy);
}

std::shared_ptr<Trace> TraceReceiver::arrived() {
  const std::lock_guard lock(mutex_);
  return std::exchange(arrived_, nullptr);
}

void TraceReceiver::stop() {
  ::eventfd_write(wake_.number(), 1);
  thread_.join();
}

bool TraceReceiver::wait(std::chrono::milliseconds most) const {
  const auto end = std::chrono::steady_clock::now() + most;
  while (!done_ && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(std::chrono::microseconds(200));
  return done_;
}

ReceivedTrace TraceReceiver::take(std::chrono::milliseconds most) {
  wait(most);
  stop();
  try {
    if (thrown_) std::rethrow_exception(thrown_);
  } catch (const ErrorException& e) {
    received_.error = e.error();
  } catch (const std::exception&) {  // bad_alloc, length_error
    received_.error = no_memory();
  }
  trace_stream::drop_open_step(*received_.trace);
  received_.trace->index_arrays();
  if (!received_.error && !received_.trace->steps.empty())
    if (const auto valid = check_trace(*received_.trace); !valid) received_.error = valid.error();
  return std::move(received_);
}

}  // namespace kdscope::variants
