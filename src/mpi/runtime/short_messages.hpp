#pragma once

// Small values that ranks tell each other by messages of Rondo's own.
// ShortMessages carries integers by which ranks tell each other what they need to set up later operations.
// Reductions has reductions, broadcasts and scans of small values. Their messages are counted, whereas MPI's
// collectives do not tell how many messages they send; and SMPI's collectives are linear in the number of ranks.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"

namespace rondo::mpi {

/// A message of integers and who sent it.
struct ShortMessage {
  Rank from;
  std::vector<int> content;
};

/// Messages of integers for ranks that know how many messages they will get, but not in which order.
class ShortMessages {
 public:
  explicit ShortMessages(MPI_Comm comm) : comm_(comm) {}
  ShortMessages(ShortMessages const&) = delete;
  ShortMessages& operator=(ShortMessages const&) = delete;

  /// Begins to send, and does not wait. `content` must not change until sent() returns.
  void post(Rank to, int tag, std::span<int const> content);
  /// Waits until everything that was posted has been sent.
  void sent();
  /// Receives the next `count` messages with this tag, all at once; each has `length` integers.
  std::vector<ShortMessage> collect(std::size_t count, int tag, int length);
  /// Receives the next message with this tag; it has at most `most` integers.
  ShortMessage next(int tag, int most);

 private:
  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;
};

/// All functions are collective and throw MpiFailure. The communicator is not duplicated, so no other message with
/// the tag Reductions::tag may be under way on it.
class Reductions {
 public:
  static constexpr int tag = 1001;

  explicit Reductions(MPI_Comm comm);

  /// Sums the values of all ranks, up a binomial tree to rank 0 and down again. The sums are the same at all ranks to
  /// the last bit.
  template <typename T>
  void sum(std::span<T> values) {
    up(values);
    down(values);
  }
  template <typename T>
  T sum(T value) {
    sum(std::span<T>(&value, 1));
    return value;
  }
  /// Whether the argument is true at some rank. Takes as many messages as a sum.
  bool any(bool here) { return sum<std::int64_t>(here ? 1 : 0) > 0; }

  /// The sum of the values of the ranks before this one; 0 at rank 0. Takes ceil(log2 p) rounds.
  std::int64_t sum_before(std::int64_t mine);

  /// The calls so far of all functions above. A sum takes 2(p - 1) messages of all ranks in 2 ceil(log2 p) rounds.
  std::int64_t calls() const { return calls_; }
  std::int64_t messages() const { return messages_; }  ///< sent by this rank

 private:
  /// Sums the values at rank 0. In the binomial tree the parent of rank r is r without its lowest set bit.
  template <typename T>
  void up(std::span<T> values) {
    ++calls_;
    std::vector<T> theirs(values.size());
    for (int bit = 1; bit < size_; bit *= 2) {
      if ((rank_ & bit) != 0) return send(rank_ - bit, values.data(), values.size_bytes());
      if (rank_ + bit >= size_) continue;
      receive(rank_ + bit, theirs.data(), values.size_bytes());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += theirs[i];
    }
  }
  /// A broadcast from rank 0 down a binomial tree.
  template <typename T>
  void down(std::span<T> values) {
    int bit = 1;
    for (; bit < size_ && (rank_ & bit) == 0; bit *= 2) {
    }
    if (rank_ != 0) receive(rank_ - bit, values.data(), values.size_bytes());
    for (bit /= 2; bit > 0; bit /= 2) {
      if (rank_ + bit < size_) send(rank_ + bit, values.data(), values.size_bytes());
    }
  }

  void send(int to, void const* data, std::size_t bytes);
  void receive(int from, void* data, std::size_t bytes);

  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 1;
  std::int64_t calls_ = 0;
  std::int64_t messages_ = 0;
};

}  // namespace rondo::mpi
