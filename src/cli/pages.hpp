#pragma once

// Which page of docs/ helps a person after an error.

#include <string>
#include <string_view>

namespace rondo::cli {

/// " (see docs/claims.md)" for wrong input at this place of a scenario, or if the pointer says nothing, for the
/// command. Empty if no page helps more than the error does, and if standard error is not a terminal, so that the
/// output for scripts does not change.
std::string page_for_people(std::string_view command, std::string_view pointer);

}  // namespace rondo::cli
