"use strict";
// The charts of a report, each with the table of its values: {name, title, note, columns, items,
// cells(item), draw(place)}, and `curves` where they are along x.

/** Whether there is something to see: a mark, or a line of two points. */
const visible = (curves) => curves.some(({ y, shape }) => y.filter((value) => value != null).length >= (shape ? 1 : 2));

/** How a figure of curves along x is drawn. */
const along_x = (choice, xs, y, curves, lines) => (place, range) => chart(place, chart_axis(choice.x, xs), { ...y, range: y.log ? range : null }, curves, lines);

const listed_names = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}` : names[0]);

/** A sentence for each group of curves that lie on each other: their times agree to the six digits that tables show. */
function coinciding(choice, records, xs) {
  const curves = [...grouped(records, (r) => choice.label(r))].map(([label, own]) =>
    [label, by_x(choice, own, xs, (r) => positive(r.time_p50_s ?? r.time_s)).map((time) => (time === null ? null : seconds(time)))]);
  const same = grouped(curves.filter(([, times]) => times.some((time) => time !== null)), ([, times]) => times.join());
  return [...same.values()].filter((group) => group.length > 1).map((group) => ` The curves of ${listed_names(group.map(([label]) => label))} coincide.`).join("");
}

function time_figure(choice) {
  const records = choice.records();
  const xs = xs_of(choice, records);
  const curves = choice.bounds ? bound_curves(choice, xs) : [];
  for (const [label, own] of grouped(records, (r) => choice.label(r))) {
    const style = choice.look(label);
    const theory = by_x(choice, own, xs, (r) => positive(r.theory.time_s));
    const known = theory.some((t) => t !== null);
    if (known) curves.push(bending(lineCurve(`${label}: theory`, style, theory, seconds)));
    const spreads = own.some((r) => r.time_p95_s != null);
    // The band lies between this curve and the next one, whose lines are straight both.
    if (spreads) curves.push({ ...lineCurve(`${label}: 95th percentile`, { ...style, dash: [2, 3] }, by_x(choice, own, xs, (r) => positive(r.time_p95_s)), seconds), band: true });
    const times = markCurve(spreads ? `${label}: median` : label, style, by_x(choice, own, xs, (r) => positive(r.time_p50_s ?? r.time_s)), seconds, !known);
    curves.push(spreads ? times : bending(times));
  }
  const spread = records.some((r) => r.time_p95_s != null);
  const lines = cut_offs(choice);
  const note = ["Marks are simulated times. Lines are theory, or join the marks if there is no theory. Grey lines are lower bounds: no schedule is faster.",
    spread ? " Marks are medians of all replications, and bands reach to the 95th percentile." : "",
    lines.length ? " At a dashed vertical line another algorithm becomes the fastest." : "",
    ` Between two points a curve is linear in the ${choice.x.title}. The axis of times is logarithmic.`, coinciding(choice, records, xs),
    " Drag to zoom, and double-click to go back."].join("");
  const columns = [...point_columns(choice), { name: "simulated" }, { name: "theory" }, { name: "lower bound" }, { name: "simulated / theory" },
    ...(spread ? [{ name: "median" }, { name: "95th percentile" }] : [])];
  const cells = (r) => [...point_cells(choice, r), seconds(r.time_s), seconds(r.theory.time_s), seconds(r.bound.time_s), number(ratio(r.time_s, r.theory.time_s)),
    ...(spread ? [seconds(r.time_p50_s), seconds(r.time_p95_s)] : [])];
  return { name: "time", title: `Time against ${choice.x.title}`, note, columns, items: records, cells, curves,
    draw: along_x(choice, xs, { label: "time", log: true, text: seconds }, curves, lines) };
}

const most_bounds = 4;
const bound_style = { colour: "#777777", dash: [2, 3] };

/** The lower bounds on the time, one for each place and each kind of links; none where they are too many to tell apart. */
function bound_curves(choice, xs) {
  const bounded = choice.records().filter((r) => positive(r.bound.time_s) !== null);
  const name = (r) => ["no schedule is faster", r.bound.links && `${r.bound.links} links`, choice.place(r)].filter((text) => text).join(", ");
  const of = grouped(bounded, name);
  if (of.size > most_bounds) return [];
  return [...of].map(([label, records]) => bending(lineCurve(label, bound_style, by_x(choice, records, xs, (r) => positive(r.bound.time_s)), seconds)));
}

const ratio = (a, b) => (a == null || b == null || b === 0 ? null : a / b);

const point_columns = (choice) => [{ name: "point" }, { name: "algorithm", text: true },
  ...choice.scenario.axes.map((axis) => ({ name: axis.name, text: true })), { name: "block" }];
const point_cells = (choice, r) => [String(r.point), name_of(r), ...r.at.map((v, k) => choice.scenario.axes[k].values[v]), bytes(r.block_bytes)];

/** The record of the baseline at the place of another: a function of that. */
function baseline_of(choice) {
  const place_of = (r) => `${r.block_bytes} ${r.at.join()}`;
  const places = grouped(choice.scenario.records.filter((r) => name_of(r) === choice.baseline), place_of);
  return (record) => places.get(place_of(record))?.[0];
}

/** A value of each record that has one, along x; null where none has. */
function value_figure(choice, { name, title, note, column, line, read, text, log }) {
  const records = choice.records().filter((r) => read(r) != null);
  const xs = xs_of(choice, records);
  if (!xs.length) return null;
  const curves = [...grouped(records, (r) => choice.label(r))].map(([label, own]) => markCurve(label, choice.look(label), by_x(choice, own, xs, read), text, true));
  if (line) curves.unshift(lineCurve(line.name, { colour: "#777777", dash: [4, 4] }, xs.map(() => line.at), text));
  return { name, title, note, columns: [...point_columns(choice), { name: column }], items: records, cells: (r) => [...point_cells(choice, r), text(read(r))],
    curves, draw: (place, range) => along_x(choice, xs, { label: column, log, text: log ? number : text }, curves)(place, range ?? range_of(curves)) };
}

function speedup_figure(choice) {
  const baseline = baseline_of(choice);
  return value_figure(choice, { name: "speedup", title: `Speed-up over ${choice.baseline}`, column: "speed-up", log: true,
    note: `The simulated time of ${choice.baseline} at the same point, divided by the simulated time of the algorithm.`,
    line: { name: `1: as fast as ${choice.baseline}`, at: 1 }, text: (value) => (value == null ? "–" : number(value) + "x"),
    read: (r) => ratio(baseline(r)?.time_s, positive(r.time_s)) });
}

const gap_figure = (choice) => value_figure(choice, { name: "gap", title: "Time over its lower bound", column: "time / bound", log: true,
  note: "The simulated time, divided by the lower bound for the links that the algorithm uses. 1 is optimal.",
  line: { name: "1: no schedule is faster", at: 1 }, text: number, read: (r) => positive(ratio(positive(r.time_s), r.bound.time_s)) });

const most_parts = 10;

/** The steps and jobs of a workload, each against itself alone, with a mark for each point; null where there are none. */
function slowdown_figure(choice) {
  const items = choice.records().flatMap((r) => Object.entries({ ...r.jobs, ...r.steps })
    .filter(([, part]) => part.slowdown != null).map(([name, part]) => ({ ...r, part: { name, ...part } })));
  if (!items.length) return null;
  const names = distinct(items.map((item) => item.part.name));
  const points = [...grouped(items, (item) => `${choice.label(item)}, point ${item.point}`)];
  const slowdown = (own, name) => own.find((item) => item.part.name === name)?.part.slowdown ?? null;
  const curves = [lineCurve("1: as fast as alone", { colour: "#777777", dash: [4, 4] }, names.map(() => 1), number),
    ...points.slice(0, most_parts).map(([label, own], i) => markCurve(label, look(i), names.map((name) => slowdown(own, name)), number))];
  const note = "The time of a step or a job, divided by its time alone on the same machine." +
    (points.length > most_parts ? ` The first ${most_parts} of ${points.length} points.` : "");
  return { name: "slowdown", title: "Slow-down of steps and jobs", note, items,
    columns: [...point_columns(choice), { name: "step or job", text: true }, { name: "time" }, { name: "alone" }, { name: "slow-down" }],
    cells: (item) => [...point_cells(choice, item), item.part.name, seconds(item.part.time_s), seconds(item.part.alone_s), number(item.part.slowdown)],
    draw: (place) => chart(place, { values: names.map((name, i) => i), names, label: "" }, { label: "slow-down", text: number }, curves) };
}

const error_of = (r) => (ratio(positive(r.time_s), r.theory.time_s) === null ? null : 100 * (r.time_s / r.theory.time_s - 1));
const same_time = 1e-7;  // percent: two engines, or a simulation and its theory, agree to 1e-9

/** How far the simulation is from theory; null where all points agree. */
function error_figure(choice) {
  if (!choice.records().some((r) => Math.abs(error_of(r) ?? 0) > same_time)) return null;
  return value_figure(choice, { name: "error", title: "Simulated time against theory", column: "simulated - theory",
    note: "The difference between simulated time and theory, in percent of theory. Theory ignores some effects, such as shared links.",
    text: (value) => (value == null ? "–" : number(value) + "%"), read: error_of });
}

const counts_note = "The numbers that were counted in the schedule, with theory and the lower bound.";
const count_columns = [{ name: "counted" }, { name: "theory" }, { name: "lower bound" }, { name: "counted / bound" }, { name: "optimal", text: true }];
const count_cells = (c) => [number(c.counted), number(c.theory), number(c.bound), number(ratio(c.counted, c.bound)), c.optimal ? "proven" : "–"];
const is_optimal = (r, name) => (r.optimal ?? "").split(" ").includes(name);

/** Rounds or volumes: one place along the axis for each curve and each different outcome of it. */
function count_figure(choice, name, title, unit, read) {
  if (choice.x.axis !== null) return count_curves(choice, name, title, unit, read);
  const seen = new Map();
  for (const r of choice.records()) {
    const values = read(r);
    if (values.counted == null) continue;
    const label = choice.label(r), key = `${label} ${values.counted} ${values.theory} ${values.bound}`;
    if (!seen.has(key)) seen.set(key, { label, ...values, optimal: is_optimal(r, name) });
  }
  const cases = [...seen.values()];
  if (!cases.length) return null;
  const names = cases.map((c) => c.label);
  const column = (key) => cases.map((c) => c[key] ?? null);
  const curves = [
    // Grey and ink: the first six algorithms of the other charts have other colours.
    markCurve("lower bound", { colour: bound_style.colour, shape: bar }, column("bound"), number),
    markCurve("theory", { colour: theme.ink, shape: ring }, column("theory"), number),
    markCurve("counted", { colour: theme.ink, shape: shapes[0] }, column("counted"), number),
  ];
  return { name, title, note: counts_note, columns: [{ name: "algorithm", text: true }, ...count_columns], items: cases, cells: (c) => [c.label, ...count_cells(c)],
    draw: (place) => chart(place, { values: cases.map((c, i) => i), names, label: "" }, { label: unit, text: number }, curves) };
}

/** The same along ranks or another axis, with which they change. */
function count_curves(choice, name, title, unit, read) {
  const records = choice.records().filter((r) => read(r).counted != null);
  const xs = xs_of(choice, records);
  if (!xs.length) return null;
  const curves = [...grouped(records, (r) => choice.label(r))].flatMap(([label, own]) => {
    const style = choice.look(label);
    return [...(choice.bounds ? [lineCurve(`${label}: lower bound`, { colour: style.colour, dash: [2, 3] }, by_x(choice, own, xs, (r) => read(r).bound), number)] : []),
      markCurve(label, style, by_x(choice, own, xs, (r) => read(r).counted), number, true)];
  });
  return { name, title, note: `${counts_note} Dotted lines are lower bounds.`, columns: [...point_columns(choice), ...count_columns], items: records,
    cells: (r) => [...point_cells(choice, r), ...count_cells({ ...read(r), optimal: is_optimal(r, name) })],
    curves, draw: along_x(choice, xs, { label: unit, text: number }, curves) };
}

const most_columns = 24;

/** The bytes over the busiest link by curve and value of x, shaded from the least to the most of a column; null where no record
 *  has links. */
function busiest_links_part(choice) {
  const records = choice.records().filter((r) => positive(r.max_link_bytes) !== null);
  if (!records.length) return null;
  const all = xs_of(choice, records), columns = Math.min(most_columns, all.length);
  const xs = Array.from({ length: columns }, (_, i) => all[Math.round((i * (all.length - 1)) / Math.max(1, columns - 1))]);
  const busiest = (r) => r.max_link_bytes;
  const rows = [...grouped(records, (r) => choice.label(r))].map(([label, own]) => ({ label,
    loads: by_x(choice, own, xs, busiest), means: by_x(choice, own, xs, (r) => positive(r.mean_link_bytes)) }));
  const range = xs.map((x, i) => {
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
    make("p", { class: "soft" }, "Bytes over the busiest link between routers, and their ratio to the mean of all links. In a column a darker cell has more bytes." +
      (xs.length < all.length ? ` ${xs.length} of ${all.length} columns.` : "")),
    table("The busiest link", [{ name: "algorithm", text: true }, ...xs.map((x) => ({ name: choice.x.text(x) }))],
      rows.map((row) => [row.label, ...xs.map((x, i) => cell(row, i))])));
}

const figures = (choice) => [
  time_figure(choice),
  choice.algorithms.length > 1 ? speedup_figure(choice) : null,
  gap_figure(choice),
  slowdown_figure(choice),
  error_figure(choice),
  count_figure(choice, "rounds", "Rounds against their bound", "rounds",
    (r) => ({ counted: r.rounds, theory: r.theory.rounds, bound: r.bound.rounds })),
  count_figure(choice, "volume", "Volume against its bound: most blocks a rank sends", "blocks",
    (r) => ({ counted: r.volume_blocks, theory: r.theory.volume_blocks, bound: r.bound.volume_blocks })),
].filter((figure) => figure !== null && (!figure.curves || visible(figure.curves)));
