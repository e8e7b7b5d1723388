"use strict";
// What a person has chosen of a scenario's records, and the curves that follow from it.

const most_curves = 7;
const all_values = "all";

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
    this.x = x_of(scenario);  // its axis is never held, and no part of a curve's name
    this.panels = null;  // the axis of which each value has a chart of its own, by its place
    this.bounds = true;  // whether lower bounds are drawn
    this.every = { picked: "", labels: new Map() };
    // Few enough curves to tell apart: the last axes are held at their first value.
    for (let k = this.picked.length - 1; k >= 0 && this.curves().length > most_curves; --k) {
      if (k !== this.x.axis) this.picked[k] = 0;
    }
  }

  /** One choice for each value of the axis of the panels, where that is held; this one where there are none. */
  by_panel() {
    if (this.panels === null) return [{ name: "", choice: this }];
    const axis = this.scenario.axes[this.panels];
    const values = this.picked[this.panels] === all_values ? axis.values.map((value, i) => i) : [this.picked[this.panels]];
    return values.map((value) => {
      const picked = this.picked.map((each, k) => (k === this.panels ? value : each));
      return { name: `${axis.name}: ${axis.values[value]}`, choice: Object.assign(Object.create(Choice.prototype), this, { picked, panels: null }) };
    });
  }

  records() {
    return this.scenario.records.filter((r) => this.shown.has(name_of(r)) &&
      this.picked.every((value, k) => value === all_values || r.at[k] === value));
  }

  /** The values of the axes that are not held and not along x, as text; empty where there are none. */
  place(record) {
    let text = "";
    record.at.forEach((value, k) => {
      if (this.picked[k] === all_values && k !== this.x.axis) text += (text && ", ") + this.scenario.axes[k].values[value];
    });
    return text;
  }
  label(record) {
    const place = this.place(record);
    return place === "" ? name_of(record) : `${name_of(record)}, ${place}`;
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

/** The values along x of these records, from the least on. */
const xs_of = (choice, records) => distinct(records.map(choice.x.read).filter((x) => x !== null)).sort((a, b) => a - b);

/** By value along x, what `read` finds in the records of a curve; the first record counts. */
function by_x(choice, records, xs, read) {
  const values = new Map();
  for (const r of records ?? []) {
    if (values.has(choice.x.read(r))) continue;
    const value = read(r);
    if (value != null) values.set(choice.x.read(r), value);
  }
  return xs.map((x) => values.get(x) ?? null);
}
