#include "visualizer/web/baked_steps.hpp"

#include <algorithm>

#include "visualizer/figure/legend.hpp"
#include "visualizer/model/step_heading.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "walkthroughs/reader/panes.hpp"

namespace kdscope {

std::string json_texts(const std::vector<std::string>& texts) {
  JsonList list;
  for (const std::string& text : texts) list.add(json_text(text));
  return list.text();
}

namespace {

std::string json_checks(const Step& step) {
  JsonList checks;
  for (const CheckResult& check : step.checks)
    checks.add(
        JsonList().add(json_text(check.statement)).add(check.passed ? 1 : 0).add(json_text(check.detail)).text());
  return checks.text();
}

std::string json_code_lines(const PageCode& code) {
  JsonList lines;
  for (const PageCode::Line& line : code.lines)
    lines.add(JsonList().add(line.number).add(line.indent).add(json_texts(line.pieces)).text());
  return lines.text();
}

std::string json_run(const PageCode::Run& run) {
  JsonList values;
  for (const PageCode::Value& value : run.values)
    values.add(JsonList().add(value.line).add(value.piece).add(json_text(value.text)).text());
  return JsonObject()
      .add("lines", json_numbers(run.lines))
      .add("values", values.text())
      .add("facts", json_text(run.facts))
      .text();
}

/// The region of the source that a step runs, without the indentation that its lines share.
std::string json_source(const RecordedSource& region) {
  std::vector<std::string> lines(1);
  for (const char c : region.text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  std::size_t shared = std::string::npos;
  for (const std::string& line : lines) shared = std::min(shared, line.find_first_not_of(' '));
  JsonList texts;
  while (!lines.empty() && lines.back().find_first_not_of(' ') == std::string::npos) lines.pop_back();
  for (const std::string& line : lines) texts.add(json_text(line.substr(std::min(shared, line.size()))));
  return JsonObject()
      .add("file", json_text(region.file.substr(region.file.rfind('/') + 1)))
      .add("first", region.first_line)
      .add("lines", texts.text())
      .text();
}

/// The panes that a page can show: id, title and key.
std::string json_titles() {
  JsonList titles;
  const std::vector<std::string>& keys = lesson_panes();
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (const Pane& pane = pane_named(keys[i]); pane.figure != PaneFigure::none)
      titles.add(JsonList()
                     .add(json_text(pane.id))
                     .add(json_text(pane.title))
                     .add(json_text(i < 9 ? std::to_string(i + 1) : "i"))
                     .text());
  return titles.text();
}

std::string json_parameters(const std::map<std::string, std::string>& texts) {
  JsonObject members;
  for (const auto& [name, text] : texts) members.add(name, json_text(text));
  return members.text();
}

}  // namespace

BakedSteps::BakedSteps(std::shared_ptr<const Trace> trace, const std::optional<Axes>& axes, bool coordinates,
                       const PageCode& code)
    : trace_(std::move(trace)), code_(code), states_(trace_, axes, coordinates) {}

JsonObject BakedSteps::describe(std::uint32_t step, const Stop* passed) {
  const Step& recorded = trace_->steps[step];
  JsonObject baked;
  baked.add("step", step)
      .add("title", json_text(step_heading(recorded)))
      .add("path", json_text(path_text(recorded)))
      .add("sentence", json_text(sentence_of(*trace_, recorded)))
      .add("checks", json_checks(recorded))
      .add("panes", json_texts(panes_of(passed)));
  const auto& regions = trace_->header.sources;
  const auto region = std::find_if(regions.begin(), regions.end(), [&](const RecordedSource& candidate) {
    return candidate.region == recorded.code_anchor;
  });
  if (region != regions.end()) {
    const auto [number, is_new] = source_of_region_.try_emplace(recorded.code_anchor);
    if (is_new) number->second = sources_.put(json_source(*region));
    baked.add("source", number->second);
  }
  return baked;
}

std::size_t BakedSteps::bake(std::uint32_t step, const BakedStates::Focus& focus) {
  JsonObject state = states_.bake(step, focus);
  if (!code_.lines.empty() && !focus.concealed.code)
    state.add("run",
              runs_.put(json_run(code_.run_at(states_.now(), states_.baseline(), !focus.concealed.hides_values()))));
  return baked_states_.put(state.text());
}

void BakedSteps::add_states(JsonObject& page) const {
  page.add("states", baked_states_.text()).add("runs", runs_.text());
  states_.add_parts(page);
}

void BakedSteps::add_texts(JsonObject& page) const {
  page.add("code", json_code_lines(code_)).add("sources", sources_.text());
}

void add_run(JsonObject& page, const Trace& trace, std::span<const Highlight> added, bool is_drawn_on) {
  JsonList legend;
  for (const LegendText& text : legend_texts())
    if (text.on_pages ? !text.shown || text.shown(trace, added)
                      : is_drawn_on && text.word == std::string(drawn_by_lesson))
      legend.add(json_texts({text.word, text.sentence}));
  page.add("data", json_text(trace.header.data_set))
      .add("algorithm", json_text(trace.header.title))
      .add("program", json_text("kdscope " + trace.header.version))
      .add("last_step", trace.steps.size() - 1)
      .add("panes", json_titles())
      .add("legend", legend.text())
      .add("request", JsonObject()
                          .add("data", json_text(trace.header.data_set))
                          .add("algorithm", json_text(trace.header.algorithm))
                          .add("parameters", json_parameters(trace.header.parameters))
                          .add("search", json_parameters(trace.header.search))
                          .text());
}

}  // namespace kdscope
