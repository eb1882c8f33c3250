#include "algorithms/variants/points_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/trace/trace_stream.hpp"

namespace kdscope::variants {

SharedPoints::SharedPoints(const DataSet& data) : file_(::memfd_create("kdscope points", MFD_CLOEXEC)) {
  const Error no_memory{ErrorKind::out_of_memory, "memory does not hold another copy of the points", data.name,
                        "use fewer points, or close other programs"};
  // A Sender ends the process if it cannot write, so make room first.
  const std::uint64_t bytes = 4 * (data.points.words.size() + data.triangles.size());
  if (file_.number() < 0 || bytes > available_memory()) throw ErrorException(no_memory);
  trace_stream::Sender out(file_.number());
  DataSet copy = data;
  out(copy);
  out.flush();
}

std::string SharedPoints::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_.number());
}

Result<std::shared_ptr<const DataSet>> read_points(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return Error{ErrorKind::io_failure, "the points of the run cannot be read", path, "run again"};
  try {
    const auto read_some = [&](void* bytes, std::size_t size) -> std::size_t {
      ssize_t got = 0;
      do got = ::read(file.number(), bytes, size);
      while (got < 0 && errno == EINTR);
      if (got <= 0) throw ErrorException({ErrorKind::io_failure, "the points of the run end early", path, "run again"});
      return static_cast<std::size_t>(got);
    };
    trace_stream::Receiver in(read_some, available_memory());
    auto data = std::make_shared<DataSet>();
    in(*data);
    return std::shared_ptr<const DataSet>(std::move(data));
  } catch (const ErrorException& e) {
    return e.error();
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::out_of_memory, "memory does not hold the points", "", "use fewer points"};
  }
}

}  // namespace kdscope::variants
