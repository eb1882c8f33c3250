// The page

const app = document.getElementById("app");
const last = data.steps.length - 1;
const is_stop = (index) => index < 0 || step_at(index).stop !== undefined;

function next_stop(from, by) {
  for (let i = from + by; i >= -1 && i <= last; i += by)
    if (is_stop(i)) return i;
  return from;
}

const place = el("span", {class: "place", "aria-live": "polite"});
const button_for = (words, name, key, act) => el(
    "button",
    {type: "button", "aria-label": name, "aria-keyshortcuts": key, title: `${name} (${key})`, on: {click: act}}, words);
const transport = {
  first: button_for("|\u25c0", "Beginning", "Home", () => show(-1)),
  stop_back: button_for("\u25c0\u25c0", "Previous stop", "PageUp", () => show(next_stop(at, -1))),
  back: button_for("\u25c0", "Step back", "Left", () => show(at - 1)),
  forward: button_for("\u25b6", "Step forward", "Right", () => show(at + 1)),
  stop_forward: button_for("\u25b6\u25b6", "Next stop", "PageDown", () => show(next_stop(at, 1))),
  last: button_for("\u25b6|", "Last step", "End", () => show(last))
};
const words = el("section", {class: "words", "aria-label": "Narration"});
const figures = el("div", {class: "figures"});
const arrays = el("section", {class: "arrays", "aria-label": "Arrays"});
const questions = el("section", {class: "questions", "aria-label": "Questions"});
const stop_list =
    el("select", {"aria-label": "Go to a stop", on: {change: () => show(Number(stop_list.value))}},
       el("option", {value: -1}, "Introduction"));
data.steps.forEach((step, index) => {
  if (step.stop !== undefined) stop_list.append(el("option", {value: index}, `${step.stop + 1}. ${step.heading}`));
});

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
    el("dl", {class: "legend"},
       ...[[
         "colour and shape", "stand for a subtree; a point, its cells in the arrays and its node in the tree share them"
       ],
           ["strong outline", "the pivot of a segment, chosen by this step"],
           ["bold, underlined", "the value differs from the one before this step"],
           ["pale", "settled: in its final place"],
           ["line above a position", "dashed: read, single: written, double: compared by this step"],
           ["p7 and 7", "p7 is a point, numbered as in the input; 7 is a node or a position"],
           [
             "keys",
             "Left and Right: step; PageUp and PageDown: stop; Home and End: beginning and last step; " +
                 "Enter: check an answer"
           ]]
           .flatMap(([term, sentence]) => [el("dt", {}, term), el("dd", {}, sentence)])));

const link_to = (link, text, rel) => (link ? el("a", {href: link.file, rel}, text) : null);
app.append(
    el("header", {}, link_to(data.links.index, "All lessons", "up"),
       link_to(data.links.previous, "\u2190 " + (data.links.previous || {}).title, "prev"),
       link_to(data.links.next, (data.links.next || {}).title + " \u2192", "next"), el("h1", {}, data.title),
       el("span", {class: "muted"}, data.source), stop_list),
    el("main", {}, words, el("div", {class: "state"}, figures, arrays), questions, more),
    el("nav", {class: "transport", "aria-label": "Steps"}, transport.first, transport.stop_back, transport.back, place,
       transport.forward, transport.stop_forward, transport.last));

const when_hidden = (what) => el("p", {class: "covered"}, `${what} is hidden until the question is answered.`);

/// The figures of a step, as they stand while its questions are open or done.
function figures_of(step, hidden) {
  const parts = [];
  if (step.picture !== undefined) {
    const picture = data.pictures[step.picture];
    parts.push(
        el("figure", {class: "picture-figure"}, picture_of(picture, hidden),
           el("figcaption", {},
              (picture.mesh === undefined ? "Points" : "Triangles") +
                  (hidden.parts.has("splits") ? "; the splits are hidden until the question is answered" :
                                                " and splits" + (picture.note ? `. ${picture.note}` : "")))));
  }
  if (step.tree !== undefined) {
    const tree = data.trees[step.tree];
    if (hidden.parts.has("tree"))
      parts.push(el("figure", {class: "tree-figure"}, when_hidden("The tree")));
    else if (tree.count > 0)
      parts.push(
          el("figure", {class: "tree-figure"},
             el("div", {class: "scrolls", tabindex: 0, role: "group", "aria-label": "Tree"}, tree_of(tree, hidden)),
             tree_table(tree), el("figcaption", {}, "Tree so far")));
  }
  return parts;
}

function facts_of(step) {
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

/// The histograms of a step as tables, with a bar for each count.
function counts_of(step, hidden) {
  return (step.counts || []).map((id) => {
    const counts = data.count_arrays[id];
    if (hidden.parts.has("counts")) return when_hidden(counts.label);
    return el("details", {class: "counts", open: true}, el("summary", {}, counts.label),
              counts.layers.map(([first, columns, rows], layer) => el("div", {class: "scrolls", tabindex: 0},
                el("table", {},
                   el("caption", {}, (counts.layer ? `${counts.layer} ${layer}: ` : "") +
                                         `one column per ${counts.column}, one row per ${counts.row}`),
                   el("thead", {}, el("tr", {}, el("th", {scope: "row"}, counts.row),
                      Array.from({length: columns}, (_, i) => el("th", {scope: "col"}, String(first + i))))),
                   el("tbody", {}, rows.map((row, r) => el("tr", {}, el("th", {scope: "row"}, String(r)),
                      Array.from({length: columns}, (_, i) =>
                        el("td", {class: `count share${row[2 * i + 1]}`}, row[2 * i])))))))),
              counts.left_out ? el("p", {class: "muted"}, `${counts.layer}: ${counts.left_out} more left out`) : null);
  });
}

/// The page of another lesson of the course, or its id in a page of its own.
const lesson_link = (id) => data.links.index ? el("a", {href: id.replace(/[^A-Za-z0-9_-]/g, "-") + ".html"}, id) : id;

function title_card() {
  const begin = el("button", {type: "button", class: "main", on: {click: () => show(next_stop(-1, 1))}}, "Begin");
  const facts = [
    data.aim, data.minutes ? plural(data.minutes, "minute", "minutes") : "", plural(data.stops, "stop", "stops"),
    data.left_out || ""
  ].filter((text) => text);
  return [
    el("h2", {}, data.title), el("p", {class: "muted"}, data.source),
    el("ul", {class: "facts"}, facts.map((text) => el("li", {}, text))),
    data.builds_on.length ? el("p", {}, "Builds on: ", data.builds_on.map((id) => [lesson_link(id), " "])) : null,
    el("div", {html: data.introduction}), el("p", {}, begin),
    el("p", {class: "buttons"},
       link_to(data.links.previous, "\u2190 " + (data.links.previous || {}).title, "prev"),
       link_to(data.links.next, (data.links.next || {}).title + " \u2192", "next")),
    el("p", {class: "muted"},
       `${data.algorithm}, ${data.data}. Made by ${
           data.program}; works without a network. Answers stay on this device.`)
  ];
}

function show(index, how = {}) {
  if (Number.isNaN(index)) return;
  at = Math.max(-1, Math.min(last, index));
  answering = null;
  const step = at < 0 ? null : step_at(at), hidden = step ? hidden_at(step) : {parts: new Set(), rows: new Set()};
  const scrolled = new Map([...arrays.querySelectorAll(".scrolls")].map((box, i) => [i, box.scrollLeft]));
  if (!step) {
    words.replaceChildren(...title_card().filter((part) => part));
    figures.replaceChildren();
    arrays.replaceChildren();
    questions.replaceChildren();
    place.textContent = "Introduction";
  } else {
    const stop_words = step.stop !== undefined ? `Stop ${step.stop + 1} of ${data.stops}` : "Between stops";
    place.textContent = `${stop_words}, step ${step.step} of ${data.last_step}`;
    words.replaceChildren(
        el("h2", {}, step.stop !== undefined ? step.heading : step.title),
        el("p", {class: "muted"}, step.stop !== undefined ? step.title : step.path.replaceAll(" / ", " \u203a ")),
        step.narration ? el("div", {html: step.narration}) :
                         el("p", {}, "The next stop of the lesson comes later; this is a step on the way."),
        ...facts_of(step));
    figures.replaceChildren(...figures_of(step, hidden));
    questions.replaceChildren(...(step.questions || []).map((_, i) => question_of(step, i)));
    const tables = step.tables.map((id) => data.tables[id]);
    const chosen =
        Math.max(0, tables.findIndex((table, i) => (open_table ? table.space === open_table : i === step.open)));
    const box = el("div", {class: "scrolls", tabindex: 0, role: "group", "aria-label": "Table"});
    const tabs = tables.length < 2 ? null :
                                     el("div", {class: "tabs", role: "group", "aria-label": "Arrays by"},
                                        tables.map(
                                            (table, i) =>
                                                el("button", {
                                                  type: "button",
                                                  "aria-pressed": String(i === chosen),
                                                  on: {
                                                    click: () => {
                                                      open_table = table.space;
                                                      show(at, {stay: true});
                                                    }
                                                  }
                                                },
                                                   `by ${table.space}`)));
    if (tables.length) {
      const table = tables[chosen];
      box.append(table_of(table, step, hidden));
      box.addEventListener("click", (event) => {
        const picked = picks_of(event.target, table);
        if (picked) pick(picked);
      });
      arrays.replaceChildren(...[tabs, box, ...counts_of(step, hidden)].filter((part) => part));
      if (how.stay) box.scrollLeft = scrolled.get(0) || 0;
    } else {
      arrays.replaceChildren(el("p", {class: "muted"}, "No array is written yet."));
    }
  }
  // A tree that is wider than its place begins at its root.
  for (const box of figures.querySelectorAll(".scrolls")) box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
  transport.first.disabled = transport.back.disabled = transport.stop_back.disabled = at < 0;
  transport.forward.disabled = transport.last.disabled = at === last;
  transport.stop_forward.disabled = next_stop(at, 1) === at;
  stop_list.value = is_stop(at) ? String(at) : "";
  said.textContent = keeps ? "" : "This browser keeps no answers for this page: save them as a file.";
  if (how.focus) {
    const box = questions.querySelector(how.focus),
          next = box && (box.querySelector("input") || box.querySelector("button"));
    if (next) next.focus({preventScroll: false});
  } else if (!how.stay)
    window.scrollTo(0, 0);
  if (!how.silent) try {
      history.replaceState(null, "", at < 0 ? "#" : `#step-${at}`);
    } catch { /* a file may have no history */
    }
}

figures.addEventListener("click", (event) => {
  const node = event.target.closest(".node");
  if (node) pick({nodes: Number(node.dataset.node)});
});

const keys = {
  ArrowLeft: () => show(at - 1),
  ArrowRight: () => show(at + 1),
  PageUp: () => show(next_stop(at, -1)),
  PageDown: () => show(next_stop(at, 1)),
  Home: () => show(-1),
  End: () => show(last)
};
document.addEventListener("keydown", (event) => {
  const writes = event.target.closest && event.target.closest("input[type=text], select, textarea, input[type=radio]");
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
  const scrolls = event.target.closest("canvas, .scrolls, input, select");
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
  if (printed) return;
  printed =
      el("div", {class: "print"}, el("h1", {}, data.title), el("p", {}, data.source),
         data.aim ? el("p", {}, data.aim) : null, el("div", {html: data.introduction}));
  data.steps.forEach((step) => {
    if (step.stop === undefined) return;
    const hidden = with_answers.checked ? {parts: new Set(), rows: new Set()} : hidden_at(step);
    const part =
        el("section", {}, el("h2", {}, `${step.stop + 1}. ${step.heading}`), el("div", {html: step.narration}),
           el("div", {class: "figures"}, figures_of(step, hidden)));
    if (step.tables.length) part.append(table_of(data.tables[step.tables[step.open]], step, hidden));
    step.questions.forEach((question, i) => {
      const attempt = kept.answers[key_of(step, i)];
      part.append(el("div", {class: "whole"},
                     el("h3", {}, step.questions.length > 1 ? `Question ${i + 1}` : "Question"),
                     el("div", {html: question.text}),
                     attempt && attempt.typed ? el("p", {}, `Given: ${attempt.typed} (${attempt.outcome})`) : null,
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

// For tests of the page, which run its own code.
window.kdscope = {
  data,
  show,
  pick,
  read_answer,
  is_right,
  save_answers: (student) => {
    name_box.value = student;
    return save_answers();
  },
  prepare_print,
  at: () => at,
  forget: () => {
    kept = {answers: {}};
  }
};
