// The questions of a stop, and clicks that answer them

let answering = null;  // the form that clicks fill in

/// What was given, in words.
const given_words = (question, attempt) => question.expects && question.expects.kind === "choice" && attempt.given ?
    question.expects.texts[attempt.given.choice] :
    attempt.typed;

function question_of(step, index) {
  const question = step.questions[index], key = key_of(step, index), expects = question.expects;
  const attempt = kept.answers[key], done = is_done(attempt);
  const id = `answer-${index}`;
  const box = el("section", {class: "question", "data-question": index});
  const verdict = el("p", {class: "verdict", role: "status"});
  const end = (outcome, given, typed) => {
    const before = kept.answers[key];
    const hinted = Boolean(before && before.hinted), seconds = Math.floor(Date.now() / 1000);
    kept.answers[key] = {outcome, given, typed, hinted};
    // Every attempt counts for whoever grades, in its order.
    kept.attempts = [
      ...(kept.attempts || []).slice(-9999),
      {
        lesson: data.own ? "" : data.id,
        stop: question.stop || step.heading,
        question: index,
        asked: question.asked,
        outcome,
        given,
        hinted,
        seconds
      }
    ];
    keep();
    show(at, {focus: `[data-question="${index}"]`});
  };
  const check = (event) => {
    event.preventDefault();
    const chosen = box.querySelector("input:checked");
    const typed = expects.kind === "choice" ? (chosen ? chosen.value : "") : box.querySelector("input").value;
    const given = read_answer(expects, typed);
    if (!given) {
      verdict.textContent =
          expects.kind === "choice" ? "Choose one of the answers." : how_to_answer[expects.kind] || "Type an answer.";
      return;
    }
    end(is_right(expects, given) ? "right" : "wrong", given, typed);
  };
  const hint = () => {
    kept.answers[key] = {...kept.answers[key], hinted: true, outcome: (attempt && attempt.outcome) || "wrong"};
    keep();
    show(at, {focus: `[data-question="${index}"]`});
  };
  const show_answer_button = () =>
      el("button", {type: "button", on: {click: () => end("revealed")}}, "Show the answer");
  box.append(
      el("h3", {}, step.questions.length > 1 ? `Question ${index + 1}` : "Question"), el("div", {html: question.text}));
  if (!done) {
    const typed = attempt && attempt.typed ? attempt.typed : "";
    const form = el("form", {
      on: {
        submit: check,
        focusin: () => {
          answering = {expects, form};
        }
      },
      autocomplete: "off"
    });
    if (expects && expects.kind === "choice") {
      form.append(
          el("fieldset", {}, el("legend", {class: "unseen"}, "Answers"),
             expects.texts.map(
                 (text, i) =>
                     el("label", {},
                        el("input", {type: "radio", name: id, value: String(i + 1), checked: typed === String(i + 1)}),
                        " " + text))));
    } else if (expects) {
      form.append(el("label", {for: id, class: "muted"}, how_to_answer[expects.kind]),
                  el("input", {id, name: id, type: "text", value: typed, autocapitalize: "off", spellcheck: "false"}));
    }
    const buttons = el("div", {class: "buttons"});
    if (expects) buttons.append(el("button", {class: "main"}, "Check"));
    if (question.hint) buttons.append(el("button", {type: "button", on: {click: hint}}, "Hint"));
    buttons.append(show_answer_button());
    if (expects || question.bit >= 0)
      buttons.append(el("button", {type: "button", on: {click: () => end("skipped")}}, "Skip")); form.append(buttons);
          box.append(form); if (attempt && attempt.hinted) box.append(el("div", {class: "hint", html: question.hint}));
          if (attempt && attempt.given) verdict.textContent =
              `\u2717 Not right yet: ${given_words(question, attempt)}. Try again.`;
          if (expects && !answering) answering = {expects, form};
    } else {
      const words = {
        right: `\u2713 Right: ${given_words(question, attempt)}`,
        revealed: "Revealed",
        skipped: "Skipped"
      }[attempt.outcome];
      verdict.textContent = words;
      verdict.classList.add(attempt.outcome);
      if (attempt.outcome !== "skipped") box.append(el("div", {class: "answer", html: question.answer}));
      box.append(el(
          "div", {class: "buttons"},
          el("button", {
            type: "button",
            on: {
              click: () => {
                delete kept.answers[key];
                keep();
                show(at, {focus: `[data-question="${index}"]`});
              }
            }
          },
             "Answer again"),
          attempt.outcome === "skipped" ? show_answer_button() : null));
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
      const there = words.findIndex((word) => word.replace(/^p/, "") === String(element));
      if (there >= 0)
        words.splice(there, 1);
      else
        words.push(expects.kind === "points" ? point_name(element) : String(element));
      input.value = words.join(" ");
    };
    if (expects && input) {
      if (["positions", "points", "nodes"].includes(expects.kind) && what[expects.kind] !== undefined)
        return toggle(what[expects.kind]);
      if (expects.kind === "cell" && what.column !== undefined && what.rows.includes(expects.row)) {
        input.value = String(what.column);
        return;
      }
      if (expects.kind === "split" && what.places && what.places[expects.dimension] !== undefined) {
        input.value = String(Number(what.places[expects.dimension].toPrecision(4)));
        return;
      }
    }
    if (data.own && what.places && what.points === undefined) return click_own(what.places);
    const chosen = what.points >= 0 ? {point: what.points} :
        what.nodes >= 0             ? {node: what.nodes} :
        what.column >= 0            ? {column: what.column, space: what.space} :
                                      {};
    selected = JSON.stringify(chosen) === JSON.stringify(selected) ? {} : chosen;
    if (step) show(at, {stay: true});
  }

  function picks_of(id, table) {
    const columns = columns_of(table), row = Math.floor(id / columns.length), index = id % columns.length;
    const column = columns[index], of_row = data.rows[table.rows[row]],
          [, , node, point] = cells_of(of_row)[index];
    return {
      positions: table.space === "position" ? column : undefined,
      column,
      space: table.space,
      rows: [of_row.name, of_row.label],
      points: point >= 0 ? point : undefined,
      nodes: table.space === "node" ? column :
          row > 0 && node >= 0      ? node :
                                      undefined
    };
  }
