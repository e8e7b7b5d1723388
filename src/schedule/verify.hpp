#pragma once

// Symbolic replay of a schedule against the promise of its collective. It finds all violations of a broken schedule,
// each with rank, round and block: a broken schedule is input like any other, and no reason to stop.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// What may be wrong.
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
  differing_bits,     ///< ranks get a reduction by different parenthesisations, although the same one is promised
  malformed,          ///< a place outside its buffer, a partner rank that does not exist, a message of a rank to itself
};

/// The name of a fault as it is printed: "lost block", "circular wait", ...
std::string to_string(Fault fault);
/// Whether a schedule with this fault cannot run at all, in contrast to one that delivers the wrong blocks.
bool breaks(Fault fault);

/// A fault, with its rank, round and block where they are known.
struct Violation {
  Fault fault{};
  Rank rank;
  int round = 0;                 ///< counted from 1; 0 for local copies before the first round; the number of the last
                                 ///< round for faults that show at the end
  std::optional<Content> block;  ///< unset where no block is concerned
  std::string text;              ///< one line that names fault, rank, round and block

  friend bool operator==(Violation const&, Violation const&) = default;
};

/// What the machine allows, in addition to the promises of the schedule.
struct MachineLimits {
  int ports = 0;                           ///< most sends and most receives a rank posts in a round; 0: unlimited
  std::function<bool(Rank, Rank)> linked;  ///< whether two ranks may talk; empty: all may
};

/// The result: valid if there are no violations.
struct Verdict {
  /// Every owed block lies in its place at the end, and every rank comes to its end if sends are eager.
  bool delivered = false;
  std::int64_t violation_count = 0;
  std::vector<Violation> violations;  ///< the first `most_violations`, sorted by round, then by rank
  /// The number of redundant receives of all ranks: blocks that a rank receives although it has held them before, even
  /// if it has overwritten them since. As in Measures, a piece of a block counts in proportion to its bytes.
  double redundant_blocks = 0;

  static constexpr std::int64_t most_violations = 1000;
  bool valid() const { return delivered && violation_count == 0; }
};

/// Replays the schedule under the semantics of schedule.hpp. It checks:
/// - that sends and receives match in number, order, round and size;
/// - that no rank waits forever, with eager or with rendezvous sends;
/// - the promised and allowed ports and links;
/// - that every owed block or reduction is in its place at the end and came there once: nothing is overwritten that is
///   still needed, and no block is delivered again to the place where it still lies. A block may come again to a rank
///   that holds it, in another place or after it was sent on from there. Such receives are no fault, but are counted
///   (redundant_blocks);
/// - that every owed contribution enters a reduction as often as it is owed and, if the promise says so, in order and
///   by the same parenthesisation at all ranks that are owed the reduction.
/// Reductions are compared by fingerprints (verify_reductions.hpp). If any fault is found, the schedule is replayed
/// once more with a log of all joins, unless there are more than 10^7. The log names contributions: a doubled one, and
/// a wrong order, by the rank and round of the join that made it so; a missing and a foreign one by the rank that is
/// owed the reduction. Consequences of a fault are left out if they can be recognized: a block that never existed is
/// reported where it is first read, and if an operation between two ranks is missing, only the first of the messages
/// that it shifts is reported. If all ranks do the same, only one rank is replayed for all. If such a schedule is
/// broken, it is replayed for every rank; if that would take more than 2*10^7 block moves, only the violations of rank
/// 0 are given. Throws ContractViolation only if schedule and collective have different numbers of ranks.
Verdict verify(Schedule const& schedule, Collective const& collective, MachineLimits const& allowed = {});

/// The first message, by round and rank, over a link that the schedule does not promise or that is not allowed. A
/// machine refuses such a message even if nothing is proved. Partners that do not exist are ignored. Takes time in
/// proportion to the number of messages, and no time if all ranks may talk to each other.
std::optional<Violation> first_missing_link(Schedule const& schedule, Collective const& collective,
                                            MachineLimits const& allowed);

}  // namespace rondo
