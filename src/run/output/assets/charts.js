"use strict";
// Charts of a report, drawn by uPlot: lines for theory, marks for what was simulated or counted. A curve is known by
// its colour and by its mark; its label repeats the mark.

const shapes = [
  { sign: "●", path: (p, x, y, r) => { p.moveTo(x + r, y); p.arc(x, y, r, 0, 2 * Math.PI); } },
  { sign: "■", path: (p, x, y, r) => { p.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8); } },
  { sign: "▲", path: (p, x, y, r) => polygon(p, [[x, y - r * 1.2], [x + r * 1.1, y + r * 0.8], [x - r * 1.1, y + r * 0.8]]) },
  { sign: "◆", path: (p, x, y, r) => polygon(p, [[x, y - r * 1.3], [x + r * 1.3, y], [x, y + r * 1.3], [x - r * 1.3, y]]) },
  { sign: "✕", path: (p, x, y, r) => { p.moveTo(x - r, y - r); p.lineTo(x + r, y + r); p.moveTo(x + r, y - r); p.lineTo(x - r, y + r); } },
  { sign: "✚", path: (p, x, y, r) => { p.moveTo(x - r * 1.2, y); p.lineTo(x + r * 1.2, y); p.moveTo(x, y - r * 1.2); p.lineTo(x, y + r * 1.2); } },
  { sign: "▼", path: (p, x, y, r) => polygon(p, [[x, y + r * 1.2], [x + r * 1.1, y - r * 0.8], [x - r * 1.1, y - r * 0.8]]) },
];
const bar = { sign: "▬", path: (p, x, y, r) => { p.rect(x - r * 5, y - r * 0.45, r * 10, r * 0.9); } };
const ring = { sign: "○", open: true, path: (p, x, y, r) => { p.moveTo(x + r * 2, y); p.arc(x, y, r * 2, 0, 2 * Math.PI); } };
const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

function polygon(path, corners) {
  corners.forEach(([x, y], i) => (i === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
  path.closePath();
}

/** The look of the i-th curve of a chart: no two of the first 49 share both colour and mark. */
function look(i) {
  const turn = Math.floor(i / colours.length);
  return { colour: colours[i % colours.length], shape: shapes[(i + turn) % shapes.length], dash: dashes[turn % dashes.length] };
}

function marks(shape) {
  return (u, s) => {
    const path = new Path2D();
    const radius = 4.2 * devicePixelRatio;
    let last = [-radius, -radius];
    u.data[s].forEach((y, i) => {
      if (y == null || !(y >= u.scales.y.min) || !(y <= u.scales.y.max)) return;
      if (u.data[0][i] < u.scales.x.min || u.data[0][i] > u.scales.x.max) return;
      const place = [u.valToPos(u.data[0][i], "x", true), u.valToPos(y, "y", true)];
      // Marks of thousands of points lie on each other.
      if (Math.hypot(place[0] - last[0], place[1] - last[1]) < radius / 4) return;
      last = place;
      shape.path(path, ...place, radius);
    });
    return { stroke: path, fill: shape.open ? null : path };
  };
}

/** The points [x, y] of a curve that is linear in x between them, with so many more that its bend shows on logarithmic axes. */
function bent(points) {
  return points.flatMap(([x, y], i) => {
    if (i === 0) return [[x, y]];
    const [from, begin] = points[i - 1];
    const steps = Math.max(1, Math.min(24, Math.ceil(4 * Math.log2(Math.max(y / begin, begin / y, from > 0 ? x / from : 1)))));
    return Array.from({ length: steps }, (_, k) => {
      const part = (k + 1) / steps;
      // Evenly on a logarithmic axis.
      const at = k + 1 === steps ? x : from > 0 ? from * (x / from) ** part : from + part * (x - from);
      return [at, k + 1 === steps ? y : begin + ((y - begin) * (at - from)) / (x - from)];
    });
  });
}

/** The points of a curve that a line goes through. */
const line_points = (xs, { y, bends }) => {
  const points = xs.map((x, i) => [x, y[i]]).filter(([, value]) => value != null && (value > 0 || !bends));
  return bends ? bent(points) : points;
};

const bent_line = (u, s) => {
  const path = new Path2D();
  for (const [x, y] of line_points(u.data[0], { y: u.data[s], bends: true })) path.lineTo(u.valToPos(x, "x", true), u.valToPos(y, "y", true));
  return { stroke: path, fill: null };
};

/** The same curve, drawn as linear in x between its points, as times are in the size. */
function bending(curve) {
  return curve.line ? { ...curve, bends: true, series: { ...curve.series, paths: bent_line } } : curve;
}

/** A curve of marks, joined by a thin line or not, or of a line; both have y by x, null where there is nothing. */
function markCurve(label, { colour, shape }, y, value, joined = false) {
  return { y, colour, shape, line: joined, series: { label: `${shape.sign} ${label}`, stroke: colour, width: 1, spanGaps: true, value: (u, v) => value(v),
    ...(!joined && { paths: () => null }), points: { show: true, space: 0, stroke: colour, fill: colour, width: 1.6, paths: marks(shape) } } };
}

function lineCurve(label, { colour, dash }, y, value) {
  return { y, colour, dash, line: true, series: { label: `— ${label}`, stroke: colour, width: 1.6, dash, spanGaps: true,
    value: (u, v) => value(v), points: { show: false } } };
}

/** Round numbers (1, 2, 5, 10, ...) that enclose these curves, on a logarithmic axis. */
function range_of(curves) {
  const values = curves.flatMap((curve) => curve.y).filter((y) => y != null && y > 0);
  if (!values.length) return null;
  const round = (value, pick) => {
    const power = 10 ** Math.floor(Math.log10(value));
    return pick([1, 2, 5, 10].map((step) => step * power));
  };
  const least = Math.min(...values), most = Math.max(...values);
  return [round(least, (steps) => Math.max(...steps.filter((s) => s <= least * 1.0001))),
    round(most, (steps) => Math.min(...steps.filter((s) => s >= most * 0.9999)))];
}

const shortened = (text) => (text.length > 26 ? text.slice(0, 25) + "…" : text);

/** Where a name of this width begins beside a line at x: on its right, on its left, or across it where a chart is narrow. */
function beside(x, width, gap, { left, width: whole }) {
  if (x + gap + width <= left + whole) return x + gap;
  return x - gap - width >= left ? x - gap - width : left + whole - width;
}

/** A dashed line at each of these values of x, with a name. */
const upright_lines = (lines) => (u) => {
  const c = u.ctx;
  c.save();
  c.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  c.strokeStyle = theme.rim;
  c.fillStyle = theme.ink;
  c.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  lines.forEach(({ at, name }, i) => {
    if (at < u.scales.x.min || at > u.scales.x.max) return;
    const x = u.valToPos(at, "x", true);
    c.beginPath();
    c.moveTo(x, u.bbox.top);
    c.lineTo(x, u.bbox.top + u.bbox.height);
    c.stroke();
    c.textAlign = "left";
    c.fillText(name, beside(x, c.measureText(name).width, 4 * devicePixelRatio, u.bbox), u.bbox.top + (14 + 14 * (i % 4)) * devicePixelRatio);
  });
  c.restore();
};

/** Draws a chart into `place`. x: {values, label, log, text(value), names}; y: {label, log, text, range: [least, most] or
 *  none}; lines: [{at, name}]. */
function chart(place, x, y, curves, lines = []) {
  const axis = (way, more) => ({ label: way.label, labelSize: 22, font: "12px system-ui, sans-serif",
    labelFont: "13px system-ui, sans-serif", stroke: theme.ink, grid: { stroke: theme.line, width: 1 }, ticks: { stroke: theme.rim, width: 1 }, ...more });
  const along = x.names
    ? { splits: () => x.values, values: (u, splits) => splits.map((i) => shortened(x.names[i] ?? "")),
        rotate: x.names.length > 3 ? 22 : 0, size: x.names.length > 3 ? 92 : 40, space: 1, filter: (u, splits) => splits }
    : { values: (u, splits) => splits.map((v) => (v == null ? "" : x.text(v))), size: 34, space: 62 };
  const options = {
    width: Math.max(320, drawn_width(place, "whole")), height: x.names ? 300 : 360,
    scales: {
      x: { time: false, distr: x.log ? 3 : 1, log: 2, ...(x.names && { range: [-0.6, x.values.length - 0.4] }) },
      y: { distr: y.log ? 3 : 1, log: 10, ...(!y.log && { range: (u, low, high) => [Math.min(0, low), (high || 1) * 1.08] }), ...(y.range && { range: y.range }) },
    },
    axes: [axis(x, along), axis(y, { size: 74, values: (u, splits) => splits.map((v) => (v == null ? "" : y.text(v))) })],
    legend: { markers: { width: 0, fill: (u, s) => curves[s - 1]?.series.stroke } },
    series: [{ label: x.label || "at", value: (u, v) => (v == null ? "–" : x.names ? x.names[v] : x.text(v)) }, ...curves.map((c) => c.series)],
    bands: curves.flatMap((c, i) => (c.band ? [{ series: [i + 1, i + 2], fill: c.colour + "22" }] : [])),
    cursor: { drag: { x: true, y: false } },
    hooks: { draw: [upright_lines(lines)] },
    padding: [12, 24, 0, x.names?.length > 3 ? 60 : 8],
  };
  const plot = new uPlot(options, [x.values, ...curves.map((c) => c.y)], place);
  plot.drawn = { x, y, curves, lines };
  return plot;
}
