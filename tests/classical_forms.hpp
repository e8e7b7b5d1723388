#pragma once

// Every algorithm of the collectives on all ranks in each of its forms, for the tests of several layers.

#include <string>
#include <vector>

#include "base/error.hpp"
#include "problem/classical.hpp"

namespace rondo::test {

/// The problem in words: "bcast binomial of 12 ranks, root 3, 100B, ...".
inline std::string name_of(problem::Classical const& problem) {
  return enum_name(kind_of(problem)) + " " + enum_name(problem.algorithm) + " of " + std::to_string(problem.ranks) +
         " ranks, root " + std::to_string(problem.root) + ", " + print(problem.sizes.block) + ", radix " +
         std::to_string(problem.radix) + ", segment " + print(problem.segment) + ", " + enum_name(problem.distances) +
         (problem.extents.empty() ? "" : ", torus of " + std::to_string(problem.extents.front()) + " x ...") +
         (problem.group_size == 0 ? "" : ", groups of " + std::to_string(problem.group_size)) +
         (problem.commutative ? "" : ", in rank order");
}

inline bool knows_its_ranks(problem::Classical const& problem) {
  try {
    expect_ranks_fit(problem);
    return true;
  } catch (InputError const&) {
    return false;
  }
}

/// Whether a reduce or a reduce-scatter joins contributions in the order of their ranks: recursive doubling does, and a
/// tree whose subtrees are runs of ranks, if a node joins those beside its own first. Bine trees hand on far ones
/// first, but where all children send in the same round, as they send segments.
/// Classical.only_what_keeps_the_order_of_ranks_is_delivered_in_it asks the proof. Which algorithms of an allreduce do
/// has tests of its own.
inline bool keeps_order(problem::Classical const& problem) {
  auto const algorithm = problem.algorithm;
  if (problem.collective == ClassicalCollective::reduce_scatter) {
    return algorithm == "recursive_doubling" || algorithm == "butterfly" || algorithm == "noncommutative" ||
           algorithm == "nonoverlapping" || algorithm == "linear";
  }
  if (problem.collective != ClassicalCollective::reduce) return true;
  bool const falling = problem.distances == problem::Distances::falling;
  bool const in_segments = problem.segment > Bytes(0) && problem.segment < problem.sizes.block;
  bool const at_once = in_segments || problem.children == problem::Children::at_once;
  if (algorithm == "bine") return falling && at_once;
  return algorithm != "binary" && (algorithm != "binomial" || falling);
}

/// The problem, and the same with other values of the options that its algorithm looks at.
inline std::vector<problem::Classical> with_options(problem::Classical const& problem) {
  std::vector<problem::Classical> forms{problem};
  auto const add = [&](auto const& change) {
    problem::Classical form = problem;
    change(form);
    forms.push_back(form);
  };
  auto const algorithm = problem.algorithm;
  if (has_root(problem.collective)) add([](auto& form) { form.root = form.ranks / 3; });
  if (algorithm == "binomial" || algorithm == "bine" || algorithm == "bine_block_by_block")
    add([](auto& form) { form.distances = problem::Distances::rising; });
  bool const in_tree = algorithm == "binomial" || algorithm == "knomial" || algorithm == "bine";
  if (in_tree && has_root(problem.collective)) {
    for (problem::Classical form : std::vector(forms)) {
      form.children = problem::Children::at_once;
      forms.push_back(form);
    }
  }
  if (algorithm == "knomial" || algorithm == "chain" || algorithm == "bruck" || algorithm == "spread_out") {
    for (int const radix : {2, 3, 5}) add([&](auto& form) { form.radix = radix; });
  }
  if (algorithm == "linear_nb" || (algorithm == "linear_sync" && problem.collective == ClassicalCollective::alltoall)) {
    for (int const window : {2, 7}) add([&](auto& form) { form.radix = window; });
  }
  if (algorithm == "recursive_multiplying" || algorithm == "dissemination" || algorithm == "allgather_reduce") {
    for (int const radix : {3, 4}) add([&](auto& form) { form.radix = radix; });
  }
  bool const swings =
      algorithm == "swing" || algorithm == "swing_latency" || algorithm == "bine" || algorithm == "bine_latency";
  bool const power_of_two = (problem.ranks & (problem.ranks - 1)) == 0;
  if (swings && problem.collective == ClassicalCollective::allreduce && power_of_two && problem.ranks >= 4) {
    int const q = problem.ranks / 4;
    for (auto const& extents : {std::vector{2, 2 * q}, std::vector{2 * q, 1, 2}, std::vector{2, q, 2}}) {
      add([&](auto& form) { form.extents = extents; });
    }
  }
  if (works_on_vector(problem.collective)) {
    for (std::int64_t const segment : {1, 5, 40}) {
      if (segment * 100 < problem.sizes.block.value) continue;
      add([&](auto& form) { form.segment = Bytes(segment), form.root = form.ranks - 1; });
    }
  }
  // Which algorithms of an allreduce keep the order of ranks is for the proof to say, and has tests of its own.
  if (!reduces(problem.collective) || problem.collective == ClassicalCollective::allreduce ||
      problem.collective == ClassicalCollective::barrier) {
    return forms;
  }
  std::vector<problem::Classical> const commuting = forms;
  for (problem::Classical form : commuting) {
    form.commutative = false;
    if (keeps_order(form)) forms.push_back(form);
  }
  return forms;
}

/// Every algorithm of a collective on so many ranks, in each of its forms; those that do not know this number of ranks
/// are left out.
inline std::vector<problem::Classical> every_form(ClassicalCollective collective, int ranks, Bytes block) {
  if (collective == ClassicalCollective::barrier) block = Bytes(0);
  std::vector<problem::Classical> forms;
  for (auto const algorithm : problem::classical_algorithms(collective)) {
    problem::Classical problem{collective, ranks, block, algorithm};
    if (algorithm == "locality_bruck") {
      for (int const group : {2, 3, 4, 5, 7, 16}) {
        problem.group_size = group;
        if (knows_its_ranks(problem)) forms.push_back(problem);
      }
      continue;
    }
    if (!knows_its_ranks(problem)) continue;
    for (problem::Classical const& form : with_options(problem)) forms.push_back(form);
  }
  return forms;
}

}  // namespace rondo::test
