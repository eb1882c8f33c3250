#include "walkthroughs/practice/generate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "algorithms/core/ids.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/divergence.hpp"
#include "algorithms/trace/element_name.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "datasets/specification.hpp"
#include "walkthroughs/practice/draw.hpp"

namespace kdscope {
namespace {

/// A step and the one before it, with the rows that the questions need.
class NextStep {
 public:
  NextStep(const Trace& trace, std::uint32_t before) : trace_(trace), before_(before) {}

  const Trace& trace() const { return trace_; }
  std::uint32_t before() const { return before_; }
  std::uint32_t after() const { return before_ + 1; }
  const Step& step() const { return trace_.steps[after()]; }
  const Step& step_before() const { return trace_.steps[before_]; }

  /// Returns the arrays that the step wrote and that tables show as one row by position.
  std::vector<const Trace::Array*> written_rows() const {
    std::vector<const Trace::Array*> rows;
    for (const std::string& name : step().wrote) {
      const Trace::Array* array = trace_.find(name);
      if (array && is_row(array->info)) rows.push_back(array);
    }
    return rows;
  }
  static bool is_row(const ArrayInfo& info) {
    return info.index_space == Space::position && info.components == 1 && info.dimensions.empty() && !info.gather &&
           info.shown_as_row;
  }

  /// Returns "level 1 / sort": the step's path without its first part, which all steps share.
  std::string name() const {
    const auto& path = step().path;
    return path_text(path.size() > 1 ? std::vector<std::string>(path.begin() + 1, path.end()) : path);
  }
  std::string announced() const { return "The next step is \"" + name() + "\". "; }
  /// Returns what the step does, as the run itself puts it; empty if it does not.
  std::string title() const { return sentence(step().title); }
  std::string reason() const { return step().title.empty() ? "" : " " + title(); }
  static std::string sentence(const std::string& title) {
    return title.empty() || title.ends_with('.') ? title : title + ".";
  }

 private:
  const Trace& trace_;
  std::uint32_t before_;
};

std::string label_of(const ArrayInfo& info) { return info.label.empty() ? info.name : info.label; }

std::string listed_numbers(const std::vector<std::uint64_t>& numbers) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i) text += " " + std::to_string(numbers[i]);
  return text + (numbers.size() > most ? " ..." : "");
}

ExpectedAnswer elements(AnswerKind kind, std::vector<std::uint32_t> which) {
  ExpectedAnswer answer;
  answer.kind = kind;
  answer.elements = std::move(which);
  return answer;
}

ExpectedAnswer number(double value) {
  ExpectedAnswer answer;
  answer.kind = AnswerKind::number;
  answer.number = value;
  return answer;
}

/// Segments or pivots of a step by position, one per range.
struct MarkedRange {
  IndexRange range;
  std::uint32_t node = no_id;
  bool operator==(const MarkedRange&) const = default;
};

std::vector<MarkedRange> marked(const Step& step, Role role) {
  std::vector<MarkedRange> all;
  for (const Highlight& highlight : step.highlights) {
    if (highlight.role != role || highlight.space != Space::position) continue;
    const bool have_nodes = highlight.nodes.size() == highlight.ranges.size();
    for (std::size_t i = 0; i < highlight.ranges.size(); ++i)
      all.push_back({highlight.ranges[i], have_nodes ? highlight.nodes[i] : no_id});
  }
  return all;
}

std::string positions_text(IndexRange range) {
  if (range.end - range.begin == 1) return "position " + std::to_string(range.begin);
  return "positions " + std::to_string(range.begin) + " to " + std::to_string(range.end - 1);
}

/// Returns the pivots inside a segment, which belong to its node if nodes are known.
std::vector<MarkedRange> pivots_of(const MarkedRange& segment, const std::vector<MarkedRange>& pivots) {
  std::vector<MarkedRange> inside;
  for (const MarkedRange& pivot : pivots)
    if (pivot.range.begin >= segment.range.begin && pivot.range.end <= segment.range.end &&
        pivot.node == segment.node && pivot.range.begin < pivot.range.end)
      inside.push_back(pivot);
  return inside;
}

// One function per kind of question. Each returns nothing if the step has nothing of its kind.

/// Says why a position's node changed: the side of the pivot on which it lies, or that it is the pivot.
std::string side_text(const NextStep& next, std::uint64_t position, std::uint32_t from, std::uint32_t to) {
  std::string text;
  const Trace::Array* parents = next.trace().find(partition_arrays::parent);
  if (parents && from != to) {
    const TypedArray parent = contents_at(*parents, next.after());
    if (to < parent.size() && parent.number(to) == static_cast<double>(from))
      text += " Node " + std::to_string(to) + " is a child of node " + std::to_string(from) + ".";
  }
  for (const MarkedRange& pivot : marked(next.step(), Role::pivot)) {
    if (pivot.node != from || pivot.range.end - pivot.range.begin != 1) continue;
    const std::uint64_t at = pivot.range.begin;
    const std::string pivot_text = "the pivot of node " + std::to_string(from);
    if (position == at)
      text += " Position " + std::to_string(at) + " holds " + pivot_text + ".";
    else
      text += " Position " + std::to_string(position) + " lies " + (position < at ? "in front of " : "behind ") +
              pivot_text + ", which is at position " + std::to_string(at) + ".";
  }
  return text;
}

std::optional<Question> next_tag(const NextStep& next, Draw& draw) {
  std::vector<const Trace::Array*> rows = next.written_rows();
  std::erase_if(rows, [](const Trace::Array* row) {
    return row->info.value_space != Space::node || row->info.type != ElementType::uint32;
  });
  draw.shuffle(rows);
  for (const Trace::Array* row : rows) {
    const TypedArray before = contents_at(*row, next.before()), after = contents_at(*row, next.after());
    const bool known = before.size() == after.size();
    std::vector<std::uint64_t> changed, equal;
    std::set<double> nodes;
    for (std::uint64_t i = 0; i < after.size(); ++i) {
      if (is_missing(row->info, after.type(), after.number(i))) continue;
      nodes.insert(after.number(i));
      (known && before.number(i) == after.number(i) ? equal : changed).push_back(i);
    }
    if (changed.empty() || nodes.size() < 2) continue;
    // Ask about an element that stays what it is now and then, so that the answer is not always another node.
    const std::uint64_t i = !equal.empty() && draw.below(5) == 0 ? draw.one_of(equal) : draw.one_of(changed);
    const std::string place = label_of(row->info) + "[" + std::to_string(i) + "]";
    Question question;
    question.text = next.announced() + "Which node does row " + label_of(row->info) + " then hold at position " +
                    std::to_string(i) + "?";
    question.expects = number(after.number(i));
    question.answer = place + " = " + after.text(i) + ".";
    if (known && !is_missing(row->info, before.type(), before.number(i))) {
      question.answer +=
          before.number(i) == after.number(i) ? " It stays as it is." : " Before, it is " + before.text(i) + ".";
      question.answer +=
          side_text(next, i, static_cast<std::uint32_t>(before.number(i)), static_cast<std::uint32_t>(after.number(i)));
    }
    question.answer += next.reason();
    question.hint = next.title();
    return question;
  }
  return std::nullopt;
}

std::optional<Question> pivot(const NextStep& next, Draw& draw) {
  const std::vector<MarkedRange> segments = marked(next.step(), Role::segment),
                                 pivots = marked(next.step(), Role::pivot),
                                 shown = marked(next.step_before(), Role::pivot);
  // A segment of one position leaves nothing to ask.
  std::vector<MarkedRange> open;
  for (const MarkedRange& segment : segments) {
    const std::vector<MarkedRange> own = pivots_of(segment, pivots);
    if (own.empty() || segment.range.end - segment.range.begin < 2) continue;
    if (std::any_of(own.begin(), own.end(),
                    [&](const MarkedRange& p) { return std::find(shown.begin(), shown.end(), p) != shown.end(); }))
      continue;
    open.push_back(segment);
  }
  if (open.empty()) return std::nullopt;
  const MarkedRange& segment = draw.one_of(open);
  std::vector<std::uint32_t> positions;
  for (const MarkedRange& p : pivots_of(segment, pivots)) {
    constexpr std::uint64_t most_clicks = 8;
    if (p.range.end - p.range.begin + positions.size() > most_clicks) return std::nullopt;
    for (std::uint64_t i = p.range.begin; i < p.range.end; ++i) positions.push_back(static_cast<std::uint32_t>(i));
  }
  std::sort(positions.begin(), positions.end());
  const std::string whose = segment.node == no_id ? "the segment of " + positions_text(segment.range)
                                                  : "node " + std::to_string(segment.node);
  Question question;
  question.text =
      next.announced() + (positions.size() == 1 ? "At which position is the pivot of " + whose + " then?"
                                                : "At which positions are the pivots of " + whose + " then?");
  question.answer = (positions.size() == 1 ? "At position" : "At positions") +
                    listed_numbers({positions.begin(), positions.end()}) + ". The segment has " +
                    positions_text(segment.range) + "; " + std::to_string(positions.front() - segment.range.begin) +
                    " of them lie in front of the pivot and " +
                    std::to_string(segment.range.end - 1 - positions.back()) + " behind it." + next.reason();
  question.expects = elements(AnswerKind::positions, std::move(positions));
  question.hint = "The segment is " + positions_text(segment.range) + ".";
  return question;
}

std::optional<Question> segment(const NextStep& next, Draw& draw) {
  const std::vector<MarkedRange> segments = marked(next.step(), Role::segment),
                                 shown = marked(next.step_before(), Role::segment);
  std::vector<MarkedRange> fresh;
  for (const MarkedRange& one : segments)
    if (one.range.begin < one.range.end && std::find(shown.begin(), shown.end(), one) == shown.end())
      fresh.push_back(one);
  // One segment of everything is no question.
  if (fresh.empty() || segments.size() < 2) return std::nullopt;
  const MarkedRange& chosen = draw.one_of(fresh);
  const std::uint64_t position = chosen.range.begin + draw.below(chosen.range.end - chosen.range.begin);
  Question question;
  const std::string at = "position " + std::to_string(position);
  if (chosen.node != no_id) {
    question.text = next.announced() + "In the segment of which node does " + at + " lie then?";
    question.expects = number(chosen.node);
    question.answer = "Node " + std::to_string(chosen.node) + ": its segment has " + positions_text(chosen.range) + ".";
  } else {
    question.text = next.announced() + "At which position does the segment of " + at + " begin then?";
    question.expects = elements(AnswerKind::positions, {static_cast<std::uint32_t>(chosen.range.begin)});
    question.answer =
        "At position " + std::to_string(chosen.range.begin) + ": it has " + positions_text(chosen.range) + ".";
  }
  question.answer += next.reason();
  question.hint = "There are then " + count_text(segments.size(), "segment", "segments") + ".";
  return question;
}

/// One dimension of an array of counts: the index of every element along it, or no_id.
struct CountedDimension {
  std::string name;
  std::vector<std::uint32_t> index;
  bool from_least = false;
};

/// Reads the rows that the dimensions of an array of counts name, as they are after the step. Empty if the array counts
/// no elements: a dimension has no such row, or the rows differ in length.
std::vector<CountedDimension> counted_dimensions(const NextStep& next, const ArrayInfo& info) {
  std::vector<CountedDimension> dimensions;
  if (info.value_space != Space::count || info.dimensions.size() < 2 || info.gather) return {};
  std::optional<Space> space;
  for (const ArrayDimension& dimension : info.dimensions) {
    const Trace::Array* row = next.trace().find(dimension.row);
    if (!row || row->info.gather || row->info.components != 1 || !version_at(*row, next.after())) return {};
    if (space && *space != row->info.index_space) return {};
    space = row->info.index_space;
    const TypedArray values = contents_at(*row, next.after());
    CountedDimension counted{dimension.name, std::vector<std::uint32_t>(values.size(), no_id), dimension.from_least};
    for (std::uint64_t i = 0; i < values.size(); ++i) {
      const double value = values.number(i);
      if (!is_missing(row->info, values.type(), value) && value >= 0 && value < no_id && value == std::floor(value))
        counted.index[i] = static_cast<std::uint32_t>(value);
    }
    if (!dimensions.empty() && dimensions[0].index.size() != counted.index.size()) return {};
    dimensions.push_back(std::move(counted));
  }
  if (*space != Space::position && *space != Space::point) return {};

  // Count from the least index among the elements with the same outer indices, where a dimension does so.
  const std::size_t elements = dimensions[0].index.size();
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (!dimensions[d].from_least) continue;
    std::map<std::vector<std::uint32_t>, std::uint32_t> least;
    const auto outer = [&](std::size_t e) {
      std::vector<std::uint32_t> key;
      for (std::size_t o = 0; o < d; ++o) key.push_back(dimensions[o].index[e]);
      return key;
    };
    for (std::size_t e = 0; e < elements; ++e) {
      if (dimensions[d].index[e] == no_id) continue;
      const auto [place, added] = least.try_emplace(outer(e), dimensions[d].index[e]);
      if (!added) place->second = std::min(place->second, dimensions[d].index[e]);
    }
    for (std::size_t e = 0; e < elements; ++e)
      if (dimensions[d].index[e] != no_id) dimensions[d].index[e] -= least[outer(e)];
  }
  return dimensions;
}

std::optional<Question> count(const NextStep& next, Draw& draw) {
  std::vector<std::string> names = next.step().wrote;
  draw.shuffle(names);
  for (const std::string& name : names) {
    const Trace::Array* array = next.trace().find(name);
    if (!array) continue;
    const std::vector<CountedDimension> dimensions = counted_dimensions(next, array->info);
    if (dimensions.empty()) continue;
    std::vector<std::uint64_t> known;
    for (std::uint64_t e = 0; e < dimensions[0].index.size(); ++e)
      if (std::all_of(dimensions.begin(), dimensions.end(), [&](const auto& d) { return d.index[e] != no_id; }))
        known.push_back(e);
    // The array counts every element once, or it does not count these elements: a wrong builder's array is not asked.
    const TypedArray counts = contents_at(*array, next.after());
    double sum = 0;
    for (std::uint64_t i = 0; i < counts.size(); ++i) sum += counts.number(i);
    if (known.empty() || sum != static_cast<double>(known.size())) continue;

    // Take the cell of an element, and now and then another index along the innermost dimension, which may count 0.
    std::vector<std::uint32_t> cell;
    const std::uint64_t element = draw.one_of(known);
    for (const CountedDimension& d : dimensions) cell.push_back(d.index[element]);
    std::uint32_t largest = 0;
    for (const std::uint64_t e : known) largest = std::max(largest, dimensions.back().index[e]);
    const bool ragged = !array->info.offsets.empty();  // its innermost indices differ from layer to layer
    if (!ragged && draw.below(4) == 0) cell.back() = static_cast<std::uint32_t>(draw.below(std::uint64_t{largest} + 1));
    std::vector<std::uint64_t> counted;
    for (const std::uint64_t e : known) {
      bool inside = true;
      for (std::size_t d = 0; d < dimensions.size(); ++d) inside = inside && dimensions[d].index[e] == cell[d];
      if (inside) counted.push_back(e);
    }
    std::string place;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      place += (d == 0 ? "" : ", ") + dimensions[d].name + " " + std::to_string(cell[d]);
    Question question;
    question.text = next.announced() + "What does " + label_of(array->info) + " then count for " + place + "?";
    question.expects = number(static_cast<double>(counted.size()));
    question.answer =
        std::to_string(counted.size()) +
        (counted.empty() ? ": no element has these indices." : ": the elements at" + listed_numbers(counted) + ".") +
        next.reason();
    question.hint = "Count the elements with " + place + ".";
    return question;
  }
  return std::nullopt;
}

bool holds_elements(const ArrayInfo& info) {
  return NextStep::is_row(info) && (info.value_space == Space::point || info.value_space == Space::triangle);
}

/// Returns the ids of a list, or nothing if it is not a list of different elements.
std::optional<std::vector<std::uint32_t>> ids_of(const TypedArray& values) {
  if (values.type() != ElementType::uint32 || values.size() == 0) return std::nullopt;
  std::vector<std::uint32_t> ids(values.as<std::uint32_t>().begin(), values.as<std::uint32_t>().end());
  std::vector<std::uint32_t> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.back() == no_id || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return std::nullopt;
  return ids;
}

/// Returns the list of the same elements from which a step moves them into `to`: its own earlier contents or, if it is
/// new, those of another list of the same dimension.
const Trace::Array* source_of(const NextStep& next, const Trace::Array& to, const std::vector<std::uint32_t>& after,
                              std::vector<std::uint32_t>& before) {
  std::vector<const Trace::Array*> candidates{&to};
  if (!version_at(to, next.before()))
    for (const Trace::Array& array : next.trace().arrays)
      if (&array != &to && holds_elements(array.info) && array.info.value_space == to.info.value_space &&
          array.info.dimension == to.info.dimension)
        candidates.push_back(&array);
  for (const Trace::Array* candidate : candidates) {
    if (!version_at(*candidate, next.before())) continue;
    const auto ids = ids_of(contents_at(*candidate, next.before()));
    if (!ids || ids->size() != after.size()) continue;
    std::vector<std::uint32_t> a = *ids, b = after;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    if (a != b) continue;
    before = *ids;
    return candidate;
  }
  return nullptr;
}

std::optional<Question> destination(const NextStep& next, Draw& draw) {
  std::vector<const Trace::Array*> rows = next.written_rows();
  std::erase_if(rows, [](const Trace::Array* row) { return !holds_elements(row->info); });
  draw.shuffle(rows);
  for (const Trace::Array* row : rows) {
    const auto after = ids_of(contents_at(*row, next.after()));
    if (!after) continue;
    std::vector<std::uint32_t> before;
    const Trace::Array* source = source_of(next, *row, *after, before);
    if (!source) continue;
    std::vector<std::uint32_t> to_of(before.size()), order(before.size()), order_after(before.size());
    std::iota(order.begin(), order.end(), 0);
    std::iota(order_after.begin(), order_after.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return before[a] < before[b]; });
    std::sort(order_after.begin(), order_after.end(), [&](auto a, auto b) { return (*after)[a] < (*after)[b]; });
    for (std::size_t rank = 0; rank < order.size(); ++rank) to_of[order[rank]] = order_after[rank];
    std::vector<std::uint32_t> moved, equal;
    for (std::uint32_t i = 0; i < before.size(); ++i) (to_of[i] == i ? equal : moved).push_back(i);
    if (moved.empty()) continue;
    const std::uint32_t from = !equal.empty() && draw.below(5) == 0 ? draw.one_of(equal) : draw.one_of(moved);
    const std::uint32_t to = to_of[from];
    const std::string held = element_name(row->info.value_space, before[from]);
    const std::string what = std::string(name_of(row->info.value_space)) + " " + held;
    const std::string name = label_of(row->info);
    Question question;
    question.text = next.announced() + "Row " + label_of(source->info) + " holds " + what + " at position " +
                    std::to_string(from) + ". At which position does row " + name + " hold it then?";
    question.expects = elements(AnswerKind::positions, {to});
    question.answer = "At position " + std::to_string(to) + ": " + name + "[" + std::to_string(to) + "] = " + held +
                      "." + (to == from ? " It stays where it is." : "") + next.reason();
    question.hint = next.title();
    return question;
  }
  return std::nullopt;
}

/// Searches record standard arrays; see search_arrays. answered_at: the step that visits the node.
std::optional<Question> next_node(const NextStep& next, std::uint32_t& answered_at) {
  const auto visit = next_visit(next.trace(), next.before());
  if (!visit) return std::nullopt;
  const Trace::Array& visited = *next.trace().find(search_arrays::visited);
  const std::uint64_t so_far = version_at(visited, next.before())->size;
  const TypedArray nodes = contents_at(visited, *visit);
  Question question;
  question.text = "Which node does the search visit next?";
  question.expects = elements(AnswerKind::nodes, {static_cast<std::uint32_t>(nodes.number(so_far))});
  question.answer = "Node " + nodes.text(so_far) + ".";
  const std::uint32_t skipped = *visit - next.after();
  if (skipped > 0) question.answer += " Before, the search skips " + count_text(skipped, "node", "nodes") + ".";
  if (const std::string& title = next.trace().steps[*visit].title; !title.empty())
    question.answer += " " + NextStep::sentence(title);
  if (const Trace::Array* waiting = next.trace().find(search_arrays::waiting);
      waiting && waiting->info.type == ElementType::uint32) {
    const TypedArray values = contents_at(*waiting, next.before());
    const std::vector<std::uint64_t> ids(values.as<std::uint32_t>().begin(), values.as<std::uint32_t>().end());
    if (!ids.empty()) question.hint = "These nodes wait:" + listed_numbers(ids) + ".";
  }
  if (question.hint.empty()) question.hint = "Compare the query with the plane of the last node visited.";
  answered_at = *visit;
  return question;
}

std::optional<Question> question_of(QuestionKind kind, const NextStep& next, Draw& draw, std::uint32_t& answered_at) {
  switch (kind) {
    case QuestionKind::next_tag:
      return next_tag(next, draw);
    case QuestionKind::pivot:
      return pivot(next, draw);
    case QuestionKind::segment:
      return segment(next, draw);
    case QuestionKind::count:
      return count(next, draw);
    case QuestionKind::destination:
      return destination(next, draw);
    case QuestionKind::next_node:
      return next_node(next, answered_at);
  }
  return std::nullopt;
}

std::optional<GeneratedQuestion> question_at(const Trace& trace, std::uint32_t step, QuestionKind kind,
                                             std::uint64_t seed) {
  if (std::uint64_t{step} + 1 >= trace.steps.size()) return std::nullopt;
  // Independent choices per step and kind, so that one seed does not always take the same element.
  Draw draw(seed ^ mix64((std::uint64_t{step} << 8) + static_cast<std::uint64_t>(kind) + 1));
  GeneratedQuestion generated{kind, step, step + 1, {}};
  const auto question = question_of(kind, NextStep(trace, step), draw, generated.answered_at);
  if (!question) return std::nullopt;
  generated.question = *question;
  return generated;
}

/// Returns the largest coordinate's next power of ten, so that whole coordinates stay as short as they were.
std::int64_t range_like(const Trace& trace) {
  const Trace::Array* points = trace.find(points_array);
  double largest = 0;
  if (points && !trace.steps.empty()) {
    const TypedArray values = contents_at(*points, static_cast<std::uint32_t>(trace.steps.size() - 1));
    for (std::uint64_t i = 0; i < values.size(); ++i) largest = std::max(largest, std::abs(values.number(i)));
  }
  std::int64_t range = 100;
  while (static_cast<double>(range) <= largest && range < 1'000'000'000) range *= 10;
  return range;
}

}  // namespace

std::string run_text(const TraceHeader& header) { return "(" + header.algorithm + " on " + header.data_set + ")"; }

const char* name_of(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::next_tag:
      return "next-tag";
    case QuestionKind::pivot:
      return "pivot";
    case QuestionKind::segment:
      return "segment";
    case QuestionKind::count:
      return "count";
    case QuestionKind::destination:
      return "destination";
    case QuestionKind::next_node:
      return "next-node";
  }
  return "";
}

std::optional<QuestionKind> question_kind_named(const std::string& name) {
  for (const QuestionKind kind : question_kinds)
    if (name == name_of(kind)) return kind;
  return std::nullopt;
}

std::vector<GeneratedQuestion> generated_questions(const std::shared_ptr<const Trace>& trace, std::uint32_t step,
                                                   std::uint64_t seed) {
  std::vector<GeneratedQuestion> all;
  for (const QuestionKind kind : question_kinds)
    if (auto question = question_at(*trace, step, kind, seed)) all.push_back(std::move(*question));
  return all;
}

std::optional<GeneratedQuestion> next_question(const std::shared_ptr<const Trace>& trace, std::uint32_t step,
                                               QuestionKind kind, std::uint64_t seed) {
  for (std::uint32_t s = step; s + 1 < trace->steps.size(); ++s)
    if (auto question = question_at(*trace, s, kind, seed)) return question;
  return std::nullopt;
}

std::optional<std::uint32_t> next_visit(const Trace& trace, std::uint32_t step) {
  const Trace::Array* visited = trace.find(search_arrays::visited);
  const ArrayVersion* before =
      visited && visited->info.type == ElementType::uint32 ? version_at(*visited, step) : nullptr;
  if (!before) return std::nullopt;
  for (const ArrayVersion& version : visited->versions)
    if (version.step > step && version.size > before->size) return version.step;
  return std::nullopt;
}

std::vector<GeneratedQuestion> practice_questions(const std::shared_ptr<const Trace>& trace, std::size_t count,
                                                  const std::vector<QuestionKind>& kinds, std::uint64_t seed) {
  // Visit the steps in a random order per kind, and take the kinds in turn. A kind without steps left is out.
  struct Steps {
    QuestionKind kind;
    std::vector<std::uint32_t> left;
  };
  std::vector<Steps> of_kind;
  Draw draw(seed);
  for (const QuestionKind kind : question_kinds) {
    if (!kinds.empty() && std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) continue;
    Steps& steps = of_kind.emplace_back(Steps{kind, std::vector<std::uint32_t>(trace->steps.size())});
    std::iota(steps.left.begin(), steps.left.end(), 0);
    draw.shuffle(steps.left);
  }
  std::vector<GeneratedQuestion> taken;
  while (!of_kind.empty() && taken.size() < count) {
    for (Steps& steps : of_kind) {
      std::optional<GeneratedQuestion> question;
      while (!question && !steps.left.empty() && taken.size() < count) {
        question = question_at(*trace, steps.left.back(), steps.kind, seed);
        steps.left.pop_back();
      }
      if (question) taken.push_back(std::move(*question));
    }
    std::erase_if(of_kind, [](const Steps& steps) { return steps.left.empty(); });
  }
  std::stable_sort(taken.begin(), taken.end(),
                   [](const GeneratedQuestion& a, const GeneratedQuestion& b) { return a.step < b.step; });
  return taken;
}

std::string fresh_data(const Trace& trace, std::uint64_t seed) {
  const std::string fresh_seed = "seed=" + std::to_string(mix64(seed) % 1'000'000);
  const std::string& specification = trace.header.data_set;
  const std::size_t colon = specification.find(':');
  for (const DataSource& source : data_sources()) {
    if (source.id != specification.substr(0, colon) || !source.generated) continue;
    if (std::none_of(source.parameters.begin(), source.parameters.end(),
                     [](const DataParameter& parameter) { return parameter.name == "seed"; }))
      continue;
    try {
      const std::string parameters = colon == specification.npos ? "" : specification.substr(colon + 1);
      const std::string same = ParameterValues(source, parameters).canonical("seed");
      return same + (same.find(':') == same.npos ? ":" : ",") + fresh_seed;
    } catch (const ErrorException&) {
      break;  // the trace comes from another version, whose generator had other parameters
    }
  }
  if (const Trace::Array* triangles = trace.find(triangles_array); triangles && sorts_triangles(trace))
    return "triangles:n=" + std::to_string(contents_at(*triangles, 0).size() / 3) + "," + fresh_seed;
  std::string fresh = "uniform:n=" + std::to_string(trace.header.n) + ",dim=" + std::to_string(trace.header.dim);
  if (trace.header.scalar == ScalarType::int32) fresh += ",type=int,range=" + std::to_string(range_like(trace));
  return fresh + "," + fresh_seed;
}

std::optional<GeneratedQuestion> another_like(const GeneratedQuestion& question, const Trace& from,
                                              const std::shared_ptr<const Trace>& to, std::uint64_t seed) {
  const std::optional<std::uint32_t> same =
      question.step < from.steps.size() ? step_of_same_path(from, question.step, *to) : std::nullopt;
  if (same)
    if (auto another = next_question(to, *same, question.kind, seed)) return another;
  return next_question(to, 0, question.kind, seed);
}

Attempt attempt_at(const GeneratedQuestion& question, const Trace& trace) {
  Attempt attempt;
  attempt.stop = path_text(trace.steps.at(question.answered_at)) + " (" + name_of(question.kind) + ")";
  attempt.asked = question.question.text + " " + run_text(trace.header);
  return attempt;
}

}  // namespace kdscope
