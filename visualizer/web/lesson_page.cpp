#include "visualizer/web/lesson_page.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>

#include "algorithms/text/numbers.hpp"
#include "visualizer/web/baked_states.hpp"
#include "visualizer/web/html_text.hpp"
#include "visualizer/web/page_files.hpp"

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

/// A whole HTML document. The policy admits only scripts with a number that follows from the document's contents, which
/// no foreign text in it can know.
std::string document(const std::string& title, const std::string& css, const std::string& body, const std::string& data,
                     const std::string& script) {
  const std::string nonce = hash_text(hash_of(data, hash_of(body, hash_of(script)))).substr(2);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-" +
         nonce +
         "'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
         "<title>" +
         html_escaped(title) + "</title>\n<style>\n" + css + "</style>\n</head>\n<body>\n" + body +
         "<script type=\"application/json\" id=\"data\">" + as_script_data(data) + "</script>\n<script nonce=\"" +
         nonce + "\">\n" + script + "</script>\n</body>\n</html>\n";
}

std::string json_html(const std::string& markdown) { return json_text(html_of_markdown(markdown)); }

template <class Values>
std::string json_numbers(const Values& values) {
  JsonList list;
  for (const auto value : values) list.add(value);
  return list.text();
}

std::string json_texts(const std::vector<std::string>& texts) {
  JsonList list;
  for (const std::string& text : texts) list.add(json_text(text));
  return list.text();
}

std::string json_question(const Question& question) {
  JsonObject baked;
  baked.add("asked", json_text(question.text))
      .add("text", json_html(question.text))
      .add("answer", json_html(question.answer));
  if (!question.hint.empty()) baked.add("hint", json_html(question.hint));
  if (const auto& expected = question.expects) {
    JsonObject answer;
    answer.add("kind", json_text(name_of(expected->kind)))
        .add("elements", json_numbers(expected->elements))
        .add("row", json_text(expected->row))
        .add("number", shortest(expected->number))
        .add("within", shortest(expected->within))
        .add("dimension", expected->dimension)
        .add("texts", json_texts(expected->texts))
        .add("right", expected->right);
    baked.add("expects", answer.text());
  }
  JsonList hides;
  for (const HiddenPart part : question.hides) hides.add(json_text(name_of(part)));
  baked.add("hides", hides.text()).add("hidden_rows", json_texts(question.hidden_rows));
  return baked.text();
}

std::string json_checks(const Step& step) {
  JsonList checks;
  for (const CheckResult& check : step.checks)
    checks.add(
        JsonList().add(json_text(check.statement)).add(check.passed ? 1 : 0).add(json_text(check.detail)).text());
  return checks.text();
}

std::string json_link(const PageLink& link) {
  return JsonObject().add("file", json_text(link.file)).add("title", json_text(link.title)).text();
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

Result<std::string> lesson_page(const Lesson& lesson, std::shared_ptr<const Trace> trace, const PageLinks& links,
                                std::stop_token stop) {
  const auto stops = resolve_stops(lesson, *trace);
  if (!stops) return stops.error();
  const TraceHeader& header = trace->header;
  std::optional<Axes> axes;
  if (!lesson.axes.empty()) {
    axes.emplace(Axes{-1, -1, -1});
    std::copy(lesson.axes.begin(), lesson.axes.end(), axes->begin());
  }
  BakedStates states(trace, axes);
  const bool stops_only = trace->steps.size() > most_page_steps;
  JsonList steps;
  for (std::uint32_t step = 0; step < trace->steps.size(); ++step) {
    if (stop.stop_requested()) return Error{ErrorKind::cancelled, "the export was cancelled", "", ""};
    // Several stops may be at one step; a step without a stop has one state of its own.
    std::vector<std::size_t> here;
    for (std::size_t i = 0; i < stops->size(); ++i)
      if ((*stops)[i] == step) here.push_back(i);
    if (here.empty() && stops_only) continue;
    for (std::size_t k = 0; k < std::max<std::size_t>(1, here.size()); ++k) {
      const Stop* at = here.empty() ? nullptr : &lesson.stops[here[k]];
      BakedStates::Focus focus;
      if (at) {
        focus.highlights = at->highlights;
        for (const ClaimedRow& row : at->shows)
          focus.columns = std::max<std::uint64_t>(focus.columns, row.values.size());
        if (!at->shows.empty()) focus.row = at->shows.front().row;
      }
      JsonObject baked = states.bake(step, focus);
      const Step& recorded = trace->steps[step];
      baked.add("step", step)
          .add("title", json_text(recorded.title.empty() ? recorded.name : recorded.title))
          .add("path", json_text(path_text(recorded)))
          .add("checks", json_checks(recorded));
      if (at) {
        JsonList questions;
        for (const Question& question : at->questions) questions.add(json_question(question));
        baked.add("stop", here[k])
            .add("heading", json_text(at->title))
            .add("narration", json_html(at->narration))
            .add("questions", questions.text());
      }
      steps.add(baked.text());
    }
  }
  JsonObject page;
  page.add("format", 1)
      .add("id", json_text(lesson.id))
      .add("title", json_text(lesson.title))
      .add("source", json_text(lesson.source))
      .add("aim", json_text(lesson.aim))
      .add("minutes", lesson.minutes)
      .add("builds_on", json_texts(lesson.builds_on))
      .add("introduction", json_html(lesson.introduction))
      .add("data", json_text(header.data_set))
      .add("algorithm", json_text(header.title))
      .add("program", json_text("kdscope " + header.version))
      .add("stops", stops->size())
      .add("last_step", trace->steps.size() - 1);
  if (stops_only)
    page.add("left_out", json_text("The run has " + grouped(trace->steps.size()) +
                                   " steps; this page shows the stops of the lesson."));
  JsonObject neighbours;
  if (!links.index.file.empty()) neighbours.add("index", json_link(links.index));
  if (!links.previous.file.empty()) neighbours.add("previous", json_link(links.previous));
  if (!links.next.file.empty()) neighbours.add("next", json_link(links.next));
  page.add("links", neighbours.text()).add("steps", steps.text());
  states.add_parts(page);
  return document(lesson.title + " - kdscope", states.colours().css() + page_css, lesson_body, page.text(),
                  lesson_script);
}

std::string course_page(std::span<const Lesson> lessons) {
  std::string body =
      "<main class=\"course\">\n<h1>kd-trees, built in parallel</h1>\n<p>Lessons of kdscope. Each is one "
      "page that works offline; answers stay on your device.</p>\n";
  std::string folder;
  std::map<std::string, std::string> titles;
  for (const Lesson& lesson : lessons) titles[lesson.id] = lesson.title;
  for (const Lesson& lesson : lessons) {
    const std::string in = lesson.id.substr(0, lesson.id.find('/'));
    if (in != folder) {
      body += (folder.empty() ? "<h2>" : "</ol>\n<h2>") + html_escaped(in) + "</h2>\n<ol>\n";
      folder = in;
    }
    body += "<li data-lesson=\"" + html_escaped(lesson.id) + "\"><a href=\"" + page_file_name(lesson.id) + "\">" +
            html_escaped(lesson.title) + "</a> <span class=\"muted\">" + html_escaped(lesson.source) +
            (lesson.minutes > 0 ? ", " + std::to_string(lesson.minutes) + " minutes" : "") + "</span>";
    if (!lesson.aim.empty()) body += "<br>" + html_escaped(lesson.aim);
    std::string before;
    for (const std::string& id : lesson.builds_on)
      if (const auto known = titles.find(id); known != titles.end())
        before += (before.empty() ? "" : ", ") +
                  ("<a href=\"" + page_file_name(id) + "\">" + html_escaped(known->second) + "</a>");
    if (!before.empty()) body += "<br><span class=\"muted\">after " + before + "</span>";
    body += " <span class=\"done\"></span></li>\n";
  }
  body += folder.empty() ? "<p>There are no lessons.</p>\n</main>\n" : "</ol>\n</main>\n";
  JsonList questions;
  for (const Lesson& lesson : lessons) {
    std::size_t count = 0;
    for (const Stop& stop : lesson.stops) count += stop.questions.size();
    questions.add(JsonList().add(json_text(lesson.id)).add(count).text());
  }
  return document("kdscope: lessons on kd-trees", PageColours().css() + page_css, body,
                  JsonObject().add("course", questions.text()).text(), course_script);
}

}  // namespace kdscope
