"use strict";
// Where the bytes go: the links between routers, by their load, and how busy the busiest one is over time.

const links_map = make("canvas", { role: "img" });
const links_use = make("canvas", { role: "img" });
const [FROM, TO, CABLES, LOAD] = [0, 1, 2, 3];

// Five colours of cividis, which rises evenly in lightness for the colour-blind too [Nunez, Anderton, Renslow 2018].
const heat_colours = [[0, 34, 78], [66, 78, 108], [124, 123, 120], [188, 175, 111], [254, 232, 56]];

/** A colour for a share from 0 to 1; on paper the dark end is the heavy one. */
function heat(share) {
  const at = (theme.dark ? share : 1 - share) * (heat_colours.length - 1);
  const low = Math.min(heat_colours.length - 2, Math.floor(at));
  return `rgb(${heat_colours[low].map((c, i) => Math.round(c + (heat_colours[low + 1][i] - c) * (at - low))).join()})`;
}

/** Routers of a group in a small circle, the groups in a large one. */
function clusters_layout(sizes) {
  const small = sizes.map((size) => Math.max(0.6, size / 6));
  const large = Math.max(1.5, small.reduce((a, b) => a + 2 * b + 0.8, 0) / (2 * Math.PI));
  const places = sizes.flatMap((size, group) => {
    const out = (2 * Math.PI * group) / sizes.length - Math.PI / 2;
    return Array.from({ length: size }, (_, i) => {
      const angle = (2 * Math.PI * i) / size + out;
      return [large * Math.cos(out) + small[group] * Math.cos(angle), large * Math.sin(out) + small[group] * Math.sin(angle)];
    });
  });
  return with_lines(places, 0.8);
}

/** The switches of a level in a row, those next to the hosts lowest. */
function levels_layout(sizes) {
  const wide = Math.max(...sizes);
  const places = sizes.flatMap((size, level) =>
    Array.from({ length: size }, (_, i) => [((i + 0.5) * wide) / size, (sizes.length - level) * Math.max(1, wide / 6)]));
  return with_lines(places, 0.8);
}

function routers_layout({ kind, extents, sizes }, routers) {
  if (kind === "clusters") return clusters_layout(sizes);
  if (kind === "levels") return levels_layout(sizes);
  return layout_of({ kind, extents, senders: 0 }, routers);
}

const links_layout = data.links && routers_layout(data.links.layout, data.links.routers);
const heaviest = data.links ? data.links.loads.reduce((most, each) => Math.max(most, each[LOAD]), 0) : 0;

function draw_links() {
  if (!data.links) return;
  const [x0, y0, x1, y1] = links_layout.box;
  const wanted = (drawn_width(links_map, "half") * (y1 - y0)) / (x1 - x0);
  const [c, width, height] = prepared(links_map, Math.round(Math.max(160, Math.min(520, wanted))));
  const map = fitted(width, height, links_layout);
  // The heavy ones last, so that none hides them.
  for (const each of [...data.links.loads].sort((a, b) => a[LOAD] - b[LOAD])) draw_link(c, map, each);
  c.fillStyle = theme.ink;
  for (const [x, y] of links_layout.places) {
    c.beginPath();
    c.arc(map.x(x), map.y(y), Math.max(1.5, Math.min(5, map.scale * 0.12)), 0, 2 * Math.PI);
    c.fill();
  }
  links_map.setAttribute("aria-label", `${data.links.loads.length} directed links between ${data.links.routers} routers, ` +
    `coloured by the bytes over them, at most ${heaviest}. The table below lists them.`);
}

function draw_link(c, map, each) {
  c.strokeStyle = each[LOAD] === 0 ? theme.line : heat(each[LOAD] / heaviest);
  c.lineWidth = each[LOAD] === 0 ? 0.6 : 1 + 3 * (each[LOAD] / heaviest);
  for (const { line, frame } of links_layout.paths(each[FROM], each[TO])) {
    in_frame(c, frame, () => {
      c.beginPath();
      for (let i = 0; i <= 8; ++i) c.lineTo(...along(line, i / 8, map));
      c.stroke();
    }, map);
  }
}

/** Bytes a second over the busiest link in each of `bins` parts of the run; a message's bytes are spread evenly over the
 *  time from its start to its end. */
function use_of_busiest(bins) {
  const rates = new Array(bins).fill(0);
  const length = data.makespan / bins;
  for (const m of data.links.crossing.map((i) => data.messages[i])) {
    if (m[START] === null || m[END] <= m[START]) continue;
    const rate = m[BYTES] / (m[END] - m[START]);
    for (let i = Math.floor(m[START] / length); i < bins && i * length < m[END]; ++i) {
      rates[i] += (rate * (Math.min(m[END], (i + 1) * length) - Math.max(m[START], i * length))) / length;
    }
  }
  return rates;
}

function draw_links_use() {
  if (!data.links || data.links.busiest === null || !timed) return;
  const [c, width, height] = prepared(links_use, 110);
  const rates = use_of_busiest(Math.max(20, Math.min(200, Math.floor(width / 4))));
  const capacity = data.links.capacity * data.links.loads[data.links.busiest][CABLES];
  const most = Math.max(capacity, ...rates);
  const [left, bottom] = [chart_left, height - 22];
  const wide = (width - left - chart_right) / rates.length;
  c.fillStyle = colours[0];
  rates.forEach((rate, i) => c.fillRect(left + i * wide, bottom - ((bottom - 8) * rate) / most, wide, ((bottom - 8) * rate) / most));
  c.strokeStyle = red;
  c.setLineDash([5, 4]);
  c.beginPath();
  c.moveTo(left, bottom - ((bottom - 8) * capacity) / most);
  c.lineTo(width - chart_right, bottom - ((bottom - 8) * capacity) / most);
  c.stroke();
  c.setLineDash([]);
  c.font = "11px system-ui, sans-serif";
  c.fillStyle = theme.ink;
  c.textAlign = "right";
  c.textBaseline = "middle";
  c.fillText("100%", left - 6, bottom - ((bottom - 8) * capacity) / most);
  c.textBaseline = "top";
  c.fillText(seconds(Number(data.makespan.toPrecision(4))), width - chart_right, bottom + 6);
  c.textAlign = "left";
  c.fillText("0s", left, bottom + 6);
  rondoShow.busiest_rates = rates;
  links_use.setAttribute("aria-label", `Bytes a second over the busiest link, against its capacity of ${number(capacity)} B/s.`);
}

function heat_legend() {
  const stops = Array.from({ length: 9 }, (_, i) => heat(i / 8)).join(", ");
  return make("p", { class: "soft" }, "0B ", make("span", { class: "heat", style: `background: linear-gradient(to right, ${stops})` }),
    ` ${bytes(heaviest)}`);
}

const links_legend = make("div");

function draw_all_links() {
  if (!data.links) return;
  draw_links();
  draw_links_use();
  links_legend.replaceChildren(heat_legend());
}

/** What is drawn of a run in which a link carries something: how much of its time the busiest link is in use. */
function use_of_time() {
  return [make("figcaption", {}, "The busiest link over time"), links_use,
    make("p", { class: "soft" }, "The dashed line is the bandwidth of the link. The bytes of a message are spread evenly from its start to its end. If links are not shared, their sum may exceed the bandwidth.")];
}

const links_printed = 24;  // on paper, beside the picture of all of them

function links_part() {
  if (!data.links) return "";
  const loads = data.links.loads;
  const mean = loads.reduce((sum, each) => sum + each[LOAD], 0) / loads.length;
  const busiest = data.links.busiest === null ? null : loads[data.links.busiest];
  const rows = [...loads].filter((each) => each[LOAD] > 0).sort((a, b) => b[LOAD] - a[LOAD]);
  const columns = [{ name: "from router" }, { name: "to router" }, { name: "cables" }, { name: "bytes" }];
  return make("div", { class: "views" },
    make("figure", {}, make("figcaption", {}, "The links between routers, by the bytes over them"), links_map, links_legend,
      make("p", { class: "soft" }, busiest ? `Most: ${bytes(busiest[LOAD])} from router ${busiest[FROM]} to ${busiest[TO]}; mean: ${number(mean)}B.` : "No message crosses a link.")),
    make("figure", {}, ...(busiest && timed ? use_of_time() : []),
      rows.length ? folded("The links by their load", columns, rows, (each) => each.map(String), links_printed) : ""));
}
