// The page of a schedule in headless Chromium: no complaint, no request, what it draws and says, its controls. Skipped
// where there is no Chromium. Named Long*: a browser takes seconds to start.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cli/browser.hpp"
#include "cli/pages.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

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
      for (let i = 0; i < 300 && rondoShow.at === 0; ++i) await new Promise((done) => setTimeout(done, 50));
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

/// Rank 0 sends 1000 B to rank 1, which does not know this before. Ranks that are done already begin the second
/// barrier.
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
  json const& moving = looked.result["moving"];
  EXPECT_NE(std::find(moving.begin(), moving.end(), json::parse("[0, 1]")), moving.end()) << moving;
  EXPECT_NE(looked.result["said"].get<std::string>().find("to 1"), std::string::npos) << looked.result["said"];
  EXPECT_GT(looked.result["later"].get<double>(), 1e-6);
  EXPECT_EQ(looked.result["columns"], json::parse(R"(["from", "to", "bytes", "start", "end"])"));
  EXPECT_EQ(looked.result["rows"], looked.result["messages"]);
  EXPECT_NE(looked.result["text"].get<std::string>().find("The messages of an MPI program"), std::string::npos);
}

/// The binomial tree of 8 ranks: 4, 2 and 1 are children of the root, 6 and 5 of 4, 3 of 2, and 7 of 6.
TEST(LongBrowser, draws_trees_as_trees_and_other_schedules_on_a_circle) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  auto const places = [&](std::string const& kind, std::string const& algorithm) {
    std::string const file =
        folder.write("s.json", R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 8},
      "latency": "1us", "bandwidth": "1GBps"}, "engine": "native", "block": "1KiB", "algorithm": ")" +
                                   algorithm + R"(", "collective": {"kind": ")" + kind + R"(", "ranks": 8}})");
    Looked const looked = look(rondo("show --format html " + file).out,
                               "result.circle = layout.circle === true;\n"
                               "const rows = [...new Set(layout.places.map(([x, y]) => y))].sort((a, b) => a - b);\n"
                               "result.levels = layout.places.map(([x, y]) => rows.indexOf(y));");
    EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
    return looked.result;
  };
  for (std::string const kind : {"bcast", "reduce"}) {
    json const tree = places(kind, "binomial");
    EXPECT_FALSE(tree["circle"].get<bool>()) << kind;
    EXPECT_EQ(tree["levels"], json::parse("[0, 1, 1, 2, 1, 2, 2, 3]")) << kind;
  }
  for (std::string const algorithm : {"linear", "pipeline"})
    EXPECT_TRUE(places("bcast", algorithm)["circle"].get<bool>()) << algorithm;
  EXPECT_TRUE(places("allreduce", "ring")["circle"].get<bool>());
}

TEST(LongBrowser, says_that_the_steps_of_a_workload_are_proved_and_leaves_colours_to_them) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  std::string const file = folder.write("s.json", R"({
    "machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "workload", "ranks": 4, "steps": [
      {"name": "work", "compute": "20us"}, {"name": "sum", "collective": {"kind": "allreduce"}, "algorithm": "ring"}]},
    "block": "1KiB", "engine": "native"})");
  Looked const looked = look(rondo("show --format html " + file).out, R"(
    result.colours = [...new Set(data.messages.map(colour_of_bar))].length;
    result.rim = colour_of_bar(data.messages[0]) === theme.rim;
    result.text = document.body.innerText;
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  EXPECT_EQ(looked.result["colours"], 1);
  EXPECT_EQ(looked.result["rim"], true);
  EXPECT_NE(looked.result["text"].get<std::string>().find("proved the collective of each step"), std::string::npos);
}

TEST(LongBrowser, keeps_the_circles_of_a_schedule_round_on_paper) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  expect_shapes_kept(look(ring_page(folder), narrow_paper), 4);
}

/// The paper's sequences as printed are not simulated: there is no busiest link over time.
TEST(LongBrowser, has_no_link_over_time_without_a_run) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  Looked const show = look(rondo("show --format html " + folder.write("s.json", printed_sequences)).out,
                           "result.titles = [...document.querySelectorAll('figcaption')].map((e) => e.textContent);");
  EXPECT_EQ(
      show.result["titles"],
      json::parse(R"(["The schedule", "The simulated run", "The links between routers, by the bytes over them"])"));
}

TEST(LongBrowser, numbers_some_of_many_ranks_on_a_circle_and_prints_some_of_many_links) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  Ran const ran =
      rondo("show --format html " + folder.write("s.json", R"({"machine": {"topology": {"kind": "ring", "hosts": 64},
    "latency": "1us", "bandwidth": "1GBps"}, "collective": {"kind": "allgather", "ranks": 64}, "algorithm": "bruck",
    "block": "8B", "engine": "native"})"));
  Looked const looked = look(ran.out, R"(
    const written = [], fill = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      if (this.canvas === stage) written.push([text, x, y]);
      fill.call(this, text, x, y);
    };
    draw_stage();
    result.numbers = written.map(([text]) => Number(text));
    result.within = written.every(([, x, y]) => x > 5 && y > 5 && x < stage.clientWidth - 5 && y < stage.clientHeight - 5);
    window.dispatchEvent(new Event("beforeprint"));
    const links = [...document.querySelectorAll("details")].find((e) => e.textContent.startsWith("The links by their load"));
    result.rows = [...links.querySelectorAll("tbody tr")].filter((row) => row.className !== "screen").length;
    result.said = links.querySelector(".paper").textContent;
    links.querySelector(".more button")?.click();
    result.all = links.querySelectorAll("tbody tr").length;
    result.loaded = data.links.loads.filter((each) => each[3] > 0).length;
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  json every_fourth;
  for (int rank = 0; rank < 64; rank += 4) every_fourth.push_back(rank);
  EXPECT_EQ(looked.result["numbers"], every_fourth);
  EXPECT_EQ(looked.result["within"], true);
  EXPECT_EQ(looked.result["rows"], 24);
  EXPECT_EQ(looked.result["all"], looked.result["loaded"]);
  EXPECT_EQ(looked.result["said"], "The first 24 of " + std::to_string(looked.result["loaded"].get<int>()) +
                                       " rows; the page on a screen has the others.");
}

}  // namespace
}  // namespace rondo::test
