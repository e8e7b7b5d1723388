#include <fmt/format.h>

#include "scenario/kinds.hpp"

namespace rondo::scenario {
namespace {

/// Refuses `printed` where it would change nothing.
void expect_effect(Place const& collective, problem::Intergroup const& problem) {
  bool const by_schedule = problem.building_blocks == problem::BuildingBlocks::schedule;
  bool const sequences = problem.algorithm == problem::IntergroupAlgorithm::ring_sequences;
  if (problem.reading == problem::Reading::printed && (!sequences || !by_schedule)) {
    throw collective["printed"].error(
        "expected false but for ring_sequences, the algorithm that the paper prints, got true");
  }
}

void expect_size_a_sender(Place const& collective, problem::Intergroup const& problem) {
  std::size_t const sizes = problem.sizes.each.size();
  if (!collective.has("block_sizes") || !problem.sizes.expression.empty()) return;
  if (sizes == static_cast<std::size_t>(problem.groups.senders())) return;
  throw collective["block_sizes"].error(
      fmt::format("expected {} sizes, one for each sender, got {}", problem.groups.senders(), sizes));
}

Problem read_intergroup(problem::Kind /*kind*/, Place const& collective, Setting const& setting) {
  Groups const groups =
      collective.checked([&] { return Groups(collective["senders"].integer(), collective["receivers"].integer()); });
  problem::Intergroup problem{groups, read_block_sizes(collective, setting.block)};
  problem.algorithm = known_value<problem::IntergroupAlgorithm>(setting.algorithm);
  problem.allgather = word_at(collective, "allgather", problem.allgather);
  problem.broadcast = word_at(collective, "broadcast", problem.broadcast);
  if (collective.value.value("printed", false)) problem.reading = problem::Reading::printed;
  problem.building_blocks = word_at(collective, "building_blocks", problem.building_blocks);
  problem.selector = collective.value.value("selector", problem.selector);
  problem.ports = setting.machine.ports;
  expect_size_a_sender(collective, problem);
  expect_effect(collective, problem);
  if (problem.algorithm == problem::IntergroupAlgorithm::ring_sequences) {
    collective.checked([&] { expect_even(groups); });
  }
  if (problem.algorithm == problem::IntergroupAlgorithm::receiver_allgather) {
    collective.checked([&] { expect_enough_senders(groups); });
  }
  return problem;
}

}  // namespace

std::vector<CollectiveKind> intergroup_kinds() {
  return {{problem::Kind::intergroup_allgather,
           R"json({
  "description": "every sender sends its block to every receiver; ranks 0 .. senders-1 send, the other ranks receive",
  "required": ["kind", "senders", "receivers"],
  "properties": {
    "senders": {"type": "integer", "minimum": 1, "maximum": 16777215, "description": "the number of ranks that have a block"},
    "receivers": {"type": "integer", "minimum": 1, "maximum": 16777215, "description": "the number of ranks that receive all blocks"},
    "allgather": {"type": "string", "enum": "allgather",
                  "description": "the algorithm by which group_allgather and receiver_allgather gather within a group; bruck by default"},
    "broadcast": {"type": "string", "enum": "broadcast",
                  "description": "the algorithm by which group_allgather and root_gathering broadcast: along a tree (binomial); by a scatter and an allgather, with bruck or on a ring; or in log2 n segments that follow each other along rotated trees of 2^k members (multiple_messages); binomial by default"},
    "building_blocks": {"type": "string", "enum": "building_blocks",
                        "description": "schedule (by default): Rondo's own algorithms; mpi: SMPI's MPI_Allgather, MPI_Bcast and MPI_Gather (on the engine smpi, for group_allgather and root_gathering, not with neighbors_only)"},
    "selector": {"type": "string", "enum": ["mpich", "ompi", "mvapich2"],
                 "description": "with building_blocks mpi: the library whose algorithms SMPI uses; mpich by default"},
    "block_sizes": {"type": ["array", "string"],
                    "title": "a list of sizes, one for each sender, or a non-empty expression",
                    "minLength": 1,
                    "items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
                    "description": "the size of each sender's block, if they differ: a list, or an expression of the sender i, senders, receivers and m, such as m*(i+1)"},
    "printed": {"type": "boolean",
                "description": "use ring_sequences as printed in the paper, which fails; false by default"}
  }
})json",
           {},
           read_intergroup}};
}

}  // namespace rondo::scenario
