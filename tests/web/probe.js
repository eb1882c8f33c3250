// Runs in a page: walks its steps by keys, answers its questions, and reports what a reader sees as JSON.
(() => {
  const page = window.kdscope, steps = page.data.steps;
  const report = {
    errors: [],
    width: innerWidth,
    too_wide: [],
    steps: [],
    same_backwards: true,
    questions: [],
    loaded: [],
    other_texts: [],
    texts: 0,
    tables_without_heads: [],
    turned: true,
    panes_chosen: true
  };
  document.addEventListener("securitypolicyviolation", (event) => report.loaded.push(event.blockedURI));
  window.addEventListener("error", (event) => report.errors.push(event.message));
  const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  const text_of = (cell) => (cell.firstChild ? cell.firstChild.nodeValue : "");
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  function read_table() {
    const table = document.querySelector(".arrays table");
    return {
      space: table.dataset.space,
      caption: table.caption.textContent,
      columns: all("thead th[scope=col]", table).map(text_of),
      rows: all("tbody tr", table)
                .map((row) => ({label: text_of(row.querySelector("th")), cells: all("td:not(.gap)", row).map(text_of)}))
    };
  }
  /// Compares the texts of panes with the data that the program baked.
  function check(what, shown, wanted) {
    ++report.texts;
    if (shown !== wanted && report.other_texts.length < 10) report.other_texts.push(`${what}: ${shown}, not ${wanted}`);
  }
  /// Whether a number is written with five digits.
  const rounds_to = (number, text) => Number(Number(number).toPrecision(5)) === Number(text);
  const height_of = (drawing) => document.querySelector(drawing).viewBox.baseVal.height;
  const drawn = new Set();
  function check_panes() {
    const step = steps[page.at()], state = page.state(), d = page.data;
    const pane = (name) => document.querySelector(`[data-pane=${name}]`);
    const texts = (from, selector) => all(selector, from).map((node) => node.textContent).join("|");
    if (!state) return;
    if (pane("histogram") && state.histogram)
      check(
          "histogram", texts(pane("histogram"), "td"),
          state.histogram
              .flatMap(
                  (id) => d.count_arrays[id].layers.flatMap(
                      ([, , rows]) => rows.flatMap((row) => d.texts[row])))
              .join("|"));
    if (pane("tree") && state.tree !== undefined) {
      const nodes = d.trees[state.tree].nodes.map((id) => d.nodes[id]);
      check("tree", texts(pane("tree"), ".as-table tbody th"), nodes.map(([number]) => number).join("|"));
      check("tree", texts(pane("tree"), ".as-table td:last-child"), nodes.map((node) => node[4].join("; ")).join("|"));
    }
    if (pane("candidates") && state.candidates) {
      const shown = d.candidates[state.candidates[0]];
      check(
          "candidates", texts(pane("candidates"), "[data-candidates] tbody th"),
          shown.tried.map(([where]) => where).join("|"));
      check(
          "candidates", texts(pane("candidates"), "[data-candidates] td:nth-of-type(2)"),
          shown.tried.map((c) => c[2]).join("|"));
      check(
          "sets", texts(pane("candidates"), "[data-candidates] td:nth-of-type(3)"),
          shown.tried
              .map(([, , , left, , bits]) => {
                const names = shown.primitives.filter((_, i) => bits[i] === "1")
                                  .map((id) => ((shown.of === "point" ? d.point_letter : d.triangle_letter) + id));
                return names.length ? `${left}: ${names.join(" ")}` : String(left);
              })
              .join("|"));
      check("sets", String(all("svg.sets title").length), String(shown.tried.length ? 6 + 2 * shown.tried.length : 1));
    }
    if (pane("coordinates") && state.coordinates !== undefined)
      check(
          "coordinates", String(all("polyline[data-id]", pane("coordinates")).length),
          String(d.coordinate_states[state.coordinates].points));
    if (pane("source") && state.run !== undefined) {
      check("code", texts(pane("source"), ".code .value"), d.runs[state.run].values.map((value) => value[2]).join("|"));
      check("code", String(all(".code [aria-current]", pane("source")).length), String(d.runs[state.run].lines.length));
    }
    const list = pane("view") && state.view !== undefined && d.pictures[state.view].list;
    if (list) {
      const marks = page.groups_of(list[2]).flat().find(({kind}) => kind === 6);
      check("view", String(all(".mark", pane("view")).length), String(marks.at.length / 2));
    }
    // The picture shows the texts of the table, its index last. On paper it may continue below, and loses nothing.
    for (const id of state.tables.filter((id) => !drawn.has(id))) {
      drawn.add(id);
      const table = d.tables[id], [width] = table.picture, bands = page.tables_on_paper(table, step);
      const cuts = d.clouds[table.cuts];
      const pictures = bands.map((band) => band.querySelector("svg.cells"));
      const parts = pictures.map((svg) => svg.getAttribute("viewBox").split(" ").map(Number));
      check(
          "paper", parts.map(([from]) => from).join(),
          [0, ...parts.map(([from, , wide]) => from + wide)].slice(0, -1).join());
      check("paper", String(parts.at(-1)[0] + parts.at(-1)[2]), String(width));
      check("paper", String(parts.every(([from]) => cuts.some((cut) => Math.abs(cut - from) < 40))), "true");
      const [index, ...rows] = table.rows.map((row) => d.rows[row]);
      const texts = [...rows, index].flatMap((row) => page.cells_of(row).map(([text]) => text).filter((text) => text));
      const texts_of = (drawing) =>
          all("svg.cells text", drawing).map((text) => text.textContent).filter((text) => text !== "\u2026");
      const shown = texts_of(page.table_picture(table, step));
      check(
          "arrays", shown.join("|"),
          texts.map((text, i) => (text.length > 10 || rounds_to(text, shown[i]) ? shown[i] : text)).join("|"));
      check("paper", bands.flatMap(texts_of).sort().join("|"), shown.sort().join("|"));
      if (bands.length > 1) report.continued = true;
    }
    for (const table of all("table"))
      if (!table.caption || all("thead th, tbody th", table).some((th) => !th.getAttribute("scope")))
        report.tables_without_heads.push(`step ${step.step}: ${table.textContent.slice(0, 60)}`);
  }
  function read() {
    const tabs = all(".tabs button").length, tables = [];
    for (let i = 0; i < Math.max(1, tabs); ++i) {
      if (tabs) all(".tabs button")[i].click();
      if (document.querySelector(".arrays table")) tables.push(read_table());  // a step may have none
    }
    if (document.documentElement.scrollWidth > innerWidth) report.too_wide.push(page.at());
    if (page.at() >= 0) check_panes();
    return {
      step: page.at() < 0 ? -1 : steps[page.at()].step,
      tables,
      heading: document.querySelector(".words h2").textContent,
      narration: document.querySelector(".words").textContent,
      nodes: all("svg.tree [data-id]").length,
      points: all("svg.picture .mark").length
    };
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
        if (page.state().covered.includes("tree"))
          seen.tree_before = {
            nodes: all("svg.tree [data-id]").length,
            levels: all("svg.tree text").some(
                (text) => text.textContent === "1" && Number(text.getAttribute("y")) < height_of(".panes svg.tree"))
          };
        const expects = question.expects;
        const answer = (text) => {
          const choices = all("input[type=radio]", box());
          if (choices.length)
            choices[Number(text) - 1].checked = true;
          else
            box().querySelector("input").value = text;
          box().querySelector("form").requestSubmit();
          return box().querySelector(".verdict").className.includes("right");
        };
        if (expects) {
          const right = {
            words: expects.texts[0],
            choice: String(expects.right + 1),
            number: String(expects.number),
            split: String(expects.number)
          }[expects.kind] ??
              expects.elements.join(" ");
          const wrong = {
            words: "no such word",
            choice: String(expects.right === 0 ? 2 : 1),
            number: String(expects.number + expects.within + 1),
            split: String(expects.number + expects.within + 1)
          }[expects.kind] ??
              "4000000000";
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
    // Show every pane by its key; then walk by keys alone, forwards and back.
    page.show(0);
    for (const button of all(".choice [data-choice]"))
      if (button.getAttribute("aria-pressed") === "false") press(button.getAttribute("aria-keyshortcuts"));
    if (all(".choice [data-choice][aria-pressed=false]").length) report.panes_chosen = false;
    steps.forEach((_, index) => {
      page.show(index);
      for (const button of all(".choice [data-choice][aria-pressed=false]"))
        document.querySelector(`.choice [data-choice=${button.dataset.choice}]`).click();
    });
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
    // A click on a set's bit selects the point or triangle of its column, and a second one ends that.
    const has_sets = (_, index) => {
      page.show(index);
      return document.querySelector("svg.sets");
    };
    if (steps.some(has_sets)) {
      const {of, primitives} = page.data.candidates[page.state().candidates[0]];
      const column = primitives.length - 1, id = primitives[column];
      const click = () => {
        const {left, top, width, height} = all("svg.sets [data-id]")[column].getBoundingClientRect();
        document.querySelector("svg.sets").dispatchEvent(new MouseEvent(
            "click", {bubbles: true, clientX: left + width / 2, clientY: top + height / 3}));
        return JSON.stringify(page.selected()) + all("svg.sets .selected").length;
      };
      check("selected", click(), JSON.stringify(of === "point" ? {point: id} : {column: id, space: of}) + 1);
      check("selected", click(), "{}0");
      report.sets_clicked = of;
    }
    // A picture in three dimensions turns by keys, and the page stays at its step.
    const canvas = document.querySelector("canvas"), before = page.at();
    if (canvas) {
      const seen = canvas.toDataURL();
      canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true}));
      report.turned = canvas.toDataURL() !== seen && page.at() === before;
    }
    report.loaded.push(...performance.getEntriesByType("resource").map((entry) => entry.name));
    report.saved = page.save_answers("Änne \"Q\" O'Neil");
  } catch (error) {
    report.errors.push(String(error.stack || error));
  }
  const text = JSON.stringify(report);
  if (window.parent !== window) window.parent.postMessage(text, "*");
})();
