// The pages in headless Chromium: no complaint, no request, plotted values are the records', controls work. Skipped
// where there is no Chromium. Named Long*: a browser takes seconds to start.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cli/browser.hpp"
#include "cli/pages.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

/// The page of a report on `two_algorithms`, checked: records and claims.
std::string report_page(Folder const& folder) {
  folder.write("r", rondo("check --quiet --format jsonl " + folder.write("s.json", two_algorithms)).out);
  reported(folder, "r");
  return content_of(folder.path() / "r.html");
}

/// What a script may use: plots as {label: y by x}, and clicks.
constexpr char const* helpers = R"(
  const curves = (name) => {
    const plot = rondoReport.sections[0].plots[name];
    return { x: plot.data[0], ...Object.fromEntries(plot.series.slice(1).map((s, i) => [s.label, plot.data[i + 1]])) };
  };
  const cells = (name) => [...document.querySelectorAll(`[data-figure=${name}] details tbody tr`)]
    .map((row) => [...row.children].map((cell) => cell.textContent));
  const choose = (label, value) => {
    const select = document.querySelector(`select[aria-label="${label}"]`);
    select.value = value;
    select.dispatchEvent(new Event("change"));
  };
)";

/// On k ports of latency alpha, 4 messages of m bytes one after the other take 4/k (alpha + m ns) either way.
double time_of(int ports, double alpha_us, double block) { return 4.0 / ports * (alpha_us * 1e-6 + block * 1e-9); }

TEST(LongBrowser, plots_the_values_of_the_records) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  Looked const looked = look(report_page(folder), std::string(helpers) + R"(
    result.time = curves("time"); result.speedup = curves("speedup"); result.rounds = curves("rounds");
    result.volume = curves("volume"); result.table = cells("time");
    result.bound = seconds(data.scenarios[0].records[0].bound.time_s); result.text = document.body.innerText;
    result.markup = document.querySelectorAll("b, i").length;
    result.described = [...document.querySelectorAll("[role=img]")].every((e) => e.getAttribute("aria-label").length > 40);
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  json const& time = looked.result["time"];
  EXPECT_EQ(time["x"], json::parse("[8, 1024]"));
  for (auto const& [label, ports, alpha] : {std::tuple{"● straightforward, 1us, 1", 1, 1.0},
                                            {"▲ straightforward, 3us, 2", 2, 3.0},
                                            {"■ posted, 1us, 1", 1, 1.0},
                                            {"◆ posted, 3us, 2", 2, 3.0}}) {
    ASSERT_TRUE(time.contains(label)) << time;
    EXPECT_NEAR(time[label][0].get<double>(), time_of(ports, alpha, 8), 1e-15) << label;
    EXPECT_NEAR(time[label][1].get<double>(), time_of(ports, alpha, 1024), 1e-15) << label;
  }
  EXPECT_NEAR(time["— straightforward, 1us, 1: theory"][1].get<double>(), time_of(1, 1, 1024), 1e-15);
  // The same time: as fast as each other.
  EXPECT_NEAR(looked.result["speedup"]["■ posted, 1us, 1"][0].get<double>(), 1, 1e-9);
  // 4 neighbors: 4 rounds of one, 2 of two, or all at once.
  EXPECT_EQ(looked.result["rounds"]["● counted"], json::parse("[4, 1, 2, 1]"));
  EXPECT_EQ(looked.result["volume"]["● counted"], json::parse("[4, 4, 4, 4]"));
  EXPECT_EQ(looked.result["table"].size(), 8u);
  json row = looked.result["table"][0];
  EXPECT_EQ(row[6], looked.result["bound"]);
  row.erase(6);
  EXPECT_EQ(row, json::parse(R"(["1", "straightforward", "1us, 1", "8B", "4.032us", "4.032us", "1"])"));
  EXPECT_EQ(looked.result["markup"], 0);
  EXPECT_EQ(looked.result["described"], true);
  std::string const text = looked.result["text"];
  for (char const* shown : {"a title with </script><b>&amp; in it", "1 of 2 claims hold", "✗ fails", "✓ holds",
                            "Corrected: the paper has no <i>", "Simulated by rondo"}) {
    EXPECT_NE(text.find(shown), std::string::npos) << shown;
  }
}

TEST(LongBrowser, filters_what_a_report_shows) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  Looked const looked = look(report_page(folder), std::string(helpers) + R"(
    choose("latency, ports", "3us, 2");
    result.one_machine = curves("time"); result.rows = cells("time");
    document.querySelector("input[type=checkbox]").click();
    result.one_algorithm = curves("time");
    choose("baseline", "posted");
    result.baseline = document.querySelector("[data-figure=speedup] figcaption").textContent;
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  EXPECT_EQ(looked.result["rows"].size(), 4u);
  // Sizes, theory and marks of two algorithms, and the bound of both.
  ASSERT_EQ(looked.result["one_machine"].size(), 1u + 2 * 2 + 1) << looked.result["one_machine"];
  EXPECT_NEAR(looked.result["one_machine"]["● straightforward"][1].get<double>(), time_of(2, 3, 1024), 1e-15);
  // What is left keeps its mark.
  EXPECT_EQ(looked.result["one_algorithm"].size(), 4u);
  EXPECT_TRUE(looked.result["one_algorithm"].contains("■ posted"));
  EXPECT_EQ(looked.result["baseline"], "Speed-up over posted");
}

/// The page of a schedule on 2 x 3 ranks: one step in each dimension, two rounds.
std::string schedule_page(Folder const& folder, std::string const& words = "") {
  std::string const file = folder.write("s.json", R"({
    "title": "</script><i>steps</i>",
    "machine": {"topology": {"kind": "fully_connected", "hosts": 6}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "isomorphic_alltoall", "torus": [2, 3], "neighborhood": {"kind": "offsets", "offsets": [[1, 1]]}},
    "algorithm": "torus", "block": "1000B"})");
  Ran const ran = rondo("show --format html " + words + " " + file);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return ran.out;
}

TEST(LongBrowser, moves_the_blocks_of_a_schedule_round_by_round) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  for (std::string const engine : {"smpi", "native"}) {
    Looked const looked = look(schedule_page(folder, "--engine " + engine), R"(
      result.before = rondoShow.moving.length;
      rondoShow.go(0.25);
      result.quarter = rondoShow.moving.map((m) => [m.message[1], m.message[2], m.part]);
      rondoShow.step(1);
      result.stepped = rondoShow.at;
      const slider = document.querySelector("input[type=range]");
      slider.value = 750;
      slider.dispatchEvent(new Event("input"));
      result.scrubbed = [rondoShow.at, document.querySelector("output").textContent, rondoShow.moving.length];
      rondoShow.choose_clock("time");
      rondoShow.go(1e-6);
      result.timed = rondoShow.moving.map((m) => m.part);
      result.ends = data.messages.map((m) => m[7]);
      rondoShow.go(data.makespan);
      const play = document.querySelector("button[aria-label='play or pause']");
      play.click();
      for (let i = 0; i < 100 && rondoShow.at === 0; ++i) await new Promise((done) => setTimeout(done, 50));
      result.played = rondoShow.playing && rondoShow.at > 0 && rondoShow.at < data.makespan;
      play.click();
      result.paused = !rondoShow.playing;
      result.markup = document.querySelectorAll("i").length;
      result.text = document.body.innerText;
      result.drawn = [...document.querySelectorAll("canvas")].map((c) =>
        new Set(c.getContext("2d").getImageData(0, 0, c.width, c.height).data).size > 8);
    )");
    EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
    json const& seen = looked.result;
    EXPECT_EQ(seen["before"], 0);
    // Round 1 corrects the first dimension: rank r of 2 x 3 sends to r + 3, modulo 6.
    EXPECT_EQ(seen["quarter"], json::parse("[[0,3,0.25],[1,4,0.25],[2,5,0.25],[3,0,0.25],[4,1,0.25],[5,2,0.25]]"));
    EXPECT_EQ(seen["stepped"], 1);
    EXPECT_EQ(seen["scrubbed"], json::parse(R"([1.5, "round 2 of 2", 6])"));
    // A message takes 2 us, so after 1 us half of it is done.
    ASSERT_EQ(seen["timed"].size(), 6u);
    for (json const& part : seen["timed"]) EXPECT_NEAR(part.get<double>(), 0.5, 1e-9);
    ASSERT_EQ(seen["ends"].size(), 12u);
    for (std::size_t m = 0; m < 12; ++m) EXPECT_NEAR(seen["ends"][m].get<double>(), m < 6 ? 2e-6 : 4e-6, 1e-15);
    EXPECT_EQ(seen["played"], true);
    EXPECT_EQ(seen["paused"], true);
    EXPECT_EQ(seen["markup"], 0);
    EXPECT_EQ(seen["drawn"], json::parse("[true, true]"));
    std::string const text = seen["text"];
    EXPECT_NE(text.find("</script><i>steps</i>"), std::string::npos);
    EXPECT_NE(
        text.find("verified: every block is in its place at the end, once; no rank received a block that it held"),
        std::string::npos);
  }
}

TEST(LongBrowser, shows_violations_and_why_there_is_no_run) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  Ran const ran = rondo("show --format html " + folder.write("s.json", printed_sequences));
  EXPECT_EQ(ran.exit_code, 3);
  Looked const looked = look(ran.out, R"(
    [...document.querySelectorAll("button")].find((b) => b.textContent === "show the next").click();
    result.at = Math.ceil(rondoShow.at);
    result.first = data.violations[0];
    result.list = [...document.querySelectorAll(".violations li")].map((li) => li.textContent);
    const stage = document.querySelector("canvas"), context = stage.getContext("2d");
    const pixels = context.getImageData(0, 0, stage.width, stage.height).data;
    result.red = 0;
    for (let i = 0; i < pixels.length; i += 4) result.red += pixels[i] === 0xb3 && pixels[i + 1] === 0x26 && pixels[i + 2] === 0x1e;
    result.text = document.body.innerText;
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  EXPECT_EQ(looked.result["at"], looked.result["first"]["round"]);
  ASSERT_FALSE(looked.result["list"].empty());
  EXPECT_EQ(looked.result["list"][0], looked.result["first"]["text"]);
  EXPECT_GT(looked.result["red"].get<int>(), 50);
  EXPECT_NE(looked.result["text"].get<std::string>().find("the schedule is invalid and not simulated"),
            std::string::npos);
}

/// Each of 24 ranks of a ring sends 1000 B forwards, all at once, in 2 us.
std::string ring_page(Folder const& folder) {
  Ran const ran = rondo("show --format html --engine native " + folder.write("s.json", R"({
    "machine": {"topology": {"kind": "ring", "hosts": 24}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "isomorphic_alltoall", "torus": [24], "neighborhood": {"kind": "offsets", "offsets": [[1]]}},
    "algorithm": "torus", "block": "1000B"})"));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return ran.out;
}

TEST(LongBrowser, draws_the_links_and_what_equal_ranks_do) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  Looked const looked = look(ring_page(folder), R"(
    result.rates = rondoShow.busiest_rates;
    result.rows = gantt_rows.length;
    result.drawn = [...document.querySelectorAll("canvas")].map((c) =>
      new Set(c.getContext("2d").getImageData(0, 0, c.width, c.height).data).size > 8);
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    result.stepped = rondoShow.at;
    rondoShow.show_times(0.5e-6, 1.5e-6);
    result.shown = time_shown;
    zoom(2);
    result.wider = time_shown;
    use_theme(true);
    const [x, y] = [layout.places[0][0], layout.places[0][1]].map((u, i) => [fit.x, fit.y][i](u) * devicePixelRatio);
    rondoShow.go(0);
    result.inside = [...stage.getContext("2d").getImageData(x, y - radius() * devicePixelRatio * 0.7, 1, 1).data].slice(0, 3);
    result.text = document.body.innerText;
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  json const& seen = looked.result;
  ASSERT_GE(seen["rates"].size(), 20u);
  for (json const& rate : seen["rates"]) EXPECT_NEAR(rate.get<double>(), 1000 / 2e-6, 1);
  EXPECT_EQ(seen["rows"], 1);
  EXPECT_EQ(seen["drawn"], json::parse("[true, true, true, true]"));
  EXPECT_EQ(seen["stepped"], 1);
  EXPECT_EQ(seen["shown"], json::parse("[0.5e-6, 1.5e-6]"));
  EXPECT_NEAR(seen["wider"][0].get<double>(), 0, 1e-12);
  EXPECT_NEAR(seen["wider"][1].get<double>(), 2e-6, 1e-12);
  EXPECT_EQ(seen["inside"], json::parse("[20, 23, 27]")) << "the paper of a dark page";
  std::string const text = seen["text"];
  EXPECT_NE(text.find("mean: 500B"), std::string::npos) << "half of the links carry 1000 B";
}

/// A sweep of the 9-point stencil on a 3x3 torus, as a report: the file r.html of the folder.
void report_of_stencil(Folder const& folder, std::string const& sweep) {
  folder.write("s.json", R"({
    "machine": {"topology": {"kind": "fully_connected", "hosts": 9}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "isomorphic_alltoall", "torus": [3, 3], "neighborhood": {"kind": "moore", "radius": 1}},
    "algorithm": "torus", "block": "8B", "engine": "native", "sweep": )" +
                             sweep + "}");
  folder.write("r", rondo("run --quiet --format jsonl " + folder.file("s.json")).out);
  reported(folder, "r");
}

/// Rank 0 tells 1 by 1000 B, which it does not know before: the message, then a barrier.
TEST(LongBrowser, plays_the_run_of_a_program) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  std::string const file = folder.write("s.json", R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 4},
    "latency": "1us", "bandwidth": "1GBps"}, "collective": {"kind": "sparse_exchange", "pattern": {"kind": "edges",
    "ranks": 4, "edges": [[0, 1]]}}, "algorithm": "nbx", "block": "1000B"})");
  Looked const looked = look(rondo("show --format html " + file).out, R"(
    result.clock = rondoShow.clock;
    const first = data.messages.find((m) => m[3] >= 1000);
    rondoShow.go((first[6] + first[7]) / 2);
    result.moving = rondoShow.moving.map(({ message }) => [message[1], message[2]]);
    result.said = rank_text(0);
    rondoShow.step(1);
    result.later = rondoShow.at;
    result.columns = [...document.querySelectorAll("details th")].map((cell) => cell.textContent);
    result.rows = document.querySelectorAll("details tbody tr").length;
    result.messages = data.messages.length;
    result.text = document.body.innerText;
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  EXPECT_EQ(looked.result["clock"], "time");
  EXPECT_EQ(looked.result["moving"], json::parse("[[0, 1]]"));
  EXPECT_NE(looked.result["said"].get<std::string>().find("to 1"), std::string::npos) << looked.result["said"];
  EXPECT_GT(looked.result["later"].get<double>(), 1e-6);
  EXPECT_EQ(looked.result["columns"], json::parse(R"(["from", "to", "bytes", "start", "end"])"));
  EXPECT_EQ(looked.result["rows"], looked.result["messages"]);
  EXPECT_NE(looked.result["text"].get<std::string>().find("A run of an MPI program"), std::string::npos);
}

/// On a ring of 4 a step forwards loads half of the 8 links, a step backwards the other half, both all of them.
TEST(LongBrowser, shades_the_busiest_links_of_a_report) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  folder.write("r", rondo("run --quiet --format jsonl " + folder.write("s.json", R"({"machine": {"topology":
    {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"}, "collective": {"kind": "isomorphic_alltoall",
    "torus": [4], "neighborhood": {"kind": "offsets", "offsets": [[1]]}}, "algorithm": "torus", "block": "1000B",
    "engine": "native", "sweep": {"/collective/neighborhood/offsets": [[[1]], [[1], [-1]], [[1], [2]]],
    "/block": ["1000B", "2048B"]}})"))
                        .out);
  reported(folder, "r");
  Looked const looked = look(content_of(folder.path() / "r.html"), R"(
    const cells = [...document.querySelectorAll("[data-figure=links] td")];
    result.cells = cells.map((cell) => cell.textContent);
    result.shades = cells.map((cell) => cell.firstElementChild?.style.backgroundColor ?? "");
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  ASSERT_EQ(looked.result["cells"].size(), 9u) << looked.result;
  EXPECT_EQ(looked.result["cells"][1], "1000B, 2x");
  EXPECT_EQ(looked.result["cells"][2], "2KiB, 2x");
  EXPECT_EQ(looked.result["cells"][4], "1000B, 1x");
  EXPECT_EQ(looked.result["cells"][7], "2.93KiB, 2x");  // 3000 B: a hop of one block, two of the other
  EXPECT_EQ(looked.result["shades"][1], "rgba(213, 94, 0, 0)");
  EXPECT_EQ(looked.result["shades"][7], "rgba(213, 94, 0, 0.75)");
}

TEST(LongBrowser, says_which_algorithm_is_fastest_and_from_where) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  report_of_stencil(folder, R"([{"/algorithm": ["straightforward", "torus", "direct"]},
                                {"/block": ["8B", "64B", "64KiB"]}])");
  Looked const looked = look(content_of(folder.path() / "r.html"), std::string(helpers) + R"(
    result.fastest = cells("fastest");
    result.lines = cut_offs(new Choice(data.scenarios[0]));
    result.saves = document.querySelectorAll("button.save").length;
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  // 8 rounds of one block, or 4 of three: times are 8 (1 us + m ns) and 4 (1 us + 3m ns), equal at m = 1000 B.
  ASSERT_EQ(looked.result["fastest"].size(), 2u) << looked.result["fastest"];
  EXPECT_EQ(looked.result["fastest"][0], json::parse(R"(["all", "8B to 64B", "torus", "direct", "1.79x to 1.97x"])"));
  EXPECT_EQ(looked.result["fastest"][1], json::parse(R"(["all", "64KiB", "straightforward", "–", "1x"])"));
  ASSERT_EQ(looked.result["lines"].size(), 1u);
  EXPECT_NEAR(looked.result["lines"][0]["at"].get<double>(), std::sqrt(64.0 * 65536), 1e-6);
  EXPECT_EQ(looked.result["saves"], 2 * 5) << "PNG and SVG of time, speed-up, gap, rounds and volume";
}

TEST(LongBrowser, has_a_chart_for_each_value_of_an_axis_bounds_gaps_and_svg) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  report_of_stencil(folder, R"([{"/machine/latency": ["1us", "4us"]}, {"/algorithm": ["straightforward", "torus"]},
                                {"/block": ["100B", "64kB"]}])");
  Looked const looked = look(content_of(folder.path() / "r.html"), std::string(helpers) + R"(
    const settled = () => new Promise((done) => setTimeout(done, 100));
    await settled();
    result.bound = curves("time")["— no schedule is faster, any links, 4us"];
    result.gap = curves("gap")["▲ straightforward, 4us"];
    const saved = [];
    HTMLAnchorElement.prototype.click = function () { saved.push([this.download, decodeURIComponent(this.href)]); };
    [...document.querySelectorAll("[data-figure=time] button")].forEach((button) => button.click());
    result.names = saved.map(([name]) => name);
    const picture = new DOMParser().parseFromString(saved[1][1].replace(/^[^,]*,/, ""), "image/svg+xml");
    result.svg = { root: picture.documentElement.tagName, title: picture.querySelector("title").textContent,
      texts: [...picture.querySelectorAll("text")].map((t) => t.textContent),
      circles: [...picture.querySelectorAll("path")].map((p) => p.getAttribute("d").match(/A4.2/g)?.length ?? 0) };
    document.querySelectorAll("input[type=checkbox]")[2].click();
    await settled();
    result.without = Object.keys(curves("time")).filter((name) => name.includes("faster")).length;
    choose("a panel for each", "latency");
    await settled();
    const plots = rondoReport.sections[0].plots;
    result.plots = Object.keys(plots);
    result.ranges = ["1us", "4us"].map((latency) => plots[`time, latency: ${latency}`].scales.y).map((y) => [y.min, y.max]);
    result.four = plots["time, latency: 4us"].data[1];
    result.agree = error_figure(new Choice(data.scenarios[0]));
    data.scenarios[0].records[0].time_s *= 1.25;
    result.error = error_figure(new Choice(data.scenarios[0])).rows[0].at(-1);
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  json const& seen = looked.result;
  // 8 messages of m bytes take 8 (4 us + m ns) one after the other. Over any links 9 ranks hold a block after 4 rounds,
  // and 8 blocks have to leave each: max(4 (4 us + m ns), 4 us + 8m ns).
  EXPECT_NEAR(seen["bound"][0].get<double>(), 16.4e-6, 1e-15);
  EXPECT_NEAR(seen["bound"][1].get<double>(), 4e-6 + 8 * 64e-6, 1e-15);
  EXPECT_NEAR(seen["gap"][0].get<double>(), 2, 1e-12);
  EXPECT_EQ(seen["names"], json::parse(R"(["time.png", "time.svg"])"));
  EXPECT_EQ(seen["svg"]["root"], "svg");
  EXPECT_EQ(seen["svg"]["title"], "Time against block size");
  auto const texts = seen["svg"]["texts"].get<std::vector<std::string>>();
  for (char const* text : {"1KiB", "50us", "● straightforward, 1us", "straightforward from 64000B"}) {
    EXPECT_NE(std::find(texts.begin(), texts.end(), text), texts.end()) << text << " in " << seen["svg"]["texts"];
  }
  // The marks of one curve are circles, of two arcs each, at two sizes.
  auto const circles = seen["svg"]["circles"].get<std::vector<int>>();
  EXPECT_EQ(std::count(circles.begin(), circles.end(), 4), 1) << seen["svg"]["circles"];
  EXPECT_EQ(seen["without"], 0);
  EXPECT_EQ(seen["plots"], json::parse(R"(["time, latency: 1us", "time, latency: 4us", "speedup, latency: 1us",
    "speedup, latency: 4us", "gap, latency: 1us", "gap, latency: 4us", "rounds", "volume"])"));
  EXPECT_EQ(seen["ranges"][0], seen["ranges"][1]) << "panels can be compared";
  EXPECT_NEAR(seen["four"][0].get<double>(), 8 * (4e-6 + 0.1e-6), 1e-15) << "theory of straightforward";
  EXPECT_TRUE(seen["agree"].is_null()) << seen["agree"];
  EXPECT_EQ(seen["error"], "25%");
}

}  // namespace
}  // namespace rondo::test
