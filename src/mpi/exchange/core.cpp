// The steps of the protocols in core.hpp. Each event may complete a phase, which begins the next one.

#include "mpi/exchange/core.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace rondo::mpi {
namespace {

Signalling signalling_of(problem::Barrier barrier) {
  return barrier == problem::Barrier::tree ? Signalling::tree : Signalling::dissemination;
}

}  // namespace

/// Begins an exchange; the transport sends what can be sent at once.
void ExchangeCore::begin(std::vector<int> targets, Transport& transport) {
  expects(done(), "an exchange at a time");
  state_ = {};
  state_.targets = std::move(targets);
  if (counts_first(rules_.algorithm)) {
    state_.counts.resize(static_cast<std::size_t>(ranks_));
    for (int const target : state_.targets) ++state_.counts[place(target)];
  }
  state_.phase = Phase::opening;
  signal(transport);
}

/// The place of a target's count. The vector of a reduce-scatter is rotated (signals.hpp).
std::size_t ExchangeCore::place(int target) const {
  if (rules_.algorithm == ExchangeAlgorithm::personalized_rooted) return static_cast<std::size_t>(target);
  return static_cast<std::size_t>(target >= rank_ ? target - rank_ : target - rank_ + ranks_);
}

/// Whether data may still arrive. nbx receives until its closing barrier is over, the others until they have received
/// the number of messages that they were told.
bool ExchangeCore::awaits_data() const {
  if (counts_first(rules_.algorithm)) {
    return state_.phase == Phase::sending && static_cast<Word>(state_.received) < expected();
  }
  return state_.phase == Phase::sending || state_.phase == Phase::closing;
}

/// The signals of the current phase; unset if the algorithm has none in this phase and leaves it at once.
std::optional<Signalling> ExchangeCore::signalling() const {
  switch (rules_.algorithm) {
    case ExchangeAlgorithm::nbx:
      return signalling_of(rules_.barrier);
    case ExchangeAlgorithm::nbx_tagged:
      return state_.phase == Phase::closing ? std::optional(signalling_of(rules_.barrier)) : std::nullopt;
    case ExchangeAlgorithm::personalized:
      return state_.phase == Phase::opening ? std::optional(Signalling::reduce_scatter) : std::nullopt;
    case ExchangeAlgorithm::personalized_rooted:
      return state_.phase == Phase::opening ? std::optional(Signalling::reduce_then_scatter) : std::nullopt;
  }
  throw ContractViolation("an algorithm");
}

std::optional<SignalStep> ExchangeCore::step() const {
  if (state_.phase != Phase::opening && state_.phase != Phase::closing) return std::nullopt;
  auto const how = signalling();
  return how ? signal_step(*how, rank_, ranks_, state_.step) : std::nullopt;
}

std::optional<SignalStep> ExchangeCore::awaited() const {
  // Every step that is a send is done as soon as it is reached, so the current step is an await.
  return step();
}

/// Sends signals up to the first one that has to be awaited.
void ExchangeCore::signal(Transport& transport) {
  for (auto next = step(); next; next = step()) {
    if (next->kind == SignalStep::Kind::await) return;
    std::span<Word const> const all = state_.counts;
    transport.send_signal(next->peer, next->stage,
                          all.subspan(static_cast<std::size_t>(next->first), static_cast<std::size_t>(next->words)));
    ++state_.step;
  }
  next_phase(transport);
}

/// Data follow the opening phase; the closing phase is the last one.
void ExchangeCore::next_phase(Transport& transport) {
  if (state_.phase == Phase::opening) {
    state_.phase = Phase::sending;
    send_all(transport);
  } else {
    state_.phase = Phase::done;
  }
}

/// With nbx, sends are synchronous, because their acknowledgements tell when all data have been received.
void ExchangeCore::send_all(Transport& transport) {
  auto const mode = counts_first(rules_.algorithm) ? Transport::Mode::standard : Transport::Mode::synchronous;
  state_.unsent = static_cast<int>(state_.targets.size());
  for (std::size_t i = 0; i < state_.targets.size(); ++i) {
    transport.send_data(state_.targets[i], static_cast<int>(i), mode);
  }
  leave_sending(transport);
}

bool ExchangeCore::all_sent_and_received() const {
  if (state_.unsent > 0) return false;
  return !counts_first(rules_.algorithm) || static_cast<Word>(state_.received) == expected();
}

/// Begins the closing phase when all sends are acknowledged and all expected data are there.
void ExchangeCore::leave_sending(Transport& transport) {
  if (state_.phase != Phase::sending || !all_sent_and_received()) return;
  state_.phase = Phase::closing;
  state_.step = 0;
  signal(transport);
}

void ExchangeCore::sent(Transport& transport) {
  expects(state_.phase == Phase::sending && state_.unsent > 0, "a message that has begun");
  --state_.unsent;
  leave_sending(transport);
}

void ExchangeCore::data_received(Transport& transport) {
  expects(awaits_data(), "data only when they are awaited");
  ++state_.received;
  leave_sending(transport);
}

/// Adds or stores the words of the signal, and goes on.
void ExchangeCore::signal_received(std::span<Word const> words, Transport& transport) {
  auto const now = awaited();
  expects(now && words.size() == static_cast<std::size_t>(now->words), "the signal that is awaited");
  auto const into = state_.counts.begin() + now->first;
  if (now->replaces)
    std::copy(words.begin(), words.end(), into);
  else
    std::transform(words.begin(), words.end(), into, into, [](Word more, Word sum) { return sum + more; });
  ++state_.step;
  signal(transport);
}

}  // namespace rondo::mpi
