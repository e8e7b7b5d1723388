"use strict";
// The charts of a report, each with the table of its values: {name, title, note, columns, rows, draw(place)}.

function time_figure(choice) {
  const records = choice.records();
  const blocks = distinct(records.map((r) => positive(r.block_bytes)).filter((b) => b !== null)).sort((a, b) => a - b);
  const curves = choice.bounds ? bound_curves(choice, blocks) : [];
  const of = grouped(records, (r) => choice.label(r));
  for (const label of choice.curves()) {
    const style = choice.look(label);
    const theory = by_block(of.get(label), blocks, (r) => positive(r.theory.time_s));
    const known = theory.some((t) => t !== null);
    if (known) curves.push(lineCurve(`${label}: theory`, style, theory, seconds));
    curves.push(markCurve(label, style, by_block(of.get(label), blocks, (r) => positive(r.time_s)), seconds, !known));
  }
  const columns = [...point_columns(choice), { name: "simulated" }, { name: "theory" }, { name: "lower bound" }, { name: "simulated / theory" }];
  const rows = records.map((r) => [...point_cells(choice, r), seconds(r.time_s), seconds(r.theory.time_s), seconds(r.bound.time_s),
    number(ratio(r.time_s, r.theory.time_s))]);
  return { name: "time", title: "Time against block size", columns, rows,
    note: "Lines: theory, or marks joined where there is none; marks: simulated; grey: no schedule is faster; dashed upright: where another algorithm becomes the fastest. Both axes are logarithmic; drag to zoom, double click to go back.",
    curves, draw: (place, range) => blocks.length && chart(place, block_axis(blocks), { label: "time", log: true, text: seconds, range }, curves, cut_offs(choice)) };
}

const most_bounds = 4;
const bound_style = { colour: "#777777", dash: [2, 3] };

/** The lower bounds on the time, one for each place and each kind of links; none where they are too many to tell apart. */
function bound_curves(choice, blocks) {
  const bounded = choice.records().filter((r) => positive(r.bound.time_s) !== null);
  const name = (r) => ["no schedule is faster", r.bound.links && `${r.bound.links} links`, choice.place(r)].filter((text) => text).join(", ");
  const of = grouped(bounded, name);
  if (of.size > most_bounds) return [];
  return [...of].map(([label, records]) => lineCurve(label, bound_style, by_block(records, blocks, (r) => positive(r.bound.time_s)), seconds));
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
    curves, draw: (place, range) => blocks.length && chart(place, block_axis(blocks), { label: "speed-up", log: true, text: number, range }, curves) };
}

/** A quotient of two fields of each record, by block; null where no record has it. */
function ratio_figure(choice, { name, title, note, column, line, read, text, log }) {
  const records = choice.records().filter((r) => read(r) != null);
  const blocks = distinct(records.map((r) => positive(r.block_bytes)).filter((b) => b !== null)).sort((a, b) => a - b);
  if (!blocks.length) return null;
  const of = grouped(records, (r) => choice.label(r));
  const curves = [...of.keys()].map((label) => markCurve(label, choice.look(label), by_block(of.get(label), blocks, read), text, true));
  if (line) curves.unshift(lineCurve(line.name, { colour: "#777777", dash: [4, 4] }, blocks.map(() => line.at), text));
  return { name, title, note, columns: [...point_columns(choice), { name: column }],
    rows: records.map((r) => [...point_cells(choice, r), text(read(r))]),
    curves, draw: (place, range) => chart(place, block_axis(blocks), { label: column, log, text, range: log ? range ?? range_of(curves) : null }, curves) };
}

const gap_figure = (choice) => ratio_figure(choice, { name: "gap", title: "Time over its lower bound", column: "time / bound", log: true,
  note: "The simulated time, divided by that below which no schedule comes on the links that the algorithm uses: 1 is optimal.",
  line: { name: "1: no schedule is faster", at: 1 }, text: number, read: (r) => positive(ratio(positive(r.time_s), r.bound.time_s)) });

const error_of = (r) => (ratio(positive(r.time_s), r.theory.time_s) === null ? null : 100 * (r.time_s / r.theory.time_s - 1));
const same_time = 1e-7;  // percent: two engines, or a simulation and its theory, agree to 1e-9

/** How far the simulation is from theory; null where all points agree. */
function error_figure(choice) {
  if (!choice.records().some((r) => Math.abs(error_of(r) ?? 0) > same_time)) return null;
  return ratio_figure(choice, { name: "error", title: "Simulated time against theory", column: "simulated - theory",
    note: "How much longer the simulation takes than theory says, in percent of theory: what theory leaves out, such as links that are shared.",
    text: (value) => (value == null ? "–" : number(value) + "%"), read: error_of });
}

/** The algorithms that no other one is faster than. */
function fastest_of(rivals) {
  const least = Math.min(...rivals.map((r) => r.time_s));
  return distinct(rivals.filter((r) => r.time_s <= least * (1 + same_time / 100)).map(name_of));
}

/** By place of the axes, the ranges of blocks with the algorithms that are fastest there, of those that are shown: as few
    ranges as there can be, for where several are as fast, any of them may go on. */
function fastest_ranges(choice) {
  const ranges = [];
  const baseline = baseline_of(choice);
  const timed = choice.records().filter((r) => positive(r.time_s) !== null && positive(r.block_bytes) !== null);
  for (const [place, records] of grouped(timed, (r) => choice.place(r))) {
    let last = null;
    for (const [block, rivals] of [...grouped(records, (r) => r.block_bytes)].sort((a, b) => a[0] - b[0])) {
      const fastest = fastest_of(rivals);
      const still = last?.algorithms.filter((each) => fastest.includes(each)) ?? [];
      if (still.length === 0) ranges.push(last = { place, from: block, gains: [] });
      last.algorithms = still.length === 0 ? fastest : still;
      last.to = block;
      const best = rivals.find((r) => name_of(r) === last.algorithms[0]);
      const gain = ratio(baseline(best)?.time_s, best.time_s);
      if (gain !== null) last.gains.push(gain);
    }
  }
  return ranges;
}

/** Where the fastest algorithm changes: between the last block of the one and the first of the next. */
function cut_offs(choice) {
  const ranges = fastest_ranges(choice);
  return ranges.slice(1).flatMap((range, i) => (range.place !== ranges[i].place ? [] :
    [{ at: Math.sqrt(ranges[i].to * range.from), name: `${range.algorithms[0]} from ${bytes(range.from)}` }]));
}

function fastest_part(choice) {
  const ranges = fastest_ranges(choice);
  const gain = (values) => (values.length === 0 ? null : distinct([Math.min(...values), Math.max(...values)].map((v) => `${number(Number(v.toPrecision(3)))}x`)).join(" to "));
  const columns = [{ name: "at", text: true }, { name: "blocks" }, { name: "fastest", text: true }, { name: "as fast", text: true }, { name: `times as fast as ${choice.baseline}` }];
  const rows = ranges.map((r) => [r.place || "all", distinct([bytes(r.from), bytes(r.to)]).join(" to "), r.algorithms[0], r.algorithms.slice(1).join(", ") || "–", gain(r.gains)]);
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

/** The bytes over the busiest link by curve and block, shaded from the least to the most of a block; null where no record
 *  has links. */
function busiest_links_part(choice) {
  const records = choice.records().filter((r) => positive(r.max_link_bytes) !== null);
  if (!records.length) return null;
  const blocks = distinct(records.map((r) => r.block_bytes)).sort((a, b) => a - b);
  const busiest = (r) => r.max_link_bytes;
  const rows = [...grouped(records, (r) => choice.label(r))].map(([label, own]) => ({ label,
    loads: by_block(own, blocks, busiest), means: by_block(own, blocks, (r) => positive(r.mean_link_bytes)) }));
  const range = blocks.map((block, i) => {
    const loads = rows.map((row) => row.loads[i]).filter((load) => load !== null);
    return [Math.min(...loads), Math.max(...loads)];
  });
  const cell = (row, i) => {
    if (row.loads[i] === null) return null;
    const [least, most] = range[i];
    const share = most > least ? (row.loads[i] - least) / (most - least) : 0;
    const times_mean = ratio(row.loads[i], row.means[i]);
    return make("span", { class: "heat", style: `background-color: rgba(213, 94, 0, ${(0.75 * share).toFixed(3)})` },
      `${rounded_bytes(row.loads[i])}, ${times_mean === null ? "–" : number(Number(times_mean.toPrecision(3)))}x`);
  };
  return make("div", { "data-figure": "links" }, make("h3", {}, "The busiest link"),
    make("p", { class: "soft" }, "Bytes over the busiest link between routers, and how many times the mean of all links that is; by block the darker, the more."),
    table("The busiest link", [{ name: "algorithm", text: true }, ...blocks.map((block) => ({ name: bytes(block) }))],
      rows.map((row) => [row.label, ...blocks.map((block, i) => cell(row, i))])));
}

const figures = (choice) => [
  time_figure(choice),
  choice.algorithms.length > 1 ? speedup_figure(choice) : null,
  gap_figure(choice),
  error_figure(choice),
  count_figure(choice, "rounds", "Rounds against their bound", "rounds",
    (r) => ({ counted: r.rounds, theory: r.theory.rounds, bound: r.bound.rounds })),
  count_figure(choice, "volume", "Volume against its bound: most blocks a rank sends", "blocks",
    (r) => ({ counted: r.volume_blocks, theory: r.theory.volume_blocks, bound: r.bound.volume_blocks })),
].filter((figure) => figure !== null);
