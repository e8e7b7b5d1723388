#pragma once

// Turns the failures of a point into the error of its record, whatever ran the point.

#include <functional>
#include <string>

#include "engine/engine.hpp"
#include "run/points/record.hpp"

namespace rondo {

/// Completes the record by `fill`, and notes the wall time that this took. If input is refused meanwhile, or memory
/// runs out, this becomes the record's error, and the values filled in before remain; other exceptions pass through.
Record filled(Record record, std::function<void(Record&)> const& fill);

/// Notes the failure of a simulation in a record. Data that arrived wrong were not delivered, whatever the proof says.
void add_failure(Record& record, Failure failure, std::string const& error);

/// "deadlock: ...": the text of a simulation's failure, after its kind unless the text names it already.
std::string failure_text(Failure failure, std::string const& error);

}  // namespace rondo
