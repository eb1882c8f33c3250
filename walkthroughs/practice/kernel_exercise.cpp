#include "walkthroughs/practice/kernel_exercise.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "algorithms/core/ids.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/from_chars.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/element_name.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "walkthroughs/practice/generate.hpp"

namespace kdscope {
namespace {

bool is_whole(ElementType type) { return type != ElementType::float32 && type != ElementType::float64; }

/// Returns whether the array belongs to the drawing of the tree or is an input, so that no kernel of the source writes
/// it.
bool is_standard(const std::string& name) {
  return name.starts_with("partition.") || name == points_array || name == triangles_array;
}

bool is_offsets(const Trace& trace, const std::string& name) {
  return std::any_of(trace.arrays.begin(), trace.arrays.end(),
                     [&](const Trace::Array& array) { return array.info.offsets == name; });
}

/// Returns the positions that the step works on: its segments, or everything if it has none.
std::vector<IndexRange> segments_of(const Step& step) {
  std::vector<IndexRange> ranges;
  for (const Highlight& highlight : step.highlights)
    if (highlight.role == Role::segment && highlight.space == Space::position)
      ranges.insert(ranges.end(), highlight.ranges.begin(), highlight.ranges.end());
  return ranges;
}

/// Returns the size of the middle dimension of a ragged array in which that dimension has this row; 0 if there is no
/// such array. Values [rows x slots]; the last offset is the number of slots.
std::uint64_t extent_in_ragged(const Trace& trace, const std::string& row, std::uint32_t step) {
  for (const Trace::Array& array : trace.arrays) {
    const Trace::Array* offsets = trace.find(array.info.offsets);
    if (!offsets || array.info.dimensions.size() != 3 || array.info.dimensions[1].row != row) continue;
    const ArrayVersion *values = version_at(array, step), *version = version_at(*offsets, step);
    if (!values || !version) continue;
    const TypedArray begins = contents_at(*offsets, step);
    const double slots = begins.size() > 0 ? begins.number(begins.size() - 1) : 0;
    if (slots >= 1 && values->size % static_cast<std::uint64_t>(slots) == 0)
      return values->size / static_cast<std::uint64_t>(slots);
  }
  return 0;
}

/// Returns the sizes of a dense array's dimensions: as in a ragged array with the same row, or up to the largest value
/// of its row. One dimension that counts from a least value takes what remains. Empty if the sizes do not multiply to
/// the array's.
std::vector<std::uint64_t> extents_of(const Trace& trace, const ArrayInfo& info, std::uint32_t step,
                                      std::uint64_t size) {
  std::vector<std::uint64_t> extents(info.dimensions.size(), 0);
  std::uint64_t product = 1;
  std::vector<std::size_t> open;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const ArrayDimension& dimension = info.dimensions[d];
    const Trace::Array* row = trace.find(dimension.row);
    if (!row || row->info.gather || dimension.from_least) {
      open.push_back(d);
      continue;
    }
    extents[d] = extent_in_ragged(trace, dimension.row, step);
    const TypedArray values = extents[d] == 0 ? contents_at(*row, step) : TypedArray();
    for (std::uint64_t i = 0; i < values.size(); ++i)
      if (const double value = values.number(i); value >= 0 && value < no_id && value < static_cast<double>(size))
        extents[d] = std::max(extents[d], static_cast<std::uint64_t>(value) + 1);
    if (extents[d] == 0 || (product *= extents[d]) > size) return {};
  }
  if (open.size() > 1 || size % product != 0) return {};
  if (open.size() == 1) extents[open.front()] = size / product;
  return open.empty() && product != size ? std::vector<std::uint64_t>() : extents;
}

std::string place_of(const ArrayInfo& info, const std::vector<std::uint64_t>& extents, std::uint64_t index) {
  if (extents.empty())
    return (info.index_space == Space::none ? "element" : std::string(name_of(info.index_space))) + " " +
           element_name(info.index_space, index);
  std::string text;
  for (std::size_t d = extents.size(); d-- > 0;) {
    const std::string& name = info.dimensions[d].name;
    const Space space = name == name_of(Space::point) ? Space::point : Space::none;
    text = name + " " + element_name(space, index % extents[d]) + (text.empty() ? "" : ", ") + text;
    index /= extents[d];
  }
  return text;
}

std::string without_spaces(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == text.npos ? "" : text.substr(first, last - first + 1);
}

/// Reads a whole number, in decimal, hexadecimal or binary, as the bits of a 64-bit integer.
std::optional<std::uint64_t> read_bits(std::string_view text) {
  int base = 10;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16, text.remove_prefix(2);
  if (text.starts_with("0b") || text.starts_with("0B")) base = 2, text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return negative ? 0 - value : value;
}

std::optional<double> read_number(const std::string& text) {
  double value = 0;
  const auto [end, failed] = from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || std::isnan(value)) return std::nullopt;
  return value;
}

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::right:
      return "right";
    case Verdict::wrong:
      return "wrong";
    case Verdict::unread:
      return "unread";
    case Verdict::no_cell:
      return "no cell";
    case Verdict::filled:
      return "filled";
  }
  return "";
}

void KernelExercise::add_cells(const Trace::Array& array) {
  const ArrayInfo& info = array.info;
  const TypedArray before = contents_at(array, step_ - 1), after = contents_at(array, step_);
  const std::uint32_t components = std::max(1u, info.components);

  // Name the cells of an array of several dimensions by its dimensions.
  std::vector<std::uint64_t> extents;
  if (!info.offsets.empty()) return;  // ragged
  if (info.dimensions.size() > 1 && components == 1) {
    extents = extents_of(*trace_, info, step_, after.size());
    if (extents.empty()) return;
  }
  const auto is_changed = [&](std::uint64_t element) {
    return element >= before.size() || before.text(element) != after.text(element);
  };
  bool any = false;
  for (std::uint64_t e = 0; e < after.size() && !any; ++e) any = is_changed(e);
  if (!any) return;

  const bool by_position = info.index_space == Space::position;
  const std::vector<IndexRange> segments = by_position ? segments_of(trace_->steps[step_]) : std::vector<IndexRange>();
  for (std::uint64_t e = 0; e < after.size(); ++e) {
    const std::uint64_t index = e / components;
    const auto component = static_cast<std::uint32_t>(e % components);
    const bool in_segment = segments.empty() || std::any_of(segments.begin(), segments.end(), [&](IndexRange r) {
                              return r.begin <= index && index < r.end;
                            });
    if (by_position ? !in_segment && !is_changed(e) : extents.empty() && !is_changed(e)) continue;
    if (is_missing(info, after.type(), after.number(e)) || (scope_.thread && *scope_.thread != index)) continue;
    if (cells_.size() == most_cells) {
      ++too_many_;
      continue;
    }
    const std::string label = info.label.empty() ? info.name : info.label;
    const bool was_there = e < before.size() && !is_missing(info, before.type(), before.number(e));
    cells_.push_back({info.name, component, index, label + component_suffix(info, component, trace_->header.dim),
                      place_of(info, extents, index),
                      was_there ? value_name(info.value_space, before.short_text(e)) : std::string(),
                      info.value_space});
    answers_.push_back(value_name(info.value_space, after.short_text(e)));
    whole_.push_back(is_whole(after.type()));
  }
}

/// A row that is the same everywhere is no exercise, unless there is nothing else.
void KernelExercise::drop_constant_rows() {
  const auto row_of = [&](std::size_t i) { return std::pair(cells_[i].array, cells_[i].component); };
  std::map<std::pair<std::string, std::uint32_t>, std::set<std::string>> values;
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> sizes;
  for (std::size_t i = 0; i < cells_.size(); ++i) values[row_of(i)].insert(answers_[i]), ++sizes[row_of(i)];
  const auto is_constant = [&](std::size_t i) { return sizes[row_of(i)] > 1 && values[row_of(i)].size() == 1; };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) kept += !is_constant(i);
  if (kept == 0) return;
  std::size_t to = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (is_constant(i)) continue;
    if (to != i) cells_[to] = std::move(cells_[i]), answers_[to] = std::move(answers_[i]);
    whole_[to] = whole_[i];
    ++to;
  }
  cells_.resize(to);
  answers_.resize(to);
  whole_.resize(to);
}

Result<KernelExercise> KernelExercise::at(std::shared_ptr<const Trace> trace, std::uint32_t step, KernelScope scope) {
  const std::size_t count = trace->steps.size();
  const auto refused = [&](const std::string& what, const std::string& remedy) {
    return Error{ErrorKind::bad_usage, what, "step " + std::to_string(step), remedy};
  };
  if (step == 0 || step >= count)
    return refused(step == 0 ? "the first step starts from nothing" : "there is no such step",
                   count < 2 ? "the run has no step to perform" : "the steps are 1 to " + std::to_string(count - 1));
  // A search walks; its steps state what they find.
  if (!trace->header.search.empty())
    return refused("the steps of a search are not performed cell by cell", "ask for the next node");
  KernelExercise exercise(std::move(trace), step, std::move(scope));
  const Trace& run = *exercise.trace_;

  // Perform the whole numbers, or everything if there are none.
  for (const bool whole : {true, false}) {
    std::set<std::string> seen;
    for (const std::string& name : run.steps[step].wrote) {
      const Trace::Array* array = run.find(name);
      if (!array || array->info.gather || array->versions.empty() || !seen.insert(name).second) continue;
      const auto& chosen = exercise.scope_.arrays;
      if (chosen.empty() ? is_standard(name) || is_offsets(run, name)
                         : std::find(chosen.begin(), chosen.end(), name) == chosen.end())
        continue;
      if (is_whole(array->info.type) == whole) exercise.add_cells(*array);
    }
    if (!exercise.cells_.empty()) break;
  }
  exercise.drop_constant_rows();
  if (exercise.cells_.empty()) return refused("writes nothing that can be filled in", "choose another step");
  if (exercise.too_many_ > 0)
    return refused("writes " + std::to_string(exercise.cells_.size() + exercise.too_many_) +
                       " cells, of which at most " + std::to_string(most_cells) + " can be filled in",
                   "perform one thread, or take fewer points");
  exercise.filled_.assign(exercise.cells_.size(), false);
  exercise.revealed_.assign(exercise.cells_.size(), false);
  return exercise;
}

std::string KernelExercise::task() const {
  const Step& step = trace_->steps[step_];
  const auto& path = step.path;
  const std::string name = path_text(path.size() > 1 ? std::vector<std::string>(path.begin() + 1, path.end()) : path);
  return "Perform the step \"" + name + "\"" +
         (scope_.thread ? " for thread " + std::to_string(*scope_.thread) : std::string()) + ": fill in " +
         count_text(cells_.size(), "cell", "cells") + "." + (step.title.empty() ? "" : " " + step.title) +
         (step.title.empty() || step.title.ends_with('.') ? "" : ".");
}

std::optional<std::size_t> KernelExercise::find(const std::string& row, std::uint64_t index) const {
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (cells_[i].row == row && cells_[i].index == index) return i;
  return std::nullopt;
}

std::optional<std::size_t> KernelExercise::find(const std::string& array, std::uint32_t component,
                                                std::uint64_t index) const {
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (cells_[i].array == array && cells_[i].component == component && cells_[i].index == index) return i;
  return std::nullopt;
}

Verdict KernelExercise::enter(std::size_t cell, const std::string& text, std::int64_t seconds) {
  return grade({cell, text, seconds, false});
}

std::vector<Verdict> KernelExercise::perform(const std::vector<KernelWrite>& writes) {
  std::vector<Verdict> verdicts;
  for (const KernelWrite& write : writes) {
    if (write.cell < cells_.size() && !revealed_[write.cell]) filled_[write.cell] = false;
    verdicts.push_back(grade(write));
  }
  return verdicts;
}

Verdict KernelExercise::grade(const KernelWrite& write) {
  const std::size_t cell = write.cell;
  const std::string& text = write.text;
  if (cell >= cells_.size()) return Verdict::no_cell;
  if (filled_[cell]) return Verdict::filled;
  const Space& values = cells_[cell].values;
  const std::string& answer = answers_[cell];
  std::string typed = without_spaces(text);
  typed = value_name(values, std::string(without_letter(values, typed)));
  bool right = typed == answer;
  if (!right && whole_[cell]) {
    const auto value = read_bits(without_letter(values, typed));
    if (!value) return Verdict::unread;
    right = value == read_bits(without_letter(values, answer));
  } else if (!right) {
    const auto value = read_number(typed), expected = read_number(answer);
    if (!value) return Verdict::unread;
    right = expected && (*value == *expected || std::abs(*value - *expected) <= 1e-5 * std::abs(*expected));
  }
  entries_.push_back({cell, right ? Outcome::right : Outcome::wrong, typed, write.seconds, write.hinted});
  filled_[cell] = right;
  return right ? Verdict::right : Verdict::wrong;
}

Verdict KernelExercise::enter(const std::string& row, std::uint64_t index, const std::string& text,
                              std::int64_t seconds) {
  const auto cell = find(row, index);
  return cell ? enter(*cell, text, seconds) : Verdict::no_cell;
}

std::optional<std::size_t> KernelExercise::next_blank() const {
  const auto blank = std::find(filled_.begin(), filled_.end(), false);
  if (blank == filled_.end()) return std::nullopt;
  return static_cast<std::size_t>(blank - filled_.begin());
}

std::optional<std::size_t> KernelExercise::reveal_next(std::int64_t seconds) {
  const auto cell = next_blank();
  if (cell) reveal(*cell, seconds);
  return cell;
}

bool KernelExercise::reveal(std::size_t cell, std::int64_t seconds) {
  if (cell >= cells_.size() || filled_[cell]) return false;
  entries_.push_back({cell, Outcome::revealed, answers_[cell], seconds, false});
  filled_[cell] = revealed_[cell] = true;
  return true;
}

KernelExercise::Progress KernelExercise::progress() const {
  Progress progress;
  progress.cells = cells_.size();
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (filled_[i]) ++(revealed_[i] ? progress.revealed : progress.right);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].outcome != Outcome::wrong) continue;
    ++progress.wrong_entries;
    if (!progress.first_wrong) progress.first_wrong = i;
  }
  return progress;
}

std::string KernelExercise::summary() const {
  const Progress done = progress();
  std::string text = std::to_string(done.right) + " of " + count_text(done.cells, "cell", "cells") + " right";
  if (done.revealed > 0) text += ", " + std::to_string(done.revealed) + " shown";
  if (!done.first_wrong) return text + ", no wrong entry.";
  const KernelEntry& wrong = entries_[*done.first_wrong];
  const KernelCell& cell = cells_[wrong.cell];
  text += ", " + count_text(done.wrong_entries, "wrong entry", "wrong entries") + ". The first wrong one is entry " +
          std::to_string(*done.first_wrong + 1) + ": " + cell.row + " at " + cell.place + " = " + wrong.text;
  if (filled_[wrong.cell]) text += " instead of " + answers_[wrong.cell];
  return text + ".";
}

std::string KernelExercise::thread_task(std::size_t cell) const {
  const Step& step = trace_->steps[step_];
  const KernelCell& at = cells_[cell];
  // Name the rows that are written at the same place.
  std::vector<std::string> rows;
  for (const KernelCell& other : cells_)
    if (other.place == at.place && std::find(rows.begin(), rows.end(), other.row) == rows.end())
      rows.push_back(other.row);
  std::string names;
  for (std::size_t i = 0; i < rows.size(); ++i) names += (i == 0 ? "" : i + 1 < rows.size() ? ", " : " and ") + rows[i];
  const bool by_thread = step.kind == StepKind::launch && at.place.find(',') == std::string::npos;
  const std::string doer = by_thread ? "Thread " + std::to_string(at.index) : "Here the step";
  return doer + " writes " + names + " at " + at.place + ". " + step.title +
         (step.title.empty() || step.title.ends_with('.') ? "" : ".");
}

std::string KernelExercise::hint(std::size_t cell) const {
  const KernelCell& at = cells_[cell];
  const Trace::Array* array = trace_->find(at.array);
  const bool counts_elements = at.values == Space::node || at.values == Space::position;  // which are plain numbers
  std::string text = at.row + " at " + at.place +
                     (at.before.empty() ? " is new."
                                        : " held " + (counts_elements ? name_of(at.values) + std::string(" ") : "") +
                                              at.before + " before.");
  if (!array || array->info.index_space != Space::position) return text;
  const auto names = [](IndexRange r) {
    const std::string first = std::to_string(r.begin);
    return r.end - r.begin > 1 ? "positions " + first + " to " + std::to_string(r.end - 1) : "position " + first;
  };
  for (const IndexRange segment : segments_of(trace_->steps[step_])) {
    if (at.index < segment.begin || segment.end <= at.index) continue;
    text += " Its segment is " + names(segment) + ".";
    // A sort or scan of a library reads no pivot
    const Step& step = trace_->steps[step_];
    if (step.kind == StepKind::library) return text + (step.title.empty() ? "" : " " + step.title + ".");
    for (const Highlight& highlight : step.highlights)
      if (highlight.role == Role::pivot && highlight.space == Space::position)
        for (const IndexRange pivot : highlight.ranges)
          if (segment.begin <= pivot.begin && pivot.end <= segment.end)
            text += " The pivot there is " + names(pivot) + ".";
    break;
  }
  return text;
}

std::string KernelExercise::finding() const {
  const Progress done = progress();
  const std::size_t open = done.cells - done.right - done.revealed;
  const std::string rest = open == 0 ? "" : " " + count_text(open, "cell is", "cells are") + " still to be written.";
  if (!done.first_wrong) {
    if (open > 0) return "No wrong write so far." + rest;
    return done.revealed == 0 ? "Right: " + count_text(done.cells, "cell", "cells") + ", no wrong write."
                              : "Complete: " + std::to_string(done.right) + " of " +
                                    count_text(done.cells, "cell", "cells") + " by you, no wrong write.";
  }
  const KernelEntry& wrong = entries_[*done.first_wrong];
  const KernelCell& cell = cells_[wrong.cell];
  // A row without duplicates that holds the value elsewhere was written in the wrong order.
  std::set<std::string> values;
  std::size_t size = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (cells_[i].array == cell.array && cells_[i].component == cell.component) values.insert(answers_[i]), ++size;
  const bool misplaced = size == values.size() && values.contains(wrong.text);
  return "The first wrong write is number " + std::to_string(*done.first_wrong + 1) + " of " +
         std::to_string(entries_.size()) + ": " + cell.row + " at " + cell.place + " = " + wrong.text +
         (misplaced ? ", a value that belongs elsewhere in the row, so the order is wrong" : "") + "." + rest;
}

std::vector<Attempt> KernelExercise::attempts() const {
  std::vector<Attempt> all;
  const std::string path = path_text(trace_->steps[step_]);
  for (const KernelEntry& entry : entries_) {
    Attempt& attempt = all.emplace_back();
    const KernelCell& cell = cells_[entry.cell];
    attempt.stop = path + " (be the kernel)";
    attempt.question = static_cast<std::uint32_t>(entry.cell);
    attempt.asked = cell.row + " at " + cell.place + " " + run_text(trace_->header);
    attempt.outcome = entry.outcome;
    attempt.hinted = entry.hinted;
    attempt.seconds = entry.seconds;
    if (entry.outcome == Outcome::revealed) continue;
    attempt.given.kind = AnswerKind::words;
    attempt.given.text = entry.text;
  }
  return all;
}

std::vector<std::uint32_t> kernel_steps(const std::shared_ptr<const Trace>& trace, std::size_t fewest) {
  std::vector<std::uint32_t> steps;
  for (std::uint32_t step = 1; step < trace->steps.size(); ++step)
    if (const auto exercise = KernelExercise::at(trace, step); exercise && exercise->cells().size() >= fewest)
      steps.push_back(step);
  return steps;
}

}  // namespace kdscope
