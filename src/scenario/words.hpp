#pragma once

// The words of the schema's enumerations beside our own.

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

template <typename Enum, std::size_t N>
using Words = std::array<std::pair<Enum, std::string_view>, N>;

inline constexpr Words<IsomorphicAlgorithm, 7> isomorphic_algorithms = {
    {{IsomorphicAlgorithm::straightforward, "straightforward"},
     {IsomorphicAlgorithm::posted, "posted"},
     {IsomorphicAlgorithm::torus, "torus"},
     {IsomorphicAlgorithm::direct, "direct"},
     {IsomorphicAlgorithm::basis, "basis"},
     {IsomorphicAlgorithm::parity, "parity"},
     {IsomorphicAlgorithm::steiner, "steiner"}}};
inline constexpr Words<DimensionOrder::Rule, 3> dimension_orders = {{{DimensionOrder::Rule::given, "given"},
                                                                     {DimensionOrder::Rule::best, "best"},
                                                                     {DimensionOrder::Rule::paper, "paper"}}};
inline constexpr Words<IntergroupAllgatherProblem::Algorithm, 5> intergroup_algorithms = {
    {{IntergroupAllgatherProblem::Algorithm::group_allgather, "group_allgather"},
     {IntergroupAllgatherProblem::Algorithm::root_gathering, "root_gathering"},
     {IntergroupAllgatherProblem::Algorithm::ring_sequences, "ring_sequences"},
     {IntergroupAllgatherProblem::Algorithm::ring_allgather, "ring_allgather"},
     {IntergroupAllgatherProblem::Algorithm::ring_optimal, "ring_optimal"}}};
inline constexpr Words<IntraAllgather, 3> intra_allgathers = {
    {{IntraAllgather::bruck, "bruck"},
     {IntraAllgather::recursive_doubling, "recursive_doubling"},
     {IntraAllgather::ring, "ring"}}};
inline constexpr Words<Broadcast, 3> broadcasts = {{{Broadcast::binomial, "binomial"},
                                                    {Broadcast::scatter_allgather, "scatter_allgather"},
                                                    {Broadcast::scatter_ring_allgather, "scatter_ring_allgather"}}};
inline constexpr Words<IntergroupAllgatherProblem::BuildingBlocks, 2> building_block_kinds = {
    {{IntergroupAllgatherProblem::BuildingBlocks::schedule, "schedule"},
     {IntergroupAllgatherProblem::BuildingBlocks::mpi, "mpi"}}};
inline constexpr Words<NeighborAlgorithm, 2> neighbor_algorithms = {
    {{NeighborAlgorithm::naive, "naive"}, {NeighborAlgorithm::common_neighbors, "common_neighbors"}}};
inline constexpr Words<FriendTie, 2> friend_ties = {{{FriendTie::highest, "highest"}, {FriendTie::lowest, "lowest"}}};
inline constexpr Words<SparseAlgorithm, 3> sparse_algorithms = {{{SparseAlgorithm::nbx, "nbx"},
                                                                 {SparseAlgorithm::nbx_tagged, "nbx_tagged"},
                                                                 {SparseAlgorithm::personalized, "personalized"}}};
inline constexpr Words<SparseBarrier, 2> sparse_barriers = {
    {{SparseBarrier::dissemination, "dissemination"}, {SparseBarrier::tree, "tree"}}};
inline constexpr Words<SparseCollective, 6> sparse_collectives = {{{SparseCollective::allreduce, "sparse_allreduce"},
                                                                   {SparseCollective::bcast, "sparse_bcast"},
                                                                   {SparseCollective::gather, "sparse_gather"},
                                                                   {SparseCollective::scatter, "sparse_scatter"},
                                                                   {SparseCollective::reduce, "sparse_reduce"},
                                                                   {SparseCollective::barrier, "sparse_barrier"}}};
inline constexpr Words<CloudShape, 3> cloud_shapes = {
    {{CloudShape::uniform, "uniform"}, {CloudShape::clustered, "clustered"}, {CloudShape::coincident, "coincident"}}};
inline constexpr Words<Completion, 2> completions = {{{Completion::wait, "wait"}, {Completion::poll, "poll"}}};
inline constexpr Words<Engine, 2> engines = {{{Engine::smpi, "smpi"}, {Engine::native, "native"}}};
inline constexpr Words<Payload, 3> payloads = {
    {{Payload::automatic, "automatic"}, {Payload::verified, "verified"}, {Payload::timing, "timing"}}};
inline constexpr Words<TimingModel, 2> timing_models = {
    {{TimingModel::linear, "linear"}, {TimingModel::loggp, "loggp"}}};

template <typename Enum, std::size_t N>
std::string word_of(Words<Enum, N> const& words, Enum value) {
  for (auto const& [known, word] : words) {
    if (known == value) return std::string(word);
  }
  throw ContractViolation("a word for each value of an enumeration");
}

/// The value of a word that the schema let pass.
template <typename Enum, std::size_t N>
Enum value_of(Words<Enum, N> const& words, std::string_view text) {
  for (auto const& [value, word] : words) {
    if (word == text) return value;
  }
  throw ContractViolation("a value for each word of the schema: " + std::string(text));
}

}  // namespace rondo::scenario
