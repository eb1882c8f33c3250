// A thousand random questions of each kind, over builders and data. Each is checked twice by code of its own: the
// question's text is read back and answered from the trace's tables, and questions of Wald's and Wehr and Radkowski's
// builders are answered from the points alone.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <regex>
#include <set>

#include "algorithms/core/hash.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/walkthroughs/practice_runs.hpp"
#include "visualizer/model/count_array.hpp"
#include "walkthroughs/practice/generate.hpp"

using namespace kdscope;

namespace {

constexpr int cases_per_kind = 1000;

using Groups = std::vector<std::string>;

/// Returns what a pattern finds in a text, or nothing.
std::optional<Groups> match(const std::string& text, const std::string& pattern) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(pattern))) return std::nullopt;
  return Groups(found.begin() + 1, found.end());
}

std::uint32_t id(const std::string& text) { return static_cast<std::uint32_t>(std::stoul(text)); }

/// Returns the answer as text: "5", or "3 7" for elements.
std::string expected_text(const ExpectedAnswer& expects) {
  if (expects.kind == AnswerKind::number) return std::to_string(static_cast<std::int64_t>(expects.number));
  std::string text;
  for (const std::uint32_t element : expects.elements) text += (text.empty() ? "" : " ") + std::to_string(element);
  return text;
}

std::string name_of_row(const Trace& trace, const std::string& label) {
  for (const Trace::Array& array : trace.arrays)
    if (array.info.label == label && array.info.shown_as_row) return array.info.name;
  FAIL("no row " << label);
  return "";
}

/// Returns the answer that the tables of the trace give after the step, from the question's text.
std::string answer_from_tables(const std::shared_ptr<const Trace>& trace, const GeneratedQuestion& generated) {
  const std::string& text = generated.question.text;
  Cursor before(trace), after(trace);
  before.seek(generated.step);
  after.seek(generated.answered_at);
  if (const auto found = match(text, "Which node does row (.*) then hold at position (\\d+)\\?"))
    return RowReader(after, name_of_row(*trace, (*found)[0])).text(id((*found)[1]));
  if (const auto found = match(text, "At which positions? (?:is the pivot|are the pivots) of node (\\d+) then\\?")) {
    std::set<std::uint64_t> positions;
    for (const Highlight& highlight : after.current().highlights)
      for (std::size_t i = 0; highlight.role == Role::pivot && i < highlight.ranges.size(); ++i)
        if (highlight.nodes.at(i) == id((*found)[0])) positions.insert(highlight.ranges[i].begin);
    std::string all;
    for (const std::uint64_t position : positions) all += (all.empty() ? "" : " ") + std::to_string(position);
    return all;
  }
  if (const auto found = match(text, "In the segment of which node does position (\\d+) lie then\\?")) {
    std::string nodes;
    for (const Highlight& highlight : after.current().highlights)
      for (std::size_t i = 0; highlight.role == Role::segment && i < highlight.ranges.size(); ++i)
        if (highlight.ranges[i].begin <= id((*found)[0]) && id((*found)[0]) < highlight.ranges[i].end)
          nodes += (nodes.empty() ? "" : " ") + std::to_string(highlight.nodes.at(i));
    return nodes;
  }
  if (const auto found = match(text,
                               "Row (.*) holds (?:point p|triangle t)(\\d+) at position (\\d+)\\. "
                               "At which position does row (.*) hold it then\\?")) {
    CHECK(RowReader(before, name_of_row(*trace, (*found)[0])).text(id((*found)[2])) == (*found)[1]);
    const RowReader row(after, name_of_row(*trace, (*found)[3]));
    std::string places;
    for (std::uint64_t i = 0; i < row.size(); ++i)
      if (row.text(i) == (*found)[1]) places += (places.empty() ? "" : " ") + std::to_string(i);
    return places;
  }
  if (const auto found = match(text, "What does (.*) then count for (.*)\\?")) {
    // The model behind the histogram pane says which cells belong to which indices.
    for (const std::string& name : CountArray::names(*trace)) {
      const auto array = CountArray::at(after, name);
      if (!array || array->info().label != (*found)[0]) continue;
      std::map<std::string, std::uint64_t> index;
      std::string rest = (*found)[1];
      for (std::smatch part; std::regex_search(rest, part, std::regex("(\\w+) (\\d+)")); rest = part.suffix())
        index[part[1]] = std::stoul(part[2]);
      CountCell cell;
      cell.row = index.at(array->rows().name);
      if (array->has_layers()) cell.layer = index.at(array->layers().name);
      cell.column = index.at(array->columns().name) - array->first_column(cell.layer);
      return array->text(array->flat(cell));
    }
  }
  if (text == "Which node does the search visit next?") {
    // The titles of the steps name the nodes.
    for (std::uint32_t s = generated.step + 1; s < trace->steps.size(); ++s)
      if (const auto found = match(trace->steps[s].title, "^Visit node (\\d+)")) return (*found)[0];
  }
  FAIL("a question that this test cannot read: " << text);
  return "";
}

/// The left-balanced tree of a run's points, by plain recursion: the reference for Wald's builder and the textbook's.
struct ReferenceTree {
  explicit ReferenceTree(const Trace& trace) {
    Cursor cursor(std::make_shared<Trace>(trace));
    cursor.seek(static_cast<std::uint32_t>(trace.steps.size() - 1));
    n = static_cast<std::uint32_t>(trace.header.n);
    dim = trace.header.dim;
    for (std::uint32_t d = 0; d < dim; ++d) {
      const RowReader row(cursor, points_array, d);
      for (std::uint32_t i = 0; i < n; ++i) coordinates.push_back(row.number(i));
    }
    node_of_point.resize(n);
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    build(0, 0, all);
  }
  std::uint32_t size_of(std::uint64_t node) const {
    return node >= n ? 0 : 1 + size_of(2 * node + 1) + size_of(2 * node + 2);
  }
  void build(std::uint32_t node, std::uint32_t level, std::vector<std::uint32_t> points) {
    if (points.empty()) return;
    const double* values = coordinates.data() + std::size_t{level % dim} * n;
    std::sort(points.begin(), points.end(),
              [&](auto a, auto b) { return std::pair(values[a], a) < std::pair(values[b], b); });
    const std::uint32_t left = size_of(2 * std::uint64_t{node} + 1);
    node_of_point[points[left]] = node;
    build(2 * node + 1, level + 1, {points.begin(), points.begin() + left});
    build(2 * node + 2, level + 1, {points.begin() + left + 1, points.end()});
  }
  /// Returns the ancestor of a node at a depth, or the node itself if it is not deeper.
  static std::uint32_t ancestor(std::uint32_t node, std::uint32_t depth) {
    std::vector<std::uint32_t> path{node};
    while (path.back() > 0) path.push_back((path.back() - 1) / 2);
    std::reverse(path.begin(), path.end());
    return path[std::min<std::size_t>(depth, path.size() - 1)];
  }

  std::uint32_t n = 0, dim = 0;
  std::vector<double> coordinates;  // [dim][n]
  std::vector<std::uint32_t> node_of_point;
};

/// Returns the places of all points before or after a step of Wald's builder, by sorting tags and coordinates. depth:
/// number of levels whose tags are up to date; sorted_by: the level whose dimension orders points of one tag.
std::vector<std::uint32_t> wald_order(const ReferenceTree& tree, std::uint32_t depth, std::uint32_t sorted_by) {
  std::vector<std::uint32_t> order(tree.n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) {
    const auto key = [&](std::uint32_t p) {
      return std::tuple(ReferenceTree::ancestor(tree.node_of_point[p], depth),
                        tree.coordinates[std::size_t{sorted_by % tree.dim} * tree.n + p], p);
    };
    return key(a) < key(b);
  });
  return order;
}

/// Returns the answer to a question about Wald's round-robin builder from the points alone, or "" if it is not one that
/// this reference knows.
std::string wald_answer(const Trace& trace, const GeneratedQuestion& generated) {
  const Step& step = trace.steps[generated.answered_at];
  const auto level = static_cast<std::uint32_t>(std::max(0, step.level));
  if (step.level < 0) return "";
  const ReferenceTree tree(trace);
  const std::string& text = generated.question.text;
  const std::vector<std::uint32_t> sorted = wald_order(tree, level, level);
  const bool sorts = step.name == "sort";
  const auto tag = [&](std::uint32_t position) {
    return ReferenceTree::ancestor(tree.node_of_point[sorted[position]], sorts ? level : level + 1);
  };
  if (const auto found = match(text, "row tags then hold at position (\\d+)\\?"))
    return std::to_string(tag(id((*found)[0])));
  if (const auto found = match(text, "pivot of node (\\d+) then\\?")) {
    const std::uint32_t node = id((*found)[0]);
    std::uint32_t begin = 0;
    while (ReferenceTree::ancestor(tree.node_of_point[sorted[begin]], level) != node) ++begin;
    return std::to_string(begin + tree.size_of(2 * std::uint64_t{node} + 1));
  }
  if (const auto found = match(text, "segment of which node does position (\\d+) lie"))
    return std::to_string(ReferenceTree::ancestor(tree.node_of_point[sorted[id((*found)[0])]], level));
  if (const auto found = match(text, "Row index holds point p(\\d+) .*does row index hold it then"))
    return std::to_string(std::find(sorted.begin(), sorted.end(), id((*found)[0])) - sorted.begin());
  return "";
}

/// Returns the count of a block's elements with a digit from the keys, as Wehr and Radkowski define it.
std::string wehr_count(const std::shared_ptr<const Trace>& trace, const GeneratedQuestion& generated) {
  const Step& step = trace->steps[generated.answered_at];
  const auto pass = match(path_text(step), "level (\\d+) / .*pass (\\d+) / histogram");
  const auto cell = match(generated.question.text, "What does (\\S+) then count for (.*)\\?");
  if (!pass || !cell) return "";
  const auto block = match((*cell)[1], "block (\\d+)"), digit = match((*cell)[1], "digit (\\d+)"),
             chunk = match((*cell)[1], "chunk (\\d+)"), relative = match((*cell)[1], "chunk_rel (\\d+)");
  REQUIRE((block && digit && (chunk || relative)));
  const std::uint32_t base = id(trace->header.parameters.at("base")), tpb = id(trace->header.parameters.at("tpb"));
  Cursor cursor(trace);
  cursor.seek(generated.answered_at);
  const RowReader keys(cursor, "p_" + std::to_string(id((*pass)[0]) % trace->header.dim)), chunks(cursor, "chunk");
  const auto settled = [&](std::uint64_t position) {
    for (const Highlight& highlight : step.highlights)
      for (const IndexRange& range : highlight.ranges)
        if (highlight.role == Role::settled && range.begin <= position && position < range.end) return true;
    return false;
  };
  std::vector<std::uint64_t> in_block;
  for (std::uint64_t i = 0; i < keys.size(); ++i)
    if (i / tpb == id((*block)[0]) && !settled(i)) in_block.push_back(i);
  REQUIRE_FALSE(in_block.empty());
  // The block counts chunks from the one of its first position, even if that is settled.
  const std::uint64_t first_chunk = chunks.id(std::uint64_t{id((*block)[0])} * tpb);
  std::uint64_t count = 0;
  for (const std::uint64_t i : in_block) {
    std::uint64_t value = static_cast<std::uint64_t>(keys.number(i));
    for (std::uint32_t p = 0; p < id((*pass)[1]); ++p) value /= base;
    const bool same_chunk = chunk ? chunks.id(i) == id((*chunk)[0]) : chunks.id(i) - first_chunk == id((*relative)[0]);
    count += value % base == id((*digit)[0]) && same_chunk;
  }
  return std::to_string(count);
}

bool is_plain_wald(const Trace& trace) {
  return trace.header.algorithm == "wald" && trace.header.search.empty() &&
         trace.header.parameters.at("split") == "round-robin";
}

/// Draws questions of one kind from random runs until there are enough, and checks each. Returns how many were also
/// answered from the points alone.
int check_kind(QuestionKind kind, const std::function<std::shared_ptr<const Trace>(std::uint64_t)>& run) {
  int cases = 0, referenced = 0;
  std::set<std::string> texts;
  for (std::uint64_t seed = 1; cases < cases_per_kind; ++seed) {
    REQUIRE(seed < 5'000);
    const auto trace = run(seed);
    for (std::uint32_t step = 0; step < trace->steps.size() && cases < cases_per_kind; ++step)
      for (const GeneratedQuestion& generated : generated_questions(trace, step, seed)) {
        if (generated.kind != kind) continue;
        ++cases;
        const Question& question = generated.question;
        texts.insert(question.text + question.answer);
        INFO(trace->header.algorithm << " on " << trace->header.data_set << ", step " << step << ": " << question.text);
        REQUIRE(question.expects);
        const std::string expected = expected_text(*question.expects);
        REQUIRE_FALSE(expected.empty());
        REQUIRE(generated.step == step);
        REQUIRE(generated.answered_at > step);
        REQUIRE(answer_from_tables(trace, generated) == expected);
        // The answer as the student types it is right, and its text is there.
        const auto typed = read_answer(*question.expects, expected);
        REQUIRE(typed);
        REQUIRE(is_right(*question.expects, *typed));
        REQUIRE_FALSE(question.answer.empty());
        REQUIRE_FALSE(question.hint.empty());
        const std::string reference = is_plain_wald(*trace)               ? wald_answer(*trace, generated)
                                      : trace->header.algorithm == "wehr" ? wehr_count(trace, generated)
                                                                          : "";
        if (reference.empty()) continue;
        ++referenced;
        REQUIRE(reference == expected);
      }
  }
  // They are different questions.
  CHECK(texts.size() > 100);
  return referenced;
}

std::shared_ptr<const Trace> any_run(std::uint64_t seed) {
  const auto& all = algorithms();
  return test::small_run(all[seed % all.size()], seed);
}

}  // namespace

TEST_CASE("a thousand questions for the next tag hold in the trace") {
  CHECK(check_kind(QuestionKind::next_tag, any_run) > 20);
}

TEST_CASE("a thousand questions for pivots hold in the trace") { CHECK(check_kind(QuestionKind::pivot, any_run) > 20); }

TEST_CASE("a thousand questions for segments hold in the trace") {
  CHECK(check_kind(QuestionKind::segment, any_run) > 20);
}

TEST_CASE("a thousand questions for cells of histograms hold in the trace and for the keys") {
  const auto counting = [](std::uint64_t seed) {
    return test::small_run(*find_algorithm(seed % 4 == 0 ? "brown" : "wehr"), seed);
  };
  CHECK(check_kind(QuestionKind::count, counting) > 500);
}

TEST_CASE("a thousand questions for destinations hold in the trace") {
  CHECK(check_kind(QuestionKind::destination, any_run) > 20);
}

TEST_CASE("a thousand questions for the next node of a search hold in the trace") {
  const auto search = [](std::uint64_t seed) {
    const char* builders[] = {"wald", "hu", "wehr", "brown", "zhou-vvh"};
    const char* builder = builders[seed % std::size(builders)];
    const std::uint64_t x = mix64(seed) % 100, y = mix64(seed + 9) % 100;
    return test::record_run(builder, "uniform:n=20,dim=2,type=int,range=100,seed=" + std::to_string(seed),
                            test::small_parameters(builder, seed),
                            {{"query", std::to_string(x) + "," + std::to_string(y)}});
  };
  check_kind(QuestionKind::next_node, search);
}

TEST_CASE("the same seed gives the same questions, another seed others") {
  const auto trace = test::record_run("wald", "uniform:n=30,dim=2,seed=7");
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto first = generated_questions(trace, 3, seed), again = generated_questions(trace, 3, seed);
    REQUIRE(first.size() == again.size());
    REQUIRE_FALSE(first.empty());
    for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i].question.text == again[i].question.text);
    texts.insert(first.front().question.text);
  }
  CHECK(texts.size() > 5);
}

TEST_CASE("a known question of the ten points") {
  const auto trace = test::record_run("wald", "wald-10");
  const auto pivot = next_question(trace, 0, QuestionKind::pivot, 1);
  REQUIRE(pivot);
  CHECK(pivot->step == 1);
  CHECK(pivot->question.text == "The next step is \"level 0 / sort\". At which position is the pivot of node 0 then?");
  CHECK(pivot->question.expects->elements == std::vector<std::uint32_t>{6});
  CHECK(pivot->question.answer ==
        "At position 6. The segment has positions 0 to 9; 6 of them lie in front of the pivot and 3 behind it. Sort by "
        "tag, points of one tag by x.");
  // At the step after, the pivot is marked already.
  for (const GeneratedQuestion& question : generated_questions(trace, 2, 1))
    CHECK(question.kind != QuestionKind::pivot);
  const Attempt attempt = attempt_at(*pivot, *trace);
  CHECK(attempt.lesson.empty());
  CHECK(attempt.stop == "build / level 0 / sort (pivot)");
  CHECK(attempt.asked == pivot->question.text + " (wald on wald-10)");
}

TEST_CASE("practice takes the kinds in turn, in the order of the steps") {
  const auto trace = test::record_run("wald", "uniform:n=30,dim=2,seed=7");
  const auto questions = practice_questions(trace, 8, {}, 3);
  REQUIRE(questions.size() == 8);
  std::map<QuestionKind, int> kinds;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    ++kinds[questions[i].kind];
    if (i > 0) CHECK(questions[i - 1].step <= questions[i].step);
  }
  CHECK(kinds.size() == 4);
  for (const auto& [kind, count] : kinds) CHECK(count == 2);
  for (const GeneratedQuestion& question : practice_questions(trace, 5, {QuestionKind::segment}, 3))
    CHECK(question.kind == QuestionKind::segment);
  CHECK(practice_questions(trace, 1000, {QuestionKind::next_node}, 3).empty());
  CHECK(practice_questions(trace, 1000, {}, 3).size() < 100);
}

TEST_CASE("another one like this has fresh points of the same shape") {
  struct Case {
    const char *algorithm, *data;
  };
  for (const Case& c : {Case{"wald", "wald-10"},
                        {"hu", "hu-10"},
                        {"wald", "clustered:n=12,dim=3,clusters=2,seed=4"},
                        {"zhou-sah", "zhou-8"},
                        {"wehr", "sixteen"},
                        {"zhou-sah", "triangles:n=6,seed=1"}}) {
    INFO(c.algorithm << " on " << c.data);
    const Parameters parameters = test::small_parameters(c.algorithm, 1);
    const auto trace = test::record_run(c.algorithm, c.data, parameters);
    const std::string one = fresh_data(*trace, 1), other = fresh_data(*trace, 2);
    CHECK(one != other);
    CHECK(one == fresh_data(*trace, 1));
    const auto fresh = test::record_run(c.algorithm, one, parameters);
    const auto number = [](const Trace& run) {
      const Trace::Array* triangles = run.find(triangles_array);
      return triangles ? contents_at(*triangles, 0).size() : run.header.n;
    };
    CHECK(number(*fresh) == number(*trace));
    if (!trace->find(triangles_array)) {
      CHECK(fresh->header.dim == trace->header.dim);
      CHECK(fresh->header.scalar == trace->header.scalar);
    }
    for (const QuestionKind kind : question_kinds) {
      const auto question = next_question(trace, 0, kind, 5);
      if (!question) continue;
      const auto another = another_like(*question, *trace, fresh, 6);
      INFO(name_of(kind));
      if (!another) continue;
      CHECK(another->kind == kind);
      CHECK(answer_from_tables(fresh, *another) == expected_text(*another->question.expects));
    }
  }
  const auto trace = test::record_run("wald", "wald-10");
  const auto question = next_question(trace, 0, QuestionKind::pivot, 5);
  const auto another = another_like(*question, *trace, test::record_run("wald", fresh_data(*trace, 8)), 6);
  REQUIRE(another);
  CHECK(another->step == question->step);
}

TEST_CASE("a trace without anything to ask gives no questions") {
  auto trace = std::make_shared<Trace>();
  CHECK(generated_questions(trace, 0, 1).empty());
  CHECK(practice_questions(trace, 5, {}, 1).empty());
  const auto run = test::record_run("wald", "uniform:n=1,dim=1");
  CHECK(generated_questions(run, 99, 1).empty());
  for (std::uint32_t step = 0; step < run->steps.size(); ++step) CHECK(generated_questions(run, step, 1).empty());
}
