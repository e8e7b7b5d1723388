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
//   COMM_COLL_NODE                        refused: its messages are not in it
//
// CPU, accelerator and memory do one calculation at a time, each by itself. Messages take the time that a machine gives
// them, whatever the duration of their nodes; operations that are counted (num_ops) take none.

#include <string>
#include <string_view>

#include "schedule/task_graph.hpp"

namespace rondo::chakra {

/// The trace of the next rank of the graph, of `ranks` in all. Throws InputError that names `name`, the byte or the
/// node, what was expected and what was found.
void add_rank(TaskGraph& graph, std::string_view bytes, std::string const& name, int ranks);

}  // namespace rondo::chakra
