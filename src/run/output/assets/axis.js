"use strict";
// What the charts of a scenario have along x: the block or, where all blocks are the same, another axis that is numeric.

const prefixes = { "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };
const sizes_of = (unit, times = 1) => Object.entries(prefixes).map(([prefix, size]) => [prefix + unit, size * times]);
const rate = (value) => (value >= 1e9 ? `${number(value / 1e9)}GBps` : `${number(value / 1e6)}MBps`);
/** How the values of a scenario are written, and how they are written on an axis. */
const quantities = [
  { text: number, units: new Map([["", 1]]) },
  { text: seconds, units: new Map([["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9], ["ps", 1e-12]]) },
  { text: bytes, units: new Map(sizes_of("B")) },
  { text: rate, units: new Map([...sizes_of("Bps"), ...sizes_of("bps", 1 / 8)]) },
];

/** A text such as "64", "1us" or "10GBps" as {value, text}; null where it is none. */
function quantity_of(text) {
  const [, digits, unit] = text.match(/^(-?[0-9.]+(?:e[-+]?[0-9]+)?) ?([A-Za-z]*)$/) ?? [];
  const found = quantities.find(({ units }) => units.has(unit));
  return found && Number.isFinite(Number(digits)) ? { value: Number(digits) * found.units.get(unit), text: found.text } : null;
}

const all_differ = (values) => distinct(values).length === values.length;

/** The numbers of ranks, where each value of an axis has one of its own. */
function ranks_along(scenario, k) {
  const by_value = grouped(scenario.records.filter((r) => r.p != null), (r) => r.at[k]);
  const ranks = scenario.axes[k].values.map((value, i) => distinct((by_value.get(i) ?? []).map((r) => r.p)));
  if (!ranks.every((each) => each.length === 1)) return null;
  return all_differ(ranks.map(([p]) => p)) ? { name: "ranks", text: number, values: ranks.map(([p]) => p) } : null;
}

/** The values of the first of the pointers of an axis that is numeric and has as many values as the axis. */
function numbers_along({ name, pointers, values }) {
  const names = name.split(", "), rows = values.map((value) => value.split(", "));
  if (rows.some((row) => row.length !== pointers.length)) return null;
  for (let i = 0; i < pointers.length; ++i) {
    const parts = rows.map((row) => quantity_of(row[i]));
    if (pointers[i].endsWith("/seed") || parts.some((part) => part === null || part.text !== parts[0].text)) continue;
    if (all_differ(parts.map((part) => part.value))) return { name: names[i], text: parts[0].text, values: parts.map((part) => part.value) };
  }
  return null;
}

const next_whole = (at) => Math.ceil(at * (1 - 1e-9));

/** {name, title, axis: its place among those of the scenario or null, read(record), text(value), about(value)}. */
function x_of(scenario) {
  const block = { name: "block", title: "block size", axis: null, read: (r) => positive(r.block_bytes), text: bytes, about: (at) => bytes(next_whole(at)) };
  if (distinct(scenario.records.map(block.read).filter((size) => size !== null)).length > 1) return block;
  for (const along of [(k) => ranks_along(scenario, k), (k) => numbers_along(scenario.axes[k])]) {
    for (let axis = 0; axis < scenario.axes.length; ++axis) {
      const { name, text, values } = along(axis) ?? {};
      if (!values) continue;
      const about = (at) => text(text === seconds || text === rate ? Number(at.toPrecision(3)) : next_whole(at));
      return { name, title: name, axis, read: (r) => values[r.at[axis]], text, about };
    }
  }
  return block;
}

/** The axis as a chart takes it; logarithmic as blocks are, or where its values are far apart. */
function chart_axis(x, values) {
  const far = values[0] > 0 && values.at(-1) >= 4 * values[0];
  return { values, label: x.name, log: x.axis === null || far, text: x.text };
}
