// Runs in the page of a run that belongs to no lesson: walks from its title card by buttons and keys.
(() => {
  const page = window.kdscope, errors = [];
  window.addEventListener("error", (event) => errors.push(event.message));
  const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  const words = () => document.querySelector("nav .place").textContent;
  const report = {errors, card: document.querySelector("section.words").textContent, places: []};
  document.querySelector("section.words button.main").click();
  report.places.push(words());
  report.tables = document.querySelectorAll(".arrays table").length;
  for (const key of ["ArrowRight", "PageDown", "PageUp"]) {
    press(key);
    report.places.push(words());
  }
  report.words = document.querySelector("section.words").textContent;
  press("PageUp");
  report.back = page.at();
  parent.postMessage(JSON.stringify(report), "*");
})();
