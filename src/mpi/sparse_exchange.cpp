#include "mpi/sparse_exchange.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "mpi/failure.hpp"

namespace rondo::mpi {

SparseExchange::SparseExchange(MPI_Comm comm, Options options) : options_(options), driver_(comm, options.exchange) {}

SparseExchange::~SparseExchange() {
  try {
    while (!driver_.done()) driver_.progress();
  } catch (MpiFailure const&) {
    // Nobody is left to be told.
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

void SparseExchange::pack_bytes(void const* data, std::size_t size, Rank to) {
  constexpr auto call = ExchangeCall::pack;
  if (!state_after(state_, call)) throw WrongCall(call, state_, driver_.rank());
  if (to.value < 0 || to.value >= driver_.size()) {
    refuse(call, fmt::format("expected a rank from 0 to {}, got {}", driver_.size() - 1, to.value));
  }
  if (data == nullptr && size > 0) refuse(call, "expected data, got a null pointer");
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  std::size_t const packed = packed_.bytes_to(to.value);
  if (size > most - packed) {
    refuse(call,
           fmt::format("expected at most {} bytes in the message to rank {}, got {}", most, to.value, packed + size));
  }
  packed_[to.value].append(data, size);
  enter(call);
}

void SparseExchange::exchange() {
  enter(ExchangeCall::exch);
  inbox_.clear();
  driver_.begin(std::exchange(packed_, {}), inbox_);
  if (options_.delivery == Delivery::arrival) return;
  while (!driver_.done()) driver_.progress();
  inbox_.sort_by_source();
}

bool SparseExchange::receive() {
  if (!state_after(state_, ExchangeCall::recv_more)) throw WrongCall(ExchangeCall::recv_more, state_, driver_.rank());
  while (!inbox_.advance() && !driver_.done()) driver_.progress();
  if (inbox_.advance()) return true;
  inbox_.clear();
  enter(ExchangeCall::recv_done);
  return false;
}

/// Before the first receive() there may be a message already.
void SparseExchange::expect_message(ExchangeCall call) {
  enter(call);
  if (inbox_.messages_left() == 0) refuse(call, "no message is being unpacked; comm_recv says whether there is one");
}

void SparseExchange::expect_bytes(std::size_t items, std::size_t each) {
  expect_message(ExchangeCall::unpack);
  if (each != 0 && items <= inbox_.bytes_left() / each) return;
  refuse(ExchangeCall::unpack,
         fmt::format("expected at most {} bytes, which are left of the message from rank {}, got {}",
                     inbox_.bytes_left(), inbox_.source(), items * each));
}

void SparseExchange::unpack_bytes(void* data, std::size_t size) {
  enter(ExchangeCall::unpack);
  if (size == 0) return;
  if (data == nullptr) refuse(ExchangeCall::unpack, "expected a place for the data, got a null pointer");
  expect_bytes(size, 1);
  inbox_.read(data, size);
}

Rank SparseExchange::from() {
  expect_message(ExchangeCall::from);
  return Rank(inbox_.source());
}

}  // namespace rondo::mpi
