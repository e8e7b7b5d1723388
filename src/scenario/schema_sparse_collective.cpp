#include "scenario/schema_parts.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* root_schema = R"json({
"type": "integer", "minimum": 0, "maximum": 16777215, "description": "the root's rank; 0 by default"
})json";

KindSchema without_root(problem::Kind kind, char const* branch) { return {kind, branch, {{"graph", graph_schema}}}; }
KindSchema with_root(problem::Kind kind, char const* branch) {
  return {kind, branch, {{"graph", graph_schema}, {"root", root_schema}}};
}

}  // namespace

std::vector<KindSchema> sparse_collective_schemas() {
  return {
      without_root(problem::Kind::sparse_allreduce, R"json({
        "description": "MPI_Allreduce on a process graph: every rank reduces the blocks of its sources",
        "required": ["kind", "graph"]
      })json"),
      with_root(problem::Kind::sparse_bcast, R"json({
        "description": "MPI_Bcast on a process graph: the root's block goes to each of its targets",
        "required": ["kind", "graph"]
      })json"),
      with_root(problem::Kind::sparse_gather, R"json({
        "description": "MPI_Gather on a process graph: the root gets a block along each of the edges to it",
        "required": ["kind", "graph"]
      })json"),
      with_root(problem::Kind::sparse_scatter, R"json({
        "description": "MPI_Scatter on a process graph: the root sends a block along each of its edges",
        "required": ["kind", "graph"]
      })json"),
      with_root(problem::Kind::sparse_reduce, R"json({
        "description": "MPI_Reduce on a process graph: the root reduces the blocks of its sources",
        "required": ["kind", "graph"]
      })json"),
      without_root(problem::Kind::sparse_barrier, R"json({
        "description": "MPI_Barrier on a process graph: every rank waits for its sources; /block is \"0B\"",
        "required": ["kind", "graph"]
      })json"),
  };
}

}  // namespace rondo::scenario
