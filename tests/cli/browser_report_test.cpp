// The page of a report in headless Chromium: no complaint, no request, plotted values are the records', controls work.
// Skipped where there is no Chromium. Named Long*: a browser takes seconds to start.

#include <gtest/gtest.h>

#include <algorithm>
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
  EXPECT_NE(looked.result["text"].get<std::string>().find(
                "The curves of straightforward, 1us, 1 and posted, 1us, 1 coincide."),
            std::string::npos);
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
    const drawn = rondoReport.sections[0].plots.time.drawn.curves;
    const theory = (name) => drawn.find((curve) => curve.series.label === `— ${name}: theory`);
    result.bends = drawn.filter((curve) => curve.series.label.endsWith("theory")).map((curve) => curve.bends);
    result.at_1000 = ["straightforward", "torus"].map((name) => {
      const points = line_points([8, 64, 65536], theory(name)), after = points.findIndex(([x]) => x > 1000);
      const [[x0, y0], [x1, y1]] = [points[after - 1], points[after]];
      return x1 < 3000 ? y0 + ((y1 - y0) * (1000 - x0)) / (x1 - x0) : null;
    });
    result.joined = rondoReport.sections[0].plots.speedup.drawn.curves.every((curve) => curve.line);
    result.saves = document.querySelectorAll("button.save").length;
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  // 8 rounds of one block, or 4 of three: times are 8 (1 us + m ns) and 4 (1 us + 3m ns), equal at m = 1000 B.
  ASSERT_EQ(looked.result["fastest"].size(), 2u) << looked.result["fastest"];
  EXPECT_EQ(looked.result["fastest"][0], json::parse(R"(["all", "8B to 64B", "torus", "direct", "1.79x to 1.97x"])"));
  EXPECT_EQ(looked.result["fastest"][1], json::parse(R"(["all", "64KiB", "straightforward", "–", "1x"])"));
  ASSERT_EQ(looked.result["lines"].size(), 1u);
  EXPECT_NEAR(looked.result["lines"][0]["at"].get<double>(), 1000, 1e-6);
  EXPECT_EQ(looked.result["lines"][0]["name"], "straightforward from about 1000B");
  // Both curves are drawn through the time at 1000 B, 16 us, not straight to their ends on logarithmic axes.
  ASSERT_EQ(looked.result["at_1000"].size(), 2u);
  for (json const& time : looked.result["at_1000"]) EXPECT_NEAR(time.get<double>(), 16e-6, 1e-12);
  EXPECT_EQ(looked.result["bends"], json::parse("[true, true, true]"));
  EXPECT_EQ(looked.result["joined"], true) << "marks of speed-ups";
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
    result.error = ((figure) => figure.cells(figure.items[0]).at(-1))(error_figure(new Choice(data.scenarios[0])));
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
  for (char const* text : {"1KiB", "50us", "● straightforward, 1us", "straightforward, 1us from about 1000B"}) {
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

constexpr char const* noisy_machine = R"("machine": {"topology": {"kind": "fully_connected", "hosts": 8},
    "latency": "1us", "bandwidth": "1GBps", "noise": {"latency": {"kind": "uniform", "spread": "1us"}}},
    "replications": 9, "engine": "native", "block": "1kB", "sweep": {"/block": ["1kB", "4kB"]})";

/// Two exchanges at once on the same NICs: each is slowed down.
TEST(LongBrowser, draws_slowdowns_of_steps) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  std::string const file = folder.write("s.json", std::string("{") + noisy_machine + R"(, "algorithm": "workload",
    "collective": {"kind": "workload", "ranks": 8, "steps": [
      {"name": "one", "collective": {"kind": "alltoall"}, "algorithm": "pairwise", "overlap": true},
      {"name": "two", "collective": {"kind": "alltoall"}, "algorithm": "pairwise", "after": []}]}})");
  std::string const lines = rondo("run --quiet --format jsonl " + file).out;
  folder.write("r", lines);
  reported(folder, "r");
  Looked const looked = look(content_of(folder.path() / "r.html"), std::string(helpers) + R"(
    const drawn = curves("slowdown");
    result.first = drawn["● workload, point 1"];
    result.second = drawn["■ workload, point 2"];
    result.line = drawn["— 1: as fast as alone"];
    result.names = cells("slowdown").map((row) => row.at(-4));
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  json const& seen = looked.result;
  std::size_t const end = lines.find('\n');
  json const first = json::parse(lines.substr(0, end)), second = json::parse(lines.substr(end + 1));
  EXPECT_GT(first["steps"]["two"]["slowdown"], 1.3);
  for (auto const& [row, record] : {std::pair("first", first), {"second", second}}) {
    EXPECT_NEAR(seen[row][0].get<double>(), record["steps"]["one"]["slowdown"].get<double>(), 1e-12);
    EXPECT_NEAR(seen[row][1].get<double>(), record["steps"]["two"]["slowdown"].get<double>(), 1e-12);
  }
  EXPECT_EQ(seen["line"], json::parse("[1, 1]"));
  EXPECT_EQ(seen["names"], json::parse(R"(["one", "two", "one", "two"])"));
}

/// The band goes along the 95th percentile and back along the median, at two sizes.
TEST(LongBrowser, saves_the_bands_of_replications_as_svg) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  std::string const file =
      folder.write("s.json", std::string("{") + noisy_machine +
                                 R"(, "algorithm": "pairwise", "collective": {"kind": "alltoall", "ranks": 8}})");
  folder.write("r", rondo("run --quiet --format jsonl " + file).out);
  reported(folder, "r");
  Looked const looked = look(content_of(folder.path() / "r.html"), std::string(helpers) + R"(
    const saved = [];
    HTMLAnchorElement.prototype.click = function () { saved.push(decodeURIComponent(this.href)); };
    [...document.querySelectorAll("[data-figure=time] button")].forEach((button) => button.click());
    const picture = new DOMParser().parseFromString(saved[1].replace(/^[^,]*,/, ""), "image/svg+xml");
    result.bands = [...picture.querySelectorAll("path.band")].map((p) => p.getAttribute("d").match(/[ML]/g).length);
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  EXPECT_EQ(looked.result["bands"], json::parse("[4]"));
}

TEST(LongBrowser, keeps_the_marks_of_a_report_round_on_paper) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  expect_shapes_kept(look(report_page(folder), narrow_paper), 5);
}

/// The paper's sequences as printed: counted, but invalid, and so without a time.
TEST(LongBrowser, leaves_out_what_would_be_empty) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  folder.write("r", rondo("run --quiet --format jsonl " + folder.write("s.json", printed_sequences)).out);
  reported(folder, "r");
  std::string const report = content_of(folder.path() / "r.html");
  std::string const shown =
      "result.shown = [...document.querySelectorAll('[data-figure]')].map((e) => e.dataset.figure);"
      "result.controls = document.querySelectorAll('.controls').length;";
  Looked const looked = look(report, shown);
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  EXPECT_EQ(looked.result["shown"], json::parse(R"(["rounds", "volume"])"));
  // Nothing is counted of a point that fails before there is a schedule.
  json bare = data_of(report);
  for (char const* key : {"rounds", "volume_blocks"}) bare["scenarios"][0]["records"][0][key] = nullptr;
  std::string page = report;
  std::size_t const begin = page.find("id=\"data\">") + 10;
  page.replace(begin, page.find("</script>", begin) - begin, bare.dump());
  Looked const none = look(page, shown + "result.text = document.body.innerText;");
  EXPECT_TRUE(none.complaints.empty()) << none.complaints.front();
  EXPECT_EQ(none.result["shown"], json::array());
  EXPECT_EQ(none.result["controls"], 0);
  EXPECT_NE(none.result["text"].get<std::string>().find("Points that failed"), std::string::npos);
}

/// On one port, a vector of m bytes: a ring takes 2(p-1) (1 us + m/p ns), recursive doubling log2 p (1 us + m ns).
TEST(LongBrowser, draws_times_along_ranks_where_only_those_differ) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  folder.write("r", rondo("run --quiet --format jsonl " + folder.write("s.json", R"({"machine": {"topology":
    {"kind": "fully_connected", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"}, "collective": {"kind": "allreduce",
    "ranks": 4}, "algorithm": "ring", "block": "10000B", "engine": "native", "sweep": [{"/collective/ranks": [4, 16],
    "/machine/topology/hosts": [4, 16]}, {"/algorithm": ["ring", "recursive_doubling"]}]})"))
                        .out);
  reported(folder, "r");
  Looked const looked = look(content_of(folder.path() / "r.html"), std::string(helpers) + R"(
    result.time = curves("time"); result.rounds = curves("rounds"); result.fastest = cells("fastest");
    result.titles = [...document.querySelectorAll("figcaption")].map((e) => e.textContent);
    result.heads = [...document.querySelectorAll("[data-figure=fastest] th")].map((e) => e.textContent);
    result.lines = rondoReport.sections[0].plots.time.drawn.lines;
    result.chosen = [...document.querySelectorAll("select")].map((e) => e.getAttribute("aria-label"));
    const along = (name, values) => {
      const x = x_of({ records: [], axes: [{ name, pointers: name.split(", ").map((each) => `/${each}`), values }] });
      return [x.name, ...values.map((value, i) => x.axis === null ? null : x.read({ at: [i] }))];
    };
    result.along = [along("latency, ports", ["1us, 1", "3000ns, 2"]), along("bandwidth", ["1GBps", "16Gbps"]),
      along("kind, radius", ["moore, 1", "moore, 2"]), along("dims", ["[4,4]", "[8,8]"]), along("seed", ["1", "2"])];
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  json const& seen = looked.result;
  EXPECT_EQ(seen["time"]["x"], json::parse("[4, 16]"));
  json const& ring = seen["time"]["● ring"];
  json const& doubling = seen["time"]["■ recursive_doubling"];
  for (auto const& [i, p, log_p] : {std::tuple{0u, 4.0, 2.0}, {1u, 16.0, 4.0}}) {
    EXPECT_NEAR(ring[i].get<double>(), 2 * (p - 1) * (1e-6 + 1e-5 / p), 1e-15);
    EXPECT_NEAR(doubling[i].get<double>(), log_p * (1e-6 + 1e-5), 1e-15);
  }
  EXPECT_EQ(seen["rounds"]["● ring"], json::parse("[6, 30]"));
  EXPECT_EQ(seen["titles"][0], "Time against ranks");
  EXPECT_EQ(seen["heads"][1], "ranks");
  ASSERT_EQ(seen["fastest"].size(), 2u);
  EXPECT_EQ(seen["fastest"][0], json::parse(R"(["all", "4", "ring", "–", "1x"])"));
  EXPECT_EQ(seen["fastest"][1][1], "16");
  // 21 and 22 us at 4, 48.75 and 44 us at 16: equal 1 / (1 + 4.75) of the way.
  ASSERT_EQ(seen["lines"].size(), 1u);
  EXPECT_NEAR(seen["lines"][0]["at"].get<double>(), 4 + 12 / 5.75, 1e-9);
  EXPECT_EQ(seen["lines"][0]["name"], "recursive_doubling from about 7");
  EXPECT_EQ(seen["chosen"], json::parse(R"(["baseline"])")) << "what is along x is not held";
  EXPECT_EQ(seen["along"][0][0], "latency");
  EXPECT_NEAR(seen["along"][0][2].get<double>(), 3e-6, 1e-18);
  EXPECT_EQ(seen["along"][1], json::parse(R"(["bandwidth", 1e9, 2e9])"));
  EXPECT_EQ(seen["along"][2], json::parse(R"(["radius", 1, 2])"));
  EXPECT_EQ(seen["along"][3][0], "block") << "no number";
  EXPECT_EQ(seen["along"][4][0], "block") << "seeds are no quantity";
}

/// As many records as a report may have. Its first nodes are few; what is long is built when it is asked for.
TEST(LongBrowser, opens_ten_thousand_records_with_few_nodes) {
  RONDO_NEEDS_BROWSER();
  Folder const folder;
  json blocks;
  for (int block = 1; block <= 10000; ++block) blocks.push_back(std::to_string(block) + "B");
  folder.write("s.json",
               R"({"machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "isomorphic_alltoall", "torus": [4], "neighborhood": {"kind": "offsets", "offsets": [[1]]}},
    "algorithm": "torus", "block": "1B", "engine": "native", "sweep": {"/block": )" +
                   blocks.dump() + "}}");
  folder.write("r", rondo("run --quiet --format jsonl " + folder.file("s.json")).out);
  reported(folder, "r");
  Looked const looked = look(content_of(folder.path() / "r.html"), R"(
    result.records = data.scenarios[0].records.length;
    result.plots = Object.keys(rondoReport.sections[0].plots);
    result.nodes = document.querySelectorAll("*").length;
    const table = () => document.querySelector("[data-figure=time] details"), rows = () => table().querySelectorAll("tbody tr").length;
    result.rows = [rows()];
    table().open = true;
    await new Promise((done) => setTimeout(done, 100));
    result.rows.push(rows());
    window.dispatchEvent(new Event("beforeprint"));
    result.rows.push(rows());
    table().querySelector(".more button").click();
    result.rows.push(rows());
    result.last = table().querySelector("tbody tr:last-child").textContent;
  )");
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  EXPECT_EQ(looked.result["records"], 10000);
  EXPECT_EQ(looked.result["plots"], json::parse(R"(["time", "gap", "rounds", "volume"])"));
  EXPECT_LT(looked.result["nodes"].get<int>(), 1000);
  EXPECT_EQ(looked.result["rows"], json::parse("[0, 200, 1000, 10000]"));
  EXPECT_EQ(looked.result["last"].get<std::string>().rfind("10000torus10000B", 0), 0u) << looked.result["last"];
}

}  // namespace
}  // namespace rondo::test
