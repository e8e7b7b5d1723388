#pragma once

// Symbolic replay of a schedule against the promise of its collective. A broken schedule is data: all violations are
// found, each with rank, round and block.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

enum class Fault : std::uint8_t {
  lost_block,         ///< an owed block is not in its place at the end, and nothing else is there
  wrong_place,        ///< another block lies where an owed one should
  duplicate,          ///< a block is delivered once more to its owed place, where it still lies and was not sent on
  overwritten,        ///< a block is written over that is still needed: in the send buffer, never read, already
                      ///< delivered (and missing there at the end if it was sent on meanwhile: it may have passed its
                      ///< goal on its way around a torus), being sent in the same round, or received twice into a place
  not_held,           ///< a place is read that holds no block yet
  size_mismatch,      ///< sender and receiver disagree about the number of places or the bytes of a message
  unmatched_send,     ///< a send that no receive meets
  unmatched_receive,  ///< a receive that no send meets
  round_mismatch,     ///< a message has different round numbers at its two ends
  circular_wait,      ///< ranks wait for each other: a deadlock
  ports,              ///< more sends or receives in a round than the schedule promises or the machine has
  links,              ///< a message between ranks that the promised or the machine's links do not join
  missing,            ///< a contribution that is owed does not enter a reduction
  doubled,            ///< a contribution enters a reduction more often than it is owed there
  foreign,            ///< a contribution enters a reduction where it is not owed
  out_of_order,       ///< contents are joined in another order than that of their contributions, which is promised
  differing_bits,     ///< ranks get the same reduction by different parenthesisations, though not that is promised
  malformed,          ///< a place outside its buffer, a partner that is no rank, a message of a rank to itself
};

/// The name of a fault as it is printed: "lost block", "circular wait", ...
std::string to_string(Fault fault);
/// Whether a schedule with this fault is none at all, rather than one that delivers something else.
bool breaks(Fault fault);

struct Violation {
  Fault fault{};
  Rank rank;
  int round = 0;                 ///< 1..D; 0 for local copies before the first round, D for what is missing at the end
  std::optional<Content> block;  ///< unset where no block is concerned
  std::string text;              ///< one line that names fault, rank, round and block

  friend bool operator==(Violation const&, Violation const&) = default;
};

/// What the machine allows beyond the promises of the schedule.
struct Allowed {
  int ports = 0;                           ///< most sends and most receives a rank posts in a round; 0: unlimited
  std::function<bool(Rank, Rank)> linked;  ///< whether two ranks may talk; empty: all may
};

struct Verdict {
  /// Every owed block lies in its place at the end, and every rank comes to its end if sends are eager.
  bool delivered = false;
  std::int64_t violation_count = 0;
  std::vector<Violation> violations;  ///< the first `most_violations`, by (round, rank)
  /// Redundant receives: blocks received by a rank that held them before, even if it has written over them since, all
  /// ranks; as in Measures, a piece of a block counts as much as it has of its bytes.
  double redundant_blocks = 0;

  static constexpr std::int64_t most_violations = 1000;
  bool valid() const { return delivered && violation_count == 0; }
};

/// Replays the schedule under the semantics of schedule.hpp. Checks that sends and receives match in number, order,
/// round and size, that no rank waits for ever with eager or with rendezvous sends, the promised and allowed ports and
/// links, and that every owed block or reduction is in its place at the end and came there once: nothing that is still
/// needed is written over, and no block is delivered once more to the place where it lies untouched. It may come again
/// to a rank that holds it, in another place or after it was sent on from there; that is no fault but counted
/// (redundant_blocks). A reduction is right if every contribution that is owed enters it as often as it is owed; where
/// the promise says so, in their order, and by the same parenthesisation at all ranks that are owed it. Reductions are
/// compared by fingerprints (verify_reductions.hpp); where any fault is found, the schedule is replayed once more with
/// a log of all joins, which names contributions: a doubled one and an order by the rank and round of the join that
/// made it so, a missing and a foreign one by the rank that is owed. Past 10^7 joins that is left out. What only
/// follows from a fault is left out where it can be told: a block that was never there is reported when it is first
/// read, and where an operation between two ranks is missing, of the messages it shifts the first. Where all ranks do
/// the same, one is replayed for all; a broken schedule is replayed for every rank then, unless that takes more than
/// 2*10^7 block moves: its violations are those of rank 0. Throws ContractViolation only if schedule and collective
/// have different numbers of ranks.
Verdict verify(Schedule const& schedule, Collective const& collective, Allowed const& allowed = {});

/// The first message, by round and rank, over a link that the schedule does not promise or that is not allowed: what a
/// machine refuses also where nothing is proved. Partners that are no ranks are left out. Takes time in proportion to
/// the number of messages, and no time where all ranks may talk.
std::optional<Violation> first_missing_link(Schedule const& schedule, Collective const& collective,
                                            Allowed const& allowed);

}  // namespace rondo
