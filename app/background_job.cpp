#include "app/background_job.hpp"

#include <exception>

namespace kdscope {

BackgroundJob::~BackgroundJob() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void BackgroundJob::start(const QString& what, Work work) {
  running_ = true;
  emit started(what);
  thread_ = std::jthread([this, work = std::move(work)](std::stop_token stop) {
    RunControl control;
    control.stop = stop;
    control.progress = [this](double fraction, std::string_view now) {
      if (report_pending_.exchange(true)) return;
      const QString text = QString::fromUtf8(now.data(), static_cast<qsizetype>(now.size()));
      QMetaObject::invokeMethod(
          this,
          [this, fraction, text] {
            report_pending_ = false;
            if (running_) emit progressed(fraction, text);
          },
          Qt::QueuedConnection);
    };
    Finish finish;
    try {
      finish = work(control);
    } catch (...) {  // thrown again on the UI thread, where the application reports it
      finish = [thrown = std::current_exception()] { std::rethrow_exception(thrown); };
    }
    QMetaObject::invokeMethod(
        this,
        [this, finish = std::move(finish)] {
          thread_.join();
          running_ = false;
          emit finished();
          if (finish) finish();
        },
        Qt::QueuedConnection);
  });
}

void BackgroundJob::cancel() { thread_.request_stop(); }

}  // namespace kdscope
