// Gives free ports to messages by priority (ports.hpp). Lists of waiting messages are kept by rank, and sorted searches
// or bit rows find a partner with a free port.

#include "engine/native/ports.hpp"

#include <algorithm>

namespace rondo::native {

namespace {

/// Whether a bit for each pair of ranks and each side is affordable: at most 2 bytes a message, or 4 bytes a message
/// and 4 MiB.
bool dense(std::size_t ranks, std::size_t messages) {
  std::size_t const bytes = ranks * ranks / 4;
  return bytes <= 2 * messages || (bytes <= 4 << 20 && bytes <= 4 * messages);
}

/// The first of `length` entries that is not `before` it, if there is one. It is a binary search without branches,
/// because a processor cannot predict them here.
template <typename Before>
std::uint32_t place_in(std::uint32_t length, Before const& before) {
  std::uint32_t first = 0;
  while (length > 1) {
    std::uint32_t const half = length / 2;
    first += before(first + half - 1) ? half : 0;
    length -= half;
  }
  return first;
}

}  // namespace

/// Prepares one direction: senders with their sends, or receivers with their receives.
Ports::Side Ports::side(Column<std::uint32_t>& ready, std::vector<std::uint32_t> const& first,
                        Column<std::int32_t> const& partner, int ports) {
  std::size_t const ranks = first.size() - 1;
  Side side{ready,
            partner,
            {},
            std::vector<std::int32_t>(ranks, ports),
            std::vector<State>(ranks, State::still),
            {},
            dense(ranks, partner.size()) ? BitRows(ranks, ranks) : BitRows(0, 0),
            BitRow(ranks)};
  for (std::size_t r = 0; r < ranks; ++r) side.lists.push_back({.head = first[r], .tail = first[r]});
  return side;
}

Ports::Ports(Messages const& messages, int ports, ReadyLists& lists)
    : messages_(messages),
      sources_(side(lists.sends, messages.first_send, messages.target, ports)),
      targets_(side(lists.receives, messages.first_receive, messages.source, ports)),
      priority_(messages.source.size(), nothing),
      proposed_(sources_.free.size() + targets_.free.size()) {
  for (std::size_t r = 0; r < targets_.free.size(); ++r) targets_.matches.insert(r);
  idle_.place.resize(sources_.free.size());
}

/// A source with a free port and a message for a free port waits for its turn.
void Ports::join_idle(std::int32_t source) {
  sources_.state[at(source)] = State::idle;
  sources_.matches.insert(at(source));
  idle_.place[at(source)] = static_cast<std::uint32_t>(idle_.ranks.size());
  idle_.ranks.push_back(source);
}

/// The last idle rank takes the place of the one that leaves, so that both operations take constant time.
void Ports::leave_idle(std::int32_t source) {
  sources_.state[at(source)] = State::still;
  sources_.matches.remove(at(source));
  std::uint32_t const place = idle_.place[at(source)];
  idle_.ranks[place] = idle_.ranks.back();
  idle_.place[at(idle_.ranks[place])] = place;
  idle_.ranks.pop_back();
}

/// Makes the rank propose a message in the next start().
void Ports::mark_fresh(Side& side, std::int32_t rank) {
  State& state = side.state[at(rank)];
  if (state == State::fresh) return;
  if (state == State::idle) leave_idle(rank);
  state = State::fresh;
  side.fresh.push_back(rank);
}

/// Appends a ready message to the list of a rank, and notes whether partners and numbers ascend, which makes searches
/// fast.
void Ports::list(Side& side, std::int32_t rank, std::uint32_t message) {
  List& list = side.lists[at(rank)];
  std::int32_t const partner = side.partner[message];
  if (list.open++ == 0) {
    list.head = list.tail;
    list.ascending = !side.open.empty();
    list.consecutive = true;
  } else {
    list.ascending = list.ascending && list.last < partner;
    list.consecutive = list.consecutive && side.ready[list.tail - 1] + 1 == message;
  }
  list.last = partner;
  side.ready[list.tail++] = message;
  if (!side.open.empty()) side.open.insert(at(rank), at(partner));
}

void Ports::unlist(Side& side, std::int32_t rank, std::int32_t partner) {
  --side.lists[at(rank)].open;
  if (!side.open.empty()) side.open.remove(at(rank), at(partner));
}

/// Adds messages that have become ready together. Their order is their priority.
void Ports::add(std::span<std::uint32_t const> messages) {
  for (std::uint32_t const message : messages) {
    std::int32_t const source = messages_.source[message];
    std::int32_t const target = messages_.target[message];
    priority_[message] = next_priority_++;
    list(sources_, source, message);
    list(targets_, target, message);
    if (sources_.state[at(source)] == State::idle) {
      mark_fresh(targets_, target);
    } else {
      mark_fresh(sources_, source);
    }
  }
}

/// Starts messages by priority. Each fresh rank proposes its best message, and the best proposal of all is served until
/// none is left.
std::span<std::uint32_t const> Ports::start() {
  started_.clear();
  choose_proposers();
  for (std::size_t i = 0; i < sources_.fresh.size(); ++i) {
    fetch_first(i);
    propose(at(sources_.fresh[i]), first_of(sources_.fresh[i]));
  }
  // A target only proposes messages from idle sources, so its proposals differ from those of sources.
  for (std::int32_t const rank : targets_.fresh) propose(sources_.free.size() + at(rank), candidate_of_target(rank));
  proposals_.begin();
  while (!proposals_.empty()) {
    std::uint32_t const proposer = proposals_.take();
    Candidate best = proposed_[proposer];
    // What a rank proposes next is often the best again.
    do best = serve(best);
    while (best.message != nothing && proposals_.is_best(priority_[best.message]));
    propose(proposer, best);
  }
  proposals_.end();
  settle();
  return started_;
}

void Ports::propose(std::size_t proposer, Candidate const& candidate) {
  if (candidate.message == nothing) return;
  proposed_[proposer] = candidate;
  proposals_.add(priority_[candidate.message], static_cast<std::uint32_t>(proposer));
}

/// Prefetches memory that is needed some steps later, because there may be more messages than the caches hold.
void Ports::fetch_first(std::size_t fresh) const {
  auto const head_of = [&](std::size_t i) {
    return sources_.ready.data() + sources_.lists[at(sources_.fresh[i])].head;
  };
  std::size_t const count = sources_.fresh.size();
  if (fresh + 16 < count) __builtin_prefetch(head_of(fresh + 16));
  if (fresh + 8 >= count || sources_.lists[at(sources_.fresh[fresh + 8])].open == 0) return;
  std::uint32_t const message = *head_of(fresh + 8);
  __builtin_prefetch(priority_.data() + message);
  __builtin_prefetch(messages_.target.data() + message);
}

Ports::Candidate Ports::candidate_of_source(std::int32_t source) {
  Candidate found{nothing, source, 0};
  found.message = candidate(sources_, targets_, source, found.target);
  return found;
}

Ports::Candidate Ports::candidate_of_target(std::int32_t target) {
  Candidate found{nothing, 0, target};
  found.message = candidate(targets_, sources_, target, found.source);
  return found;
}

/// Starts the best proposal if it still can start. Returns the next proposal of the rank that made it, or nothing.
Ports::Candidate Ports::serve(Candidate const& best) {
  bool const by_source = sources_.state[at(best.source)] == State::fresh;
  bool const source_free = by_source ? sources_.free[at(best.source)] > 0 : sources_.matches.contains(at(best.source));
  if (source_free && targets_.matches.contains(at(best.target))) launch(best);
  return by_source ? candidate_of_source(best.source) : candidate_of_target(best.target);
}

/// A message that can start now has a fresh source and any target, or an idle source and a fresh target. Either fresh
/// targets look for idle sources, or, if there are at most as many idle sources, these become fresh.
void Ports::choose_proposers() {
  if (idle_.ranks.size() > targets_.fresh.size()) return;
  while (!idle_.ranks.empty()) mark_fresh(sources_, idle_.ranks.back());
  for (std::int32_t const rank : targets_.fresh) targets_.state[at(rank)] = State::still;
  targets_.fresh.clear();
}

/// The first message of the source that has not started. Whether its target has a free port is checked when its turn
/// comes.
Ports::Candidate Ports::first_of(std::int32_t source) {
  List& list = sources_.lists[at(source)];
  if (sources_.free[at(source)] == 0 || list.open == 0) return {};
  while (priority_[sources_.ready[list.head]] == nothing) ++list.head;
  std::uint32_t const message = sources_.ready[list.head];
  return {message, source, messages_.target[message]};
}

/// The rank's first message whose partner can start one, and that partner, if the rank has a free port; else nothing.
std::uint32_t Ports::candidate(Side& side, Side const& other, std::int32_t rank, std::int32_t& partner) const {
  List& list = side.lists[at(rank)];
  if (side.free[at(rank)] == 0 || list.open == 0) return nothing;
  if (list.ascending) {
    std::size_t const lowest = side.open.lowest_common(at(rank), other.matches);
    partner = static_cast<std::int32_t>(lowest);
    return lowest == BitRows::none ? nothing : find(side, list, partner);
  }
  auto const ready = side.ready.begin();
  std::uint32_t kept = list.head;
  for (std::uint32_t i = list.head; i < list.tail; ++i) {
    std::uint32_t const message = side.ready[i];
    if (priority_[message] == nothing) continue;
    partner = side.partner[message];
    if (other.matches.contains(at(partner))) {
      // Closes the gap that started messages left.
      std::move_backward(ready + list.head, ready + kept, ready + i);
      list.head += i - kept;
      return message;
    }
    side.ready[kept++] = message;
  }
  list.tail = kept;
  return nothing;
}

/// The message of an ascending list that goes to this partner; the list contains it.
std::uint32_t Ports::find(Side const& side, List const& list, std::int32_t partner) {
  std::uint32_t const* const ready = side.ready.data() + list.head;
  std::uint32_t const length = list.tail - list.head;
  if (list.consecutive) {
    std::int32_t const* const partners = side.partner.data() + *ready;
    return *ready + place_in(length, [&](std::uint32_t i) { return partners[i] < partner; });
  }
  return ready[place_in(length, [&](std::uint32_t i) { return side.partner[ready[i]] < partner; })];
}

/// The message takes one port at each end. Matches lists the ranks that still have a port to give.
void Ports::launch(Candidate const& message) {
  auto const [number, source, target] = message;
  priority_[number] = nothing;
  unlist(sources_, source, target);
  unlist(targets_, target, source);
  if (--targets_.free[at(target)] == 0) targets_.matches.remove(at(target));
  if (--sources_.free[at(source)] == 0 && sources_.state[at(source)] == State::idle) leave_idle(source);
  started_.push_back(number);
}

/// Called when no further message can start: no rank is fresh any more.
void Ports::settle() {
  for (std::int32_t const rank : sources_.fresh) {
    sources_.state[at(rank)] = State::still;
    if (sources_.free[at(rank)] > 0 && sources_.lists[at(rank)].open > 0) join_idle(rank);
  }
  for (std::int32_t const rank : targets_.fresh) targets_.state[at(rank)] = State::still;
  sources_.fresh.clear();
  targets_.fresh.clear();
}

/// Frees the ports of finished messages. Both ends of each may start a message in the next start().
void Ports::release(std::span<std::uint32_t const> finished) {
  for (std::size_t i = 0; i < finished.size(); ++i) {
    if (i + 16 < finished.size()) fetch_ends(messages_, finished[i + 16]);
    std::int32_t const source = messages_.source[finished[i]];
    std::int32_t const target = messages_.target[finished[i]];
    ++sources_.free[at(source)];
    if (targets_.free[at(target)]++ == 0) targets_.matches.insert(at(target));
    mark_fresh(sources_, source);
    mark_fresh(targets_, target);
  }
}

}  // namespace rondo::native
