// The page

const app = document.getElementById("app");
const first = () => (data.own ? 0 : -1);  // -1: the title card
const last = () => (kernel ? kernel.step : data.steps.length) - 1;  // what a reader writes is not to be seen
const is_run = () => Boolean(data.own || !data.stops);  // and no lesson
const is_stop = (index) =>
    index < 0 || step_at(index).stop !== undefined || (is_run() && (index === 0 || index === last()));

function next_stop(from, by) {
  for (let i = from + by; i >= first() && i <= last(); i += by)
    if (is_stop(i)) return i;
  return from;
}

const place = el("span", {class: "place", "aria-live": "polite"});
const button_for = (words, name, key, act) => el(
    "button", {
      type: "button",
      "aria-label": name,
      "aria-keyshortcuts": key,
      title: `${name} (${key.replace("Arrow", "")})`,
      on: {click: act}
    },
    words);
const transport = {
  first: button_for("|\u25c0", "Beginning", "Home", () => show(first())),
  stop_back: button_for("\u25c0\u25c0", "Previous stop", "PageUp", () => show(next_stop(at, -1))),
  back: button_for("\u25c0", "Step back", "ArrowLeft", () => show(at - 1)),
  forward: button_for("\u25b6", "Step forward", "ArrowRight", () => show(at + 1)),
  stop_forward: button_for("\u25b6\u25b6", "Next stop", "PageDown", () => show(next_stop(at, 1))),
  last: button_for("\u25b6|", "Last step", "End", () => show(last()))
};
const words = el("section", {class: "words", "aria-label": "Narration"});
const panes = el("div", {class: "panes"});
const choice = el("div", {class: "choices"});
const questions = el("section", {class: "questions", "aria-label": "Questions"});
const stop_list = el("select", {"aria-label": "Go to a stop", on: {change: () => show(Number(stop_list.value))}});
const legend = el("dl", {class: "legend"});
/// Fills what depends on the run: the list of its stops, and the legend.
function fill_lists() {
  legend.replaceChildren(
      ...[...data.legend,
          [
            "keys",
            "Left and Right: step; PageUp and PageDown: stop; Home and End: beginning and last step; 1 to 7: show or " +
                "hide a pane; Enter: check an answer; on a picture in three dimensions: arrows turn, + and - zoom"
          ]].flatMap(([word, sentence]) => [el("dt", {}, word), el("dd", {}, sentence)]));
  stop_list.replaceChildren(el("option", {value: "", disabled: true, hidden: true}, "Between stops"));
  if (!data.own) stop_list.prepend(el("option", {value: -1}, "Introduction"));
  data.steps.forEach((step, index) => {
    if (step.stop !== undefined) stop_list.append(el("option", {value: index}, `${step.stop + 1}. ${step.heading}`));
  });
  stop_list.hidden = data.stops === 0;
}
fill_lists();

function save_answers() {
  const student = name_box.value.trim();
  if (student === "") {
    said.textContent = "Type your name first.";
    name_box.focus();
    return "";
  }
  kept.student = student;
  keep();
  const text = results_text(student, kept.attempts || []);
  const link = el("a", {
    download: `${data.id.replaceAll("/", "-")}-${student.replace(/[^\p{L}\p{N}]+/gu, "-")}.kdresults`,
    href: URL.createObjectURL(new Blob([text], {type: "application/json"}))
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  said.textContent = "Saved among your downloads.";
  return text;
}
const name_box = el("input", {type: "text", maxlength: 60, value: kept.student || "", autocomplete: "name"});
const said = el("span", {class: "muted", role: "status"});
const with_answers = el("input", {type: "checkbox"});
const more = el(
    "details", {class: "more"}, el("summary", {}, "Answers, printing, legend"),
    el("div", {class: "buttons"},
       el("label", {}, "Your name ", name_box),
       el("button", {type: "button", on: {click: save_answers}}, "Save my answers as a file"),
       el("button", {
         type: "button",
         on: {
           click: () => {
             if (!confirm("Erase all answers of this lesson on this device?")) return;
             kept = {answers: {}};
             keep();
             show(at);
           }
         }
       },
          "Erase my answers"),
       el("button", {type: "button", on: {click: () => window.print()}}, "Print all stops"),
       el("label", {}, with_answers, " with answers"), said),
    legend);

const link_to = (link, text, rel) => (link ? el("a", {href: link.file, rel}, text) : null);
app.append(
    el("header", {}, link_to(data.links.index, "All lessons", "up"),
       link_to(data.links.previous, "\u2190 " + (data.links.previous || {}).title, "prev"),
       link_to(data.links.next, (data.links.next || {}).title + " \u2192", "next"), el("h1", {}, data.title),
       el("span", {class: "muted"}, data.source), own_button, stop_list),
    el("main", {}, own_panel, words, el("div", {class: "state"}, choice, panes), questions, more),
    el("nav", {class: "transport", "aria-label": "Steps"}, transport.first, transport.stop_back, transport.back, place,
       transport.forward, transport.stop_forward, transport.last));

function facts_of(step, state) {
  if (state.covered.includes("checks") && step.checks.length)
    return [el("p", {class: "muted"}, "Checks: hidden until the question is answered.")];
  const box = [];
  const failed = step.checks.filter(([, passed]) => !passed);
  if (step.checks.length)
    box.push(
        el("details", {class: "checks", open: failed.length > 0},
           el("summary", {},
              failed.length ? `\u2717 ${plural(failed.length, "check does", "checks do")} not hold` :
                              `\u2713 ${plural(step.checks.length, "check holds", "checks hold")}`),
           el("ul", {},
              step.checks.map(
                  ([statement, passed, detail]) =>
                      el("li", {class: passed ? "passed" : "failed"},
                         `${passed ? "\u2713" : "\u2717"} ${statement}${passed || !detail ? "" : ": " + detail}`)))));
  return box;
}

/// Another lesson of the course, or its id where it has no page.
const pages = new Map(data.links.builds_on);
const lesson_link = (id) => (pages.has(id) ? el("a", {href: pages.get(id).file}, pages.get(id).title) : id);

function title_card() {
  const begin = el("button", {type: "button", class: "main", on: {click: () => show(next_stop(-1, 1))}}, "Begin");
  const facts = [
    data.aim, data.minutes ? plural(data.minutes, "minute", "minutes") : "",
    data.stops ? plural(data.stops, "stop", "stops") : plural(data.steps.length, "step", "steps"), data.left_out || ""
  ].filter((text) => text);
  return [
    el("h2", {}, data.title), el("p", {class: "muted"}, data.source),
    el("ul", {class: "facts"}, facts.map((text) => el("li", {}, text))),
    data.builds_on.length ?
        el("p", {}, "Builds on: ", data.builds_on.map((id, i) => [i > 0 ? ", " : "", lesson_link(id)])) :
        null,
    el("div", {html: data.introduction}), el("p", {}, begin),
    el("p", {class: "buttons"},
       link_to(data.links.previous, "\u2190 " + (data.links.previous || {}).title, "prev"),
       link_to(data.links.next, (data.links.next || {}).title + " \u2192", "next")),
    el("p", {class: "muted"},
       `${data.algorithm}, ${data.data}. Made by ${
           data.program}; works without a network. Answers stay on this device.`)
  ];
}

/// How many values a step changed, in words.
function changes_of(state) {
  const count = state.tables.reduce((sum, id) => sum + data.tables[id].changed, 0);
  return count ? `; ${plural(count, "value", "values")} changed` : "";
}

function show(index, how = {}) {
  if (Number.isNaN(index)) return;
  index = Math.max(first(), Math.min(last(), index));
  if (waits_for_state(index, how)) return;
  at = index;
  answering = null;
  const step = at < 0 ? null : step_at(at), state = step ? state_of(step) : null;
  const scrolled = new Map(
      how.stay ? [...panes.querySelectorAll("[data-pane] .scrolls")].map((box, i) => [i, box.scrollLeft]) : []);
  const typed = how.stay ? [...questions.querySelectorAll("input")] : [];
  const focused = typed.indexOf(document.activeElement);
  document.body.classList.toggle("on-title", !step);
  if (!step) {
    words.replaceChildren(...title_card().filter((part) => part));
    choice.replaceChildren();
    panes.replaceChildren();
    questions.replaceChildren();
    place.replaceChildren("Introduction");
  } else {
    const stop_words = step.stop !== undefined ? `Stop ${step.stop + 1} of ${data.stops}, step` :
        data.own                               ? "Own points, step" :
        data.stops                             ? "Between stops, step" :
                                                 "Step";
    const heading = step.stop !== undefined ? step.heading : step.title;
    place.replaceChildren(`${stop_words} ${step.step} of ${data.last_step}`,
                          aside(`: ${heading}${changes_of(state)}`));
    words.replaceChildren(...[
        el("h2", {}, heading),
        state.covered.includes("steps") ?
            null :
            el("p", {class: "muted"}, step.stop !== undefined ? step.title : step.path.replaceAll(" / ", " \u203a ")),
        step.narration ? el("div", {html: step.narration}) :
            step.sentence ? el("p", {}, step.sentence) : null,
        step.narration || is_run() || next_stop(at, 1) === at ?
            null :
            el("p", {class: "muted"}, "The next stop of the lesson comes later."),
        ...facts_of(step, state)].filter((part) => part));
    choice.replaceChildren(...[pane_choice(step, state)].filter((part) => part));
    const two = data.own && beside;
    const parts = panes_in_sight(step, state).flatMap((name) => [
      pane_of(name, step, state), two && (name === "view" || name === "tree") ? beside_pane(name) : null
    ].filter((pane) => pane));
    if (!state.tables.length) parts.push(el("p", {class: "pane muted"}, "No array is written yet."));
    panes.replaceChildren(...parts);
    const pictures = panes.querySelectorAll("[data-pane=view], [data-pane=tree], [data-pane=candidates]").length;
    panes.dataset.pictures = Math.min(two ? 2 : 3, pictures);
    questions.replaceChildren(
        ...(kernel ? [kernel_form()] : (step.questions || []).map((_, i) => question_of(step, i))));
    // What is being typed is no answer yet.
    for (const input of questions.querySelectorAll("input")) {
      const before = typed.findIndex(
          ({name, type, value}) => name === input.name && (type === "text" || value === input.value));
      if (before < 0) continue;
      [input.value, input.checked] = [typed[before].value, typed[before].checked];
      if (before === focused) input.focus({preventScroll: true});
    }
  }
  // A tree that is wider than its place begins at its root.
  for (const box of panes.querySelectorAll("[data-pane=tree] .scrolls"))
    box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
  if (how.stay)
    panes.querySelectorAll("[data-pane] .scrolls").forEach((box, i) => {
      if (scrolled.has(i)) box.scrollLeft = scrolled.get(i);
    });
  transport.first.disabled = transport.back.disabled = transport.stop_back.disabled = at <= first();
  transport.forward.disabled = transport.last.disabled = at === last();
  transport.stop_forward.disabled = next_stop(at, 1) === at;
  stop_list.value = !step || step.stop !== undefined ? String(at) : "";
  said.textContent = keeps ? "" : "This browser keeps no answers for this page: save them as a file.";
  if (how.focus) {
    const found = app.querySelector(how.focus);
    const next = found && (found.matches("button, select") ? found : found.querySelector("input, button"));
    if (next) next.focus({preventScroll: how.stay});
    if (next && next.select) next.select();
  } else if (!how.stay)
    window.scrollTo(0, 0);
  if (!how.silent) try {
      history.replaceState(null, "", data.own ? own_link() : at < 0 ? "#" : `#step-${at}`);
    } catch { /* a file may have no history */
    }
}

panes.addEventListener("click", (event) => {
  const node = event.target.closest("svg.tree [data-id]");
  if (node && !node.closest(".beside")) pick({nodes: Number(node.dataset.id)});
});

const keys = {
  Delete: () => data.own && remove_own_point(),
  ...Object.fromEntries(Object.entries(pane_keys).map(([name, key]) => [key, () => {
    const button = choice.querySelector(`[data-choice=${name}]`);
    if (button) button.click();
  }])),
  ArrowLeft: () => show(at - 1),
  ArrowRight: () => show(at + 1),
  PageUp: () => show(next_stop(at, -1)),
  PageDown: () => show(next_stop(at, 1)),
  Home: () => show(first()),
  End: () => show(last())
};
document.addEventListener("keydown", (event) => {
  const writes = event.target.closest && event.target.closest("input, select, textarea");
  if (event.key === "Escape") {
    selected = {};
    if (at >= 0) show(at, {stay: true});
    return;
  }
  const act = keys[event.key];
  if (!act || event.altKey || event.ctrlKey || event.metaKey || (writes && !event.key.startsWith("Page"))) return;
  event.preventDefault();
  act();
});

// A horizontal swipe steps, except on what scrolls or turns itself.
let touch = null;
document.addEventListener("touchstart", (event) => {
  const scrolls = event.target.closest("canvas, .scrolls, input, select, .own svg.picture");
  touch = event.touches.length === 1 && !scrolls ? [event.touches[0].clientX, event.touches[0].clientY] : null;
}, {passive: true});
document.addEventListener("touchend", (event) => {
  if (!touch) return;
  const dx = event.changedTouches[0].clientX - touch[0], dy = event.changedTouches[0].clientY - touch[1];
  touch = null;
  if (Math.abs(dx) > 60 && Math.abs(dx) > 2 * Math.abs(dy)) show(at + (dx < 0 ? 1 : -1));
}, {passive: true});

// A printed page has every stop.
let printed = null;
function prepare_print() {
  if (printed || data.own) return;
  printed =
      el("div", {class: "print"}, el("h1", {}, data.title), el("p", {}, data.source),
         data.aim ? el("p", {}, data.aim) : null, el("div", {html: data.introduction}));
  data.steps.forEach((step) => {
    if (step.stop === undefined) return;
    const state = state_of(step, with_answers.checked);
    const part =
        el("section", {}, el("h2", {}, `${step.stop + 1}. ${step.heading}`), el("div", {html: step.narration}),
           el("div", {class: "panes"}, panes_in_sight(step, state).map((name) => pane_of(name, step, state, true))));
    step.questions.forEach((question, i) => {
      const attempt = kept.answers[key_of(step, i)];
      part.append(el("div", {class: "whole"},
                     el("h3", {}, step.questions.length > 1 ? `Question ${i + 1}` : "Question"),
                     el("div", {html: question.text}),
                     attempt && attempt.typed ?
                         el("p", {}, `Given: ${given_words(question, attempt)} (${attempt.outcome})`) :
                         null,
                     with_answers.checked ? el("div", {class: "answer", html: question.answer}) :
                                            el("p", {class: "room"})));
    });
    printed.append(part);
  });
  document.body.append(printed);
  for (const canvas of printed.querySelectorAll("canvas")) canvas.redraw();
}
window.addEventListener("beforeprint", prepare_print);
window.addEventListener("afterprint", () => {
  if (printed) printed.remove();
  printed = null;
});
// A change between light and dark needs new pixels on a canvas.
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  if (at >= 0) show(at, {stay: true});
});

const hash = /^#step-(\d+)$/.exec(location.hash);
show(hash ? Number(hash[1]) : -1, {silent: true});
open_own_link();

// For tests of the page, which run its own code.
window.kdscope = {
  get data() {
    return data;
  },
  show,
  pick,
  ask_engine,
  read_answer,
  is_right,
  save_answers: (student) => {
    name_box.value = student;
    return save_answers();
  },
  prepare_print,
  table_picture,
  tables_on_paper,
  groups_of,
  cells_of,
  at: () => at,
  selected: () => selected,
  beside: () => beside,
  state: () => (at < 0 ? null : state_of(step_at(at))),
  forget: () => {
    kept = {answers: {}};
  }
};
