// Paints display lists (visualizer/figure/display_list.hpp)

const text_size = 15;
const styled = (node, style) => (Object.assign(node.style, style), node);
function glyph_path(glyph, x, y, radius) {
  if (glyph === 0) return shape("circle", {cx: x, cy: y, r: radius});
  const corners = data.glyphs[glyph], points = [];
  for (let i = 0; i < corners.length; i += 2) points.push(`${x + radius * corners[i]},${y + radius * corners[i + 1]}`);
  return shape("polygon", {points: points.join(" ")});
}

const dashes = [undefined, "8 5", "2 4"];
const box_of = ([x, y, width, height, rx], out, more) => shape(
    "rect", {x: x - out, y: y - out, width: width + 2 * out, height: height + 2 * out, rx: rx && rx + out, ...more});
/// Painters of lines, circles, texts, boxes, polygons and rows of cells.
const painters = [
  (at, {dash}) => shape("polyline", {points: at.join(" "), "stroke-dasharray": dashes[dash]}),
  ([cx, cy, r], {id}) => shape("circle", {cx, cy, r, "data-id": id}),
  ([x, y], {text, anchor, bold, ground, size}) => styled(
      shape(
          "text", {
            x,
            y,
            "dominant-baseline": "central",
            class: ["", "middle", "end"][anchor] + (bold ? " strong" : "") + (ground ? " ground" : "")
          },
          text),
      {fontSize: size ? `${size}px` : ""}),
  (at, {id, dash}) => box_of(at, 0, {"data-id": id, "stroke-dasharray": dashes[dash]}),
  (at, {id}) => shape("polygon", {points: at.join(" "), "data-id": id}),
  ([x, y, width, height], {cells}) => {
    const each = width / cells.length;
    return shape(
        "g", {},
        cells.map(
            (cell, i) => cell < 0 ?
                null :
                styled(shape("rect", {x: x + i * each, y, width: each + 0.3, height}), {fill: ink(cell)})));
  }
];

/// The box around a circle or a small polygon.
function square_around(at, kind) {
  if (kind === 1) return [at[0] - at[2], at[1] - at[2], 2 * at[2], 2 * at[2], at[2]];
  const xs = at.filter((_, i) => i % 2 === 0), ys = at.filter((_, i) => i % 2), x = Math.min(...xs),
        y = Math.min(...ys);
  return [x, y, Math.max(...xs) - x, Math.max(...ys) - y, 2];
}

/// Paints a list. The items with the picked ids have a frame.
function display_list([width, height, groups], name, words, picked = []) {
  const drawing = shape("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", class: name, "aria-label": words});
  for (const group of groups)
    for (const [kind, at, colour, wide, dash, text, anchor, bold, ground, size, number, spoken, cells] of data
             .items[group]) {
      const id = number < 0 ? undefined : number;
      const item = painters[kind](at, {dash, text, anchor, bold, ground, size, id, cells});
      if (spoken) item.append(shape("title", {}, spoken));
      if (colour >= 0)
        styled(item, wide ? {fill: "none", stroke: ink(colour), strokeWidth: wide} : {fill: ink(colour)});
      drawing.append(item);
      if (id === undefined || !picked.includes(id)) continue;
      const bounds = item.tagName === "rect" ? at : square_around(at, kind);
      drawing.append(box_of(bounds, 4, {class: "selected"}));
    }
  return drawing;
}

// The tree

const states = ["open", "pivot", "settled", "empty"];
function tree_of(tree) {
  const picked = tree.nodes.map((id) => data.nodes[id])
                     .filter(
                         ([number, , , point]) =>
                             selected.node === number || (selected.point !== undefined && selected.point === point))
                     .map(([number]) => number);
  const drawing = display_list(tree.picture, "tree", `Tree so far: ${plural(tree.count, "node", "nodes")}`, picked);
  const width = tree.picture[0];
  return styled(drawing, {minWidth: `${Math.round(width > 640 ? width * 0.56 : 330)}px`});
}

/// The nodes as a table, for readers who do not see the picture.
const tree_table = (tree) => el(
    "details", {class: "as-table"}, el("summary", {}, "The tree as a table"),
    el("div", {class: "scrolls", tabindex: 0},
       el("table", {}, el("caption", {}, "Nodes of the tree so far; levels that are strips are left out"),
          el("thead", {},
             el("tr", {},
                ["node", "level", "state", "point", "what stands below it"].map(
                    (name) => el("th", {scope: "col"}, name)))),
          el("tbody", {},
             tree.nodes.map((id) => data.nodes[id])
                 .map(([number, level, state, point, lines]) => el("tr", {}, el("th", {scope: "row"}, String(number)), [
                        level, states[state], point < 0 ? "" : point_name(point), lines.join("; ")
                      ].map((text) => el("td", {}, String(text)))))))));
