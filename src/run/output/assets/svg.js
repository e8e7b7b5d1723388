"use strict";
// A chart as SVG: the curves, ticks and names that uPlot drew, by its own scales, with the names of the curves below.

const svg_namespace = "http://www.w3.org/2000/svg";

/** The methods of Path2D that the shapes of charts.js use, written as the data of an SVG path. */
class PathData {
  constructor() { this.text = ""; }
  add(command, ...numbers) { this.text += command + numbers.map((n) => Number(n.toFixed(2))).join(" "); }
  moveTo(x, y) { this.add("M", x, y); }
  lineTo(x, y) { this.add("L", x, y); }
  rect(x, y, w, h) { polygon(this, [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]); }
  /** A whole circle; where a path is continued is where it begins. */
  arc(x, y, r) {
    for (const end of [-r, r]) this.add("A", r, r, 0, 0, 1, x + end, y);
  }
  closePath() { this.text += "Z"; }
}

function svg(tag, attributes, text) {
  const element = document.createElementNS(svg_namespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text != null) element.textContent = text;
  return element;
}

/** Where the values of a chart lie in the picture, and the ticks of an axis as [position, name]. */
function placed(plot) {
  const box = Object.fromEntries(Object.entries(plot.bbox).map(([name, pixels]) => [name, pixels / devicePixelRatio]));
  const at = { x: (value) => box.left + plot.valToPos(value, "x"), y: (value) => box.top + plot.valToPos(value, "y") };
  const within = (value, scale) => value != null && value >= plot.scales[scale].min && value <= plot.scales[scale].max;
  const ticks = (axis, scale) => (plot.axes[axis]._splits ?? [])
    .map((value, i) => [value, plot.axes[axis]._values[i]])
    .filter(([value, name]) => within(value, scale) && name != null && name !== "").map(([value, name]) => [at[scale](value), name]);
  return { box, at, within, ticks };
}

function svg_curve(curve, xs, { at, within }) {
  const seen = (points) => points.filter(([x, y]) => within(x, "x") && within(y, "y")).map(([x, y]) => [at.x(x), at.y(y)]);
  const path = new PathData();
  if (curve.line) seen(line_points(xs, curve)).forEach(([x, y], i) => (i === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
  const parts = [svg("path", { d: path.text, fill: "none", stroke: curve.colour, "stroke-width": curve.shape ? 1 : 1.6, "stroke-dasharray": (curve.dash ?? []).join(" ") })];
  const marked = new PathData();
  if (curve.shape) seen(xs.map((x, i) => [x, curve.y[i]])).forEach(([x, y]) => curve.shape.path(marked, x, y, 4.2));
  parts.push(svg("path", { d: marked.text, fill: curve.shape?.open ? "none" : curve.colour, stroke: curve.colour, "stroke-width": 1.6 }));
  return parts.filter((part) => part.getAttribute("d") !== "");
}

/** The area between a curve and the next one. */
function svg_band(upper, lower, xs, { at, within }) {
  const [above, below] = [upper, lower].map((curve) => line_points(xs, curve).filter(([x, y]) => within(x, "x") && within(y, "y")).map(([x, y]) => [at.x(x), at.y(y)]));
  if (above.length < 2 || below.length < 2) return [];
  const area = new PathData();
  polygon(area, [...above, ...below.reverse()]);
  return [svg("path", { d: area.text, fill: upper.colour, "fill-opacity": 0.13, class: "band" })];
}

function svg_axes(plot, { box, ticks }, x, y) {
  const parts = [];
  const bottom = box.top + box.height;
  for (const [at, name] of ticks(0, "x")) {
    parts.push(svg("path", { d: `M${at} ${box.top}V${bottom}`, stroke: theme.line }));
    const turned = x.names?.length > 3;
    parts.push(svg("text", { x: at, y: bottom + 18, "text-anchor": turned ? "start" : "middle", ...(turned && { transform: `rotate(22 ${at} ${bottom + 18})` }) }, name));
  }
  for (const [at, name] of ticks(1, "y")) {
    parts.push(svg("path", { d: `M${box.left} ${at}H${box.left + box.width}`, stroke: theme.line }));
    parts.push(svg("text", { x: box.left - 8, y: at + 4, "text-anchor": "end" }, name));
  }
  parts.push(svg("text", { x: box.left + box.width / 2, y: plot.height - 6, "text-anchor": "middle" }, x.label || ""));
  parts.push(svg("text", { x: 14, y: box.top + box.height / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${box.top + box.height / 2})` }, y.label));
  return parts;
}

/** The text of an SVG file of a chart that `chart` drew. */
function svg_text(plot, title) {
  const { x, y, curves, lines } = plot.drawn;
  const places = placed(plot);
  const { box, at, within } = places;
  const top = 26, height = top + plot.height + 8 + 18 * curves.length;
  const root = svg("svg", { xmlns: svg_namespace, viewBox: `0 0 ${plot.width} ${height}`, width: plot.width, height, "font-family": "system-ui, sans-serif", "font-size": 12, fill: theme.ink });
  root.append(svg("title", {}, title), svg("rect", { width: plot.width, height, fill: theme.paper }), svg("text", { x: box.left, y: 18, "font-weight": 600 }, title));
  const drawing = svg("g", { transform: `translate(0 ${top})` });
  drawing.append(...svg_axes(plot, places, x, y));
  lines.filter((line) => within(line.at, "x")).forEach((line, i) => {
    const along = at.x(line.at);
    drawing.append(svg("path", { d: `M${along} ${box.top}v${box.height}`, stroke: theme.rim, "stroke-dasharray": "4 4" }),
      svg("text", { x: beside(along, 6 * line.name.length, 4, box), y: box.top + 14 + 14 * (i % 4), "font-size": 11 }, line.name));
  });
  curves.forEach((curve, i) => { if (curve.band) drawing.append(...svg_band(curve, curves[i + 1], x.values, places)); });
  for (const curve of curves) drawing.append(...svg_curve(curve, x.values, places));
  curves.forEach((curve, i) => drawing.append(svg("text", { x: box.left, y: plot.height + 18 * (i + 1), fill: curve.colour }, curve.series.label)));
  root.append(drawing);
  return new XMLSerializer().serializeToString(root);
}
