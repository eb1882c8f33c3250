// Runs in a page with its engine: moves, adds and removes points of one's own as a reader does, and reports what the
// page shows as JSON.
(async () => {
  const page = window.kdscope, report = {errors: [], loaded: [], runs: []};
  document.addEventListener("securitypolicyviolation", (event) => report.loaded.push(event.blockedURI));
  window.addEventListener("error", (event) => report.errors.push(event.message));
  window.addEventListener("unhandledrejection", (event) => report.errors.push(String(event.reason)));
  // Messages keep the page busy: idle, it would pass over the time that the engine takes to start.
  const {port1, port2} = new MessageChannel();
  const turn = () => new Promise((done) => {
    port1.onmessage = done;
    port2.postMessage(0);
  });
  async function until(what, holds) {
    for (let i = 0; i < 2e6; ++i) {
      if (holds()) return;
      await turn();
    }
    throw new Error("in vain: " + what);
  }
  const all = (selector) => [...document.querySelectorAll(selector)];
  const picture = () => document.querySelector("svg.picture");
  const said = () => document.querySelector(".own-panel [role=status]").textContent;
  const note = (what) => report.runs.push({
    what,
    hash: page.data.hash,
    points: page.data.points.map((point) => point.join(",")).join("\n"),
    marks: all("svg.picture .mark").length,
    nodes: all("svg.tree [data-id]").length,
    step: page.at(),
    said: said(),
    link: location.hash
  });
  const at = (share_x, share_y) => {
    const area = picture().getBoundingClientRect();
    return {
      bubbles: true,
      cancelable: true,
      pointerId: 1,
      button: 0,
      clientX: area.left + share_x * area.width,
      clientY: area.top + share_y * area.height
    };
  };

  try {
    if (location.hash.startsWith("#own=")) {
      const panel = document.querySelector(".own-panel");
      await until("the link opens", () => page.data.own || panel.textContent);
      if (page.data.own) note("the link");
      report.panel = panel.textContent;
    } else {
      all("header button").find((button) => button.textContent === "Own points").click();
      await until("the engine starts", () => page.data.own);
      note("as in the lesson");
      picture().dispatchEvent(new MouseEvent("click", at(0.55, 0.4)));
      note("a click");
      const mark = document.querySelector(".picture [data-id='10']"), place = mark.getBoundingClientRect();
      const middle = {clientX: place.left + place.width / 2, clientY: place.top + place.height / 2};
      const before = page.data.hash;
      mark.dispatchEvent(new PointerEvent("pointerdown", {...at(0, 0), ...middle}));
      window.dispatchEvent(new PointerEvent("pointermove", {...at(0.3, 0.7)}));
      await until("the tree follows", () => page.data.hash !== before);
      window.dispatchEvent(new PointerEvent("pointerup", at(0.3, 0.7)));
      await until("the form follows", () => all(".own-panel textarea")[0].value === page.data.points.map(
          (point) => point.join(",")).join("\n"));
      note("a way of a point");
      page.pick({points: 10});
      document.dispatchEvent(new KeyboardEvent("keydown", {key: "Delete", bubbles: true}));
      note("Delete");
      const undo = () => document.dispatchEvent(
          new KeyboardEvent("keydown", {key: "z", ctrlKey: true, bubbles: true, cancelable: true}));
      undo();
      note("Undo");
      undo();
      note("Undo of the way");
      const use = (text) => {
        all(".own-panel textarea")[0].value = text;
        document.querySelector(".own-panel [name=use]").click();
      };
      use("x,y\n1,2\n3,x\n");
      note("a bad file");
      use("x,y\n1,2\n3,4\n5,0.5\n");
      note("a good file");
      const algorithm = document.querySelector(".own-panel [name=algorithm]");
      algorithm.value = "textbook";
      algorithm.dispatchEvent(new Event("change"));
      note("another algorithm");
      document.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true}));
      note("a step back");
      const source = () => document.querySelector("[data-pane=source] pre").textContent;
      if (!document.querySelector("[data-pane=source]")) document.querySelector("[data-choice=source]").click();
      report.source = source();
      const choose = (name, value) => {
        const field = document.querySelector(`.own-panel [name=${name}]`);
        field.focus();
        field.value = value;
        field.dispatchEvent(new Event("change"));
        if (document.activeElement.name !== name) report.errors.push(`the focus leaves ${name}`);
      };
      const details = () => all(".own-panel details").find((each) => each.textContent.startsWith("As text"));
      details().open = true;
      choose("algorithm", "wald");
      if (!details().open) report.errors.push("an open part of the form closes");
      choose("search", "stack-free");
      picture().dispatchEvent(new MouseEvent("click", at(0.5, 0.5)));
      report.search = page.data.request.search;
      note("a query");
      // The words of a search that found the nearest point name it.
      report.found = document.querySelector(".words").textContent;
      choose("search", "");
      choose("beside", "rank");
      await until("the other algorithm stands beside", () => all(".beside svg.tree").length);
      const {hash: other, count} = page.beside(), in_both = (what) => all(what).length / all(".beside " + what).length;
      report.beside = {hash: other, count, own: page.data.hash, both: in_both("svg.tree") + in_both("svg.picture")};
      choose("beside", "");
      await until("it is gone", () => !all(".beside").length);
      Math.random = () => 0.45;  // the same questions in every run
      all(".own-panel button").find((button) => button.textContent === "Another one like this").click();
      const {hash, request, stops} = page.data;
      report.practice = {hash, data: request.data, stops, right: 0, asked: 0};
      page.data.steps.forEach((step, index) => (step.questions || []).forEach((question, number) => {
        page.show(index);
        const box = () => document.querySelector(`[data-question="${number}"]`);
        const expects = question.expects;
        const typed = {
          words: (expects.texts || [])[0],
          choice: String(expects.right + 1),
          number: String(expects.number),
          split: String(expects.number)
        }[expects.kind] ?? expects.elements.join(" ");
        if (expects.kind === "choice")
          box().querySelectorAll("input[type=radio]")[Number(typed) - 1].checked = true;
        else
          box().querySelector("input").value = typed;
        box().querySelector("form").requestSubmit();
        ++report.practice.asked;
        report.practice.right += box().querySelector(".verdict").classList.contains("right");
      }));
      // A step is performed by keys: the first write is wrong, and what comes next is out of reach.
      page.show(0);
      document.querySelector(".own-panel [name=kernel]").click();
      const field = () => document.querySelector(".kernel input");
      const verdict = () => document.querySelector(".kernel .verdict");
      const write = (text) => {
        field().focus();
        field().value = text;
        field().dispatchEvent(new Event("change"));
        document.querySelector(".kernel").requestSubmit();
      };
      report.kernel = {cells: all(".kernel input").length, task: document.querySelector(".kernel").textContent};
      page.show(page.data.steps.length - 1);
      Object.assign(report.kernel, {at: page.at(), last: page.data.steps.length - 1});
      write("77777");
      report.kernel.finding = verdict().textContent;
      const button = (words) => all(".kernel button").find((each) => each.textContent === words);
      button("Hint").click();
      report.kernel.hint = document.querySelector(".kernel .hint").textContent;
      while (button("Show this one")) button("Show this one").click();
      report.kernel.complete = verdict().textContent;
      button("Leave").click();
      report.kernel.left = !document.querySelector(".kernel");
      // Every builder, on points with ties or on triangles.
      let random = 45 + innerWidth;
      const draw = (below) => (random = (random * 48271) % 2147483647) % below;
      report.trees = [];
      for (const {id, triangles} of page.ask_engine({ask: "builders"}).builders)
        for (let set = 0; set < 5; ++set) {
          const row = () => `${draw(7)},${draw(7)}${set % 2 ? "" : ".5"}`;
          const points = Array.from({length: 1 + draw(50)}, row).join("\n");
          const data = triangles ? {data: `triangles:n=${3 + draw(30)},seed=${set}`} : {points};
          const {hash} = page.ask_engine({ask: "run", algorithm: id, ...data});
          report.trees.push({algorithm: id, ...data, hash});
        }
      // Long work is done in a worker, whose states come later; it can be cancelled.
      choose("data", "uniform");
      choose("dim", "2");
      choose("n", "5000");
      await until("the worker records", () => page.data.count === 5000 && page.data.baked === page.at());
      report.far = {hash: page.data.hash, data: page.data.request.data, marks: all("svg.picture .mark").length};
      const there = page.at();
      document.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true}));
      await until("the worker bakes", () => page.at() === there - 1);
      report.far.place = document.querySelector(".place").textContent;
      report.far.source = source();
      report.far.step = page.at();
      choose("algorithm", "rank");
      all(".own-panel button").find((button) => button.textContent === "Cancel").click();
      await until("the run before is there again", () => said() === "Cancelled." && page.data.baked === page.at());
      report.far.after_cancel = page.data.hash;
      report.saved = page.save_answers("Ada");
      all("header button").find((button) => button.textContent === "Own points").click();
      report.lesson_again = !page.data.own && page.data.steps.length > 0 && page.data.title !== "";
    }
    report.width = innerWidth;
    report.too_wide = document.documentElement.scrollWidth > innerWidth;
    report.loaded.push(...performance.getEntriesByType("resource")
                           .map((entry) => entry.name)
                           .filter((name) => !name.startsWith("data:") && !name.startsWith("blob:")));
  } catch (error) {
    report.errors.push(String(error.stack || error));
  }
  const text = JSON.stringify(report);
  if (window.parent !== window) window.parent.postMessage(text, "*");
})();
