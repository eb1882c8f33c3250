#include "algorithms/variants/points_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "algorithms/core/available_memory.hpp"

namespace kdscope::variants {

SharedFile::SharedFile() : file_(::memfd_create("kdscope", MFD_CLOEXEC)) {
  if (file_.number() < 0)
    throw ErrorException(
        {ErrorKind::out_of_memory, "no file in memory can be made for another process", "", "close other programs"});
}

std::string SharedFile::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_.number());
}

SharedPoints::SharedPoints(const DataSet& data) {
  trace_stream::SharedObjects shared;
  trace_stream::Sender out(file_.number(), &shared);
  DataSet copy = data;
  out(copy);
  out.flush();
}

trace_stream::ReadSome reader_of(int number) {
  return [number](void* bytes, std::size_t size) -> std::size_t {
    ssize_t got = 0;
    do got = ::read(number, bytes, size);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
      throw ErrorException({ErrorKind::io_failure, "what another process sent ends early", "", "run again"});
    return static_cast<std::size_t>(got);
  };
}

Descriptor open_shared(const std::string& path, int flags) {
  Descriptor file(::open(path.c_str(), flags | O_CLOEXEC));
  if (file.number() < 0)
    throw ErrorException({ErrorKind::io_failure, "a file of another process cannot be opened", path, "run again"});
  return file;
}

Result<std::shared_ptr<const DataSet>> read_points(const std::string& path) try {
  const Descriptor file = open_shared(path, O_RDONLY);
  trace_stream::Receiver in(reader_of(file.number()), available_memory());
  auto data = std::make_shared<DataSet>();
  in(*data);
  return std::shared_ptr<const DataSet>(std::move(data));
} catch (const ErrorException& e) {
  return e.error();
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::out_of_memory, "memory does not hold the points", "", "use fewer points"};
}

}  // namespace kdscope::variants
