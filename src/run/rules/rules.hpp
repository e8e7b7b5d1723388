#pragma once

// Which algorithm a library is to take, by collective, number of ranks and size of the message: what a rules file says,
// whatever its format. Sizes are the library's own (MessageSize).

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

/// How the ranks of a call have to lie on hosts for a rule to hold.
struct AskedHosts {
  std::optional<int> number = {};  ///< so many hosts have ranks
  bool one_rank_each = false;      ///< no host has two ranks
  bool one_host = false;           ///< all ranks are on one host
  bool two_levels = false;         ///< there are several hosts, one of which has several ranks
};

/// The algorithm for these numbers of ranks and these sizes of messages, both ends included.
struct Rule {
  int from_ranks = 0, to_ranks = any_ranks;
  Bytes from{0}, to = any_size;
  LibraryAlgorithm const* algorithm = nullptr;  ///< null: the library's own decision, or `name`
  Bytes segment{0};                             ///< 0: one segment
  int fan = 0;                                  ///< the chains or the radix that the file states; 0: none
  AskedHosts hosts = {};
  std::string name = {};       ///< what the file calls an algorithm that Rondo does not know
  bool within_a_host = false;  ///< what it names goes by the memory of one host
  std::string asks = {};       ///< what else has to hold that no machine says: such a rule is not judged
  std::string place = {};      ///< "FILE:LINE" or "FILE: /pointer" of a rule that was read
};

struct CollectiveRules {
  std::string name;
  LibraryCollective const* collective = nullptr;  ///< null: one that Rondo does not have
  std::vector<Rule> rules = {};                   ///< the first that fits holds
};

struct Rules {
  RulesFormat format;
  std::vector<CollectiveRules> collectives = {};
  std::vector<std::string> remarks = {};  ///< on what the library would read in another way, or pass over
};

/// Neighboring rules for the same numbers of ranks.
std::vector<std::span<Rule const>> by_ranks(std::vector<Rule> const& rules);

/// The text of a rules file of these rules, whose sizes ascend without a gap for each numbers of ranks. `notes` are
/// lines about where it comes from; JSON has no place for them.
std::string rules_text(Rules const& rules, std::vector<std::string> const& notes);

/// The rules of a file in one of the formats, which its text shows. Throws InputError, also for the formats of other
/// parts of these libraries, which are named. `ranks_of_a_host`: of the machine that the rules are for.
Rules read_rules(std::string const& file, int ranks_of_a_host = 1);

}  // namespace rondo
