// Runs in a page of a measurement: reports what its chart and its table show as JSON.
(() => {
  const report = {errors: [], loaded: [], width: innerWidth};
  try {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const texts = (selector) => all(selector).map((node) => node.textContent);
    report.too_wide = document.documentElement.scrollWidth > innerWidth;
    report.spoken = texts("svg.chart title");
    report.words = texts("svg.chart text");
    report.rows = all("tbody tr").map((row) => [...row.children].map((cell) => cell.textContent));
    report.smallest_text = Math.min(...all("svg.chart text").map((text) => text.getBoundingClientRect().height));
    report.loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  } catch (error) {
    report.errors.push(String(error.stack || error));
  }
  window.parent.postMessage(JSON.stringify(report), "*");
})();
