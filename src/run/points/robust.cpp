// All claims with the same share of change have the same list of moves, so each moved machine runs once for all of
// them. If each true time lies within a factor 1 + part of its prediction, the order of two algorithms is certain
// only if the predictions differ by more than (1 + part)^2.

#include "run/points/robust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "run/points/run_job.hpp"

namespace rondo {
namespace {

using scenario::Json;

/// Parses a quantity; unset if the string has none of this kind.
template <typename Quantity>
std::optional<double> value_of(std::string const& text, Quantity (*parse)(std::string_view)) {
  try {
    return parse(text).value;
  } catch (InputError const&) {
    return std::nullopt;
  }
}

/// Tells whether a text is a time, a bandwidth or a time per byte other than 0.
bool is_parameter(std::string const& text) {
  for (auto const& value :
       {value_of(text, parse_seconds), value_of(text, parse_bandwidth), value_of(text, parse_seconds_per_byte)}) {
    if (value) return *value != 0;
  }
  return false;
}

/// Calls use(name, value) for each parameter of a machine, or of a part of it with this name. The topology and the
/// source are left out. Entries of lists and of `pieces` have the name of what contains them.
template <typename Part, typename Use>
void each_parameter(Part& part, std::string const& name, Use const& use) {
  for (auto const& item : part.items()) {
    std::string const& key = item.key();
    if (key == "source" || key == "topology") continue;
    auto& value = item.value();
    bool const is_piece = part.is_array() || key == "pieces";
    std::string const inner = is_piece ? name : fmt::format("{}{}{}", name, name.empty() ? "" : "/", key);
    if (value.is_structured()) each_parameter(value, inner, use);
    if (value.is_string() && is_parameter(value.template get<std::string>())) use(inner, value);
  }
}

/// Multiplies the number at the beginning of a text by the factor, and keeps the unit behind it.
std::string scaled(std::string const& text, double factor) {
  double number = 0;
  auto const [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  expects(error == std::errc(), "a number with a unit");
  return fmt::format("{}{}", number * factor, std::string(rest, text.data() + text.size()));
}

/// Runs all points of the job on a moved machine, and judges these claims there.
std::vector<Judgement> judged_on(Job const& job, MachineMove const& by, std::vector<scenario::Claim> const& claims,
                                 PointOptions const& options, int jobs) {
  Job const moved = with_points_changed(job, [by](Json& point) { move(point["machine"], by); });
  std::vector<PointResult> results;
  run_job(moved, all_points(moved), options, jobs, [&](PointResult result) {
    result.problem = names_at(moved, result.point);
    results.push_back(std::move(result));
  });
  return judge(claims, results, job.file);
}

/// Lists the different machines of a sweep, in the order of its points.
std::vector<Json> machines_of(Job const& job) {
  std::vector<Json> machines;
  std::set<std::string> known;
  for (std::size_t i = 0; i < job.sweep.size(); ++i) {
    Json machine = job.sweep[i].expanded["machine"];
    if (known.insert(machine.dump()).second) machines.push_back(std::move(machine));
  }
  return machines;
}

/// The claims that ask for the same part, the share by which parameters are moved.
struct PartClaims {
  std::vector<scenario::Claim> claims;
  std::vector<std::size_t> places;  ///< by claim: its index in the job
};

/// Groups the robust claims by their part. Claims that already fail, or that have no verdict, are left out.
std::map<double, PartClaims> robust_claims(Job const& job, std::vector<Judgement> const& judgements) {
  using enum Judgement::Status;
  std::map<double, PartClaims> by_part;
  for (std::size_t i = 0; i < job.claims.size(); ++i) {
    Judgement::Status const status = judgements[i].status;
    bool const is_found = status == holds || status == refuted || status == explained || status == unexplained;
    if (!job.claims[i].robust || !is_found) continue;
    PartClaims& each = by_part[*job.claims[i].robust];
    each.claims.push_back(job.claims[i]);
    each.places.push_back(i);
  }
  return by_part;
}

}  // namespace

std::vector<MachineMove> moves_of(std::vector<Json> const& machines, double part, std::uint64_t seed) {
  std::vector<std::string> parameters;
  for (Json const& machine : machines) {
    each_parameter(machine, "", [&](std::string const& name, Json const&) {
      if (std::ranges::find(parameters, name) == parameters.end()) parameters.push_back(name);
    });
  }
  if (parameters.empty()) throw InputError("the machine states no time or bandwidth that could be moved");
  std::vector<MachineMove> moves;
  for (std::string const& name : parameters) {
    moves.push_back({fmt::format("{} -{:g}%", name, 100 * part), {{name, 1 - part}}});
    moves.push_back({fmt::format("{} +{:g}%", name, 100 * part), {{name, 1 + part}}});
  }
  Random random(seed);
  for (int i = 1; i <= random_moves; ++i) {
    MachineMove all{fmt::format("all at random ({})", i), {}};
    for (std::string const& name : parameters) all.factor[name] = 1 + part * (2 * random.unit() - 1);
    moves.push_back(std::move(all));
  }
  return moves;
}

void move(Json& machine, MachineMove const& by) {
  each_parameter(machine, "", [&](std::string const& name, Json& value) {
    auto const factor = by.factor.find(name);
    if (factor != by.factor.end()) value = scaled(value.get<std::string>(), factor->second);
  });
}

void judge_robustness(Job const& job, PointOptions const& options, int jobs, std::vector<Judgement>& judgements,
                      std::function<void(std::string const&)> const& say) {
  std::map<double, PartClaims> const by_part = robust_claims(job, judgements);
  if (by_part.empty()) return;
  auto const seed = job.sweep[0].expanded.value("seed", std::uint64_t{1});
  std::vector<Json> const machines = machines_of(job);
  for (auto const& [part, of] : by_part) {
    std::vector<MachineMove> const moves = moves_of(machines, part, seed);
    say(fmt::format("{}: {} on {} moved machines", job.file, counted(of.claims.size(), "robust claim"), moves.size()));
    std::vector<std::vector<std::string>> turned(of.claims.size());
    for (MachineMove const& by : moves) {
      std::vector<Judgement> const there = judged_on(job, by, of.claims, options, jobs);
      for (std::size_t i = 0; i < there.size(); ++i) {
        if (there[i].status != judgements[of.places[i]].status) turned[i].push_back(by.text);
      }
    }
    for (std::size_t i = 0; i < turned.size(); ++i) {
      if (turned[i].empty()) continue;
      Judgement& judgement = judgements[of.places[i]];
      judgement.status = Judgement::Status::fails;
      judgement.detail = fmt::format("not robust: another verdict with {}", listed(turned[i], ", "));
    }
  }
}

namespace {

Choice const& choice_at(Decisions const& decisions, Bytes size) {
  return *std::ranges::find_if(decisions.choices, [&](Choice const& each) { return size <= each.to; });
}

bool is_chosen(Decisions const& decisions, std::string const& word) {
  return std::ranges::any_of(decisions.choices, [&](Choice const& each) { return each.algorithm == word; });
}

/// The fastest algorithm except for the chosen one and those that are equally fast; empty if there is none. Of several
/// equal ones, one that is chosen elsewhere.
std::string rival_of(Choice const& choice, Decisions const& decisions, Bytes size, Simulations& search) {
  std::string best;
  for (std::string const& word : decisions.algorithms) {
    if (word == choice.algorithm || std::ranges::find(choice.as_fast, word) != choice.as_fast.end()) continue;
    bool const ties = !best.empty() && as_fast(search.time(word, size), search.time(best, size), decisions.sizes.tie);
    bool const is_faster =
        best.empty() || !as_fast(search.time(best, size), search.time(word, size), decisions.sizes.tie);
    if (is_faster || (ties && is_chosen(decisions, word) && !is_chosen(decisions, best))) best = word;
  }
  return best;
}

/// The size that is nearest to the geometric mean of the first and the last one.
Bytes middle(std::vector<Bytes> const& sizes) {
  double const mean = std::sqrt(static_cast<double>(sizes.front().value) * static_cast<double>(sizes.back().value));
  return *std::ranges::min_element(
      sizes, {}, [&](Bytes size) { return std::abs(std::log(static_cast<double>(size.value) / mean)); });
}

}  // namespace

std::vector<Undecided> undecided(Decisions const& decisions, double part, Simulations& search) {
  /// Neighboring sizes with the same two algorithms.
  struct Run {
    std::string chosen, rival;
    std::vector<Bytes> sizes;
  };
  std::vector<Run> runs;
  bool goes_on = false;
  for (Bytes const size : grid(decisions.sizes)) {
    Choice const& choice = choice_at(decisions, size);
    std::string const rival = rival_of(choice, decisions, size, search);
    double const both = (1 + part) * (1 + part);
    bool const apart =
        rival.empty() || search.time(rival, size).value > both * search.time(choice.algorithm, size).value;
    if (!apart) {
      bool const same =
          goes_on && std::minmax(runs.back().chosen, runs.back().rival) == std::minmax(choice.algorithm, rival);
      if (!same) runs.push_back({choice.algorithm, rival, {}});
      runs.back().sizes.push_back(size);
    }
    goes_on = !apart;
  }
  std::vector<Undecided> found;
  for (Run const& run : runs) {
    Bytes const probe = middle(run.sizes);
    found.push_back({run.sizes.front(), run.sizes.back(), run.chosen, run.rival, probe, search.time(run.chosen, probe),
                     search.time(run.rival, probe)});
  }
  return found;
}

}  // namespace rondo
