// Writes the proof of an optimum. An independent checker must be able to build the same formula, so the question is
// written completely: blocks, ports, links and limits.

#include "run/points/optimum_proof.hpp"

#include <fmt/format.h>

#include "run/formats/promise_json.hpp"

namespace rondo {
namespace {

using scenario::Json;

Json number(std::optional<int> const& of) { return of ? Json(*of) : Json(); }

/// The links as [from, to, width], or "any" if all ranks may talk.
Json links_json(optimum::Links const& links) {
  if (!links) return "any";
  Json json = Json::array();
  for (optimum::Link const& each : *links) json.push_back({each.from, each.to, each.width});
  return json;
}

Json blocks_json(optimum::Question const& question) {
  Json json = Json::array();
  for (optimum::Block const& each : question.blocks) json.push_back({{"held", each.held}, {"wanted", each.wanted}});
  return json;
}

Json moves_json(optimum::Moves const& moves) {
  Json json = Json::array();
  for (optimum::Move const& each : moves) json.push_back({each.round, each.from, each.to, each.blocks});
  return json;
}

/// A lower bound by counting: its argument and the block, rank or set of ranks that attains it.
Json counted_json(optimum::Argument const& argument) {
  Json json = {{"by", argument.by}, {"at_least", argument.at_least}};
  if (argument.block >= 0) json["block"] = argument.block;
  if (argument.rank >= 0) json["rank"] = argument.rank;
  if (argument.by == "cut") json["ranks"] = argument.set;
  if (argument.by == "departures") json["blocks"] = argument.set;
  return json;
}

/// A lower bound by search: the limits for which the formula has no solution.
Json refuted_json(optimum::Answer const& answer) {
  optimum::Refutation const& refuted = *answer.refuted;
  return {{"by", "search"},
          {"at_least", answer.at_least},
          {"rounds", refuted.limits.rounds},
          {"message_blocks", number(refuted.limits.message_blocks)},
          {"critical_blocks", number(refuted.limits.critical_blocks)},
          {"merged", refuted.merged},
          {"lemmas", refuted.lemmas}};
}

}  // namespace

Json proof_json(scenario::Scenario const& scenario, optimum::Question const& question, Collective const& promise,
                optimum::Answer const& answer) {
  return {{"format", "rondo-optimum-proof"},
          {"format_version", 1},
          {"scenario", scenario.expanded},
          {"promise", written_out(promise)},
          {"ports", question.ports},
          {"links", links_json(question.links)},
          {"reversed", question.reversed},
          {"blocks", blocks_json(question)},
          {"of", answer.goal == optimum::Goal::rounds ? "rounds" : "critical_blocks"},
          {"rounds", number(answer.rounds)},
          {"message_blocks", number(answer.message_blocks)},
          {"at_least", answer.at_least},
          {"at_most", number(answer.at_most)},
          {"schedule", moves_json(answer.moves)},
          {"lower", answer.refuted ? refuted_json(answer) : counted_json(answer.counted)}};
}

/// The formula in DIMACS form, from which a checker reads the clauses. Blocks with the same holders are merged if the
/// solver merged them.
std::string cnf_text(optimum::Question const& question, optimum::Refutation const& refuted) {
  optimum::Merged const merged = optimum::merged(question);
  optimum::Formula formula(refuted.merged ? merged.question : question, refuted.limits);
  std::string clauses;
  std::int64_t count = 0;
  formula.write([&](std::span<int const> clause) {
    for (int const literal : clause) fmt::format_to(std::back_inserter(clauses), "{} ", literal);
    clauses += "0\n";
    ++count;
  });
  return fmt::format("p cnf {} {}\n", formula.variables(), count) + clauses;
}

}  // namespace rondo
