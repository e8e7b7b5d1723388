// Simulates each rule of a file at all sizes of the search that it covers, beside all algorithms of the library, and
// reports the size at which the rule loses most.

#include "run/rules/check_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "run/output/text_table.hpp"

namespace rondo {
namespace {

using scenario::Json;

/// A scenario of the collective, in which the search sets algorithm and block.
Json document_of(LibraryCollective const& collective, int ranks, Json const& machine) {
  LibraryAlgorithm const& any = *offered(collective, ranks, {}).front().first;
  return {{"schema_version", 1},
          {"machine", machine},
          {"collective", {{"kind", enum_name(problem::kind_of(collective.collective))}, {"ranks", ranks}}},
          {"algorithm", candidate_of(any, Bytes(0)).algorithm},
          {"block", collective.collective == ClassicalCollective::barrier ? "0B" : "1B"}};
}

/// The reason why a rule has no time. Algorithms that MPICH builds from collectives on each host and between hosts
/// follow the rules for these, and parts of the library that have files of their own.
std::string lacking(std::string const& name) {
  bool const of_levels = name == "smp" || name.starts_with("MPIDI_");
  return of_levels ? "the library chooses its parts by other rules" : "Rondo does not have it";
}

/// Compares, for one collective on one number of ranks, the rules for both with all algorithms of the library.
class Costs {
 public:
  Costs(CollectiveRules const& rules, RulesFormat format, int ranks, CheckRulesOptions const& options)
      : rules_(rules),
        collective_(*rules.collective),
        ranks_(ranks),
        search_(options.tuning.sizes),
        sizes_(sizes_of(collective_, search_)),
        segments_are_stated_(format != RulesFormat::nccl),
        ranks_on_hosts_(ranks_on_hosts(options)),
        simulations_(
            for_candidates(document_of(collective_, ranks, options.machine), options.machine_file, options.tuning),
            options.machine_file, candidates(options.segments), points(options), options.tuning.jobs,
            options.tuning.watch) {}

  /// The costs of all rules that apply to this number of ranks.
  std::vector<RuleCost> all() {
    std::vector<RuleCost> costs;
    for (Rule const& rule : rules_.rules) {
      if (!fits(rule)) continue;
      if (auto cost = cost_of(rule)) costs.push_back(std::move(*cost));
    }
    return costs;
  }

 private:
  static PointOptions points(CheckRulesOptions const& options) {
    PointOptions points = options.tuning.points;
    if (points.proof == Proof::automatic) points.proof = Proof::off;
    return points;
  }

  /// How many of the ranks each host has, without hosts that have none.
  std::map<int, int> ranks_on_hosts(CheckRulesOptions const& options) const {
    Platform const machine =
        scenario::parse({1, document_of(collective_, ranks_, options.machine), {}}, options.machine_file).machine;
    std::map<int, int> result;
    for (int r = 0; r < ranks_; ++r) ++result[host_of(machine, Rank(r))];
    return result;
  }

  /// Whether the rule is for these ranks, with their placement on hosts.
  bool fits(Rule const& rule) const {
    HostRequirement const& asked = rule.hosts;
    bool const one_each = std::ssize(ranks_on_hosts_) == ranks_;
    return rule.from_ranks <= ranks_ && ranks_ <= rule.to_ranks &&
           (!asked.number || *asked.number == std::ssize(ranks_on_hosts_)) && (!asked.one_rank_each || one_each) &&
           (!asked.one_host || ranks_on_hosts_.size() == 1) &&
           (!asked.two_levels || (ranks_on_hosts_.size() > 1 && !one_each));
  }

  /// All algorithms of the library, with every segment size that the file or the search names.
  std::vector<Candidate> candidates(std::vector<Bytes> segments) {
    for (Rule const& rule : rules_.rules) {
      if (rule.segment > Bytes(0)) segments.push_back(rule.segment);
    }
    std::sort(segments.begin(), segments.end());
    segments.erase(std::unique(segments.begin(), segments.end()), segments.end());
    offered_ = offered(collective_, ranks_, segments);
    std::vector<Candidate> result;
    for (auto const& [algorithm, segment] : offered_) {
      result.push_back(candidate_of(*algorithm, segment));
      names_.push_back(result.back().name);
    }
    add_fans(result);
    return result;
  }

  /// Adds fans that rules state and that are not the library's own.
  void add_fans(std::vector<Candidate>& result) {
    for (Rule const& rule : rules_.rules) {
      if (rule.fan == 0 || !rule.asks.empty() || !takes(rule.algorithm->ranks, ranks_)) continue;
      Candidate const candidate = candidate_of(*rule.algorithm, stated_segment(rule), rule.fan);
      if (std::find(names_.begin(), names_.end(), candidate.name) != names_.end()) continue;
      result.push_back(candidate);
      names_.push_back(candidate.name);
      offered_.emplace_back(rule.algorithm, stated_segment(rule));
    }
  }

  static Bytes stated_segment(Rule const& rule) { return rule.algorithm->segments ? rule.segment : Bytes(0); }

  /// A rule that is not simulated, with the reason.
  RuleCost without_time(Rule const& rule, std::string note) const {
    std::string const name = rule.algorithm ? rule.algorithm->name : rule.name.empty() ? "-" : rule.name;
    RuleCost cost{rules_.name, rule.place, ranks_, rule.from, name};
    cost.note = std::move(note);
    return cost;
  }

  /// The cost of a rule; unset if no placement of ranks on the machine satisfies it.
  std::optional<RuleCost> cost_of(Rule const& rule) {
    if (!rule.asks.empty()) return without_time(rule, "not judged: it asks for " + rule.asks);
    if (rule.within_a_host && ranks_on_hosts_.size() > 1) {
      if (!holds_somewhere(rule)) return std::nullopt;
      RuleCost cost =
          without_time(rule, fmt::format("is for one host, not for {} ranks on {}", ranks_, ranks_on_hosts_.size()));
      cost.misfit = true;
      return cost;
    }
    if (rule.algorithm == nullptr)
      return without_time(rule, rule.name.empty() ? "the library's own decision" : lacking(rule.name));
    if (!rule.algorithm->algorithm) return without_time(rule, lacking(rule.algorithm->name));
    if (!takes(rule.algorithm->ranks, ranks_)) {
      RuleCost cost = without_time(rule, fmt::format("is not for {} ranks", ranks_));
      cost.misfit = true;
      return cost;
    }
    std::optional<RuleCost> worst;
    for (Bytes const block : sizes_) {
      Bytes const size = library_size(block);
      if (!holds_at(rule, size)) continue;
      RuleCost cost = cost_at(rule, block, size);
      if (!worst || cost.ratio() > worst->ratio()) worst = std::move(cost);
    }
    return worst;
  }

  Bytes library_size(Bytes block) const { return collective_.size == MessageSize::all_ranks ? ranks_ * block : block; }
  bool holds_at(Rule const& rule, Bytes size) const {
    return rule.from <= size && size <= rule.to && holds_first(rule, size);
  }
  bool holds_somewhere(Rule const& rule) const {
    return std::any_of(sizes_.begin(), sizes_.end(), [&](Bytes block) { return holds_at(rule, library_size(block)); });
  }

  /// Whether no earlier rule fits as well. Rules that are not judged do not hide others.
  bool holds_first(Rule const& rule, Bytes size) const {
    auto const first = std::find_if(rules_.rules.begin(), rules_.rules.end(), [&](Rule const& each) {
      return fits(each) && each.asks.empty() && each.from <= size && size <= each.to;
    });
    return &*first == &rule;
  }

  /// The times of the rule's algorithm and of the best one at a size.
  RuleCost cost_at(Rule const& rule, Bytes block, Bytes size) {
    std::vector<Simulations::Key> keys;
    for (std::string const& name : names_) keys.emplace_back(name, block.value);
    simulations_.run(keys);
    RuleCost cost{rules_.name, rule.place, ranks_, size, named(rule, block)};
    cost.time = simulations_.time(cost.algorithm, block);
    cost.best_time = cost.time;
    cost.best = cost.algorithm;
    for (std::string const& name : names_) {
      Seconds const time = simulations_.time(name, block);
      if (as_fast(cost.best_time, time, search_.tie)) continue;
      cost.best_time = time;
      cost.best = name;
    }
    return cost;
  }

  /// What the library does under the rule. If the rule says nothing about segments, the library chooses them.
  std::string named(Rule const& rule, Bytes block) {
    if (segments_are_stated_ || !rule.algorithm->segments) {
      return candidate_of(*rule.algorithm, stated_segment(rule), rule.fan).name;
    }
    std::string best;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (offered_[i].first != rule.algorithm) continue;
      if (best.empty() || simulations_.time(names_[i], block) < simulations_.time(best, block)) best = names_[i];
    }
    return best;
  }

  CollectiveRules const& rules_;
  LibraryCollective const& collective_;
  int ranks_;
  SizeSearch search_;
  std::vector<Bytes> sizes_;
  bool segments_are_stated_;
  std::map<int, int> ranks_on_hosts_;
  std::vector<std::pair<LibraryAlgorithm const*, Bytes>> offered_;
  std::vector<std::string> names_;
  Simulations simulations_;
};

}  // namespace

std::vector<RuleCost> check_rules(Rules const& rules, CheckRulesOptions const& options) {
  std::vector<RuleCost> costs;
  for (CollectiveRules const& each : rules.collectives) {
    if (each.collective == nullptr) {
      costs.push_back({each.name, "", 0, Bytes(0), "-", "Rondo does not have it"});
      continue;
    }
    for (int const ranks : options.ranks) {
      options.tuning.say(fmt::format("{} on {} ranks", each.name, ranks));
      std::vector<RuleCost> some = Costs(each, rules.format, ranks, options).all();
      costs.insert(costs.end(), some.begin(), some.end());
    }
  }
  return costs;
}

std::string costs_table(std::vector<RuleCost> const& costs) {
  Cells cells{{"collective", "ranks", "size", "algorithm", "time", "best", "its time", "ratio"}};
  for (RuleCost const& each : costs) {
    std::string const ranks = each.ranks == 0 ? "-" : std::to_string(each.ranks);
    if (each.best.empty()) {
      cells.push_back({each.collective, ranks, print(each.size), each.algorithm, "-", each.note, "-", "-"});
    } else {
      cells.push_back({each.collective, ranks, print(each.size), each.algorithm, shown(each.time.value), each.best,
                       shown(each.best_time.value), fmt::format("{:.2f}", each.ratio())});
    }
  }
  return text_table(cells);
}

}  // namespace rondo
