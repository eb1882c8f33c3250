// The engine as a WebAssembly module.

#include <emscripten.h>

#include "visualizer/web/engine/engine.hpp"

/// Returns the answer to a request; it stays until the next one.
extern "C" EMSCRIPTEN_KEEPALIVE const char* kdscope_answer(const char* request) {
  static kdscope::Engine engine;
  static std::string answer;
  answer = engine.answer(request);
  return answer.c_str();
}
