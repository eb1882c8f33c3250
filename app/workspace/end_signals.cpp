#include "app/workspace/end_signals.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace kdscope {
namespace {

constexpr int ending_signals[] = {SIGTERM, SIGINT, SIGHUP};
int ends_of_pipe[2] = {-1, -1};

/// Writes a byte to the pipe; a signal handler may do little else.
void tell(int) {
  const char byte = 1;
  [[maybe_unused]] const ssize_t written = ::write(ends_of_pipe[1], &byte, 1);
}

}  // namespace

EndSignals::EndSignals(std::function<void()> end) {
  if (::pipe2(ends_of_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;
  heard_ = std::make_unique<QSocketNotifier>(ends_of_pipe[0], QSocketNotifier::Read);
  QObject::connect(heard_.get(), &QSocketNotifier::activated, heard_.get(), [this, end = std::move(end)] {
    heard_->setEnabled(false);
    end();
  });
  struct sigaction action = {};
  action.sa_handler = tell;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (const int signal : ending_signals) ::sigaction(signal, &action, nullptr);
}

EndSignals::~EndSignals() {
  for (const int signal : ending_signals) ::signal(signal, SIG_DFL);
  for (int& descriptor : ends_of_pipe) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
  }
}

}  // namespace kdscope
