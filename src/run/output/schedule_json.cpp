#include "run/output/schedule_json.hpp"

#include <algorithm>

#include "base/printable.hpp"

namespace rondo {
namespace {

using scenario::Json;

constexpr char const* buffer_names[buffer_count] = {"send", "receive", "intermediate"};

Json json_of(Place place) { return Json::array({buffer_names[static_cast<int>(place.buffer())], place.slot()}); }

Json buffers_of(Layout const& layout) {
  Json buffers = Json::object();
  for (std::size_t b = 0; b < buffer_count; ++b) {
    Json& buffer = buffers[buffer_names[b]] = {{"slots", layout.buffers[b].slots}};
    for (Bytes const size : layout.buffers[b].sizes) buffer["bytes"].push_back(size.value);
  }
  return buffers;
}

Json transfer_of(Schedule const& schedule, Program const& program, Transfer const& transfer) {
  Json json = Json::object();
  if (schedule.offsets.empty()) {
    json["rank"] = transfer.peer;
  } else {
    auto const d = static_cast<std::size_t>(schedule.torus->dimensions());
    auto const first =
        schedule.offsets.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(transfer.peer) * d);
    json["offset"] = std::vector<int>(first, first + static_cast<std::ptrdiff_t>(d));
  }
  json["bytes"] = program.bytes(transfer).value;
  json["places"] = Json::array();
  for (Place const place : program.places(transfer)) json["places"].push_back(json_of(place));
  if (transfer.join != Join::none) json["join"] = word_of(transfer.join);
  if (int const label = program.label(transfer); label > 0) {
    json["label"] = schedule.labels[static_cast<std::size_t>(label) - 1];
  }
  return json;
}

Json copies_of(Program const& program, int round) {
  Json copies = Json::array();
  for (Copy const& copy : program.copies(round)) {
    copies.push_back({json_of(copy.from), json_of(copy.into)});
    if (copy.join != Join::none) copies.back().push_back(word_of(copy.join));
  }
  return copies;
}

Json round_of(Schedule const& schedule, Program const& program, int round) {
  Json json = {{"sends", Json::array()}, {"receives", Json::array()}, {"copies", copies_of(program, round)}};
  for (Transfer const& t : program.sends(round)) json["sends"].push_back(transfer_of(schedule, program, t));
  for (Transfer const& t : program.receives(round)) json["receives"].push_back(transfer_of(schedule, program, t));
  return json;
}

/// The ranks that follow each program.
std::vector<Json> followers(Schedule const& schedule) {
  std::vector<Json> ranks(schedule.programs.size(), schedule.program_of.empty() ? Json("all") : Json::array());
  for (std::size_t r = 0; r < schedule.program_of.size(); ++r) ranks[schedule.program_of[r]].push_back(r);
  return ranks;
}

}  // namespace

std::string schedule_json(Schedule const& schedule, scenario::Scenario const& scenario) {
  Json json = {{"format", "rondo-schedule"},
               {"format_version", 1},
               {"collective", word_of(kind(scenario.problem))},
               {"algorithm", algorithm(scenario.problem)},
               {"ranks", schedule.ranks},
               {"block_bytes", scenario.block.value}};
  if (schedule.torus) json["torus"] = schedule.torus->extents();
  json["promises"] = {{"ports", schedule.promises.ports}, {"links", word_of(schedule.promises.links)}};
  json["programs"] = Json::array();
  auto const ranks = followers(schedule);
  for (std::size_t k = 0; k < schedule.programs.size(); ++k) {
    Program const& program = schedule.programs[k];
    Json rounds = Json::array();
    for (int round = 1; round <= program.rounds(); ++round) rounds.push_back(round_of(schedule, program, round));
    json["programs"].push_back({{"ranks", ranks[k]},
                                {"buffers", buffers_of(program.layout())},
                                {"copies", copies_of(program, 0)},
                                {"rounds", std::move(rounds)}});
  }
  return printable_json(json.dump()) + "\n";
}

}  // namespace rondo
