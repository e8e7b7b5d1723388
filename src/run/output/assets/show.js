"use strict";
// The page of `rondo show --format html`: the player, and what it shows in words.

function position() {
  if (rondoShow.clock === "time") return `${seconds(Number(rondoShow.at.toPrecision(4)))} of ${seconds(data.makespan)}`;
  return round_at() === 0 ? `before round 1 of ${data.rounds}` : `round ${round_at()} of ${data.rounds}`;
}

const slider = make("input", { type: "range", min: 0, max: 1000, value: 0, "aria-label": data.program ? "where in the run" : "where in the schedule",
  oninput: () => go((slider.value / 1000) * length_of(rondoShow.clock)) });
const where = make("output");
const play = make("button", { type: "button", "aria-label": "play or pause", onclick: () => toggle() }, "▶");
const messages_place = make("div"), violations_place = make("div");

const messages_printed = 48;
let listed = null;
function list_round() {
  const round = rondoShow.clock === "rounds" ? Math.max(1, round_at()) : 0;
  const key = `${rondoShow.clock} ${round}`;
  if (listed === key) return;
  listed = key;
  const messages = round === 0 ? data.messages : by_round[round] ?? [];
  const caption = round === 0 ? "All messages" : `Messages of round ${round}`;
  const columns = [{ name: "round" }, { name: "from" }, { name: "to" }, { name: "bytes" }, { name: "start" }, { name: "end" }, { name: "blocks", text: true }];
  const cells = (m) => [String(m[ROUND]), String(m[SOURCE]), String(m[TARGET]), String(m[BYTES]), seconds(m[START]), seconds(m[END]), blocks_text(m)];
  const of_program = (list) => (data.program ? list.slice(1, 6) : list);  // without rounds and blocks
  messages_place.replaceChildren(folded(caption, of_program(columns), messages, (m) => of_program(cells(m)), messages_printed));
  const wrong = round === 0 ? data.violations : violations_of(round);
  violations_place.replaceChildren(violation_list(wrong, round));
}

function blocks_text(m) {
  const text = m[BLOCKS].slice(0, 8).map(block_name).join(", ") + (m[BLOCKS].length > 8 ? ` and ${m[BLOCKS].length - 8} more` : "");
  return m[RECEIVED] ? text : make("span", { class: "bad" }, text + "; nobody receives it");
}

function violation_list(violations, round) {
  if (!violations.length) return "";
  return make("div", {}, make("h3", { class: "bad" }, round === 0 ? "Violations" : `Violations of round ${round}`),
    make("ul", { class: "violations" }, ...violations.slice(0, 200).map((v) =>
      make("li", {}, make("button", { type: "button", onclick: () => go_to_violation(v) }, v.text)))));
}

function redraw() {
  draw_stage();
  draw_gantt();
  list_round();
  where.textContent = position();
  slider.value = String(Math.round((1000 * rondoShow.at) / (length_of(rondoShow.clock) || 1)));
}

/** To a moment of the clock. */
function go(at) {
  rondoShow.at = Math.max(0, Math.min(length_of(rondoShow.clock), at));
  redraw();
}
rondoShow.go = go;

/** A round on or back; in simulated time to where a message next starts or ends. */
function step(by) {
  pause();
  if (rondoShow.clock === "rounds") return go(by > 0 ? Math.floor(rondoShow.at + 1e-9) + 1 : Math.ceil(rondoShow.at - 1e-9) - 1);
  const moments = bars.flatMap((m) => [m[START], m[END]]);
  const next = by > 0 ? Math.min(...moments.filter((t) => t > rondoShow.at)) : Math.max(...moments.filter((t) => t < rondoShow.at));
  go(Number.isFinite(next) ? next : by > 0 ? length_of("time") : 0);
}
rondoShow.step = step;

let before = 0;
function frame(now) {
  if (!rondoShow.playing) return;
  const speed = rondoShow.clock === "rounds" ? 1 / 1400 : data.makespan / Math.max(4000, 1400 * data.rounds);
  const at = rondoShow.at + Math.min(100, now - before) * speed;
  before = now;
  go(at);
  if (at >= length_of(rondoShow.clock)) return pause();
  requestAnimationFrame(frame);
}

function pause() {
  rondoShow.playing = false;
  play.textContent = "▶";
}

function toggle() {
  if (rondoShow.playing) return pause();
  if (rondoShow.at >= length_of(rondoShow.clock)) rondoShow.at = 0;
  rondoShow.playing = true;
  play.textContent = "❚❚";
  before = performance.now();
  requestAnimationFrame(frame);
}

function choose_clock(clock) {
  const part = rondoShow.at / (length_of(rondoShow.clock) || 1);
  rondoShow.clock = clock;
  go(part * length_of(clock));
}
rondoShow.choose_clock = choose_clock;

/** What a rank does now, in words. */
function rank_text(rank) {
  const said = [data.program ? `rank ${rank}` : `rank ${rank}: ${data.delivered[rounds_done(rank)][rank]} of ${data.owed[rank]} blocks delivered`];
  const what = (m) => (data.program ? bytes(m[BYTES]) : m[BLOCKS].length);
  for (const { message: m } of rondoShow.moving) {
    if (m[SOURCE] === rank) said.push(`sends ${what(m)} to ${m[TARGET]}`);
    if (m[TARGET] === rank) said.push(`receives ${what(m)} from ${m[SOURCE]}`);
  }
  return said.join("; ");
}

stage.addEventListener("mousemove", (event) => {
  const near = layout.places.map(([x, y], rank) => [Math.hypot(fit.x(x) - event.offsetX, fit.y(y) - event.offsetY), rank])
    .reduce((a, b) => (b[0] < a[0] ? b : a));
  if (near[0] < radius() + 8) pointed.textContent = rank_text(near[1]);
});

/** To the middle of the round in which something is wrong. */
function go_to_violation(violation) {
  if (data.program) return;
  pause();
  if (rondoShow.clock !== "rounds") choose_clock("rounds");
  go(Math.max(0, violation.round - 0.5));
}

let violations_seen = 0;
function next_violation() {
  go_to_violation(data.violations[violations_seen++ % data.violations.length]);
}

function verdict() {
  if (data.collective === "workload") return make("p", { class: "soft" }, "The simulated run of all steps with their messages. Rondo has proved the collective of each step for its groups.");
  if (data.program && !data.tasks) return make("p", { class: "soft" }, "The messages of an MPI program, from its start to its end. The time of a record may be that of a part of this run, such as the collective. Rondo proves nothing about programs.");
  if (data.proved) return make("p", { class: "good" }, `✓ verified: ${data.proof}`);
  const jump = data.violations.length && !data.program ? make("button", { type: "button", onclick: next_violation }, "show the next") : "";
  return make("p", { class: "bad" }, `✗ ${data.violation_count} violation${data.violation_count === 1 ? "" : "s"} `, jump);
}

function player() {
  const clocks = ["rounds", "simulated time"];
  return make("div", { class: "player" },
    make("button", { type: "button", "aria-label": "to the start", onclick: () => { pause(); go(0); } }, "|◀"),
    make("button", { type: "button", "aria-label": "one back", onclick: () => step(-1) }, "◀"), play,
    make("button", { type: "button", "aria-label": "one on", onclick: () => step(1) }, "▶|"), slider, where,
    timed && !data.program ? labelled_choice("clock", clocks, 0, (i) => choose_clock(["rounds", "time"][i])) : "");
}

const page = document.getElementById("page");
page.append(
  make("h1", {}, data.title || `${data.collective} by ${data.algorithm}`),
  make("p", { class: "soft" }, `${data.collective} by ${data.algorithm}, p ${data.ranks}, block ${bytes(data.block_bytes)}, ${data.program ? "" : `${data.rounds} rounds, `}${data.messages.length} messages`),
  verdict(), player(),
  make("div", { class: "views" },
    make("figure", {}, make("figcaption", {}, data.program ? "The ranks" : "The schedule"), stage, pointed,
      make("p", { class: "soft" }, (data.layout.senders ? "Senders have an orange rim. " : "") + (data.program
        ? "A square is a message. It has the colour and the number of the rank that sends it."
        : "A square is a block. It has the colour and the number of its first rank. The circle of a rank fills as its blocks arrive."))),
    make("figure", {}, make("figcaption", {}, timed ? `The simulated run, ${seconds(data.makespan)} on the engine ${data.engine}` : "The simulated run"),
      data.benchmark ? make("p", { class: "soft" }, "This is the collective alone. The time of a record is the longest time of a rank after the barrier, by the clock of that rank.") : "",
      timed ? gantt : make("p", { class: "bad" }, data.no_run ?? "The run takes no time."),
      timed ? gantt_controls() : "",
      timed ? make("p", { class: "soft" }, "A row shows a rank, or several ranks that do the same at the same times (the first of them, and their number). The upper half of a row has the messages that it sends, the lower half those that it receives. Drag to see a part of the time, and double-click to see all of it.") : "")),
  links_part(), violations_place, messages_place,
  make("footer", {}, make("p", {}, `${data.file}, by rondo ${data.version}.`),
    make("details", {}, make("summary", {}, "the scenario of this point"), make("pre", {}, JSON.stringify(data.expanded, null, 2)))));
function redraw_all() {
  redraw();
  draw_all_links();
}
redraw_all();
redraws.push(redraw_all);
window.addEventListener("resize", redraw_all);

// Where the keys do nothing of their own: arrows go a step, space plays.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, button, summary")) return;
  const does = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), " ": toggle, Home: () => go(0) }[event.key];
  if (!does) return;
  event.preventDefault();
  does();
});
