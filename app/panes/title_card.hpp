#pragma once
// What a lesson shows before its first stop.

#include <QString>

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// Title, source, aim, minutes, what to know before, the number of stops and questions, and the introduction, as
/// Markdown without headings below the title, which has a heading of this level. The caller adds how to begin.
QString title_card(const Lesson& lesson, const LessonCatalogue& catalogue, int level = 3);

}  // namespace kdscope
