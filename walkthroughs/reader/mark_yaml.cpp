// The marks of a stop, as walkthroughs/AUTHORING.md describes them.

#include <algorithm>
#include <sstream>

#include "walkthroughs/reader/mark_yaml.hpp"

namespace kdscope {
namespace {

/// "34 14, 34 24" are two places. An arrow is "34 14 > 40 20".
std::vector<std::vector<double>> places_of(const YamlField& field, bool arrows) {
  std::vector<std::vector<double>> places(1);
  bool at_tip = false;
  const auto next = [&] {
    if (places.back().empty()) field.fail("'" + field.name() + "' lacks the coordinates of a place");
    places.emplace_back();
  };
  std::string spaced;
  for (const char c : field.text()) spaced += c == ',' || c == '>' ? std::string{' ', c, ' '} : std::string(1, c);
  std::istringstream words(spaced);
  for (std::string word; words >> word;) {
    if (word == ">") {
      if (!arrows || at_tip) field.fail("'>' does not belong here", "write an arrow as '0 0 > 5 3'");
      at_tip = true;
      next();
    } else if (word == ",") {
      if (arrows && !at_tip) field.fail("an arrow has no '>'", "write an arrow as '0 0 > 5 3'");
      at_tip = false;
      next();
    } else {
      places.back().push_back(field.real(word));
    }
  }
  if (places.back().empty()) field.fail("'" + field.name() + "' lacks the coordinates of a place");
  if (arrows && !at_tip) field.fail("an arrow has no '>'", "write an arrow as '0 0 > 5 3'");
  for (const auto& place : places)
    if (place.size() != places.front().size()) field.fail("places of one mark have different numbers of coordinates");
  return places;
}

LessonMark read_mark(const YamlField& field) {
  std::set<std::string> shapes;
  for (const MarkShape shape : mark_shapes) shapes.insert(name_of(shape));
  std::set<std::string> optional{"radius", "labels", "ink", "dashed"};
  optional.insert(shapes.begin(), shapes.end());
  const YamlFields fields = field.fields({}, optional);
  LessonMark mark;
  const YamlField* drawn = nullptr;
  for (const MarkShape shape : mark_shapes)
    if (const YamlField* given = find(fields, name_of(shape))) {
      if (drawn)
        given->fail("a mark draws one thing: points, a line, arrows or a ball", "begin another mark with '- '");
      drawn = given;
      mark.shape = shape;
    }
  if (!drawn) field.fail("the mark draws nothing", "give it points, line, arrows or ball");
  mark.places = places_of(*drawn, mark.shape == MarkShape::arrows);
  if (mark.shape == MarkShape::line && mark.places.size() < 2) drawn->fail("a line needs two places or more");
  if (mark.shape == MarkShape::ball && mark.places.size() != 1) drawn->fail("a ball has one place, its centre");
  const YamlField* radius = find(fields, "radius");
  if ((mark.shape == MarkShape::ball) != (radius != nullptr))
    (radius ? *radius : *drawn).fail("a ball has a 'radius', and nothing else has one");
  if (radius) mark.radius = radius->real();
  if (radius && mark.radius <= 0) radius->fail("'radius' must be greater than 0");
  if (const YamlField* given = find(fields, "labels")) {
    for (const YamlField& label : given->items()) mark.labels.push_back(label.text());
    if (mark.labels.size() != label_count(mark))
      given->fail("'labels' has " + std::to_string(mark.labels.size()) + " texts where the mark has room for " +
                  std::to_string(label_count(mark)));
  }
  if (const YamlField* given = find(fields, "ink")) {
    const auto ink = std::ranges::find_if(mark_inks, [&](MarkInk each) { return given->text() == name_of(each); });
    if (ink == mark_inks.end())
      given->fail("no ink is called '" + given->text() + "'", "inks are plain, muted, changed and selected");
    mark.ink = *ink;
  }
  if (const YamlField* given = find(fields, "dashed")) mark.dashed = given->boolean();
  return mark;
}

}  // namespace

std::vector<LessonMark> read_marks(const YamlField& field) {
  std::vector<LessonMark> marks;
  std::size_t places = 0;
  for (const YamlField& item : field.items()) {
    marks.push_back(read_mark(item));
    places += marks.back().places.size();
    if (places > most_marked_places)
      item.fail("the marks of this stop have more than " + std::to_string(most_marked_places) + " places");
  }
  return marks;
}

}  // namespace kdscope
