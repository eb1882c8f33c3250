#pragma once
// Lessons as files: the text that the reader reads back to the very same lesson. No Qt here.

#include <string>

#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

/// The text of a lesson's file, in the format of walkthroughs/AUTHORING.md. It is as a person would write it: keys at
/// their defaults are left out, and long texts stand on lines of their own. Work O(characters).
std::string lesson_text(const Lesson& lesson);

/// Returns whether two lessons have the same content. Their files' names and lines do not count; of own points, the
/// coordinates and their type do.
bool same_lesson(const Lesson& a, const Lesson& b);

/// Writes a lesson as a file, which stays as it was until the new one is safe on the disk. The text is read back first.
/// Errors: bad_input for a lesson that the reader would refuse, or would read as another one; io_failure.
Result<void> save_lesson(const Lesson& lesson, const std::string& path);

/// A draft as one text, even if parts are missing or not allowed yet, and its reader. A text of "\u2026" alone marks a
/// missing one.
std::string draft_text(Lesson draft);
Result<Lesson> parse_draft(const std::string& text, const std::string& path);

}  // namespace kdscope
