#include "engine/native_ports.hpp"

#include <algorithm>
#include <functional>

namespace rondo::native {

Ports::Ports(Messages const& messages, int ports, Rooms& rooms)
    : messages_(messages),
      clock_(messages.longest, messages.sum),
      rooms_(rooms),
      priority_(messages.source.size(), nothing) {
  for (Seconds const duration : messages.durations) ticks_.push_back(clock_.ticks(duration));
  for (Side* side : {&sources_, &targets_}) {
    auto const& first = side == &sources_ ? messages.first_send : messages.first_receive;
    side->free.assign(first.size() - 1, ports);
    side->state.assign(first.size() - 1, State::still);
    for (std::size_t r = 0; r + 1 < first.size(); ++r) side->lists.push_back({first[r], first[r]});
  }
  idle_.place.resize(sources_.free.size());
}

void Ports::leave_idle(std::int32_t source) {
  std::uint32_t const place = idle_.place[at(source)];
  idle_.ranks[place] = idle_.ranks.back();
  idle_.place[at(idle_.ranks[place])] = place;
  idle_.ranks.pop_back();
}

void Ports::freshen(Side& side, std::int32_t rank) {
  State& state = side.state[at(rank)];
  if (state == State::fresh) return;
  if (state == State::idle) leave_idle(rank);
  state = State::fresh;
  side.fresh.push_back(rank);
}

void Ports::add(std::span<std::uint32_t const> messages) {
  for (std::uint32_t const message : messages) {
    std::int32_t const source = messages_.source[message];
    std::int32_t const target = messages_.target[message];
    priority_[message] = next_priority_++;
    rooms_.sends[sources_.lists[at(source)].tail++] = message;
    rooms_.receives[targets_.lists[at(target)].tail++] = message;
    if (sources_.state[at(source)] == State::idle) {
      freshen(targets_, target);
    } else {
      freshen(sources_, source);
    }
  }
}

void Ports::start(Ticks now) {
  choose_proposers();
  for (std::int32_t const rank : sources_.fresh) propose_as_source(rank);
  for (std::int32_t const rank : targets_.fresh) propose_as_target(rank);
  while (!proposals_.empty()) {
    std::uint32_t const message = best_proposal();
    std::int32_t const source = messages_.source[message];
    std::int32_t const target = messages_.target[message];
    if (sources_.free[at(source)] > 0 && targets_.free[at(target)] > 0) launch(message, now);
    if (sources_.state[at(source)] == State::fresh) {
      propose_as_source(source);
    } else {
      propose_as_target(target);
    }
  }
  settle();
}

/// What can start now joins a fresh source and any target, or an idle source and a fresh target. Either fresh targets
/// look for idle sources, or, where these are not more, idle sources are taken for fresh.
void Ports::choose_proposers() {
  if (idle_.ranks.size() > targets_.fresh.size()) return;
  while (!idle_.ranks.empty()) freshen(sources_, idle_.ranks.back());
  for (std::int32_t const rank : targets_.fresh) targets_.state[at(rank)] = State::still;
  targets_.fresh.clear();
}

/// Adds the first startable message of the list to the proposals.
template <typename Startable>
void Ports::propose(std::vector<std::uint32_t>& room, List& list, Startable const& startable) {
  std::uint32_t kept = list.head;
  for (std::uint32_t i = list.head; i < list.tail; ++i) {
    std::uint32_t const message = room[i];
    if (priority_[message] == nothing) continue;
    if (startable(message)) {
      // Closes the gap that started messages left.
      auto const begin = room.begin();
      std::move_backward(begin + list.head, begin + kept, begin + i);
      list.head += i - kept;
      proposals_.push_back(std::uint64_t{priority_[message]} << 32 | message);
      std::push_heap(proposals_.begin(), proposals_.end(), std::greater<>());
      return;
    }
    room[kept++] = message;
  }
  list.tail = kept;
}

void Ports::propose_as_source(std::int32_t rank) {
  if (sources_.free[at(rank)] == 0) return;
  propose(rooms_.sends, sources_.lists[at(rank)],
          [&](std::uint32_t message) { return targets_.free[at(messages_.target[message])] > 0; });
}

void Ports::propose_as_target(std::int32_t rank) {
  if (targets_.free[at(rank)] == 0) return;
  propose(rooms_.receives, targets_.lists[at(rank)],
          [&](std::uint32_t message) { return sources_.state[at(messages_.source[message])] == State::idle; });
}

std::uint32_t Ports::best_proposal() {
  std::pop_heap(proposals_.begin(), proposals_.end(), std::greater<>());
  auto const message = static_cast<std::uint32_t>(proposals_.back());
  proposals_.pop_back();
  return message;
}

void Ports::launch(std::uint32_t message, Ticks now) {
  std::int32_t const source = messages_.source[message];
  priority_[message] = nothing;
  --targets_.free[at(messages_.target[message])];
  if (--sources_.free[at(source)] == 0 && sources_.state[at(source)] == State::idle) {
    leave_idle(source);
    sources_.state[at(source)] = State::still;
  }
  running_.push(now + ticks_[messages_.kind[message]], message);
}

/// Everything that could start has started.
void Ports::settle() {
  for (std::int32_t const rank : sources_.fresh) {
    List const& list = sources_.lists[at(rank)];
    State& state = sources_.state[at(rank)];
    state = State::still;
    if (sources_.free[at(rank)] == 0 || list.head == list.tail) continue;
    state = State::idle;
    idle_.place[at(rank)] = static_cast<std::uint32_t>(idle_.ranks.size());
    idle_.ranks.push_back(rank);
  }
  for (std::int32_t const rank : targets_.fresh) targets_.state[at(rank)] = State::still;
  sources_.fresh.clear();
  targets_.fresh.clear();
}

Ticks Ports::finish(std::vector<std::uint32_t>& finished) {
  finished.clear();
  Ticks const now = running_.take(finished);
  for (std::uint32_t const message : finished) {
    if (message >= priority_.size()) continue;  // a wake
    std::int32_t const source = messages_.source[message];
    std::int32_t const target = messages_.target[message];
    ++sources_.free[at(source)];
    ++targets_.free[at(target)];
    freshen(sources_, source);
    freshen(targets_, target);
  }
  return now;
}

}  // namespace rondo::native
