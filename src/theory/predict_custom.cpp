// The bounds for schedules that Rondo did not generate: those of the collective that they promise.

#include <algorithm>
#include <set>
#include <type_traits>
#include <variant>
#include <vector>

#include "theory/predict.hpp"
#include "theory/spreading.hpp"

namespace rondo::theory {
namespace {

/// Selects an algorithm of the link class for which bounds are asked. Nothing else of the algorithm matters.
Prediction of_link_class(problem::Isomorphic problem, bool unit_links, MachineCost const& cost) {
  using enum problem::IsomorphicAlgorithm;
  problem.algorithm = unit_links ? dimension_wise : straightforward;
  problem.ports = cost.ports;
  return predict(problem, cost);
}
Prediction of_link_class(problem::Intergroup problem, bool /*unit_links*/, MachineCost const& cost) {
  problem.algorithm = problem::IntergroupAlgorithm::group_allgather;
  return predict(problem, cost);
}
Prediction of_link_class(auto const& problem, bool /*unit_links*/, MachineCost const& cost) {
  return predict(problem, cost);
}

/// What a rank must at least receive, for a promise that is written out slot by slot.
struct Needs {
  std::int64_t received = 0;    ///< blocks that it must receive
  std::set<std::int32_t> from;  ///< the other ranks whose contributions it must receive
};

/// Whether every block lies at its own rank at the start, and only there.
bool held_by_their_ranks(StatedPromise const& promise) {
  for (std::size_t r = 0; r < promise.held.size(); ++r) {
    for (Content const& each : promise.held[r]) {
      if (each.origin.value != static_cast<std::int32_t>(r)) return false;
    }
  }
  return true;
}

/// A block that is owed unchanged must arrive, unless the rank has it. For contributions that are joined under one
/// number, something must arrive if others contribute; it may be one of those blocks.
Needs needs_of(StatedPromise const& promise, std::size_t rank) {
  std::set<Content> const held(promise.held[rank].begin(), promise.held[rank].end());
  std::set<Content> whole;
  std::set<std::uint32_t> joined;
  Needs needs;
  for (Owed const& owed : promise.owed[rank]) {
    bool others = false;
    for (std::size_t i = 0; i < owed.contributions(); ++i) {
      Content const each = owed.contribution(i);
      if (held.contains(each)) continue;
      others = true;
      needs.from.insert(each.origin.value);
      if (owed.contributions() == 1) whole.insert(each);
    }
    if (others && owed.contributions() > 1) joined.insert(owed.block.value);
  }
  for (Content const& each : whole) joined.erase(each.block.value);
  needs.received = std::ssize(whole) + std::ssize(joined);
  return needs;
}

/// A rank has to receive what it is owed and does not hold.
Figures bound_of(StatedPromise const& promise, Bytes block, MachineCost const& cost) {
  std::int64_t total = 0, most = 0, rounds = 0;
  bool const held_by_owners = held_by_their_ranks(promise);
  for (std::size_t r = 0; r < promise.owed.size(); ++r) {
    Needs const needs = needs_of(promise, r);
    total += needs.received;
    most = std::max(most, needs.received);
    std::int64_t const least_rounds = held_by_owners ? rounds_to_reach(std::ssize(needs.from), cost.ports) : 0;
    rounds = std::max(rounds, std::max<std::int64_t>(least_rounds, needs.received > 0 ? 1 : 0));
  }
  auto const p = static_cast<std::int64_t>(promise.owed.size());
  Figures figures;
  figures.rounds = rounds;
  figures.received_blocks = static_cast<double>(most);
  figures.total_blocks = static_cast<double>(total);
  // Some rank sends at least the average.
  figures.volume_blocks = static_cast<double>(total) / static_cast<double>(p);
  double const startups = static_cast<double>(rounds) * cost.cheapest.alpha.value;
  double const bytes = static_cast<double>((most * block).value) / cost.ports / cost.cheapest.bandwidth.value;
  set_time(figures, time_bound_of(startups, (rounds > 0 ? cost.cheapest.alpha.value : 0) + bytes));
  return figures;
}

/// Removes the bound by a chain of whole blocks: a block that is cut can be passed on before it has arrived completely.
void forget_chain(Figures& bound, Bytes block, MachineCost const& cost) {
  if (!bound.time_s) return;
  if (!bound.volume_blocks) return bound.forget_time();
  double const bytes = *bound.volume_blocks * static_cast<double>(block.value);
  double const first = *bound.volume_blocks > 0 ? cost.cheapest.alpha.value : 0;
  set_time(bound, time_bound_of(0, first + bytes / cost.ports / cost.cheapest.bandwidth.value));
}

bool is_cut(std::vector<int> const& pieces) {
  return std::any_of(pieces.begin(), pieces.end(), [](int each) { return each > 1; });
}

}  // namespace

/// The bounds of the collective that the promise names.
Prediction bounds(problem::Promise const& promise, bool unit_links, MachineCost const& cost) {
  Prediction prediction;
  if (auto const* stated = std::get_if<StatedPromise>(&promise.of)) {
    prediction.bound = bound_of(*stated, promise.block, cost);
    return prediction;
  }
  prediction = std::visit(
      [&](auto const& of) {
        if constexpr (std::is_same_v<std::decay_t<decltype(of)>, StatedPromise>) {
          return Prediction{};
        } else {
          return of_link_class(of, unit_links, cost);
        }
      },
      promise.of);
  // The bounds of these two do not consider chains of whole blocks.
  bool const follows_blocks = !std::holds_alternative<problem::Classical>(promise.of) &&
                              !std::holds_alternative<problem::Intergroup>(promise.of);
  if (follows_blocks && is_cut(promise.pieces)) forget_chain(prediction.bound, promise.block, cost);
  // This bound is for schedules with the rounds of the algorithm that was selected above.
  prediction.volume_in_rounds.reset();
  prediction.theory = {};
  prediction.exact = false;
  prediction.accounted.reset();
  return prediction;
}

Prediction predict(problem::Custom const& problem, MachineCost const& cost) {
  return problem.promise ? bounds(*problem.promise, false, cost) : Prediction{};
}

Prediction predict(problem::Workload const& /*problem*/, MachineCost const& /*cost*/) { return {{}, {}, std::nullopt}; }

}  // namespace rondo::theory
