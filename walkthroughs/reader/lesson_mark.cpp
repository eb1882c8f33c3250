#include "walkthroughs/reader/lesson_mark.hpp"

namespace kdscope {

const char* name_of(MarkShape shape) {
  switch (shape) {
    case MarkShape::points:
      return "points";
    case MarkShape::line:
      return "line";
    case MarkShape::arrows:
      return "arrows";
    case MarkShape::ball:
      return "ball";
  }
  return "";
}

const char* name_of(MarkInk ink) {
  switch (ink) {
    case MarkInk::plain:
      return "plain";
    case MarkInk::muted:
      return "muted";
    case MarkInk::changed:
      return "changed";
    case MarkInk::selected:
      return "selected";
  }
  return "";
}

std::size_t label_count(const LessonMark& mark) {
  switch (mark.shape) {
    case MarkShape::points:
      return mark.places.size();
    case MarkShape::arrows:
      return mark.places.size() / 2;
    case MarkShape::line:
    case MarkShape::ball:
      return 1;
  }
  return 0;
}

}  // namespace kdscope
