#pragma once

// The ports of all ranks under linear timing, and the messages that wait for them. transfer_times.hpp and
// transfer_times.hpp say how long a message occupies its ports.
//
// Messages have the priority in which they became ready: the first one has the highest. Among the messages whose source
// has a free send port and whose target has a free receive port, the one of highest priority starts, until no such
// message is left. Then time advances to the next finish. Only a rank that gained a free port or a ready message since
// the last start can start something new. It proposes the best of its messages that can start, and the best of all
// proposals starts.

#include <cstdint>
#include <span>
#include <vector>

#include "base/column.hpp"
#include "base/ids.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/queue.hpp"

namespace rondo::native {

/// Arrays with an entry for each send, and for each receive.
struct ReadyLists {
  Column<std::uint32_t> sends, receives;
};

/// Gives ports to messages by priority. Work is in proportion to the ranks and messages that change, not to all of
/// them.
class Ports {
 public:
  /// The lists of ready messages are written into `lists`. The entry of a send or a receive is free for other use until
  /// it is posted, because a list is never longer than the number of posted messages.
  Ports(Messages const& messages, int ports, ReadyLists& lists);

  /// These messages are ready now. The first one has the highest priority among them.
  void add(std::span<std::uint32_t const> messages);
  /// Starts every message that can start, and returns them; valid until the next call.
  std::span<std::uint32_t const> start();
  /// These messages have finished, and free their ports.
  void release(std::span<std::uint32_t const> finished);

 private:
  enum class State : std::uint8_t {
    still,  ///< it cannot start a message: it has no free port or no ready message
    fresh,  ///< it gained a port or a message since the last start
    idle    ///< a source that has a free port, but none of its messages could start
  };
  /// The ready messages of a rank, the best one first, in its part of the lists. Some of them may have started.
  struct List {
    std::uint32_t head = 0, tail = 0;
    std::uint32_t open = 0;   ///< how many of them have not started
    std::int32_t last = 0;    ///< the partner of the last message of the list
    bool ascending = true;    ///< whether their partners ascend
    bool consecutive = true;  ///< whether their numbers are consecutive
  };
  /// A message that may start, with its ends; `nothing` if there is none.
  struct Candidate {
    std::uint32_t message = nothing;
    std::int32_t source = 0, target = 0;
  };
  /// All ranks as sources, or as targets.
  struct Side {
    Column<std::uint32_t>& ready;
    Column<std::int32_t> const& partner;  ///< by message: its rank on the other side
    std::vector<List> lists;
    std::vector<std::int32_t> free;  ///< ports
    std::vector<State> state;
    std::vector<std::int32_t> fresh;
    BitRows open;    ///< by rank, the partners of messages that have not started; only where lists ascend
    BitRow matches;  ///< the ranks that partners may start a message with: free targets, idle sources
  };
  /// Sources in state idle, in no order that matters.
  struct Idle {
    std::vector<std::int32_t> ranks;
    std::vector<std::uint32_t> place;  ///< by rank
  };

  static Side side(Column<std::uint32_t>& ready, std::vector<std::uint32_t> const& first,
                   Column<std::int32_t> const& partner, int ports);
  void mark_fresh(Side& side, std::int32_t rank);
  void join_idle(std::int32_t source);
  void leave_idle(std::int32_t source);
  void list(Side& side, std::int32_t rank, std::uint32_t message);
  static void unlist(Side& side, std::int32_t rank, std::int32_t partner);
  void choose_proposers();
  void propose(std::size_t proposer, Candidate const& candidate);
  Candidate first_of(std::int32_t source);
  void fetch_first(std::size_t fresh) const;
  static std::uint32_t find(Side const& side, List const& list, std::int32_t partner);
  std::uint32_t candidate(Side& side, Side const& other, std::int32_t rank, std::int32_t& partner) const;
  Candidate candidate_of_source(std::int32_t source);
  Candidate candidate_of_target(std::int32_t target);
  Candidate serve(Candidate const& best);
  void launch(Candidate const& message);
  void settle();

  Messages const& messages_;
  Side sources_, targets_;
  Idle idle_;
  Column<std::uint32_t> priority_;  ///< by message, lowest best; nothing: not ready yet, or started
  std::uint32_t next_priority_ = 0;
  Proposals proposals_;
  std::vector<Candidate> proposed_;  ///< by proposer: sources, then targets
  std::vector<std::uint32_t> started_;
};

}  // namespace rondo::native
