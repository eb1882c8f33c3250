#include "visualizer/web/lesson_page.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>

#include "algorithms/text/numbers.hpp"
#include "visualizer/model/lesson_overlay.hpp"
#include "visualizer/model/question_concealment.hpp"
#include "visualizer/model/step_heading.hpp"
#include "visualizer/web/baked_lists.hpp"
#include "visualizer/web/baked_question.hpp"
#include "visualizer/web/baked_steps.hpp"
#include "visualizer/web/html_text.hpp"
#include "visualizer/web/page_files.hpp"
#include "walkthroughs/reader/panes.hpp"

namespace kdscope {
namespace {

/// FNV-1a, enough to name a page's own script in its policy.
std::uint64_t hash_of(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// JSON in a script element: a "<" could end the element.
std::string as_script_data(std::string json) {
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at))
    json.replace(at, 1, "\\u003c");
  return json;
}

/// The element with the engine; empty for a static page.
std::string engine_element(const PageEngine& engine, const std::string& nonce) {
  if (!engine.file.empty())
    return "<script nonce=\"" + nonce + "\" src=\"" + html_escaped(engine.file) + "\"></script>\n";
  return engine.script.empty() ? "" : "<script nonce=\"" + nonce + "\">\n" + engine.script + "</script>\n";
}

/// A whole HTML document. The policy admits only scripts with a number that follows from the document's contents, which
/// no foreign text in it can know.
std::string document(const std::string& title, const std::string& css, const std::string& body, const std::string& data,
                     const std::string& script, const PageEngine& engine = {}) {
  const std::string nonce = hash_text(hash_of(data, hash_of(body, hash_of(script)))).substr(2);
  const std::string before = engine_element(engine, nonce);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-" +
         nonce + "'" + (before.empty() ? "" : " 'wasm-unsafe-eval'; worker-src blob:") +
         "; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
         "<title>" +
         html_escaped(title) + "</title>\n<style>\n" + css + "</style>\n</head>\n<body>\n" + body +
         "<script type=\"application/json\" id=\"data\">" + as_script_data(data) + "</script>\n" + before +
         "<script nonce=\"" + nonce + "\">\n" + script + "</script>\n</body>\n</html>\n";
}

std::string json_link(const PageLink& link) {
  return JsonObject().add("file", json_text(link.file)).add("title", json_text(link.title)).text();
}

/// What the questions of a stop hide while some of them are open: one concealment for each number of a state, whose
/// bits are the open questions. Of many hiding questions, the last ones share a bit.
struct Hiding {
  static constexpr int most_bits = 5;
  std::vector<int> bits;  // per question
  std::vector<Concealment> concealed{{}};
};
Hiding hiding_of(const Stop* stop) {
  Hiding hiding;
  int used = 0;
  std::vector<Concealment> of_bit;
  for (const Question& question : stop ? stop->questions : std::vector<Question>()) {
    const Concealment own = concealment_of(question);
    if (own && used < Hiding::most_bits) {
      ++used;
      of_bit.emplace_back();
    }
    hiding.bits.push_back(own ? used - 1 : -1);
    if (own) of_bit.back().add(own);
  }
  hiding.concealed.resize(std::size_t(1) << used);
  for (std::size_t open = 0; open < hiding.concealed.size(); ++open)
    for (int bit = 0; bit < used; ++bit)
      if (open >> bit & 1) hiding.concealed[open].add(of_bit[static_cast<std::size_t>(bit)]);
  return hiding;
}

/// Whether states need parallel coordinates: a stop names them, or a picture leaves out dimensions.
bool wants_coordinates(const Lesson& lesson, const Trace& trace) {
  return trace.header.dim > 3 || std::any_of(lesson.stops.begin(), lesson.stops.end(), [](const Stop& stop) {
           return std::any_of(stop.panes.begin(), stop.panes.end(),
                              [](const std::string& id) { return pane_named(id).figure == PaneFigure::coordinates; });
         });
}

/// The sheets of a stop; each interval stands in the pool.
std::string json_sheets(const PageSheets& sheets, Pool& pool) {
  JsonList intervals;
  for (const PageSheet& sheet : sheets.intervals) {
    JsonList columns, rows;
    for (const PageSheet::Column& column : sheet.columns) columns.add(json_texts({column.line, column.array}));
    for (std::size_t row = 0; row < sheet.cells.size(); ++row)
      rows.add(JsonList().add(json_text(sheet.lanes[row])).add(json_texts(sheet.cells[row])).text());
    intervals.add(pool.put(JsonObject()
                               .add("place", json_text(sheet.place))
                               .add("columns", columns.text())
                               .add("rows", rows.text())
                               .add("lanes_left_out", sheet.lanes_left_out)
                               .add("columns_left_out", sheet.columns_left_out)
                               .text()));
  }
  return JsonObject()
      .add("launch", json_text(sheets.launch))
      .add("intervals", intervals.text())
      .add("open", sheets.open)
      .add("missing", json_text(sheets.missing))
      .text();
}

/// What a reader without JavaScript sees, and the element that the script fills.
constexpr const char* lesson_body =
    "<div id=\"app\"></div>\n"
    "<noscript><p>This page needs JavaScript. It runs on your device alone and connects to nothing.</p></noscript>\n";

}  // namespace

std::string page_file_name(const std::string& lesson_id) {
  std::string name = lesson_id;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '-';
  return name + ".html";
}

Lesson run_as_lesson(const Trace& trace) {
  Lesson lesson;
  lesson.id = trace.header.algorithm;
  lesson.title = trace.header.title;
  lesson.source = trace.header.citation;
  lesson.data = trace.header.data_set;
  lesson.algorithm = trace.header.algorithm;
  lesson.parameters = trace.header.parameters;
  lesson.search = trace.header.search;
  const std::size_t steps = trace.steps.size();
  if (steps <= most_page_steps) return lesson;
  lesson.introduction =
      "The run has " + grouped(steps) + " steps. This page shows " + grouped(most_page_steps) + " of them.";
  for (std::size_t i = 0; i < most_page_steps; ++i) {
    const Step& step = trace.steps[i * (steps - 1) / (most_page_steps - 1)];
    Stop stop;
    stop.title = step_heading(step);
    stop.select = path_text(step);
    for (const std::uint32_t same : steps_matching(trace, stop.select))
      if (same <= step.ordinal) ++stop.occurrence;
    lesson.stops.push_back(std::move(stop));
  }
  return lesson;
}

Result<void> check_pages_available() {
  if (markdown_available()) return {};
  return Error{ErrorKind::bad_usage, "web pages are off, because this build has no md4c", "",
               "install libmd4c-dev and configure again"};
}

Result<BakedLesson> BakedLesson::bake(const Lesson& lesson, std::shared_ptr<const Trace> trace, const PageCode& code,
                                      const PageSheetsByStop& sheets, std::stop_token stop) {
  if (const auto available = check_pages_available(); !available) return available.error();
  const auto stops = resolve_stops(lesson, *trace);
  if (!stops) return stops.error();
  std::optional<Axes> axes;
  if (!lesson.axes.empty()) {
    axes.emplace(Axes{-1, -1, -1});
    std::copy(lesson.axes.begin(), lesson.axes.end(), axes->begin());
  }
  BakedSteps baked_steps(trace, axes, wants_coordinates(lesson, *trace), code);
  const bool stops_only = trace->steps.size() > most_page_steps;
  Pool lanes;
  const Stop* passed = nullptr;  // the last stop, whose panes stay until the next one
  JsonList steps;
  for (std::uint32_t step = 0; step < trace->steps.size(); ++step) {
    // Several stops may be at one step; a step without a stop has one state of its own.
    std::vector<std::size_t> here;
    for (std::size_t i = 0; i < stops->size(); ++i)
      if ((*stops)[i] == step) here.push_back(i);
    if (here.empty() && stops_only) continue;
    for (std::size_t k = 0; k < std::max<std::size_t>(1, here.size()); ++k) {
      if (stop.stop_requested()) return Error{ErrorKind::cancelled, "the export was cancelled", "", ""};
      const Stop* at = here.empty() ? nullptr : &lesson.stops[here[k]];
      if (at) passed = at;
      BakedStates::Focus focus;
      focus.marks = overlay_of(lesson, at);
      if (at) {
        focus.highlights = at->highlights;
        for (const ClaimedRow& row : at->shows)
          focus.columns = std::max<std::uint64_t>(focus.columns, row.values.size());
        if (!at->shows.empty()) focus.row = at->shows.front().row;
      }
      const Hiding hiding = hiding_of(at);
      JsonList by_open;
      for (const Concealment& concealed : hiding.concealed) {
        focus.concealed = concealed;
        if (concealed) focus.concealed.before = stop_before(*stops, step);
        by_open.add(baked_steps.bake(step, focus));
      }
      JsonObject baked = baked_steps.describe(step, passed);
      baked.add("states", by_open.text());
      if (at) {
        JsonList questions;
        for (std::size_t i = 0; i < at->questions.size(); ++i)
          questions.add(json_question(at->questions[i], hiding.bits[i], at->questions[i].text));
        if (!at->inside.empty()) baked.add("inside", json_text(at->inside));
        if (const auto look = sheets.find(here[k]); look != sheets.end())
          baked.add("lanes", json_sheets(look->second, lanes));
        baked.add("stop", here[k])
            .add("heading", json_text(at->title))
            .add("narration", json_html(at->narration))
            .add("questions", questions.text());
      }
      steps.add(baked.text());
    }
  }
  JsonObject page;
  page.add("format", 2)
      .add("id", json_text(lesson.id))
      .add("title", json_text(lesson.title))
      .add("source", json_text(lesson.source))
      .add("aim", json_text(lesson.aim))
      .add("minutes", lesson.minutes)
      .add("builds_on", json_texts(lesson.builds_on))
      .add("introduction", json_html(lesson.introduction))
      .add("stops", stops->size());
  std::vector<Highlight> added;
  for (const Stop& each : lesson.stops) added.insert(added.end(), each.highlights.begin(), each.highlights.end());
  add_run(page, *trace, added, std::ranges::any_of(lesson.stops, [](const Stop& each) { return !each.marks.empty(); }));
  if (stops_only)
    page.add("left_out", json_text("The run has " + grouped(trace->steps.size()) +
                                   " steps; this page shows the stops of the lesson."));
  page.add("steps", steps.text());
  baked_steps.add_texts(page);
  baked_steps.add_states(page);
  page.add("lanes", lanes.text());
  BakedLesson baked;
  baked.title_ = lesson.title;
  baked.css_ = baked_steps.css() + page_css;
  baked.data_ = page.text();
  return baked;
}

std::string BakedLesson::page(const PageLinks& links, const PageEngine& engine) const {
  JsonObject neighbours;
  if (!links.index.file.empty()) neighbours.add("index", json_link(links.index));
  if (!links.previous.file.empty()) neighbours.add("previous", json_link(links.previous));
  if (!links.next.file.empty()) neighbours.add("next", json_link(links.next));
  JsonList before;
  for (const auto& [id, link] : links.builds_on) before.add(JsonList().add(json_text(id)).add(json_link(link)).text());
  neighbours.add("builds_on", before.text());
  const std::string data = "{\"links\":" + neighbours.text() + "," + data_.substr(1);
  return document(title_ + " - kdscope", css_, lesson_body, data, lesson_script, engine);
}

namespace {

/// One lesson of the index, with the lessons that it builds on.
std::string course_item(const Lesson& lesson, const std::map<std::string, std::string>& titles) {
  std::string item = "<li data-lesson=\"" + html_escaped(lesson.id) + "\"><a href=\"" + page_file_name(lesson.id) +
                     "\">" + html_escaped(lesson.title) + "</a> <span class=\"muted\">" + html_escaped(lesson.source) +
                     (lesson.minutes > 0 ? ", " + std::to_string(lesson.minutes) + " minutes" : "") + "</span>";
  if (!lesson.aim.empty()) item += "<br>" + html_escaped(lesson.aim);
  std::string before;
  for (const std::string& id : lesson.builds_on)
    if (const auto known = titles.find(id); known != titles.end())
      before += (before.empty() ? "" : ", ") +
                ("<a href=\"" + page_file_name(id) + "\">" + html_escaped(known->second) + "</a>");
  if (!before.empty()) item += "<br><span class=\"muted\">after " + before + "</span>";
  return item + " <span class=\"done\"></span></li>\n";
}

}  // namespace

std::string course_page(const Course& course, std::span<const Lesson> lessons, std::span<const MissingPage> missing) {
  LessonCatalogue catalogue;
  catalogue.lessons.assign(lessons.begin(), lessons.end());
  const Course whole = with_all_lessons(course, catalogue);
  const std::string title = whole.title.empty() ? "kd-trees, built in parallel" : whole.title;
  std::string body = "<main class=\"course\">\n<h1>" + html_escaped(title) +
                     "</h1>\n<p>Lessons of kdscope. Each is one page that works offline; answers stay on your "
                     "device.</p>\n";
  std::map<std::string, std::string> titles;
  for (const Lesson& lesson : lessons) titles[lesson.id] = lesson.title;
  for (const CoursePart& part : whole.parts) {
    if (!part.title.empty() || whole.parts.size() > 1)
      body += "<h2>" + (part.title.empty() ? std::string("More lessons") : html_escaped(part.title)) + "</h2>\n";
    body += "<ol>\n";
    for (const std::string& id : part.lessons)
      for (const Lesson& lesson : lessons)
        if (lesson.id == id) body += course_item(lesson, titles);
    body += "</ol>\n";
  }
  if (lessons.empty()) body += "<p>There are no lessons.</p>\n";
  if (!missing.empty()) {
    body += "<h2>Without a page</h2>\n<ul class=\"missing\">\n";
    for (const MissingPage& lesson : missing)
      body += "<li>" + html_escaped(lesson.lesson) +
              " <span class=\"muted\">could not be exported: " + html_escaped(lesson.reason) + "</span></li>\n";
    body += "</ul>\n";
  }
  body += "</main>\n";
  JsonList questions;
  for (const Lesson& lesson : lessons) {
    std::size_t count = 0;
    for (const Stop& stop : lesson.stops) count += stop.questions.size();
    questions.add(JsonList().add(json_text(lesson.id)).add(count).text());
  }
  return document("kdscope: " + title, PageColours().css() + page_css, body,
                  JsonObject().add("course", questions.text()).text(), course_script);
}

std::string chart_page(const ChartPage& shown) {
  const auto cells = [](const std::vector<std::string>& texts, const std::string& tag) {
    std::string row = "<tr>";
    for (const std::string& text : texts) row += "<" + tag + ">" + html_escaped(text) + "</" + tag.substr(0, 2) + ">";
    return row + "</tr>\n";
  };
  std::string body = "<main class=\"course\">\n<h1>" + html_escaped(shown.title) + "</h1>\n";
  if (!shown.notes.empty()) body += "<p>" + html_escaped(shown.notes) + "</p>\n";
  body +=
      "<div id=\"charts\" class=\"scrolls\" tabindex=\"0\" role=\"group\" aria-label=\"Charts\"></div>\n"
      "<div class=\"as-table scrolls\" tabindex=\"0\" role=\"group\" aria-label=\"Values\">"
      "<table>\n<caption>Values</caption>\n<thead>" +
      cells(shown.heads, "th scope=\"col\"") + "</thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : shown.rows) body += cells(row, "td");
  body += "</tbody></table></div>\n</main>\n";
  BakedLists baked;
  JsonList charts;
  for (const DisplayList& chart : shown.charts) charts.add(baked.bake_list(chart));
  JsonObject data;
  data.add("charts", charts.text());
  baked.add_parts(data);
  return document(shown.title + " - kdscope", baked.colours().css() + page_css, body, data.text(), chart_script);
}

}  // namespace kdscope
