#include "app/bench/peer_programs.hpp"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <sstream>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/byte_hash.hpp"
#include "algorithms/core/caught.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/file_seal.hpp"
#include "algorithms/variants/child_program.hpp"

namespace kdscope {
namespace {

namespace fs = std::filesystem;

/// The program of a library: where an installation of this program has it, or in the build folder. Empty if there is
/// none.
std::string program_of(const std::string& library) {
  std::error_code failed;
  const std::string name = "kdscope-peer-" + library;
  const fs::path here = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const fs::path& place : {here / "../lib/kdscope" / name, fs::path(KDSCOPE_BUILD_PEERS) / name})
    if (::access(place.c_str(), X_OK) == 0) return place.string();
  return {};
}

/// The coordinates as another process reads them.
Descriptor shared_coordinates(const PointSet& points) {
  const std::uint64_t bytes = std::uint64_t(4) * points.size() * points.dim;
  Descriptor file(::memfd_create("kdscope coordinates", MFD_CLOEXEC));
  // The library holds the points once more, and its tree.
  if (file.number() < 0 || 4 * bytes > available_memory())
    throw ErrorException({ErrorKind::out_of_memory, "memory does not hold the points in another process", "",
                          "use fewer points, or close other programs"});
  std::vector<std::uint32_t> some;
  constexpr std::size_t records_at_once = 1 << 16;
  for (std::size_t begin = 0; begin < points.size(); begin += records_at_once) {
    some.clear();
    for (std::size_t i = begin; i < std::min(points.size(), begin + records_at_once); ++i)
      for (std::uint32_t d = 0; d < points.dim; ++d) some.push_back(points.word(i, d));
    const char* at = reinterpret_cast<const char*>(some.data());
    for (std::size_t left = 4 * some.size(); left > 0;) {
      const ssize_t written = ::write(file.number(), at, left);
      if (written <= 0)
        throw ErrorException(
            {ErrorKind::io_failure, "the points cannot be passed to another process", "", "run again"});
      at += written, left -= static_cast<std::size_t>(written);
    }
  }
  return file;
}

[[noreturn]] void fail(const std::string& library, const std::string& how) {
  throw ErrorException(
      {ErrorKind::device_failure, library + " " + how, "", "leave it out with --beside, or choose other data"});
}

std::string how_it_ended(const variants::ProgramEnd& end) {
  if (end.reason == variants::ProgramEnd::Reason::signal) return std::string("crashed (") + ::strsignal(end.code) + ")";
  return "ended itself with exit code " + std::to_string(end.code);
}

}  // namespace

/// The process and the points that it reads.
class PeerPipes {
 public:
  PeerPipes(const std::string& program, const PointSet& points)
      : coordinates(shared_coordinates(points)), process({program}) {}
  Descriptor coordinates;
  variants::RunningProgram process;
};

const std::vector<PeerLibrary>& peer_libraries() {
  static const std::vector<PeerLibrary> all{
      {"nanoflann", "libnanoflann-dev"}, {"flann", "libflann-dev"}, {"cgal", "libcgal-dev"}};
  return all;
}

bool has_peer(const std::string& library) { return !program_of(library).empty(); }

PeerProcess::PeerProcess(const std::string& library, const PointSet& points, const RowClock& clock)
    : library_(library) {
  if (points.type != ScalarType::float32 || points.dim < 2 || points.dim > 3)
    throw ErrorException({ErrorKind::bad_input, "it is compared on points of two or three floats only", "", ""});
  pipes_ = std::make_unique<PeerPipes>(program_of(library), points);
  const std::string path =
      "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(pipes_->coordinates.number());
  ask("points " + path + " " + std::to_string(points.size()) + " " + std::to_string(points.dim), clock);
}

PeerProcess::~PeerProcess() = default;

PeerProcess::Answer PeerProcess::ask(const std::string& line, const RowClock& clock) {
  Answer answer;
  std::optional<std::string> failure;
  const auto hear = [&](const std::string& text) {
    std::istringstream words(text);
    std::string kind;
    words >> kind;
    if (kind == "ms") {
      const std::string number = text.substr(3);
      double ms = 0;
      if (std::from_chars(number.data(), number.data() + number.size(), ms).ec != std::errc()) failure = "gave no time";
      answer.ms.push_back(ms);
      return failure.has_value();
    }
    if (kind == "ready")
      words >> version_;
    else if (kind != "done")
      failure = "failed: " + printable(text.substr(std::min(text.size(), kind.size() + 1)));
    else if (!(words >> answer.result >> answer.threads))
      failure = "gave no result";
    return true;
  };
  variants::ProgramLimits limits = variants::no_limits;
  limits.time = clock.left() + std::chrono::seconds(1);  // the clock's own stop comes first
  const auto end = pipes_->process.ask(line + "\n", limits, hear, clock.stop());
  if (clock.stop().stop_requested() || (end && end->reason == variants::ProgramEnd::Reason::time))
    throw ErrorException({ErrorKind::cancelled, "the bench was stopped", "", ""});
  if (failure) fail(library_, *failure);
  if (end) fail(library_, how_it_ended(*end));
  return answer;
}

Result<PeerProcess::Answer> PeerProcess::asked(const std::string& line, const RowClock& clock) {
  return caught([&] { return ask(line, clock); });
}

Result<PeerProcess::Answer> PeerProcess::build(int times, int threads, const RowClock& clock) {
  return asked("build " + std::to_string(times) + " " + std::to_string(threads), clock);
}

Result<PeerProcess::Answer> PeerProcess::search(std::uint32_t k, int times, int threads, const RowClock& clock) {
  return asked("search " + std::to_string(k) + " " + std::to_string(times) + " " + std::to_string(threads), clock);
}

std::uint64_t hash_of_distances(const SearchReport& found, std::uint32_t k) {
  std::vector<float> narrow;
  for (std::size_t q = 0; q + 1 < found.offsets.size(); ++q)
    for (std::uint64_t i = found.offsets[q]; i < std::min(found.offsets[q] + k, found.offsets[q + 1]); ++i)
      narrow.push_back(static_cast<float>(found.distances[i]));
  ByteHash hash;
  hash.add(reinterpret_cast<const char*>(narrow.data()), 4 * narrow.size());
  return hash.state();
}

}  // namespace kdscope
