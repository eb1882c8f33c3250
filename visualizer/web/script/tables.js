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

// The arrays: a picture, and the same in words

/// A cell: text, what is to be said about it, node, point. Its number in sight, row by row, is the id of its item.
const columns_of = (table) =>
    table.columns.flatMap(([begin, end]) => Array.from({length: end - begin}, (_, i) => begin + i));
function selected_cells(table) {
  const columns = columns_of(table);
  return table.rows.map((id) => data.rows[id])
      .flatMap((row, r) => row.cells.map((id, i) => {
        const [text, , node, point] = data.cells[id];
        const is_selected = selected.point !== undefined ? point === selected.point :
            selected.node !== undefined                  ? node === selected.node :
                                          selected.column === columns[i] && selected.space === table.space;
        return is_selected && r > 0 && !row.hidden && text !== "" ? r * columns.length + i : -1;
      }))
      .filter((id) => id >= 0);
}

const place_words = (step) => `after step ${step.step} of ${data.last_step}`;
function caption_of(table, step, continued) {
  const left_out = table.count - columns_of(table).length;
  return [
    `Arrays by ${table.space} ${place_words(step)}`,
    ...[continued        ? "continued" :
            left_out > 0 ? `${plural(left_out, "column is", "columns are")} left out` :
                           "",
        table.hidden ? `${plural(table.hidden, "dimension is", "dimensions are")} left out` : ""]
        .filter((note) => note)
  ].join("; ");
}

/// The names of the rows stay in place while the cells scroll. `from`, `to`: the part of the picture to show.
function table_picture(table, step, from = 0, to = table.picture[0]) {
  const caption = caption_of(table, step, from > 0), high = table.picture[1];
  const sized = (node, wide) => (node.style.setProperty("--wide", wide), node);
  const names = sized(display_list(table.names, "names", "Names of the rows"), table.names[0]);
  // Parts of a picture are drawn without what lies beside them.
  const meets = ([kind, at]) => kind !== 3 && kind !== 2 || (at[0] < to && at[0] + (kind === 3 ? at[2] : 1) > from);
  const groups = table.picture[2].filter((group) => meets(data.items[group][0]));
  const drawing = display_list([to - from, high, groups], "cells", caption, selected_cells(table));
  const cells = sized(drawing, to - from);
  const columns = columns_of(table);
  for (const cell of cells.querySelectorAll("[data-id]")) {
    const id = Number(cell.dataset.id), i = id % columns.length, row = data.rows[table.rows[(id - i) / columns.length]];
    const [text, words, node] = data.cells[row.cells[i]], place = node >= 0 ? `subtree of node ${node}` : "";
    const facts = row.hidden ? [text] : [text, words, place].filter((fact) => fact !== "");
    if (text !== "") cell.append(shape("title", {}, `${row.label} [${columns[i]}]: ${facts.join("; ")}`));
  }
  cells.setAttribute("viewBox", `${from} 0 ${to - from} ${high}`);
  return el(
      "figure", {class: "sheet"}, el("figcaption", {}, caption),
      sized(el("div", {}, names, cells), table.names[0] + to - from));
}

/// On paper nothing scrolls: a table that is wider than the sheet continues below.
function tables_on_paper(table, step) {
  const room = 980 - table.names[0], ends = [...table.cuts.slice(1), table.picture[0]], bands = [];
  for (let from = 0; from < table.picture[0];) {
    const to =
        ends.filter((end) => end > from && (end <= from + room || end === ends.find((next) => next > from))).pop();
    bands.push(table_picture(table, step, from, to));
    from = to;
  }
  return bands;
}

/// The texts of a table, for readers who do not see the picture.
function table_words(table, step) {
  const [index, ...rows] = table.rows.map((id) => data.rows[id]);
  const cell_of = (tag, attributes, id, hidden) => {
    const [text, words] = data.cells[id], more = hidden ? "hidden until the question is answered" : words;
    return el(tag, {...attributes, class: hidden ? "hidden" : undefined}, text, more ? aside(`, ${more}`) : null);
  };
  return el(
      "details", {class: "as-table"}, el("summary", {}, "The arrays as a table"),
      scrolling(
          "Arrays",
          el("table", {"data-space": table.space}, el("caption", {}, caption_of(table, step)),
             el("thead", {},
                el("tr", {}, el("th", {scope: "row"}, index.label),
                   index.cells.map((id) => cell_of("th", {scope: "col"}, id)))),
             el("tbody", {},
                rows.map(
                    (row) =>
                        el("tr", {}, el("th", {scope: "row"}, row.label),
                           row.cells.map((id) => cell_of("td", {}, id, row.hidden))))))));
}
