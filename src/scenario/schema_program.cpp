#include "scenario/schema_parts.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* program_branch = R"json({
  "description": "an MPI program, compiled here or built by smpicc, on SMPI with librondo_mpi; each rank has its own variables, every message is counted, computing takes no time",
  "required": ["kind"],
  "properties": {
    "source": {"type": "string", "minLength": 1, "title": "the name of a file",
               "description": "a C or C++ file (.c, .cc, .cpp, .cxx), relative to the scenario's folder, where it is compiled; or binary"},
    "binary": {"type": "string", "minLength": 1, "title": "the name of a file",
               "description": "a program that smpicc or smpicxx has built; or source"},
    "checksum": {"type": "string", "minLength": 1, "title": "a checksum such as \"fnv1a:0123456789abcdef\"",
                 "description": "of the file, which is refused if it is another; records state it (not of what a source includes)"},
    "arguments": {"type": "array", "title": "a list of words",
                  "items": {"type": ["string", "integer"], "title": "a string or an integer"},
                  "description": "of the program, which runs in the scenario's folder; {block}, {p} and {seed} in them are replaced by these numbers; claims know integers as argument_0, argument_1, ..."},
    "flags": {"type": "array", "title": "a list of words", "items": {"type": "string", "title": "a string"},
              "description": "for the compiler, behind -O2, such as -DN=100, each in one word; none that names a program or a file"},
    "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216,
              "description": "the number of ranks; all that the machine carries by default"},
    "environment": {"type": "object", "title": "an object of names with strings",
                    "additionalProperties": {"type": "string", "title": "a string"},
                    "description": "variables of the environment, such as those that choose algorithms of librondo_mpi; no other RONDO_* is passed on"},
    "algorithms": {
      "type": "object",
      "description": "the algorithms of single collectives in SMPI, by the names that SimGrid has for them",
      "additionalProperties": false,
      "properties": {
        "allgather": {"type": "string", "description": "of MPI_Allgather: ring, rdb, bruck and others"},
        "allgatherv": {"type": "string", "description": "of MPI_Allgatherv"},
        "allreduce": {"type": "string", "description": "of MPI_Allreduce"},
        "alltoall": {"type": "string", "description": "of MPI_Alltoall"},
        "alltoallv": {"type": "string", "description": "of MPI_Alltoallv"},
        "barrier": {"type": "string", "description": "of MPI_Barrier"},
        "bcast": {"type": "string", "description": "of MPI_Bcast"},
        "gather": {"type": "string", "description": "of MPI_Gather"},
        "reduce": {"type": "string", "description": "of MPI_Reduce"},
        "reduce_scatter": {"type": "string", "description": "of MPI_Reduce_scatter"},
        "scatter": {"type": "string", "description": "of MPI_Scatter"}
      }
    },
    "buffered": {"type": "string", "title": "a string with a unit such as \"64KiB\"",
                 "description": "a standard send of up to so many bytes does not wait for its receiver; \"0B\": none; \"64KiB\" by default"},
    "printed": {"type": "string", "enum": "printed",
                "description": "what the program prints is dropped (by default), or the end of it shown on the standard error"}
  }
})json";

}  // namespace

std::vector<KindSchema> program_schemas() { return {{problem::Kind::program, program_branch, {}}}; }

}  // namespace rondo::scenario
