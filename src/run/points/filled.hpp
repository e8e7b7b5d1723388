#pragma once

// What becomes of a point that goes wrong, whatever ran it: the error of its record.

#include <functional>
#include <string>

#include "engine/engine.hpp"
#include "run/points/record.hpp"

namespace rondo {

/// The record that `fill` completes, with the wall time that it took. Input that is refused on the way, and memory that
/// ran out, are the record's error, behind what was filled in before; other exceptions pass.
Record filled(Record record, std::function<void(Record&)> const& fill);

/// Puts a simulation's failure into a record. Data that arrived wrong was not delivered, whatever the proof says.
void add_failure(Record& record, Failure failure, std::string const& error);

/// "deadlock: ...": a simulation's failure, behind its kind unless it says that itself.
std::string failure_text(Failure failure, std::string const& error);

}  // namespace rondo
