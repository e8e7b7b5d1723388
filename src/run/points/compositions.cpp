// Enumerates compositions in the order of their lower bounds, without making all of them: a depth-first search over the
// phases cuts off a branch as soon as its partial bound exceeds the limit.

#include "run/points/compositions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <queue>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/text.hpp"
#include "problem/composition.hpp"
#include "run/families/resolve.hpp"
#include "scenario/hierarchy.hpp"

namespace rondo {

using problem::CompositionForm;
using theory::PhaseBound;

namespace {

std::vector<int> hosts_of_ranks(Platform const& machine, int ranks) {
  std::vector<int> hosts;
  for (int r = 0; r < ranks; ++r) hosts.push_back(host_of(machine, Rank(r)));
  return hosts;
}

/// 1, 2, 4, ... below the number of ranks of the smallest host, and all (0). In a barrier there are no data to divide
/// among lanes.
std::vector<int> lanes_to_try(problem::Classical const& problem) {
  if (problem.collective == ClassicalCollective::barrier) return {1};
  std::vector<int> ranks_of(problem.hierarchy.group_of.size() + 1, 0);
  for (int const host : problem.hierarchy.group_of) {
    if (at(host) >= ranks_of.size()) ranks_of.resize(at(host) + 1, 0);
    ++ranks_of[at(host)];
  }
  int smallest = problem.ranks;
  for (int const ranks : ranks_of) smallest = ranks > 0 ? std::min(smallest, ranks) : smallest;
  std::vector<int> lanes;
  for (int k = 1; k < smallest; k *= 2) lanes.push_back(k);
  lanes.push_back(smallest == 1 ? 1 : 0);
  return lanes;
}

}  // namespace

/// The compositions of one form: all combinations of the algorithms of its choices, with their bounds.
class Compositions::Form {
 public:
  /// Computes the bound of each algorithm of each phase. Algorithms with equal bounds form a kind.
  Form(CompositionForm const& form, theory::LeastCost const& cost, Bytes vector)
      : form_(form), segments_(theory::whole_segments(form, vector)) {
    theory::CompositionBounds const bounds(form, cost);
    for (std::size_t i = 0; i < form.choices.size(); ++i) {
      auto& kinds = kinds_.emplace_back();
      for (auto const algorithm : form.choices[i].algorithms) {
        PhaseBound const bound = bounds.of(i, algorithm);
        auto const like =
            std::find_if(kinds.begin(), kinds.end(), [&](Kind const& k) { return k.bound.is_like(bound); });
        if (like == kinds.end()) {
          kinds.push_back({bound, {algorithm}});
        } else {
          like->algorithms.push_back(algorithm);
        }
      }
    }
    // The least time of all choices from number i on together.
    rest_.resize(kinds_.size() + 1);
    for (std::size_t i = kinds_.size(); i-- > 0;) {
      rest_[i] = least_of(kinds_[i]);
      rest_[i] += rest_[i + 1];
    }
  }

  /// Calls `found` with each composition whose bound is below `limit()`, which may fall meanwhile.
  template <typename Limit, typename Found>
  void each_below(Limit const& limit, Found const& found) const {
    std::vector<problem::ClassicalAlgorithm> chosen;
    descend(PhaseBound(), chosen, limit, found);
  }

  CompositionForm const& form() const { return form_; }
  /// The algorithms that have the same bounds as this algorithm of that choice, including itself.
  std::vector<problem::ClassicalAlgorithm> const& like(std::size_t choice,
                                                       problem::ClassicalAlgorithm algorithm) const {
    for (Kind const& kind : kinds_[choice]) {
      if (std::find(kind.algorithms.begin(), kind.algorithms.end(), algorithm) != kind.algorithms.end()) {
        return kind.algorithms;
      }
    }
    throw ContractViolation("an algorithm of the choice");
  }

 private:
  /// Algorithms with the same bounds.
  struct Kind {
    PhaseBound bound;
    std::vector<problem::ClassicalAlgorithm> algorithms;
  };
  /// The least bound of a phase, in each component.
  static PhaseBound least_of(std::vector<Kind> const& kinds) {
    if (kinds.empty()) return {};
    PhaseBound least = kinds.front().bound;
    for (Kind const& each : kinds) least.lower_to(each.bound);
    return least;
  }

  /// Extends the choice by one phase. `so_far` bounds the chosen phases, `rest_` the others.
  template <typename Limit, typename Found>
  void descend(PhaseBound const& so_far, std::vector<problem::ClassicalAlgorithm>& chosen, Limit const& limit,
               Found const& found) const {
    PhaseBound least = so_far;
    least += rest_[chosen.size()];
    Seconds const time = least.least(segments_);
    if (!(time.value < limit())) return;
    std::size_t const choice = chosen.size();
    if (choice == kinds_.size()) return found(time, form_.with(chosen));
    for (Kind const& kind : kinds_[choice]) {
      PhaseBound next = so_far;
      next += kind.bound;
      chosen.push_back(kind.algorithms.front());
      descend(next, chosen, limit, found);
      chosen.pop_back();
    }
  }

  CompositionForm const& form_;
  double segments_;
  std::vector<std::vector<Kind>> kinds_;  ///< by choice
  std::vector<PhaseBound> rest_;
};

/// Whether compositions make sense: several hosts, some of them with several ranks, and a collective that has them.
bool has_compositions(scenario::Scenario const& scenario) {
  auto const* classical = std::get_if<problem::Classical>(&scenario.problem);
  if (classical == nullptr || scenario.machine.ranks_per_host == 1) return false;
  auto const known = problem::classical_algorithms(classical->collective);
  if (std::find(known.begin(), known.end(), problem::ClassicalAlgorithm("hierarchical")) == known.end()) return false;
  std::vector<int> const hosts = hosts_of_ranks(scenario.machine, classical->ranks);
  std::size_t const different = std::set<int>(hosts.begin(), hosts.end()).size();
  return different > 1 && different < hosts.size();
}

scenario::Json options_of(problem::Classical const& composition) {
  scenario::Json options = scenario::Json::object();
  if (composition.hierarchy.stated()) options["hierarchy"] = scenario::hierarchy_json(composition.hierarchy);
  if (composition.rings > 1) options["rings"] = composition.rings;
  return options;
}

std::string key_of(problem::Classical const& composition) {
  return std::string(enum_name(composition.algorithm)) + options_of(composition).dump();
}

/// Costs that no message can undercut on the machine, whatever its route and size. Bounds that follow from them hold
/// for every composition.
theory::LeastCost least_cost(Platform const& machine, int ranks) {
  theory::LeastCost cost;
  cost.host_of = hosts_of_ranks(machine, ranks);
  double const unlimited = std::numeric_limits<double>::infinity();
  if (machine.timing == TimingModel::loggp) {
    // A message of n bytes takes at least o + L + (n-1)G + o.
    LogGp const& its = machine.loggp;
    double const alpha = its.L.value + 2 * its.o.value - its.G.value;
    BytesPerSecond const bandwidth(its.G.value > 0 ? 1 / its.G.value : unlimited);
    cost.between = cost.within = {Seconds(std::max(alpha, 0.0)), bandwidth};
    cost.holds_ports = false;
    cost.send = cost.receive = its.o;
    cost.nics = BytesPerSecond(unlimited);
    return cost;
  }
  double const stripes = machine.nic_of == NicRule::striped ? machine.nics : 1;
  double const bandwidth = machine.bandwidth.value > 0 ? machine.bandwidth.value : unlimited;
  Seconds latency = machine.latency;
  for (SizePiece const& piece : machine.pieces) latency = std::min(latency, piece.latency);
  cost.between = {latency, BytesPerSecond(bandwidth * stripes)};
  cost.within = {machine.intra_latency.value_or(machine.latency),
                 machine.intra_bandwidth.value_or(BytesPerSecond(bandwidth))};
  cost.nics = BytesPerSecond(bandwidth * machine.ports * machine.nics);
  cost.ports = machine.ports;
  cost.envelope = machine.envelope;
  if (machine.timing == TimingModel::flow) {
    cost.holds_ports = false;
    cost.send = machine.flow.o_send;
    cost.receive = machine.flow.o_recv;
    Seconds const cpu = cost.send + cost.receive;
    cost.between.alpha = cost.between.alpha + cpu;
    cost.within.alpha = cost.within.alpha + cpu;
  }
  return cost;
}

Compositions::Compositions(scenario::Scenario const& scenario, std::vector<Bytes> const& segments) {
  auto problem = std::get<problem::Classical>(resolved(scenario.problem));
  problem.hierarchy = {};
  problem.hierarchy.group_of = problem.host_of = hosts_of_ranks(scenario.machine, problem.ranks);
  cost_ = least_cost(scenario.machine, problem.ranks);
  problem::CompositionSpace space{lanes_to_try(problem), segments, {problem.rings}};
  bool const order_is_free = problem.commutative || !reduces(problem.collective);
  if (problem.rings == 1 && scenario.machine.nics > 1 && order_is_free) space.rings.push_back(scenario.machine.nics);
  forms_ = composition_forms(problem, space);
  for (CompositionForm const& form : forms_) bounds_.emplace_back(form, cost_, problem.sizes.block);
}

Compositions::~Compositions() = default;

/// All compositions that differ from this one only in algorithms with the same bounds.
std::vector<problem::Classical> Compositions::like(problem::Classical const& composition) const {
  problem::Hierarchy const& hierarchy = composition.hierarchy;
  for (Form const& each : bounds_) {
    CompositionForm const& form = each.form();
    bool const same = form.problem.hierarchy.lanes == hierarchy.lanes &&
                      form.problem.hierarchy.segment == hierarchy.segment && form.problem.rings == composition.rings &&
                      form.problem.hierarchy.stated() == hierarchy.stated();
    if (!same) continue;
    std::vector<problem::ClassicalAlgorithm> chosen;
    for (problem::PhaseChoice const& choice : form.choices) {
      auto const algorithm = hierarchy.stated() ? hierarchy.levels[choice.level].of(choice.collective)
                                                : std::optional(composition.algorithm);
      if (algorithm) chosen.push_back(*algorithm);
    }
    // This composition has another form: its levels have other phases.
    if (chosen.size() < form.choices.size()) continue;
    std::vector<problem::Classical> result;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      for (auto const algorithm : each.like(i, chosen[i])) {
        std::vector<problem::ClassicalAlgorithm> other = chosen;
        other[i] = algorithm;
        if (algorithm != chosen[i]) result.push_back(form.with(other));
      }
    }
    return result;
  }
  return {};
}

/// The `most` compositions with the least bounds, ascending. A heap keeps the best so far, and its worst entry is the
/// limit for the next ones.
std::vector<Composition> Compositions::below(Segmented segmented, Seconds limit, std::set<std::string> const& known,
                                             std::size_t most) const {
  auto const less = [](Composition const& one, Composition const& other) { return one.least < other.least; };
  std::priority_queue<Composition, std::vector<Composition>, decltype(less)> best(less);
  auto const bar = [&] { return best.size() < most ? limit.value : std::min(limit.value, best.top().least.value); };
  for (Form const& form : bounds_) {
    if ((form.form().problem.hierarchy.segment > Bytes(0)) != (segmented == Segmented::yes)) continue;
    form.each_below(bar, [&](Seconds least, problem::Classical problem) {
      if (known.contains(key_of(problem))) return;
      best.push({std::move(problem), least});
      if (best.size() > most) best.pop();
    });
  }
  std::vector<Composition> result;
  for (; !best.empty(); best.pop()) result.push_back(best.top());
  std::reverse(result.begin(), result.end());
  return result;
}

namespace {

std::vector<std::string> phases_of(problem::PhaseAlgorithms const& level, char const* between) {
  std::vector<std::string> phases;
  for (auto const& [collective, algorithm] : level.exceptions) {
    phases.push_back(enum_name(problem::kind_of(collective)) + between + enum_name(algorithm));
  }
  return phases;
}

/// "reduce:binomial,bcast:chain", or the one algorithm there is.
std::string in_a_variable(problem::PhaseAlgorithms const& level) {
  if (level.exceptions.size() == 1) return enum_name(level.exceptions.front().second);
  return listed(phases_of(level, ":"), ",");
}

}  // namespace

/// The composition as a sentence for the table of `rondo tune`.
std::string composition_text(problem::Classical const& composition) {
  problem::Hierarchy const& hierarchy = composition.hierarchy;
  std::string const rings = fmt::format("{} at once, each with a part of the data", composition.rings);
  if (!hierarchy.stated())
    return fmt::format("{} by {}, {}", enum_name(kind_of(composition)), enum_name(composition.algorithm), rings);
  std::string text =
      fmt::format("in a host: {}; between hosts: {}", listed(phases_of(hierarchy.levels.front(), " by "), ", "),
                  listed(phases_of(hierarchy.levels.back(), " by "), ", "));
  if (hierarchy.lanes == 0) text += "; all ranks of a host are lanes";
  if (hierarchy.lanes == 1) text += "; by leaders";
  if (hierarchy.lanes > 1) text += fmt::format("; {} lanes", hierarchy.lanes);
  if (hierarchy.segment > Bytes(0)) text += fmt::format("; segments of {}", print(hierarchy.segment));
  if (composition.rings > 1) text += "; " + rings;
  return text;
}

/// The environment of librondo_mpi that selects this composition. There is no variable for several rings.
std::vector<std::pair<std::string, std::string>> variables_of(problem::Classical const& composition) {
  if (composition.rings > 1) return {};
  problem::Hierarchy const& hierarchy = composition.hierarchy;
  std::string prefix = "RONDO_" + std::string(enum_name(kind_of(composition)));
  std::transform(prefix.begin(), prefix.end(), prefix.begin(),
                 [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  std::vector<std::pair<std::string, std::string>> variables{
      {prefix + "_ALGORITHM", "hierarchical"},
      {prefix + "_INTRA", in_a_variable(hierarchy.levels.front())},
      {prefix + "_INTER", in_a_variable(hierarchy.levels.back())},
      {prefix + "_LANES", hierarchy.lanes == 0 ? "all" : std::to_string(hierarchy.lanes)}};
  if (hierarchy.segment > Bytes(0)) variables.emplace_back(prefix + "_SEGMENT", print(hierarchy.segment));
  return variables;
}

}  // namespace rondo
