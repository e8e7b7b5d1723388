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
window.addEventListener("beforeprint", () => use_theme(false));
window.addEventListener("afterprint", () => use_theme(dark_page.matches));
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

/** A table; cells that are text in columns of text are wrapped, numbers are not. */
function table(caption, columns, rows) {
  const head = make("tr", {}, ...columns.map((c) => make("th", { scope: "col", class: c.text ? "text" : null }, c.name)));
  const body = rows.map((row) =>
    make("tr", {}, ...row.map((cell, i) => {
      const td = make("td", { class: columns[i].text ? "text" : null });
      td.append(cell ?? "–");
      return td;
    })));
  return make("div", { class: "scroll" },
    make("table", {}, make("caption", { hidden: true }, caption), make("thead", {}, head), make("tbody", {}, ...body)));
}

/** The same, folded away where it is long; printed whole. */
function folded(caption, columns, rows) {
  const all = `${caption}: ${rows.length} ${rows.length === 1 ? "row" : "rows"}`;
  return make("details", { open: rows.length <= 24 }, make("summary", {}, all), table(caption, columns, rows));
}
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.open = true; }));

/** A labelled list of choices; `pick` is called with the index chosen. */
function labelled_choice(label, options, selected, pick) {
  const select = make("select", { "aria-label": label, onchange: () => pick(select.selectedIndex) },
    ...options.map((text, i) => make("option", { selected: i === selected }, text)));
  return make("label", {}, label + " ", select);
}
