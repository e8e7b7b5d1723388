// Algorithm 1 of [Mirsadeghi17] as each rank carries it out, with the messages that it needs.

#include "mpi/setup/common_neighbors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi/setup/friend_pairing.hpp"

namespace rondo::mpi {
namespace {

using generate::Combining;
using Ranks = std::vector<Rank>;  // ascending

/// Follow the tags of Algorithm 2 (PairingTag).
enum Tag : int { list_tag = 3, notice_tag = 4 };

/// What a rank tells a target in an iteration (lines 20 and 26): how the target is served from now on, and by which
/// pair.
enum Outcome : int { unchanged, onloaded, offloaded, done };
using Notice = std::array<int, 2>;

/// Sorted, without repetitions and without the rank itself.
Ranks distinct(Ranks list, Rank self) {
  std::erase(list, self);
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

bool holds(Ranks const& list, Rank rank) { return std::binary_search(list.begin(), list.end(), rank); }

void subtract(Ranks& list, Ranks const& removed) {
  std::erase_if(list, [&](Rank each) { return holds(removed, each); });
}

/// A row of M: the active sources of one target, stored as a list or as bits, whichever is shorter.
class Row {
 public:
  Row() = default;
  /// Short lists take less memory than bits.
  Row(std::vector<int> const& sources, int ranks) {
    if (sources.size() * 32 < static_cast<std::size_t>(ranks)) {
      list_ = sources;
      return;
    }
    bits_.resize(static_cast<std::size_t>(ranks));
    for (int const source : sources) bits_[static_cast<std::size_t>(source)] = true;
  }
  bool holds(Rank rank) const {
    if (bits_.empty()) return std::binary_search(list_.begin(), list_.end(), rank.value);
    return bits_[static_cast<std::size_t>(rank.value)];
  }

 private:
  std::vector<int> list_;  ///< ascending
  std::vector<bool> bits_;
};

/// Algorithm 1 as one rank carries it out, by messages.
class CombiningProgram {
 public:
  /// Begins with all edges active.
  CombiningProgram(Ranks targets, Ranks sources, problem::CommonNeighbors const& options, MPI_Comm comm)
      : options_(options), messages_(comm) {
    ranks_ = size_of(comm);
    self_ = Rank(rank_in(comm));
    targets_ = all_targets_ = distinct(std::move(targets), self_);
    looping_ = sources_ = distinct(std::move(sources), self_);
  }

  /// A rank without friends still serves its sources until all of them are done.
  LocalPattern run() && {
    ask_targets(result_.setup.build);
    result_.friends = static_cast<int>(friends_.size());
    while (!friends_.empty()) iterate();
    tell_done();
    result_.targets = targets_;
    while (!looping_.empty()) serve();
    messages_.sent();
    result_.sources = sources_;
    return std::move(result_);
  }

 private:
  /// In each iteration some pair, somewhere, ends at least theta active edges, so their number is bounded.
  LocalIteration& next_iteration() {
    // There is one more iteration, in which sources that have left the loop say so.
    std::int64_t const bound = std::int64_t{ranks_} * ranks_ / options_.theta + 1;
    expects(static_cast<std::int64_t>(result_.iterations.size()) < bound, "each iteration ends theta edges");
    return result_.iterations.emplace_back();
  }

  /// Pairs with a friend, divides common targets, and tells the targets.
  void iterate() {
    LocalIteration& iteration = next_iteration();
    Pairing const pairing = pair_with_a_friend(messages_, self_, ranks_, friends_, options_);
    iteration.pairing_rounds = pairing.rounds;
    result_.setup.pairing += pairing.messages;
    result_.setup.pairing_printed += pairing.messages_printed;
    if (pairing.partner) divide(*pairing.partner, iteration);
    notify(iteration);
    subtract(targets_, iteration.offloads);
    if (options_.combining == Combining::single) subtract(targets_, iteration.onloads);
    ask_targets(result_.setup.update);
  }

  /// Lines 8 to 18: divides the common neighbors between this rank and its partner.
  void divide(Rank partner, LocalIteration& iteration) {
    Ranks common;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (rows_[i].holds(partner)) common.push_back(targets_[i]);
    }
    std::size_t const half = options_.half == generate::Half::floor ? common.size() / 2 : (common.size() + 1) / 2;
    auto const middle = common.begin() + static_cast<std::ptrdiff_t>(half);
    iteration.partner = partner;
    iteration.onloads.assign(common.begin(), middle);
    iteration.offloads.assign(middle, common.end());
    if (partner < self_) iteration.onloads.swap(iteration.offloads);
    if (holds(all_targets_, partner)) ++result_.savable_messages;
  }

  /// Lines 20 and 21: tells the targets about this iteration.
  void notify(LocalIteration& iteration) {
    int const partner = iteration.partner ? iteration.partner->value : -1;
    std::array<Notice, 3> const notices{Notice{unchanged, partner}, Notice{onloaded, partner},
                                        Notice{offloaded, partner}};
    for (Rank const target : targets_) {
      Outcome const outcome = holds(iteration.onloads, target)    ? onloaded
                              : holds(iteration.offloads, target) ? offloaded
                                                                  : unchanged;
      messages_.post(target, notice_tag, notices[outcome]);
    }
    result_.setup.notify += static_cast<std::int64_t>(targets_.size());
    take_notices(iteration);
    messages_.sent();
  }

  /// Line 26: tells the targets that this rank has left the loop. Nobody waits for these messages before the next
  /// iteration.
  void tell_done() {
    static constexpr Notice notice{done, -1};
    for (Rank const target : targets_) messages_.post(target, notice_tag, notice);
    result_.setup.notify += static_cast<std::int64_t>(targets_.size());
  }

  /// Takes one notice from each source that is in the loop.
  void take_notices(LocalIteration& iteration) {
    Ranks ended, quiet;
    for (ShortMessage const& message : messages_.collect(looping_.size(), notice_tag, 2)) {
      int const outcome = message.content[0];
      if (outcome == onloaded) iteration.incoming.push_back({message.from, Rank(message.content[1])});
      if (outcome == done) quiet.push_back(message.from);
      if (outcome == offloaded || (outcome == onloaded && options_.combining == Combining::single)) {
        ended.push_back(message.from);
      }
    }
    std::sort(iteration.incoming.begin(), iteration.incoming.end());
    std::sort(ended.begin(), ended.end());
    std::sort(quiet.begin(), quiet.end());
    subtract(sources_, ended);
    subtract(looping_, ended);
    subtract(looping_, quiet);
  }

  /// Lines 28 to 30, and the duties that line 23 gives to a rank that has left the loop.
  void serve() {
    take_notices(next_iteration());
    std::vector<int> const list = sources_list();
    tell_sources(list, result_.setup.update);
    result_.setup.update_by_done += static_cast<std::int64_t>(looping_.size());
    messages_.sent();
  }

  /// Lines 1 and 23, each followed by 2 and 24: asks all targets for their rows of M, and sends each source in the loop
  /// a list.
  void ask_targets(std::int64_t& messages) {
    std::vector<int> const list = sources_list();
    tell_sources(list, messages);
    rows_.assign(targets_.size(), {});
    std::vector<int> common(static_cast<std::size_t>(ranks_), 0);
    for (std::size_t left = targets_.size(); left > 0; --left) {
      ShortMessage const message = messages_.next(list_tag, ranks_);
      for (int const source : message.content) ++common[static_cast<std::size_t>(source)];
      auto const place = std::lower_bound(targets_.begin(), targets_.end(), message.from) - targets_.begin();
      rows_[static_cast<std::size_t>(place)] = Row(message.content, ranks_);
    }
    messages_.sent();
    find_friends(common);
  }

  std::vector<int> sources_list() const {
    std::vector<int> list;
    for (Rank const source : sources_) list.push_back(source.value);
    return list;
  }
  void tell_sources(std::vector<int> const& list, std::int64_t& messages) {
    for (Rank const source : looping_) messages_.post(source, list_tag, list);
    messages += static_cast<std::int64_t>(looping_.size());
  }

  /// Ranks with at least theta common targets.
  void find_friends(std::vector<int> const& common) {
    friends_.clear();
    for (int rank = 0; rank < ranks_; ++rank) {
      int const shared = common[static_cast<std::size_t>(rank)];
      if (shared >= options_.theta && Rank(rank) != self_) friends_.push_back({Rank(rank), shared});
    }
  }

  problem::CommonNeighbors options_;
  ShortMessages messages_;
  Rank self_;
  int ranks_ = 0;
  Ranks all_targets_;
  Ranks targets_, sources_;  ///< O_a and I_a
  Ranks looping_;            ///< the ranks of sources_ that have not said that they are done
  std::vector<Row> rows_;    ///< M: of each of targets_
  std::vector<Friend> friends_;
  LocalPattern result_;
};

}  // namespace

LocalPattern common_neighbors(std::vector<Rank> targets, std::vector<Rank> sources,
                              problem::CommonNeighbors const& options, MPI_Comm comm) {
  if (options.theta < 2) throw InputError(fmt::format("theta must be an integer from 2, got {}", options.theta));
  return CombiningProgram(std::move(targets), std::move(sources), options, comm).run();
}

}  // namespace rondo::mpi
