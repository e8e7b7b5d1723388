// The C interface of sparse exchanges. Each function makes one call and gives errors to the error handler; no
// exception leaves it. Keys and values of options have the names that scenarios use.

#include "mpi_library/interface/sparse_exchange.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/error.hpp"
#include "base/text.hpp"
#include "mpi/exchange/sparse_exchange.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/own_comm.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/attached.hpp"
#include "rondo/sparse_exchange.h"

namespace rondo::mpi {

namespace {

/// Sets the option to the value of this name. Throws InputError with all accepted names if there is none.
template <typename Enum>
void set(Enum& option, std::string const& key, std::string const& value) {
  auto const meaning = value_of<Enum>(value);
  if (!meaning) {
    throw InputError(fmt::format("{}: expected one of \"{}\", got \"{}\"", key,
                                 listed(all_enum_names<Enum>(), "\", \""), excerpt(value)));
  }
  option = *meaning;
}

/// Sets the option to the number. Throws InputError unless the value is an integer of at least 1.
void set_positive(int& option, std::string const& key, std::string const& value) {
  int number = 0;
  auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < 1) {
    throw InputError(fmt::format("{}: expected an integer of at least 1, got \"{}\"", key, excerpt(value)));
  }
  option = number;
}

}  // namespace

void configure(SparseExchange::Options& options, std::string const& key, std::string const& value) {
  if (key == "algorithm") {
    set(options.exchange.rules.algorithm, key, value);
  } else if (key == "delivery") {
    set(options.delivery, key, value);
  } else if (key == "completion") {
    set(options.exchange.completion, key, value);
  } else if (key == "barrier") {
    set(options.exchange.rules.barrier, key, value);
  } else if (key == "waited_bytes") {
    set_positive(options.exchange.waited_bytes, key, value);
  } else {
    throw InputError(fmt::format(
        "unknown key \"{}\"; accepted: \"algorithm\", \"delivery\", \"completion\", \"barrier\", \"waited_bytes\"",
        excerpt(key)));
  }
}

}  // namespace rondo::mpi

namespace {

using namespace rondo::mpi;
using rondo::Rank;

/// The state of the interface at a rank, see Attached::of_this_process.
struct OfRank {
  std::unique_ptr<SparseExchange> exchange;
  std::unique_ptr<OwnComm> for_caller;  ///< while there is an exchange; what comm_mpi gives
  SparseExchange::Options options;
  Rondo_comm_error_handler handler = nullptr;
};

/// Whether MPI has begun and not ended, so that MPI_Abort may be called.
bool mpi_is_there() {
  int begun = 0, over = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&over);
  return begun != 0 && over == 0;
}

/// Calls the program's handler, or prints the error and ends the program.
void report(Rondo_comm_error_handler handler, std::string const& text) {
  if (handler != nullptr) return handler(text.c_str());
  std::fprintf(stderr, "rondo: %s\n", text.c_str());
  if (mpi_is_there()) MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

/// The text of an MPI error.
std::string text_of(MpiFailure const& failure) {
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(failure.code(), text.data(), &length);
  return text.substr(0, static_cast<std::size_t>(length));
}

/// The result of `work`, which gets the state of this rank; `otherwise` after an error.
template <typename Result, typename Work>
Result guarded_call(char const* call, Result otherwise, Work const& work) {
  if (!mpi_is_there()) {
    report(nullptr, fmt::format("{} before MPI_Init or after MPI_Finalize", call));
    return otherwise;
  }
  Rondo_comm_error_handler handler = nullptr;
  std::string text;
  try {
    OfRank& mine = Attached<OfRank>::of_this_process();
    handler = mine.handler;
    return work(mine);
  } catch (WrongCall const& wrong) {
    text = wrong.what();
  } catch (rondo::InputError const& refused) {
    text = fmt::format("{}: {}", call, refused.what());
  } catch (MpiFailure const& failure) {
    text = fmt::format("{}: {}", call, text_of(failure));
  } catch (std::bad_alloc const&) {
    text = fmt::format("{}: out of memory", call);
  }
  report(handler, text);
  return otherwise;
}

template <typename Work>
void guarded_call(char const* call, Work const& work) {
  guarded_call(call, 0, [&](OfRank& mine) { return work(mine), 0; });
}

int world_rank() {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// The exchange of this rank. Throws WrongCall in state UNINIT, with the rank in MPI_COMM_WORLD.
SparseExchange& initialized(OfRank& mine, ExchangeCall call) {
  if (mine.exchange == nullptr) throw WrongCall(call, ExchangeState::uninit, world_rank());
  return *mine.exchange;
}

void expect_legal(OfRank const& mine, ExchangeCall call) {
  ExchangeState const state = mine.exchange ? mine.exchange->state() : ExchangeState::uninit;
  if (state_after(state, call)) return;
  throw WrongCall(call, state, mine.exchange ? mine.exchange->rank().value : world_rank());
}

/// Throws unless all ranks have the same options, because ranks with different ones would wait for each other forever.
void expect_same_options(MPI_Comm comm, ExchangeOptions const& options) {
  Vote mine;
  bool const waits = options.completion == Completion::wait;
  mine.arguments.add(static_cast<int>(options.rules.algorithm));
  mine.arguments.add(static_cast<int>(options.rules.barrier));
  mine.arguments.add(waits ? options.waited_bytes : 0);
  int const code = agree(comm, mine);
  if (code == MPI_ERR_NOT_SAME) {
    throw rondo::InputError(
        "expected the same algorithm, barrier, completion and waited_bytes of comm_configure at all ranks");
  }
  check(code);
}

}  // namespace

void Rondo_comm_init(MPI_Comm comm) {
  guarded_call("comm_init", [&](OfRank& mine) {
    expect_legal(mine, ExchangeCall::init);
    auto made = std::make_unique<SparseExchange>(comm, mine.options);
    expect_same_options(comm, mine.options.exchange);
    mine.for_caller = std::make_unique<OwnComm>(comm);
    mine.exchange = std::move(made);
  });
}

void Rondo_comm_finalize(void) {
  guarded_call("comm_finalize", [](OfRank& mine) {
    expect_legal(mine, ExchangeCall::finalize);
    mine.exchange.reset();
    mine.for_caller.reset();
  });
}

int Rondo_comm_rank(void) {
  return guarded_call("comm_rank", -1, [](OfRank& mine) { return initialized(mine, ExchangeCall::rank).rank().value; });
}

int Rondo_comm_size(void) {
  return guarded_call("comm_size", -1, [](OfRank& mine) { return initialized(mine, ExchangeCall::size).size(); });
}

MPI_Comm Rondo_comm_mpi(void) {
  return guarded_call("comm_mpi", MPI_Comm(MPI_COMM_NULL),
                      [](OfRank& mine) { return initialized(mine, ExchangeCall::mpi), mine.for_caller->handle(); });
}

void Rondo_comm_pack(void const* data, unsigned size, int to) {
  guarded_call("comm_pack",
               [&](OfRank& mine) { initialized(mine, ExchangeCall::pack).pack_bytes(data, size, Rank(to)); });
}

void Rondo_comm_exch(void) {
  guarded_call("comm_exch", [](OfRank& mine) { initialized(mine, ExchangeCall::exch).exchange(); });
}

int Rondo_comm_recv(void) {
  return guarded_call("comm_recv", 0,
                      [](OfRank& mine) { return initialized(mine, ExchangeCall::recv_more).receive() ? 1 : 0; });
}

void Rondo_comm_unpack(void* data, unsigned size) {
  guarded_call("comm_unpack", [&](OfRank& mine) { initialized(mine, ExchangeCall::unpack).unpack_bytes(data, size); });
}

int Rondo_comm_from(void) {
  return guarded_call("comm_from", -1, [](OfRank& mine) { return initialized(mine, ExchangeCall::from).from().value; });
}

void Rondo_comm_on_error(Rondo_comm_error_handler handler) {
  guarded_call("comm_on_error", [&](OfRank& mine) { mine.handler = handler; });
}

void Rondo_comm_configure(char const* key, char const* value) {
  guarded_call("comm_configure", [&](OfRank& mine) {
    if (key == nullptr || value == nullptr) throw rondo::InputError("expected a key and a value, got a null pointer");
    if (mine.exchange) {
      throw rondo::InputError(fmt::format("expected in state UNINIT, called in state {} at rank {}",
                                          to_string(mine.exchange->state()), mine.exchange->rank().value));
    }
    configure(mine.options, key, value);
  });
}
