#pragma once

// The page of one point: its ranks, the moves of its blocks, its simulated run, and the links between routers with
// the bytes over each.

#include <nlohmann/json.hpp>
#include <string>

#include "platform/platform.hpp"
#include "run/output/show.hpp"
#include "run/points/traffic.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// The most links that are drawn.
inline constexpr std::int64_t most_shown_links = 20'000;

/// The largest schedule that a page draws. For larger ones an InputError says how to draw less.
inline constexpr int most_shown_ranks = 1024;
inline constexpr std::int64_t most_shown_messages = 20'000;
inline constexpr std::int64_t most_shown_blocks = 200'000;  ///< in all messages

/// What that page draws:
///
///   {"version", "title", "collective", "algorithm", "engine", "file", "program": whether it is the run of an MPI
///    program, which has no rounds and owes nobody anything (a message is content of its sender), "ranks", "rounds",
///    "block_bytes",
///    "layout": {"kind": "ring" | "torus" | "groups" | "circle", "extents": [...] of a torus, "senders": the first so
///    many ranks}, "contents": [[ORIGIN, BLOCK], ...], "messages": [[ROUND, SOURCE, TARGET, BYTES, [CONTENT or -1,
///    ...], RECEIVED, START, END], ...]  seconds, or null "owed": [COUNT by rank], "delivered": [[COUNT by rank] by
///    round from 0], "violations": [{"rank", "round", "text"}], "violation_count", "proved", "proof": what was
///    proved in words, or null, "benchmark": whether a record times it behind a barrier, "makespan": seconds or null,
///    "no_run": why there is no run, or null, "links": as show_links of the source has them, "expanded": the scenario}
nlohmann::ordered_json show_data(scenario::Scenario const& scenario, std::string const& file);

/// One point as an HTML file: its ranks, its blocks on their way and the simulated run; the run alone of a program.
/// Throws InputError as show does for schedules, and where there is too much to draw.
Shown show_page(scenario::Scenario const& scenario, std::string const& file);

}  // namespace rondo
