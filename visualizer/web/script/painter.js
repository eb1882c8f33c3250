// Paints display lists (visualizer/figure/display_list.hpp)

const styled = (node, style) => (Object.assign(node.style, style), node);
function glyph_path(glyph, x, y, radius) {
  if (glyph === 0) return shape("circle", {cx: x, cy: y, r: radius});
  const corners = data.glyphs[glyph], points = [];
  for (let i = 0; i < corners.length; i += 2) points.push(`${x + radius * corners[i]},${y + radius * corners[i + 1]}`);
  return shape("polygon", {points: points.join(" ")});
}

const dashes = [undefined, "8 5", "2 4", "8 4 2 4"];
const box_of = ([x, y, width, height, rx], out, more) => shape(
    "rect", {x: x - out, y: y - out, width: width + 2 * out, height: height + 2 * out, rx: rx && rx + out, ...more});
/// Numbers of which many neighbours are equal; they are stored as number, count, ...
function numbers_of(list) {
  const runs = data.mark_lists[list], numbers = [];
  for (let i = 0; i < runs.length; i += 2)
    for (let k = 0; k < runs[i + 1]; ++k) numbers.push(runs[i]);
  return numbers;
}
/// Colours and glyphs of marks, and whether they are faint.
const looks_of = (list) => numbers_of(list).map((mark) => data.marks[mark]);
/// The groups of a list's places: items with their corners where they stand, ids and texts.
function groups_of(places) {
  const to = (value) => Math.round(100 * value) / 100;
  const group_at = (look, left, top, id, words = "") => data.looks[look].map(([kind, corners, ...more], i) => {
    const moves_all = kind === 0 || kind === 4, shared = typeof corners === "number";
    const at = shared ? data.clouds[corners] :
                        corners.map((x, k) => (k > 1 && !moves_all ? x : to(x + (k % 2 ? top : left))));
    const [colour, wide = 0, text = "", anchor = 0, size = 0, bold, ground, dash = 0, spoken, cells = [], stride = 1,
           angle = 0] = more;
    const item = {kind, at, colour, wide, anchor, size, bold, ground, dash, spoken, cells, stride, angle};
    return {...item, id: i === 0 && id >= 0 ? id : undefined, text: text === 0 ? words : text};
  });
  return places.map((place) => data.places[place])
      .flatMap(([left, top, look, id = -1, words, right, down = 0, ids = 0]) => {
        if (right === undefined) return [group_at(look, left, top, id, words)];
        const texts = data.texts[words];
        return numbers_of(look).map(
            (each, i) => group_at(each, left + i * right, top + i * down, id + i * ids, texts[i]));
      });
}
/// Painters of lines, circles, texts, boxes, polygons, rows of cells and marks.
const painters = [
  (at, {id, dash}) => shape("polyline", {points: at.join(" "), "data-id": id, "stroke-dasharray": dashes[dash]}),
  ([cx, cy, r], {id}) => shape("circle", {cx, cy, r, "data-id": id}),
  ([x, y], {text, anchor, bold, ground, size, angle}) => shape(
      "text", {
        x,
        y,
        transform: angle ? `rotate(${angle} ${x} ${y})` : undefined,
        "dominant-baseline": "central",
        "font-size": size || undefined,
        class: ["", "middle", "end"][anchor] + ["", " strong", " rim", " strong rim"][bold || 0] +
                   (ground ? " ground" : "")
      },
      text),
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
  },
  (at, {cells, id, size, stride}) => shape(
      "g", {class: "marks"},
      looks_of(cells).map(([colour, glyph, faint], i) => {
        const mark = glyph_path(glyph, at[2 * i], at[2 * i + 1], size);
        mark.setAttribute("class", "mark");
        if (id !== undefined) mark.dataset.id = id + i * stride;
        return styled(mark, faint ? {fill: ink(colour), stroke: ink(colour)} : {fill: ink(colour)});
      }))
];

/// Where the ids of an item are: [id, x, y, half the width, half the height, radius of the corners].
function places_of({kind, at, size, id, stride}) {
  if (id === undefined || kind === 0 || stride === 0) return [];  // lines are picked by themselves
  if (kind === 6)
    return at.flatMap((x, i) => (i % 2 ? [] : [[id + i / 2 * stride, x, at[i + 1], size, size, size]]));
  if (kind === 1) return [[id, at[0], at[1], at[2], at[2], at[2]]];
  if (kind === 3) return [[id, at[0] + at[2] / 2, at[1] + at[3] / 2, at[2] / 2, at[3] / 2, at[4]]];
  const [[x0, x1], [y0, y1]] = [0, 1]
                                   .map((odd) => at.filter((_, i) => i % 2 === odd))
                                   .map((all) => [Math.min(...all), Math.max(...all)]);
  return [[id, (x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2, (y1 - y0) / 2, 2]];
}

/// Paints a list, or those of its groups that are `wanted`. The items with the picked ids have a frame.
/// drawing.hit(x, y, reach) is the id nearest to a place.
function display_list([width, height, list], name, words, picked = [], wanted = () => true) {
  const drawing = shape("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", class: name, "aria-label": words});
  const places = [], frames = [];
  for (const group of groups_of(list).filter(wanted))
    for (const item of group) {
      const {kind, at, colour, wide, size, spoken, id} = item, painted = painters[kind](at, item);
      if (spoken) painted.append(shape("title", {}, spoken));
      if (kind === 6)
        fill_in(painted, wide ? {stroke: ink(colour), "stroke-width": wide} : {}, []);
      else if (colour >= 0)  // attributes, because styles of many elements take time
        fill_in(painted, wide ? {fill: "none", stroke: ink(colour), "stroke-width": wide} : {fill: ink(colour)}, []);
      drawing.append(painted);
      if (kind === 0 && picked.includes(id))
        frames.push(shape("polyline", {points: at.join(" "), class: "selected"}));
      for (const place of places_of(item)) {
        places.push(place);
        const [of, x, y, half_wide, half_high, round] = place, out = kind === 6 ? 10 : 4;
        if (picked.includes(of))
          frames.push(box_of(
              [x - half_wide, y - half_high, 2 * half_wide, 2 * half_high, round], out, {class: "selected"}));
      }
    }
  drawing.append(...frames);
  drawing.hit = (x, y, reach) => {
    let best, nearest = Infinity;
    for (const [id, place_x, place_y, half_wide, half_high] of places) {
      const dx = Math.abs(place_x - x), dy = Math.abs(place_y - y), away = Math.hypot(dx, dy);
      if (away < nearest && Math.max(dx - half_wide, dy - half_high) < Math.max(reach, 1e-9))
        [best, nearest] = [id, away];
    }
    return best;
  };
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
  const words = `Tree so far: ${plural(tree.count, "node", "nodes")}`;
  // The root alone needs no room for the nodes to come.
  if (tree.count === 1) return root_of(tree, words, picked);
  const drawing = display_list(tree.picture, "tree", words, picked);
  return styled(drawing, {minWidth: `${Math.round(tree.picture[0] * 0.56)}px`});
}
function root_of({picture}, words, picked) {
  const [width, , list] = picture, [{at: [x, y]}] = groups_of(list).find(([item]) => item.id !== undefined);
  const wide = Math.min(width, 480), left = Math.min(Math.max(0, x - wide / 2), width - wide);
  return part_of(picture, [left, 0, wide, y + 70], "tree", words, picked);
}

const tree_table = (tree) => words_table(
    "The tree as a table", "Nodes of the tree so far; levels that are strips are left out",
    ["node", "level", "state", "point", "what stands below it"],
    tree.nodes.map((id) => data.nodes[id])
        .map(
            ([number, level, state, point, lines]) =>
                [number, level, states[state], point < 0 ? "" : point_name(point), lines.join("; ")]));
