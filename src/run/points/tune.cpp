// Decides the best algorithms of one problem: engines, algorithms, ranges, cut-offs, confirmation by SMPI, robustness.

#include "run/points/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "run/points/compare.hpp"
#include "run/points/composition_search.hpp"
#include "run/points/robust.hpp"
#include "run/points/tune_program.hpp"
#include "scenario/custom.hpp"

namespace rondo {
namespace {

using scenario::Engine;
using scenario::Json;

/// The algorithms that were asked for; each must be one of the collective's.
std::vector<std::string> to_try(Json const& collective, TuneOptions const& options) {
  std::string const kind = collective["kind"].get<std::string>();
  std::vector<std::string> known = scenario::algorithm_names(known_value<problem::Kind>(kind), collective);
  for (std::string const& word : options.algorithms) {
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    throw InputError(fmt::format("--algorithms: expected some of {} for {}, got \"{}\"{}", listed(known, ", "), kind,
                                 excerpt(word), did_you_mean(word, known)));
  }
  if (!options.algorithms.empty()) return options.algorithms;
  // Making a forest takes seconds for each size.
  std::erase(known, enum_name(problem::ClassicalAlgorithm("forest")));
  return known;
}

/// Throws if no argument of a program contains the size of blocks, because all sizes would be the same then.
void expect_block_in_use(scenario::Point const& point, std::string const& file) {
  if (!is_fixed_program(point, file)) return;
  throw InputError(fmt::format("{}: /collective/arguments: expected {{block}} in one, whose size is searched", file));
}

/// The decisions for one problem of a job.
class Tuning {
 public:
  Tuning(Job const& job, scenario::Point const& point, TuneOptions const& options)
      : file_(job.file), document_(point.expanded), options_(options) {
    scenario::Scenario const parsed = scenario::parse(point, file_);
    expect_block_in_use(point, file_);
    result_.scenario = file_;
    result_.title = parsed.title;
    result_.collective = enum_name(kind(parsed.problem));
    result_.version = version();
    result_.p = ranks(parsed.problem);
    result_.machine = document_["machine"];
    result_.problem = document_["collective"];
    result_.sizes = options.sizes;
    result_.by = options.points.by;
    result_.replications = parsed.replications;
    may_compose_ = has_compositions(parsed);
    for (auto const& axis : point.axes) {
      if (axis.first != "/algorithm" && axis.first != "/block" && axis.first != "/engine") result_.axes.push_back(axis);
    }
  }

  /// All steps in their order. The result is moved out at the end.
  Decisions decide() {
    choose_engines();
    choose_algorithms();
    Simulations search = simulations(result_.engine, Proof::off);
    if (composes_) {
      CompositionSearch compositions(document_, file_, options_, search);
      compositions.search(result_);
      prove_compositions();
    }
    if (result_.algorithms.empty()) refuse_all();
    auto const time = [&](std::size_t i, Bytes size) { return search.time(result_.algorithms[i], size); };
    auto const due = [&](std::vector<Bytes> const& sizes) { scan(search, sizes); };
    add_ranges(best_ranges(result_.sizes, result_.algorithms.size(), time, due), search);
    if (confirms_) confirm();
    if (options_.robust) try_moves();
    if (options_.interval) result_.undecided = undecided(result_, *options_.interval, search);
    return std::move(result_);
  }

 private:
  /// The simulations of all algorithms on one engine.
  Simulations simulations(Engine engine, Proof proof) const { return simulations(engine, proof, document_); }
  Simulations simulations(Engine engine, Proof proof, Json const& document) const {
    PointOptions points = options_.points;
    points.proof = proof;
    std::vector<Candidate> candidates;
    for (std::string const& word : flat_) candidates.push_back({word, word});
    for (auto const& [name, problem] : result_.compositions) candidates.push_back(candidate_of(name, problem));
    return {on_engine(document, engine), file_, candidates, points, options_.jobs, options_.watch};
  }

  /// The native engine searches if it accepts the problem, and SMPI confirms if it does; the reasons are noted.
  void choose_engines() {
    if (options_.engine) {
      result_.engine = *options_.engine;
      result_.engine_because = "as --engine says";
      if (std::string const why = refusal(document_, file_, result_.engine); !why.empty()) throw InputError(why);
    } else if (std::string const why = refusal(document_, file_, Engine::native); !why.empty()) {
      result_.engine = Engine::smpi;
      result_.engine_because = why;
    } else {
      result_.engine_because = refusal(document_, file_, Engine::smpi);
      confirms_ = result_.engine_because.empty();
    }
    // SMPI's times agree with theory within this tolerance, native ones within the precision of a double.
    if (result_.engine == Engine::smpi) result_.sizes.tie = time_tolerance;
  }

  /// The algorithms to compare. Those that fail at the smallest size are left out, with their errors.
  void choose_algorithms() {
    flat_ = to_try(result_.problem, options_);
    // A stated hierarchy is used as it is; without one, compositions are searched if ranks share hosts.
    if (!result_.problem.contains("hierarchy")) {
      bool const asked = std::erase(flat_, enum_name(problem::ClassicalAlgorithm("hierarchical"))) > 0;
      composes_ = asked && may_compose_;
      if (asked && !may_compose_ && !options_.algorithms.empty()) {
        throw InputError(
            "--algorithms: expected algorithms other than hierarchical where the scenario states no "
            "/collective/hierarchy and does not have several hosts of several ranks");
      }
    }
    Simulations first = simulations(result_.engine, options_.points.proof);
    for (std::string const& word : flat_) {
      std::string const why = why_not(word, first);
      if (why.empty()) {
        result_.algorithms.push_back(word);
      } else if (options_.algorithms.empty()) {
        result_.left_out.push_back({word, why});
      } else {
        throw InputError(fmt::format("--algorithms: {}: {}", word, why));
      }
    }
  }

  [[noreturn]] void refuse_all() const {
    LeftOut const& last = result_.left_out.back();
    throw TuneFailure(fmt::format("{}: no algorithm applies; {}: {}", file_, last.algorithm, last.why));
  }

  /// Proves the chosen compositions at the smallest size, as the other algorithms.
  void prove_compositions() {
    Simulations first = simulations(result_.engine, options_.points.proof);
    for (auto const& [name, problem] : result_.compositions) {
      if (auto const& error = first.at(name, options_.sizes.from).error) {
        throw TuneFailure(fmt::format("{}: {}: {}", file_, composition_text(problem), *error));
      }
    }
  }

  /// The error of an algorithm at the smallest size; empty if it has none.
  std::string why_not(std::string const& algorithm, Simulations& first) const {
    try {
      return first.at(algorithm, options_.sizes.from).error.value_or("");
    } catch (InputError const& refused) {
      return refused.what();
    }
  }

  /// Simulates all algorithms at these sizes, so that later questions are answered from memory.
  void scan(Simulations& search, std::vector<Bytes> const& sizes) const {
    options_.say(fmt::format("{}: {} algorithms at {} sizes on engine {}", file_, result_.algorithms.size(),
                             sizes.size(), scenario::to_string(result_.engine)));
    std::vector<Simulations::Key> keys;
    for (std::string const& algorithm : result_.algorithms) {
      for (Bytes const size : sizes) keys.emplace_back(algorithm, size.value);
    }
    try {
      search.run(keys);
    } catch (InputError const& refused) {
      throw InputError(fmt::format("{}; --from {} and --to {} say which blocks are looked at", refused.what(),
                                   print(result_.sizes.from), print(result_.sizes.to)));
    }
  }

  /// Whether both are equally fast at both ends of the range, and at each examined size in between.
  bool are_as_fast(Choice const& choice, std::string const& other, Simulations& search) const {
    std::vector<Bytes> sizes = grid(result_.sizes);
    std::erase_if(sizes, [&](Bytes size) { return size < choice.from || size > choice.to; });
    sizes.insert(sizes.end(), {choice.from, choice.to});
    return std::all_of(sizes.begin(), sizes.end(), [&](Bytes size) {
      return as_fast(search.time(other, size), search.time(choice.algorithm, size), result_.sizes.tie);
    });
  }

  /// Stores ranges with times, bounds and equal algorithms at both ends.
  void add_ranges(std::vector<BestRange> const& ranges, Simulations& search) {
    for (BestRange const& range : ranges) {
      std::string const& word = result_.algorithms[range.algorithm];
      Choice choice{range.from, range.to, word, search.time(word, range.from), search.time(word, range.to)};
      choice.bound_at_from = search.bound(range.from);
      choice.bound_at_to = search.bound(range.to);
      for (std::string const& other : result_.algorithms) {
        if (other != word && are_as_fast(choice, other, search)) choice.as_fast.push_back(other);
      }
      if (composes_) {
        choice.flat_at_from = best_flat(choice.from, search);
        choice.flat_at_to = best_flat(choice.to, search);
      }
      if (!result_.choices.empty()) add_cut_off(result_.choices.back(), choice, range, search);
      result_.choices.push_back(std::move(choice));
    }
  }

  /// The best algorithm that is no composition, to show what composing gains.
  std::optional<BestFlat> best_flat(Bytes size, Simulations& search) const {
    std::vector<Simulations::Key> keys;
    for (std::string const& word : result_.algorithms) {
      if (!is_composition(word)) keys.emplace_back(word, size.value);
    }
    search.run(keys);
    std::optional<BestFlat> best;
    for (auto const& [word, bytes] : keys) {
      Seconds const time = search.time(word, size);
      if (!best || time < best->time) best = {word, time};
    }
    return best;
  }
  bool is_composition(std::string const& word) const {
    return std::any_of(result_.compositions.begin(), result_.compositions.end(),
                       [&](NamedComposition const& each) { return each.name == word; });
  }

  void add_cut_off(Choice const& below, Choice const& above, BestRange const& range, Simulations& search) {
    CutOff cut{below.to, below.algorithm, above.algorithm, {}, {}};
    cut.crossings = range.crossings;
    cut.cross_from = range.cross_from;
    cut.cross_to = range.cross_to;
    cut.at_last = {below.time_at_to, search.time(cut.above, below.to)};
    cut.behind = {search.time(cut.below, above.from), above.time_at_from};
    result_.cut_offs.push_back(std::move(cut));
  }

  /// Asks SMPI about the two sides of each cut-off.
  void confirm() {
    std::vector<CutOff*> asked;
    for (CutOff& cut : result_.cut_offs) {
      if (cut.crossings == 1) asked.push_back(&cut);
    }
    if (asked.empty()) return;
    options_.say(fmt::format("{}: {} on engine smpi", file_, counted(asked.size(), "cut-off")));
    Simulations smpi = simulations(Engine::smpi, Proof::off);
    std::vector<Simulations::Key> keys;
    for (CutOff const* cut : asked) {
      for (std::int64_t const size : {cut->last.value, cut->last.value + 1}) {
        keys.emplace_back(cut->below, size);
        keys.emplace_back(cut->above, size);
      }
    }
    smpi.run(keys);
    for (CutOff* cut : asked) judge(*cut, smpi);
  }

  /// Makes the choices once more on moved machines.
  void try_moves() {
    std::string const option = file_ + ": --robust";
    auto const seed = document_.value("seed", std::uint64_t{1});
    std::vector<MachineMove> const moves =
        at_place(option, [&] { return rondo::moves_of({document_["machine"]}, *options_.robust, seed); });
    std::vector<Simulations::Key> keys;
    for (Choice& choice : result_.choices) {
      double const middle = std::sqrt(static_cast<double>(choice.from.value) * static_cast<double>(choice.to.value));
      choice.robustness = Robustness{Bytes(std::llround(middle)), moves.size()};
      for (std::string const& word : result_.algorithms) keys.emplace_back(word, choice.robustness->at.value);
    }
    options_.say(fmt::format("{}: {} ranges on {} moved machines", file_, result_.choices.size(), moves.size()));
    for (MachineMove const& by : moves) {
      Json document = document_;
      move(document["machine"], by);
      Simulations moved = simulations(result_.engine, Proof::off, document);
      at_place(option, [&] { moved.run(keys); });
      for (Choice& choice : result_.choices) note_turn(choice, by, moved);
    }
  }

  /// Notes if a moved machine makes another algorithm faster by more than the tolerance.
  void note_turn(Choice& choice, MachineMove const& by, Simulations& moved) const {
    Bytes const size = choice.robustness->at;
    auto const time = [&](std::string const& word) { return moved.time(word, size); };
    std::string const best =
        *std::ranges::min_element(result_.algorithms, {}, [&](auto& word) { return time(word).value; });
    Seconds const own = time(choice.algorithm);
    if (own == Seconds(0)) return;
    double const gain = 1 - time(best).value / own.value;
    if (gain > result_.sizes.tolerance) choice.robustness->turns.push_back({by.text, best, gain});
  }

  /// Confirms a cut-off: at its last size the algorithm below is no slower, at the next size the one above.
  static void judge(CutOff& cut, Simulations& smpi) {
    try {
      Bytes const next(cut.last.value + 1);
      cut.smpi_at_last = {smpi.time(cut.below, cut.last), smpi.time(cut.above, cut.last)};
      cut.smpi_behind = {smpi.time(cut.below, next), smpi.time(cut.above, next)};
      cut.confirmed = as_fast(cut.smpi_at_last->below, cut.smpi_at_last->above, time_tolerance) &&
                      as_fast(cut.smpi_behind->above, cut.smpi_behind->below, time_tolerance);
    } catch (TuneFailure const& failure) {
      cut.confirmed = false;
      cut.error = failure.what();
    }
  }

  std::string file_;
  Json document_;
  TuneOptions const& options_;
  bool confirms_ = false;
  std::vector<std::string> flat_ = {};  ///< the algorithms to try
  bool may_compose_ = false, composes_ = false;
  Decisions result_ = {};
};

}  // namespace

/// How many times the lower bound a range takes at most; unset without a bound.
std::optional<double> Choice::gap() const {
  std::optional<double> largest;
  for (auto const& [time, bound] : {std::pair(time_at_from, bound_at_from), {time_at_to, bound_at_to}}) {
    if (!bound || *bound == Seconds(0)) continue;
    largest = std::max(largest.value_or(0), time.value / bound->value);
  }
  return largest;
}

bool Decisions::confirmed() const {
  return std::all_of(cut_offs.begin(), cut_offs.end(),
                     [](CutOff const& each) { return each.confirmed.value_or(true); });
}

namespace {

/// The points of each problem, as indices into the sweep, in the order of their first points.
std::vector<std::vector<std::size_t>> points_of_problems(Job const& job) {
  std::map<std::string, std::size_t> known;
  std::vector<std::vector<std::size_t>> problems;
  for (std::size_t i = 0; i < job.sweep.size(); ++i) {
    Json problem = job.sweep[i].expanded;
    for (char const* key : {"algorithm", "block", "engine"}) problem.erase(key);
    auto const [place, is_new] = known.emplace(problem.dump(), problems.size());
    if (is_new) problems.emplace_back();
    problems[place->second].push_back(i);
  }
  return problems;
}

}  // namespace

std::vector<scenario::Point> problems_of(Job const& job) {
  std::vector<scenario::Point> points;
  for (auto const& problem : points_of_problems(job)) points.push_back(job.sweep[problem.front()]);
  return points;
}

namespace {

/// The numbers, counted from 0, of the problems in the part.
std::vector<std::size_t> numbers_in(std::vector<std::vector<std::size_t>> const& problems, Part const& part) {
  std::vector<std::size_t> numbers(problems.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  if (part.shard) numbers = in_part(numbers, part);
  if (!part.numbers.empty()) std::erase_if(numbers, [&](std::size_t i) { return in_part(problems[i], part).empty(); });
  return numbers;
}

}  // namespace

std::vector<scenario::Point> problems_in(Job const& job, Part const& part) {
  std::vector<std::vector<std::size_t>> const problems = points_of_problems(job);
  std::vector<scenario::Point> points;
  for (std::size_t const i : numbers_in(problems, part)) points.push_back(job.sweep[problems[i].front()]);
  return points;
}

/// Decides each problem of a job. Points that differ only in algorithm and block are one problem.
std::vector<Decisions> tune(Job const& job, TuneOptions const& options) {
  std::vector<std::vector<std::size_t>> const problems = points_of_problems(job);
  std::vector<Decisions> all;
  for (std::size_t const i : numbers_in(problems, options.part)) {
    all.push_back(Tuning(job, job.sweep[problems[i].front()], options).decide());
    all.back().number = i + 1;
    all.back().of = problems.size();
  }
  return all;
}

}  // namespace rondo
