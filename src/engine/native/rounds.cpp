// Times rounds in which each rank sends and receives at most one message; no event queue is needed. Rounds are read
// from the schedule a few at a time into flat arrays by round and rank. So memory does not grow with the number of
// messages, and each program is read in long runs.

#include <algorithm>

#include "engine/instant.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/run.hpp"

namespace rondo::native {

namespace {

/// The message that a rank sends and the one that it receives in a round.
struct Posted {
  std::int32_t to = nobody, from = nobody;
  double seconds = 0;  ///< how long its send occupies the ports
};

/// One round of all ranks.
struct Round {
  std::vector<Posted> posted;  ///< by rank
  std::int64_t sends = 0, receives = 0, bytes = 0;

  /// Sets the counts to 0. The Reader overwrites every element of `posted`.
  void clear(std::size_t ranks) {
    posted.resize(ranks);
    sends = receives = bytes = 0;
  }
};

/// The times at which the ranks enter the next round, as doubles or as Instants.
template <typename Time>
class Front {
 public:
  Front(std::size_t ranks, Terms const& terms) : now_(ranks, Time(0)), next_(now_) {
    for (std::size_t r = 0; r < terms.arrival.size(); ++r) now_[r] = Time(terms.arrival[r].value);
  }

  /// Advances all ranks by one round. Returns whether every send of the round meets a receive of the round, and every
  /// receive a send. If not, the times are meaningless. If this holds for all rounds, messages match in posting order,
  /// and the times are exact.
  bool advance(Round const& round) {
    if (round.sends != round.receives) return false;
    bool matched = true;
    for (std::size_t r = 0; r < now_.size(); ++r) {
      Posted const& post = round.posted[r];
      Time const entered = now_[r];
      Time left = entered;
      if (post.to != nobody) left = std::max(entered, now_[static_cast<std::size_t>(post.to)]) + post.seconds;
      if (post.from != nobody) {
        Posted const& source = round.posted[static_cast<std::size_t>(post.from)];
        matched &= source.to == static_cast<std::int32_t>(r);
        left = std::max(left, std::max(entered, now_[static_cast<std::size_t>(post.from)]) + source.seconds);
      }
      next_[r] = left;
    }
    now_.swap(next_);
    return matched;
  }

  std::vector<Time> const& times() const { return now_; }

 private:
  std::vector<Time> now_, next_;
};

/// Reads consecutive rounds of all ranks.
class Reader {
 public:
  Reader(Schedule const& schedule, Platform const& platform) : schedule_(schedule), peers_(schedule), costs_(platform) {
    for (Program const& program : schedule.programs) sizes_.emplace_back(program);
  }

  /// Reads the rounds first, first + 1, ... Returns false if a rank posts more than one send or more than one receive
  /// in a round, or names a partner rank that does not exist.
  bool read(int first, std::vector<Round>& rounds) const {
    for (Round& round : rounds) round.clear(static_cast<std::size_t>(schedule_.ranks));
    if (peers_.relative() && schedule_.isomorphic()) return read_isomorphic(first, rounds);
    for (std::int32_t rank = 0; rank < schedule_.ranks; ++rank) {
      if (!read_rank(rank, first, rounds)) return false;
    }
    return true;
  }

 private:
  /// Reads the rounds of one rank. Returns false as read() does.
  bool read_rank(std::int32_t rank, int first, std::vector<Round>& rounds) const {
    Program const& program = schedule_.program(Rank(rank));
    Sizes const& size = sizes_[static_cast<std::size_t>(&program - schedule_.programs.data())];
    int i = first;
    for (Round& round : rounds) {
      Posted& posted = round.posted[static_cast<std::size_t>(rank)];
      posted = {};
      if (i > program.rounds()) continue;
      auto const sends = program.sends(i);
      auto const receives = program.receives(i++);
      if (sends.size() > 1 || receives.size() > 1) return false;
      if (!receives.empty()) {
        ++round.receives;
        posted.from = peers_(rank, receives[0]);
        if (posted.from == nobody) return false;
      }
      if (sends.empty()) continue;
      ++round.sends;
      posted.to = peers_(rank, sends[0]);
      if (posted.to == nobody) return false;
      std::int64_t const bytes = size(sends[0]);
      round.bytes += bytes;
      posted.seconds = costs_(rank, posted.to, bytes).value;
    }
    return true;
  }

  /// Reads rounds of an isomorphic schedule, in which one program serves all ranks.
  bool read_isomorphic(int first, std::vector<Round>& rounds) const {
    Program const& program = schedule_.programs.front();
    int i = first;
    for (Round& round : rounds) {
      std::fill(round.posted.begin(), round.posted.end(), Posted{});
      if (i > program.rounds()) continue;
      auto const sends = program.sends(i);
      auto const receives = program.receives(i++);
      if (sends.size() > 1 || receives.size() > 1) return false;
      if (!receives.empty() && !read_isomorphic_receive(receives[0], round)) return false;
      if (!sends.empty() && !read_isomorphic_send(sends[0], round)) return false;
    }
    return true;
  }

  /// Returns false if the partner rank does not exist.
  bool read_isomorphic_receive(Transfer const& receive, Round& round) const {
    peers_.all(receive, partners_);
    if (!partners_.empty() && partners_[0] == nobody) return false;
    for (std::size_t r = 0; r < partners_.size(); ++r) round.posted[r].from = partners_[r];
    round.receives = schedule_.ranks;
    return true;
  }

  /// Returns false if the partner rank does not exist.
  bool read_isomorphic_send(Transfer const& send, Round& round) const {
    peers_.all(send, partners_);
    if (!partners_.empty() && partners_[0] == nobody) return false;
    std::int64_t const bytes = sizes_.front()(send);
    for (std::int32_t rank = 0; rank < schedule_.ranks; ++rank) {
      Posted& posted = round.posted[static_cast<std::size_t>(rank)];
      posted.to = partners_[static_cast<std::size_t>(rank)];
      posted.seconds = costs_(rank, posted.to, bytes).value;
    }
    round.sends = schedule_.ranks;
    round.bytes = schedule_.ranks * bytes;
    return true;
  }

  Schedule const& schedule_;
  Peers peers_;
  Costs costs_;
  std::vector<Sizes> sizes_;
  mutable std::vector<std::int32_t> partners_;  ///< each rank's partner, while a round is read
};

/// Enough rounds at once to read long runs of each program, and few enough to stay in a cache: 2^20 entries of 16
/// bytes. Beyond 2^18 ranks there are four rounds and more entries.
std::size_t rounds_at_once(int ranks) {
  constexpr std::int64_t most_entries = 1 << 20;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(most_entries / std::max(ranks, 1), 4, 128));
}

/// Whether no round of the first program has several sends or receives. It rejects most other schedules before anything
/// is computed.
bool looks_one_ported(Schedule const& schedule) {
  if (schedule.programs.empty()) return true;
  Program const& program = schedule.programs.front();
  for (int i = 1; i <= program.rounds(); ++i) {
    if (program.sends(i).size() > 1 || program.receives(i).size() > 1) return false;
  }
  return true;
}

double seconds(double time) { return time; }
double seconds(Instant time) { return time.value; }

/// Returns nothing if a rank posts several sends or receives in a round, if a partner rank does not exist, or if an end
/// of a message has no other end in the same round.
template <typename Time>
std::optional<Run> time_rounds(Schedule const& schedule, Platform const& platform, Terms const& terms) {
  Reader const reader(schedule, platform);
  std::vector<Round> rounds(rounds_at_once(schedule.ranks));
  Front<Time> front(static_cast<std::size_t>(schedule.ranks), terms);
  Run run;
  int const last = schedule.rounds();
  for (int first = 1; first <= last; first += static_cast<int>(rounds.size())) {
    terms.deadline.check();
    if (!reader.read(first, rounds)) return std::nullopt;
    for (Round const& round : rounds) {
      if (!front.advance(round)) return std::nullopt;
      run.messages += round.sends;
      run.bytes += round.bytes;
    }
  }
  for (Time const time : front.times()) {
    run.finish.emplace_back(seconds(time));
    run.makespan = std::max(run.makespan, run.finish.back());
  }
  return run;
}

}  // namespace

std::optional<Run> time_one_ported_rounds(Schedule const& schedule, Platform const& platform, Terms const& terms) {
  if (!looks_one_ported(schedule)) return std::nullopt;
  if (schedule.rounds() <= few_rounds) return time_rounds<double>(schedule, platform, terms);
  return time_rounds<Instant>(schedule, platform, terms);
}

}  // namespace rondo::native
