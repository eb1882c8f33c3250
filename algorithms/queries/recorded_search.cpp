#include "algorithms/queries/recorded_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/queries/replay_steps.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/from_chars.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/trace/array_def.hpp"
#include "algorithms/trace/element_name.hpp"
#include "algorithms/trees/level_order/tree.hpp"
#include "algorithms/trees/median_stores/tree.hpp"

namespace kdscope {
namespace {

Error usage(std::string what, std::string remedy) {
  return {ErrorKind::bad_usage, std::move(what), "", std::move(remedy)};
}

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const auto [end, failed] = from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = failed == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

constexpr const char* all_points_text = "all";

/// The entries of the lists of a search: one space, so that a table shows the lists below one another. Entry i of one
/// list has nothing in common with entry i of another, so each list names its own points (order) or nodes (owner).
constexpr Space entry{"entry"}, bins{"bin"};

/// The standard arrays of a search (search_arrays).
namespace arrays {
constexpr ArrayDef<double> query{
    {.name = search_arrays::query, .index = Space::dimension, .values = Space::coordinate, .label = "query"}};
constexpr ArrayDef<double> reach{
    {.name = search_arrays::reach, .index = Space::none, .label = "reach", .shown_as_row = false}};
constexpr ArrayDef<std::uint8_t> box{{.name = search_arrays::box, .index = Space::none, .shown_as_row = false}};
constexpr ArrayDef<std::uint8_t> state{
    {.name = search_arrays::state, .index = Space::node, .label = "state of node", .shown_as_row = false}};
constexpr ArrayDef<std::uint32_t> visited{
    {.name = search_arrays::visited, .index = entry, .values = Space::node, .label = "visited"}};
constexpr ArrayDef<std::uint32_t> waiting{
    {.name = search_arrays::waiting, .index = entry, .values = Space::node, .label = "waiting"}};
constexpr ArrayDef<double> waiting_distance{{.name = search_arrays::waiting_distance,
                                             .index = entry,
                                             .label = "distance of waiting",
                                             .owner = search_arrays::waiting}};
constexpr ArrayDef<std::uint32_t> found{{.name = search_arrays::found,
                                         .index = entry,
                                         .values = Space::point,
                                         .label = "found",
                                         .order = search_arrays::found}};
constexpr ArrayDef<double> found_distance{{.name = search_arrays::found_distance,
                                           .index = entry,
                                           .label = "distance of found",
                                           .order = search_arrays::found}};
constexpr ArrayDef<std::uint32_t> tested{{.name = search_arrays::tested,
                                          .index = entry,
                                          .values = Space::point,
                                          .label = "tested",
                                          .order = search_arrays::tested}};
constexpr ArrayDef<double> tested_distance{{.name = search_arrays::tested_distance,
                                            .index = entry,
                                            .label = "distance of tested",
                                            .order = search_arrays::tested}};
constexpr ArrayDef<double> segment{
    {.name = search_arrays::segment, .index = Space::none, .label = "part of the ray", .shown_as_row = false}};
constexpr ArrayDef<std::uint32_t> bin_count{{.name = search_arrays::bin_count,
                                             .index = bins,
                                             .values = Space::count,
                                             .label = "points in bin",
                                             .dimensions = {{{"bin", search_arrays::bin_radius}}}}};
constexpr ArrayDef<std::uint32_t> count{
    {.name = search_arrays::count, .index = Space::none, .label = "points counted"}};
constexpr ArrayDef<double> bin_radius{{.name = search_arrays::bin_radius, .index = bins, .label = "radius of bin"}};
}  // namespace arrays

/// The state of a search, event by event.
class SearchSoFar {
 public:
  explicit SearchSoFar(const Replay& what)
      : what_(what),
        rays_(is_about_rays(what.request.question)),
        all_(needs_radius(what.request.question)),
        counts_(what.request.question == SearchQuestion::count),
        reach_(what.request.radius.value_or(std::numeric_limits<double>::infinity())) {
    const Trace::Array* parent = what.built->find(partition_arrays::parent);
    if (!parent || parent->versions.empty()) return;
    Cursor end(what.built);
    end.seek(end.step_count());
    const auto parents = end.array(partition_arrays::parent)->as<std::uint32_t>();
    parents_.assign(parents.begin(), parents.end());
    state_.resize(parents.size());
    // Only the root has no parent.
    nodes_ = 1 + static_cast<std::size_t>(std::ranges::count_if(parents, [](auto above) { return above != no_id; }));
    // Stores and levels have room for more nodes than the tree has, and the partition lists them all.
    const auto count_of = [&](std::span<const PointId> points) {
      nodes_ = points.size() - static_cast<std::size_t>(std::ranges::count(points, PointId{no_id}));
    };
    const Tree& tree = *what.request.tree;
    if (&tree.kind() == &MedianStoreTree::kind()) count_of(tree.as<MedianStoreTree>().stores);
    if (&tree.kind() == &LevelOrderTree::kind()) count_of(tree.as<LevelOrderTree>().point_of_node);
  }

  static void declare(ArrayList& list, const Replay& what) {
    const bool rays = is_about_rays(what.request.question);
    const Space item = rays ? Space::triangle : Space::point;
    list.add(arrays::query, arrays::reach, arrays::box, arrays::state, arrays::visited, arrays::waiting,
             arrays::waiting_distance, arrays::found.with_values(item), arrays::found_distance,
             arrays::tested.with_values(item), arrays::tested_distance);
    if (rays) list.add(arrays::segment);
    if (what.request.question == SearchQuestion::count) list.add(arrays::count);
    if (std::ranges::count(what.events.events, EventKind::bin, &SearchEvent::kind) > 0)
      list.add(arrays::bin_count, arrays::bin_radius);
  }

  /// Forgets what belongs to the last step alone.
  void begin_step() {
    tested_.clear(), tested_distance_.clear();
    segment_.clear();
    said_.clear();
    node_ = no_id;
    accepted_ = 0;
    whole_ = 0;
  }

  void take(const SearchEvent& event) {
    const bool missed = rays_ && event.kind == EventKind::test && event.number < 0;
    const double distance = missed  ? std::numeric_limits<double>::infinity()
                            : rays_ ? event.number
                                    : shown(event.number);
    switch (event.kind) {
      case EventKind::enter:
        node_ = row(event.node);
        mark(node_, SearchState::visited);
        visited_.push_back(node_);
        remove_waiting(node_);
        break;
      case EventKind::leave:
        break;
      case EventKind::test:
        tested_.push_back(event.item), tested_distance_.push_back(distance);
        break;
      case EventKind::accept:
        accept(event.item, distance);
        break;
      case EventKind::prune:
        remove_waiting(row(event.node));
        mark(row(event.node), SearchState::skipped);
        said_ = "Skip node " + std::to_string(row(event.node)) + ": " + why(event.reason, short_number(distance, 4));
        break;
      case EventKind::push:
        waiting_.push_back(row(event.node)), waiting_distance_.push_back(distance);
        mark(row(event.node), SearchState::waiting);
        break;
      case EventKind::pop:
        remove_waiting(row(event.node));
        break;
      case EventKind::drop:
        remove_waiting(row(event.node));
        mark(row(event.node), SearchState::dropped);
        ++dropped_;
        break;
      case EventKind::round:
        reach_ = event.number;
        ++rounds_;
        find_bins(event);
        found_.clear(), found_distance_.clear();
        visits_before_ += visited_.size();
        visited_.clear();
        std::ranges::fill(state_, static_cast<std::uint8_t>(SearchState::untouched));
        said_ = "A range search within " + short_number(reach_, 4);
        break;
      case EventKind::bin:
        if (bins_read_ < bin_count_.size()) bin_count_[bins_read_++] = event.item;
        break;
      case EventKind::segment:
        segment_ = {event.other, event.number};
        break;
      case EventKind::count:
        whole_ = event.item;
        counted_whole_ += event.item;
        break;
    }
  }

  void write(StepWriter& step) const {
    std::vector<double> query;
    const PointSet& queries = what_.request.queries->points;
    for (std::uint32_t d = 0; d < queries.dim; ++d) query.push_back(queries.value(0, d));
    step.wrote(arrays::query, query);
    step.wrote(arrays::reach, std::vector<double>{reach_});
    step.wrote(arrays::box, std::vector<std::uint8_t>{shape_of_reach()});
    step.wrote(arrays::state, state_);
    step.wrote(arrays::visited, visited_);
    step.wrote(arrays::waiting, waiting_);
    step.wrote(arrays::waiting_distance, waiting_distance_);
    step.wrote(arrays::found, found_);
    step.wrote(arrays::found_distance, found_distance_);
    step.wrote(arrays::tested, tested_);
    step.wrote(arrays::tested_distance, tested_distance_);
    if (rays_) step.wrote(arrays::segment, segment_);
    if (counts_) step.wrote(arrays::count, std::vector<std::uint32_t>{counted()});
    if (!bin_count_.empty()) {
      step.wrote(arrays::bin_count, bin_count_);
      step.wrote(arrays::bin_radius, bin_radius_);
    }
    if (node_ != no_id) step.highlight({Role::read, Space::node, {{node_, node_ + std::uint64_t(1)}}, {}});
    if (!tested_.empty()) {
      std::vector<std::uint32_t> items = tested_;
      std::ranges::sort(items);
      items.erase(std::ranges::unique(items).begin(), items.end());
      std::vector<IndexRange> ranges;
      for (const std::uint32_t item : items) ranges.push_back({item, item + std::uint64_t(1)});
      step.highlight({Role::compare, rays_ ? Space::triangle : Space::point, std::move(ranges), {}});
    }
  }

  /// Returns the row of the partition for a node of the tree.
  std::uint32_t row(std::uint32_t node) const { return node < what_.rows.size() ? what_.rows[node] : node; }

  /// Returns what the walk does in a step: it descends to a child of the node visited before, or it backtracks.
  /// Searches in rounds have these as phases.
  std::string phase() const {
    if (rounds_ > 0) return "round " + std::to_string(rounds_);
    const bool first = visited_.size() == 1;
    return node_ != no_id && (first || parents_[node_] == visited_[visited_.size() - 2]) ? "descend" : "backtrack";
  }

  /// Returns what the step did, in one or two sentences.
  std::string title() const {
    if (node_ == no_id) return said_ + ". " + progress();
    std::string text = "Visit node " + std::to_string(node_);
    if (whole_ > 0)
      text += ": its whole domain lies in the box, so " +
              (whole_ == 1 ? "its point is counted" : "all " + grouped(whole_) + " points of its subtree are counted") +
              " without a look at " + (whole_ == 1 ? "it" : "them");
    if (tested_.size() == 1) {
      text += ": " + name_of_item(tested_[0]);
      text += std::isinf(tested_distance_[0])
                  ? std::string(" is not hit")
                  : " lies at " + short_number(tested_distance_[0], 4) + (accepted_ ? accepted_text() : ", too far");
    } else if (!tested_.empty()) {
      text += ": " + grouped(tested_.size()) + (rays_ ? " triangles" : " points") + " tested, " +
              (accepted_ == 0 ? "none" : grouped(accepted_)) + (takes_all() ? " inside" : " nearer than those before");
    }
    return text + ". " + progress();
  }

  /// Returns the answer in one sentence.
  std::string answer() const {
    std::string of = " after " + grouped(visited_.size()) + " of " + count_text(nodes_, "node", "nodes") + " visited";
    if (chooses_reach_) of += ", " + grouped(visits_before_ + visited_.size()) + " visits in all range searches";
    const char* item = rays_ ? "triangle" : "point";
    if (counts_)
      return count_text(counted(), "point lies", "points lie") + " in the box" + of + "; " +
             std::to_string(counted_whole_) + " counted as whole subtrees";
    if (found_.empty()) return std::string("Nothing found") + of;
    if (all_ || found_.size() > 1)
      return count_text(found_.size(), item, rays_ ? "triangles" : "points") + " found" + of +
             (dropped_ > 0 ? "; " + count_text(dropped_, "subtree", "subtrees") + " given up" : "");
    return "The answer is " + name_of_item(found_[0]) + " at " + short_number(found_distance_[0], 4) + of;
  }

 private:
  /// Returns the distance of an event, which is squared unless the metric is another than the Euclidean, rounded to a
  /// float, whose text is short.
  double shown(double number) const {
    const bool squared = what_.request.measure.metric == Metric::euclidean;
    return static_cast<double>(static_cast<float>(squared ? std::sqrt(number) : number));
  }
  std::uint32_t counted() const { return counted_whole_ + static_cast<std::uint32_t>(found_.size()); }
  /// Returns the value of search_arrays::box.
  std::uint8_t shape_of_reach() const {
    if (what_.request.measure.metric == Metric::l1) return 2;
    return is_about_boxes(what_.request.question) || what_.request.measure.metric == Metric::maximum ? 1 : 0;
  }
  std::string name_of_item(std::uint32_t item) const {
    return rays_ ? "triangle " + element_name(Space::triangle, item) : point_name(item);
  }
  std::string accepted_text() const {
    return takes_all() ? ", inside" : what_.request.k == 1 ? ", the nearest so far" : ", among the nearest so far";
  }
  std::string progress() const {
    const std::string reach = std::isfinite(reach_) ? "; the reach is " + short_number(reach_, 4) : "";
    return grouped(visited_.size()) + " of " + count_text(nodes_, "node", "nodes") + " visited" + reach + ".";
  }
  /// Says why a subtree at a distance is skipped.
  std::string why(PruneReason reason, const std::string& distance) const {
    switch (reason) {
      case PruneReason::plane:
        if (!what_.request.measure.period.empty())
          return "the shorter way to it, through the plane or the other way around, is " + distance +
                 " long, beyond the reach";
        return "the plane in front of it lies at " + distance + ", beyond the reach";
      case PruneReason::corner:
        return "the closest corner of its domain lies at " + distance + ", beyond the reach";
      case PruneReason::box:
        return "its box lies at " + distance + ", beyond the reach";
      case PruneReason::interval:
        return found_.empty() ? "the ray crosses the plane at " + distance + ", outside the cell"
                              : "it begins at " + distance + ", behind the hit";
      case PruneReason::found:
        return "a hit is enough";
      case PruneReason::none:
        break;
    }
    return "it lies at " + distance + ", beyond the reach";
  }
  /// Whether all points within the reach are wanted.
  bool takes_all() const { return all_ || chooses_reach_; }
  void mark(std::uint32_t node, SearchState state) {
    if (node < state_.size()) state_[node] = static_cast<std::uint8_t>(state);
  }
  void remove_waiting(std::uint32_t node) {
    const auto at = std::ranges::find(waiting_, node);
    if (at == waiting_.end()) return;
    waiting_distance_.erase(waiting_distance_.begin() + (at - waiting_.begin()));
    waiting_.erase(at);
  }
  /// Finds the bins of a round, whose counts the log has at the round's end only.
  void find_bins(const SearchEvent& round) {
    bin_count_.clear(), bin_radius_.clear();
    bins_read_ = 0;
    const std::vector<SearchEvent>& all = what_.events.events;
    for (auto i = static_cast<std::size_t>(&round - all.data()) + 1; i < all.size(); ++i) {
      if (all[i].kind == EventKind::round) break;
      if (all[i].kind == EventKind::bin) bin_count_.push_back(0), bin_radius_.push_back(all[i].number);
    }
  }
  void accept(std::uint32_t item, double distance) {
    ++accepted_;
    if (!bin_count_.empty())
      ++bin_count_[std::min<std::size_t>(std::ranges::lower_bound(bin_radius_, distance) - bin_radius_.begin(),
                                         bin_count_.size() - 1)];
    const auto place = std::ranges::upper_bound(found_distance_, distance) - found_distance_.begin();
    auto at = place;  // equally distant ones by index
    while (at > 0 && found_distance_[std::size_t(at - 1)] == distance && found_[std::size_t(at - 1)] > item) --at;
    found_.insert(found_.begin() + at, item);
    found_distance_.insert(found_distance_.begin() + at, distance);
    if (takes_all() || what_.request.question == SearchQuestion::any_hit) return;
    if (found_.size() > what_.request.k) found_.pop_back(), found_distance_.pop_back();
    if (found_.size() == what_.request.k) reach_ = std::min(reach_, found_distance_.back());
  }

 public:
  /// Whether the search settles its own radius, within which it takes everything.
  void set_chooses_reach() { chooses_reach_ = true; }

 private:
  const Replay& what_;
  bool rays_, all_, counts_, chooses_reach_ = false;
  double reach_;
  std::vector<std::uint8_t> state_;
  std::vector<std::uint32_t> parents_;
  std::uint32_t rounds_ = 0;
  std::size_t bins_read_ = 0;  ///< of the round, from the log
  std::size_t nodes_ = 0;      ///< in the tree
  std::vector<std::uint32_t> visited_, waiting_, found_, tested_, bin_count_;
  std::vector<double> waiting_distance_, found_distance_, tested_distance_, segment_, bin_radius_;
  std::uint32_t node_ = no_id;  ///< visited in this step
  std::uint64_t accepted_ = 0, dropped_ = 0;
  std::uint32_t whole_ = 0, counted_whole_ = 0;  ///< points counted as whole subtrees, in this step and so far
  std::uint64_t visits_before_ = 0;              ///< in the range searches before this one
  std::string said_;
};

/// The events of one step: those from `begin` on, up to `end`.
struct Turn {
  std::size_t begin, end;
  std::size_t decision;  ///< the event that visits or skips a node, or begins a round
};

/// Divides events into steps. A step ends before the walk takes out, enters or skips another node.
std::vector<Turn> turns_of(const std::vector<SearchEvent>& events) {
  std::vector<Turn> turns;
  std::optional<std::size_t> decision;  // of the open step, once it is known
  std::size_t begin = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const EventKind kind = events[i].kind;
    const bool decides = kind == EventKind::enter || kind == EventKind::prune || kind == EventKind::round;
    if (decision && (decides || kind == EventKind::pop || kind == EventKind::leave)) {
      turns.push_back({begin, i, *decision});
      begin = i, decision.reset();
    }
    if (decides) decision = i;
  }
  if (decision) turns.push_back({begin, events.size(), *decision});
  return turns;
}

}  // namespace

namespace {

std::string list_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ",") + shortest(number);
  return text;
}

}  // namespace

Parameters texts_of(const SearchOfRun& search) {
  Parameters texts = search.parameters;
  texts["search"] = search.search;
  texts["question"] = name_of(search.question);
  texts["k"] = std::to_string(search.k);
  if (search.radius) texts["radius"] = shortest(*search.radius);
  if (search.measure.metric != Metric::euclidean) texts["metric"] = name_of(search.measure.metric);
  if (!search.measure.period.empty()) texts["period"] = list_text(search.measure.period);
  texts["query"] = search.all_points ? std::string(all_points_text) : list_text(search.query);
  return texts;
}

Result<SearchOfRun> search_in(const Parameters& texts) {
  SearchOfRun search;
  search.parameters = texts;
  const auto taken = [&](const char* name) {
    const auto node = search.parameters.extract(name);
    return node.empty() ? std::string() : node.mapped();
  };
  search.search = taken("search");
  const std::string question = taken("question"), k = taken("k"), radius = taken("radius"), query = taken("query"),
                    metric = taken("metric"), period = taken("period");
  for (int i = 0; i < search_question_count; ++i)
    if (question == name_of(static_cast<SearchQuestion>(i))) search.question = static_cast<SearchQuestion>(i);
  if (!question.empty() && question != name_of(search.question))
    return usage("there is no question " + kdscope::quoted(question),
                 "ask for nearest, ball, box, count, nearest-hit or any-hit");
  if (!k.empty()) {
    const auto number = number_in(k);
    if (!number || *number < 1 || *number > 1e9 || *number != std::floor(*number))
      return usage("k is " + kdscope::quoted(k), "give a whole number from 1 on");
    search.k = static_cast<std::uint32_t>(*number);
  }
  if (!radius.empty()) {
    search.radius = number_in(radius);
    if (!search.radius) return usage("the radius is " + kdscope::quoted(radius), "give a number, for example 0.05");
  }
  auto measure = measure_in(metric, period);
  if (!measure) return measure.error();
  search.measure = std::move(*measure);
  if (auto set = set_query(search, query); !set) return set.error();
  return search;
}

Result<Measure> measure_in(const std::string& metric, const std::string& period) {
  Measure measure;
  if (!metric.empty()) {
    int named = 0;
    while (named < metric_count && metric != name_of(static_cast<Metric>(named))) ++named;
    if (named == metric_count)
      return usage("there is no metric " + kdscope::quoted(metric), "choose euclidean, l1 or max");
    measure.metric = static_cast<Metric>(named);
  }
  if (period.empty()) return measure;
  auto sides = coordinates_in(period, "period");
  if (!sides) return sides.error();
  measure.period = std::move(*sides);
  return measure;
}

Result<void> set_query(SearchOfRun& search, const std::string& text) {
  search.query.clear();
  search.all_points = text == all_points_text;
  if (search.all_points && is_about_rays(search.question))
    return usage("the points are no rays", "give an origin and a direction");
  if (search.all_points) return {};
  auto coordinates = coordinates_in(text);
  if (!coordinates) return coordinates.error();
  search.query = std::move(*coordinates);
  return {};
}

Result<std::vector<double>> coordinates_in(const std::string& text, const std::string& what) {
  std::vector<double> coordinates;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(", \t", at);
    if (begin == std::string::npos) break;
    const std::size_t end = std::min(text.find_first_of(", \t", begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const auto number = number_in(word);
    if (!number)
      return usage("the " + what + " has the coordinate " + kdscope::quoted(word), "give numbers separated by commas");
    coordinates.push_back(*number);
    at = end;
  }
  if (coordinates.empty()) return usage("the " + what + " has no coordinates", "give numbers separated by commas");
  return coordinates;
}

std::shared_ptr<const Trace> replay(const Replay& what, TraceHeader header, const RunControl& control,
                                    std::size_t most_steps) {
  ReplaySteps steps(what.built, what.spec, std::move(header), control, most_steps);
  ArrayList list(steps.header());
  SearchSoFar::declare(list, what);
  steps.declare(list);

  SearchSoFar so_far(what);
  bool goes_on = steps.add_finished_tree({"search", "finished tree"}, [&](StepWriter& writer) {
    writer.title() = what.spec.title + ": the query, and the tree before the search";
    so_far.write(writer);
  });
  if (std::ranges::count(what.events.events, EventKind::round, &SearchEvent::kind) > 0) so_far.set_chooses_reach();
  const std::vector<Turn> turns = turns_of(what.events.events);
  std::size_t rounds = 0;
  for (std::size_t i = 0; i < turns.size() && goes_on; ++i) {
    const SearchEvent& decision = what.events.events[turns[i].decision];
    std::vector<std::string> path{"search"};
    if (decision.kind == EventKind::round)
      path.push_back("round " + std::to_string(++rounds));
    else
      path.insert(path.end(), {"node " + std::to_string(so_far.row(decision.node)),
                               decision.kind == EventKind::enter ? "visit" : "skip"});
    goes_on = steps.add(std::move(path), StepKind::launch, [&](StepWriter& writer) {
      so_far.begin_step();
      for (std::size_t at = turns[i].begin; at < turns[i].end; ++at) so_far.take(what.events.events[at]);
      writer.title() = so_far.title();
      writer.phase() = so_far.phase();
      so_far.write(writer);
    });
  }
  if (goes_on)
    steps.add({"search", "answer"}, StepKind::host, [&](StepWriter& writer) {
      so_far.begin_step();
      writer.title() = so_far.answer() + ".";
      writer.phase() = "answer";
      if (const std::uint64_t lost = what.events.total - what.events.events.size(); lost > 0)
        writer.title() = "The log is full: the last " + count_text(lost, "event", "events") +
                         " of the search are not shown. Take fewer points or a smaller k.";
      for (const CheckResult& check : what.checks) writer.check(check);
      so_far.write(writer);
    });
  return steps.finish();
}

}  // namespace kdscope
