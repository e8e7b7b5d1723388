#pragma once

// Dynamic sparse exchange with types [Ibanez15]. Its calls and states are those of the C interface
// (rondo/sparse_exchange.h), which is built on the class SparseExchange:
//
// SparseExchange comm(MPI_COMM_WORLD);
// comm.pack(index, Rank(3));
// comm.pack(point, Rank(3));
// comm.exchange();
// while (comm.receive()) {
// auto const index = comm.unpack<int>();
// auto const point = comm.unpack<Point>();
// }
//
// The states of the exchange tell which calls are legal in which state, and which state follows [Ibanez15, Figure
// 4.1]. A wrong call throws WrongCall at once and changes nothing. An MPI error throws MpiFailure. MPI_COMM_NULL, or
// an inter-communicator in the place of an intra-communicator, throws InputError.

#include <mpi.h>

#include <concepts>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/ids.hpp"
#include "mpi/exchange/driver.hpp"

namespace rondo::mpi {

/// What has been done so far.
enum class ExchangeState : std::uint8_t {
  uninit,    ///< without a communicator
  idle,      ///< nothing packed, nothing to unpack
  pack,      ///< something packed
  unpack,    ///< an exchange is being unpacked
  bothpack,  ///< the same, and something is packed for the next
};
inline constexpr int exchange_states = 5;

/// The calls of the interface. comm_recv counts as two calls: one that returns true, and one that returns false.
/// comm_mpi, which the figure lacks, is legal where comm_rank is.
enum class ExchangeCall : std::uint8_t {
  init,
  finalize,
  pack,
  exch,
  recv_more,
  recv_done,
  unpack,
  from,
  rank,
  size,
  mpi
};
/// How many calls the figure has.
inline constexpr int exchange_calls = 10;

/// "UNINIT", as the paper writes it.
std::string to_string(ExchangeState state);
/// "comm_init".
std::string to_string(ExchangeCall call);

/// The state after a call; unset if the call is wrong in this state.
std::optional<ExchangeState> state_after(ExchangeState state, ExchangeCall call);

/// A call that is wrong in its state or with its arguments. what() names both, and the rank if it is known.
class WrongCall : public std::exception {
 public:
  /// A call in a state in which it is wrong.
  WrongCall(ExchangeCall call, ExchangeState state, int rank);
  /// "CALL in state STATE at rank R: WHAT"
  WrongCall(ExchangeCall call, ExchangeState state, int rank, std::string const& what);
  char const* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Values that may travel as their bytes between processes with the same representation of data.
template <typename T>
concept Packable = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

/// The order in which messages are received. sorted: by sender, once all have arrived, so that the order is the same in
/// every run. arrival: each one as it arrives, while others are under way.
using problem::Delivery;

/// One communicator's exchanges, one after the other.
class SparseExchange {
 public:
  /// How exchanges are carried out, and in which order messages are delivered.
  struct Options {
    ExchangeOptions exchange = {};
    Delivery delivery = Delivery::sorted;
  };

  /// Collective; all ranks give the same options.
  explicit SparseExchange(MPI_Comm comm) : SparseExchange(comm, Options{}) {}
  SparseExchange(MPI_Comm comm, Options options);
  /// Collective. Ends an exchange whose messages are not all received.
  ~SparseExchange();
  SparseExchange(SparseExchange const&) = delete;
  SparseExchange& operator=(SparseExchange const&) = delete;

  Rank rank() const { return Rank(driver_.rank()); }
  int size() const { return driver_.size(); }
  ExchangeState state() const { return state_; }

  /// Appends a value to the message to `to`, which is one message per exchange.
  template <Packable T>
  void pack(T const& value, Rank to) {
    pack_bytes(&value, sizeof value, to);
  }
  void pack_bytes(void const* data, std::size_t size, Rank to);

  /// Collective. Sends everything that is packed.
  void exchange();

  /// Whether there is something to unpack. Returns false once, after all messages have been received and read. An empty
  /// message is announced once.
  bool receive();
  /// Whether the message that is being unpacked has bytes left.
  bool has_bytes();
  // The next value; it must have the type that was packed.
  template <Packable T>
  T unpack() {
    T value;
    unpack_bytes(&value, sizeof value);
    return value;
  }
  void unpack_bytes(void* data, std::size_t size);
  /// The sender of the message that is unpacked. Like all functions of unpacking, it is legal once receive() has
  /// returned true.
  Rank from();

  ExchangeCounts const& counts() const { return driver_.counts(); }

 private:
  void enter(ExchangeCall call);
  [[noreturn]] void refuse(ExchangeCall call, std::string const& what) const;
  void expect_message(ExchangeCall call);
  void expect_bytes(std::size_t size);
  void expect_room(std::size_t size, Rank to) const;

  Options options_;
  ExchangeDriver driver_;
  Outbox packed_;  ///< for the next exchange
  Inbox inbox_;
  bool received_ = false;  ///< whether there has been a message of this exchange to unpack
  ExchangeState state_ = ExchangeState::idle;
};

}  // namespace rondo::mpi
