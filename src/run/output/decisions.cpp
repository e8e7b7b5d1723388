// Prints decisions of `rondo tune` as a table with notes, as JSON, and merges the JSON of shards.

#include "run/output/decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "json/value.hpp"
#include "run/output/text_table.hpp"
#include "run/points/compositions.hpp"
#include "run/points/results_file.hpp"

namespace rondo {
namespace {

using scenario::Json;

/// The text in the column "smpi" of a cut-off.
std::string verdict(CutOff const& cut, scenario::Engine searched) {
  if (cut.crossings > 1) return "several";
  if (!cut.confirmed) return searched == scenario::Engine::smpi ? "by smpi" : "not asked";
  if (*cut.confirmed) return "confirmed";
  return cut.error.empty() ? "SMPI DIFFERS" : "SMPI FAILS";
}

/// The collective, the number of ranks, and the swept values.
std::string heading(Decisions const& decisions) {
  std::string text = decisions.title.empty() ? "" : excerpt(decisions.title, 200) + "\n";
  text += fmt::format("{}, p = {}", decisions.collective, decisions.p);
  for (auto const& [pointer, value] : decisions.axes)
    text += fmt::format(", {} = {}", pointer, excerpt(value.dump(), 60));
  return text + "\n";
}

/// All sizes are printed in bytes, because most cut-offs are exact to the byte.
std::string in_bytes(Bytes size) { return fmt::format("{}B", size.value); }

/// If robustness is asked for, its column replaces that of the gap, because both do not fit into 80 columns.
std::vector<std::vector<std::string>> rows(Decisions const& decisions) {
  bool const robust = !decisions.choices.empty() && decisions.choices.front().robustness.has_value();
  std::vector<std::vector<std::string>> cells{{"from", "to", "algorithm", "at from", "at to"}};
  if (!robust) cells[0].push_back("gap");
  cells[0].push_back("cut-off");
  if (robust) cells[0].push_back("robust");
  for (std::size_t i = 0; i < decisions.choices.size(); ++i) {
    Choice const& choice = decisions.choices[i];
    cells.push_back({in_bytes(choice.from), in_bytes(choice.to), choice.algorithm, shown(choice.time_at_from.value),
                     shown(choice.time_at_to.value)});
    if (!robust) cells.back().push_back(choice.gap() ? fmt::format("{:.3g}", *choice.gap()) : "-");
    cells.back().push_back(i == 0 ? "-" : verdict(decisions.cut_offs[i - 1], decisions.engine));
    if (robust) cells.back().push_back(choice.robustness->turns.empty() ? "yes" : "no");
  }
  return cells;
}

/// Words separated by blanks, on lines of at most 80 characters; all lines but the first are indented by two blanks.
std::string filled(std::vector<std::string> const& words) {
  std::string text;
  std::size_t begin = 0;
  for (std::string const& word : words) {
    bool const fits = text.empty() || text.size() - begin + 1 + word.size() <= 80;
    text += text.empty() ? "" : fits ? " " : "\n  ";
    if (!fits) begin = text.size() - 2;
    text += word;
  }
  return text + "\n";
}

/// The line on algorithms that take the same time in a whole range.
std::string as_fast(Choice const& choice, scenario::Engine engine) {
  if (choice.as_fast.empty()) return "";
  std::vector<std::string> words{
      "as fast", "on", scenario::to_string(engine), "at", in_bytes(choice.from), "to", in_bytes(choice.to) + ":"};
  words.insert(words.end(), choice.as_fast.begin(), choice.as_fast.end());
  return filled(words);
}

/// "best flat algorithm at 1024B: rabenseifner 13.6us"
std::string best_flat(Choice const& choice) {
  std::string text;
  for (auto const& [at, best] : {std::pair(choice.from, choice.flat_at_from), {choice.to, choice.flat_at_to}}) {
    if (!best) continue;
    text += fmt::format("best flat algorithm at {}: {} {}\n", in_bytes(at), best->algorithm, shown(best->time.value));
  }
  return text;
}

/// How SMPI's times differ from the search at a cut-off that it does not confirm.
std::string difference(CutOff const& cut) {
  std::string const where = fmt::format("cut-off after {}: ", in_bytes(cut.last));
  if (!cut.error.empty()) return where + printable(cut.error) + "\n";
  auto const times = [&](CutOff::Times const& point) {
    return fmt::format("{} {}, {} {}", printable(cut.below), shown(point.below.value), printable(cut.above),
                       shown(point.above.value));
  };
  return fmt::format("{}smpi says {}; at one byte more {}; --engine smpi searches by SMPI alone\n", where,
                     times(*cut.smpi_at_last), times(*cut.smpi_behind));
}

/// A cut-off means little if the two algorithms change places again and again; this says so.
std::string often_crossed(CutOff const& cut) {
  return fmt::format(
      "from {} to {} {} and {} cross {} times within that tolerance: the cut-off after {} is not exact\n",
      in_bytes(cut.cross_from), in_bytes(cut.cross_to), printable(cut.below), printable(cut.above), cut.crossings,
      in_bytes(cut.last));
}

/// The variables that make an MPI library run this composition.
std::string variables(problem::Classical const& composition) {
  std::string text;
  for (auto const& [name, value] : variables_of(composition)) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text.empty() ? "the MPI library does not have several rings" : text;
}

/// What each level of every composition does, how to choose it in the MPI library, and how it was found.
std::string compositions(Decisions const& decisions) {
  if (!decisions.tally) return "";
  std::string text;
  for (auto const& [name, problem] : decisions.compositions) {
    text += fmt::format("{}: {}\n  {}\n", name, composition_text(problem), variables(problem));
  }
  text += fmt::format("compositions: {} simulated{}", decisions.tally->simulated,
                      decisions.compositions.empty() ? ", of which none is the fastest" : "");
  if (decisions.tally->cut_short.empty()) return text + "; lower bounds exclude all others\n";
  std::vector<std::string> sizes;
  for (Bytes const size : decisions.tally->cut_short) sizes.push_back(in_bytes(size));
  return text + fmt::format("; at {} lower bounds exclude most others, but not all: a faster one may be missed\n",
                            listed(sizes, ", "));
}

/// The moves of the machine's parameters that change a choice.
std::string turns(Choice const& choice) {
  if (!choice.robustness) return "";
  Robustness const& found = *choice.robustness;
  std::string text;
  for (Robustness::Turn const& turn : found.turns) {
    text += fmt::format("{} at {} does not survive {}: {} is {:.2g} % faster\n", printable(choice.algorithm),
                        in_bytes(found.at), turn.move, printable(turn.algorithm), 100 * turn.gain);
  }
  return text;
}

/// "cannot be told apart at 64B to 8192B: ring and bruck; measure both at 724B (10us, 11us)"
std::string undecided_text(Undecided const& each) {
  std::vector<std::string> words{"cannot", "be", "told", "apart", "at", in_bytes(each.from)};
  if (each.from != each.to) words.insert(words.end(), {"to", in_bytes(each.to)});
  words.back() += ":";
  words.insert(words.end(), {printable(each.chosen), "and", printable(each.rival) + ";", "measure", "both", "at",
                             in_bytes(each.probe), fmt::format("({},", shown(each.time.value)),
                             fmt::format("{})", shown(each.rival_time.value))});
  return filled(words);
}

/// The lines below the table: how the search was made, and what it did not confirm.
std::string notes(Decisions const& decisions) {
  std::string text;
  for (Choice const& choice : decisions.choices) text += as_fast(choice, decisions.engine);
  if (decisions.tally) {
    for (Choice const& choice : decisions.choices) text += best_flat(choice);
  }
  text += fmt::format("searched on engine {}", scenario::to_string(decisions.engine));
  if (!decisions.engine_because.empty()) text += fmt::format(" alone ({})", printable(decisions.engine_because));
  text += fmt::format(", {} sizes in each doubling and between, tolerance {:g} %\n", decisions.sizes.per_doubling,
                      100 * decisions.sizes.tolerance);
  if (decisions.by != Statistic::mean || decisions.replications > 1) {
    text += fmt::format("each time is the {} of {}\n", enum_name(decisions.by),
                        counted(decisions.replications, "replication"));
  }
  for (Choice const& choice : decisions.choices) text += turns(choice);
  if (decisions.undecided) {
    for (Undecided const& each : *decisions.undecided) text += undecided_text(each);
    if (decisions.undecided->empty()) text += "the intervals tell all algorithms apart\n";
  }
  for (CutOff const& cut : decisions.cut_offs) {
    if (cut.crossings > 1) text += often_crossed(cut);
    if (cut.confirmed == false) text += difference(cut);
  }
  text += compositions(decisions);
  for (LeftOut const& each : decisions.left_out)
    text += fmt::format("left out: {}: {}\n", printable(each.algorithm), printable(each.why));
  return text;
}

/// The times of a side of a cut-off by engine and algorithm.
Json side(CutOff const& cut, Bytes block, CutOff::Times const& searched, std::string const& engine,
          std::optional<CutOff::Times> const& smpi) {
  Json json = {{"block_bytes", block.value}};
  auto const add = [&](std::string const& by, CutOff::Times const& times) {
    json[by + "_s"] = {{cut.below, times.below.value}, {cut.above, times.above.value}};
  };
  add(engine, searched);
  if (smpi) add("smpi", *smpi);
  return json;
}

/// A cut-off between two algorithms, with the times at both sides.
Json cut_off(CutOff const& cut, std::string const& engine) {
  Json json = {{"last_bytes", cut.last.value}, {"below", cut.below}, {"above", cut.above}};
  json["confirmed"] = cut.confirmed ? Json(*cut.confirmed) : Json();
  json["error"] = cut.error.empty() ? Json() : Json(cut.error);
  json["times"] = {side(cut, cut.last, cut.at_last, engine, cut.smpi_at_last),
                   side(cut, Bytes(cut.last.value + 1), cut.behind, engine, cut.smpi_behind)};
  json["crossings"] = cut.crossings;
  json["crossings_from_bytes"] = cut.cross_from.value;
  json["crossings_to_bytes"] = cut.cross_to.value;
  return json;
}

Json flat_json(std::optional<BestFlat> const& best) {
  if (!best) return {};
  return {{"algorithm", best->algorithm}, {"time_s", best->time.value}};
}

/// A range as JSON, with its bounds and the algorithms that are as fast.
Json rule(Choice const& choice, bool beside_flat) {
  Json json = {{"from_bytes", choice.from.value},         {"to_bytes", choice.to.value},
               {"algorithm", choice.algorithm},           {"time_at_from_s", choice.time_at_from.value},
               {"time_at_to_s", choice.time_at_to.value}, {"as_fast", choice.as_fast}};
  if (choice.bound_at_from) json["bound_at_from_s"] = choice.bound_at_from->value;
  if (choice.bound_at_to) json["bound_at_to_s"] = choice.bound_at_to->value;
  if (choice.robustness) {
    Json turned = Json::array();
    for (Robustness::Turn const& turn : choice.robustness->turns) {
      turned.push_back({{"move", turn.move}, {"algorithm", turn.algorithm}, {"gain", turn.gain}});
    }
    json["robust"] = {
        {"at_bytes", choice.robustness->at.value}, {"moves", choice.robustness->moves}, {"turned_by", turned}};
  }
  if (!beside_flat) return json;
  json["flat_at_from"] = flat_json(choice.flat_at_from);
  json["flat_at_to"] = flat_json(choice.flat_at_to);
  return json;
}

Json compositions_json(Decisions const& decisions) {
  Json json = Json::object();
  for (auto const& [name, problem] : decisions.compositions) {
    Json& each = json[name];
    each["algorithm"] = enum_name(problem.algorithm);
    each.update(options_of(problem));
    each["says"] = composition_text(problem);
    each["environment"] = Json::object();
    for (auto const& [variable, value] : variables_of(problem)) each["environment"][variable] = value;
  }
  return json;
}

Json as_json(Decisions const& decisions) {
  std::string const engine = scenario::to_string(decisions.engine);
  Json json = {
      {"scenario", printable(decisions.scenario)}, {"title", decisions.title}, {"collective", decisions.collective}};
  json["p"] = decisions.p;
  json["machine"] = decisions.machine;
  json["problem"] = decisions.problem;
  json["point"] = Json::object();
  for (auto const& [pointer, value] : decisions.axes) json["point"][pointer] = value;
  json["algorithms"] = decisions.algorithms;
  json["left_out"] = Json::object();
  for (LeftOut const& each : decisions.left_out) json["left_out"][each.algorithm] = each.why;
  json["engine"] = engine;
  json["engine_because"] = decisions.engine_because.empty() ? Json() : Json(decisions.engine_because);
  json["sizes_a_doubling"] = decisions.sizes.per_doubling;
  json["rules"] = Json::array();
  for (Choice const& choice : decisions.choices) json["rules"].push_back(rule(choice, decisions.tally.has_value()));
  json["cut_offs"] = Json::array();
  for (CutOff const& cut : decisions.cut_offs) json["cut_offs"].push_back(cut_off(cut, engine));
  json["version"] = decisions.version;
  json["tolerance"] = decisions.sizes.tolerance;
  if (decisions.by != Statistic::mean || decisions.replications > 1) {
    json["by"] = enum_name(decisions.by);
    json["replications"] = decisions.replications;
  }
  if (decisions.undecided) {
    json["undecided"] = Json::array();
    for (Undecided const& each : *decisions.undecided) {
      json["undecided"].push_back({{"from_bytes", each.from.value},
                                   {"to_bytes", each.to.value},
                                   {"algorithm", each.chosen},
                                   {"rival", each.rival},
                                   {"measure_at_bytes", each.probe.value},
                                   {"time_s", each.time.value},
                                   {"rival_time_s", each.rival_time.value}});
    }
  }
  json["problem_number"] = decisions.number;
  json["problems"] = decisions.of;
  if (!decisions.tally) return json;
  json["compositions"] = compositions_json(decisions);
  json["compositions_simulated"] = decisions.tally->simulated;
  json["compositions_cut_short_bytes"] = Json::array();
  for (Bytes const size : decisions.tally->cut_short) json["compositions_cut_short_bytes"].push_back(size.value);
  return json;
}

}  // namespace

std::string decisions_table(std::vector<Decisions> const& decisions) {
  std::string text;
  for (Decisions const& each : decisions) {
    text += (text.empty() ? "" : "\n") + heading(each) + text_table(rows(each)) + notes(each);
  }
  return text;
}

std::string decisions_json(std::vector<Decisions> const& decisions) {
  Json json = {{"decisions", Json::array()}};
  for (Decisions const& each : decisions) json["decisions"].push_back(as_json(each));
  return printable_json(json.dump(2)) + "\n";
}

bool holds_decisions(std::string const& path) {
  std::string const text = content_of(path);
  return scenario::is_json(text) && scenario::json_of(text).contains("decisions");
}

namespace {

/// The decisions of all files about one scenario. Shards of a tuning run write a file each.
struct DecidedScenario {
  std::string name;
  std::size_t problems = 0;
  std::map<std::size_t, std::pair<Json, std::string>> decided;  ///< by number, with the file that decides it
};

/// Throws InputError if the file was written by another version.
std::size_t number_at(Json const& decision, char const* key, std::string const& path) {
  if (decision.is_object() && decision.contains(key) && decision[key].is_number_unsigned() &&
      decision.value("scenario", Json()).is_string()) {
    return decision[key].get<std::size_t>();
  }
  throw InputError(fmt::format("{}: expected the decisions of rondo tune --format json by this version, got {}", path,
                               excerpt(decision.dump())));
}

/// Adds the decision of a file. Throws InputError if two files decide the same problem.
void add_decision(std::vector<DecidedScenario>& scenarios, Json const& decision, std::string const& path) {
  std::size_t const number = number_at(decision, "problem_number", path);
  std::size_t const problems = number_at(decision, "problems", path);
  std::string const name = decision["scenario"].get<std::string>();
  auto found = std::ranges::find(scenarios, name, &DecidedScenario::name);
  if (found == scenarios.end()) found = scenarios.insert(scenarios.end(), {name, problems, {}});
  if (found->problems != problems) {
    throw InputError(fmt::format("{}: {}: expected {} problems, as {} says, got {}", path, name, found->problems,
                                 found->decided.begin()->second.second, problems));
  }
  // Two files must not decide one problem: they may have been made with different tolerances.
  auto const [place, is_new] = found->decided.emplace(number, std::pair(decision, path));
  if (is_new) return;
  throw InputError(
      fmt::format("{}: problem {} of {} is decided already in {}", path, number, name, place->second.second));
}

}  // namespace

/// Joins the decisions of shards in the order of scenarios.
MergedDecisions merged_decisions(std::vector<std::string> const& paths) {
  std::vector<DecidedScenario> scenarios;
  for (std::string const& path : paths) {
    Json const file = scenario::json_of(content_of(path));
    if (!file.contains("decisions") || !file["decisions"].is_array()) {
      throw InputError(
          fmt::format("{}: expected the decisions of rondo tune --format json, as in {}", path, paths.front()));
    }
    for (Json const& decision : file["decisions"]) add_decision(scenarios, decision, path);
  }
  MergedDecisions result;
  Json json = {{"decisions", Json::array()}};
  for (DecidedScenario const& each : scenarios) {
    for (auto const& [number, decided] : each.decided) json["decisions"].push_back(decided.first);
    if (each.decided.size() == each.problems) continue;
    result.missing.push_back(
        fmt::format("{}: {} of {} problems are decided", each.name, each.decided.size(), each.problems));
  }
  result.text = printable_json(json.dump(2)) + "\n";
  return result;
}

}  // namespace rondo
