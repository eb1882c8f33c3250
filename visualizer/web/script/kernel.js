// Be the kernel: the reader performs a step of the run, cell by cell; the engine grades what is written

let kernel = null;  // the exercise as the engine answers it, with what was typed and not graded yet

/// Asks for a step or about the exercise, and shows it as it stands then.
function ask_kernel(asks, focus) {
  const answer = ask_engine({ask: "kernel", seconds: Math.floor(Date.now() / 1000), ...asks});
  if (answer.error) {
    own_said.textContent = answer.error;
    return own_said.classList.add("wrong");
  }
  const before = kernel || {typed: {}, wrong: new Set(), writes: [], current: answer.cells[0][0]};
  kernel = {...before, ...answer, writes: asks.writes ? [] : before.writes, hinted: Boolean(answer.hint)};
  answer.verdicts.forEach((verdict, i) => kernel.wrong[verdict === "right" ? "delete" : "add"](asks.writes[i].cell));
  const unread = answer.verdicts.indexOf("unread");
  if (unread >= 0) kernel.finding = `"${asks.writes[unread].text}" cannot be read as a number.`;
  if (asks.step !== undefined) kernel.finding = "";
  kept.attempts = [...(kept.attempts || []), ...answer.attempts].slice(-10000);
  keep();
  document.body.classList.add("asking");
  const open = kernel.cells.find(([cell, , , , , filled]) => !filled && (focus === undefined || cell === focus)) ||
      kernel.cells.find(([, , , , , filled]) => !filled);
  show(kernel.step - 1, {stay: true, focus: open ? `[data-cell="${open[0]}"]` : ".kernel .leave"});
  if (asks.step !== undefined) app.querySelector(".kernel").scrollIntoView({block: "nearest"});
}

/// Begins with the step on display or the first one after it that can be performed.
function begin_kernel() {
  const step = kernel ? kernel.step : at === last() ? 1 : at;
  kernel = null;
  ask_kernel({step});
}
function leave_kernel() {
  kernel = null;
  document.body.classList.toggle("asking", data.stops > 0);
  show(at, {stay: true});
}

function kernel_cell([cell, row, place, before, text, filled]) {
  if (filled)
    return el("td", {class: filled === 1 ? "passed" : "muted"}, filled === 1 ? `\u2713 ${text}` : `${text} (shown)`);
  const input = el("input", {
    type: "text",
    name: `cell-${cell}`,
    value: kernel.typed[cell],
    "aria-label": `${row} at ${place}`,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    on: {
      focus: () => {
        kernel.hinted = kernel.hinted && kernel.current === cell;
        kernel.current = cell;
      },
      change: () => {
        const written = input.value.trim();
        kernel.typed[cell] = written;
        kernel.wrong.delete(cell);
        if (written) kernel.writes.push({cell, text: written, hinted: kernel.hinted});
      }
    }
  });
  const is_wrong = kernel.wrong.has(cell) && kernel.typed[cell];
  return el(
      "td", {"data-cell": cell}, is_wrong ? "\u2717 " : null, input,
      before ? el("span", {class: "muted"}, ` was ${before}`) : null);
}

/// The task, a row of cells for each place, what the last check found, and buttons.
function kernel_form() {
  const places = new Map();
  for (const cell of kernel.cells) {
    const rows = places.get(cell[2]) || new Map();
    places.set(cell[2], rows.set(cell[1], kernel_cell(cell)));
  }
  const heads = [...new Set(kernel.cells.map(([, row]) => row))];
  const check = (event) => {
    event.preventDefault();
    document.activeElement.blur();  // what is being typed counts
    ask_kernel({writes: kernel.writes});
  };
  const button = (name, words, asks) =>
      el("button", {type: "button", name, on: {click: () => ask_kernel(asks(), kernel.current)}}, words);
  return el(
      "form", {class: "question kernel", autocomplete: "off", on: {submit: check}}, el("h3", {}, "Be the kernel"),
      el("p", {}, kernel.task),
      scrolling("Cells to write", table_of(
                    "What the step writes", ["at", ...heads],
                    [...places].map(([place, rows]) => [place, ...heads.map((head) => rows.get(head) || "")]))),
      el("div", {class: "stays"}, el("p", {class: "verdict", role: "status"}, kernel.finding),
         kernel.hint ? el("p", {class: "hint"}, kernel.hint) : null,
         el("div", {class: "buttons"},
            kernel.complete ? null :
                              [
                                el("button", {class: "main"}, "Check"),
                                button("hint", "Hint", () => ({hint: kernel.current})),
                                button(
                                    "reveal", "Show this one",
                                    () => ({reveal: kernel.current, writes: kernel.writes}))
                              ],
            el("button", {type: "button", class: "leave", on: {click: leave_kernel}}, "Leave"))));
}
