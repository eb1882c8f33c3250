#pragma once
// What the window's message bar says: one clear sentence, and what the user may do about a failed run.

#include <QObject>

#include "app/recording/run.hpp"

namespace kdscope {

class DeviceChoice;
class RunDesk;

class Messages : public QObject {
  Q_OBJECT

 public:
  Messages(const DeviceChoice& devices, const RunDesk& desk, QObject* parent = nullptr)
      : QObject(parent), devices_(devices), desk_(desk) {}

  /// Shows an error of a run, and offers another run where that may help.
  void report(const Error& error, const RunRequest& run);
  /// The same for the open run.
  void report_of_run(const Error& error);
  /// Shows an error of other work, for which no other run can be offered.
  void report(const Error& error);
  /// Shows the error of something that failed; after a success, the message about an earlier failure goes. Returns
  /// whether it succeeded.
  bool conclude(const Result<void>& done);

 signals:
  void failed(const kdscope::Error& error, kdscope::Offer offer, const kdscope::RunRequest& run);
  void succeeded();  ///< conclude() was called with a success

 private:
  const DeviceChoice& devices_;
  const RunDesk& desk_;
};

}  // namespace kdscope
