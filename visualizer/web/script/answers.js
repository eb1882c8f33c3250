// Answers, kept on this device

const store_key = (id) => "kdscope:" + id;
function read_store(id) {
  try {
    const kept = JSON.parse(localStorage.getItem(store_key(id)) || "{}");
    return kept && typeof kept === "object" && kept.answers ? kept : {answers: {}};
  } catch {
    return {answers: {}};
  }  // a browser may keep nothing for files, or something else was kept here
}
const practice_key = "practice ";  // begins the keys of answers to questions about runs of one's own
const is_done = (attempt) => attempt && attempt.outcome !== "wrong";
