#pragma once

// Promises of schedules that come from elsewhere: a collective by its name with its parameters, or one written out.
// One format, in the place where it is needed or in a file of its own (docs/custom.md):
//
// {"kind": "allreduce", "ranks": 8}                  any collective of a scenario that is a schedule, its parameters
// {"kind": "stated", "ranks": 2,                     or written out
// "held": [[0], [0]],                                 by rank, by send slot: BLOCK
// "owed": [[[1, 0]], [{"block": 0, "from": "all"}]],  by rank, by receive slot: BLOCK, REDUCTION or null
// "ordered": false, "same_bits": false, "idempotent": false}
//
// BLOCK is [RANK, NUMBER], the block of that number of that rank, or for one of the rank's own the number alone.
// REDUCTION is what ranks hold under the same number, joined: of "all" ranks, from rank {"first": a, "last": b}, or
// of a list, in its order; a null slot is owed nothing. Beside these stand, all optional: "pieces" (in how many
// pieces each block is cut; an integer, or a list of one for each rank, or each sender of an inter-group allgather),
// "seed" (of a random graph), "format" ("rondo-promise"), "format_version" (1) and "$schema".

#include <string>

#include "problem/promise.hpp"
#include "scenario/read.hpp"

namespace rondo::scenario {

/// The facts outside of a promise on which it depends.
struct PromiseSetting {
  Bytes block{0};          ///< m, the unit of the sizes of blocks
  std::uint64_t seed = 1;  ///< if the promise states none
  Platform machine = {};   ///< on a mesh the torus has no wrap-around links
};

/// Reads an object, or the file that a string names. Throws InputError with the file and the place.
problem::Promise read_promise(Place const& promise, PromiseSetting const& setting);
/// Reads a file with a promise, or a schedule with its promise inside or beside it.
problem::Promise load_promise(std::string const& file, PromiseSetting const& setting);

/// The name of the file with a promise beside a schedule: x.promise.json for x.json.
std::string promise_beside(std::string const& file);

/// A named promise in the form of a scenario's collective.
Json without_common_keys(Json promise);
/// Whether a kind of collective can be a promise, because schedules can keep it.
bool is_promised(problem::Kind kind);
/// The JSON schema (draft 7) of promises.
Json const& promise_schema();

}  // namespace rondo::scenario
