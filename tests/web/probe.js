// Runs in a page: walks its steps by keys, answers its questions, and reports what a reader sees as JSON.
(() => {
const page = window.kdscope, steps = page.data.steps;
const report = {errors: [], width: innerWidth, too_wide: [], steps: [], same_backwards: true, questions: []};
window.addEventListener("error", (event) => report.errors.push(event.message));
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
const text_of = (cell) => (cell.firstChild ? cell.firstChild.nodeValue : "");
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

function read_table() {
  const table = document.querySelector(".arrays table");
  return {space: table.dataset.space, caption: table.caption.textContent,
          columns: all("thead th[scope=col]", table).map(text_of),
          rows: all("tbody tr", table).map((row) => ({label: text_of(row.querySelector("th")),
                                                      cells: all("td:not(.gap)", row).map(text_of)}))};
}
function read() {
  const tabs = all(".tabs button").length, tables = [];
  for (let i = 0; i < Math.max(1, tabs); ++i) {
    if (tabs) all(".tabs button")[i].click();
    if (document.querySelector(".arrays table")) tables.push(read_table());  // a step may have none
  }
  if (document.documentElement.scrollWidth > innerWidth) report.too_wide.push(page.at());
  return {step: page.at() < 0 ? -1 : steps[page.at()].step, tables,
          heading: document.querySelector(".words h2").textContent,
          narration: document.querySelector(".words").textContent,
          nodes: all("svg.tree .node").length, points: all("svg.picture .mark").length};
}

try {
  // Answer every question, first wrongly.
  page.forget();
  steps.forEach((step, index) => {
    (step.questions || []).forEach((question, number) => {
      page.show(index);
      const box = () => document.querySelector(`[data-question="${number}"]`);
      const covered = () => all("td.hidden, .covered").length;
      const seen = {step: step.step, covered_before: covered()};
      const expects = question.expects;
      const answer = (text) => {
        const choices = all("input[type=radio]", box());
        if (choices.length) choices[Number(text) - 1].checked = true;
        else box().querySelector("input").value = text;
        box().querySelector("form").requestSubmit();
        return box().querySelector(".verdict").className.includes("right");
      };
      if (expects) {
        const right = {words: expects.texts[0], choice: String(expects.right + 1), number: String(expects.number),
                       split: String(expects.number)}[expects.kind] ?? expects.elements.join(" ");
        const wrong = {words: "no such word", choice: String(expects.right === 0 ? 2 : 1),
                       number: String(expects.number + expects.within + 1),
                       split: String(expects.number + expects.within + 1)}[expects.kind] ?? "4000000000";
        seen.wrong = answer(wrong);
        seen.covered_after_wrong = covered();
        seen.right = answer(right);
      } else {
        all("button", box()).find((button) => button.textContent === "Show the answer").click();
        seen.revealed = box().querySelector(".answer") !== null;
      }
      seen.covered_at_the_end = number + 1 === step.questions.length ? covered() : 0;
      report.questions.push(seen);
    });
  });
  // Walk by keys alone, forwards and back.
  press("Home");
  for (let i = 0; i <= steps.length; ++i) {
    report.steps.push(read());
    press("ArrowRight");
  }
  for (let i = steps.length; i >= 0; --i) {
    if (JSON.stringify(read()) !== JSON.stringify(report.steps[i])) report.same_backwards = false;
    press("ArrowLeft");
  }
  press("Home");
  press("PageDown");
  report.first_stop = steps[page.at()].stop;
  press("End");
  report.end = page.at() === steps.length - 1;
  press("PageUp");
  report.last_stop_before = page.at() < 0 ? -1 : steps[page.at()].stop;
  report.saved = page.save_answers("Änne \"Q\" O'Neil");
} catch (error) {
  report.errors.push(String(error.stack || error));
}
const text = JSON.stringify(report);
if (window.parent !== window) window.parent.postMessage(text, "*");
})();
