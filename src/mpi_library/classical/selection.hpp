#pragma once

// Reads selection files. A selection states which algorithm or schedule carries out a collective, by the number of
// ranks and the bytes.
//
//   {"format": "rondo-selection",
//    "rules": [{"collective": "allreduce", "ranks": [8, 8], "bytes": [0, 4096], "algorithm": "recursive_doubling"},
//              {"collective": "allreduce", "ranks": [8, 8], "bytes": [4097, null], "schedule": "ours.json"}]}
//
// The first rule that fits a call is used. Both ends of a range are included. A null end has no limit, and a range that
// is left out has no limits. Options of an algorithm have the names of their variables: "segment", "radix", "intra" and
// so on. The name of a schedule is relative to the folder of the selection file.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpi_library/classical/choice.hpp"

namespace rondo::mpi {

/// The numbers from `from` to `to`, both included.
struct Range {
  std::int64_t from = 0, to = std::numeric_limits<std::int64_t>::max();
  bool contains(std::int64_t value) const { return from <= value && value <= to; }
  bool unlimited() const { return from <= 0 && to == std::numeric_limits<std::int64_t>::max(); }
};

/// A rule of a file: the calls that it fits, and its choice for them.
struct SelectionRule {
  ClassicalCollective collective{};
  Range ranks, bytes;
  Choice choice;
};

/// The rules in the order of the file.
using Selection = std::vector<SelectionRule>;

/// Parses the text of a selection file with this name. Throws InputError that names the file and the place.
Selection parse_selection(std::string_view text, std::string const& name);

/// Finds the choice of the first rule that fits; null if there is none. Leave `bytes` unset if the ranks of a call may
/// see different sizes; then only rules for all sizes fit. The choice belongs to the selection.
Choice const* chosen_in(Selection const& selection, ClassicalCollective collective, int ranks,
                        std::optional<Bytes> bytes);

}  // namespace rondo::mpi
