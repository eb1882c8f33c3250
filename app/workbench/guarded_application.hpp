#pragma once
// The net under the window: an exception costs the action that threw it, not the work that is open.

#include <QApplication>
#include <functional>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// The exception that is being handled, as an error for people. Precondition: called in a catch block.
Error error_of_exception();

/// Hands what an event handler throws to `report` and goes on with the next event. Without `report` it is printed.
class GuardedApplication : public QApplication {
 public:
  using QApplication::QApplication;
  std::function<void(const Error&)> report;
  bool notify(QObject* receiver, QEvent* event) override;
};

}  // namespace kdscope
