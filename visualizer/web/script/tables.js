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

/// The number of a cell in sight, row by row, is the id of its item.
const columns_of = (table) =>
    table.columns.flatMap(([begin, end]) => Array.from({length: end - begin}, (_, i) => begin + i));
/// The cells of a row: text, what is to be said about it, node, point.
function cells_of(row) {
  const facts = numbers_of(row.facts);
  return row.texts.flatMap((list) => data.texts[list]).map((text, i) => [text, ...data.facts[facts[i]]]);
}
function selected_cells(table) {
  const columns = columns_of(table);
  return table.rows.map((id) => data.rows[id])
      .flatMap((row, r) => cells_of(row).map(([text, , node, point], i) => {
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

/// What a part of a picture shows: `left`, `top`, `wide`, `high`. What lies beside it is not drawn.
function part_of([, , list], [left, top, wide, high], name, words, picked) {
  const meets = ([{kind, at}]) => {
    if (kind !== 2 && kind !== 3) return true;
    const [x, y, across = 0, down = 0] = at;
    return x < left + wide && y < top + high && x + across > left && y + down > top;
  };
  const drawing = display_list([wide, high, list], name, words, picked, meets);
  drawing.setAttribute("viewBox", [left, top, wide, high].join(" "));
  drawing.style.setProperty("--wide", wide);
  return drawing;
}

/// Words for a mouse that rests on a cell: made when it comes there, because most cells never need them.
function with_tips(cells, table) {
  const columns = columns_of(table);
  cells.addEventListener("pointerover", ({target}) => {
    if (target.dataset.id === undefined || target.firstChild) return;
    const id = Number(target.dataset.id), i = id % columns.length;
    const row = data.rows[table.rows[(id - i) / columns.length]];
    const [text, words, node] = cells_of(row)[i], place = node >= 0 ? `subtree of node ${node}` : "";
    const facts = row.hidden ? [text] : [text, words, place].filter((fact) => fact !== "");
    target.append(shape("title", {}, `${row.label} [${columns[i]}]: ${facts.join("; ")}`));
  });
  return cells;
}

/// The names of the rows stay in place while the cells scroll. `from`, `to`: the part of the picture to show. `rows`:
/// those to show; none: all.
function table_picture(table, step, from = 0, to = table.picture[0], rows = null) {
  const caption = caption_of(table, step, from > 0), picked = selected_cells(table), [wide, high] = table.names;
  const each = (high - 1) / table.rows.length, bands = rows ? rows.map((row) => [row * each, each]) : [[0, high]];
  return el("figure", {class: "sheet"}, el("figcaption", {}, caption), bands.map(([top, tall]) => {
    const line = el(
        "div", {}, part_of(table.names, [0, top, wide, tall], "names", "Names of the rows"),
        with_tips(part_of(table.picture, [from, top, to - from, tall], "cells", caption, picked), table));
    line.style.setProperty("--wide", wide + to - from);
    return line;
  }));
}

/// On paper nothing scrolls: a table that is wider than the sheet continues below. Rows without any value are left out.
function tables_on_paper(table, step) {
  const room = 1240 - table.names[0], bands = [];
  const ends = [...data.clouds[table.cuts].slice(1), table.picture[0]];
  const has_text = (row) => cells_of(data.rows[row]).some(([text]) => text !== "");
  const rows = table.rows.flatMap((row, i) => (has_text(row) ? [i] : []));
  for (let from = 0; from < table.picture[0];) {
    const later = ends.filter((end) => end > from), to = later.filter((end) => end <= from + room).pop() || later[0];
    bands.push(table_picture(table, step, from, to, rows.length < table.rows.length ? rows : null));
    from = to;
  }
  return bands;
}

/// The texts of a table, for readers who do not see the picture.
function table_words(table, step) {
  const [index, ...rows] = table.rows.map((id) => data.rows[id]);
  const cell_of = (tag, attributes, [text, words], hidden) => {
    const more = hidden ? "hidden until the question is answered" : words;
    return el(tag, {...attributes, class: hidden ? "hidden" : undefined}, text, more ? aside(`, ${more}`) : null);
  };
  return el(
      "details", {class: "as-table"}, el("summary", {}, "The arrays as a table"),
      scrolling(
          "Arrays",
          el("table", {"data-space": table.space}, el("caption", {}, caption_of(table, step)),
             el("thead", {},
                el("tr", {}, el("th", {scope: "row"}, index.label),
                   cells_of(index).map((cell) => cell_of("th", {scope: "col"}, cell)))),
             el("tbody", {},
                rows.map(
                    (row) =>
                        el("tr", {}, el("th", {scope: "row"}, row.label),
                           cells_of(row).map((cell) => cell_of("td", {}, cell, row.hidden))))))));
}
