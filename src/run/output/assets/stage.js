"use strict";
// Ranks, messages and blocks at a moment.

const stage = make("canvas", { role: "img" });
const pointed = make("p", { class: "soft" }, "Point at a rank to see its messages in words.");

/** Units of the layout to pixels of the stage. */
function fitted(width, height, drawn = layout) {
  const [x0, y0, x1, y1] = drawn.box;
  const scale = Math.min(width / (x1 - x0), height / (y1 - y0));
  const left = (width - scale * (x1 - x0)) / 2 - scale * x0, top = (height - scale * (y1 - y0)) / 2 - scale * y0;
  return { scale, x: (u) => left + scale * u, y: (u) => top + scale * u };
}

let fit = fitted(500, 500);
const radius = () => Math.max(2.5, Math.min(20, fit.scale * 0.27));

function draw_stage() {
  const [x0, y0, x1, y1] = layout.box;
  const wanted = (drawn_width(stage, "half") * (y1 - y0)) / (x1 - x0);
  const [c, width, height] = prepared(stage, Math.round(Math.max(220, Math.min(560, wanted))));
  fit = fitted(width, height);
  c.lineWidth = 1;
  c.strokeStyle = theme.line;
  for (const [x, y, w, h] of layout.frames) c.strokeRect(fit.x(x), fit.y(y), w * fit.scale, h * fit.scale);
  rondoShow.moving = moving();
  for (const { message } of rondoShow.moving) draw_lines(c, message);
  for (let rank = 0; rank < data.ranks; ++rank) draw_rank(c, rank);
  const few = rondoShow.moving.reduce((n, m) => n + m.message[BLOCKS].length, 0) <= 400;
  for (const { message, part } of rondoShow.moving) draw_blocks(c, message, part, few);
  stage.setAttribute("aria-label", `${data.ranks} ranks as ${data.layout.kind}. ${position()}. ` +
    `${rondoShow.moving.length} messages on their way. The table below lists them.`);
}

function in_frame(c, frame, draw, on = fit) {
  if (frame === null) return draw();
  c.save();
  c.beginPath();
  c.rect(on.x(frame[0]), on.y(frame[1]), frame[2] * on.scale, frame[3] * on.scale);
  c.clip();
  draw();
  c.restore();
}

/** A point of a line, which bends a little to its right, so that two ways do not lie on each other. */
function along([p, q], part, on = fit) {
  const bend = 0.16 * 4 * part * (1 - part) * 0.5;
  return [on.x(p[0] + (q[0] - p[0]) * part - (q[1] - p[1]) * bend), on.y(p[1] + (q[1] - p[1]) * part + (q[0] - p[0]) * bend)];
}

function draw_lines(c, message) {
  const wrong = !message[RECEIVED];
  c.strokeStyle = wrong ? red : theme.way;
  c.fillStyle = c.strokeStyle;
  c.setLineDash(wrong ? [5, 4] : []);
  c.lineWidth = wrong ? 2 : 1.2;
  for (const { line, frame } of layout.paths(message[SOURCE], message[TARGET])) {
    in_frame(c, frame, () => {
      c.beginPath();
      for (let i = 0; i <= 12; ++i) c.lineTo(...along(line, i / 12));
      c.stroke();
      draw_head(c, line);
    });
  }
  c.setLineDash([]);
}

function draw_head(c, line) {
  const length = Math.hypot(line[1][0] - line[0][0], line[1][1] - line[0][1]) * fit.scale;
  const part = Math.max(0.5, 1 - (radius() + 2) / Math.max(length, 1));
  const [x, y] = along(line, part), [u, v] = along(line, part - 0.06);
  const angle = Math.atan2(y - v, x - u);
  c.beginPath();
  c.moveTo(x, y);
  for (const side of [-1, 1]) c.lineTo(x - 7 * Math.cos(angle + side * 0.45), y - 7 * Math.sin(angle + side * 0.45));
  c.fill();
}

/** The share of its owed blocks that a rank has fills its circle from below. */
function draw_rank(c, rank) {
  const [x, y] = [fit.x(layout.places[rank][0]), fit.y(layout.places[rank][1])];
  const r = radius();
  const share = data.owed[rank] === 0 ? 0 : data.delivered[rounds_done(rank)][rank] / data.owed[rank];
  const wrong = violations_of(round_at()).some((v) => v.rank === rank);
  c.save();
  c.beginPath();
  c.arc(x, y, r, 0, 2 * Math.PI);
  c.fillStyle = theme.paper;
  c.fill();
  c.clip();
  c.fillStyle = theme.filled;
  c.fillRect(x - r, y + r - 2 * r * share, 2 * r, 2 * r * share);
  c.restore();
  c.beginPath();
  c.arc(x, y, r, 0, 2 * Math.PI);
  c.strokeStyle = wrong ? red : rank < data.layout.senders ? colours[1] : theme.rim;
  c.lineWidth = wrong ? 3.5 : rank < data.layout.senders ? 2.2 : 1.2;
  c.stroke();
  if (r < 9) {  // a number in it would be too small to read
    if (layout.circle) draw_number_outside(c, rank, wrong);
    return;
  }
  c.fillStyle = wrong ? red : theme.ink;
  c.font = `${wrong ? "bold " : ""}${Math.min(13, Math.round(r * 0.95))}px system-ui, sans-serif`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillText(wrong ? `${rank}!` : rank, x, y);
}

/** Beside the small circles of many ranks: of those in which something is wrong, and of others that are far enough apart. */
function draw_number_outside(c, rank, wrong) {
  const every = 2 ** Math.ceil(Math.log2(60 / fit.scale));
  if (rank % every !== 0 && !wrong) return;
  const place = layout.places[rank], far = radius() + 9, from_middle = Math.hypot(...place);
  c.fillStyle = wrong ? red : theme.ink;
  c.font = "11px system-ui, sans-serif";
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillText(rank, fit.x(place[0]) + (far * place[0]) / from_middle, fit.y(place[1]) + (far * place[1]) / from_middle);
}

/** At most so many blocks of a message are drawn one by one; the number of the others stands behind them. */
const most_blocks = 5;

function draw_blocks(c, message, part, few) {
  const size = Math.max(2.5, Math.min(8, radius() * 0.5));
  const blocks = message[BLOCKS];
  for (const { line, frame } of layout.paths(message[SOURCE], message[TARGET])) {
    in_frame(c, frame, () => {
      const length = Math.max(1, Math.hypot(line[1][0] - line[0][0], line[1][1] - line[0][1]) * fit.scale);
      const room = Math.floor((length - 2 * radius()) / (size * 2));
      const shown = blocks.slice(0, few ? Math.max(1, Math.min(most_blocks, room)) : 1);
      // From rim to rim; the blocks behind the first follow it.
      const rim = Math.min(0.3, (radius() + size) / length);
      shown.forEach((block, i) => {
        const [x, y] = along(line, Math.max(rim, rim + (1 - 2 * rim) * part - (i * size * 2) / length));
        draw_block(c, block, x, y, size, message[RECEIVED]);
      });
      if (blocks.length > shown.length) {
        const [x, y] = along(line, rim + (1 - 2 * rim) * part);
        c.fillStyle = theme.ink;
        c.textAlign = "left";
        c.font = "11px system-ui, sans-serif";
        c.fillText(`+${blocks.length - shown.length}`, x + size + 8, y - size);
      }
    });
  }
}

function draw_block(c, block, x, y, size, received) {
  const origin = block < 0 ? null : data.contents[block][0];
  c.beginPath();
  c.rect(x - size, y - size, 2 * size, 2 * size);
  c.fillStyle = !received || origin === null ? red : colour_of_rank(origin);
  c.fill();
  c.strokeStyle = "#fff";
  c.lineWidth = 1;
  c.stroke();
  if (size < 6) return;
  c.fillStyle = "#fff";
  c.font = "bold 9px system-ui, sans-serif";
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillText(origin ?? "?", x, y + 0.5);
}
