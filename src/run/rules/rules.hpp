#pragma once

// Rules that tell a library which algorithm to use, by collective, number of ranks and size of the message: the
// content of a rules file in any format. Sizes have the library's own meaning (MessageSize). Each format is written
// and read by one source. Readers get the text and the name of the file. They throw InputError for files that the
// library would not read, or would read in a different way.

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "run/rules/library.hpp"

namespace rondo {

inline constexpr int any_ranks = std::numeric_limits<int>::max();
inline constexpr Bytes any_size{std::numeric_limits<std::int64_t>::max()};

/// The placement of a call's ranks on hosts that a rule requires.
struct HostRequirement {
  std::optional<int> number = {};  ///< the number of hosts that have ranks
  bool one_rank_each = false;      ///< no host has two ranks
  bool one_host = false;           ///< all ranks are on one host
  bool two_levels = false;         ///< there are several hosts, one of which has several ranks
};

/// The algorithm for these numbers of ranks and these sizes of messages; both ends are included.
struct Rule {
  int from_ranks = 0, to_ranks = any_ranks;
  Bytes from{0}, to = any_size;
  LibraryAlgorithm const* algorithm = nullptr;  ///< null: the library's own decision, or `name`
  Bytes segment{0};                             ///< 0: one segment
  int fan = 0;                                  ///< the chains or the radix that the file states; 0: none
  HostRequirement hosts = {};
  std::string name = {};       ///< the file's name of an algorithm that Rondo does not know
  bool within_a_host = false;  ///< its algorithm uses the memory of one host
  std::string asks = {};       ///< another condition, which no machine states; such a rule is not judged
  std::string place = {};      ///< "FILE:LINE" or "FILE: /pointer" of a rule that was read
};

/// The rules of a collective.
struct CollectiveRules {
  std::string name;
  LibraryCollective const* collective = nullptr;  ///< null: one that Rondo does not have
  std::vector<Rule> rules = {};                   ///< the first that fits holds
};

/// The content of a file.
struct Rules {
  RulesFormat format;
  std::vector<CollectiveRules> collectives = {};
  std::vector<std::string> remarks = {};  ///< on entries that the library would read differently or skip
};

/// Groups of successive rules for the same numbers of ranks.
std::vector<std::span<Rule const>> by_ranks(std::vector<Rule> const& rules);

/// The text of a rules file with these rules, whose sizes must ascend without a gap for each range of numbers of ranks.
/// `notes` are lines about the origin of the rules; JSON has no place for them.
std::string rules_text(Rules const& rules, std::vector<std::string> const& notes);

/// The rules of a file, whose format is recognized by its text. Throws InputError, also for formats of other parts of
/// these libraries, which the error names. `ranks_of_a_host` is that of the machine for which the rules are.
Rules read_rules(std::string const& file, int ranks_of_a_host = 1);

}  // namespace rondo

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
