// Finds deadlocks: lets every rank go on as far as its messages allow. What is left waits in cycles, or for a rank that
// does.

#include <algorithm>
#include <limits>

#include "schedule/verify_parts.hpp"

namespace rondo::verification {
namespace {

/// Whether a send ends at once, or only when it has met its receive.
enum class Sends : std::uint8_t { eager, rendezvous };

constexpr Rank nobody{-1};

/// `rank` stays in `round` until rank `on` reaches round `until`, in which that rank posts the other end of a message.
struct Wait {
  Rank rank;
  int round = 0;
  Rank on;  ///< nobody: the other end is never posted
  int until = 0;
};

/// The waits of all ranks. A rank leaves a round when posted sends have is_over its receives and, under rendezvous,
/// posted receives have is_over its sends.
std::vector<Wait> waits_of(std::vector<Message> const& messages, Sends sends) {
  std::vector<Wait> waits;
  for (Message const& message : messages) {
    if (message.received > 0) {
      waits.push_back({message.target, message.received, message.sent > 0 ? message.source : nobody, message.sent});
    }
    if (sends == Sends::rendezvous && message.sent > 0) {
      waits.push_back({message.source, message.sent, message.received > 0 ? message.target : nobody, message.received});
    }
  }
  std::sort(waits.begin(), waits.end(),
            [](Wait const& a, Wait const& b) { return a.rank != b.rank ? a.rank < b.rank : a.round < b.round; });
  return waits;
}

/// Lets every rank run as far as it can.
class Progress {
 public:
  /// Sorts waits by rank, and lets all ranks go on.
  Progress(int ranks, std::vector<Wait> waits)
      : ranks_(static_cast<std::size_t>(ranks)), waits_(std::move(waits)), next_(ranks_ + 1, 0), blocked_on_(ranks_) {
    for (Wait const& wait : waits_) ++next_[index(wait.rank) + 1];
    for (std::size_t r = 0; r < ranks_; ++r) next_[r + 1] += next_[r];
    end_.assign(next_.begin() + 1, next_.end());
    run();
  }

  /// Whether every rank has come to its end.
  bool ended() const {
    for (std::size_t r = 0; r < ranks_; ++r) {
      if (stuck(r)) return false;
    }
    return true;
  }

  /// The round in which a rank is stuck; a number past all rounds if it has ended.
  int round(std::size_t rank) const {
    return stuck(rank) ? waits_[next_[rank]].round : std::numeric_limits<int>::max();
  }

  /// A shortest cycle of ranks in which each waits for the next, from its lowest rank on; empty if there is no such
  /// cycle.
  std::vector<std::size_t> shortest_cycle() const {
    std::vector<std::size_t> best;
    for (std::size_t r = 0; r < ranks_ && best.size() != 2; ++r) {
      if (!stuck(r)) continue;
      std::vector<std::size_t> cycle = cycle_through(r, best.empty() ? ranks_ + 1 : best.size());
      if (!cycle.empty()) best = std::move(cycle);
    }
    return best;
  }

 private:
  static std::size_t index(Rank rank) { return static_cast<std::size_t>(rank.value); }
  bool stuck(std::size_t rank) const { return next_[rank] < end_[rank]; }
  bool is_over(Wait const& wait) const { return wait.on != nobody && round(index(wait.on)) >= wait.until; }

  /// When a rank enters a new round, the ranks that wait for it are tried again.
  void run() {
    std::vector<std::size_t> ready(ranks_);
    for (std::size_t r = 0; r < ranks_; ++r) ready[r] = r;
    while (!ready.empty()) {
      std::size_t const rank = ready.back();
      ready.pop_back();
      int const before = round(rank);
      while (stuck(rank) && is_over(waits_[next_[rank]])) ++next_[rank];
      if (stuck(rank) && waits_[next_[rank]].on != nobody) blocked_on_[index(waits_[next_[rank]].on)].push_back(rank);
      if (round(rank) > before) {
        ready.insert(ready.end(), blocked_on_[rank].begin(), blocked_on_[rank].end());
        blocked_on_[rank].clear();
      }
    }
  }

  /// Calls `visit` with each rank for which this one waits in its round.
  template <typename Visit>
  void each_awaited(std::size_t rank, Visit const& visit) const {
    for (std::size_t i = next_[rank]; i < end_[rank] && waits_[i].round == round(rank); ++i) {
      if (waits_[i].on != nobody && !is_over(waits_[i])) visit(index(waits_[i].on));
    }
  }

  /// Searches breadth first for a cycle through `start` of fewer than `limit` ranks.
  std::vector<std::size_t> cycle_through(std::size_t start, std::size_t limit) const {
    std::vector<std::size_t> reached{start}, before(ranks_, ranks_), depth(ranks_, 1);
    for (std::size_t i = 0; i < reached.size(); ++i) {
      std::size_t const rank = reached[i];
      if (depth[rank] >= limit) break;
      bool closed = false;
      each_awaited(rank, [&](std::size_t awaited) {
        closed = closed || awaited == start;
        if (awaited == start || before[awaited] != ranks_) return;
        before[awaited] = rank;
        depth[awaited] = depth[rank] + 1;
        reached.push_back(awaited);
      });
      if (closed) return path(start, rank, before);
    }
    return {};
  }

  /// The path that a search found.
  static std::vector<std::size_t> path(std::size_t start, std::size_t last, std::vector<std::size_t> const& before) {
    std::vector<std::size_t> ranks{last};
    while (ranks.back() != start) ranks.push_back(before[ranks.back()]);
    std::reverse(ranks.begin(), ranks.end());
    return ranks;
  }

  std::size_t ranks_;
  std::vector<Wait> waits_;                           ///< by (rank, round)
  std::vector<std::size_t> next_, end_;               ///< by rank: its waits that are not over
  std::vector<std::vector<std::size_t>> blocked_on_;  ///< by rank: those that look again when it gets on
};

/// At most 16 ranks are named.
std::string cycle_name(std::vector<std::size_t> const& cycle) {
  constexpr std::size_t most_named = 16;
  std::string text = "circular wait: ";
  for (std::size_t i = 0; i < std::min(cycle.size(), most_named); ++i) {
    text += i == 0 ? fmt::format("rank {} waits for rank {}", cycle[0], cycle[1 % cycle.size()])
                   : fmt::format(", {} for {}", cycle[i], cycle[(i + 1) % cycle.size()]);
  }
  if (cycle.size() > most_named) text += fmt::format(", ... ({} ranks in total)", cycle.size());
  return text;
}

std::string under(Sends sends) {
  return sends == Sends::eager ? " even if sends are eager" : " if sends are rendezvous";
}

/// Reports a shortest cycle; returns false if there is none.
bool report_cycle(Progress const& progress, Sends sends, Findings& findings) {
  std::vector<std::size_t> const cycle = progress.shortest_cycle();
  if (cycle.empty()) return false;
  findings.add(Fault::circular_wait, Rank(static_cast<std::int32_t>(cycle[0])), progress.round(cycle[0]), std::nullopt,
               [&] { return cycle_name(cycle) + under(sends); });
  return true;
}

/// For schedules in which all ranks are always in the same round: reports the first message that stops them forever,
/// because one of its ends belongs to a later round.
void report_deadlock(std::vector<Message> const& messages, Findings& findings) {
  Message const* first = nullptr;
  for (Message const& message : messages) {
    if (!message.whole() || message.sent <= message.received) continue;
    if (first == nullptr || message.received < first->received) first = &message;
  }
  Sends const sends = first != nullptr ? Sends::eager : Sends::rendezvous;
  for (Message const& message : messages) {
    if (sends == Sends::eager || !message.whole() || message.received <= message.sent) continue;
    if (first == nullptr || message.sent < first->sent) first = &message;
  }
  if (first == nullptr) return;
  int const round = std::min(first->sent, first->received);
  findings.add(Fault::circular_wait, Rank(0), round, std::nullopt, [&] {
    return fmt::format("circular wait: each rank waits for another as rank {} for rank {}{}",
                       sends == Sends::eager ? first->target.value : first->source.value,
                       sends == Sends::eager ? first->source.value : first->target.value, under(sends));
  });
}

}  // namespace

/// Looks for deadlocks with eager sends first. Only if there are none, it looks for those with sends that wait for
/// their receives. Returns whether all ranks end if sends are eager.
bool check_waits(Subject const& subject, std::vector<Message> const& messages, Findings& findings) {
  bool const all_met =
      std::all_of(messages.begin(), messages.end(), [](Message const& message) { return message.sent > 0; });
  // A rank waits only for one that has not reached the round of their message. Where that round is the same at both
  // ends, the other is in an earlier round, and so is the one it waits for in turn: the waits cannot close a cycle.
  bool const same_rounds = std::all_of(messages.begin(), messages.end(), [](Message const& message) {
    return !message.whole() || message.sent == message.received;
  });
  if (same_rounds) return all_met;
  if (subject.scope == Scope::representative) {
    report_deadlock(messages, findings);
    return all_met && std::none_of(messages.begin(), messages.end(), [](Message const& message) {
             return message.received > 0 && message.sent > message.received;
           });
  }
  Progress const eager(subject.schedule.ranks, waits_of(messages, Sends::eager));
  if (!report_cycle(eager, Sends::eager, findings)) {
    report_cycle(Progress(subject.schedule.ranks, waits_of(messages, Sends::rendezvous)), Sends::rendezvous, findings);
  }
  return eager.ended();
}

}  // namespace rondo::verification
