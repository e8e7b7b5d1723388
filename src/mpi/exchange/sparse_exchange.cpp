// The table of states and calls, and the calls. Each call is checked against the state and its arguments, and is then
// carried out. A call that fails changes nothing.

#include "mpi/exchange/sparse_exchange.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"

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

namespace {

/// Checks that the communicator has one group. In an inter-communicator another rank has the same number as this one.
MPI_Comm of_one_group(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) throw InputError("expected a communicator, got MPI_COMM_NULL");
  int inter = 0;
  check(MPI_Comm_test_inter(comm, &inter));
  if (inter != 0) throw InputError("expected a communicator of one group, got an inter-communicator");
  return comm;
}

}  // namespace

SparseExchange::SparseExchange(MPI_Comm comm, Options options)
    : options_(options), driver_(of_one_group(comm), options.exchange) {}

/// Ends an exchange that is under way: other ranks may wait for this one.
SparseExchange::~SparseExchange() {
  try {
    while (!driver_.done()) driver_.progress();
  } catch (MpiFailure const&) {
    // A destructor cannot report an error.
  }
}

void SparseExchange::enter(ExchangeCall call) {
  auto const next = state_after(state_, call);
  if (!next) throw WrongCall(call, state_, driver_.rank());
  state_ = *next;
}

void SparseExchange::refuse(ExchangeCall call, std::string const& what) const {
  throw WrongCall(call, state_, driver_.rank(), what);
}

/// MPI counts the bytes of a message by an int.
void SparseExchange::expect_room(std::size_t size, Rank to) const {
  constexpr auto call = ExchangeCall::pack;
  if (!state_after(state_, call)) throw WrongCall(call, state_, driver_.rank());
  if (to.value < 0 || to.value >= driver_.size()) {
    refuse(call, fmt::format("expected a rank from 0 to {}, got {}", driver_.size() - 1, to.value));
  }
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  std::size_t const packed = packed_.bytes_to(to.value);
  if (size > most - packed) {
    refuse(call,
           fmt::format("expected at most {} bytes in the message to rank {}, got {}", most, to.value, packed + size));
  }
}

/// Appends data for a rank.
void SparseExchange::pack_bytes(void const* data, std::size_t size, Rank to) {
  expect_room(size, to);
  if (data == nullptr && size > 0) refuse(ExchangeCall::pack, "expected data, got a null pointer");
  packed_[to.value].append(data, size);
  enter(ExchangeCall::pack);
}

/// Sends what is packed. Unless messages are delivered as they arrive, it returns when all have been received.
void SparseExchange::exchange() {
  enter(ExchangeCall::exch);
  inbox_.clear();
  received_ = false;
  driver_.begin(std::exchange(packed_, {}), inbox_);
  if (options_.delivery == Delivery::arrival) return;
  while (!driver_.done()) driver_.progress();
  inbox_.sort_by_source();
}

/// Goes on to the next message; false when all have been read.
bool SparseExchange::receive() {
  if (!state_after(state_, ExchangeCall::recv_more)) throw WrongCall(ExchangeCall::recv_more, state_, driver_.rank());
  while (!inbox_.advance() && !driver_.done()) driver_.progress();
  if (inbox_.advance()) {
    inbox_.announce();
    return received_ = true;
  }
  inbox_.clear();
  enter(ExchangeCall::recv_done);
  return false;
}

/// Refuses a call unless a message is being unpacked. Before the first receive() there may be one already, of which the
/// caller does not know yet.
void SparseExchange::expect_message(ExchangeCall call) {
  enter(call);
  if (!received_) refuse(call, "no message is being unpacked; comm_recv says whether there is one");
}

/// Throws WrongCall if fewer bytes are left.
void SparseExchange::expect_bytes(std::size_t size) {
  expect_message(ExchangeCall::unpack);
  if (size <= inbox_.bytes_left()) return;
  refuse(ExchangeCall::unpack,
         fmt::format("expected at most {} bytes, which are left of the message from rank {}, got {}",
                     inbox_.bytes_left(), inbox_.source(), size));
}

/// Reads the next bytes of the message.
void SparseExchange::unpack_bytes(void* data, std::size_t size) {
  enter(ExchangeCall::unpack);
  if (size == 0) return;
  if (data == nullptr) refuse(ExchangeCall::unpack, "expected a place for the data, got a null pointer");
  expect_bytes(size);
  inbox_.read(data, size);
}

bool SparseExchange::has_bytes() {
  expect_message(ExchangeCall::from);
  return inbox_.bytes_left() > 0;
}

Rank SparseExchange::from() {
  expect_message(ExchangeCall::from);
  return Rank(inbox_.source());
}

}  // namespace rondo::mpi
