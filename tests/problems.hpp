#pragma once

// Problems as tests state them, in one expression.

#include <utility>
#include <vector>

#include "problem/problem.hpp"

namespace rondo::test {

/// An isomorphic problem; no order: the dimensions as they are given.
inline problem::Isomorphic isomorphic(problem::NeighborCollective collective, Torus const& torus,
                                      Neighborhood const& neighborhood, problem::BlockSizes sizes,
                                      std::vector<int> order, int ports) {
  problem::DimensionOrder dimension_order;
  if (!order.empty()) dimension_order = {problem::OrderRule::stated, std::move(order)};
  return {.collective = collective,
          .torus = torus,
          .neighborhood = neighborhood,
          .sizes = std::move(sizes),
          .dimension_order = std::move(dimension_order),
          .ports = ports};
}
inline problem::Isomorphic alltoall(Torus const& torus, Neighborhood const& neighborhood, problem::BlockSizes sizes,
                                    std::vector<int> order = {}, int ports = 1) {
  return isomorphic(problem::NeighborCollective::alltoall, torus, neighborhood, std::move(sizes), std::move(order),
                    ports);
}
inline problem::Isomorphic allgather(Torus const& torus, Neighborhood const& neighborhood, Bytes block,
                                     std::vector<int> order = {}, int ports = 1) {
  return isomorphic(problem::NeighborCollective::allgather, torus, neighborhood, block, std::move(order), ports);
}

inline problem::Neighbor neighbor_allgather(ProcessGraph const& graph, problem::BlockSizes sizes) {
  return {problem::NeighborCollective::allgather, WeightedGraph{graph}, std::move(sizes)};
}
inline problem::Neighbor neighbor_alltoall(ProcessGraph const& graph, problem::BlockSizes sizes) {
  return {problem::NeighborCollective::alltoall, WeightedGraph{graph}, std::move(sizes)};
}

}  // namespace rondo::test
