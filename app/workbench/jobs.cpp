#include "app/workbench/jobs.hpp"

#include <utility>

#include "app/workbench/messages.hpp"

namespace kdscope {

Jobs::Jobs(Messages& messages, QObject* parent) : QObject(parent), messages_(messages) {
  connect(&job_, &BackgroundJob::started, this, &Jobs::busy_changed);
  connect(&job_, &BackgroundJob::progressed, this, &Jobs::progressed);
  connect(&job_, &BackgroundJob::finished, this, [this] {
    opening_ = false;
    emit busy_changed(QString());
    // Once what the job found out is shown.
    QMetaObject::invokeMethod(
        this,
        [this] {
          if (!busy() && waiting_) std::exchange(waiting_, nullptr)();
        },
        Qt::QueuedConnection);
  });
}

bool Jobs::refuse_while_busy() {
  if (!busy()) return false;
  messages_.report_of_run({ErrorKind::bad_usage, "something is running", "", "wait for it or cancel it"});
  return true;
}

bool Jobs::waits_to_open(const QString& what, std::function<void()> open) {
  if (!busy()) return false;
  waiting_ = std::move(open);
  if (opening_)
    job_.cancel();
  else
    messages_.report(
        {ErrorKind::bad_usage, what.toStdString() + " opens when what runs has ended", "", "wait for it or cancel it"});
  return true;
}

void Jobs::start(const QString& what, BackgroundJob::Work work, BackgroundJob::Failed failed) {
  if (refuse_while_busy()) return;
  if (!failed) failed = [this](const Error& error) { messages_.report(error); };
  job_.start(what, std::move(work), std::move(failed));
}

void Jobs::start_opening(const QString& what, BackgroundJob::Work work, BackgroundJob::Failed failed) {
  if (refuse_while_busy()) return;
  opening_ = true;
  job_.start(what, std::move(work), std::move(failed));
}

void Jobs::cancel() {
  waiting_ = nullptr;
  job_.cancel();
}

}  // namespace kdscope
