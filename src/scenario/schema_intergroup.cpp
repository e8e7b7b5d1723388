#include "scenario/schema_parts.hpp"

namespace rondo::scenario {

std::vector<KindSchema> intergroup_schemas() {
  return {{problem::Kind::intergroup_allgather,
           R"json({
  "description": "every sender gives its block to every receiver; ranks 0 .. senders-1 send, those behind them receive",
  "required": ["kind", "senders", "receivers"],
  "properties": {
    "senders": {"type": "integer", "minimum": 1, "maximum": 16777215, "description": "the ranks that have a block"},
    "receivers": {"type": "integer", "minimum": 1, "maximum": 16777215, "description": "the ranks that get all blocks"},
    "allgather": {"type": "string", "enum": "allgather",
                  "description": "how group_allgather and receiver_allgather gather within a group; bruck by default"},
    "broadcast": {"type": "string", "enum": "broadcast",
                  "description": "how group_allgather and root_gathering broadcast: down a tree; in segments that are scattered and allgathered with bruck or on a ring; or in log2 n segments that follow each other down rotated trees of 2^k members; binomial by default"},
    "building_blocks": {"type": "string", "enum": "building_blocks",
                        "description": "schedule (by default): Rondo's; mpi: SMPI's own MPI_Allgather, MPI_Bcast and MPI_Gather (engine smpi, for group_allgather and root_gathering, not with neighbors_only)"},
    "selector": {"type": "string", "enum": ["mpich", "ompi", "mvapich2"],
                 "description": "with building_blocks mpi: the library whose algorithms SMPI takes; mpich by default"},
    "block_sizes": {"type": ["array", "string"],
                    "title": "a list of sizes, one for each sender, or a non-empty expression",
                    "minLength": 1,
                    "items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
                    "description": "the size of each sender's block where they differ: a list, or bytes as an expression in the sender i, in senders, receivers and m, such as m*(i+1)"},
    "printed": {"type": "boolean",
                "description": "ring_sequences as printed in the paper, to show where it fails; false by default"}
  }
})json",
           {}}};
}

}  // namespace rondo::scenario
