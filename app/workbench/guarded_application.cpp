#include "app/workbench/guarded_application.hpp"

#include <cstdio>
#include <new>

#include "algorithms/text/printable_text.hpp"

namespace kdscope {

Error error_of_exception() {
  try {
    throw;
  } catch (const ErrorException& e) {
    return e.error();
  } catch (const std::bad_alloc&) {
    return {ErrorKind::out_of_memory, "host memory is exhausted", "", "use fewer points"};
  } catch (const std::exception& e) {
    const std::string what = std::string("this could not be done: ") + e.what();
    return {ErrorKind::bad_input, what, "", "what was open is still open"};
  } catch (...) {
    return {ErrorKind::bad_input, "this could not be done", "", "what was open is still open"};
  }
}

bool GuardedApplication::notify(QObject* receiver, QEvent* event) {
  try {
    return QApplication::notify(receiver, event);
  } catch (...) {
    const Error error = error_of_exception();
    if (report)
      report(error);
    else
      std::fprintf(stderr, "kdscope: %s\n", printable(error.message()).c_str());
    return true;
  }
}

}  // namespace kdscope
