#pragma once

// Which page of docs/ a person reads on after an error.

#include <string>
#include <string_view>

namespace rondo::cli {

/// " (see docs/claims.md)" for bad input at this place of a scenario or, where the pointer says nothing, for the
/// command; "" where no page helps more than the error does, and where standard error is no terminal: what a script
/// reads stays as it is.
std::string page_for_people(std::string_view command, std::string_view pointer);

}  // namespace rondo::cli
