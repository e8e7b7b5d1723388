#pragma once

// The formats of rules files, each written and read in one file. Readers get the text and the name of the file, and
// throw InputError for what the library would not read, or would read as something else.

#include "run/rules/rules.hpp"

namespace rondo::rules {

std::string ompi_text(Rules const& rules, std::vector<std::string> const& notes);
Rules read_ompi(std::string const& text, std::string const& file);

std::string ompi_json_text(Rules const& rules);
Rules read_ompi_json(std::string const& text, std::string const& file);

std::string mpich_text(Rules const& rules);
/// `ranks_of_a_host`: of the machine; with several, a condition on how ranks lie on hosts is left open.
Rules read_mpich(std::string const& text, std::string const& file, int ranks_of_a_host);

std::string nccl_text(Rules const& rules, std::vector<std::string> const& notes);
Rules read_nccl(std::string const& text, std::string const& file);

/// The collective of that name or number, null if Rondo has none such.
LibraryCollective const* named(RulesFormat format, std::string_view name);
LibraryCollective const* numbered(RulesFormat format, int number);
/// The algorithm of that name, null if the library has none such; and the names of all.
LibraryAlgorithm const* named(LibraryCollective const& collective, std::string_view name);
std::vector<std::string> names_of(LibraryCollective const& collective);

/// The names of Open MPI's collectives by their numbers.
std::vector<std::string> const& names_of_ompi();

/// Gives the rule an algorithm by the name that the file has for it. A name that Rondo does not know leaves the rule
/// without one, with a remark: newer libraries have more algorithms.
void name_algorithm(Rules& rules, Rule& rule, LibraryCollective const& collective, std::string const& name);
/// Open MPI's fan of a rule that has its algorithm: the chains or the radix that the library takes for that number.
void set_fan(Rule& rule, std::int64_t fan);

}  // namespace rondo::rules
