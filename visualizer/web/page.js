"use strict";
// Shows the baked states of a lesson, checks answers and keeps them. All texts, colours and places come from the
// program that made the page; nothing is computed anew here.
(() => {
const data = JSON.parse(document.getElementById("data").textContent);

// Elements

const svg_space = "http://www.w3.org/2000/svg";
function fill_in(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else if (name === "html") node.innerHTML = value;  // escaped by the program that made the page
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
const el = (tag, attributes, ...children) => fill_in(document.createElement(tag), attributes, children);
const shape = (tag, attributes, ...children) =>
  fill_in(document.createElementNS(svg_space, tag), attributes, children);
const aside = (words) => el("span", {class: "unseen"}, words);
const ink = (number) => `var(--c${number})`;
const plural = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

// Answers, kept on this device

const store_key = (id) => "kdscope:" + id;
function read_store(id) {
  try {
    const kept = JSON.parse(localStorage.getItem(store_key(id)) || "{}");
    return kept && typeof kept === "object" && kept.answers ? kept : {answers: {}};
  } catch { return {answers: {}}; }  // a browser may keep nothing for files, or something else was kept here
}
let kept = data.id ? read_store(data.id) : {answers: {}};
let keeps = true;
function keep() {
  try { localStorage.setItem(store_key(data.id), JSON.stringify(kept)); } catch { keeps = false; }
}
const is_done = (attempt) => attempt && attempt.outcome !== "wrong";

if (data.course) {
  const by_id = new Map(data.course);
  for (const item of document.querySelectorAll("[data-lesson]")) {
    const answers = Object.values(read_store(item.dataset.lesson).answers).filter(is_done).length;
    const all = by_id.get(item.dataset.lesson);
    if (answers > 0) item.querySelector(".done").textContent = `${answers} of ${all} questions done`;
  }
  return;
}

// Cells of tables: flags as in baked_states.cpp

const flag = {pivot: 1, settled: 2, changed: 4, violating: 8, segment: 16, first: 32, last: 64, read: 128,
              written: 256, compared: 512};
const cell_of = (id) => {
  const [text, flags, look, plain, old, node, point] = data.cells[id];
  return {text, flags, look, plain, old, node, point};
};

let at = -1;                     // index of the step on display; -1: the title card
let open_table = null;           // space that the reader has chosen
let selected = {};               // {point} or {node} or {column, space}
const step_at = (index) => data.steps[index];
const key_of = (step, index) => `${step.stop}/${index}`;

/// What the open questions of a step hide.
function hidden_at(step) {
  const parts = new Set(), rows = new Set();
  (step.questions || []).forEach((question, index) => {
    if (is_done(kept.answers[key_of(step, index)])) return;
    question.hides.forEach((part) => parts.add(part));
    question.hidden_rows.forEach((row) => rows.add(row));
  });
  return {parts, rows};
}

function words_of(cell, hidden) {
  const words = [];
  if (cell.flags & flag.changed && !hidden.parts.has("changes"))
    words.push(cell.old === "" ? "new" : `changed from ${cell.old}`);
  if (!hidden.parts.has("marks")) {
    if (cell.flags & flag.pivot) words.push("pivot");
    if (cell.flags & flag.read) words.push("read");
    if (cell.flags & flag.written) words.push("written");
    if (cell.flags & flag.compared) words.push("compared");
  }
  if (cell.flags & flag.settled) words.push("settled");
  if (cell.flags & flag.violating) words.push("violates a check");
  return words;
}

function is_selected_cell(cell, space, column) {
  if (selected.point !== undefined) return cell.point === selected.point;
  if (selected.node !== undefined) return cell.node === selected.node;
  return selected.column === column && selected.space === space;
}

function table_of(table, step, hidden) {
  const rows = table.rows.map((id) => data.rows[id]);
  const columns = [];
  table.columns.forEach(([begin, end], i) => {
    if (i > 0) columns.push(-1);
    for (let c = begin; c < end; ++c) columns.push(c);
  });
  let left_out = table.count;
  for (const [begin, end] of table.columns) left_out -= end - begin;
  const marks = !hidden.parts.has("marks"), changes = !hidden.parts.has("changes");
  const cells = rows.map((row) => {
    let next = 0;
    return columns.map((column) => (column < 0 ? null : cell_of(row.cells[next++])));
  });
  const guide = cells[Math.min(1, cells.length - 1)];  // its marks span all rows, as in the window
  const gap = (tag, i) => el(tag, {class: "gap", title: `columns ${columns[i - 1] + 1} to ${columns[i + 1] - 1} are left out`}, "\u2026");
  const column_class = (i) => {
    const flags = guide[i].flags;
    return (marks && flags & flag.pivot ? " pivot" : "") +
      (flags & flag.first && columns[i] > 0 && !hidden.parts.has("strips") ? " first" : "");
  };
  const head = columns.map((column, i) => {
    if (column < 0) return gap("th", i);
    const cell = cells[0][i], lines = [];
    if (marks) {
      if (cell.flags & flag.compared) lines.push("compare");
      if (cell.flags & flag.written) lines.push("write");
      if (cell.flags & flag.read) lines.push("read");
    }
    const words = words_of(cell, hidden).filter((word) => word !== "settled");
    const th = el("th", {scope: "col", class: (cell.flags & flag.violating ? "violating" : "") + column_class(i),
                         "data-column": column, "data-row": 0}, cell.text,
                  lines.map((role, depth) => el("i", {class: "line " + role, style: `top:${2 + 6 * depth}px`})),
                  words.length ? aside(", " + words.join(", ")) : null);
    if (cell.look >= 0 && !hidden.parts.has("strips")) {
      th.classList.add("strip");
      th.style.setProperty("--strip", ink(cell.look));
    }
    return th;
  });
  const body = rows.slice(1).map((row, r) => {
    const hides = hidden.rows.has(row.name) || hidden.rows.has(row.label);
    return el("tr", {"data-name": row.name}, el("th", {scope: "row"}, row.label), columns.map((column, i) => {
      if (column < 0) return gap("td", i);
      const cell = cells[r + 1][i];
      if (hides)
        return el("td", {class: "hidden" + column_class(i), "data-column": column, "data-row": r + 1}, "?");
      const underlined = cell.flags & flag.changed && changes;
      const words = words_of(cell, hidden);
      const place = cell.node >= 0 ? `; subtree of node ${cell.node}` : "";
      const names = `k${changes ? cell.look : cell.plain}` + (underlined ? " changed" : "") +
        (cell.flags & flag.violating ? " violating" : "") +
        (is_selected_cell(cell, table.space, column) ? " selected" : "") + column_class(i);
      return el("td", {class: cell.text === "" ? "none" + column_class(i) : names, "data-column": column,
                       "data-row": r + 1,
                       title: cell.text === "" ? undefined : `${row.label} [${column}]: ${cell.text}${words.length ? "; " + words.join(", ") : ""}${place}`},
                cell.text, underlined ? aside(`, ${cell.old === "" ? "new" : "was " + cell.old}`) : null);
    }));
  });
  const notes = [];
  if (left_out > 0) notes.push(`${plural(left_out, "column is", "columns are")} left out`);
  if (table.hidden) notes.push(`${plural(table.hidden, "dimension is", "dimensions are")} left out`);
  return el("table", {"data-space": table.space},
    el("caption", {}, `Arrays by ${table.space} ${place_words(step)}${notes.length ? "; " + notes.join(", ") : ""}`),
    el("thead", {}, el("tr", {}, el("th", {scope: "row"}, rows[0].label), head)), el("tbody", {}, body));
}

const place_words = (step) => `after step ${step.step} of ${data.last_step}`;

// The tree

const text_size = 15;
function glyph_path(glyph, x, y, radius) {
  if (glyph === 0) return shape("circle", {cx: x, cy: y, r: radius});
  const corners = data.glyphs[glyph], points = [];
  for (let i = 0; i < corners.length; i += 2) points.push(`${x + radius * corners[i]},${y + radius * corners[i + 1]}`);
  return shape("polygon", {points: points.join(" ")});
}
const styled = (node, style) => (Object.assign(node.style, style), node);

function line_of(role, x, y, width) {
  const at_height = (up, dashed) => styled(
    shape("line", {x1: x, x2: x + width, y1: y - up, y2: y - up, "stroke-width": 2.2,
                   "stroke-dasharray": dashed ? "5 3" : undefined}), {stroke: `var(--role-${role})`});
  return role === "compare" ? [at_height(0), at_height(4.5)] : [at_height(0, role === "read")];
}

const node_of = (id) => {
  const [number, level, x, parent_x, state, body, rim, text, glyph, flags, searched, point, lines] = data.nodes[id];
  return {number, level, x, parent_x, state, body, rim, text, glyph, flags, searched, point, lines};
};
const states = ["open", "pivot", "settled", "empty"];
const search_words = ["untouched", "waiting", "visited", "skipped", "dropped"];
const opacity_of = (searched) => [0.55, 1, 1, 0.2, 0.2][searched] ?? 1;

function tree_of(tree, hidden) {
  const nodes = tree.nodes.map(node_of), strips = new Map(tree.strips.map((strip) => [strip[0], strip]));
  const marks = !hidden.parts.has("marks"), changes = !hidden.parts.has("changes");
  const widest = Math.min(64, tree.gap), width = Math.max(640, Math.min(1500, widest * 62));
  const left = 56, right = 44;  // half of a text beside the outermost nodes
  const room_below = (level) => {
    const xs = nodes.filter((node) => node.level === level).map((node) => node.x);
    let gap = Math.pow(0.5, level);
    for (let i = 1; i < xs.length; ++i) gap = Math.min(gap, xs[i] - xs[i - 1]);
    return gap * (width - left - right);
  };
  const place_x = (x) => left + x * (width - left - right);
  const tops = [], details = [];
  let y = 22;
  for (let level = 0; level < tree.levels; ++level) {
    const room = room_below(level);
    const lines = Math.max(0, ...nodes.filter((node) => node.level === level).map((node) => node.lines.length));
    details[level] = strips.has(level) ? "strip" : room < 34 ? "dot" : room < 62 ? "number" : "lines";
    tops[level] = y;
    y += details[level] === "strip" ? 26 : details[level] === "lines" ? 46 + 17 * Math.max(1, Math.min(3, lines)) : 46;
  }
  const height = y + 4;
  const drawing = shape("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", class: "tree",
    "aria-label": `Tree so far: ${plural(tree.count, "node", "nodes")}`});
  styled(drawing, {minWidth: `${Math.round(width > 640 ? width * 0.8 : 330)}px`});
  const group = (name) => drawing.appendChild(shape("g", {class: name}));
  const edges = group("edges"), bodies = group("nodes");
  for (const node of nodes) {
    if (node.level === 0) continue;
    edges.append(styled(shape("line", {x1: place_x(node.parent_x), y1: tops[node.level - 1], x2: place_x(node.x),
      y2: tops[node.level], "stroke-dasharray": node.state === 3 ? "2 4" : undefined}),
      {opacity: opacity_of(node.searched)}));
  }
  for (let level = 0; level < tree.levels; ++level)
    drawing.append(shape("text", {x: 4, y: tops[level] + 5, class: "muted"}, String(level)));
  for (const [level, strip] of strips) {
    const bins = strip[2], count = bins.length / 2, step = (width - left - right) / count;
    for (let i = 0; i < count; ++i) {
      if (bins[2 * i] < 0) continue;
      bodies.append(styled(shape("rect", {x: left + i * step, y: tops[level] - 9, width: step + 0.3, height: 18}),
                           {fill: ink(bins[2 * i])}));
      if (bins[2 * i + 1] & flag.pivot && marks)
        bodies.append(shape("rect", {x: left + i * step, y: tops[level] - 9, width: step + 0.3, height: 3, class: "pivots"}));
      if (bins[2 * i + 1] & flag.changed && changes)
        bodies.append(shape("rect", {x: left + i * step, y: tops[level] + 6, width: step + 0.3, height: 3, class: "changes"}));
    }
    drawing.append(shape("rect", {x: left, y: tops[level] - 9, width: width - left - right, height: 18, class: "outline"}));
  }
  for (const node of nodes) {
    const x = place_x(node.x), top = tops[node.level], detail = details[node.level];
    const item = styled(shape("g", {"data-node": node.number, class: "node"}), {opacity: opacity_of(node.searched)});
    item.append(shape("title", {}, node_words(node)));
    bodies.append(item);
    if (node.state === 3) {
      item.append(shape("rect", {x: x - 4, y: top - 4, width: 8, height: 8, class: "empty"}));
      continue;
    }
    if (detail === "dot") {
      item.append(styled(glyph_path(node.glyph, x, top, 5), {fill: ink(node.body)}));
    } else {
      const wide = 18 + 9 * String(node.number).length + 8, round = node.flags & flag.settled ? 3 : 12;
      if (selected.node === node.number || (selected.point !== undefined && selected.point === node.point))
        item.append(shape("rect", {x: x - wide / 2 - 5, y: top - 17, width: wide + 10, height: 34, rx: round + 4,
                                   class: "selected"}));
      if (node.searched === 1)
        item.append(shape("rect", {x: x - wide / 2 - 4, y: top - 16, width: wide + 8, height: 32, rx: round + 4,
                                   class: "waiting"}));
      item.append(styled(shape("rect", {x: x - wide / 2, y: top - 12, width: wide, height: 24, rx: round,
                                        class: "body"}),
                         {fill: ink(node.body), stroke: node.state === 1 && marks ? "var(--pivot)" : ink(node.rim),
                          strokeWidth: node.state === 1 && marks ? 3 : 1}));
      item.append(styled(shape("text", {x, y: top + 5.5, class: "number"}, String(node.number)),
                         {fill: ink(node.text)}));
      const mark = glyph_path(node.glyph, x - wide / 2 + 3, top - 9, 5);
      item.append(styled(mark, {fill: ink(node.rim), stroke: "var(--base)"}));
      if (node.flags & flag.changed && changes)
        item.append(shape("rect", {x: x - 0.3 * wide, y: top + 14, width: 0.6 * wide, height: 3, class: "changes"}));
      if (marks) {
        let foot = top - 17;
        for (const [role, bit] of [["read", flag.read], ["write", flag.written], ["compare", flag.compared]])
          if (node.flags & bit) {
            item.append(...line_of(role, x - wide / 2, foot, wide));
            foot -= 8;
          }
      }
      if (detail === "lines")
        node.lines.forEach((line, i) => item.append(shape("text", {x, y: top + 32 + 16 * i, class: "line"}, line)));
    }
  }
  return drawing;
}

function node_words(node) {
  const words = [`node ${node.number}, level ${node.level}, ${states[node.state]}`];
  if (node.searched >= 0) words.push(search_words[node.searched]);
  if (node.point >= 0) words.push(`point p${node.point}`);
  return words.concat(node.lines).join("; ");
}

/// The nodes as a table, for readers who do not see the picture.
function tree_table(tree) {
  const nodes = tree.nodes.map(node_of);
  return el("details", {class: "as-table"}, el("summary", {}, "The tree as a table"),
    el("div", {class: "scrolls", tabindex: 0}, el("table", {},
      el("caption", {}, `Nodes of the tree so far${tree.strips.length ? ", upper levels" : ""}`),
      el("thead", {}, el("tr", {}, ["node", "level", "state", "point", "what stands below it"].map((name) =>
        el("th", {scope: "col"}, name)))),
      el("tbody", {}, nodes.map((node) => el("tr", {}, el("th", {scope: "row"}, String(node.number)),
        [node.level, states[node.state], node.point < 0 ? "" : `p${node.point}`, node.lines.join("; ")].map((text) =>
          el("td", {}, String(text)))))))));
}

// The picture: two dimensions as SVG, three as a canvas that turns

function looks_of(picture) {
  const runs = data.mark_lists[picture.marks], looks = [];
  for (let i = 0; i < runs.length; i += 2) for (let k = 0; k < runs[i + 1]; ++k) looks.push(data.marks[runs[i]]);
  return looks;
}
const plane_inks = ["var(--plane)", "var(--new-plane)", "var(--changed)"];

function flat_picture(picture, hidden) {
  const frame = data.frames[picture.frame], cloud = data.clouds[picture.cloud], looks = looks_of(picture);
  const [lo_x, lo_y] = frame.lo, [hi_x, hi_y] = frame.hi;
  const width = 640, left = 62, right = 14, top = 14, below = 52;
  const scale = Math.min((width - left - right) / (hi_x - lo_x), 620 / (hi_y - lo_y));
  const inner_x = scale * (hi_x - lo_x), inner_y = Math.max(40, scale * (hi_y - lo_y));
  const start = left + (width - left - right - inner_x) / 2, height = top + inner_y + below;
  const X = (x) => start + scale * (x - lo_x), Y = (y) => top + scale * (hi_y - y);
  const splits = !hidden.parts.has("splits"), marks = !hidden.parts.has("marks");
  const drawing = shape("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", class: "picture",
    "aria-label": `${plural(picture.points, "point", "points")}` + (splits ? `, ${plural(picture.planes.length, "split", "splits")}` : "")});
  const box = ([x0, y0], [x1, y1], attributes) => shape("rect", {x: X(x0), y: Y(y1), width: scale * (x1 - x0),
    height: scale * (y1 - y0), ...attributes});
  const search = picture.search, faded = new Set(search ? search.faded : []);
  if (splits) for (const [node, area, , lo, hi] of picture.cells)
    drawing.append(styled(box(lo, hi, {"data-node": node, class: "area"}),
                          {fill: ink(area), opacity: faded.has(node) ? 0.35 : 1}));
  if (splits) for (const [axis, kind, level, lo, hi] of picture.planes)
    drawing.append(styled(shape("line", {x1: X(lo[0]), y1: Y(lo[1]), x2: X(hi[0]), y2: Y(hi[1])}),
      {stroke: plane_inks[kind], strokeWidth: picture.planes.length > 100 ? 1.2 : kind === 2 ? 4.5 : kind === 1 ? 3.5 : level < 2 ? 2.5 : 2}));
  if (splits) for (const [colour, lo, hi] of picture.boxes)
    drawing.append(styled(box(lo, hi, {class: "tight"}), {stroke: ink(colour)}));
  drawing.append(shape("rect", {x: start, y: top, width: inner_x, height: inner_y, class: "frame"}));
  for (const axis of frame.axes) for (const [place, text] of axis.ticks) {
    if (axis.axis === 0) {
      drawing.append(shape("line", {x1: X(place), x2: X(place), y1: top + inner_y, y2: top + inner_y + 6, class: "tick"}),
        shape("text", {x: X(place), y: top + inner_y + 21, class: "middle"}, text));
    } else {
      drawing.append(shape("line", {x1: start - 6, x2: start, y1: Y(place), y2: Y(place), class: "tick"}),
        shape("text", {x: start - 9, y: Y(place) + 5, class: "end"}, text));
    }
  }
  for (const axis of frame.axes)
    drawing.append(axis.axis === 0 ? shape("text", {x: start + inner_x / 2, y: height - 8, class: "middle muted"}, axis.name)
      : shape("text", {x: start - 48, y: top + inner_y / 2 + 5, class: "middle muted"}, axis.name));

  const labels = picture.points <= 50;
  const radius = labels ? 0.5 * text_size : Math.min(0.6 * text_size, Math.max(0.1 * text_size,
    Math.sqrt(0.4 * inner_x * inner_y * 0.16 / Math.max(1, cloud.length)) / 2));
  const pivots = new Set(marks ? picture.pivots : []);
  // The number of a node stands in the corner of its cell that is furthest from all points.
  if (splits && picture.cells.length <= 40) for (const [node, , colour, lo, hi] of picture.cells) {
    if (colour < 0) continue;
    const wide = 12 * String(node).length + 12, high = 27;
    if (scale * (hi[0] - lo[0]) < wide || scale * (hi[1] - lo[1]) < high) continue;
    let best = null, best_room = -1;
    for (const x of [X(lo[0]) + wide / 2, X(hi[0]) - wide / 2]) for (const y of [Y(lo[1]) - high / 2, Y(hi[1]) + high / 2]) {
      let room = Infinity;
      for (const mark of cloud.slice(0, 500)) room = Math.min(room, Math.hypot(X(mark[0]) - x, Y(mark[1]) - y));
      if (room > best_room) [best, best_room] = [[x, y], room];
    }
    drawing.append(styled(shape("text", {x: best[0], y: best[1] + 7, class: "cell-number"}, String(node)), {fill: ink(colour)}));
  }
  cloud.forEach(([x, y], i) => {
    const point = i * picture.stride, [colour, glyph] = looks[i], px = X(x), py = Y(y);
    const item = shape("g", {class: "mark", "data-point": point});
    drawing.append(item);
    if (labels) item.append(shape("circle", {cx: px, cy: py, r: 20, class: "target"}));
    item.append(styled(glyph_path(glyph, px, py, radius), {fill: ink(colour), strokeWidth: radius > 3 ? 1.2 : 0}));
    if (pivots.has(point)) item.append(shape("circle", {cx: px, cy: py, r: radius + 5, class: "pivot-ring"}));
    if (selected.point === point) item.append(shape("circle", {cx: px, cy: py, r: radius + 10, class: "selected"}));
    if (!labels) return;
    const to_left = px + 40 > start + inner_x, away = 0.75 * radius + (pivots.has(point) ? 6 : 2);
    item.append(shape("text", {x: to_left ? px - away : px + away, y: py - away, class: to_left ? "label end" : "label"}, `p${point}`));
  });
  if (search && splits) {
    const pen = ([colour, wide, dashed]) => ({stroke: `var(--${colour})`, strokeWidth: wide, fill: "none",
      strokeDasharray: dashed ? "8 6" : ""});
    for (const [lo, hi, style] of search.boxes) drawing.append(styled(box(lo, hi), pen(style)));
    for (const [centre, radii, style] of search.balls)
      drawing.append(styled(shape("ellipse", {cx: X(centre[0]), cy: Y(centre[1]), rx: scale * radii[0], ry: scale * radii[1]}), pen(style)));
    for (const [from, to, , style] of search.segments)
      drawing.append(styled(shape("line", {x1: X(from[0]), y1: Y(from[1]), x2: X(to[0]), y2: Y(to[1])}), pen(style)));
    for (const [point, style] of search.rings) {
      const mark = cloud[Math.floor(point / picture.stride)];
      if (mark) drawing.append(styled(shape("circle", {cx: X(mark[0]), cy: Y(mark[1]), r: radius + 6}), pen(style)));
    }
    for (const [place, text, colour] of search.labels)
      drawing.append(styled(shape("text", {x: X(place[0]) + 8, y: Y(place[1]) - 8, class: "label"}, text), {fill: `var(--${colour})`}));
  }
  // A click at a place gives its coordinate along both axes.
  drawing.addEventListener("click", (event) => {
    const at_pixel = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    const scene = [(at_pixel.x - start) / scale + lo_x, hi_y - (at_pixel.y - top) / scale];
    const places = {};
    for (const axis of frame.axes) places[axis.dimension] = axis.origin + scene[axis.axis] * axis.unit;
    const mark = event.target.closest("[data-point]");
    pick({places, points: mark ? Number(mark.dataset.point) : undefined});
  });
  return drawing;
}

let view = {yaw: 0.6, pitch: 0.35};
function solid_picture(picture, hidden) {
  const frame = data.frames[picture.frame], cloud = data.clouds[picture.cloud], looks = looks_of(picture);
  const splits = !hidden.parts.has("splits"), marks = !hidden.parts.has("marks");
  const canvas = el("canvas", {class: "picture", role: "img",
    "aria-label": `${plural(picture.points, "point", "points")} in three dimensions`});
  const centre = [0, 1, 2].map((axis) => (frame.lo[axis] + frame.hi[axis]) / 2);
  const reach = Math.hypot(...[0, 1, 2].map((axis) => frame.hi[axis] - frame.lo[axis])) / 2 || 1;
  const up = frame.up, across = [0, 1, 2].filter((axis) => axis !== up);
  let screen = [];
  function draw() {
    const size = Math.max(200, canvas.clientWidth || 640), high = Math.round(size * 0.8);
    const ratio = window.devicePixelRatio || 1;
    canvas.width = size * ratio;
    canvas.height = high * ratio;
    const pen = canvas.getContext("2d"), style = getComputedStyle(document.documentElement), known = new Map();
    const colour = (name) => {
      if (!known.has(name)) known.set(name, style.getPropertyValue(name.slice(4, -1)).trim() || "#888");
      return known.get(name);
    };
    pen.scale(ratio, ratio);
    pen.fillStyle = colour("var(--base)");
    pen.fillRect(0, 0, size, high);
    const scale = 0.46 * Math.min(size, high * 1.15) / reach;
    const [cy, sy, cp, sp] = [Math.cos(view.yaw), Math.sin(view.yaw), Math.cos(view.pitch), Math.sin(view.pitch)];
    const project = (at_place) => {
      const a = at_place[across[0]] - centre[across[0]], b = at_place[across[1]] - centre[across[1]], u = at_place[up] - centre[up];
      const x = cy * a + sy * b, depth = -sy * a + cy * b;
      return [size / 2 + scale * x, high / 2 - scale * (cp * u + sp * depth), cp * depth - sp * u];
    };
    const polygon = (corners) => {
      pen.beginPath();
      corners.forEach((corner, i) => pen[i ? "lineTo" : "moveTo"](...project(corner).slice(0, 2)));
      pen.closePath();
    };
    const section = (lo, hi, axis) => {
      const [u, v] = [0, 1, 2].filter((other) => other !== axis);
      return [[lo[u], lo[v]], [hi[u], lo[v]], [hi[u], hi[v]], [lo[u], hi[v]]].map(([p, q]) => {
        const corner = lo.slice();
        corner[u] = p;
        corner[v] = q;
        return corner;
      });
    };
    const box = (lo, hi) => {
      for (const [axis, place] of [[up, lo[up]], [up, hi[up]]]) {
        const from = lo.slice(), to = hi.slice();
        from[axis] = to[axis] = place;
        polygon(section(from, to, axis));
        pen.stroke();
      }
      for (const corner of section(lo, hi, up)) {
        const top_corner = corner.slice();
        top_corner[up] = hi[up];
        polygon([corner, top_corner]);
        pen.stroke();
      }
    };
    pen.lineWidth = 1;
    pen.strokeStyle = colour("var(--axis)");
    box(frame.lo, frame.hi);
    const newest = picture.planes.filter(([, kind]) => kind > 0);
    const drawn = splits ? picture.planes.filter(([, kind, level]) => level < 2 || (kind > 0 && newest.length <= 64)) : [];
    for (const [axis, kind, , lo, hi] of drawn) {
      polygon(section(lo, hi, axis));
      pen.fillStyle = pen.strokeStyle = colour(plane_inks[kind]);
      pen.globalAlpha = kind > 0 ? 0.16 : 0.07;
      pen.fill();
      pen.globalAlpha = 1;
      pen.lineWidth = kind > 0 ? 1.8 : 1.2;
      pen.stroke();
    }
    const radius = cloud.length <= 50 ? 6.5 : Math.min(6, Math.max(1.3, 0.25 * size / Math.sqrt(cloud.length) * 0.9));
    screen = cloud.map((place, i) => [...project(place), i]).sort((p, q) => q[2] - p[2]);
    const pivots = new Set(marks ? picture.pivots : []);
    for (const [x, y, , i] of screen) {
      const point = i * picture.stride, [fill, glyph] = looks[i], corners = data.glyphs[glyph];
      pen.beginPath();
      if (glyph === 0 || radius < 2.2) pen.arc(x, y, radius, 0, 7);
      else for (let k = 0; k < corners.length; k += 2) pen[k ? "lineTo" : "moveTo"](x + radius * corners[k], y + radius * corners[k + 1]);
      pen.closePath();
      pen.fillStyle = colour(ink(fill));
      pen.fill();
      if (radius > 3) {
        pen.strokeStyle = colour("var(--rim)");
        pen.lineWidth = 1;
        pen.stroke();
      }
      const ring = (name, away, width) => {
        pen.beginPath();
        pen.arc(x, y, radius + away, 0, 7);
        pen.strokeStyle = colour(name);
        pen.lineWidth = width;
        pen.stroke();
      };
      if (pivots.has(point)) ring("var(--pivot)", 3, 2);
      if (selected.point === point) ring("var(--selection)", 7, 3);
      if (cloud.length <= 50) {
        pen.fillStyle = colour("var(--text)");
        pen.font = "bold 13px system-ui, sans-serif";
        pen.fillText(`p${point}`, x + radius, y - radius);
      }
    }
    const search = picture.search;
    if (search && splits) {
      const use = ([name, wide, dashed]) => {
        pen.strokeStyle = colour(`var(--${name})`);
        pen.lineWidth = wide;
        pen.setLineDash(dashed ? [7, 5] : []);
      };
      for (const [lo, hi, style_of] of search.boxes) { use(style_of); box(lo, hi); }
      for (const [middle, radii, style_of] of search.balls) {
        use(style_of);
        const [x, y] = project(middle);
        pen.beginPath();
        pen.arc(x, y, scale * Math.max(...radii), 0, 7);
        pen.stroke();
      }
      for (const [from, to, , style_of] of search.segments) { use(style_of); polygon([from, to]); pen.stroke(); }
      pen.setLineDash([]);
      for (const [place, text, name] of search.labels) {
        const [x, y] = project(place);
        pen.fillStyle = colour(`var(--${name})`);
        pen.font = "bold 13px system-ui, sans-serif";
        pen.fillText(text, x + 8, y - 8);
      }
    }
  }
  const turn = (yaw, pitch) => {
    view = {yaw: view.yaw + yaw, pitch: Math.max(-1.5, Math.min(1.5, view.pitch + pitch))};
    draw();
  };
  let from = null, moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    from = [event.clientX, event.clientY];
    moved = 0;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!from) return;
    moved += Math.abs(event.clientX - from[0]) + Math.abs(event.clientY - from[1]);
    turn(-0.01 * (event.clientX - from[0]), 0.01 * (event.clientY - from[1]));
    from = [event.clientX, event.clientY];
  });
  canvas.addEventListener("pointercancel", () => { from = null; });
  canvas.addEventListener("pointerup", (event) => {
    from = null;
    if (moved > 6) return;
    const area = canvas.getBoundingClientRect(), x = event.clientX - area.left, y = event.clientY - area.top;
    let best = null, least = 20;
    for (const [px, py, , i] of screen) if (Math.hypot(px - x, py - y) < least) [best, least] = [i, Math.hypot(px - x, py - y)];
    if (best !== null) pick({points: best * picture.stride});
  });
  new ResizeObserver(draw).observe(canvas);
  canvas.redraw = draw;
  const button = (words, name, yaw, pitch) =>
    el("button", {type: "button", "aria-label": name, title: name, on: {click: () => turn(yaw, pitch)}}, words);
  return el("div", {}, canvas, el("div", {class: "turns"}, button("\u21ba", "Turn left", -0.25, 0),
    button("\u21bb", "Turn right", 0.25, 0), button("\u2191", "Look from above", 0, 0.25), button("\u2193", "Look from below", 0, -0.25),
    el("span", {class: "muted"}, "drag to turn")));
}

const picture_of = (picture, hidden) =>
  data.frames[picture.frame].flat ? flat_picture(picture, hidden) : solid_picture(picture, hidden);

// Questions: forms of answers as in walkthroughs/practice

const spaces = /[ \t\n\v\f\r]+/;
const normalised = (text) => text.split(spaces).filter((word) => word !== "").join(" ").replace(/[A-Z]/g, (c) => c.toLowerCase());
const read_whole = (word) => (/^\d+$/.test(word) && Number(word) <= 4294967295 ? Number(word) : null);
const read_number = (word) => (/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(word) && Number.isFinite(Number(word)) ? Number(word) : null);

function read_answer(expects, typed) {
  const words = normalised(expects.kind === "words" ? typed : typed.replaceAll(",", " "));
  const given = {kind: expects.kind};
  if (words === "") return null;
  switch (expects.kind) {
    case "words":
      return {...given, text: typed};
    case "split":
    case "number": {
      const number = read_number(words);
      if (number === null) return null;
      return expects.kind === "split" ? {...given, number, dimension: expects.dimension} : {...given, number};
    }
    case "choice": {
      const named = expects.texts.findIndex((text) => normalised(text) === normalised(typed));
      if (named >= 0) return {...given, choice: named};
      const number = read_whole(words);
      return number === null || number < 1 || number > expects.texts.length ? null : {...given, choice: number - 1};
    }
    default: {
      const elements = words.split(" ").map((word) => read_whole(expects.kind === "points" && word.length > 1 ? word.replace(/^p/, "") : word));
      if (elements.includes(null)) return null;
      return expects.kind === "cell" ? {...given, elements, row: expects.row} : {...given, elements};
    }
  }
}

function is_right(expects, given) {
  switch (expects.kind) {
    case "words":
      return expects.texts.some((text) => normalised(text) === normalised(given.text));
    case "split":
    case "number":
      return Math.abs(given.number - expects.number) <= expects.within;
    case "choice":
      return given.choice === expects.right;
    default: {
      const elements = given.elements.slice().sort((a, b) => a - b);
      return elements.length === expects.elements.length && elements.every((e, i) => e === expects.elements[i]);
    }
  }
}

const how_to_answer = {positions: "Type the positions, or select columns of the table.",
  points: "Type the points, such as p3 p7, or select them in the picture.",
  nodes: "Type the nodes, or select them in the tree.", cell: "Type the position, or select the cell of the table.",
  split: "Type the coordinate, or select a place in the picture.", number: "Type a number.",
  words: "Type a word.", choice: ""};

let answering = null;  // the form that clicks fill in

function question_of(step, index) {
  const question = step.questions[index], key = key_of(step, index), expects = question.expects;
  const attempt = kept.answers[key], done = is_done(attempt);
  const id = `answer-${index}`;
  const box = el("section", {class: "question", "data-question": index});
  const verdict = el("p", {class: "verdict", role: "status"});
  const end = (outcome, given, typed) => {
    const before = kept.answers[key];
    kept.answers[key] = {outcome, given, typed, hinted: Boolean(before && before.hinted), tries: (before ? before.tries : 0) + (given ? 1 : 0),
                         seconds: Math.floor(Date.now() / 1000)};
    keep();
    show(at, {focus: `[data-question="${index}"]`});
  };
  const check = (event) => {
    event.preventDefault();
    const chosen = box.querySelector("input:checked");
    const typed = expects.kind === "choice" ? (chosen ? chosen.value : "") : box.querySelector("input").value;
    const given = read_answer(expects, typed);
    if (!given) {
      verdict.textContent = expects.kind === "choice" ? "Choose one of the answers." : how_to_answer[expects.kind] || "Type an answer.";
      return;
    }
    end(is_right(expects, given) ? "right" : "wrong", given, typed);
  };
  const hint = () => {
    kept.answers[key] = {tries: 0, ...kept.answers[key], hinted: true, outcome: (attempt && attempt.outcome) || "wrong"};
    keep();
    show(at, {focus: `[data-question="${index}"]`});
  };
  box.append(el("h3", {}, step.questions.length > 1 ? `Question ${index + 1}` : "Question"), el("div", {html: question.text}));
  if (!done) {
    const typed = attempt && attempt.typed ? attempt.typed : "";
    const form = el("form", {on: {submit: check, focusin: () => { answering = {expects, form}; }}, autocomplete: "off"});
    if (expects && expects.kind === "choice") {
      form.append(el("fieldset", {}, el("legend", {class: "unseen"}, "Answers"), expects.texts.map((text, i) =>
        el("label", {}, el("input", {type: "radio", name: id, value: String(i + 1), checked: typed === String(i + 1)}), " " + text))));
    } else if (expects) {
      form.append(el("label", {for: id, class: "muted"}, how_to_answer[expects.kind]),
                  el("input", {id, type: "text", value: typed, inputmode: expects.kind === "words" ? "text" : undefined, autocapitalize: "off", spellcheck: "false"}));
    }
    const buttons = el("div", {class: "buttons"});
    if (expects) buttons.append(el("button", {class: "main"}, "Check"));
    if (question.hint) buttons.append(el("button", {type: "button", on: {click: hint}}, "Hint"));
    buttons.append(el("button", {type: "button", on: {click: () => end("revealed")}}, expects ? "Reveal" : "Show the answer"));
    if (expects || question.hides.length || question.hidden_rows.length)
      buttons.append(el("button", {type: "button", on: {click: () => end("skipped")}}, "Skip"));
    form.append(buttons);
    box.append(form);
    if (attempt && attempt.hinted) box.append(el("div", {class: "hint", html: question.hint}));
    if (attempt && attempt.given) verdict.textContent = `\u2717 Not right yet: ${attempt.typed}. Try again.`;
    if (expects && !answering) answering = {expects, form};
  } else {
    const words = {right: `\u2713 Right: ${attempt.typed}`, revealed: "Revealed", skipped: "Skipped"}[attempt.outcome];
    verdict.textContent = words;
    verdict.classList.add(attempt.outcome);
    if (attempt.outcome !== "skipped") box.append(el("div", {class: "answer", html: question.answer}));
    box.append(el("div", {class: "buttons"}, el("button", {type: "button", on: {click: () => {
      delete kept.answers[key];
      keep();
      show(at, {focus: `[data-question="${index}"]`});
    }}}, "Answer again"),
      attempt.outcome === "skipped" ? el("button", {type: "button", on: {click: () => end("revealed")}}, "Reveal") : null));
  }
  box.append(verdict);
  return box;
}

/// Takes a click on a column, cell, point, node or place as an answer, or else as a selection.
function pick(what) {
  const step = step_at(at), form = answering && answering.form.isConnected ? answering.form : null;
  const expects = form ? answering.expects : null, input = form ? form.querySelector("input[type=text]") : null;
  const toggle = (element) => {
    const words = input.value.split(/[ ,]+/).filter((word) => word !== "");
    const there = words.indexOf(String(element));
    if (there >= 0) words.splice(there, 1); else words.push(String(element));
    input.value = words.join(" ");
  };
  if (expects && input) {
    if (["positions", "points", "nodes"].includes(expects.kind) && what[expects.kind] !== undefined) return toggle(what[expects.kind]);
    if (expects.kind === "cell" && what.positions !== undefined && what.rows.includes(expects.row)) {
      input.value = String(what.positions);
      return;
    }
    if (expects.kind === "split" && what.places && what.places[expects.dimension] !== undefined) {
      input.value = String(Number(what.places[expects.dimension].toPrecision(4)));
      return;
    }
  }
  const chosen = what.points >= 0 ? {point: what.points} : what.nodes >= 0 ? {node: what.nodes}
    : what.positions >= 0 ? {column: what.positions, space: what.space} : {};
  selected = JSON.stringify(chosen) === JSON.stringify(selected) ? {} : chosen;
  if (step) show(at, {stay: true});
}

function picks_of(node, table) {
  const cell = node.closest("[data-column]");
  if (!cell) return null;
  const column = Number(cell.dataset.column), row = Number(cell.dataset.row), name = cell.parentElement.dataset.name;
  const of_row = data.rows[table.rows[row]];
  let index = 0;
  for (const [begin, end] of table.columns) {
    if (column >= begin && column < end) { index += column - begin; break; }
    index += end - begin;
  }
  const baked = cell_of(of_row.cells[index]);
  return {positions: table.space === "position" ? column : column, space: table.space, rows: [name, of_row.label, of_row.name],
          points: baked.point >= 0 ? baked.point : undefined,
          nodes: table.space === "node" ? column : row > 0 && baked.node >= 0 ? baked.node : undefined};
}

// The page

const app = document.getElementById("app");
const last = data.steps.length - 1;
const is_stop = (index) => index < 0 || step_at(index).stop !== undefined;

function next_stop(from, by) {
  for (let i = from + by; i >= -1 && i <= last; i += by) if (is_stop(i)) return i;
  return from;
}

const place = el("span", {class: "place", "aria-live": "polite"});
const button_for = (words, name, key, act) => el("button", {type: "button", "aria-label": name, "aria-keyshortcuts": key, title: `${name} (${key})`, on: {click: act}}, words);
const transport = {
  first: button_for("|\u25c0", "Beginning", "Home", () => show(-1)),
  stop_back: button_for("\u25c0\u25c0", "Previous stop", "PageUp", () => show(next_stop(at, -1))),
  back: button_for("\u25c0", "Step back", "Left", () => show(at - 1)),
  forward: button_for("\u25b6", "Step forward", "Right", () => show(at + 1)),
  stop_forward: button_for("\u25b6\u25b6", "Next stop", "PageDown", () => show(next_stop(at, 1))),
  last: button_for("\u25b6|", "Last step", "End", () => show(last))};
const words = el("section", {class: "words", "aria-label": "Narration"});
const figures = el("div", {class: "figures"});
const arrays = el("section", {class: "arrays", "aria-label": "Arrays"});
const questions = el("section", {class: "questions", "aria-label": "Questions"});
const stop_list = el("select", {"aria-label": "Go to a stop", on: {change: () => show(Number(stop_list.value))}},
  el("option", {value: -1}, "Introduction"));
data.steps.forEach((step, index) => {
  if (step.stop !== undefined) stop_list.append(el("option", {value: index}, `${step.stop + 1}. ${step.heading}`));
});

function save_answers() {
  const answers = [];
  for (const step of data.steps) (step.questions || []).forEach((question, index) => {
    const attempt = kept.answers[key_of(step, index)];
    if (attempt) answers.push({lesson: data.id, stop: step.heading, question: index, asked: question.asked, outcome: attempt.outcome,
                               given: attempt.given || null, typed: attempt.typed || "", hinted: attempt.hinted, tries: attempt.tries, seconds: attempt.seconds});
  });
  const text = JSON.stringify({format: "kdscope answers of a web page", version: 1, lesson: data.id, title: data.title, program: data.program, answers}, null, 1);
  const link = el("a", {download: `${data.id.replaceAll("/", "-")}-answers.json`, href: URL.createObjectURL(new Blob([text], {type: "application/json"}))});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  return text;
}
const said = el("span", {class: "muted", role: "status"});
const with_answers = el("input", {type: "checkbox"});
const more = el("details", {class: "more"}, el("summary", {}, "Answers, printing, legend"),
  el("div", {class: "buttons"},
    el("button", {type: "button", on: {click: save_answers}}, "Save my answers as a file"),
    el("button", {type: "button", on: {click: () => {
      if (!confirm("Erase all answers of this lesson on this device?")) return;
      kept = {answers: {}};
      keep();
      show(at);
    }}}, "Erase my answers"),
    el("button", {type: "button", on: {click: () => window.print()}}, "Print all stops"),
    el("label", {}, with_answers, " with answers"), said),
  el("dl", {class: "legend"},
    ...[["colour and shape", "stand for a subtree; a point, its cells in the arrays and its node in the tree share them"],
        ["strong outline", "the pivot of a segment, chosen by this step"],
        ["bold, underlined", "the value differs from the one before this step"],
        ["pale", "settled: in its final place"],
        ["line above an index", "dashed: read, single: written, double: compared by this step"],
        ["p7 and 7", "p7 is a point, numbered as in the input; 7 is a node or a position"],
        ["keys", "Left and Right: step; PageUp and PageDown: stop; Home and End: beginning and last step; Enter: check an answer"]]
      .flatMap(([term, sentence]) => [el("dt", {}, term), el("dd", {}, sentence)])));

const link_to = (link, text, rel) => (link ? el("a", {href: link.file, rel}, text) : null);
app.append(
  el("header", {}, link_to(data.links.index, "All lessons", "up"), link_to(data.links.previous, "\u2190 " + (data.links.previous || {}).title, "prev"), link_to(data.links.next, (data.links.next || {}).title + " \u2192", "next"), el("h1", {}, data.title), el("span", {class: "muted"}, data.source), stop_list),
  el("main", {}, words, el("div", {class: "state"}, figures, arrays), questions, more),
  el("nav", {class: "transport", "aria-label": "Steps"}, transport.first, transport.stop_back, transport.back, place, transport.forward, transport.stop_forward, transport.last));

const when_hidden = (what) => el("p", {class: "covered"}, `${what} is hidden until the question is answered.`);

/// The figures of a step, as they stand while its questions are open or done.
function figures_of(step, hidden) {
  const parts = [];
  if (step.picture !== undefined) {
    const picture = data.pictures[step.picture];
    parts.push(el("figure", {class: "picture-figure"}, picture_of(picture, hidden),
                  el("figcaption", {}, hidden.parts.has("splits") ? "Points; the splits are hidden until the question is answered" : "Points and splits" + (picture.note ? `. ${picture.note}` : ""))));
  }
  if (step.tree !== undefined) {
    const tree = data.trees[step.tree];
    if (hidden.parts.has("tree")) parts.push(el("figure", {class: "tree-figure"}, when_hidden("The tree")));
    else if (tree.count > 0)
      parts.push(el("figure", {class: "tree-figure"}, el("div", {class: "scrolls", tabindex: 0, role: "group", "aria-label": "Tree"}, tree_of(tree, hidden)),
                    tree_table(tree), el("figcaption", {}, "Tree so far")));
  }
  return parts;
}

function facts_of(step) {
  const box = [];
  const failed = step.checks.filter(([, passed]) => !passed);
  if (step.checks.length)
    box.push(el("details", {class: "checks", open: failed.length > 0}, el("summary", {}, failed.length ? `\u2717 ${plural(failed.length, "check does", "checks do")} not hold` : `\u2713 ${plural(step.checks.length, "check holds", "checks hold")}`),
      el("ul", {}, step.checks.map(([statement, passed, detail]) => el("li", {class: passed ? "passed" : "failed"}, `${passed ? "\u2713" : "\u2717"} ${statement}${passed || !detail ? "" : ": " + detail}`)))));
  return box;
}

function title_card() {
  const begin = el("button", {type: "button", class: "main", on: {click: () => show(next_stop(-1, 1))}}, "Begin");
  const facts = [data.aim, data.minutes ? plural(data.minutes, "minute", "minutes") : "", plural(data.stops, "stop", "stops"), data.left_out || ""].filter((text) => text);
  return [el("h2", {}, data.title), el("p", {class: "muted"}, data.source), el("ul", {class: "facts"}, facts.map((text) => el("li", {}, text))),
          data.builds_on.length ? el("p", {}, `Builds on: ${data.builds_on.join(", ")}`) : null, el("div", {html: data.introduction}), el("p", {}, begin),
          el("p", {class: "muted"}, `${data.algorithm}, ${data.data}. Made by ${data.program}; works without a network. Answers stay on this device.`)];
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
    words.replaceChildren(el("h2", {}, step.stop !== undefined ? step.heading : step.title),
      el("p", {class: "muted"}, step.stop !== undefined ? step.title : step.path.replaceAll(" / ", " \u203a ")),
      step.narration ? el("div", {html: step.narration}) : el("p", {}, "The next stop of the lesson comes later; this is a step on the way."), ...facts_of(step));
    figures.replaceChildren(...figures_of(step, hidden));
    questions.replaceChildren(...(step.questions || []).map((_, i) => question_of(step, i)));
    const tables = step.tables.map((id) => data.tables[id]);
    const chosen = Math.max(0, tables.findIndex((table, i) => (open_table ? table.space === open_table : i === step.open)));
    const box = el("div", {class: "scrolls", tabindex: 0, role: "group", "aria-label": "Table"});
    const tabs = tables.length < 2 ? null : el("div", {class: "tabs", role: "group", "aria-label": "Arrays by"}, tables.map((table, i) =>
      el("button", {type: "button", "aria-pressed": String(i === chosen), on: {click: () => { open_table = table.space; show(at, {stay: true}); }}}, `by ${table.space}`)));
    if (tables.length) {
      const table = tables[chosen];
      box.append(table_of(table, step, hidden));
      box.addEventListener("click", (event) => {
        const picked = picks_of(event.target, table);
        if (picked) pick(picked);
      });
      arrays.replaceChildren(...[tabs, box].filter((part) => part));
      if (how.stay) box.scrollLeft = scrolled.get(0) || 0;
    } else {
      arrays.replaceChildren(el("p", {class: "muted"}, "No array is written yet."));
    }
  }
  transport.first.disabled = transport.back.disabled = transport.stop_back.disabled = at < 0;
  transport.forward.disabled = transport.last.disabled = at === last;
  transport.stop_forward.disabled = next_stop(at, 1) === at;
  stop_list.value = is_stop(at) ? String(at) : "";
  said.textContent = keeps ? "" : "This browser keeps no answers for this page: save them as a file.";
  if (how.focus) {
    const box = questions.querySelector(how.focus), next = box && (box.querySelector("input") || box.querySelector("button"));
    if (next) next.focus({preventScroll: false});
  } else if (!how.stay) window.scrollTo(0, 0);
  if (!how.silent) try { history.replaceState(null, "", at < 0 ? "#" : `#step-${at}`); } catch { /* a file may have no history */ }
}

figures.addEventListener("click", (event) => {
  const node = event.target.closest(".node");
  if (node) pick({nodes: Number(node.dataset.node)});
});

const keys = {ArrowLeft: () => show(at - 1), ArrowRight: () => show(at + 1), PageUp: () => show(next_stop(at, -1)), PageDown: () => show(next_stop(at, 1)),
              Home: () => show(-1), End: () => show(last)};
document.addEventListener("keydown", (event) => {
  const writes = event.target.closest && event.target.closest("input[type=text], select, textarea, input[type=radio]");
  if (event.key === "Escape") { selected = {}; if (at >= 0) show(at, {stay: true}); return; }
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
  printed = el("div", {class: "print"}, el("h1", {}, data.title), el("p", {}, data.source), data.aim ? el("p", {}, data.aim) : null, el("div", {html: data.introduction}));
  data.steps.forEach((step) => {
    if (step.stop === undefined) return;
    const hidden = with_answers.checked ? {parts: new Set(), rows: new Set()} : hidden_at(step);
    const part = el("section", {}, el("h2", {}, `${step.stop + 1}. ${step.heading}`), el("div", {html: step.narration}), el("div", {class: "figures"}, figures_of(step, hidden)));
    if (step.tables.length) part.append(table_of(data.tables[step.tables[step.open]], step, hidden));
    step.questions.forEach((question, i) => {
      part.append(el("h3", {}, step.questions.length > 1 ? `Question ${i + 1}` : "Question"), el("div", {html: question.text}));
      const attempt = kept.answers[key_of(step, i)];
      if (attempt && attempt.typed) part.append(el("p", {}, `Given: ${attempt.typed} (${attempt.outcome})`));
      part.append(with_answers.checked ? el("div", {class: "answer", html: question.answer}) : el("p", {class: "room"}));
    });
    printed.append(part);
  });
  document.body.append(printed);
  for (const canvas of printed.querySelectorAll("canvas")) canvas.redraw();
}
window.addEventListener("beforeprint", prepare_print);
window.addEventListener("afterprint", () => { if (printed) printed.remove(); printed = null; });
// A change between light and dark needs new pixels on a canvas.
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (at >= 0) show(at, {stay: true}); });

const hash = /^#step-(\d+)$/.exec(location.hash);
show(hash ? Number(hash[1]) : -1, {silent: true});

// For tests of the page, which run its own code.
window.kdscope = {data, show, pick, read_answer, is_right, save_answers, prepare_print, at: () => at, forget: () => { kept = {answers: {}}; }};
})();
