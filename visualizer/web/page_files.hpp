#pragma once
// The style sheet and the script of web pages, as built into the program.

namespace kdscope {

extern const char* const page_css;
extern const char* const page_js;

}  // namespace kdscope
