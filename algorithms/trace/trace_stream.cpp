#include "algorithms/trace/trace_stream.hpp"

#include <unistd.h>

#include <cerrno>

#include "algorithms/core/available_memory.hpp"

namespace kdscope::trace_stream {
namespace {

[[noreturn]] void refuse_stream() {
  throw ErrorException({ErrorKind::bad_input, "was read wrongly", "", "record it again, or ask for another copy"});
}

void send_values(Sender& out, const TypedArray& values) {
  const std::size_t width = size_of(values.type());
  out.values(values.type(), values.size(), [&](std::uint64_t begin, std::uint64_t end, void* bytes) {
    std::memcpy(bytes, values.bytes().data() + begin * width, (end - begin) * width);
  });
}

}  // namespace

void Sender::write(const void* bytes, std::size_t size) {
  const Error no_memory{ErrorKind::out_of_memory, "memory does not hold another copy of what is sent to a process", "",
                        "use fewer points, or close other programs"};
  constexpr std::size_t worth_a_look = 1 << 20;
  if (shared_ && size >= worth_a_look && size > available_memory()) throw ErrorException(no_memory);
  const auto* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t sent = ::write(descriptor_, at, size);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0 && shared_) throw ErrorException(no_memory);
    if (sent <= 0) ::_exit(1);
    at += sent, size -= static_cast<std::size_t>(sent);
  }
}

void StepSender::step(const Trace& so_far) {
  if (so_far.steps.size() == 1) {
    TraceHeader header = so_far.header;
    out_.part(Part::header);
    out_(header);
  }
  for (; arrays_ < so_far.arrays.size(); ++arrays_) {
    ArrayInfo info = so_far.arrays[arrays_].info;
    out_.part(Part::array);
    out_(info);
  }
  Step last = so_far.steps.back();
  for (std::uint32_t array = 0; array < arrays_; ++array) {
    const std::vector<ArrayVersion>& versions = so_far.arrays[array].versions;
    if (versions.empty() || versions.back().step != last.ordinal) continue;
    ArrayVersion version = {
        versions.back().step, versions.back().keyframe, versions.back().size, versions.back().ranges, {}};
    out_.part(Part::version);
    out_(array, version);
    send_values(out_, versions.back().values);
  }
  out_.part(Part::step);
  out_(last);
  out_.flush();
}

void StepSender::end(const Trace& trace) {
  TraceHeader header = trace.header;
  out_.part(Part::header);
  out_(header);
  if (!trace.steps.empty()) {
    Step last = trace.steps.back();
    out_.part(Part::last_step);
    out_(last);
  }
  end();
}

void StepSender::end() {
  out_.part(Part::end);
  out_.flush();
}

bool receive_part(Receiver& in, Trace& trace) {
  switch (in.part()) {
    case Part::header:
      in(trace.header);
      return true;
    case Part::step:
      in.append(trace.steps, std::identity());
      return true;
    case Part::last_step: {
      if (trace.steps.empty()) refuse_stream();
      Step last;
      in(last);
      trace.steps.back() = std::move(last);
      return true;
    }
    case Part::array:
      in.append(trace.arrays, &Trace::Array::info);
      return true;
    case Part::version: {
      std::uint32_t array = 0;
      in(array);
      if (array >= trace.arrays.size()) refuse_stream();
      std::vector<ArrayVersion>& versions = trace.arrays[array].versions;
      in.append(versions, std::identity());
      in(versions.back().values);
      return true;
    }
    case Part::error: {
      Error error;
      in(error);
      throw ErrorException(std::move(error));
    }
    case Part::image:
      refuse_stream();
    case Part::end:
      return false;
  }
  return false;
}

void drop_open_step(Trace& trace) {
  for (Trace::Array& array : trace.arrays)
    std::erase_if(array.versions, [&](const ArrayVersion& v) { return v.step >= trace.steps.size(); });
}

}  // namespace kdscope::trace_stream
