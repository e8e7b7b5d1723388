"use strict";
// The page of `rondo report`. `data` is what run/output/report.hpp describes. What tests look at: rondoReport.sections,
// each with its plots by name.

const rondoReport = { sections: [] };
window.rondoReport = rondoReport;

const verdicts = { holds: ["✓ holds", "good"], fails: ["✗ fails", "bad"], idle: ["– says nothing", "bad"], unjudged: ["? not judged", "bad"],
  refuted: ["≠ refuted, as expected", "soft"], explained: ["≠ explained, as expected", "soft"], unexplained: ["≠ unexplained, as expected", "soft"],
  wrong: ["✗ an error of the claim", "bad"] };

/** What a chart shows, for those who do not see it. */
function described(figure) {
  return `${figure.title}. ${figure.note} The table below has the same ${figure.items.length} values.`;
}

/** Buttons that save the picture of a chart. */
function saves(name, title, plot) {
  const save = (ending, address) => make("button", { type: "button", class: "save", onclick: () => {
    make("a", { href: address(), download: `${name}.${ending}` }).click();
  } }, `save as ${ending.toUpperCase()}`);
  return [save("png", () => plot.ctx.canvas.toDataURL("image/png")),
    save("svg", () => "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg_text(plot, title)))];
}

/** The chart of a figure, or one for each panel beside each other, all with the same range of y. */
function drawn(figure, choice, section) {
  const panels = figure.curves ? choice.by_panel() : [{ name: "", choice }];
  const parts = panels.map((panel) => ({ ...panel, figure: panels.length === 1 ? figure : figures(panel.choice).find((each) => each.name === figure.name) }))
    .filter((part) => part.figure);
  const range = panels.length === 1 ? null : range_of(parts.flatMap((part) => part.figure.curves));
  const box = make("div", { class: panels.length === 1 ? null : "panels" });
  for (const part of parts) {
    part.place = make("div", { role: "img", "aria-label": described(part.figure) });
    part.panel = make("div", {}, part.name && make("p", { class: "soft" }, part.name), part.place);
    box.append(part.panel);
  }
  // Once the box is on the page: a chart is as wide as its place.
  const draw = () => parts.forEach(({ name, figure: own, place, panel }) => {
    const plot = own.draw(place, range);
    section.plots[name ? `${own.name}, ${name}` : own.name] = plot;
    panel.append(...saves(own.name, name ? `${own.title}, ${name}` : own.title, plot));
  });
  return { box, draw };
}

function controls(choice, redraw) {
  const box = make("div", { class: "controls" });
  const algorithms = make("fieldset", {}, make("legend", {}, "algorithms"));
  for (const algorithm of choice.algorithms) {
    const tick = make("input", { type: "checkbox", checked: true, onchange: () => {
      if (tick.checked) choice.shown.add(algorithm); else choice.shown.delete(algorithm);
      redraw();
    } });
    algorithms.append(make("label", {}, tick, " " + algorithm));
  }
  box.append(algorithms);
  if (choice.algorithms.length > 1) {
    box.append(labelled_choice("baseline", choice.algorithms, choice.algorithms.indexOf(choice.baseline), (i) => {
      choice.baseline = choice.algorithms[i];
      redraw();
    }));
  }
  const axes = choice.scenario.axes.map((axis, k) => ({ ...axis, k })).filter(({ k }) => k !== choice.x.axis);
  axes.forEach((axis) => {
    const k = axis.k;
    const selected = choice.picked[k] === all_values ? 0 : choice.picked[k] + 1;
    box.append(labelled_choice(axis.name, [all_values, ...axis.values], selected, (i) => {
      choice.picked[k] = i === 0 ? all_values : i - 1;
      redraw();
    }));
  });
  if (axes.length) {
    box.append(labelled_choice("a panel for each", ["–", ...axes.map((axis) => axis.name)], 0, (i) => {
      choice.panels = i === 0 ? null : axes[i - 1].k;
      redraw();
    }));
  }
  const bounds = make("input", { type: "checkbox", checked: choice.bounds, onchange: () => {
    choice.bounds = bounds.checked;
    redraw();
  } });
  box.append(make("label", {}, bounds, " lower bounds"));
  return box;
}

function claims_part(claims) {
  const rows = claims.map((c) => {
    const [text, kind] = verdicts[c.verdict];
    return [c.claim, make("span", { class: kind }, text), `${c.passed} of ${c.judged}`,
      make("div", {}, ...[c.detail, c.correction && `Corrected: ${c.correction}`].filter((t) => t).map((t) => make("div", {}, t)))];
  });
  const columns = [{ name: "claim", text: true }, { name: "verdict", text: true }, { name: "points" }, { name: "where, and corrections", text: true }];
  return [make("h3", {}, "Claims"), table("Claims", columns, rows)];
}

function failures_part(records) {
  const cells = (r) => [String(r.point), name_of(r), bytes(r.block_bytes), make("span", { class: "bad" }, r.error)];
  const columns = [{ name: "point" }, { name: "algorithm", text: true }, { name: "block" }, { name: "why", text: true }];
  return [make("h3", { class: "bad" }, "Points that failed"), folded("Points that failed", columns, records, cells)];
}

/** `ready`: the figures of the choice as it is now. */
function charts_part(choice, section, ready) {
  const place = make("div");
  const draw = () => {
    Object.values(section.plots).forEach((plot) => plot.destroy());
    section.plots = {};
    place.replaceChildren();
    const hidden = choice.curves().length - most_curves;
    if (hidden > 0) place.append(make("p", { class: "soft" }, `${choice.curves().length} curves. Fix some of the values above to see fewer.`));
    if (choice.algorithms.length > 1) place.append(fastest_part(choice) ?? "");
    const shown = ready ?? figures(choice);
    ready = null;
    if (!shown.length) place.append(make("p", { class: "soft" }, "None of the selected records has a value to draw."));
    for (const figure of shown) {
      const { box, draw: draw_charts } = drawn(figure, choice, section);
      place.append(make("figure", { "data-figure": figure.name }, make("figcaption", {}, figure.title),
        make("p", { class: "soft" }, figure.note), box, folded(figure.title, figure.columns, figure.items, figure.cells)));
      draw_charts();
    }
    place.append(busiest_links_part(choice) ?? "");
  };
  section.redraw = draw;
  return [controls(choice, draw), place];
}

function scenario_part(scenario, page) {
  const section = { file: scenario.file, plots: {} };
  rondoReport.sections.push(section);
  const part = make("section", { id: `scenario-${rondoReport.sections.length}` },
    make("h2", {}, scenario.title || scenario.file),
    make("p", { class: "soft" }, [scenario.file, scenario.source].filter((t) => t).join(" — ")));
  page.append(part);
  if (scenario.claims.length) part.append(...claims_part(scenario.claims));
  const failed = scenario.records.filter((r) => r.error != null), choice = new Choice(scenario);
  if (failed.length) part.append(...failures_part(failed));
  // Where all points failed there is nothing to draw.
  const first_figures = figures(choice);
  if (first_figures.length || busiest_links_part(choice)) part.append(...charts_part(choice, section, first_figures));
}

function summary() {
  const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
  const records = data.scenarios.reduce((n, s) => n + s.records.length, 0);
  const claims = data.scenarios.flatMap((s) => s.claims);
  const found = (...words) => claims.filter((c) => words.includes(c.verdict)).length;
  const holding = found("holds");
  const contrary = found("refuted", "explained", "unexplained");
  const text = [count(records, "record"), count(data.scenarios.length, "scenario")];
  if (claims.length) text.push(`${holding} of ${count(claims.length, "claim")} hold`);
  if (contrary) text.push(`${contrary} that ${contrary === 1 ? "does" : "do"} not, as expected`);
  return make("p", { class: holding + contrary === claims.length ? null : "bad" }, text.join(", "));
}

function contents() {
  if (data.scenarios.length < 2) return null;
  return make("nav", { "aria-label": "scenarios" }, make("ul", {}, ...data.scenarios.map((s, i) =>
    make("li", {}, make("a", { href: `#scenario-${i + 1}` }, s.title || s.file)))));
}

function footer() {
  const versions = distinct(data.scenarios.flatMap((s) => s.records.map((r) => r.version).concat(s.claims.map((c) => c.version))));
  const part = make("footer", {}, make("p", {}, `Simulated by rondo ${versions.join(", ")}; report by rondo ${data.version}.`));
  for (const scenario of data.scenarios) {
    if (scenario.expanded === null) continue;
    part.append(make("details", {}, make("summary", {}, `${scenario.file}, its first point here`),
      make("pre", {}, JSON.stringify(scenario.expanded, null, 2))));
  }
  return part;
}

const page = document.getElementById("page");
page.append(make("h1", {}, "Rondo report"), summary(), contents() ?? "");
for (const scenario of data.scenarios) scenario_part(scenario, page);
page.append(footer());

const redraw_all = () => rondoReport.sections.forEach((section) => section.redraw?.());

/** The first scenario with charts at once, each other one when the page has been shown with those before it. */
function draw_in_turn([section, ...others]) {
  if (!section) return;
  if (!Object.keys(section.plots).length) section.redraw();
  setTimeout(() => draw_in_turn(others));
}
draw_in_turn(rondoReport.sections.filter((section) => section.redraw));
redraws.push(redraw_all);

let waiting = 0, last_width = page.clientWidth;
window.addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (page.clientWidth !== last_width) redraw_all();
    last_width = page.clientWidth;
  }, 200);
});
