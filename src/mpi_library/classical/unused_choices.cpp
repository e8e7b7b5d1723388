// Looks through the entries of the environment that begin with RONDO_, and gives the reason for each that nothing used.

#include "mpi_library/classical/unused_choices.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi_library/classical/choice.hpp"

namespace rondo::mpi {
namespace {

/// A set of collectives that allocates no memory. If smpirun privatizes variables by mmap, the destructors of all ranks
/// run on the memory of one rank, so no destructor of a static may free memory.
class Collectives {
 public:
  void insert(ClassicalCollective collective) { bits_ |= bit(collective); }
  bool contains(ClassicalCollective collective) const { return (bits_ & bit(collective)) != 0; }

 private:
  static std::uint32_t bit(ClassicalCollective collective) {
    return std::uint32_t{1} << static_cast<unsigned>(collective);
  }
  std::uint32_t bits_ = 0;
};

/// The collectives that this process has called.
Collectives& called_collectives() {
  static Collectives all;
  return all;
}

/// Whether RONDO_SELECTION has had an effect in this process.
bool& selection_has_effect() {
  static bool noted = false;
  return noted;
}

/// Whether only the algorithm hierarchical reads the variable that ends with this.
bool is_hierarchy_option(std::string_view option) {
  return option == "_INTRA" || option == "_INTER" || option == "_LANES";
}

/// Variables that are valid although they name no classical collective: the selection file, and the variables of
/// neighborhoods, of the launcher and of the compiler wrappers.
constexpr std::string_view other_variables[] = {"RONDO_SELECTION",
                                                "RONDO_NEIGHBOR_ALGORITHM",
                                                "RONDO_NEIGHBOR_TORUS",
                                                "RONDO_NEIGHBOR_STARTUPS",
                                                "RONDO_NEIGHBOR_LATENCY",
                                                "RONDO_NEIGHBOR_BANDWIDTH",
                                                "RONDO_ISO_ALGORITHM",
                                                "RONDO_ALLOW_PROGRAMS",
                                                "RONDO_NO_INSTALL",
                                                "RONDO_MPICH",
                                                "RONDO_CC",
                                                "RONDO_CXX",
                                                "RONDO_FC"};

/// Whether a variable of the environment has a value that is not empty.
bool is_set(std::string const& variable) {
  char const* const value = std::getenv(variable.c_str());
  return value != nullptr && *value != '\0';
}

/// The entries of the environment that begin with this text, such as "RONDO_BCAST_RADIX=2", sorted.
std::vector<std::string> settings(std::string_view beginning) {
  std::vector<std::string> found;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    if (std::string_view(*each).starts_with(beginning)) found.emplace_back(*each);
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// The collective to which this variable belongs, and the rest of the name after the collective's; nothing if it
/// belongs to none.
std::optional<std::pair<ClassicalCollective, std::string>> collective_in(std::string const& variable) {
  std::optional<std::pair<ClassicalCollective, std::string>> found;
  for (std::string const& kind : all_enum_names<problem::Kind>()) {
    auto const collective = problem::classical_collective(*value_of<problem::Kind>(kind));
    if (!collective) continue;
    std::string const name = variable_of(*collective);
    if (!variable.starts_with(name + "_")) continue;
    std::string const rest = variable.substr(name.size());
    // RONDO_REDUCE_SCATTER_RADIX is not a variable of reduce.
    bool const chooses = rest == "_ALGORITHM" || rest == "_SCHEDULE";
    if (chooses || std::ranges::any_of(options_of_algorithms(),
                                       [&](std::string_view each) { return upper(std::string(each)) == rest; })) {
      found.emplace(*collective, rest);
    }
  }
  return found;
}

/// Settings in the environment that had no effect on this program, with a sentence for each: choices for a collective
/// that the program never called, a selection file without a rule that fits a call, options without an
/// algorithm, options of `hierarchical` with another algorithm, names RONDO_* that the library does not know, and every
/// choice if the program has MPI_THREAD_MULTIPLE.
std::vector<std::string> choices_without_effect() {
  std::vector<std::string> reported;
  use_own_environment();
  for (std::string const& setting : settings("RONDO_")) {
    std::string const variable = setting.substr(0, setting.find('='));
    if (variable.size() + 1 >= setting.size()) continue;  // an empty variable counts as unset
    bool const is_of_classical = variable == "RONDO_SELECTION" || collective_in(variable);
    if (is_of_classical && threads_call_at_once()) {
      reported.push_back(setting + " has no effect: the program has MPI_THREAD_MULTIPLE");
      continue;
    }
    if (std::find(std::begin(other_variables), std::end(other_variables), variable) != std::end(other_variables)) {
      if (variable == "RONDO_SELECTION" && !selection_has_effect())
        reported.push_back(setting + " has no effect: no rule fits a collective of rank 0");
      continue;
    }
    auto const found = collective_in(variable);
    if (!found) {
      reported.push_back(setting + " has no effect: the library knows no such variable");
    } else if (!called_collectives().contains(found->first)) {
      reported.push_back(
          fmt::format("{} has no effect: the program calls no {}", setting, enum_name(problem::kind_of(found->first))));
    } else if (found->second != "_ALGORITHM" && found->second != "_SCHEDULE" &&
               !is_set(variable_of(found->first) + "_ALGORITHM")) {
      reported.push_back(fmt::format("{} has no effect without an algorithm", setting));
    } else if (is_hierarchy_option(found->second) &&
               settings(variable_of(found->first) + "_ALGORITHM=hierarchical").empty()) {
      reported.push_back(fmt::format("{} has no effect without the algorithm hierarchical", setting));
    }
  }
  return reported;
}

}  // namespace

void note_call(ClassicalCollective collective) { called_collectives().insert(collective); }

void note_selection() { selection_has_effect() = true; }

/// Prints choices_without_effect() at rank 0.
void tell_choices_without_effect() {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  for (std::string const& each : choices_without_effect()) std::fprintf(stderr, "rondo: %s\n", each.c_str());
}

}  // namespace rondo::mpi
