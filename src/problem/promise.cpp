// The ranks and the sizes of blocks of a promise, whatever its kind.

#include "problem/promise.hpp"

#include "problem/graph_collectives.hpp"

namespace rondo::problem {
namespace {

/// The number of ranks.
int promised_ranks(StatedPromise const& promise) { return static_cast<int>(promise.held.size()); }
int promised_ranks(auto const& problem) {
  if constexpr (requires { problem.graph; }) {
    return ranks(problem.graph);
  } else if constexpr (requires { problem.ranks; }) {
    return problem.ranks;
  } else {
    return ranks_of(problem);
  }
}

std::string promised_name(StatedPromise const& /*promise*/) { return "stated"; }
std::string promised_name(auto const& problem) { return enum_name(kind_of(problem)); }

Bytes size_of(Isomorphic const& p, Content const& whole) {
  return p.collective == NeighborCollective::alltoall ? p.sizes.of(whole.block.value) : p.sizes.block;
}
Bytes size_of(Intergroup const& p, Content const& whole) { return p.sizes.of(at(whole.origin)); }
Bytes size_of(Neighbor const& p, Content const& whole) {
  if (p.collective == NeighborCollective::allgather) return p.sizes.of(at(whole.origin));
  return p.sizes.of(static_cast<std::size_t>(graph_of(p.graph).first_edge(whole.origin)) + whole.block.value);
}
Bytes size_of(SparseOnGraph const& p, Content const& /*whole*/) { return p.block; }
/// If sizes differ, there is one for each rank: for the block that it contributes (gather, allgather), or for the block
/// that it is given (scatter, reduce_scatter). An alltoall has one for each source and target.
Bytes size_of(Classical const& p, Content const& whole) {
  switch (p.collective) {
    case ClassicalCollective::gather:
    case ClassicalCollective::allgather:
      return p.sizes.of(at(whole.origin));
    case ClassicalCollective::scatter:
    case ClassicalCollective::reduce_scatter:
      return p.sizes.of(whole.block.value);
    case ClassicalCollective::alltoall:
      return p.sizes.of(at(whole.origin) * static_cast<std::size_t>(p.ranks) + whole.block.value);
    default:
      return p.sizes.block;
  }
}

}  // namespace

int ranks(Promise const& promise) {
  return std::visit([](auto const& of) { return promised_ranks(of); }, promise.of);
}

std::string name(Promise const& promise) {
  return std::visit([](auto const& of) { return promised_name(of); }, promise.of);
}

/// The size of a block; a stated promise has one size for all.
Bytes bytes(Promise const& promise, Content const& whole) {
  if (std::holds_alternative<StatedPromise>(promise.of)) return promise.block;
  return std::visit(
      [&](auto const& of) {
        if constexpr (requires { size_of(of, whole); }) {
          return size_of(of, whole);
        } else {
          return promise.block;
        }
      },
      promise.of);
}

bool is_benchmark(Promise const& promise) {
  auto const* const classical = std::get_if<Classical>(&promise.of);
  return classical != nullptr && classical->benchmark;
}

}  // namespace rondo::problem
