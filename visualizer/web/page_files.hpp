#pragma once
// The style sheet and the scripts of web pages, as built into the program.

namespace kdscope {

extern const char* const page_css;
extern const char* const lesson_script;
extern const char* const course_script;
extern const char* const chart_script;

}  // namespace kdscope
