#pragma once

// Random hierarchical collectives, for the tests of several layers.

#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "problem/classical.hpp"
#include "problem/composition.hpp"

namespace rondo::test {

inline constexpr ClassicalCollective composed_collectives[] = {
    ClassicalCollective::bcast,     ClassicalCollective::reduce,         ClassicalCollective::allreduce,
    ClassicalCollective::allgather, ClassicalCollective::reduce_scatter, ClassicalCollective::gather,
    ClassicalCollective::scatter,   ClassicalCollective::alltoall,       ClassicalCollective::barrier};

/// Some algorithm for each phase; of `direct` collectives between the outermost groups two phases now and then.
inline problem::PhaseAlgorithms random_algorithms(Random& random, ClassicalCollective collective, bool outermost) {
  problem::PhaseAlgorithms result;
  for (ClassicalCollective const phase : composed_collectives) {
    bool const in_two = outermost && phase == collective && random.below(3) == 0;
    bool const splits = collective != ClassicalCollective::alltoall && collective != ClassicalCollective::gather &&
                        collective != ClassicalCollective::scatter;
    if (in_two && splits) continue;
    auto algorithms = problem::classical_algorithms(phase);
    std::erase(algorithms, problem::ClassicalAlgorithm("hierarchical"));
    std::erase(algorithms, problem::ClassicalAlgorithm("locality_bruck"));
    result.exceptions.emplace_back(phase, algorithms[random.below(algorithms.size())]);
  }
  return result;
}

inline bool fits(problem::Classical const& problem) {
  try {
    expect_ranks_fit(problem);
    return true;
  } catch (InputError const&) {
    return false;
  }
}

/// Several rings, of hosts wherever ranks lie, where the collective may have them.
inline void maybe_several_rings(Random& random, problem::Classical& problem) {
  if (!problem::has_rings(problem.collective) || problem.hierarchy.sizes.size() > 1 || random.below(3) != 0) return;
  problem.rings = static_cast<int>(random.between(2, 5));
  auto const hosts = random.between(1, 6);
  for (int r = 0; r < problem.ranks; ++r) problem.host_of.push_back(static_cast<int>(random.between(0, hosts)));
}

/// Any ranks up to `most`, uneven groups of one to three levels or groups wherever ranks lie, any number of lanes, and
/// blocks of any size; tries until it fits.
inline problem::Classical random_composition(Random& random, int most = 40) {
  for (;;) {
    ClassicalCollective const collective = composed_collectives[random.below(std::size(composed_collectives))];
    bool const barrier = collective == ClassicalCollective::barrier;
    int const p = static_cast<int>(random.between(1, most));
    problem::Classical problem{collective, p, barrier ? Bytes(0) : Bytes(random.between(0, 200)),
                               problem::ClassicalAlgorithm("hierarchical")};
    problem::Hierarchy& hierarchy = problem.hierarchy;
    if (has_root(collective)) problem.root = static_cast<int>(random.below(static_cast<std::uint64_t>(p)));
    std::size_t levels = 1;
    if (random.below(4) == 0) {
      auto const hosts = random.between(1, 6);
      for (int r = 0; r < p; ++r) hierarchy.group_of.push_back(static_cast<int>(random.between(0, hosts)));
    } else {
      levels = static_cast<std::size_t>(random.between(1, 3));
      for (std::size_t l = 0; l < levels; ++l) hierarchy.sizes.push_back(static_cast<int>(random.between(1, 7)));
    }
    for (std::size_t l = 0; l <= levels; ++l) {
      hierarchy.levels.push_back(random_algorithms(random, collective, l == levels));
    }
    hierarchy.lanes = static_cast<int>(random.below(5));
    if (works_on_vector(collective) && random.below(2) == 0) hierarchy.segment = Bytes(random.between(10, 80));
    if (works_on_vector(collective) && random.below(3) == 0) problem.segment = Bytes(random.between(5, 40));
    if (random.below(3) == 0) problem.radix = static_cast<int>(random.between(2, 5));
    if (random.below(3) == 0) problem.children = problem::Children::at_once;
    if (!works_on_vector(collective) && problem.sizes.block > Bytes(0) && random.below(3) == 0) {
      auto const blocks = static_cast<std::size_t>(p) * (collective == ClassicalCollective::alltoall ? p : 1);
      for (std::size_t k = 0; k < blocks; ++k) {
        problem.sizes.each.emplace_back(random.below(4) == 0 ? 0 : random.between(0, 100));
      }
    }
    maybe_several_rings(random, problem);
    if (fits(problem)) return problem;
  }
}

/// Several rings or trees of one algorithm, on any ranks up to `most`, with blocks of any size.
inline problem::Classical random_rings(Random& random, int most = 40) {
  for (;;) {
    ClassicalCollective const collective = composed_collectives[random.below(std::size(composed_collectives))];
    auto const algorithms = problem::classical_algorithms(collective);
    problem::Classical problem{collective, static_cast<int>(random.between(1, most)), Bytes(random.between(0, 300)),
                               algorithms[random.below(algorithms.size())]};
    if (has_root(collective)) problem.root = static_cast<int>(random.below(static_cast<std::uint64_t>(problem.ranks)));
    if (works_on_vector(collective) && random.below(3) == 0) problem.segment = Bytes(random.between(5, 40));
    if (!works_on_vector(collective) && problem.sizes.block > Bytes(0) && random.below(3) == 0) {
      for (int r = 0; r < problem.ranks; ++r) problem.sizes.each.emplace_back(random.between(0, 100));
    }
    maybe_several_rings(random, problem);
    bool const composed = problem.algorithm == "hierarchical";
    if (problem.rings > 1 && !composed && fits(problem)) return problem;
  }
}

}  // namespace rondo::test
