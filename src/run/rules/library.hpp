#pragma once

// The collectives and algorithms of libraries that read decisions from a file, with the names and numbers in these
// files, and with the algorithm of Rondo that each one is, if there is one.
//
// Sources: Open MPI 4.1 and 6.0, ompi/mca/coll/tuned/coll_tuned_*_decision.c for numbers, names and parameters,
// coll_tuned_decision_dynamic.c for what a message size is; MPICH 4.0, csel.c and csel_container.c;
// NCCL, the example tuner's plugin.c, enqueue.cc and tuning.cc.

#include <optional>
#include <string>
#include <vector>

#include "problem/enums.hpp"

namespace rondo {

/// ompi: the rules file of coll_tuned as every Open MPI reads it; ompi_json: Open MPI 6's; mpich: the selection tree of
/// MPICH 4.0; nccl: the table of NCCL's example tuner.
enum class RulesFormat : std::uint8_t { ompi, ompi_json, mpich, nccl };

template <>
inline constexpr std::array<NamedValue<RulesFormat>, 4> enum_names<RulesFormat> = {
    {{RulesFormat::ompi, "ompi"},
     {RulesFormat::ompi_json, "ompi-json"},
     {RulesFormat::mpich, "mpich"},
     {RulesFormat::nccl, "nccl"}}};

/// The meaning of the size of a message in a library's rules: the bytes of /block, those of all ranks together, or
/// unknown to some ranks, so one rule has to serve all sizes.
enum class MessageSize : std::uint8_t { block, all_ranks, unknown };

/// The numbers of ranks for which a library can be told to use an algorithm.
enum class RanksTaken : std::uint8_t { any, even, powers_of_two, two };
/// Whether an algorithm runs on so many ranks.
bool takes(RanksTaken taken, int ranks);

/// The operators that an algorithm of MPICH computes correctly. The library itself does not check this before it uses
/// the algorithm.
enum class Operators : std::uint8_t { any, commutative, built_in };

/// An algorithm as the library names it.
struct LibraryAlgorithm {
  std::optional<problem::ClassicalAlgorithm> algorithm;  ///< none: Rondo does not have it
  std::string name;
  int number = 0;          ///< of Open MPI
  bool segments = false;   ///< whether it uses the size of segments
  int fan = 0;             ///< the number of chains or the radix, if a rule states it
  bool heeds_fan = false;  ///< whether the library uses the rule's fan; otherwise it always uses this one
  problem::Distances distances = problem::Distances::falling;
  RanksTaken ranks = RanksTaken::any;
  Operators operators = Operators::any;
};

/// A collective with the library's algorithms.
struct LibraryCollective {
  std::string name;
  int number = 0;  ///< of Open MPI
  ClassicalCollective collective;
  MessageSize size;
  std::vector<LibraryAlgorithm> algorithms;
  std::string other_operators = {};  ///< the algorithm for operators that a chosen one does not compute (MPICH)
  std::string between_groups = {};   ///< the algorithm on inter-communicators (MPICH)
};

/// The collectives for which a file of this format decides, in the order of the file.
std::vector<LibraryCollective> const& collectives_of(RulesFormat format);

}  // namespace rondo
