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

Problem read_intergroup(problem::Kind kind, Place const& collective, Setting const& setting) {
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
  problem.collective = *problem::intergroup_collective(kind);
  if (collective.has("torus")) problem.torus = read_torus(collective["torus"]);
  expect_size_a_sender(collective, problem);
  expect_effect(collective, problem);
  collective.checked([&] { expect_groups(problem); });
  return problem;
}

constexpr char const* senders_schema = R"json({
"type": "integer", "minimum": 1, "maximum": 16777215,
"description": "the number of senders, the first ranks; on a torus they fill places along its first dimension"
})json";
constexpr char const* receivers_schema = R"json({
"type": "integer", "minimum": 1, "maximum": 16777215, "description": "the number of receivers, the other ranks"
})json";
constexpr char const* groups_torus_schema = R"json({
"type": "array", "title": "a list of 1 to 64 extents such as [4, 4, 4]", "minItems": 1, "maxItems": 64,
"items": {"type": "integer", "minimum": 1, "maximum": 16777216},
"description": "the torus on which torus_rings takes the ranks to lie, row by row; by default a ring of all ranks"
})json";

Keys groups_keys() {
  return {{"senders", senders_schema}, {"receivers", receivers_schema}, {"torus", groups_torus_schema}};
}

/// A collective that only torus_rings knows.
CollectiveKind on_torus(problem::Kind kind, char const* description) {
  return {kind, branch_text(description, R"(["senders", "receivers"])"), groups_keys(), read_intergroup};
}

}  // namespace

std::vector<CollectiveKind> intergroup_kinds() {
  return {
      {problem::Kind::intergroup_allgather,
       R"json({
  "description": "every sender sends its block to every receiver; ranks 0 .. senders-1 send, the other ranks receive",
  "required": ["senders", "receivers"],
  "properties": {
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
       groups_keys(), read_intergroup},
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
