// The answers to this lesson.
let kept = read_store(data.id);
let keeps = true;
function keep() {
  try {
    localStorage.setItem(store_key(data.id), JSON.stringify(kept));
  } catch {
    keeps = false;
  }
}

// Cells of tables: flags as in baked_states.cpp

const flag = {
  pivot: 1,
  settled: 2,
  changed: 4,
  violating: 8,
  segment: 16,
  first: 32,
  last: 64,
  read: 128,
  written: 256,
  compared: 512
};
const cell_of = (id) => {
  const [text, flags, look, old, node, point] = data.cells[id];
  return {text, flags, look, old, node, point};
};

let at = -1;        // index of the step on display; -1: the title card
let selected = {};  // {point} or {node} or {column, space}
const step_at = (index) => data.steps[index];
const key_of = (step, index) =>
    (data.own ? `${practice_key}${data.asked} ${data.hash} ` : "") + `${step.stop}/${index}`;

/// The state of a step while some of its questions are open, or with every answer. What is hidden is not in it.
function state_of(step, with_all = false) {
  if (data.own) bake_own(step);
  let open = 0;
  (step.questions || []).forEach((question, index) => {
    if (question.bit >= 0 && !with_all && !is_done(kept.answers[key_of(step, index)])) open |= 1 << question.bit;
  });
  return data.states[step.states[open]];
}

function words_of(cell) {
  const words = [];
  if (cell.flags & flag.changed) words.push(cell.old === "" ? "new" : `changed from ${cell.old}`);
  if (cell.flags & flag.pivot) words.push("pivot");
  if (cell.flags & flag.read) words.push("read");
  if (cell.flags & flag.written) words.push("written");
  if (cell.flags & flag.compared) words.push("compared");
  if (cell.flags & flag.settled) words.push("settled");
  if (cell.flags & flag.violating) words.push("violates a check");
  return words;
}

function is_selected_cell(cell, space, column) {
  if (selected.point !== undefined) return cell.point === selected.point;
  if (selected.node !== undefined) return cell.node === selected.node;
  return selected.column === column && selected.space === space;
}

/// The columns of a table; -1 stands for a gap.
function columns_of(table) {
  const columns = [];
  table.columns.forEach(([begin, end], i) => {
    if (i > 0) columns.push(-1);
    for (let c = begin; c < end; ++c) columns.push(c);
  });
  return columns;
}

const is_empty = (row) => !row.hidden && row.cells.every((id) => cell_of(id).text === "");

/// On paper nothing scrolls: a table that is wider than the sheet continues below, with its row headings again. Rows
/// without any value are left out.
function tables_on_paper(table, step) {
  const sheet = 680, padding = 17, character = 5.4;  // points, as in page.css
  const rows = table.rows.map((id) => data.rows[id]);
  const width_of = (text) => padding + character * text.length;
  const room = sheet - Math.max(...rows.map((row) => width_of(row.label)));
  const bands = [];
  let begin = 0, used = 0, next = 0;
  const columns = columns_of(table);
  columns.forEach((column, i) => {
    const texts = column < 0 ? ["\u2026"] : rows.map((row) => cell_of(row.cells[next]).text);
    const width = Math.max(...texts.map(width_of));
    if (column >= 0) ++next;
    if (i > begin && used + width > room) {
      bands.push([begin, i]);
      begin = i;
      used = 0;
    }
    used += width;
  });
  bands.push([begin, columns.length]);
  return bands.map((band) => table_of(table, step, band));
}

/// `band`: for paper, the columns to show, from one up to another; without it, all.
function table_of(table, step, band = null) {
  const rows = table.rows.map((id) => data.rows[id]).filter((row, i) => !band || i === 0 || !is_empty(row));
  const all = columns_of(table);
  const [from, to] = band || [0, all.length];
  const columns = all.slice(from, to), earlier = all.slice(0, from).filter((column) => column >= 0).length;
  let left_out = table.count;
  for (const [begin, end] of table.columns) left_out -= end - begin;
  const cells = rows.map((row) => {
    let next = earlier;
    return columns.map((column) => (column < 0 ? null : cell_of(row.cells[next++])));
  });
  const guide = cells[Math.min(1, cells.length - 1)];  // its marks span all rows, as in the window
  const gap = (tag, i) =>
      el(tag, {class: "gap", title: `columns ${all[from + i - 1] + 1} to ${all[from + i + 1] - 1} are left out`},
         "\u2026");
  const column_class = (i) => {
    const flags = guide[i].flags;
    return (flags & flag.pivot ? " pivot" : "") + (flags & flag.first && columns[i] > 0 ? " first" : "");
  };
  const head = columns.map((column, i) => {
    if (column < 0) return gap("th", i);
    const cell = cells[0][i], lines = [];
    if (cell.flags & flag.compared) lines.push("compare");
    if (cell.flags & flag.written) lines.push("write");
    if (cell.flags & flag.read) lines.push("read");
    const words = words_of(cell).filter((word) => word !== "settled");
    const th =
        el("th", {
          scope: "col",
          class: (cell.flags & flag.violating ? "violating" : "") + column_class(i),
          "data-column": column,
          "data-row": 0
        },
           cell.text, lines.map((role, depth) => el("i", {class: "line " + role, style: `top:${2 + 6 * depth}px`})),
           words.length ? aside(", " + words.join(", ")) : null);
    if (cell.look >= 0) {
      th.classList.add("strip");
      th.style.setProperty("--strip", ink(cell.look));
    }
    return th;
  });
  const body = rows.slice(1).map((row, r) => {
    return el("tr", {"data-name": row.name}, el("th", {scope: "row"}, row.label), columns.map((column, i) => {
      if (column < 0) return gap("td", i);
      const cell = cells[r + 1][i];
      if (row.hidden)
        return el(
            "td", {class: "hidden" + column_class(i), "data-column": column, "data-row": r + 1}, cell.text,
            aside(", hidden until the question is answered"));
      const underlined = cell.flags & flag.changed;
      const words = words_of(cell);
      const place = cell.node >= 0 ? `; subtree of node ${cell.node}` : "";
      const names = `k${cell.look}` + (underlined ? " changed" : "") +
          (cell.flags & flag.violating ? " violating" : "") +
          (is_selected_cell(cell, table.space, column) ? " selected" : "") + column_class(i);
      return el(
          "td", {
            class: cell.text === "" ? "none" + column_class(i) : names,
            "data-column": column,
            "data-row": r + 1,
            title: cell.text === "" ?
                undefined :
                `${row.label} [${column}]: ${cell.text}${words.length ? "; " + words.join(", ") : ""}${place}`
          },
          cell.text, underlined ? aside(`, ${cell.old === "" ? "new" : "was " + cell.old}`) : null);
    }));
  });
  const notes = [];
  if (from > 0) notes.push("continued");
  if (left_out > 0 && from === 0) notes.push(`${plural(left_out, "column is", "columns are")} left out`);
  if (table.hidden) notes.push(`${plural(table.hidden, "dimension is", "dimensions are")} left out`);
  return el(
      "table", {"data-space": table.space},
      el("caption", {},
         el("span", {}, `Arrays by ${table.space} ${place_words(step)}${notes.length ? "; " + notes.join(", ") : ""}`)),
      el("thead", {}, el("tr", {}, el("th", {scope: "row"}, rows[0].label), head)), el("tbody", {}, body));
}

const place_words = (step) => `after step ${step.step} of ${data.last_step}`;
