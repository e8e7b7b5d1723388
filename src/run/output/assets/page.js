"use strict";
// What the pages of `rondo report` and `rondo show --format html` share. Text from files only ever becomes the text of
// an element, so that nothing in it is markup.

// Canvases are drawn at twice the pixels of a plain screen, so that they are sharp in print.
Object.defineProperty(window, "devicePixelRatio", { value: Math.max(2, window.devicePixelRatio) });

const data = JSON.parse(document.getElementById("data").textContent);

/** The colours of what is drawn on canvases: those of a dark page, or of a light one and of paper. */
const theme = {};
const dark_page = window.matchMedia("(prefers-color-scheme: dark)");
const redraws = [];  // called when they change
function use_theme(dark) {
  Object.assign(theme, dark
    ? { dark, ink: "#e6e6e6", paper: "#14171b", rim: "#aab4bf", line: "#3b424b", stripe: "#1c2026", filled: "#1f6b53", way: "#77828e" }
    : { dark, ink: "#1b1b1b", paper: "#ffffff", rim: "#4a5560", line: "#d0d0d0", stripe: "#f5f6f7", filled: "#bfe3d5", way: "#9aa5b1" });
  colours[6] = theme.ink;
  redraws.forEach((redraw) => redraw());
}
/** The width of what is drawn, in CSS pixels; on paper no more than half of a sheet or a whole one, so that names can be read. */
let printing = false;
const paper_width = { half: 360, whole: 720 };
const drawn_width = (place, paper) => Math.min(printing ? paper_width[paper] : Infinity, place.clientWidth || 500);
window.addEventListener("beforeprint", () => {
  printing = true;
  use_theme(false);
});
window.addEventListener("afterprint", () => {
  printing = false;
  use_theme(dark_page.matches);
});
dark_page.addEventListener("change", () => use_theme(dark_page.matches));

/** An element with attributes (or properties, where they are functions) and children, which may be text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element[name] = value;
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** A number with at most six digits: 5.2, 1664, 1.5e-9. */
function number(value) {
  return value == null ? "–" : String(Number(value.toPrecision(6)));
}

function seconds(value) {
  if (value == null) return "–";
  if (Math.abs(value) < 1e-15) return "0s";  // what is left of differences
  for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["us", 1e-6]]) {
    if (Math.abs(value) >= size * (1 - 1e-9)) return number(value / size) + unit;
  }
  return number(value / 1e-9) + "ns";
}

function bytes(value) {
  if (value == null) return "–";
  for (const [unit, size] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]]) {
    if (value >= size && value % size === 0) return value / size + unit;
  }
  return value + "B";
}

/** Bytes with at most three digits, in units of 1024. */
function rounded_bytes(value) {
  const [unit, size] = [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]].find(([, each]) => value >= each) ?? ["B", 1];
  return number(Number((value / size).toPrecision(3))) + unit;
}

/** Colours that the colour-blind tell apart [Okabe, Ito: Color Universal Design, 2008], but for yellow, which is too
 *  light for lines on white. */
const colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];  // the last: the ink
use_theme(dark_page.matches);

/** A text that may be broken behind each _, so that names of algorithms fit into narrow windows. */
const breakable = (text) => text.split(/(?<=_)/).flatMap((part, i) => (i === 0 ? [part] : [document.createElement("wbr"), part]));

function table_row(columns, row) {
  return make("tr", {}, ...row.map((cell, i) => {
    const td = make("td", { class: columns[i].text ? "text" : null });
    td.append(...(columns[i].text && typeof cell === "string" ? breakable(cell) : [cell ?? "–"]));
    return td;
  }));
}

/** A table; cells that are text in columns of text are wrapped, numbers are not. */
function table(caption, columns, rows) {
  const head = make("tr", {}, ...columns.map((c) => make("th", { scope: "col", class: c.text ? "text" : null }, c.name)));
  return make("div", { class: "scroll" }, make("table", {}, make("caption", { hidden: true }, caption), make("thead", {}, head),
    make("tbody", {}, ...rows.map((row) => table_row(columns, row)))));
}

const rows_open = 24;  // a table of no more rows is open at first
const rows_built = 200;  // of a longer one so many rows are built, and none before it is opened where there are more
const rows_printed = 1000;

/** The table of the `cells` of each item, folded away where it is long. Of a very long one rows are built when they are asked
 *  for: a page of thousands would take seconds to open. Paper has the first `printed` of them, and says so. */
function folded(caption, columns, items, cells, printed = rows_printed) {
  const whole = table(caption, columns, []), body = whole.querySelector("tbody"), more = make("p", { class: "more" });
  const all = `${items.length} ${items.length === 1 ? "row" : "rows"}`;
  const grow = (count) => {
    for (let i = body.children.length; i < Math.min(count, items.length); ++i) {
      const row = table_row(columns, cells(items[i]));
      if (i >= printed) row.className = "screen";
      body.append(row);
    }
    const rest = items.length - body.children.length;
    more.replaceChildren(rest === 0 ? "" : make("button", { type: "button", onclick: () => grow(items.length) }, `show all ${all}`),
      items.length <= printed ? "" : make("span", { class: "paper" }, `The first ${printed} of ${all}; the page on a screen has the others.`));
  };
  const box = make("details", { open: items.length <= rows_open, ontoggle: () => box.open && grow(rows_built) },
    make("summary", {}, `${caption}: ${all}`), whole, more);
  grow(items.length <= rows_built ? items.length : 0);
  box.print = () => grow(printed);
  return box;
}
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => {
  d.print?.();
  d.open = true;
}));

/** A labelled list of choices; `pick` is called with the index chosen. */
function labelled_choice(label, options, selected, pick) {
  const select = make("select", { "aria-label": label, onchange: () => pick(select.selectedIndex) },
    ...options.map((text, i) => make("option", { selected: i === selected }, text)));
  return make("label", {}, label + " ", select);
}
