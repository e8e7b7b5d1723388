"use strict";
// Which algorithm is the fastest where, and from where on another one is.

/** The algorithms that no other one is faster than. */
function fastest_of(rivals) {
  const least = Math.min(...rivals.map((r) => r.time_s));
  return distinct(rivals.filter((r) => r.time_s <= least * (1 + same_time / 100)).map(name_of));
}

/** By place of the axes, the ranges of x with the algorithms that are fastest there, of those that are shown: as few
 *  ranges as there can be, for where several are as fast, any of them may go on. `first` and `last`: the records at their ends. */
function fastest_ranges(choice) {
  const ranges = [];
  const baseline = baseline_of(choice);
  const timed = choice.records().filter((r) => positive(r.time_s) !== null && choice.x.read(r) !== null);
  for (const [place, records] of grouped(timed, (r) => choice.place(r))) {
    let now = null;
    for (const [x, rivals] of [...grouped(records, choice.x.read)].sort((a, b) => a[0] - b[0])) {
      const fastest = fastest_of(rivals);
      const still = now?.algorithms.filter((each) => fastest.includes(each)) ?? [];
      if (still.length === 0) ranges.push(now = { place, from: x, first: rivals, gains: [] });
      now.algorithms = still.length === 0 ? fastest : still;
      now.to = x;
      now.last = rivals;
      const best = rivals.find((r) => name_of(r) === now.algorithms[0]);
      const gain = ratio(baseline(best)?.time_s, best.time_s);
      if (gain !== null) now.gains.push(gain);
    }
  }
  return ranges;
}

/** From one x to the next, where the algorithm that is the fastest at first is overtaken, and where the one after it: curves
 *  are [name, time here, time there] and linear in between. As [how far from here (0) to there (1), name]; of those that cross
 *  at once the `wanted` one counts. */
function overtakings(first, wanted, curves) {
  const same = 1e-9;
  const sooner = (a, b) => (Math.abs(a.part - b.part) < same ? (b.curve[0] === wanted) - (a.curve[0] === wanted) : a.part - b.part);
  /** Where a curve comes below another one: not within [0, 1] where it does not. */
  const passing = ([, here, there], now) => (Math.abs(here - now[1]) <= same * now[1] ? 0 : (here - now[1]) / (here - now[1] - (there - now[2])));
  const found = [];
  let now = curves.find(([name]) => name === first), at = 0;
  while (now) {
    const [next] = curves.filter((curve) => curve[2] < now[2] * (1 - same)).map((curve) => ({ curve, part: passing(curve, now) }))
      .filter(({ part }) => part >= at && part <= 1).sort(sooner);
    if (next) found.push([at = next.part, next.curve[0]]);
    now = next?.curve;
  }
  return found;
}

/** The last x of a range, the first of the next, and where another algorithm becomes the fastest in between: where the curves
 *  of the chart cross or, if those of theory do not, those of the simulation. */
function crossings({ to, last, algorithms: [first] }, { from, first: others, algorithms: [wanted] }) {
  const curves_by = (read) => last.flatMap((r) => {
    const there = others.find((each) => name_of(each) === name_of(r));
    return there && read(r) !== null && read(there) !== null ? [[name_of(r), read(r), read(there)]] : [];
  });
  const drawn = overtakings(first, wanted, curves_by((r) => positive(r.theory.time_s) ?? r.time_s));
  return (drawn.length ? drawn : overtakings(first, wanted, curves_by((r) => r.time_s))).map(([part, name]) => ({ at: to + part * (from - to), name }));
}

const most_lines = 12;

/** A line for each cut-off; none where they are too many to tell apart. */
function cut_offs(choice) {
  const ranges = fastest_ranges(choice);
  const lines = ranges.slice(1).flatMap((range, i) => (range.place !== ranges[i].place ? [] : crossings(ranges[i], range).map(({ at, name }) =>
    ({ at, name: `${[name, range.place].filter((text) => text).join(", ")} from about ${choice.x.about(at)}` }))));
  return lines.length <= most_lines ? lines : [];
}

/** The table of the ranges; null where nothing is timed. */
function fastest_part(choice) {
  const ranges = fastest_ranges(choice), x = choice.x;
  if (!ranges.length) return null;
  const gain = (values) => (values.length === 0 ? null : distinct([Math.min(...values), Math.max(...values)].map((v) => `${number(Number(v.toPrecision(3)))}x`)).join(" to "));
  const columns = [{ name: "at", text: true }, { name: x.axis === null ? "blocks" : x.name }, { name: "fastest", text: true },
    { name: "as fast", text: true }, { name: `times as fast as ${choice.baseline}` }];
  const cells = (r) => [r.place || "all", distinct([x.text(r.from), x.text(r.to)]).join(" to "), r.algorithms[0], r.algorithms.slice(1).join(", ") || "–", gain(r.gains)];
  const title = `The fastest algorithm by ${x.name}`;
  return make("div", { "data-figure": "fastest" }, make("h3", {}, title), folded(title, columns, ranges, cells));
}
