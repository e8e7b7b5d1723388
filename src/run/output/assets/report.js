"use strict";
// The page of `rondo report`. `data` is what run/output/report.hpp describes. What tests look at: rondoReport.sections,
// each with its plots by name.

const rondoReport = { sections: [] };
window.rondoReport = rondoReport;

const most_curves = 7;
const all_values = "all";
const verdicts = { holds: ["✓ holds", "good"], fails: ["✗ fails", "bad"], idle: ["– says nothing", "bad"], unjudged: ["? not judged", "bad"],
  refuted: ["≠ refuted, as expected", "soft"], explained: ["≠ explained, as expected", "soft"], unexplained: ["≠ unexplained, as expected", "soft"] };

const distinct = (values) => [...new Set(values)];
const name_of = (record) => record.algorithm ?? "tasks";

/** What a person has chosen of a scenario's records, and what follows from it. */
class Choice {
  constructor(scenario) {
    this.scenario = scenario;
    this.algorithms = distinct(scenario.records.map(name_of));
    this.shown = new Set(this.algorithms);
    this.baseline = this.algorithms.find((a) => ["straightforward", "naive", "personalized", "ring_allgather"].includes(a)) ?? this.algorithms[0];
    this.picked = scenario.axes.map(() => all_values);
    this.every = { picked: "", labels: new Map() };
    // Few enough curves to tell apart: the last axes are held at their first value.
    for (let k = this.picked.length - 1; k >= 0 && this.curves().length > most_curves; --k) this.picked[k] = 0;
  }

  records() {
    return this.scenario.records.filter((r) => this.shown.has(name_of(r)) &&
      this.picked.every((value, k) => value === all_values || r.at[k] === value));
  }

  /** The values of the axes that are not held, as text; empty where all are. */
  place(record) {
    return record.at.map((value, k) => (this.picked[k] === all_values ? this.scenario.axes[k].values[value] : null))
      .filter((text) => text !== null).join(", ");
  }
  label(record) {
    return [name_of(record), this.place(record)].filter((text) => text !== "").join(", ");
  }
  curves() {
    return distinct(this.records().map((r) => this.label(r)));
  }
  /** A curve keeps its look whatever is chosen beside it. */
  look(label) {
    const picked = JSON.stringify(this.picked);
    if (this.every.picked !== picked) {
      const labels = distinct(this.scenario.records.map((r) => this.label(r)));
      this.every = { picked, labels: new Map(labels.map((each, i) => [each, i])) };
    }
    return look(this.every.labels.get(label));
  }
}

const positive = (value) => (value != null && value > 0 ? value : null);

/** The values with one key together, in their order. */
function grouped(values, key_of) {
  const groups = new Map();
  for (const value of values) {
    const key = key_of(value);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(value);
  }
  return groups;
}

/** By block, the value that `read` finds in the records of a curve; the first record counts. */
function by_block(records, blocks, read) {
  const values = new Map();
  for (const r of records ?? []) {
    if (values.has(r.block_bytes)) continue;
    const value = read(r);
    if (value != null) values.set(r.block_bytes, value);
  }
  return blocks.map((block) => values.get(block) ?? null);
}

function time_figure(choice) {
  const records = choice.records();
  const blocks = distinct(records.map((r) => positive(r.block_bytes)).filter((b) => b !== null)).sort((a, b) => a - b);
  const curves = [];
  const of = grouped(records, (r) => choice.label(r));
  for (const label of choice.curves()) {
    const style = choice.look(label);
    const theory = by_block(of.get(label), blocks, (r) => positive(r.theory.time_s));
    if (theory.some((t) => t !== null)) curves.push(lineCurve(`${label}: theory`, style, theory, seconds));
    curves.push(markCurve(label, style, by_block(of.get(label), blocks, (r) => positive(r.time_s)), seconds));
  }
  const columns = [...point_columns(choice), { name: "simulated" }, { name: "theory" }, { name: "lower bound" }, { name: "simulated / theory" }];
  const rows = records.map((r) => [...point_cells(choice, r), seconds(r.time_s), seconds(r.theory.time_s), seconds(r.bound.time_s),
    number(ratio(r.time_s, r.theory.time_s))]);
  return { name: "time", title: "Time against block size", columns, rows,
    note: "Lines: theory; marks: simulated; dashed upright: where another algorithm becomes the fastest. Both axes are logarithmic; drag to zoom, double click to go back.",
    draw: (place) => blocks.length && chart(place, block_axis(blocks), { label: "time", log: true, text: seconds }, curves, cut_offs(choice)) };
}

const block_axis = (blocks) => ({ values: blocks, label: "block", log: true, text: bytes });
const ratio = (a, b) => (a == null || b == null || b === 0 ? null : a / b);

const point_columns = (choice) => [{ name: "point" }, { name: "algorithm", text: true },
  ...choice.scenario.axes.map((axis) => ({ name: axis.name, text: true })), { name: "block" }];
const point_cells = (choice, r) => [String(r.point), name_of(r), ...r.at.map((v, k) => choice.scenario.axes[k].values[v]), bytes(r.block_bytes)];

/** The record of the baseline at the place of another: a function of that. */
function baseline_of(choice) {
  const place_of = (r) => JSON.stringify([r.block_bytes, ...r.at]);
  const places = grouped(choice.scenario.records.filter((r) => name_of(r) === choice.baseline), place_of);
  return (record) => places.get(place_of(record))?.[0];
}

function speedup_figure(choice) {
  const records = choice.records();
  const blocks = distinct(records.map((r) => positive(r.block_bytes)).filter((b) => b !== null)).sort((a, b) => a - b);
  const baseline = baseline_of(choice);
  const of = grouped(records, (r) => choice.label(r));
  const speedup = (r) => ratio(baseline(r)?.time_s, positive(r.time_s));
  const times = (value) => (value == null ? "–" : number(value) + "x");
  const curves = choice.curves().map((label) =>
    markCurve(label, choice.look(label), by_block(of.get(label), blocks, speedup), times));
  curves.unshift(lineCurve(`1: as fast as ${choice.baseline}`, { colour: "#777777", dash: [4, 4] }, blocks.map(() => 1), times));
  return { name: "speedup", title: `Speed-up over ${choice.baseline}`,
    note: `The simulated time of ${choice.baseline} at the same point, divided by that of the algorithm.`,
    columns: [...point_columns(choice), { name: "speed-up" }],
    rows: records.map((r) => [...point_cells(choice, r), times(speedup(r))]),
    draw: (place) => blocks.length && chart(place, block_axis(blocks), { label: "speed-up", log: true, text: number }, curves) };
}

/** By place of the axes, the ranges of blocks with the algorithm that is fastest there, of those that are shown. */
function fastest_ranges(choice) {
  const ranges = [];
  const baseline = baseline_of(choice);
  const timed = choice.records().filter((r) => positive(r.time_s) !== null && positive(r.block_bytes) !== null);
  for (const [place, records] of grouped(timed, (r) => choice.place(r))) {
    let last = null;
    for (const [block, rivals] of [...grouped(records, (r) => r.block_bytes)].sort((a, b) => a[0] - b[0])) {
      const best = rivals.reduce((a, b) => (b.time_s < a.time_s ? b : a));
      const gain = ratio(baseline(best)?.time_s, best.time_s);
      if (last?.algorithm !== name_of(best)) ranges.push(last = { place, algorithm: name_of(best), from: block, gains: [] });
      last.to = block;
      if (gain !== null) last.gains.push(gain);
    }
  }
  return ranges;
}

/** Where the fastest algorithm changes: between the last block of the one and the first of the next. */
function cut_offs(choice) {
  const ranges = fastest_ranges(choice);
  return ranges.slice(1).flatMap((range, i) => (range.place !== ranges[i].place ? [] :
    [{ at: Math.sqrt(ranges[i].to * range.from), name: `${range.algorithm} from ${bytes(range.from)}` }]));
}

function fastest_part(choice) {
  const ranges = fastest_ranges(choice);
  const gain = (values) => (values.length === 0 ? null : distinct([Math.min(...values), Math.max(...values)].map((v) => `${number(Number(v.toPrecision(3)))}x`)).join(" to "));
  const columns = [{ name: "at", text: true }, { name: "blocks" }, { name: "fastest", text: true }, { name: `times as fast as ${choice.baseline}` }];
  const rows = ranges.map((r) => [r.place || "all", distinct([bytes(r.from), bytes(r.to)]).join(" to "), r.algorithm, gain(r.gains)]);
  return make("div", { "data-figure": "fastest" }, make("h3", {}, "The fastest algorithm by block"), folded("The fastest algorithm by block", columns, rows));
}

/** Rounds or volumes: one place along the axis for each curve and each different outcome of it. */
function count_figure(choice, name, title, unit, read) {
  const seen = new Map();
  for (const r of choice.records()) {
    const values = read(r);
    if (values.counted == null) continue;
    const key = JSON.stringify([choice.label(r), values]);
    if (!seen.has(key)) seen.set(key, { label: choice.label(r), ...values, optimal: (r.optimal ?? "").split(" ").includes(name) });
  }
  const cases = [...seen.values()];
  const names = cases.map((c) => c.label);
  const column = (key) => cases.map((c) => c[key] ?? null);
  const curves = [
    markCurve("lower bound", { colour: colours[1], shape: bar }, column("bound"), number),
    markCurve("theory", { colour: colours[6], shape: ring }, column("theory"), number),
    markCurve("counted", { colour: colours[0], shape: shapes[0] }, column("counted"), number),
  ];
  return { name, title, note: "Counted from the schedule, beside theory and the lower bound.",
    columns: [{ name: "algorithm", text: true }, { name: "counted" }, { name: "theory" }, { name: "lower bound" },
      { name: "counted / bound" }, { name: "optimal", text: true }],
    rows: cases.map((c) => [c.label, number(c.counted), number(c.theory), number(c.bound), number(ratio(c.counted, c.bound)), c.optimal ? "proven" : "–"]),
    draw: (place) => cases.length && chart(place, { values: cases.map((c, i) => i), names, label: "" }, { label: unit, text: number }, curves) };
}

const figures = (choice) => [
  time_figure(choice),
  choice.algorithms.length > 1 ? speedup_figure(choice) : null,
  count_figure(choice, "rounds", "Rounds against their bound", "rounds",
    (r) => ({ counted: r.rounds, theory: r.theory.rounds, bound: r.bound.rounds })),
  count_figure(choice, "volume", "Volume against its bound: most blocks a rank sends", "blocks",
    (r) => ({ counted: r.volume_blocks, theory: r.theory.volume_blocks, bound: r.bound.volume_blocks })),
].filter((figure) => figure !== null);

/** What a chart shows, for those who do not see it. */
function described(figure) {
  return `${figure.title}. ${figure.note} The table below has the same ${figure.rows.length} values.`;
}

/** A button that saves the picture of a chart. */
function saved_as_png(figure, plot) {
  return make("button", { type: "button", class: "save", onclick: () => {
    make("a", { href: plot.ctx.canvas.toDataURL("image/png"), download: `${figure.name}.png` }).click();
  } }, "save as PNG");
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
  choice.scenario.axes.forEach((axis, k) => {
    const selected = choice.picked[k] === all_values ? 0 : choice.picked[k] + 1;
    box.append(labelled_choice(axis.name, [all_values, ...axis.values], selected, (i) => {
      choice.picked[k] = i === 0 ? all_values : i - 1;
      redraw();
    }));
  });
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
  const rows = records.map((r) => [String(r.point), name_of(r), bytes(r.block_bytes), make("span", { class: "bad" }, r.error)]);
  const columns = [{ name: "point" }, { name: "algorithm", text: true }, { name: "block" }, { name: "why", text: true }];
  return [make("h3", { class: "bad" }, "Points that failed"), table("Points that failed", columns, rows)];
}

function charts_part(scenario, section) {
  const choice = new Choice(scenario);
  const place = make("div");
  const draw = () => {
    Object.values(section.plots).forEach((plot) => plot.destroy());
    section.plots = {};
    place.replaceChildren();
    const hidden = choice.curves().length - most_curves;
    if (hidden > 0) place.append(make("p", { class: "soft" }, `${choice.curves().length} curves; hold some of the values above to see fewer.`));
    if (choice.algorithms.length > 1) place.append(fastest_part(choice));
    for (const figure of figures(choice)) {
      const canvas = make("div", { role: "img", "aria-label": described(figure) });
      place.append(make("figure", { "data-figure": figure.name }, make("figcaption", {}, figure.title),
        make("p", { class: "soft" }, figure.note), canvas, folded(figure.title, figure.columns, figure.rows)));
      const plot = figure.draw(canvas);
      if (plot) {
        section.plots[figure.name] = plot;
        canvas.after(saved_as_png(figure, plot));
      }
      if (!plot) canvas.replaceWith(make("p", { class: "soft" }, "Nothing to draw."));
    }
  };
  section.redraw = draw;
  return { parts: [controls(choice, draw), place], draw };
}

function scenario_part(scenario, page) {
  const section = { file: scenario.file, plots: {} };
  rondoReport.sections.push(section);
  const part = make("section", { id: `scenario-${rondoReport.sections.length}` },
    make("h2", {}, scenario.title || scenario.file),
    make("p", { class: "soft" }, [scenario.file, scenario.source].filter((t) => t).join(" — ")));
  page.append(part);
  if (scenario.claims.length) part.append(...claims_part(scenario.claims));
  const failed = scenario.records.filter((r) => r.error != null);
  if (failed.length) part.append(...failures_part(failed));
  if (!scenario.records.length) return;
  const { parts, draw } = charts_part(scenario, section);
  part.append(...parts);
  draw();
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

redraws.push(() => rondoReport.sections.forEach((s) => s.redraw?.()));

let waiting = 0;
window.addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => rondoReport.sections.forEach((s) => s.redraw?.()), 200);
});
