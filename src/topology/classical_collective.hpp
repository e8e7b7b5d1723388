#pragma once

// The collectives of MPI on all ranks of a communicator.

#include <cstdint>

namespace rondo {

/// The promise of each collective is defined in schedule/collective.hpp.
enum class ClassicalCollective : std::uint8_t {
  bcast,
  gather,
  scatter,
  allgather,
  alltoall,
  reduce,
  reduce_scatter,
  scan,
  exscan,
  allreduce,
  barrier
};

/// Whether one rank, the root, has another role than all others.
constexpr bool has_root(ClassicalCollective collective) {
  return collective == ClassicalCollective::bcast || collective == ClassicalCollective::gather ||
         collective == ClassicalCollective::scatter || collective == ClassicalCollective::reduce;
}

/// Whether the contributions of ranks are joined.
constexpr bool reduces(ClassicalCollective collective) {
  return collective == ClassicalCollective::reduce || collective == ClassicalCollective::reduce_scatter ||
         collective == ClassicalCollective::scan || collective == ClassicalCollective::exscan ||
         collective == ClassicalCollective::allreduce || collective == ClassicalCollective::barrier;
}

/// Whether blocks are vectors, which may be cut into parts.
constexpr bool works_on_vector(ClassicalCollective collective) {
  return collective == ClassicalCollective::bcast || collective == ClassicalCollective::reduce ||
         collective == ClassicalCollective::allreduce || collective == ClassicalCollective::barrier;
}

}  // namespace rondo
