#pragma once

// What is said of a name that an expression uses and nobody knows: what was meant, and what may stand in its place.

#include <string>
#include <vector>

#include "run/families/expression.hpp"

namespace rondo {

/// The words of an InputError about a name that is not among `known`: the nearest one, and what is known where it
/// stands. Among the names of a claim some have dots, "torus.time": what stands before the dot is an algorithm, or
/// another value that is swept, and what stands behind it a field of its record. A name that is `called` is followed by
/// a parenthesis, and stands for one of `functions`.
std::string unknown_name(std::string const& name, bool called, Names const& known,
                         std::vector<std::string> const& functions);

}  // namespace rondo
