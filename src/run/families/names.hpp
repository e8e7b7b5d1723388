#pragma once

// The error message for a name in an expression that nobody knows: the name that was probably meant, and the names
// that are allowed there.

#include <string>
#include <vector>

#include "run/families/expression.hpp"

namespace rondo {

/// The words of an InputError about a name that is not among `known`: the most similar name, and the names that are
/// known. Some names of claims have dots, as "torus.time": before the dot stands an algorithm, or another swept value,
/// and behind it a field of its record. A name that is `called` is followed by a parenthesis and must be one of
/// `functions`.
std::string unknown_name(std::string const& name, bool called, Names const& all_names,
                         std::vector<std::string> const& functions);

}  // namespace rondo
