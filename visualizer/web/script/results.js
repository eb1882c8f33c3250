// The file that a student hands in: the format of walkthroughs/practice/results.hpp, with its seal

const json_quoted = (text) => "\"" +
    text.replace(/["\\\n\u0000-\u001f\u007f]/g,
                 (c) => (c === "\"" || c === "\\" ? "\\" + c
                         : c === "\n"             ? "\\n"
                                                  : "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"))) +
    "\"";

/// The shortest text of a number, fixed or with an exponent of at least two digits.
function json_number(number) {
  const [digits, power] = number.toExponential().split("e"), exponent = Number(power);
  const scientific = `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  const sign = digits.startsWith("-") ? "-" : "", all = digits.replace(/[-.]/g, "");
  let fixed = all.padEnd(exponent + 1, "0");
  if (exponent < 0) fixed = `0.${"0".repeat(-exponent - 1)}${all}`;
  else if (all.length > exponent + 1) fixed = `${all.slice(0, exponent + 1)}.${all.slice(exponent + 1)}`;
  fixed = sign + fixed;
  return fixed.length <= scientific.length ? fixed : scientific;
}

const member = (name, json) => `"${name}":${json}`;
function json_given(given) {
  const members = [member("kind", json_quoted(given.kind))];
  if (given.kind === "cell") members.push(member("row", json_quoted(given.row)));
  if (given.elements) members.push(member("elements", `[${given.elements.slice(0, 4096).join(",")}]`));
  if (given.kind === "split") members.push(member("dimension", String(given.dimension)));
  if (given.number !== undefined) members.push(member("number", json_number(given.number)));
  if (given.text !== undefined) members.push(member("text", json_quoted(given.text)));
  if (given.choice !== undefined) members.push(member("choice", String(given.choice)));
  return `{${members.join(",")}}`;
}

function json_attempt(attempt) {
  const short = (text) => json_quoted(text.slice(0, 1000));  // at most 4,000 bytes
  return `{${[
    member("lesson", short(attempt.lesson ?? data.id)), member("stop", short(attempt.stop)),
    member("question", String(attempt.question)),
    member("asked", short(attempt.asked)), member("outcome", json_quoted(attempt.outcome)),
    ...(attempt.given ? [member("given", json_given(attempt.given))] : []),
    member("hinted", String(attempt.hinted)), member("seconds", String(attempt.seconds))
  ].join(",")}}`;
}

/// A 64-bit hash of the bytes of a text, against accidents.
function seal_of(text) {
  const bytes = new TextEncoder().encode(text), mask = (1n << 64n) - 1n;
  let state = 0x6b6473636f7065n;
  for (let i = 0; i < bytes.length; i += 8) {
    let word = 0n;
    for (let k = 7; k >= 0; --k) word = (word << 8n) | BigInt(bytes[i + k] || 0);
    const product = ((state ^ word) * 0x9e3779b97f4a7c15n) & mask;
    state = ((product << 29n) | (product >> 35n)) & mask;
  }
  return "0x" + state.toString(16).padStart(16, "0");
}

function results_text(student, attempts) {
  const head = `{${member("file", json_quoted("kdscope results"))},${member("version", "1")},` +
      `${member("student", json_quoted(student))},"attempts":[`;
  const lines = attempts.map((attempt, i) => `\n${i > 0 ? "," : ""}${json_attempt(attempt)}`).join("");
  const open = `${head}${lines}]\n`;
  return `${open},${member("seal", json_quoted(seal_of(open + "}\n")))}}\n`;
}
