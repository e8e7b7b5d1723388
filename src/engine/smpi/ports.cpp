// Gives away ports at the end of each moment, in the order in which messages were posted.

#include "engine/smpi/ports.hpp"

#include <algorithm>
#include <simgrid/s4u.hpp>

#include "base/ids.hpp"

namespace rondo {

SmpiPorts::SmpiPorts(int ranks, std::vector<std::int32_t> rank_of_part, int ports, Launch launch)
    : SmpiRule(ranks, std::move(rank_of_part)),
      ports_(ports),
      launch_(std::move(launch)),
      sending_(rank_count(ranks)),
      receiving_(rank_count(ranks)),
      posted_(at(ranks)),
      waiting_from_(rank_count(ranks)),
      waiting_to_(rank_count(ranks)) {}

SmpiPorts::Posted SmpiPorts::new_posting(int from) {
  std::int64_t const place = posted_[at(from)]++;
  return {moments_, place, number_of_send(from, place)};
}

void SmpiPorts::post(int from, int to, std::int64_t bytes) {
  open_moment(now());
  sends_[{from, to, bytes}].push_back(new_posting(from));
}

/// Finds when a matched send was posted. SMPI does not say to which send a message belongs. Sends between two ranks
/// with the same size are taken in posting order; this only affects messages that become ready in the same moment. SMPI
/// does not report a blocking send when it is posted; it counts as posted now, because its rank can post nothing else
/// after it.
SmpiPorts::Posted SmpiPorts::posting_of(int from, int to, std::int64_t bytes) {
  auto const found = sends_.find({from, to, bytes});
  if (found == sends_.end()) return new_posting(from);
  Posted const posted = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) sends_.erase(found);
  return posted;
}

void SmpiPorts::admit(Action& action, int from, int to, std::int64_t bytes, TransferCost const& transfer) {
  open_moment(now());
  ready_.push_back({&action, from, to, bytes, transfer, posting_of(from, to, bytes)});
}

/// Gives ports away at the end of a moment, when all events of the moment are known. If parts get the turn of a CPU,
/// they may post more, so the moment goes on.
void SmpiPorts::close_moment() {
  if (grant_turns()) return open_moment(moment());
  wait_in_order();
  start_ready_messages();
  ++moments_;
}

/// Numbers the messages that became ready in this moment. The number is their priority: sorted by the moment in which
/// the send was posted, then by source, then by posting order.
void SmpiPorts::wait_in_order() {
  std::sort(ready_.begin(), ready_.end(), [](Message const& a, Message const& b) {
    return std::tuple(a.posted.moment, a.from, a.posted.place) < std::tuple(b.posted.moment, b.from, b.posted.place);
  });
  for (Message const& message : ready_) {
    std::int64_t const number = next_number_++;
    waiting_.emplace(number, message);
    number_.emplace(message.action, number);
    waiting_from_[at(rank_of(message.from))].insert(number);
    waiting_to_[at(rank_of(message.to))].insert(number);
  }
}

/// Only messages that have become ready, or whose ends have got a free port, can start now. They are tried by priority.
void SmpiPorts::start_ready_messages() {
  std::vector<std::int64_t> startable;
  for (auto const& [from, to] : ended_) {
    collect(waiting_from_[at(from)], startable);
    collect(waiting_to_[at(to)], startable);
  }
  for (std::int64_t i = static_cast<std::int64_t>(ready_.size()); i > 0; --i) startable.push_back(next_number_ - i);
  ended_.clear();
  ready_.clear();
  std::sort(startable.begin(), startable.end());
  startable.erase(std::unique(startable.begin(), startable.end()), startable.end());
  for (std::int64_t const number : startable) {
    Message const message = waiting_.at(number);
    if (!can_start(message)) continue;
    forget(number);
    start(message);
  }
}

bool SmpiPorts::can_start(Message const& message) const {
  return sending_[at(rank_of(message.from))] < ports_ && receiving_[at(rank_of(message.to))] < ports_;
}

/// The message occupies a port at each end. Without shared links its end is known now. Else SimGrid's flow of its bytes
/// begins after the start-up.
void SmpiPorts::start(Message const& message) {
  ++sending_[at(rank_of(message.from))];
  ++receiving_[at(rank_of(message.to))];
  if (message.transfer.flows_apart) return launch(message);
  Instant const begin = moment() + (message.transfer.startup + startup_noise(message.from, message.posted.send).value);
  bool const flows = !message.transfer.links.empty();
  Instant const end = begin + message.transfer.bytes / message.transfer.bandwidth;
  running_[message.action] = {message.from, message.to, flows ? Instant(without_end) : end, {}};
  started(message.action, moment());
  if (flows) return begin_flow(*message.action, message.transfer, begin);
  end_action(*message.action, end);
}

/// Starts a message whose bytes flow in transfers of their own. SMPI's action cannot carry them, because SimGrid chose
/// its route before the message started.
void SmpiPorts::launch(Message const& message) {
  started(message.action, moment());
  MessageFlows launched = launch_(message.from, message.to, message.bytes);
  Instant const begin = moment() + (launched.startup + startup_noise(message.from, message.posted.send).value);
  std::size_t const flows = launched.transfers.size();
  running_[message.action] = {message.from, message.to, flows > 0 ? Instant(without_end) : begin,
                              std::move(launched.load), flows};
  if (flows == 0) return end_action(*message.action, begin);
  for (MessageFlows::Transfer& each : launched.transfers) {
    begin_flow(*each.action, each.transfer, begin);
    moving_.emplace(each.action, std::pair(message.action, std::move(each.comm)));
  }
}

/// SimGrid has ended an action. It may be a transfer of bytes, a message that occupied ports, or a message that still
/// waited and was cancelled by its ranks.
void SmpiPorts::release(void const* action) {
  if (auto const found = moving_.find(action); found != moving_.end()) {
    open_moment(simgrid::s4u::Engine::get_clock());
    if (--running_.at(found->second.first).flows == 0) end_action(*found->second.first, moment());
    end_transfer(std::move(found->second.second));
    moving_.erase(found);
  } else if (auto const running = running_.find(action); running != running_.end()) {
    Running const ended = running->second;
    running_.erase(running);
    --sending_[at(rank_of(ended.from))];
    --receiving_[at(rank_of(ended.to))];
    count_end(ended.from, ended.to);
    double const clock = simgrid::s4u::Engine::get_clock();
    open_moment(ended.end.value <= clock ? ended.end : Instant(clock));
    ended_.emplace_back(rank_of(ended.from), rank_of(ended.to));
  } else if (auto const waits = number_.find(action); waits != number_.end()) {
    forget(waits->second);  // its ranks have given it up
  } else {
    std::erase_if(ready_, [&](Message const& message) { return message.action == action; });
  }
}

/// Removes a message from all lists of waiting ones.
void SmpiPorts::forget(std::int64_t number) {
  Message const message = waiting_.at(number);
  waiting_.erase(number);
  number_.erase(message.action);
  waiting_from_[at(rank_of(message.from))].erase(number);
  waiting_to_[at(rank_of(message.to))].erase(number);
}

/// Adds the numbers of those messages that can start.
void SmpiPorts::collect(std::set<std::int64_t> const& numbers, std::vector<std::int64_t>& startable) const {
  for (std::int64_t const number : numbers) {
    if (can_start(waiting_.at(number))) startable.push_back(number);
  }
}

}  // namespace rondo
