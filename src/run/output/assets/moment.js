"use strict";
// The schedule at a moment. `data` is what run/output/show_page.hpp describes.
//
// There are two clocks: rounds, in which round k lasts from k-1 to k and all its messages move together, and simulated
// time. An MPI program has the second alone; its messages have no rounds. `rondoShow` is what tests look at.

const [ROUND, SOURCE, TARGET, BYTES, BLOCKS, RECEIVED, START, END] = [0, 1, 2, 3, 4, 5, 6, 7];
const red = "#b3261e";
const layout = layout_of(data.layout, data.ranks, data.program ? [] : data.messages.map((m) => [m[SOURCE], m[TARGET]]));
const by_round = Array.from({ length: data.rounds + 1 }, () => []);
data.messages.forEach((m) => by_round[m[ROUND]].push(m));
const bars = data.messages.filter((m) => m[START] !== null);
const timed = data.makespan !== null && data.makespan > 0;

const rondoShow = { clock: data.program ? "time" : "rounds", at: 0, playing: false, moving: [] };
window.rondoShow = rondoShow;

const round_at = () => (rondoShow.clock === "rounds" ? Math.min(data.rounds, Math.ceil(rondoShow.at)) : 0);
const length_of = (clock) => (clock === "rounds" ? data.rounds : data.makespan);

/** By rank, when the last of its messages up to round k has ended; k from 0. */
const round_ends = Array.from({ length: data.ranks }, () => new Array(data.rounds + 1).fill(0));
for (const m of bars) {
  for (const rank of [m[SOURCE], m[TARGET]]) round_ends[rank][m[ROUND]] = Math.max(round_ends[rank][m[ROUND]], m[END]);
}
for (const ends of round_ends) ends.forEach((end, k) => { ends[k] = Math.max(end, ends[k - 1] ?? 0); });

/** How many rounds a rank has behind it. */
function rounds_done(rank) {
  if (rondoShow.clock === "rounds") return Math.floor(rondoShow.at);
  let k = data.rounds;
  while (k > 0 && round_ends[rank][k] > rondoShow.at * (1 + 1e-12)) --k;
  return k;
}

/** The messages on their way, with how far they are. */
function moving() {
  if (rondoShow.clock === "time") {
    return bars.filter((m) => m[START] <= rondoShow.at && rondoShow.at < m[END])
      .map((m) => ({ message: m, part: (rondoShow.at - m[START]) / (m[END] - m[START]) }));
  }
  const round = round_at();
  const part = round === 0 ? 0 : rondoShow.at - (round - 1);
  return (part < 1 ? by_round[round] : []).map((m) => ({ message: m, part }));
}

const block_name = (b) => {
  if (b < 0) return "nothing";
  const [rank, block, contributions] = data.contents[b];
  return contributions === undefined ? `block ${block} of rank ${rank}`
    : `the join of block ${block} of ${contributions} contributions from rank ${rank} on`;
};
const colour_of_rank = (rank) => colours[rank % colours.length];
/** In the simulated run: that of the round, or for a program that of the sender. In a workload the steps have the colours. */
const colour_of_bar = (m) => (data.steps.length ? theme.rim : data.program ? colour_of_rank(m[SOURCE]) : colours[(m[ROUND] - 1) % colours.length]);
const violations_of = (round) => data.violations.filter((v) => v.round === round);

/** A canvas as large as its place, and its context in CSS pixels. Its style has no height: where paper is narrower than the
 *  screen that it was drawn for, it shrinks as a whole. */
function prepared(canvas, height) {
  const width = drawn_width(canvas, "half");
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  const context = canvas.getContext("2d");
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.clearRect(0, 0, width, height);
  return [context, width, height];
}
