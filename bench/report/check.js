"use strict";
// The page checks itself, and writes the result into <html data-check>: "ok", or what is
// wrong.  bench/tests/report_test.py reads it in a browser.
(() => {
  const problems = [];
  const tell = () => {
    document.documentElement.dataset.check = problems.length === 0 ? "ok" : problems.join("; ");
  };
  window.addEventListener("error", (event) => {
    problems.push("script error: " + event.message);
    tell();
  });
  window.addEventListener("load", () => {
    const expected = JSON.parse(document.getElementById("expected").textContent);
    for (const name of expected.figures) {
      const figure = document.getElementById(name);
      if (figure === null) {
        problems.push("no figure " + name);
        continue;
      }
      const panels = figure.querySelectorAll(".panel");
      if (panels.length === 0) problems.push("no panel in " + name);
      if (figure.querySelectorAll(".says > span").length < 2) problems.push("few words on " + name);
      for (const panel of panels) {
        if (panel.classList.contains("missing")) continue;
        const box = panel.querySelector("svg.chart")?.getBoundingClientRect();
        if (!box || box.width < 100 || box.height < 60) problems.push("an empty chart in " + name);
        if (panel.querySelectorAll("svg.chart .point, svg.chart .paper, svg.chart polyline").length === 0) {
          problems.push("no data in " + name);
        }
        if (panel.querySelector("table") === null) problems.push("no table in " + name);
      }
    }
    for (const element of document.querySelectorAll("[src], link[href]:not([href^='data:'])")) {
      problems.push("a request to " + (element.src || element.href));
    }
    if (document.documentElement.scrollWidth > window.innerWidth + 1) {
      problems.push("wider than the window: " + document.documentElement.scrollWidth);
    }
    if (/\b(NaN|undefined|None|null)\b/.test(document.body.innerText)) problems.push("NaN or None in the text");
    tell();
  });
})();
