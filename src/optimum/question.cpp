// Makes the question of a promise. Reductions become the reversed problem: a reduction read backwards is a broadcast
// with the same rounds and blocks.

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

}  // namespace rondo::optimum
