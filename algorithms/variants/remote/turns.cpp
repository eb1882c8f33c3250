#include "algorithms/variants/remote/turns.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>
#include <thread>
#include <tuple>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/variants/work.hpp"

namespace kdscope::variants::remote {
namespace {

[[noreturn]] void refuse_folder(const std::string& path) {
  throw ErrorException({ErrorKind::io_failure,
                        std::string("the queue of the GPU cannot be used: ") + std::strerror(errno), path,
                        "name another folder in the variable KDSCOPE_QUEUE"});
}

/// Opens a file that all users share, and makes it if it is missing. No link is followed, because anybody may have put
/// one there.
Descriptor open_common(const std::string& path, int flags = O_RDWR) {
  for (int turn = 0; turn < 100; ++turn) {
    // The kernel may forbid O_CREAT for the file of another user, so open it first.
    Descriptor file(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct ::stat found {};
    if (file.number() >= 0 && ::fstat(file.number(), &found) == 0 && S_ISREG(found.st_mode)) return file;
    if (file.number() >= 0 || errno != ENOENT) break;
    const int made = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (made >= 0) {
      ::fchmod(made, 0666);
      return Descriptor(made);
    }
    if (errno != EEXIST) break;
  }
  refuse_folder(path);
}

bool lock(int file, int how) {
  while (::flock(file, how) != 0)
    if (errno != EINTR) return false;
  return true;
}

/// Someone who waits: the number of the ticket, and whose run it is.
struct Ticket {
  std::uint64_t number = 0, user = 0;
  std::string name() const { return "ticket-" + std::to_string(number) + "-" + std::to_string(user); }
};

std::optional<Ticket> ticket_from(const char* name) {
  constexpr std::string_view begin = "ticket-";
  const std::string_view text = name;
  if (!text.starts_with(begin)) return std::nullopt;
  Ticket ticket;
  const char* last = text.data() + text.size();
  const auto number = std::from_chars(text.data() + begin.size(), last, ticket.number);
  if (number.ec != std::errc() || number.ptr == last || *number.ptr != '-') return std::nullopt;
  const auto user = std::from_chars(number.ptr + 1, last, ticket.user);
  if (user.ec != std::errc() || user.ptr != last) return std::nullopt;
  return ticket;
}

/// What the queue's file says: the last number that was given, and the number of each user's last turn. Its lock
/// guards the folder.
class Book {
 public:
  explicit Book(const std::string& folder) : file_(open_common(folder + "/book")) {
    if (!lock(file_.number(), LOCK_EX)) refuse_folder(folder);
    std::string text(64 << 10, '\0');
    const ssize_t got = ::pread(file_.number(), text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    std::istringstream words(text);
    words >> last;
    for (std::uint64_t user = 0, turn = 0; words >> user >> turn;) last_turns[user] = turn;
  }
  void keep() const {
    std::ostringstream text;
    text << last << "\n";
    for (const auto& [user, turn] : last_turns) text << user << " " << turn << "\n";
    const std::string bytes = text.str();
    // A book that is not written makes the queue unfair, and stops nobody.
    [[maybe_unused]] const ssize_t written = ::pwrite(file_.number(), bytes.data(), bytes.size(), 0);
    [[maybe_unused]] const int cut = ::ftruncate(file_.number(), static_cast<off_t>(bytes.size()));
  }

  std::uint64_t last = 0;
  std::map<std::uint64_t, std::uint64_t> last_turns;

 private:
  Descriptor file_;
};

/// Returns the tickets whose holders live. Removes the others, as far as their users permit.
std::vector<Ticket> waiting_in(const std::string& folder, const Ticket& own) {
  std::vector<Ticket> all;
  DIR* entries = ::opendir(folder.c_str());
  for (const dirent* entry; entries && (entry = ::readdir(entries));) {
    const auto ticket = ticket_from(entry->d_name);
    if (!ticket) continue;
    const std::string path = folder + "/" + entry->d_name;
    if (ticket->number != own.number) {
      const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
      if (file.number() < 0) continue;
      if (lock(file.number(), LOCK_EX | LOCK_NB)) {
        ::unlink(path.c_str());
        continue;
      }
    }
    all.push_back(*ticket);
  }
  if (entries) ::closedir(entries);
  return all;
}

/// Returns how many of those who wait come before a ticket: users take turns, the one first who had none for longest.
std::size_t tickets_before(const Ticket& own, std::vector<Ticket> all, const Book& book) {
  std::ranges::sort(all, {}, &Ticket::number);
  std::map<std::uint64_t, std::uint64_t> of_user;
  using Place = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
  std::vector<Place> places;
  Place own_place;
  for (const Ticket& ticket : all) {
    const auto turn = book.last_turns.find(ticket.user);
    const Place place{of_user[ticket.user]++, turn == book.last_turns.end() ? 0 : turn->second, ticket.number};
    places.push_back(place);
    if (ticket.number == own.number) own_place = place;
  }
  return static_cast<std::size_t>(std::ranges::count_if(places, [&](const Place& place) { return place < own_place; }));
}

void make_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0) {
    ::chmod(folder.c_str(), 01777);
    return;
  }
  struct ::stat found {};
  if (errno != EEXIST || ::lstat(folder.c_str(), &found) != 0) refuse_folder(folder);
  errno = ENOTDIR;
  if (!S_ISDIR(found.st_mode)) refuse_folder(folder);
}

}  // namespace

Result<std::unique_ptr<Turn>> Turns::take(const std::function<void(std::size_t before)>& waits,
                                          std::uint64_t user) const try {
  make_folder(folder_);
  Descriptor at_work = open_common(folder_ + "/at-work");
  Ticket own{0, user};
  Descriptor ticket(-1);
  std::string path;
  {
    Book book(folder_);
    own.number = ++book.last;
    path = folder_ + "/" + own.name();
    ticket = open_common(path);
    if (!lock(ticket.number(), LOCK_EX | LOCK_NB)) refuse_folder(path);
    book.keep();
  }
  std::optional<std::size_t> told;
  for (;;) {
    std::size_t before = 0;
    {
      Book book(folder_);
      before = tickets_before(own, waiting_in(folder_, own), book);
      if (before == 0 && lock(at_work.number(), LOCK_EX | LOCK_NB)) {
        ::unlink(path.c_str());
        book.last_turns[user] = ++book.last;
        book.keep();
        return std::make_unique<Turn>(std::move(at_work));
      }
    }
    ++before;  // the one at work
    if (told != before) waits(before);
    told = before;
    std::this_thread::sleep_for(std::chrono::milliseconds(before == 1 ? 10 : 50));
  }
} catch (const ErrorException& e) {
  return e.error();
}

Result<std::unique_ptr<Turn>> Turns::take(const std::function<void(std::size_t before)>& waits) const {
  return take(waits, ::getuid());
}

std::shared_ptr<void> take_turn(const ProcessRequest& request, const RunControl& control) {
  if (request.work == values_work) return nullptr;  // it computes nothing
  // Other work may be for either back end.
  const bool may_use_gpu = !request.work.empty() || request.run.backend != Backend::cpu;
  const std::string folder = queue_folder(may_use_gpu);
  if (folder.empty()) return nullptr;
  auto turn = Turns(folder).take([&](std::size_t before) {
    control.progress(0, "waiting for the GPU: " + count_text(before, "run", "runs") + " before this one");
  });
  return turn ? std::shared_ptr<void>(std::move(*turn)) : nullptr;
}

std::string queue_folder(bool may_use_gpu) {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (const std::string folder = variable("KDSCOPE_QUEUE"); !folder.empty()) return folder;
  if (!may_use_gpu || !variable("SLURM_JOB_ID").empty()) return {};
  if (!find_devices().cuda_status.empty()) return {};
  std::string gpu = variable("CUDA_VISIBLE_DEVICES");
  gpu = gpu.substr(0, gpu.find(','));
  std::erase_if(gpu, [](char c) { return c == '/' || c == '.'; });
  return "/tmp/kdscope-gpu-" + (gpu.empty() ? "0" : gpu);
}

}  // namespace kdscope::variants::remote
