#include "app/workbench/background_job.hpp"

#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <QSocketNotifier>
#include <algorithm>
#include <cerrno>
#include <system_error>

#include "app/workbench/guarded_application.hpp"

namespace kdscope {

BackgroundJob::BackgroundJob(QObject* parent) : QObject(parent), bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (bell_ < 0) return;  // start() reports it
  const auto* notifier = new QSocketNotifier(bell_, QSocketNotifier::Read, this);
  connect(notifier, &QSocketNotifier::activated, this, &BackgroundJob::answer);
}

BackgroundJob::~BackgroundJob() {
  thread_.request_stop();
  wait();
  qDeleteAll(findChildren<QSocketNotifier*>());  // before their descriptor closes
  if (bell_ >= 0) ::close(bell_);
}

void BackgroundJob::start(const QString& what, Work work, Failed failed) {
  running_ = true;
  done_ = false;
  progress_.told = true;
  failed_ = std::move(failed);
  try {
    if (bell_ < 0) throw std::system_error(EMFILE, std::generic_category());
    thread_ = std::jthread([this, work = std::move(work)](std::stop_token stop) { work_on(work, std::move(stop)); });
  } catch (...) {
    thrown_ = std::current_exception();
    done_ = true;
    QMetaObject::invokeMethod(this, &BackgroundJob::answer, Qt::QueuedConnection);
  }
  emit started(what);  // last: a view that throws does not keep the job from its end
}

void BackgroundJob::work_on(const Work& work, std::stop_token stop) {
  ::pthread_setname_np(::pthread_self(), "kdscope-job");
  try {
    RunControl control;
    control.stop = std::move(stop);
    control.progress = [this](double fraction, std::string_view now) { show_progress(fraction, now); };
    finish_ = work(control);
  } catch (...) {
    thrown_ = std::current_exception();
  }
  done_ = true;
  ring();
}

void BackgroundJob::show_progress(double fraction, std::string_view now) {
  {
    const std::lock_guard lock(progress_mutex_);
    progress_.fraction = fraction;
    progress_.length = std::min(now.size(), progress_.text.size());
    // A cut falls between characters of UTF-8, never into one.
    if (progress_.length < now.size())
      while (progress_.length > 0 && (now[progress_.length] & 0xc0) == 0x80) --progress_.length;
    std::copy_n(now.begin(), progress_.length, progress_.text.begin());
    if (!progress_.told) return;  // the bell has rung already
    progress_.told = false;
  }
  ring();
}

void BackgroundJob::ring() const { [[maybe_unused]] const int rung = ::eventfd_write(bell_, 1); }

void BackgroundJob::answer() {
  eventfd_t rings = 0;
  if (bell_ >= 0) ::eventfd_read(bell_, &rings);
  if (!done_.exchange(false)) {
    if (!running_) return;
    Progress now;
    {
      const std::lock_guard lock(progress_mutex_);
      now = progress_;
      progress_.told = true;
    }
    if (!now.told)
      emit progressed(now.fraction, QString::fromUtf8(now.text.data(), static_cast<qsizetype>(now.length)));
    return;
  }
  // Behind what the work has posted, such as rows of a table.
  const auto end = [this] {
    wait();
    running_ = false;
    const Finish finish = std::exchange(finish_, nullptr);
    const Failed failed = std::exchange(failed_, nullptr);
    const std::exception_ptr thrown = std::exchange(thrown_, nullptr);
    std::exception_ptr refused;  // by a view, which must not keep the owner of the job waiting
    try {
      emit finished();
    } catch (...) {
      refused = std::current_exception();
    }
    if (thrown) {
      try {
        std::rethrow_exception(thrown);
      } catch (...) {
        failed(error_of_exception());
      }
    } else if (finish) {
      finish();
    }
    if (refused) std::rethrow_exception(refused);
  };
  QMetaObject::invokeMethod(this, end, Qt::QueuedConnection);
}

void BackgroundJob::cancel() { thread_.request_stop(); }

void BackgroundJob::wait() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace kdscope
