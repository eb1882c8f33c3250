#include "algorithms/variants/remote/connection.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/variants/protocol.hpp"

namespace kdscope::variants::remote {
namespace {

using Clock = std::chrono::steady_clock;

/// Returns what a program wrote, on one line: all of it if that is short, otherwise its last line, which names the
/// reason after banners and warnings.
std::string told(std::string_view words) {
  constexpr std::size_t short_text = 160;
  std::string all, last;
  while (!words.empty()) {
    const std::string_view line = words.substr(0, words.find('\n'));
    words.remove_prefix(std::min(words.size(), line.size() + 1));
    const std::string text = printable(line.substr(0, line.find_last_not_of(" \r\t.") + 1));
    if (text.empty()) continue;
    all += (all.empty() ? "" : ", ") + text;
    last = text.substr(0, 2 * short_text);
  }
  return all.size() <= short_text ? all : last;
}

}  // namespace

std::string command_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

Connection::Connection(const Way& way)
    : command_(command_text(way.command)),
      silence_(way.silence),
      process_(way.command, {input_.reading.number(), output_.writing.number(), words_.writing.number()}, "", SIGTERM),
      out_(input_.writing.number(), way.silence) {
  input_.reading.close(), output_.writing.close(), words_.writing.close();
  for (const Pipe* pipe : {&output_, &words_}) ::fcntl(pipe->reading.number(), F_SETFL, O_NONBLOCK);
  ::fcntl(input_.writing.number(), F_SETFL, O_NONBLOCK);  // so that a line that takes nothing is given up
  for (const Pipe* pipe : {&input_, &output_}) ::fcntl(pipe->writing.number(), F_SETPIPE_SZ, 1 << 20);
}

Connection::~Connection() {
  constexpr std::chrono::seconds most(2);
  input_.writing.close(), output_.reading.close();  // it may write as this ends
  process_.end_within(most);
}

bool Connection::read_frames() {
  std::array<char, 256 << 10> bytes;
  const ssize_t got = ::read(output_.reading.number(), bytes.data(), bytes.size());
  if (got > 0) in_.add({bytes.data(), static_cast<std::size_t>(got)});
  ended_ = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
  return !ended_;
}

bool Connection::send(FrameKind kind, std::string_view bytes) {
  try {
    if (takes_more_) out_.send(kind, bytes);
  } catch (const ErrorException&) {
    takes_more_ = false;
  }
  return takes_more_;
}

void Connection::read_words() {
  constexpr std::size_t most_words = 16 << 10;
  std::array<char, 4096> bytes;
  const ssize_t got = ::read(words_.reading.number(), bytes.data(), bytes.size());
  if (got == 0) words_.reading.close();
  if (got <= 0) return;
  kept_words_.append(bytes.data(), static_cast<std::size_t>(got));
  if (kept_words_.size() > most_words) kept_words_.erase(0, kept_words_.size() - most_words);
}

Error Connection::failure(ErrorKind kind, std::string what, std::string remedy) {
  const auto status = process_.status_within(std::chrono::seconds(ended_ ? 2 : 0));
  while (words_.reading.number() >= 0) {
    const std::size_t before = kept_words_.size();
    read_words();
    if (kept_words_.size() == before) break;
  }
  std::string words = told(kept_words_);
  if (words.empty() && status)
    words = WIFSIGNALED(*status) ? std::string("it was ended: ") + ::strsignal(WTERMSIG(*status))
                                 : "it ended with exit code " + std::to_string(WEXITSTATUS(*status));
  if (!words.empty()) what += " (" + words + ")";
  return {kind, std::move(what), command_, std::move(remedy)};
}

Error Connection::lost() {
  return failure(ErrorKind::device_failure, "the connection to " + greeting_.host + " was lost",
                 "run again, which connects again");
}

Error Connection::silent() {
  return failure(ErrorKind::device_failure,
                 "the connection to " + greeting_.host + " was lost: nothing has come for " +
                     count_text(static_cast<std::size_t>(silence_.count()), "second", "seconds"),
                 "run again, which connects again");
}

Result<std::unique_ptr<Connection>> Connection::open(const Way& way, std::stop_token stop,
                                                     const std::function<void(std::string_view)>& waits) try {
  std::unique_ptr<Connection> connection(new Connection(way));
  try {
    if (const auto greeted = connection->greet(way, stop, waits); !greeted) return greeted.error();
  } catch (const ErrorException& e) {  // the bytes are no frames
    return connection->failure(e.error().kind, e.error().what, e.error().remedy);
  }
  return connection;
} catch (const ErrorException& e) {
  return e.error();
}

Result<void> Connection::greet(const Way& way, std::stop_token stop,
                               const std::function<void(std::string_view)>& waits) {
  const Greeting own = own_greeting();
  send(FrameKind::greeting, payload_of(own));
  const auto end = Clock::now() + way.wait;
  std::optional<Frame> frame;
  while (!(frame = in_.next())) {
    pollfd wanted[] = {{frames_descriptor(), POLLIN, 0}, {words_descriptor(), POLLIN, 0}};
    ::poll(wanted, 2, 100);
    if (wanted[1].revents != 0) read_words();
    if (wanted[0].revents != 0 && !read_frames()) {
      const std::string printed = told(in_.before_mark());
      return failure(ErrorKind::device_failure,
                     "no kdscope-runner answers" + (printed.empty() ? "" : ", but '" + printed + "'"),
                     "try the command in a terminal; it has to start kdscope-runner --far and must not ask");
    }
    if (stop.stop_requested()) return Error{ErrorKind::cancelled, "the run was cancelled", "", ""};
    if (Clock::now() > end)
      return failure(ErrorKind::device_failure,
                     "no kdscope-runner has answered for " +
                         count_text(static_cast<std::size_t>(way.wait.count()), "second", "seconds"),
                     "try the command in a terminal, or let the device wait longer (kdscope-cli device add --wait)");
    if (waits) waits(kept_words_);
  }
  if (frame->kind != FrameKind::greeting)
    return failure(ErrorKind::bad_input, "kdscope-runner sent no greeting", "install the same version on both sides");
  auto theirs = greeting_from(frame->payload);
  if (!theirs) return theirs.error();
  greeting_ = std::move(*theirs);
  if (greeting_.protocol != own.protocol)
    return Error{
        ErrorKind::bad_usage,
        greeting_.host + " has kdscope " + greeting_.version + ", and this is " +
            (own.version == greeting_.version ? "another build of it" : own.version) + ", so they cannot share a run",
        command_, "install the same version on both; until then, trace files can be copied from one to the other"};
  if (greeting_.devices.devices.empty())
    return failure(ErrorKind::bad_input, "kdscope-runner named no device", "install the same version on both sides");
  if (greeting_.compresses && own.compresses) out_.compress();
  return {};
}

}  // namespace kdscope::variants::remote
