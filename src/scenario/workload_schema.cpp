// The keys of workloads, as JSON schema. What a schema cannot express is checked by the readers (workload.cpp and
// workload_jobs.cpp).

#include "scenario/key.hpp"
#include "scenario/workload.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* workload_kind = R"json({
  "kind": "workload",
  "description": "several collectives and calculations on the ranks of one machine, one after the other or side by side",
  "properties": {
    "ranks": {"type": "integer", "minimum": 1, "maximum": 1048576, "description": "p: the number of ranks; required without jobs"},
    "repeat": {"type": "integer", "minimum": 1, "maximum": 100000,
               "description": "how many times the list of steps is carried out; 1 by default"},
    "steps": {
      "type": "array", "title": "a list of 1 to 10000 steps", "minItems": 1, "maxItems": 10000,
      "description": "the list of steps; required without jobs",
      "items": {
        "type": "object", "title": "an object such as {\"name\": \"sum\", \"collective\": {\"kind\": \"allreduce\"}, \"algorithm\": \"ring\"}",
        "required": ["name"], "additionalProperties": false,
        "properties": {
          "name": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$", "title": "a name of letters, digits and _",
                   "description": "the name of the step in claims and records"},
          "collective": {"type": "object", "title": "an object such as {\"kind\": \"allreduce\"}", "required": ["kind"],
                         "properties": {"kind": {"type": "string"}},
                         "description": "the collective that each group of ranks does, with the keys of a scenario's collective. MPI's collectives have no \"ranks\" here. A step has either collective or compute."},
          "algorithm": {"type": "string", "title": "an algorithm", "description": "the algorithm of the collective"},
          "block": {"type": "string", "title": "a string with a unit such as \"64KiB\"",
                    "description": "the bytes of a block of the collective; the scenario's by default"},
          "compute": {"type": "string", "title": "a string with a unit such as \"50us\"",
                      "description": "the time that the CPU of each rank calculates"},
          "noise": {"description": "random times that are added to the calculations of this step, instead of the machine's noise/compute"},
          "groups": {"type": ["string", "object", "array"],
                     "title": "\"all\", \"hosts\", {\"rows\": dims}, {\"columns\": dims}, {\"every\": k}, {\"size\": k} or lists of ranks",
                     "description": "the groups of ranks that do the collective separately; all ranks as one group by default"},
          "after": {"type": "array", "title": "a list of names of steps", "items": {"type": "string"},
                    "description": "the steps that a rank must have ended before it begins this one; by default the nearest earlier step that does not overlap"},
          "overlap": {"type": "boolean", "description": "whether ranks begin later steps before this one has ended; false by default"}
        }
      }
    },
    "jobs": {
      "type": "array", "title": "a list of 1 to 10000 jobs", "minItems": 1, "maxItems": 10000,
      "description": "several workloads that run at the same time, each on its own hosts. They replace ranks, repeat and steps.",
      "items": {
        "type": "object", "title": "an object such as {\"name\": \"training\", \"workload\": {\"ranks\": 8, \"steps\": [{\"name\": \"work\", \"compute\": \"20us\"}]}}",
        "required": ["name"], "additionalProperties": false,
        "properties": {
          "name": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$", "title": "a name of letters, digits and _",
                   "description": "the name of the job in claims and records"},
          "workload": {"type": "object", "title": "an object such as {\"ranks\": 8, \"steps\": [{\"name\": \"work\", \"compute\": \"20us\"}]}",
                       "description": "the workload of the job, with the keys ranks, steps and repeat; give either workload or tasks"},
          "tasks": {"type": "string", "minLength": 1, "title": "the name of a file",
                    "description": "a file of tasks for the ranks: GOAL or a Chakra trace, relative to the scenario's folder. Either all jobs have tasks, or none has."},
          "ranks": {"type": "integer", "minimum": 1, "maximum": 1048576, "description": "the number of ranks of the tasks; required with tasks"},
          "hosts": {"type": ["string", "array"], "title": "\"block\", \"scattered\", \"random\" or a list of hosts",
                    "description": "the hosts that only this job uses; \"block\" by default"},
          "start": {"type": "string", "title": "a string with a unit such as \"50us\"",
                    "description": "the time at which its ranks arrive; \"0us\" by default"}
        }
      }
    }
  }
})json";

}  // namespace

Json workload_schema() { return json_of(workload_kind); }

}  // namespace rondo::scenario
