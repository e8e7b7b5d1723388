#pragma once

// Chakra execution traces: a file for each rank, NAME.RANK.et, of messages behind their lengths: a GlobalMetadata, then
// Nodes (schema/protobuf/et_def.proto of mlcommons/chakra; files as its protolib.py writes them and as the feeder of
// astra-sim/astra-sim reads them). The fields that are read, by their numbers:
//
//   Node            1 id, 2 name, 3 type, 4 ctrl_deps, 5 data_deps (both packed or not), 7 duration_micros, 10 attr
//   AttributeProto  1 name, then one value: 7 int32, 9 int64, 11 uint32, 13 uint64, 15 sint32, 17 sint64, 19 fixed32,
//                   21 fixed64, 23 sfixed32, 25 sfixed64, 27 bool, others of other types
//
// A node is a task, which waits for the end of all nodes that it depends on:
//
//   COMM_SEND_NODE   a send of comm_size bytes to comm_dst with comm_tag (0); comm_src is the rank itself, or absent
//   COMM_RECV_NODE   a receive from comm_src; comm_dst is the rank itself, or absent
//   COMP_NODE        a calculation of duration_micros on the CPU, or with is_cpu_op false on the accelerator
//   MEM_, STORAGE_, CHECKPOINT_, BATCH_   a calculation of duration_micros in memory
//   METADATA_, INVALID_                   nothing, in no time
//   COMM_COLL_NODE   the part of this rank in a collective of comm_type on comm_size bytes, among the ranks of the
//                    process group pg_name (all ranks without one): a calculation of no time, which the caller replaces
//                    by messages. Without comm_type it is only the call on the CPU, a calculation as COMP_NODE
//
// CPU, accelerator and memory do one calculation at a time, each by itself. Messages take the time that a machine gives
// them, whatever the duration of their nodes; operations that are counted (num_ops) take none.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/task_graph.hpp"

namespace rondo::chakra {

/// A node of a collective.
/// A node of a collective, before messages replace it.
struct CollectiveNode {
  std::int32_t rank = 0;
  std::uint32_t task = 0;  ///< that stands for it
  std::uint64_t type = 0;  ///< CollectiveCommType: 0 all-reduce, 1 reduce, 2 all-gather, 3 gather, 4 scatter,
                           ///< 5 broadcast, 6 all-to-all, 7 and 8 reduce-scatter, 9 barrier
  std::int64_t bytes = 0;  ///< comm_size
  std::optional<std::string> group = {};  ///< pg_name; unset: all ranks
};

/// The collectives of all ranks, and the texts that name process groups.
struct Collectives {
  std::vector<CollectiveNode> nodes;  ///< by rank, in the order of their files
  /// The inputs of nodes of metadata that name process groups, as JSON: [{"pg_name": "0", "ranks": [0, 1]}, ...].
  std::vector<std::string> groups;
};

/// Adds the trace of the next rank to the graph, which has `ranks` ranks in all. Throws InputError that says `name`,
/// the byte or the node, what was expected and what was found.
void add_rank(TaskGraph& graph, std::string_view bytes, std::string const& name, int ranks, Collectives& collectives);

}  // namespace rondo::chakra
