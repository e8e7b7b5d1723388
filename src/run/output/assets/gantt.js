"use strict";
// The simulated run: when each rank sends and receives.

const gantt = make("canvas", { role: "img" });

/** A row a rank: above what it sends, below what it receives. */
const [chart_left, chart_top, chart_bottom, chart_right] = [46, 8, 30, 12];
const row_height = () => Math.max(3, Math.min(20, 520 / data.ranks));
const time_x = (width, time) => chart_left + ((width - chart_left - chart_right) * time) / data.makespan;

function draw_gantt() {
  if (!timed) return;
  const row = row_height();
  const [c, width, height] = prepared(gantt, Math.round(chart_top + row * data.ranks + chart_bottom));
  c.font = "11px system-ui, sans-serif";
  c.textBaseline = "middle";
  c.textAlign = "right";
  const every = Math.ceil(13 / row);
  for (let rank = 0; rank < data.ranks; ++rank) {
    const y = chart_top + row * rank;
    c.fillStyle = rank % 2 ? "#f5f6f7" : "#fff";
    c.fillRect(chart_left, y, width - chart_left - chart_right, row);
    c.fillStyle = "#1b1b1b";
    if (rank % every === 0) c.fillText(rank, chart_left - 6, y + row / 2);
  }
  const round = round_at();
  for (const m of bars) {
    const now = rondoShow.clock === "rounds" ? m[ROUND] === round : m[START] <= rondoShow.at && rondoShow.at < m[END];
    draw_bar(c, width, m, m[SOURCE], 0.06, now);
    draw_bar(c, width, m, m[TARGET], 0.53, now);
  }
  draw_time_axis(c, width, height);
  gantt.setAttribute("aria-label", `When each rank sends and receives, over ${seconds(data.makespan)}: ` +
    `${bars.length} messages, coloured by their rounds. The table below has their times.`);
}

function draw_bar(c, width, m, rank, above, now) {
  const row = row_height();
  const x = time_x(width, m[START]), w = Math.max(1, time_x(width, m[END]) - x);
  const y = chart_top + row * (rank + above), h = row * 0.41;
  c.globalAlpha = now ? 1 : 0.42;
  c.fillStyle = colours[(m[ROUND] - 1) % colours.length];
  c.fillRect(x, y, Math.max(1, w - 0.6), Math.max(1, h));
  c.globalAlpha = 1;
  if (now && h > 3) {
    c.strokeStyle = "#000";
    c.lineWidth = 1;
    c.strokeRect(x + 0.5, y + 0.5, Math.max(1, w - 1.6), h - 1);
  }
}

function draw_time_axis(c, width, height) {
  const bottom = height - chart_bottom;
  c.strokeStyle = "#4a5560";
  c.lineWidth = 1;
  c.beginPath();
  c.moveTo(chart_left, bottom + 0.5);
  c.lineTo(width - chart_right, bottom + 0.5);
  c.stroke();
  c.fillStyle = "#1b1b1b";
  c.textBaseline = "top";
  for (let i = 0; i <= 4; ++i) {
    c.textAlign = i === 4 ? "right" : i === 0 ? "left" : "center";
    c.fillText(seconds(Number(((data.makespan * i) / 4).toPrecision(4))), time_x(width, (data.makespan * i) / 4), bottom + 6);
  }
  if (rondoShow.clock !== "time") return;
  const x = time_x(width, rondoShow.at);
  c.strokeStyle = "#000";
  c.beginPath();
  c.moveTo(x, chart_top);
  c.lineTo(x, bottom);
  c.stroke();
}
