#pragma once
// Holds the data of a page against the models that paint the window: every text of every pane of every state.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "algorithms/text/json_value.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/element_name.hpp"
#include "app/pseudocode/page_code.hpp"
#include "app/pseudocode/pseudocode.hpp"
#include "app/pseudocode/step_values.hpp"
#include "app/recording/run.hpp"
#include "app/recording/saved_run.hpp"
#include "app/variant_trials/page_sheets.hpp"
#include "tests/support/catch.hpp"
#include "visualizer/figure/node_look.hpp"
#include "visualizer/figure/overlay_drawing.hpp"
#include "visualizer/figure/partition_picture.hpp"
#include "visualizer/figure/table_picture.hpp"
#include "visualizer/model/array_table.hpp"
#include "visualizer/model/count_array.hpp"
#include "visualizer/model/lesson_overlay.hpp"
#include "visualizer/model/parallel_coordinates.hpp"
#include "visualizer/model/question_concealment.hpp"
#include "visualizer/model/search_overlay.hpp"
#include "visualizer/model/split_candidates.hpp"
#include "visualizer/model/step_heading.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/style/axis.hpp"
#include "visualizer/web/baked_states.hpp"
#include "visualizer/web/lesson_page.hpp"

namespace kdscope::test {

struct RecordedLesson {
  Lesson lesson;
  std::shared_ptr<const Trace> trace;
};

inline RecordedLesson recorded(const Lesson& lesson) {
  const auto run = record_run(run_of(lesson, Backend::cpu));
  INFO(lesson.id << (run ? std::string() : run.error().message()));
  REQUIRE(run);
  return {lesson, run->trace};
}

inline std::string page_of(const RecordedLesson& r) {
  const auto baked =
      BakedLesson::bake(r.lesson, r.trace, page_code(r.trace, axes_of(r.lesson)), page_sheets(r.lesson, *r.trace));
  INFO(r.lesson.id << (baked ? std::string() : baked.error().message()));
  REQUIRE(baked);
  return baked->page();
}

/// The text of the data in a page.
inline std::string data_text_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(open) + open.size(), end = page.find("</script>", begin);
  REQUIRE(end != std::string::npos);
  return page.substr(begin, end - begin);
}

inline std::size_t whole(const JsonValue& value) { return static_cast<std::size_t>(value.integer(-1, 1'000'000'000)); }

/// An item of a display list.
struct BakedItem {
  std::size_t kind = 0;
  const JsonValue* at = nullptr;  ///< from where its group stands
  std::string text = {}, spoken = {};
  std::int64_t id = -1, marks = -1;

  /// What stands at the end may be left out. `text`: of its group.
  BakedItem(const JsonValue& baked, const std::string& group_text) {
    const auto& fields = baked.items();
    kind = whole(fields.at(0)), at = &fields.at(1);
    if (fields.size() > 4) text = fields[4].is_text() ? fields[4].text() : group_text;
    if (fields.size() > 10) spoken = fields[10].text();
    if (kind == static_cast<std::size_t>(DisplayItem::Shape::marks)) marks = fields.at(11).integer(0, 1'000'000'000);
  }
};

/// The groups of a list, whose first item may have an id.
inline std::vector<std::vector<BakedItem>> baked_groups(const JsonValue& data, const JsonValue& list) {
  std::vector<std::vector<BakedItem>> groups;
  const auto add = [&](std::size_t look, std::int64_t id, const std::string& text) {
    std::vector<BakedItem>& group = groups.emplace_back();
    for (const JsonValue& item : data.at("looks").items().at(look).items()) group.emplace_back(item, text);
    group.front().id = id;
  };
  for (const JsonValue& index : list.items()[2].items()) {
    const auto& place = data.at("places").items().at(whole(index)).items();
    const std::int64_t id = place.size() > 3 ? place[3].integer(-1, 1'000'000'000) : -1;
    if (place.size() <= 5) {
      add(whole(place.at(2)), id, place.size() > 4 ? place[4].text() : "");
      continue;
    }
    const std::int64_t step = place.size() > 7 ? place[7].integer(0, 1'000'000'000) : 0;
    const auto& runs = data.at("mark_lists").items().at(whole(place[2])).items();
    const auto& texts = data.at("texts").items().at(whole(place[4])).items();
    std::int64_t count = 0;
    for (std::size_t i = 0; i < runs.size(); i += 2)
      for (std::size_t k = 0; k < whole(runs[i + 1]); ++k, ++count)
        add(whole(runs[i]), id + count * step, texts.at(static_cast<std::size_t>(count)).text());
  }
  return groups;
}

/// Compares as it is made: differences() names what differs, compared() counts the texts of each pane.
class PageComparison {
 public:
  PageComparison(const RecordedLesson& r, const JsonValue& data)
      : r_(r),
        data_(data),
        axes_(axes_or_first(axes_of(r.lesson), r.trace->header.dim)),
        pseudocode_(find_pseudocode(r.trace->header.algorithm)),
        code_(*r.trace, pseudocode_),
        values_(*r.trace),
        lines_(r.trace, BakedStates::most_lines) {
    for (const JsonValue& step : data.at("steps").items())
      if (step.find("stop")) stop_steps_.push_back(static_cast<std::uint32_t>(whole(step.at("step"))));
    for (const JsonValue& step : data.at("steps").items()) compare_step(step);
  }
  const std::vector<std::string>& differences() const { return differences_; }
  const std::map<std::string, std::size_t>& compared() const { return compared_; }
  const std::set<std::size_t>& stops() const { return stops_; }

 private:
  const JsonValue& pool(const char* name, const JsonValue& index) const {
    return data_.at(name).items().at(whole(index));
  }
  void same(const char* pane, const std::string& shown, const std::string& wanted) {
    ++compared_[pane];
    if (shown != wanted && differences_.size() < 20)
      differences_.push_back(std::string(pane) + ", " + where_ + ": '" + shown + "' instead of '" + wanted + "'");
  }
  void same(const char* pane, const JsonValue& shown, const std::string& wanted) { same(pane, shown.text(), wanted); }
  void same_number(const char* pane, const JsonValue& shown, std::int64_t wanted) {
    same(pane, std::to_string(shown.integer(-1, 1'000'000'000)), std::to_string(wanted));
  }

  void compare_step(const JsonValue& step) {
    const auto ordinal = static_cast<std::uint32_t>(whole(step.at("step")));
    Cursor now(r_.trace), before(r_.trace);
    now.seek(ordinal);
    if (ordinal > 0) before.seek(ordinal - 1);
    const Stop* stop = nullptr;
    if (const JsonValue* index = step.find("stop")) {
      stop = &r_.lesson.stops.at(whole(*index));
      stops_.insert(whole(*index));
      same("narration", step.at("heading"), stop->title);
    }
    same("narration", step.at("title"), step_heading(now.current()));
    same("narration", step.at("sentence"), sentence_of(*r_.trace, now.current()));
    if (const JsonValue* source = step.find("source")) compare_source(pool("sources", *source), now.current());
    const auto& states = step.at("states").items();
    for (std::size_t open = 0; open < states.size(); ++open) {
      where_ = "step " + std::to_string(ordinal) + ", open questions " + std::to_string(open);
      Concealment concealed;
      if (stop)
        for (std::size_t i = 0; i < stop->questions.size(); ++i) {
          const std::int64_t bit = step.at("questions").items()[i].at("bit").integer(-1, 10);
          const Concealment own = concealment_of(stop->questions[i]);
          same("narration", own ? "hides" : "", bit >= 0 ? "hides" : "");
          if (bit >= 0 && open >> bit & 1) concealed.add(own);
        }
      if (concealed) concealed.before = stop_before(stop_steps_, ordinal);
      const Cursor* baseline = ordinal > 0 && !concealed.hides_values() ? &before : nullptr;
      marks_ = overlay_of(r_.lesson, stop);
      compare_state(pool("states", states[open]), now, baseline, stop ? stop->highlights : std::vector<Highlight>(),
                    concealed);
    }
  }

  void compare_state(const JsonValue& state, const Cursor& now, const Cursor* before,
                     const std::vector<Highlight>& added, const Concealment& concealed) {
    std::set<std::string> covered;
    for (const JsonValue& name : state.at("covered").items()) covered.insert(name.text());
    const Trace& trace = *r_.trace;
    const bool nodes_hidden = concealed.hides_nodes(trace);
    const auto is_covered = [&](const char* pane, bool hidden, bool there) {
      same(pane, covered.count(pane) ? "covered" : "", hidden && there ? "covered" : "");
      if (hidden) same(pane, state.find(pane) ? "shown" : "", "");
    };
    is_covered("tree", concealed.tree, true);
    is_covered("histogram", concealed.counts, !CountArray::names(trace).empty());
    is_covered("candidates", hides_candidates(concealed, trace), bool(CandidateArrays(trace)));
    is_covered("checks", hides_statements(concealed), true);
    is_covered("steps", hides_steps(concealed, trace), true);
    is_covered("source", concealed.code, true);
    is_covered("inside", concealed.hides_values(), true);
    if (covered.count("coordinates")) same("coordinates", concealed.splits || nodes_hidden ? "hidden" : "", "hidden");

    for (const JsonValue& index : state.at("tables").items()) {
      const JsonValue& baked = pool("tables", index);
      compare_table(baked, ArrayTable(now, before, *space_named(baked.at("space").text()), axes_, added, concealed));
    }
    if (const JsonValue* counts = state.find("histogram")) compare_counts(*counts, now);
    if (const JsonValue* tree = state.find("tree"))
      compare_tree(pool("trees", *tree), TreeDiagram::at(now, {}, nullptr, added, concealed));
    if (const JsonValue* view = state.find("view")) compare_view(pool("pictures", *view), now, added, concealed);
    if (const JsonValue* candidates = state.find("candidates")) compare_candidates(*candidates, now);
    if (const JsonValue* lines = state.find("coordinates")) compare_coordinates(pool("coordinate_states", *lines), now);
    if (const JsonValue* run = state.find("run"))
      compare_run(pool("runs", *run), now, before, !concealed.hides_values());
  }

  void compare_table(const JsonValue& baked, const ArrayTable& table) {
    struct Shown {
      std::string text, behind_old;  // `behind_old`: of a hidden value, with the one before it, where there is room
    };
    std::vector<Shown> in_sight;
    same_number("arrays", baked.at("count"), static_cast<std::int64_t>(table.column_count()));
    same("arrays", std::to_string(baked.at("rows").items().size()), std::to_string(table.rows().size()));
    for (std::size_t row = 0; row < std::min(table.rows().size(), baked.at("rows").items().size()); ++row) {
      const JsonValue& baked_row = pool("rows", baked.at("rows").items()[row]);
      same("arrays", baked_row.at("label"), printable(table.rows()[row].label));
      same("arrays", baked_row.find("hidden") ? "?" : "", table.rows()[row].concealed ? "?" : "");
      std::vector<const JsonValue*> facts;
      const auto& runs = pool("mark_lists", baked_row.at("facts")).items();
      for (std::size_t i = 0; i < runs.size(); i += 2)
        for (std::size_t k = 0; k < whole(runs[i + 1]); ++k) facts.push_back(&pool("facts", runs[i]));
      std::size_t next = 0, number = 0;
      for (const JsonValue& range : baked.at("columns").items()) {
        const auto& texts = pool("texts", baked_row.at("texts").items().at(number++)).items();
        const std::uint64_t begin = whole(range.items()[0]), end = whole(range.items()[1]);
        same("arrays", std::to_string(texts.size()), std::to_string(end - begin));
        for (std::uint64_t c = begin; c < end; ++c) {
          const auto& cell = facts.at(next++)->items();
          const TableCell wanted = table.cell(row, c);
          same("arrays", texts.at(c - begin), wanted.text);
          same("arrays", cell[0], cell_words(wanted, row == 0));
          same_number("arrays", cell[1], wanted.node ? wanted.node->value : std::int64_t(-1));
          const auto point = table.point_at(row, c);
          same_number("arrays", cell[2], point ? point->value : std::int64_t(-1));
          const auto shown = [&](const std::string& text) { return shown_text(text, table.is_real(row), false); };
          in_sight.push_back({shown(wanted.text), shown(wanted.old_text) + " \u2192 " + wanted.text});
        }
      }
      same("arrays", std::to_string(facts.size()), std::to_string(next));
    }
    // In the picture, the number of a cell in sight is the id of its item; cells without text may have none.
    auto shown = texts_by_id(baked.at("picture"));
    for (std::size_t id = 0; id < in_sight.size(); ++id) {
      const auto& [text, behind_old] = in_sight[id];
      same("arrays", text == concealed_text && shown[id] == behind_old ? text : shown[id], text);
    }
    same("arrays", std::to_string(shown.size()), std::to_string(in_sight.size()));
  }

  /// The first text that stands on each item with an id.
  std::map<std::size_t, std::string> texts_by_id(const JsonValue& list) const {
    std::map<std::size_t, std::string> texts;
    for (const std::vector<BakedItem>& group : baked_groups(data_, list)) {
      if (group.front().id < 0) continue;
      std::string& text = texts[static_cast<std::size_t>(group.front().id)];
      for (const BakedItem& item : group)
        if (text.empty()) text = item.text;
    }
    return texts;
  }

  void compare_counts(const JsonValue& list, const Cursor& now) {
    std::size_t next = 0;
    for (const std::string& name : CountArray::names(*r_.trace)) {
      const auto counts = CountArray::at(now, name);
      if (!counts) continue;
      const JsonValue& baked = pool("count_arrays", list.items().at(next++));
      same("histogram", baked.at("label"), counts->info().label);
      const auto& layers = baked.at("layers").items();
      same_number("histogram", baked.at("left_out"), static_cast<std::int64_t>(counts->layer_count() - layers.size()));
      compare_count_picture(baked, *counts, layers.size());
      for (std::size_t layer = 0; layer < layers.size(); ++layer)
        for (std::uint64_t row = 0; row < counts->row_count(); ++row)
          for (std::uint64_t c = 0; c < whole(layers[layer].items()[1]); ++c)
            same("histogram", pool("texts", layers[layer].items()[2].items().at(row)).items().at(c),
                 counts->text(counts->flat({layer, row, c})));
    }
    same("histogram", std::to_string(list.items().size()), std::to_string(next));
  }

  /// The numbers in the picture of counts: one item per cell, in the order of columns.
  void compare_count_picture(const JsonValue& baked, const CountArray& counts, std::uint64_t layers) {
    if (layers == 0) return;
    auto shown = texts_by_id(baked.at("picture"));
    std::size_t cells = 0;
    for (std::uint64_t layer = 0; layer < layers; ++layer)
      for (std::uint64_t row = 0; row < counts.row_count(); ++row)
        for (std::uint64_t c = 0; c < counts.first_slot(layer + 1) - counts.first_slot(layer); ++c, ++cells)
          same("histogram", shown[counts.flat({layer, row, c})], counts.text(counts.flat({layer, row, c})));
    same("histogram", std::to_string(shown.size()), std::to_string(cells));
  }

  void compare_tree(const JsonValue& tree, const TreeDiagram& diagram) {
    same_number("tree", tree.at("count"), static_cast<std::int64_t>(diagram.node_count));
    for (const JsonValue& index : tree.at("nodes").items()) {
      const auto& baked = pool("nodes", index).items();
      const auto node = diagram.node(NodeId{static_cast<std::uint32_t>(whole(baked[0]))});
      same("tree", node ? "there" : "", "there");
      if (!node) continue;
      std::string lines, wanted;
      for (const JsonValue& line : baked[4].items()) lines += line.text() + "\n";
      for (const std::string& line : lines_of(diagram, *node)) wanted += line + "\n";
      same("tree", lines, wanted);
      same_number("tree", baked[2], static_cast<std::int64_t>(node->state));
      same_number("tree", baked[3], node->point == no_id ? std::int64_t(-1) : std::int64_t(node->point));
    }
    std::size_t spoken = 0;
    for (const std::vector<BakedItem>& group : baked_groups(data_, tree.at("picture")))
      for (const BakedItem& item : group) {
        if (item.id < 0) continue;
        const auto node = diagram.node(NodeId{static_cast<std::uint32_t>(item.id)});
        std::string wanted;
        for (const std::string& line : node ? described(diagram, *node) : std::vector<std::string>())
          wanted += (wanted.empty() ? "" : "; ") + line;
        same("tree", item.spoken.substr(0, wanted.size()), wanted);
        ++spoken;
      }
    same("tree", std::to_string(spoken), std::to_string(tree.at("nodes").items().size()));
  }

  void compare_view(const JsonValue& view, const Cursor& now, const std::vector<Highlight>& added,
                    const Concealment& concealed) {
    PartitionPictureOptions options;
    options.axes = axes_;
    options.flat = axes_[2] < 0;
    options.most_planes = 512;
    options.most_marks = BakedStates::most_points;
    options.marks = marks_;
    const PartitionPicture picture = PartitionPicture::at(now, options, added, concealed);
    same_number("view", view.at("points"), static_cast<std::int64_t>(picture.points));
    std::string pivots, wanted;
    for (const JsonValue& point : view.at("pivots").items()) pivots += std::to_string(whole(point)) + " ";
    for (const PointMark& mark : picture.marks)
      if (mark.pivot) wanted += std::to_string(mark.point) + " ";
    same("view", pivots, wanted);
    if (const JsonValue* list = view.find("list")) {
      compare_flat_view(view, *list, picture);
    } else {
      same("view", std::to_string(pool("clouds", view.at("cloud")).items().size()),
           std::to_string(picture.marks.size()));
      same("view", std::to_string(view.at("planes").items().size()), std::to_string(planes_in_space(picture).size()));
      const Overlay& overlay = picture.overlay;
      const JsonValue* above = view.find("overlay");
      const auto small = std::ranges::count(overlay.balls, 0, &Overlay::Ball::radius);
      for (const auto& [kind, count] :
           {std::pair{"labels", overlay.labels.size()},
            {"lines", overlay_lines(overlay, picture.partition, picture.frame, BakedStates::corners_of_circle).size()},
            {"circles", static_cast<std::size_t>(small) + overlay.rings.size()}})
        same("view", kind + std::to_string(above ? above->at(kind).items().size() : 0), kind + std::to_string(count));
      for (std::size_t i = 0; above && i < above->at("labels").items().size(); ++i)
        same("view", above->at("labels").items()[i].items()[1], overlay.labels.at(i).text);
    }
    if (!picture.note.empty()) same("view", view.at("note"), picture.note);
  }

  /// The texts of a picture in the plane: names of points and coordinates, labels of a search, ticks, and numbers of
  /// cells; and the places of its points.
  void compare_flat_view(const JsonValue& view, const JsonValue& list, const PartitionPicture& picture) {
    const Partition& partition = picture.partition;
    std::multiset<std::string> needed;
    std::set<std::string> allowed;
    for (const JsonValue& axis : view.at("axes").items()) {
      const std::size_t d = whole(axis.items()[0]);
      needed.insert(coordinate_name(static_cast<std::uint32_t>(d), partition.dim()));
      const auto along = std::ranges::find(picture.frame.dims(), static_cast<int>(d)) - picture.frame.dims().begin();
      const auto value = [&](double scene) { return picture.frame.to_world(static_cast<int>(along), scene); };
      const double low = value(picture.frame.lo(static_cast<int>(along))),
                   high = value(picture.frame.hi(static_cast<int>(along)));
      for (int count = 1; count < 40; ++count)
        for (const std::string& tick : tick_texts(tick_values(low, high, count))) allowed.insert(tick);
    }
    for (const NodeId cell : partition.cells()) allowed.insert(std::to_string(cell.value));
    for (const Overlay::Label& label : picture.overlay.labels) needed.insert(label.text);
    if (picture.points <= 50 && !view.find("triangles"))
      for (const PointMark& mark : picture.marks) needed.insert(point_name(mark.point));
    if (view.find("triangles"))
      for (std::size_t i = 0; i < whole(view.at("triangles")) && whole(view.at("triangles")) <= 50; ++i)
        needed.insert(element_name(Space::triangle, i));
    std::size_t marks = 0;
    for (const std::vector<BakedItem>& group : baked_groups(data_, list))
      for (const BakedItem& item : group) {
        if (item.kind == static_cast<std::size_t>(DisplayItem::Shape::marks))
          marks += pool("clouds", *item.at).items().size() / 2;
        const std::string& text = item.text;
        if (text.empty()) continue;
        if (const auto found = needed.find(text); found != needed.end())
          needed.erase(found), same("view", text, text);
        else
          same("view", allowed.count(text) ? "" : text, "");
      }
    same("view", needed.empty() ? "" : "without " + *needed.begin(), "");
    same("view", std::to_string(marks), std::to_string(picture.marks.size()));
    same_number("view", view.at("splits"), std::ranges::count_if(partition.planes(), [&](const PartitionPlane& plane) {
                  return picture.axis_of(plane) >= 0;
                }));
  }

  void compare_candidates(const JsonValue& list, const Cursor& now) {
    for (std::size_t i = 0; i < list.items().size(); ++i) {
      const JsonValue& baked = pool("candidates", list.items()[i]);
      const NodeId id{static_cast<std::uint32_t>(whole(baked.at("node")))};
      // The window shows the first one where nothing is selected.
      const auto node = node_candidates(now, i == 0 ? std::nullopt : std::optional(id));
      REQUIRE(node);
      const std::uint32_t dims = r_.trace->header.dim;
      same_number("candidates", baked.at("node"), node->node.value);
      same("candidates", baked.at("headline"), headline_of(*node, dims));
      same("candidates", std::to_string(baked.at("tried").items().size()), std::to_string(node->tried.size()));
      const auto bits = [&](std::uint64_t mask) {
        std::string text;
        for (std::size_t k = 0; k < node->primitives.size(); ++k) text += mask >> k & 1 ? '1' : '0';
        return text;
      };
      same("candidates", baked.at("set"), bits(node->set));
      for (std::size_t k = 0; k < node->tried.size(); ++k) {
        const auto& tried = baked.at("tried").items().at(k).items();
        std::string words = tried[0].text() + ", candidate " + std::to_string(whole(tried[1]));
        if (!tried[2].text().empty()) words += ": cost " + tried[2].text();
        words += "; " + std::to_string(whole(tried[3])) + " left, " + std::to_string(whole(tried[4])) + " right";
        same("candidates", words, candidate_words(*node, k, dims));
        same("candidates", tried[5], bits(node->set & node->tried[k].left));
        same("candidates", tried[6], bits(node->set & node->tried[k].right));
      }
      same_number("candidates", baked.at("chosen"), node->chosen ? std::int64_t(*node->chosen) : -1);
      if (node->leaf_cost) same("candidates", baked.at("leaf"), short_number(*node->leaf_cost, 4));
    }
  }

  void compare_coordinates(const JsonValue& baked, const Cursor& now) {
    lines_.show(now, {}, {});
    std::set<std::string> allowed, names;
    const auto allow = [&](double value) { allowed.insert({short_number(value, 4), short_number(value, 2)}); };
    for (const CoordinateAxis& axis : lines_.axes()) {
      names.insert(coordinate_name(axis.dim, lines_.dim()));
      allow(axis.lo), allow(axis.hi);
    }
    std::vector<std::string> splits;
    for (const CoordinateBox& box : lines_.boxes()) {
      if (box.split_dim < 0) continue;
      allow(box.split_value);
      splits.push_back("node " + std::to_string(box.node.value) + ": " +
                       coordinate_name(static_cast<std::uint32_t>(box.split_dim), lines_.dim()) + " = " +
                       short_number(box.split_value, 4));
    }
    same("coordinates", std::to_string(baked.at("splits").items().size()), std::to_string(splits.size()));
    for (std::size_t i = 0; i < std::min(splits.size(), baked.at("splits").items().size()); ++i)
      same("coordinates", baked.at("splits").items()[i], splits[i]);
    std::set<std::string> lines, points;
    for (const CoordinateLine& line : lines_.lines())
      if (!line.left_out) points.insert(point_name(line.point.value));
    std::size_t named = 0;
    for (const std::vector<BakedItem>& group : baked_groups(data_, baked.at("list")))
      for (const BakedItem& item : group) {
        const std::string& text = item.text;
        if (item.id >= 0 && !item.spoken.empty()) lines.insert(item.spoken);
        named += names.count(text);
        if (!text.empty())
          same("coordinates", allowed.count(text) || names.count(text) || points.count(text) ? "" : text, "");
      }
    same("coordinates", lines == points ? "" : "other lines", "");
    same("coordinates", named > 0 ? "named" : "", "named");
  }

  void compare_run(const JsonValue& run, const Cursor& now, const Cursor* before, bool values) {
    std::vector<int> shown;
    for (const JsonValue& line : run.at("lines").items()) shown.push_back(static_cast<int>(whole(line)));
    same("source", shown == code_.lines(now.step()) ? "" : "other lines", "");
    same("source", run.at("facts"), step_facts(now));
    if (!values) same("source", std::to_string(run.at("values").items().size()), "0");
    const ValueScope scope{now, before, {}, {}, axes_of(r_.lesson)};
    for (const JsonValue& value : run.at("values").items()) {
      const auto& piece = pseudocode_->lines.at(whole(value.items()[0])).pieces.at(whole(value.items()[1]));
      same("source", value.items()[2], piece.label + " = " + values_.value(piece.source, scope).value_or("(none)"));
    }
    for (std::size_t i = 0; i < pseudocode_->lines.size(); ++i)
      for (std::size_t k = 0; k < pseudocode_->lines[i].pieces.size(); ++k)
        same("source", data_.at("code").items().at(i).items()[2].items().at(k), pseudocode_->lines[i].pieces[k].text);
  }

  void compare_source(const JsonValue& baked, const Step& step) {
    for (const RecordedSource& region : r_.trace->header.sources) {
      if (region.region != step.code_anchor) continue;
      same_number("source", baked.at("first"), region.first_line);
      std::string shown, wanted;
      for (const JsonValue& line : baked.at("lines").items()) shown += line.text();
      for (const char c : region.text) wanted += c == '\n' ? "" : std::string(1, c);
      const auto without_spaces = [](std::string text) {
        std::erase(text, ' ');
        return text;
      };
      same("source", without_spaces(shown), without_spaces(wanted));
      return;
    }
  }

  const RecordedLesson& r_;
  const JsonValue& data_;
  Axes axes_;
  const Pseudocode* pseudocode_;
  CodeOfSteps code_;
  StepValues values_;
  ParallelCoordinates lines_;
  Overlay marks_;  // of the stop that is compared
  std::string where_;
  std::vector<std::string> differences_;
  std::map<std::string, std::size_t> compared_;
  std::set<std::size_t> stops_;
  std::vector<std::uint32_t> stop_steps_;
};

}  // namespace kdscope::test
