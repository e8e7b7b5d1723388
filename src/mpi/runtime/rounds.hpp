#pragma once

// The rounds of an operation in the form that MPI needs: addresses, datatypes, counts and partners of all messages,
// and the copies. They are made before the operation starts, so that its rounds only post and wait.
//
// With payload they belong to one rank. Without payload they contain only the sizes of messages, so all ranks
// of a program share them. Partners are then still those of the program (Schedule::peer); there are no copies, and no
// memory but one byte that nobody reads.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "mpi/runtime/slots.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

/// A message to or from `partner` with the content of a slot.
struct Message {
  int partner = 0;
  Slot slot;
};

/// The work of a rank in a single round; copies to itself come first.
struct SingleRound {
  /// A message of the rank to itself.
  struct SelfCopy {
    Slot from, into;
  };
  std::vector<Message> receives, sends;
  std::vector<SelfCopy> copies;  ///< as many bytes on both sides
};

/// The messages of a round in the order in which they are posted: all receives, then all sends.
struct RoundMessages {
  std::span<MessageDescriptor const> all;
  std::size_t receives = 0;
};

class Rounds {
 public:
  /// The rounds of a rank in the memory of its caller. A copy between slots of different sizes is left out, see
  /// copies_failure(). `combine` is the operator of a schedule that reduces. Throws MpiFailure if the datatypes of a
  /// copy cannot be copied.
  Rounds(Schedule const& schedule, Rank rank, SlotTable slots, Combine combine = {});
  /// The rounds of a rank in these buffers, which must outlive them. Throws InputError for a block that MPI cannot
  /// count.
  Rounds(Schedule const& schedule, Rank rank, Buffers const& buffers, Combine combine = {});
  /// Throws MpiFailure if the datatypes of a copy cannot be copied.
  explicit Rounds(SingleRound const& round);
  /// Without payload, for all ranks that follow the program. Throws InputError for a message that MPI cannot count.
  explicit Rounds(Program const& program);

  /// The last round; round 0 has copies only.
  int last() const { return static_cast<int>(ends_.size()) - 1; }
  /// 0 < round <= last().
  RoundMessages messages(int round) const;
  /// To be done once the messages of the round are complete, in their order: first contents that have arrived are
  /// joined, if they are not stored; then come the copies. 0 <= round <= last().
  std::span<LocalCopy const> copies(int round) const;
  /// The memory that the messages, the copies and the joins take, without the slots.
  std::size_t bytes() const {
    std::size_t const described = messages_.size() * sizeof(MessageDescriptor);
    if (payload_ == nullptr) return described;
    return described + payload_->beside_bytes + payload_->copies.size() * sizeof(LocalCopy);
  }
  /// MPI_ERR_TRUNCATE if there is a copy between slots of different sizes, else MPI_SUCCESS.
  int copies_failure() const { return payload_ == nullptr ? MPI_SUCCESS : payload_->copies_failure; }

 private:
  /// The ends of the receives, and of all messages, of a round in messages_. They begin at the end of the round before.
  struct Ends {
    std::uint32_t receives = 0, all = 0;
  };
  /// What only rounds with payload have.
  struct Payload {
    SlotTable slots = {};  ///< it has the memory of the intermediate buffer
    Combine combine = {};
    std::unique_ptr<std::byte[]> beside = {};  ///< where waits what is to be joined, in each round anew
    std::size_t beside_bytes = 0;
    std::vector<OwnType> types = {};  ///< the datatypes made for messages, see descriptor_of_pieces()
    std::vector<LocalCopy> copies = {};
    std::vector<std::uint32_t> copies_end = {};  ///< by round, as in Ends
    int copies_failure = MPI_SUCCESS;
  };
  using SlotOf = std::function<Slot(Place)>;

  void add_program(Schedule const& schedule, Rank rank, SlotOf const& slot_of);
  std::vector<Slot> make_rooms(Program const& program, SlotOf const& slot_of);
  void add_message(std::span<Slot const> slots, int partner);
  void add_copy(Copy const& copy, SlotOf const& slot_of, Slot const& room);
  MessageDescriptor descriptor_of_pieces(std::span<Piece const> pieces, int partner);

  std::vector<Ends> ends_;  ///< by round; round 0 has no messages
  std::vector<MessageDescriptor> messages_;
  std::unique_ptr<Payload> payload_;  ///< null without
};

}  // namespace rondo::mpi
