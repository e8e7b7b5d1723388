// Makes the question of a promise, and writes the clauses of its formula. Reductions become the reversed problem: a
// reduction read backwards is a broadcast with the same rounds and blocks. The order of clauses and the numbers of
// variables are part of the format of proofs.

#include "optimum/question.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"

namespace rondo::optimum {
namespace {

using Named = std::map<Content, Block>;

/// Adds a reduction as a block that spreads from its target to all contributors.
void add_reduction(Named& blocks, std::map<Content, std::vector<int>> const& held, Owed const& owed, int rank,
                   int ranks) {
  std::set<int> wanted;
  for (std::size_t i = 0; i < owed.contributions(); ++i) {
    Content const each = owed.contribution(i);
    bool const own = held.contains(each) && held.at(each) == std::vector<int>{each.origin.value};
    if (!own || !wanted.insert(each.origin.value).second) {
      throw InputError("expected reductions to which each rank contributes a block of its own, once");
    }
  }
  if (static_cast<int>(wanted.size()) < ranks) {
    throw InputError("expected reductions to which every rank contributes");
  }
  wanted.erase(rank);
  bool const first = std::ranges::none_of(blocks, [&](auto const& each) { return each.first.block == owed.block; });
  if (!first)
    throw InputError("expected a reduction whose result goes to one rank, got one whose result goes to several");
  blocks[{Rank(rank), owed.block}] = {{rank}, {wanted.begin(), wanted.end()}};
}

void add_whole(Named& blocks, std::map<Content, std::vector<int>> const& held, Content const& content, int rank) {
  Block& block = blocks[content];
  auto const found = held.find(content);
  if (found == held.end()) throw InputError("expected blocks that a rank holds, got one that nobody holds");
  block.held = found->second;
  if (std::ranges::binary_search(block.held, rank)) return;
  if (block.wanted.empty() || block.wanted.back() != rank) block.wanted.push_back(rank);
}

bool reduces(Collective const& promise) {
  for (int r = 0; r < ranks(promise); ++r) {
    auto const all = owed(promise, Rank(r));
    if (std::ranges::any_of(all, [](Owed const& each) { return each.contributions() > 1; })) return true;
  }
  return false;
}

void reverse(Links& links) {
  if (!links) return;
  for (Link& each : *links) std::swap(each.from, each.to);
  std::ranges::sort(*links);
}

}  // namespace

/// The ranks that hold each block, ascending.
std::map<Content, std::vector<int>> holders(Collective const& promise) {
  std::map<Content, std::vector<int>> result;
  for (int r = 0; r < ranks(promise); ++r) {
    for (Content const& content : held(promise, Rank(r))) {
      std::vector<int>& of = result[content];
      if (of.empty() || of.back() != r) of.push_back(r);
    }
  }
  return result;
}

Question question_of(Collective const& promise, int ports, Links links) {
  Question question{.ranks = ranks(promise), .ports = ports, .links = std::move(links)};
  question.reversed = reduces(promise);
  ReductionRules const rules = reduction_rules(promise);
  if (question.reversed && (rules.ordered || rules.same_bits)) {
    throw InputError("expected an operator that commutes, got one that does not");
  }
  std::map<Content, std::vector<int>> const held = holders(promise);
  Named blocks;
  for (int r = 0; r < question.ranks; ++r) {
    for (Owed const& each : owed(promise, Rank(r))) {
      if (each.nobodys()) continue;
      if (question.reversed) {
        add_reduction(blocks, held, each, r, question.ranks);
      } else {
        add_whole(blocks, held, *each.whole(), r);
      }
    }
  }
  if (question.reversed) reverse(question.links);
  for (auto& [name, block] : blocks) {
    if (block.wanted.empty()) continue;
    question.names.push_back(name);
    question.blocks.push_back(std::move(block));
  }
  return question;
}

Question hearing_question(Collective const& promise, int ports, Links links) {
  Question question{.ranks = ranks(promise), .ports = ports, .links = std::move(links)};
  std::map<Content, std::vector<int>> const held = holders(promise);
  std::map<std::vector<int>, std::set<int>> wanted;
  for (int r = 0; r < question.ranks; ++r) {
    for (Owed const& each : owed(promise, Rank(r))) {
      for (std::size_t i = 0; i < each.contributions(); ++i) {
        auto const found = held.find(each.contribution(i));
        if (found == held.end() || std::ranges::binary_search(found->second, r)) continue;
        wanted[found->second].insert(r);
      }
    }
  }
  for (auto const& [from, to] : wanted) {
    question.names.push_back({Rank(from.front()), BlockId(static_cast<std::uint32_t>(question.names.size()))});
    question.blocks.push_back({from, {to.begin(), to.end()}});
  }
  return question;
}

Merged merged(Question const& question) {
  Merged result{question, {}};
  result.question.blocks.clear();
  result.question.names.clear();
  std::map<std::vector<int>, std::vector<int>> by_holders;
  for (std::size_t i = 0; i < question.blocks.size(); ++i) {
    by_holders[question.blocks[i].held].push_back(static_cast<int>(i));
  }
  for (auto const& [held, parts] : by_holders) {
    std::set<int> wanted;
    for (int const part : parts) {
      Block const& block = question.blocks[static_cast<std::size_t>(part)];
      wanted.insert(block.wanted.begin(), block.wanted.end());
    }
    result.question.blocks.push_back({held, {wanted.begin(), wanted.end()}});
    result.question.names.push_back(question.names[static_cast<std::size_t>(parts.front())]);
    result.parts.push_back(parts);
  }
  return result;
}

/// A link of width w is w channels. If messages have any size, one channel carries everything.
std::vector<Link> channels(Question const& question, bool any_size) {
  std::vector<Link> result;
  auto const add = [&](int from, int to, int width) {
    int const copies = any_size ? 1 : std::min(width, question.ports);
    for (int k = 0; k < copies; ++k) result.push_back({from, to, 1});
  };
  if (question.links) {
    for (Link const& each : *question.links) add(each.from, each.to, each.width);
    return result;
  }
  for (int from = 0; from < question.ranks; ++from) {
    for (int to = 0; to < question.ranks; ++to) {
      if (to != from) add(from, to, question.ports);
    }
  }
  return result;
}

using std::size_t;

Formula::Formula(Question const& question, Limits const& limits)
    : question_(question),
      limits_(limits),
      channels_(channels(question, !limits.message_blocks && !limits.critical_blocks)),
      p_(question.ranks),
      blocks_(static_cast<int>(question.blocks.size())),
      links_(static_cast<int>(channels_.size())),
      rounds_(limits.rounds) {}

/// An estimate, by which formulas that would not fit into memory are refused.
double Formula::clauses_about() const {
  double const carried = static_cast<double>(rounds_) * links_ * blocks_;
  double const counted =
      std::min({limits_.message_blocks.value_or(blocks_), limits_.critical_blocks.value_or(0) + 1, blocks_});
  double const counters = limits_.critical_blocks ? 3 * carried * counted : 0;
  bool const limited = limits_.message_blocks && *limits_.message_blocks < blocks_;
  return 4 * carried + counters + (limited ? 3 * carried * std::min(counted, 8.0) : 0);
}

/// States that at most `most` of the literals are true: by pairs if one of few may be true, otherwise by a counter.
void Formula::at_most(std::vector<int> const& literals, int most) {
  if (static_cast<int>(literals.size()) <= most) return;
  if (most == 0) {
    for (int const each : literals) add({-each});
  } else if (most == 1 && literals.size() <= 16) {
    for (size_t a = 0; a < literals.size(); ++a) {
      for (size_t b = a + 1; b < literals.size(); ++b) add({-literals[a], -literals[b]});
    }
  } else {
    counter(literals, most);
  }
}

/// Sinz's sequential counter, which forbids more than `most` true literals. Returns, for j = 1 .. most, a variable that
/// is true if j of the literals are.
std::vector<int> Formula::counter(std::vector<int> const& literals, int most) {
  std::vector<int> before;
  for (size_t n = 0; n < literals.size(); ++n) {
    int const literal = literals[n];
    std::vector<int> now;
    int const reached = std::min(static_cast<int>(n) + 1, most);
    for (int j = 0; j < reached; ++j) now.push_back(next_++);
    add({-literal, now[0]});
    for (size_t j = 0; j < before.size(); ++j) {
      add({-before[j], now[j]});
      if (j + 1 < now.size()) add({-literal, -before[j], now[j + 1]});
    }
    if (static_cast<int>(before.size()) == most) add({-literal, -before.back()});
    before = std::move(now);
  }
  return before;
}

/// Before the first round, ranks have exactly the blocks that they hold.
void Formula::start() {
  for (int r = 0; r < p_; ++r) {
    for (int i = 0; i < blocks_; ++i) {
      bool const held = std::ranges::binary_search(question_.blocks[static_cast<size_t>(i)].held, r);
      add({held ? has(0, r, i) : -has(0, r, i)});
    }
  }
}

/// A rank uses at most so many channels in each direction.
void Formula::ports(int t) {
  for (int r = 0; r < p_; ++r) {
    std::vector<int> out, in;
    for (int l = 0; l < links_; ++l) {
      if (channels_[static_cast<size_t>(l)].from == r) out.push_back(sends(t, l));
      if (channels_[static_cast<size_t>(l)].to == r) in.push_back(sends(t, l));
    }
    at_most(out, question_.ports);
    at_most(in, question_.ports);
  }
}

/// A rank has a block after a round only if it had it before, or receives it in this round.
void Formula::move(int t) {
  std::vector<std::vector<int>> into(static_cast<size_t>(p_));
  for (int l = 0; l < links_; ++l) into[static_cast<size_t>(channels_[static_cast<size_t>(l)].to)].push_back(l);
  for (int r = 0; r < p_; ++r) {
    for (int i = 0; i < blocks_; ++i) {
      std::vector<int> clause{-has(t, r, i), has(t - 1, r, i)};
      for (int const l : into[static_cast<size_t>(r)]) clause.push_back(carries(t, l, i));
      (*clause_)(clause);
    }
  }
  for (int l = 0; l < links_; ++l) {
    std::vector<int> carried;
    for (int i = 0; i < blocks_; ++i) {
      carried.push_back(carries(t, l, i));
      add({-carries(t, l, i), sends(t, l)});
      add({-carries(t, l, i), has(t - 1, channels_[static_cast<size_t>(l)].from, i)});
    }
    if (limits_.message_blocks) at_most(carried, *limits_.message_blocks);
  }
}

void Formula::goal() {
  for (int i = 0; i < blocks_; ++i) {
    for (int const to : question_.blocks[static_cast<size_t>(i)].wanted) add({has(rounds_, to, i)});
  }
}

/// States, by variables largest(t, j), j = 1 .., that some message of round t carries j blocks, and that all of them
/// together are at most so many.
void Formula::critical() {
  int const most = std::min({limits_.message_blocks.value_or(blocks_), *limits_.critical_blocks, blocks_});
  std::vector<int> all;
  for (int t = 1; t <= rounds_; ++t) {
    std::vector<int> largest;
    for (int j = 0; j < most; ++j) largest.push_back(next_++);
    for (int l = 0; l < links_; ++l) {
      std::vector<int> carried;
      for (int i = 0; i < blocks_; ++i) carried.push_back(carries(t, l, i));
      std::vector<int> const counted = counter(carried, most);
      for (size_t j = 0; j < counted.size(); ++j) add({-counted[j], largest[j]});
    }
    all.insert(all.end(), largest.begin(), largest.end());
  }
  at_most(all, *limits_.critical_blocks);
}

void Formula::write(Clause const& clause) {
  clause_ = &clause;
  next_ = carries(rounds_, links_ - 1, blocks_ - 1) + 1;
  start();
  for (int t = 1; t <= rounds_; ++t) {
    ports(t);
    move(t);
  }
  goal();
  if (limits_.critical_blocks) critical();
}

Moves Formula::moves(std::function<bool(int)> const& value) const {
  Moves result;
  for (int t = 1; t <= rounds_; ++t) {
    for (int l = 0; l < links_; ++l) {
      Link const& channel = channels_[static_cast<size_t>(l)];
      Move move{t, channel.from, channel.to, {}};
      for (int i = 0; i < blocks_; ++i) {
        if (value(carries(t, l, i))) move.blocks.push_back(i);
      }
      if (!move.blocks.empty()) result.push_back(std::move(move));
    }
  }
  return result;
}

}  // namespace rondo::optimum
