#pragma once

// The ports of all ranks under linear timing, and the messages that wait for them.
//
// Messages become ready in the order of their priority: the one ready first comes first. Of the messages whose source
// has a free send port and whose target has a free receive port, the one of highest priority starts, until none is
// left; then time goes on to the next finish. Only a rank that gained a free port or a ready message since ports were
// last given away can start something new: it proposes the best of its messages.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/native_clock.hpp"
#include "engine/native_messages.hpp"
#include "engine/native_queue.hpp"

namespace rondo::native {

/// Places by the number of a send, and by the number of a receive.
struct Rooms {
  std::vector<std::uint32_t> sends, receives;
};

class Ports {
 public:
  /// The rooms, with an entry a send and an entry a receive, take the lists of ready messages. The place of a send or a
  /// receive is free for other use until it is posted.
  Ports(Messages const& messages, int ports, Rooms& rooms);

  Clock const& clock() const { return clock_; }
  /// These messages are ready now, the first of them first.
  void add(std::span<std::uint32_t const> messages);
  /// Starts what can start at this time.
  void start(Ticks now);
  /// Whether a message holds ports, or a wake is to come.
  bool running() const { return !running_.empty(); }
  /// Has `finish` hand out this number, which is no message's, at a time not before its last one.
  void wake(Ticks time, std::uint32_t number) { running_.push(time, number); }
  /// The time at which the next messages finish, all of them; their ports are free.
  Ticks finish(std::vector<std::uint32_t>& finished);

 private:
  enum class State : std::uint8_t {
    still,  ///< nothing to start: no free port, or no ready message
    fresh,  ///< gained a port or a message
    idle    ///< a port is free, and no message could start
  };
  /// The ready messages of a rank, best first, in a room of its own; some may have started.
  struct List {
    std::uint32_t head = 0, tail = 0;
  };
  struct Side {
    std::vector<List> lists;
    std::vector<std::int32_t> free;
    std::vector<State> state;
    std::vector<std::int32_t> fresh;
  };
  /// Sources in state idle, in no order that matters.
  struct Idle {
    std::vector<std::int32_t> ranks;
    std::vector<std::uint32_t> place;  ///< by rank
  };

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  void freshen(Side& side, std::int32_t rank);
  void leave_idle(std::int32_t source);
  void choose_proposers();
  template <typename Startable>
  void propose(std::vector<std::uint32_t>& room, List& list, Startable const& startable);
  void propose_as_source(std::int32_t rank);
  void propose_as_target(std::int32_t rank);
  std::uint32_t best_proposal();
  void launch(std::uint32_t message, Ticks now);
  void settle();

  Messages const& messages_;
  Clock clock_;
  std::vector<Ticks> ticks_;  ///< by kind
  Side sources_, targets_;
  Idle idle_;
  Rooms& rooms_;
  std::vector<std::uint32_t> priority_;  ///< by message, lowest best; nothing: not ready yet, or started
  std::uint32_t next_priority_ = 0;
  std::vector<std::uint64_t> proposals_;  ///< a heap of priority and message
  RadixHeap<std::uint32_t> running_;
};

}  // namespace rondo::native
