// Writes the clauses of formula.hpp. Their order and the numbers of variables are part of the format of proofs.

#include "optimum/formula.hpp"

#include <algorithm>

namespace rondo::optimum {

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
