// The keys of collectives between two groups of ranks (problem/intergroup.hpp) [Kang19].

#include <fmt/format.h>

#include "scenario/kinds.hpp"

namespace rondo::scenario {

template <>
problem::Intergroup usual() {
  return {.groups = Groups(1, 1), .sizes = Bytes(0)};
}

namespace {

using problem::Intergroup;

/// Refuses `printed` if it has no effect.
void expect_effect(Place const& collective, Intergroup const& problem) {
  bool const by_schedule = problem.building_blocks == problem::BuildingBlocks::schedule;
  bool const sequences = problem.algorithm == problem::IntergroupAlgorithm::ring_sequences;
  if (problem.reading == problem::Reading::printed && (!sequences || !by_schedule)) {
    throw collective["printed"].error(
        "expected false but for ring_sequences, the algorithm that the paper prints, got true");
  }
}

/// A list of sizes has one for each sender.
void expect_size_a_sender(Place const& collective, Intergroup const& problem) {
  std::size_t const sizes = problem.sizes.each.size();
  if (!collective.has("block_sizes") || !problem.sizes.expression.empty()) return;
  if (sizes == static_cast<std::size_t>(problem.groups.senders())) return;
  throw collective["block_sizes"].error(
      fmt::format("expected {} sizes, one for each sender, got {}", problem.groups.senders(), sizes));
}

/// Reads a collective between groups. The first ranks are the senders, the others the receivers.
Problem read_intergroup(problem::Kind kind, Place const& collective, Setting const& setting,
                        Table<Intergroup> const& keys) {
  Groups const groups =
      collective.checked([&] { return Groups(collective["senders"].integer(), collective["receivers"].integer()); });
  Intergroup problem{groups, read_block_sizes(collective, setting.block)};
  problem.algorithm = known_value<problem::IntergroupAlgorithm>(setting.algorithm);
  problem.ports = setting.machine.ports;
  problem.collective = *problem::intergroup_collective(kind);
  read_keys(keys, collective, problem);
  expect_size_a_sender(collective, problem);
  expect_effect(collective, problem);
  collective.checked([&] { expect_groups(problem); });
  return problem;
}

/// The keys of all these collectives.
Table<Intergroup> groups_keys() {
  return {
      key<Intergroup>("senders", integer(1, 16777215).schema,
                      "the number of senders, the first ranks; on a torus they fill places along its first dimension",
                      Need::required),
      key<Intergroup>("receivers", integer(1, 16777215).schema, "the number of receivers, the other ranks",
                      Need::required),
      key("torus", &Intergroup::torus, Form<Torus>{extents("[4, 4, 4]"), read_torus},
          "the torus on which torus_rings takes the ranks to lie, row by row; by default a ring of all ranks"),
  };
}

/// The keys of the allgather alone, which has the paper's algorithms within the groups.
Table<Intergroup> allgather_keys() {
  Form<std::string> const library{{{"type", "string"}, {"enum", {"mpich", "ompi", "mvapich2"}}},
                                  [](Place const& place) { return place.text(); },
                                  [](std::string const& word) { return word; }};
  return {
      key("allgather", &Intergroup::allgather, word<problem::IntraAllgather>(),
          "the algorithm by which group_allgather and receiver_allgather gather within a group"),
      key("broadcast", &Intergroup::broadcast, word<problem::Broadcast>(),
          "the algorithm by which group_allgather and root_gathering broadcast: along a tree (binomial); by a scatter "
          "and an allgather, with bruck or on a ring; or in log2 n segments that follow each other along rotated trees "
          "of 2^k members (multiple_messages)"),
      key("building_blocks", &Intergroup::building_blocks, word<problem::BuildingBlocks>(),
          "schedule (by default): Rondo's own algorithms; mpi: SMPI's MPI_Allgather, MPI_Bcast and MPI_Gather (on the "
          "engine smpi, for group_allgather and root_gathering, not with neighbors_only)"),
      key("selector", &Intergroup::selector, library,
          "with building_blocks mpi: the library whose algorithms SMPI uses"),
      key<Intergroup>("block_sizes",
                      sizes_or_expression("a list of sizes, one for each sender, or a non-empty expression", true),
                      "the size of each sender's block, if they differ: a list, or an expression of the sender i, "
                      "senders, receivers and m, such as m*(i+1)"),
      printed_key<Intergroup>("use ring_sequences as printed in the paper, which fails"),
  };
}

/// A kind of collective that only torus_rings can do.
CollectiveKind on_torus(problem::Kind kind, char const* description) {
  return kind_of_keys(kind, description, groups_keys(), read_intergroup);
}

}  // namespace

std::vector<CollectiveKind> intergroup_kinds() {
  return {
      kind_of_keys(problem::Kind::intergroup_allgather,
                   "every sender sends its block to every receiver; ranks 0 .. senders-1 send, the other ranks receive",
                   groups_keys() + allgather_keys(), read_intergroup),
      on_torus(
          problem::Kind::intergroup_exchange,
          "full duplex: every sender sends its block to every receiver, and every receiver its own to every sender"),
      on_torus(problem::Kind::intergroup_gather,
               "every sender sends its block to the root, which is the first receiver"),
      on_torus(problem::Kind::intergroup_scatter,
               "the root, which is the first sender, sends a different block to each receiver"),
      on_torus(problem::Kind::intergroup_reduce,
               "the root, which is the first receiver, gets the reduction of the vectors of all senders")};
}

}  // namespace rondo::scenario
