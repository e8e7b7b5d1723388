#pragma once

// The states of the sparse exchange: which calls are legal in which state, and which state follows [Ibanez15, Figure
// 4.1]. Knows no MPI.

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

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

}  // namespace rondo::mpi
