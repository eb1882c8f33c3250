// The panes of a step: what a stop names is shown, and the reader may show others

const pane_titles = Object.fromEntries(data.panes.map(([name, title]) => [name, title]));
const pane_keys = Object.fromEntries(data.panes.map(([name, , key]) => [name, key]));
const when_hidden = (what) => el("p", {class: "covered"}, `${what}: hidden until the question is answered.`);

/// Whether a step has a pane at all.
function has_pane(name, step, state) {
  if (state.covered.includes(name) && name !== "inside") return name !== "source" || has_code(step);
  if (name === "arrays") return state.tables.length > 0;
  if (name === "source") return has_code(step);
  if (name === "inside") return step.inside !== undefined;
  return state[name] !== undefined;
}
const has_code = (step) => data.code.length > 0 || step.source !== undefined;

/// The names of the panes in sight, the most important first: those of the stop, then those that the reader added.
function panes_in_sight(step, state) {
  const chosen = kept.panes || {};
  return [...new Set([...step.panes, ...Object.keys(pane_titles)])].filter(
      (name) => pane_titles[name] && has_pane(name, step, state) && (chosen[name] ?? step.panes.includes(name)));
}

/// A pane as it stands on the page and on paper.
function pane_of(name, step, state, on_paper = false) {
  if (state.covered.includes(name))
    return (name === "tree" && tree_before(step)) ||
        el("section", {class: "pane", "data-pane": name, "aria-label": pane_titles[name]},
           when_hidden(pane_titles[name]));
  return {
    view: view_pane,
    tree: tree_pane,
    arrays: arrays_pane,
    histogram: histogram_pane,
    candidates: candidates_pane,
    coordinates: coordinates_pane,
    inside: inside_pane,
    source: source_pane
  }[name](step, state, on_paper);
}

const scrolling = (label, ...children) =>
    el("div", {class: "scrolls", tabindex: 0, role: "group", "aria-label": label}, children);

/// A table of texts or cells; the first of a row is its name. `chosen`: the number of a row.
const table_of = (caption, heads, rows, attributes, chosen) => el(
    "table", attributes, el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map((head) => el("th", {scope: "col"}, head)))),
    el("tbody", {},
       rows.map(
           ([name, ...cells], i) =>
               el("tr", {class: i === chosen ? "chosen" : undefined}, el("th", {scope: "row"}, name),
                  cells.map((cell) => (cell instanceof Element ? cell : el("td", {}, String(cell))))))));
/// A table for readers who do not see the picture above.
const words_table = (summary, caption, heads, rows, {open, chosen, ...attributes} = {}) => el(
    "details", {class: "as-table", open}, el("summary", {}, summary),
    scrolling(summary, table_of(caption, heads, rows, attributes, chosen)));

function view_pane(step, state) {
  const picture = data.pictures[state.view];
  const shown = picture.splits_hidden ? "; the splits are hidden until the question is answered" : " and splits";
  const notes = [picture.note, data.own ? own_hint() : ""].filter((note) => note);
  return el(
      "figure", {class: "pane", "data-pane": "view"}, picture_of(picture),
      el("figcaption", {}, (picture.triangles === undefined ? "Points" : "Triangles") + shown,
         notes.map((note, i) => `${i > 0 ? " " : ". "}${note}`),
         moves_points() && selected.point !== undefined ? [" ", remove_button()] : null));
}

function tree_pane(step, state) {
  const tree = data.trees[state.tree];
  if (tree.count === 0)
    return el(
        "section", {class: "pane muted", "data-pane": "tree", "aria-label": pane_titles.tree},
        "The tree has no node yet.");
  return tree_figure(tree, tree_of(tree), el("figcaption", {}, "Tree so far"));
}
const tree_figure = (tree, drawing, caption) => el(
    "figure", {class: "pane", "data-pane": "tree"}, scrolling(pane_titles.tree, drawing), tree_table(tree), caption);

/// The tree that a question leaves in place of the one it hides: that of the stop before or, at the first step, the
/// root alone, because the levels and the places of later nodes would answer it.
function tree_before(step) {
  const before = data.steps.findLast((each) => each.stop !== undefined && each.step < step.step) || data.steps[0];
  const tree = data.trees[state_of(before, true).tree], words = "hidden until the question is answered.";
  const caption = (text) => el("figcaption", {class: "covered"}, text);
  if (tree && before.step < step.step)
    return tree_figure(tree, tree_of(tree), caption(`The tree before. This one is ${words}`));
  if (!tree || tree.count !== 1 || step.step > 0) return null;
  return tree_figure(tree, root_of(tree, "The root of the tree"), caption(`The tree is ${words}`));
}

let open_table = null;  // space that the reader has chosen
function arrays_pane(step, state, on_paper) {
  const tables = state.tables.map((id) => data.tables[id]);
  const wanted = on_paper ? -1 : tables.findIndex((table) => table.space === open_table);
  const chosen = wanted >= 0 ? wanted : state.open, table = tables[chosen];
  const box = scrolling("Table", table_picture(table, step));
  box.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-id]");
    if (cell) pick(picks_of(Number(cell.dataset.id), table));
  });
  const tabs = tables.map(
      (each, i) =>
          el("button", {
            type: "button",
            "aria-pressed": String(i === chosen),
            on: {
              click: () => {
                open_table = each.space;
                show(at, {stay: true, focus: `.tabs button:nth-child(${i + 1})`});
              }
            }
          },
             `by ${each.space}`));
  return el(
      "section", {class: "pane arrays", "data-pane": "arrays", "aria-label": pane_titles.arrays},
      tables.length > 1 && !on_paper ? el("div", {class: "tabs", role: "group", "aria-label": "Arrays by"}, tabs) :
                                       null,
      on_paper ? tables_on_paper(table, step) : [box, table_words(table, step)]);
}

function histogram_pane(step, state) {
  const table_of_layer = (counts, [first, columns, rows], layer) => table_of(
      (counts.layer ? `${counts.layer} ${layer}: ` : "") + `one column per ${counts.column}, one row per ${counts.row}`,
      [counts.row, ...Array.from({length: columns}, (_, i) => first + i)],
      rows.map((row, r) => [counts.first_row + r, ...data.texts[row]]));
  const table_of_counts = (counts) => el(
      "details", {class: "as-table"}, el("summary", {}, "The counts as a table"),
      scrolling(counts.label, counts.layers.map((layer, i) => table_of_layer(counts, layer, i))));
  const picture_of_counts = ({label, picture}) => scrolling(
      label, styled(display_list(picture, "counts", `${label}: the table below has the numbers`), {
        width: `${Math.round(picture[0])}px`
      }));
  return el(
      "section", {class: "pane histogram", "data-pane": "histogram", "aria-label": pane_titles.histogram},
      state.histogram.map((id) => {
        const counts = data.count_arrays[id];
        return el(
            "div", {"data-counts": id}, el("h3", {}, counts.label),
            counts.picture ? [picture_of_counts(counts), table_of_counts(counts)] : null,
            counts.left_out ? el("p", {class: "muted"}, `${counts.layer}: ${counts.left_out} more left out`) : null);
      }));
}

let looked_at = {};  // by stop: the interval that the reader has chosen
/// What every lane of a block or warp read and wrote, interval by interval, from the recording beside the lesson.
function inside_pane(step, state, on_paper) {
  const pane = {class: "pane inside", "data-pane": "inside", "aria-label": pane_titles.inside};
  if (!step.lanes || step.lanes.missing)
    return el(
        "section", pane,
        el("p", {class: "muted"},
           `What every lane reads and writes here (${step.inside}) is shown in kdscope's window: open the lesson ` +
               `${data.id} there, and press Shift+I at this step.` +
               (step.lanes ? ` This page has no recording of it: ${step.lanes.missing}` : "")));
  const {launch, intervals, open} = step.lanes;
  const chosen = on_paper ? open : looked_at[step.stop] ?? open, sheet = data.lanes[intervals[chosen]];
  const move = (by, sign, label) => el("button", {
    type: "button",
    "aria-label": label,
    disabled: chosen + by < 0 || chosen + by >= intervals.length,
    on: {
      click: () => {
        looked_at[step.stop] = chosen + by;
        show(at, {stay: true, focus: `[data-pane=inside] button:${by < 0 ? "first" : "last"}-of-type`});
      }
    }
  },
                                       sign);
  const left_out = [
    sheet.lanes_left_out ? `${plural(sheet.lanes_left_out, "lane", "lanes")} more` : "",
    sheet.columns_left_out ? `${plural(sheet.columns_left_out, "access", "accesses")} of each lane more` : ""
  ].filter((text) => text);
  return el(
      "section", pane, el("p", {class: "muted"}, launch),
      el("p", {class: "tabs"}, on_paper ? null : move(-1, "\u25c0", "Interval before"),
         el("strong", {}, sheet.place), on_paper ? null : move(1, "\u25b6", "Interval after")),
      sheet.rows.length === 0 ?
          el("p", {}, "No lane reads or writes memory here.") :
          scrolling(
              "Lanes",
              table_of(
                  "one row per lane, one column per access: [index] read, <- written, +> left by an atomic " +
                      "operation; empty where the lane did not come by",
                  ["lane", ...sheet.columns.map(([line, array]) => [line, el("br"), array])],
                  sheet.rows.map(
                      ([lane, cells]) =>
                          [lane, ...cells.map((text) => el("td", {class: text ? null : "idle"}, text))]))),
      left_out.length ? el("p", {class: "muted"}, `left out: ${left_out.join(", ")}`) : null);
}

let open_node = null;  // whose candidates the reader has chosen
function candidates_pane(step, state, on_paper) {
  const nodes = state.candidates.map((id) => data.candidates[id]);
  const shown = nodes.find((each) => each.node === open_node && !on_paper) || nodes[0];
  const choice =
      el("select", {
        "aria-label": "Node",
        on: {
          change: (event) => {
            open_node = Number(event.target.value);
            show(at, {stay: true, focus: "[data-pane=candidates] select"});
          }
        }
      },
         nodes.map((each) => el("option", {value: each.node, selected: each === shown}, `node ${each.node}`)));
  return el(
      "section", {class: "pane candidates", "data-pane": "candidates", "aria-label": pane_titles.candidates},
      nodes.length > 1 && !on_paper ? choice : null,
      el("p", {}, shown.headline + (shown.step < step.step ? ` As step ${shown.step} evaluated it.` : "")),
      shown.costs ? scrolling("Costs", display_list(shown.costs, "costs", costs_words)) : null,
      shown.tried.length ? candidate_table(shown) : null,
      shown.sets ? scrolling("Sets", sets_picture(shown)) : null);
}

const costs_words = "Cost of every candidate over its position; the table below has the numbers";
/// The sets, no larger than the texts around them. A click selects the point or triangle of a column.
function sets_picture({sets, of, root, node, primitives}) {
  const words = `One column per ${of} of small root ${root}, one row per set; struck-out bits are not in node ` +
      `${node}. The table above has the same sets.`;
  const is_selected = (id) =>
      of === "point" ? selected.point === id : selected.space === of && selected.column === id;
  const picked = primitives.flatMap((id, column) => (is_selected(id) ? [column] : []));
  const drawing = display_list(sets, "sets", words, picked);
  drawing.addEventListener("click", (event) => {
    const {x, y} = at_pixel(drawing.getScreenCTM().inverse(), event), id = primitives[drawing.hit(x, y, 0)];
    pick(of === "point" ? {points: id} : {column: id, space: of, rows: []});
  });
  return styled(
      drawing, {width: `${sets[0]}px`, maxWidth: "100%", minWidth: `${Math.round(0.7 * sets[0])}px`});
}
function candidate_table({node, costs, leaf, tried, chosen, of, primitives}) {
  const name_of = of === "point" ? point_name : triangle_name;
  const side = (count, bits) =>
      [count, ...primitives.filter((_, i) => bits[i] === "1").map((id) => name_of(id))].join(" ").replace(" ", ": ");
  return words_table(
      "The candidates as a table", `Candidates of node ${node}${leaf ? `; a leaf costs ${leaf}` : ""}`,
      ["split at", "candidate", "cost", "left", "right", aside("chosen")],
      tried.map(([where, number, cost, left, right, of_left, of_right], i) => [
        where, number, cost, side(left, of_left), side(right, of_right), i === chosen ? "chosen" : ""
      ]),
      {open: !costs, chosen, "data-candidates": node});
}

function coordinates_pane(step, state) {
  const shown = data.coordinate_states[state.coordinates], {list, splits} = shown;
  const words = `${plural(shown.points, "point", "points")} as lines over ${plural(shown.axes, "axis", "axes")}. The ` +
      "arrays have the numbers.";
  const drawing = display_list(list, "coordinates", words, selected.point === undefined ? [] : [selected.point]);
  styled(drawing, {minWidth: `${Math.round(Math.max(330, list[0] * 0.55))}px`});
  drawing.addEventListener("click", (event) => {
    const line = event.target.closest("[data-id]");
    if (line) pick({points: Number(line.dataset.id)});
  });
  return el(
      "figure", {class: "pane", "data-pane": "coordinates"},
      scrolling(pane_titles.coordinates, drawing), el("figcaption", {}, [
        "One line per point, one axis per dimension.", shown.note,
        splits.length ? `Splits: ${splits.slice(0, 8).join("; ")}${splits.length > 8 ? "; \u2026" : ""}.` : ""
      ].filter((words) => words).join(" ")));
}

/// The pseudo-code with what runs and its values, and the source of the step.
function source_pane(step, state) {
  const run = state.run === undefined ? null : data.runs[state.run], parts = [];
  if (run) {
    const last = run.lines.length ? run.lines[run.lines.length - 1] : -1;
    const value_after = (line, piece) => {
      const value = run.values.find(([of_line, of_piece]) => of_line === line && of_piece === piece);
      return value ? [" ", el("span", {class: "value"}, value[2])] : null;
    };
    parts.push(el("ol", {class: "code", "aria-label": "Pseudo-code"}, data.code.map(([number, indent, pieces], i) => {
      const runs = run.lines.includes(i);
      return el(
          "li", {
            value: number,
            class: runs ? "runs" : undefined,
            "aria-current": runs ? "step" : undefined,
            style: `padding-left:${0.4 + 1.1 * indent}em`
          },
          pieces.map((piece, k) => [piece, value_after(i, k)]), runs ? aside(" (runs)") : null,
          i === last && run.facts ? el("div", {class: "muted"}, run.facts) : null);
    })));
  }
  if (step.source !== undefined) {
    const {file, first, lines} = data.sources[step.source];
    parts.push(
        el("details", {open: !run}, el("summary", {}, `${file}, from line ${first}`),
           scrolling(
               "Source",
               el("pre", {},
                  el("code", {}, lines.map((line, i) => `${String(first + i).padStart(4)}  ${line}`).join("\n"))))));
  }
  return el("section", {class: "pane source", "data-pane": "source", "aria-label": pane_titles.source}, parts);
}

/// Buttons that show and hide panes.
function pane_choice(step, state) {
  const in_sight = panes_in_sight(step, state);
  const there = Object.keys(pane_titles).filter((name) => has_pane(name, step, state));
  if (there.length < 2) return null;
  const choose = (name) => {
    kept.panes = {...kept.panes, [name]: !in_sight.includes(name)};
    keep();
    show(at, {stay: true, focus: `.choice [data-choice=${name}]`});
  };
  return el(
      "div", {class: "choice", role: "group", "aria-label": "Panes"},
      there.map(
          (name, i) =>
              el("button", {
                type: "button",
                "data-choice": name,
                "aria-pressed": String(in_sight.includes(name)),
                "aria-keyshortcuts": pane_keys[name],
                on: {click: () => choose(name)}
              },
                 pane_titles[name])),
      kept.panes && Object.keys(kept.panes).length ? el("button", {
        type: "button",
        class: "plain",
        on: {
          click: () => {
            delete kept.panes;
            keep();
            show(at, {stay: true, focus: ".choice button"});
          }
        }
      },
                                                        "As the lesson chooses") :
                                                     null);
}
