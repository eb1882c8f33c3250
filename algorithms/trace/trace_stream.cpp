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

TypedArray read_later(std::uint32_t array, std::uint64_t place, ElementType type, std::uint64_t size,
                      const std::shared_ptr<const ValueSource>& from) {
  return TypedArray::later(type, size, [=] {
    if (size * size_of(type) > available_memory())
      throw ErrorException({ErrorKind::out_of_memory,
                            "memory does not hold the " + memory_text(size * size_of(type)) + " of an array", "",
                            "close other traces or programs"});
    TypedArray values(type, size);
    from->read(array, place, values);
    return values;
  });
}

/// Returns the first step whose values are not all in memory, or the number of steps.
std::size_t first_step_elsewhere(const Trace& trace) {
  std::size_t step = trace.steps.size();
  for (const Trace::Array& array : trace.arrays)
    for (const ArrayVersion& version : array.versions)
      if (!version.values.present()) step = std::min<std::size_t>(step, version.step);
  return step;
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

std::optional<std::uint64_t> KeptValues::keep(std::uint32_t array, const TypedArray& values) {
  constexpr std::size_t small = 64 << 10;  // not worth a request
  const bool sent = values.byte_count() <= left_ || values.byte_count() < small;
  left_ -= std::min<std::uint64_t>(left_, values.byte_count());
  if (sent) return std::nullopt;
  if (kept_.size() <= array) kept_.resize(array + 1);
  kept_[array].push_back(values);
  return kept_[array].size() - 1;
}

const TypedArray& KeptValues::at(std::uint32_t array, std::uint64_t place, ElementType type, std::uint64_t size) const {
  if (array >= kept_.size() || place >= kept_[array].size() || kept_[array][place].type() != type ||
      kept_[array][place].size() != size)
    throw ErrorException({ErrorKind::bad_input, "values were asked for that are not kept", "", "run again"});
  return kept_[array][place];
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
    const TypedArray& values = versions.back().values;
    if (const auto place = kept_ ? kept_->keep(array, values) : std::nullopt) {
      out_.part(Part::version_elsewhere);
      out_(array, *place, version, values.type(), values.size());
      continue;
    }
    out_.part(Part::version);
    out_(array, version);
    send_values(out_, values);
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

bool receive_part(Receiver& in, Trace& trace, const std::shared_ptr<const ValueSource>& elsewhere) {
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
    case Part::version_elsewhere: {
      std::uint32_t array = 0;
      std::uint64_t place = 0;
      in(array, place);
      if (array >= trace.arrays.size() || !elsewhere) refuse_stream();
      std::vector<ArrayVersion>& versions = trace.arrays[array].versions;
      in.append(versions, std::identity());
      const auto [type, size] = in.values_elsewhere();
      versions.back().values = read_later(array, place, type, size, elsewhere);
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

bool has_values_elsewhere(const Trace& trace) { return first_step_elsewhere(trace) < trace.steps.size(); }

void drop_steps_elsewhere(Trace& trace) {
  trace.steps.resize(first_step_elsewhere(trace));
  drop_open_step(trace);
}

void drop_open_step(Trace& trace) {
  for (Trace::Array& array : trace.arrays)
    std::erase_if(array.versions, [&](const ArrayVersion& v) { return v.step >= trace.steps.size(); });
}

}  // namespace kdscope::trace_stream
