// The engine as a WebAssembly module.

#include <emscripten.h>

#include "algorithms/registry/source_regions.hpp"
#include "visualizer/web/engine/engine.hpp"

// Calls the function that a worker gives the module, if it does.
EM_JS(void, report_progress, (double fraction, const char* what, int length), {
  if (Module["progress"]) Module["progress"](fraction, UTF8ToString(what, length));
});

// Returns what stands beside the module, as algorithms/registry/source_regions.hpp describes it.
EM_JS(const char*, source_texts, (), { return stringToNewUTF8(Module["source_texts"]); });

/// Returns the answer to a request; it stays until the next one.
extern "C" EMSCRIPTEN_KEEPALIVE const char* kdscope_answer(const char* request) {
  static kdscope::Engine engine = [] {
    kdscope::give_source_texts(source_texts());
    return kdscope::Engine([](double fraction, std::string_view what) {
      report_progress(fraction, what.data(), static_cast<int>(what.size()));
    });
  }();
  static std::string answer;
  answer = engine.answer(request);
  return answer.c_str();
}
