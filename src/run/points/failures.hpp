#pragma once

// Turns the failure of a simulation into the error of a record.

#include <string>

#include "engine/engine.hpp"
#include "run/points/record.hpp"

namespace rondo {

/// Notes the failure of a simulation in a record. Data that arrived wrong were not delivered, whatever the proof says.
void add_failure(Record& record, Failure failure, std::string const& error);

/// "deadlock: ...": the text of a simulation's failure, after its kind unless the text names it already.
std::string failure_text(Failure failure, std::string const& error);

}  // namespace rondo
