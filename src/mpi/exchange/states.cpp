// The table of states and calls.

#include "mpi/exchange/states.hpp"

#include <fmt/format.h>

#include <array>

namespace rondo::mpi {

namespace {

using enum ExchangeState;
using Next = std::optional<ExchangeState>;
constexpr Next wrong = std::nullopt;

/// The next state, by state and then by call: init, finalize, pack, exch, recv_more, recv_done, unpack, from, rank,
/// size.
constexpr std::array<std::array<Next, exchange_calls>, exchange_states> table{{
    {idle, wrong, wrong, wrong, wrong, wrong, wrong, wrong, wrong, wrong},
    {wrong, uninit, pack, unpack, wrong, wrong, wrong, wrong, idle, idle},
    {wrong, wrong, pack, unpack, wrong, wrong, wrong, wrong, pack, pack},
    {wrong, wrong, bothpack, wrong, unpack, idle, unpack, unpack, unpack, unpack},
    {wrong, wrong, bothpack, wrong, bothpack, pack, bothpack, bothpack, bothpack, bothpack},
}};

/// "PACK or IDLE"
std::string legal_states(ExchangeCall call) {
  std::string text;
  for (ExchangeState const state : {uninit, idle, pack, unpack, bothpack}) {
    if (state_after(state, call)) text += (text.empty() ? "" : " or ") + to_string(state);
  }
  return text;
}

std::string place(ExchangeCall call, ExchangeState state, int rank) {
  std::string const where = rank < 0 ? "" : fmt::format(" at rank {}", rank);
  return fmt::format("{} in state {}{}", to_string(call), to_string(state), where);
}

}  // namespace

std::string to_string(ExchangeState state) {
  static constexpr char const* words[] = {"UNINIT", "IDLE", "PACK", "UNPACK", "BOTHPACK"};
  return words[static_cast<int>(state)];
}

/// The name of the C function.
std::string to_string(ExchangeCall call) {
  static constexpr char const* words[] = {"comm_init", "comm_finalize", "comm_pack",   "comm_exch",
                                          "comm_recv", "comm_recv",     "comm_unpack", "comm_from",
                                          "comm_rank", "comm_size",     "comm_mpi"};
  return words[static_cast<int>(call)];
}

std::optional<ExchangeState> state_after(ExchangeState state, ExchangeCall call) {
  if (call == ExchangeCall::mpi) call = ExchangeCall::rank;
  return table.at(static_cast<std::size_t>(state)).at(static_cast<std::size_t>(call));
}

WrongCall::WrongCall(ExchangeCall call, ExchangeState state, int rank)
    : text_(fmt::format("{}: expected in state {}", place(call, state, rank), legal_states(call))) {}

WrongCall::WrongCall(ExchangeCall call, ExchangeState state, int rank, std::string const& what)
    : text_(fmt::format("{}: {}", place(call, state, rank), what)) {}

}  // namespace rondo::mpi
