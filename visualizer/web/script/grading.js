// Answers are read and graded as in walkthroughs/practice/answer.cpp

const spaces = /[ \t\n\v\f\r]+/;
const normalised = (text) =>
    text.split(spaces).filter((word) => word !== "").join(" ").replace(/[A-Z]/g, (c) => c.toLowerCase());
const read_whole = (word) => (/^\d+$/.test(word) && Number(word) <= 4294967295 ? Number(word) : null);
const read_number = (word) =>
    (/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(word) && Number.isFinite(Number(word)) ? Number(word) : null);

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
      const elements = words.split(" ").map(
          (word) => read_whole(expects.kind === "points" && word.length > 1 ? word.replace(/^p(?=\d)/, "") : word));
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

const how_to_answer = {
  positions: "Type the positions, or select columns of the table.",
  points: "Type the points, such as p3 p7, or select them in the picture.",
  nodes: "Type the nodes, or select them in the tree.",
  cell: "Type the position, or select the cell of the table.",
  split: "Type the coordinate, or select a place in the picture.",
  number: "Type a number.",
  words: "Type a word.",
  choice: ""
};
