#pragma once

// Which algorithm a library is to take, by collective, number of ranks and size of the message: what a rules file says,
// whatever its format. Sizes are the library's own (MessageSize).

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "run/rules/library.hpp"

namespace rondo {

inline constexpr int any_ranks = std::numeric_limits<int>::max();
inline constexpr Bytes any_size{std::numeric_limits<std::int64_t>::max()};

/// The algorithm for these numbers of ranks and these sizes of messages, both ends included.
struct Rule {
  int from_ranks = 0, to_ranks = any_ranks;
  Bytes from{0}, to = any_size;
  LibraryAlgorithm const* algorithm = nullptr;  ///< null: the library's own decision
  Bytes segment{0};                             ///< 0: one segment
  std::string place = {};                       ///< "FILE:LINE" or "FILE: /pointer" of a rule that was read
};

struct CollectiveRules {
  std::string name;
  LibraryCollective const* collective = nullptr;  ///< null: one that Rondo does not have
  std::vector<Rule> rules = {};                   ///< the first that fits holds
};

struct Rules {
  RulesFormat format;
  std::vector<CollectiveRules> collectives = {};
};

/// Neighboring rules for the same numbers of ranks.
std::vector<std::span<Rule const>> by_ranks(std::vector<Rule> const& rules);

/// The text of a rules file of these rules, whose sizes ascend without a gap for each numbers of ranks. `notes` are
/// lines about where it comes from; JSON has no place for them.
std::string rules_text(Rules const& rules, std::vector<std::string> const& notes);

/// The rules of a file in one of the formats, which its text shows. Throws InputError.
Rules read_rules(std::string const& file);

}  // namespace rondo
