"use strict";
// The simulated run: when each rank sends and receives.

const gantt = make("canvas", { role: "img" });

/** A row a rank, or one for all ranks that do the same at the same times: above what they send, below what they receive. */
const [chart_left, chart_top, chart_bottom, chart_right] = [58, 8, 30, 12];
const rows_of_ranks = Array.from({ length: data.ranks }, (_, rank) => ({ name: String(rank), ranks: [rank] }));
const rows_of_equals = equal_ranks();
let gantt_rows = data.ranks > 16 && rows_of_equals.length < data.ranks ? rows_of_equals : rows_of_ranks;
let time_shown = [0, data.makespan];  // from when to when

/** Ranks with the same messages at the same times, by their first rank; which partners they have may differ. */
function equal_ranks() {
  const done = Array.from({ length: data.ranks }, () => []);
  for (const [rank, start, end, name] of data.steps) done[rank].push(`${name} ${start} ${end}`);
  for (const m of bars) {
    done[m[SOURCE]].push(`s${m[ROUND]} ${m[START]} ${m[END]}`);
    done[m[TARGET]].push(`r${m[ROUND]} ${m[START]} ${m[END]}`);
  }
  const rows = new Map();
  done.forEach((list, rank) => {
    const key = list.sort().join();
    if (!rows.has(key)) rows.set(key, { ranks: [] });
    rows.get(key).ranks.push(rank);
  });
  for (const row of rows.values()) row.name = row.ranks.length === 1 ? String(row.ranks[0]) : `${row.ranks[0]} (${row.ranks.length})`;
  return [...rows.values()];
}

const row_height = () => Math.max(3, Math.min(20, 520 / gantt_rows.length));
const time_x = (width, time) =>
  chart_left + ((width - chart_left - chart_right) * (time - time_shown[0])) / (time_shown[1] - time_shown[0]);
const time_at = (width, x) =>
  time_shown[0] + ((x - chart_left) / (width - chart_left - chart_right)) * (time_shown[1] - time_shown[0]);

function draw_gantt() {
  if (!timed) return;
  const row = row_height();
  const [c, width, height] = prepared(gantt, Math.round(chart_top + row * gantt_rows.length + chart_bottom));
  draw_rows(c, width, row);
  const round = round_at();
  c.save();
  c.beginPath();
  c.rect(chart_left, 0, width - chart_left - chart_right, height);
  c.clip();
  gantt_rows.forEach(({ ranks }, place) => {
    for (const step of steps_of[ranks[0]]) draw_step(c, width, step, place);
    for (const m of bars_of[ranks[0]]) {
      const now = rondoShow.clock === "rounds" ? m[ROUND] === round : m[START] <= rondoShow.at && rondoShow.at < m[END];
      draw_bar(c, width, m, place + (m[SOURCE] === ranks[0] ? 0.06 : 0.53), now);
      if (m[SOURCE] === m[TARGET]) draw_bar(c, width, m, place + 0.53, now);
    }
  });
  c.restore();
  draw_time_axis(c, width, height);
  gantt.setAttribute("aria-label", `When each rank sends and receives, over ${seconds(data.makespan)}: ` +
    `${bars.length} messages, coloured by their ${data.program ? "senders" : "rounds"}. The table below has their times.`);
}

const bars_of = Array.from({ length: data.ranks }, () => []);
for (const m of bars) {
  bars_of[m[SOURCE]].push(m);
  if (m[TARGET] !== m[SOURCE]) bars_of[m[TARGET]].push(m);
}

const steps_of = Array.from({ length: data.ranks }, () => []);
for (const step of data.steps) steps_of[step[0]].push(step);
const step_names = [...new Set(data.steps.map((step) => step[3]))];

/** A step of a workload lies behind its messages, with its name where that fits. */
function draw_step(c, width, [, start, end, name], place) {
  const row = row_height(), x = time_x(width, start), w = time_x(width, end) - x, y = chart_top + row * place;
  c.globalAlpha = 0.25;
  c.fillStyle = colours[step_names.indexOf(name) % colours.length];
  c.fillRect(x, y, Math.max(1, w), row);
  c.globalAlpha = 1;
  if (row < 12 || c.measureText(name).width + 6 > w) return;
  c.fillStyle = theme.ink;
  c.textAlign = "left";
  c.fillText(name, x + 3, y + row / 2);
}

function draw_rows(c, width, row) {
  c.font = "11px system-ui, sans-serif";
  c.textBaseline = "middle";
  c.textAlign = "right";
  const every = Math.ceil(13 / row);
  gantt_rows.forEach(({ name }, place) => {
    const y = chart_top + row * place;
    c.fillStyle = place % 2 ? theme.stripe : theme.paper;
    c.fillRect(chart_left, y, width - chart_left - chart_right, row);
    c.fillStyle = theme.ink;
    if (place % every === 0) c.fillText(name, chart_left - 6, y + row / 2);
  });
}

function draw_bar(c, width, m, place, now) {
  const row = row_height();
  const x = time_x(width, m[START]), w = Math.max(1, time_x(width, m[END]) - x);
  const y = chart_top + row * place, h = row * 0.41;
  c.globalAlpha = now ? 1 : 0.42;
  c.fillStyle = colour_of_bar(m);
  c.fillRect(x, y, Math.max(1, w - 0.6), Math.max(1, h));
  c.globalAlpha = 1;
  if (now && h > 3) {
    c.strokeStyle = theme.ink;
    c.lineWidth = 1;
    c.strokeRect(x + 0.5, y + 0.5, Math.max(1, w - 1.6), h - 1);
  }
}

function draw_time_axis(c, width, height) {
  const bottom = height - chart_bottom;
  c.strokeStyle = theme.rim;
  c.lineWidth = 1;
  c.beginPath();
  c.moveTo(chart_left, bottom + 0.5);
  c.lineTo(width - chart_right, bottom + 0.5);
  c.stroke();
  c.fillStyle = theme.ink;
  c.textBaseline = "top";
  for (let i = 0; i <= 4; ++i) {
    const time = time_shown[0] + ((time_shown[1] - time_shown[0]) * i) / 4;
    c.textAlign = i === 4 ? "right" : i === 0 ? "left" : "center";
    c.fillText(seconds(Number(time.toPrecision(4))), time_x(width, time), bottom + 6);
  }
  if (rondoShow.clock !== "time") return;
  const x = time_x(width, rondoShow.at);
  if (x < chart_left || x > width - chart_right) return;
  c.strokeStyle = theme.ink;
  c.beginPath();
  c.moveTo(x, chart_top);
  c.lineTo(x, bottom);
  c.stroke();
}

/** From when to when the run is shown; without words the whole of it. */
function show_times(from = 0, to = data.makespan) {
  const [first, last] = [Math.max(0, Math.min(from, to)), Math.min(data.makespan, Math.max(from, to))];
  if (last - first > data.makespan * 1e-6) time_shown = [first, last];
  draw_gantt();
}
rondoShow.show_times = show_times;

let dragged_from = null;
gantt.addEventListener("mousedown", (event) => { dragged_from = event.offsetX; });
gantt.addEventListener("mouseup", (event) => {
  if (dragged_from !== null && Math.abs(event.offsetX - dragged_from) > 4) {
    show_times(time_at(gantt.clientWidth, dragged_from), time_at(gantt.clientWidth, event.offsetX));
  }
  dragged_from = null;
});
gantt.addEventListener("dblclick", () => show_times());

/** Half of the time shown, or twice of it, around its middle. */
function zoom(factor) {
  const middle = (time_shown[0] + time_shown[1]) / 2, half = ((time_shown[1] - time_shown[0]) * factor) / 2;
  show_times(middle - half, middle + half);
}

/** Which rows, how much time, and what the colours are. */
function gantt_controls() {
  const rows = rows_of_equals.length === data.ranks ? "" : labelled_choice("rows", ["each rank", "equal ranks together"],
    gantt_rows === rows_of_equals ? 1 : 0, (i) => {
      gantt_rows = [rows_of_ranks, rows_of_equals][i];
      draw_gantt();
    });
  const zooms = [["−", "more time", 2], ["+", "less time", 0.5]].map(([text, what, factor]) =>
    make("button", { type: "button", "aria-label": what, onclick: () => zoom(factor) }, text));
  const named = Math.min(data.rounds, colours.length);
  const legend = Array.from({ length: named }, (_, i) => make("span", { class: "swatch", style: `--of: ${colours[i]}` }, `round ${i + 1}`));
  const steps = step_names.slice(0, 12).map((name, i) =>
    make("span", { class: "swatch", style: `--of: ${colours[i % colours.length]}` }, name));
  return make("div", { class: "player" }, rows, ...zooms, make("button", { type: "button", onclick: () => show_times() }, "all"),
    ...steps, ...legend, data.rounds > named ? make("span", { class: "soft" }, "and so on from the first colour") : "");
}
