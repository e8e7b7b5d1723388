#pragma once

// The messages of one sparse exchange at one rank: those that are packed for others, and those that have arrived.
// This file knows no MPI.

#include <cstddef>
#include <memory>
#include <vector>

namespace rondo::mpi {

/// Bytes that grow at their end. When a buffer of capacity c is full, it is moved to one of capacity 3(c + 1) / 2, or
/// of the first larger capacity of this series that suffices [Ibanez15, Section 4.1].
class GrowingBuffer {
 public:
  GrowingBuffer() = default;
  /// A buffer of `size` bytes, which the caller will write, without room for more.
  static GrowingBuffer of_size(std::size_t size);
  /// Copies these bytes to the end.
  void append(void const* data, std::size_t size);
  std::byte* data() { return bytes_.get(); }
  std::byte const* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

 private:
  void move_to(std::size_t capacity);

  // A std::vector would initialize the bytes that it grows by, and chooses its own capacities.
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// A message, and the rank at its other end.
struct PackedMessage {
  int peer = 0;  ///< the target in an Outbox, the source in an Inbox
  GrowingBuffer buffer;
};

/// One message for each rank to which the caller packs, by ascending rank.
class Outbox {
 public:
  /// The buffer of the message to this rank. If there is no such message, an empty one is added. Adding another one
  /// makes the reference invalid.
  GrowingBuffer& operator[](int target);
  /// The size of the message to this rank; 0 if there is none.
  std::size_t bytes_to(int target) const;
  bool empty() const { return messages_.empty(); }
  /// The messages in ascending order of their targets.
  std::vector<PackedMessage>& messages() { return messages_; }
  /// The sum of the capacities of all buffers.
  std::size_t capacity() const;

 private:
  /// The index of the message to this rank, or the index at which it has to be inserted.
  std::size_t place(int target) const;
  std::vector<PackedMessage> messages_;
};

/// Received messages, which are unpacked one after the other.
class Inbox {
 public:
  void add(PackedMessage message) { messages_.push_back(std::move(message)); }
  /// Sorts the current message and those after it by source. Messages of one source keep their order.
  void sort_by_source();
  /// Passes the messages that have been announced and read to their end, and frees them. Returns whether a message is
  /// left.
  bool advance();
  /// Notes that the caller knows about the current message, so that it may be passed even if it is empty.
  void announce() { announced_ = true; }
  /// The sender of the current message. There must be one.
  int source() const { return messages_[at_].peer; }
  /// The bytes of the current message that have not been read. There must be a current message.
  std::size_t bytes_left() const;
  /// Reads the next bytes of the current message; at most bytes_left().
  void read(void* into, std::size_t size);
  /// The sum of the capacities of the messages that are kept.
  std::size_t capacity() const;
  /// Drops all messages.
  void clear();

 private:
  std::vector<PackedMessage> messages_;
  std::size_t at_ = 0;      ///< the current message
  std::size_t read_ = 0;    ///< how many of its bytes have been read
  bool announced_ = false;  ///< whether the caller knows about it
};

}  // namespace rondo::mpi
