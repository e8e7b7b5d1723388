#pragma once

// The formats of rules files; each is written and read by one source. Readers get the text and the name of the file.
// They throw InputError for files that the library would not read, or would read in a different way.

#include "run/rules/rules.hpp"

namespace rondo::rules {

std::string ompi_text(Rules const& rules, std::vector<std::string> const& notes);
Rules read_ompi(std::string const& text, std::string const& file);

std::string ompi_json_text(Rules const& rules);
Rules read_ompi_json(std::string const& text, std::string const& file);

std::string mpich_text(Rules const& rules);
/// `ranks_of_a_host` is that of the machine. If it is above 1, conditions about the placement of ranks on hosts stay
/// open.
Rules read_mpich(std::string const& text, std::string const& file, int ranks_of_a_host);

std::string nccl_text(Rules const& rules, std::vector<std::string> const& notes);
Rules read_nccl(std::string const& text, std::string const& file);

/// The collective with that name or number; null if Rondo has none.
LibraryCollective const* named(RulesFormat format, std::string_view name);
LibraryCollective const* numbered(RulesFormat format, int number);
/// The algorithm with that name, null if the library has none; and the names of all algorithms.
LibraryAlgorithm const* named(LibraryCollective const& collective, std::string_view name);
std::vector<std::string> names_of(LibraryCollective const& collective);

/// The names of Open MPI's collectives by their numbers.
std::vector<std::string> const& names_of_ompi();

/// Sets the algorithm of a rule by the name in the file. If Rondo does not know the name, the rule gets none, with a
/// remark, because newer libraries have more algorithms.
void name_algorithm(Rules& rules, Rule& rule, LibraryCollective const& collective, std::string const& name);
/// Sets Open MPI's fan of a rule that has its algorithm already: the number of chains or the radix.
void set_fan(Rule& rule, std::int64_t fan);

}  // namespace rondo::rules
