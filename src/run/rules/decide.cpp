// Decides rules for a library: for each number of ranks the best algorithms by size, among all of the library's and
// among those for any number of ranks. Rules for numbers in between use only the second kind.

#include "run/rules/decide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "scenario/scenario.hpp"

namespace rondo {
namespace {

using scenario::Json;
using Offered = std::vector<std::pair<LibraryAlgorithm const*, Bytes>>;

/// The relative resolution of a change between algorithms; their times hardly differ so near to the change.
constexpr double resolution = 0.01;

/// The decisions for one number of ranks: with all algorithms, and with those that accept any number.
struct RankDecisions {
  std::vector<Rule> exact, general;
};

/// The library's size of a message whose block has `block` bytes.
Bytes message(LibraryCollective const& collective, int ranks, Bytes block) {
  return collective.size == MessageSize::all_ranks ? ranks * block : block;
}

/// The decisions for one collective and one number of ranks.
class RuleSearch {
 public:
  RuleSearch(LibraryCollective const& collective, scenario::Point const& point, std::string const& file,
             DecideOptions const& options)
      : collective_(collective),
        ranks_(ranks(scenario::parse(point, file).problem)),
        search_(options.tuning.sizes),
        offered_(offered(collective, ranks_, options.segments)),
        simulations_(for_candidates(point.expanded, file, options.tuning), file, candidates(), points(options),
                     options.tuning.jobs, options.tuning.watch) {}

  RankDecisions decide() {
    search_.resolution = resolution;
    run(sizes_of(collective_, search_));
    std::vector<std::size_t> all, general;
    for (std::size_t i = 0; i < offered_.size(); ++i) {
      all.push_back(i);
      if (offered_[i].first->ranks == RanksTaken::any) general.push_back(i);
    }
    RankDecisions decided{best_of(all), {}};
    decided.general = general.size() == all.size() ? decided.exact : best_of(general);
    return decided;
  }

  int ranks_taken() const { return ranks_; }

 private:
  static PointOptions points(DecideOptions const& options) {
    PointOptions points = options.tuning.points;
    if (points.proof == Proof::automatic) points.proof = Proof::off;
    return points;
  }

  std::vector<Candidate> candidates() {
    std::vector<Candidate> result;
    for (auto const& [algorithm, segment] : offered_) {
      result.push_back(candidate_of(*algorithm, segment));
      names_.push_back(result.back().name);
    }
    return result;
  }

  void run(std::vector<Bytes> const& sizes) {
    std::vector<Simulations::Key> keys;
    for (std::string const& name : names_) {
      for (Bytes const size : sizes) keys.emplace_back(name, size.value);
    }
    simulations_.run(keys);
  }

  Rule rule(std::size_t i, Bytes from) const {
    auto const& [algorithm, segment] = offered_[i];
    return {0, any_ranks, from, any_size, algorithm, segment};
  }

  /// The rules for the best of these algorithms. If the library does not know the size, one algorithm must serve all
  /// sizes.
  std::vector<Rule> best_of(std::vector<std::size_t> const& among) {
    if (collective_.size == MessageSize::unknown) return {rule(best_for_all_sizes(among), Bytes(0))};
    auto const time = [&](std::size_t i, Bytes size) { return simulations_.time(names_[among[i]], size); };
    // All these sizes are requested together, so that several run at the same time.
    auto const due = [&](std::vector<Bytes> const& sizes) { run(sizes); };
    std::vector<Rule> rules;
    for (BestRange const& range : best_ranges(search_, among.size(), time, due)) {
      Bytes const first = rules.empty() ? Bytes(0) : message(collective_, ranks_, range.from);
      if (!rules.empty()) rules.back().to = Bytes(first.value - 1);
      rules.push_back(rule(among[range.algorithm], first));
    }
    return rules;
  }

  /// The algorithm with the least geometric mean of times.
  std::size_t best_for_all_sizes(std::vector<std::size_t> const& among) {
    std::map<double, std::size_t, std::greater<>> by_logarithms;
    for (std::size_t const i : among) {
      double sum = 0;
      for (Bytes const size : sizes_of(collective_, search_)) sum -= std::log(simulations_.time(names_[i], size).value);
      by_logarithms.emplace(sum, i);
    }
    return by_logarithms.begin()->second;
  }

  LibraryCollective const& collective_;
  int ranks_;
  SizeSearch search_;
  Offered offered_;
  std::vector<std::string> names_;
  Simulations simulations_;
};

bool same_decision(Rule const& one, Rule const& other) {
  return one.from == other.from && one.algorithm == other.algorithm && one.segment == other.segment;
}

/// The rules for successive numbers of ranks; equal ones are joined.
class MergedRules {
 public:
  /// Adds rules for a range of ranks; a range with the same decisions extends the one before it.
  void add(int from, int to, std::vector<Rule> const& rules) {
    if (from > to) return;
    bool const same = std::equal(last_.begin(), last_.end(), rules.begin(), rules.end(), same_decision);
    if (!same) {
      put();
      from_ = from;
      last_ = rules;
    }
    to_ = to;
  }

  std::vector<Rule> all() {
    put();
    return std::move(rules_);
  }

 private:
  void put() {
    for (Rule rule : last_) {
      rule.from_ranks = from_;
      rule.to_ranks = to_;
      rules_.push_back(std::move(rule));
    }
    last_.clear();
  }

  int from_ = 0, to_ = 0;
  std::vector<Rule> last_, rules_;
};

/// Rules for all numbers of ranks: exact ones for simulated numbers, general ones between them.
std::vector<Rule> joined(std::map<int, RankDecisions> const& decided) {
  MergedRules rules;
  rules.add(0, decided.begin()->first - 1, decided.begin()->second.general);
  for (auto decision = decided.begin(); decision != decided.end(); ++decision) {
    rules.add(decision->first, decision->first, decision->second.exact);
    auto const next = std::next(decision);
    rules.add(decision->first + 1, next == decided.end() ? any_ranks : next->first - 1, decision->second.general);
  }
  return rules.all();
}

/// Rules for the simulated numbers of ranks alone, as NCCL's format has them.
std::vector<Rule> stated_alone(std::map<int, RankDecisions> const& decided) {
  std::vector<Rule> rules;
  for (auto const& [ranks, decisions] : decided) {
    for (Rule rule : decisions.exact) {
      rule.from_ranks = rule.to_ranks = ranks;
      rules.push_back(std::move(rule));
    }
  }
  return rules;
}

std::vector<std::string> kinds_of(RulesFormat format) {
  std::vector<std::string> kinds;
  for (LibraryCollective const& each : collectives_of(format)) {
    std::string const kind = enum_name(problem::kind_of(each.collective));
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

/// By collective of the library, in its order, and by ranks.
using AllDecided = std::map<LibraryCollective const*, std::map<int, RankDecisions>>;

/// Returns false if the library has no such collective.
bool decide_point(AllDecided& all, scenario::Point const& point, std::string const& file,
                  DecideOptions const& options) {
  auto const kind = known_value<problem::Kind>(point.expanded["collective"]["kind"].get<std::string>());
  bool found = false;
  for (LibraryCollective const& each : collectives_of(options.format)) {
    if (problem::kind_of(each.collective) != kind) continue;
    RuleSearch deciding(each, point, file, options);
    int const ranks = deciding.ranks_taken();
    if (all[&each].contains(ranks)) {
      throw InputError(
          fmt::format("{}: /collective: expected each collective and number of ranks once, got {} on {} ranks twice",
                      file, enum_name(kind), ranks));
    }
    options.tuning.say(fmt::format("{}: {} on {} ranks", file, each.name, ranks));
    all[&each][ranks] = deciding.decide();
    found = true;
  }
  return found;
}

void decide_job(AllDecided& all, Job const& job, DecideOptions const& options) {
  bool decided = false;
  std::vector<scenario::Point> const points = problems_of(job);
  for (scenario::Point const& point : points) decided = decide_point(all, point, job.file, options) || decided;
  if (decided) return;
  throw InputError(fmt::format("{}: /collective/kind: expected one of {} for --format {}, got {}", job.file,
                               listed(kinds_of(options.format), ", "), enum_name(options.format),
                               points.front().expanded["collective"]["kind"].get<std::string>()));
}

}  // namespace

/// The library's algorithm as a candidate of the search: its distances, fan and segments become members of /collective.
Candidate candidate_of(LibraryAlgorithm const& algorithm, Bytes segment, int fan) {
  Candidate candidate{algorithm.name, enum_name(algorithm.algorithm.value())};
  if (algorithm.distances != problem::Distances::falling)
    candidate.options["distances"] = enum_name(algorithm.distances);
  if (algorithm.fan > 0) candidate.options["radix"] = fan > 0 ? fan : algorithm.fan;
  if (fan > 0 && fan != algorithm.fan) candidate.name += fmt::format(" with fan {}", fan);
  if (segment > Bytes(0)) {
    candidate.options["segment"] = print(segment);
    candidate.name += " in segments of " + print(segment);
  }
  return candidate;
}

/// The algorithms that run on so many ranks, with each segment size.
Offered offered(LibraryCollective const& collective, int ranks, std::vector<Bytes> const& segments) {
  Offered result;
  for (LibraryAlgorithm const& each : collective.algorithms) {
    if (!each.algorithm || !takes(each.ranks, ranks)) continue;
    result.emplace_back(&each, Bytes(0));
    if (!each.segments) continue;
    for (Bytes const segment : segments) result.emplace_back(&each, segment);
  }
  return result;
}

std::vector<Bytes> sizes_of(LibraryCollective const& collective, SizeSearch const& search) {
  if (collective.collective == ClassicalCollective::barrier) return {Bytes(0)};
  return grid(search);
}

/// The document without options that candidates set, on the engine that accepts it.
Json for_candidates(Json document, std::string const& file, TuneOptions const& options) {
  for (char const* key : {"segment", "radix", "distances", "children", "group_size", "extents"})
    document["collective"].erase(key);
  if (options.engine) return on_engine(std::move(document), *options.engine);
  bool const native = refusal(document, file, scenario::Engine::native).empty();
  return on_engine(std::move(document), native ? scenario::Engine::native : scenario::Engine::smpi);
}

Rules decide_rules(std::vector<Job> const& jobs, DecideOptions const& options) {
  AllDecided all;
  for (Job const& job : jobs) decide_job(all, job, options);
  Rules rules{options.format, {}};
  bool const one_rule_each = options.format == RulesFormat::nccl;
  for (LibraryCollective const& each : collectives_of(options.format)) {
    auto const decided = all.find(&each);
    if (decided == all.end()) continue;
    rules.collectives.push_back(
        {each.name, &each, one_rule_each ? stated_alone(decided->second) : joined(decided->second)});
  }
  return rules;
}

}  // namespace rondo
