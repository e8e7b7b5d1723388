// Schedules in rounds on the ports of the machine. A rank posts the messages of a round when it enters it, and leaves
// the round when its last message has finished. FixedTimes or FluidTimes says when messages finish. Parts
// (schedule/parts.hpp) replace ranks if there are any; the parts of one rank share its ports and calculate one after
// the other.

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/part_order.hpp"
#include "engine/native/ports.hpp"
#include "engine/native/run.hpp"
#include "engine/native/transfer_times.hpp"

namespace rondo::native {

namespace {

/// A rank that posts its whole round as it enters it.
struct Progress : RoundPosition {
  std::uint32_t open = 0;   ///< posted messages that have not finished
  std::uint32_t batch = 0;  ///< the number of the batch of ranks that entered their rounds together with it
  Seconds entered;          ///< the time at which it entered its round; after its last round, its finish
};

/// Matches receives to messages before other arrays are allocated, so that the memory for matching is free again.
ReadyLists lists_of(Schedule const& schedule, Messages const& messages) {
  ReadyLists lists;
  lists.receives = match(schedule, messages);
  lists.sends.assign(messages.source.size(), nothing);
  return lists;
}

/// Arrays for the lists of ready messages if parts share ports. With parts they need arrays of their own, because a
/// part posts before the messages of another part of its rank.
ReadyLists separate_lists(Messages const& messages, bool apart) {
  if (!apart) return {};
  return {Column<std::uint32_t>(messages.source.size()), Column<std::uint32_t>(messages.first_receive.back())};
}

/// The event loop. `Times` is FixedTimes (messages do not share bandwidth) or FluidTimes.
template <typename Times>
class RoundRun {
 public:
  template <typename... Ways>
  RoundRun(Schedule const& schedule, Platform const& platform, Terms const& terms, Ways const&... ways)
      : schedule_(schedule),
        messages_(read_messages(schedule, platform)),
        ready_lists_(lists_of(schedule, messages_)),
        of_ranks_(messages_between_ranks(messages_, terms.parts)),
        lists_(separate_lists(messages_, terms.parts != nullptr)),
        ports_(of_ranks_ ? *of_ranks_ : messages_, platform.ports, of_ranks_ ? lists_ : ready_lists_),
        times_(messages_, terms.noise, ways...),
        progress_(at(schedule.ranks)),
        order_(terms.parts, terms.noise),
        has_wakes_(!terms.arrival.empty() || terms.parts != nullptr),
        start_(terms.log == Log::messages ? messages_.source.size() : 0),
        end_(start_) {
    expects(messages_.source.size() + 2 * progress_.size() < nothing, "numbers for messages and ranks");
    for (std::size_t r = 0; r < progress_.size(); ++r) {
      progress_[r].send = progress_[r].send_end = messages_.first_send[r];
      progress_[r].receive = progress_[r].receive_end = messages_.first_receive[r];
      if (order_.waits(r)) continue;
      await_arrival(static_cast<std::int32_t>(r), terms.arrival_of(order_.rank(r)));
    }
  }

  /// Handles one moment after the other: messages that finish free their ports, ranks whose rounds are complete enter
  /// their next rounds, and ready messages start.
  void run(Deadline const& deadline) {
    std::vector<std::uint32_t> finished;
    leave({});
    start({});
    for (std::uint32_t events = 0; times_.running(); ++events) {
      if (events % 4096 == 0) deadline.check();
      Instant const now = times_.finish(finished);
      take_wakes(finished);
      ports_.release(finished);
      for (std::size_t i = 0; i < finished.size(); ++i) {
        if (i + 16 < finished.size()) fetch_ends(messages_, finished[i + 16]);
        close(messages_.source[finished[i]]);
        close(messages_.target[finished[i]]);
        if (!end_.empty()) end_[finished[i]] = Seconds(now.value);
      }
      leave(now);
      start(now);
    }
  }

  bool ended() const {
    return std::all_of(progress_.begin(), progress_.end(), [](Progress const& rank) { return rank.open == 0; });
  }

  Run result() const {
    Run run;
    run.messages = static_cast<std::int64_t>(messages_.source.size());
    run.bytes = messages_.bytes;
    for (Progress const& rank : progress_) {
      run.finish.push_back(rank.entered);
      run.makespan = std::max(run.makespan, run.finish.back());
    }
    if (!end_.empty()) run.message_times = times_of_messages(schedule_, messages_, start_, end_);
    return run;
  }

  /// Called when nothing runs and all ports are free. What is still open has been posted by one end only.
  std::vector<Wait> waits() const {
    return waits_of(schedule_, messages_, {progress_.begin(), progress_.end()},
                    std::vector<bool>(messages_.source.size(), false));
  }

 private:
  /// A wake for a rank that arrives later has a number after those of the messages.
  void await_arrival(std::int32_t rank, Seconds time) {
    if (time == Seconds(0)) return leaving_.push_back(rank);
    times_.wake({}, time, static_cast<std::uint32_t>(messages_.source.size() + at(rank)));
  }

  /// Removes the wakes (arrivals and ends of calculations) from the finished numbers. Their ranks or parts go on.
  void take_wakes(std::vector<std::uint32_t>& finished) {
    if (!has_wakes_) return;
    std::erase_if(finished, [&](std::uint32_t number) {
      if (number < messages_.source.size()) return false;
      std::size_t const part = number - messages_.source.size();
      if (part >= progress_.size()) order_.end_calculation(part - progress_.size());
      leaving_.push_back(static_cast<std::int32_t>(part % progress_.size()));
      return true;
    });
  }

  /// Starts every message whose ports are free.
  void start(Instant now) {
    std::span<std::uint32_t const> const started = ports_.start();
    times_.start(started, now);
    if (start_.empty()) return;
    for (std::uint32_t const message : started) start_[message] = Seconds(now.value);
  }

  /// A mark in ready_lists_.sends of a message whose receive was posted before its send.
  static constexpr std::uint32_t received = 0;

  void close(std::int32_t rank) {
    if (--progress_[at(rank)].open == 0) leaving_.push_back(rank);
  }

  /// The ranks in `leaving_` enter their next rounds that have messages. All receives of the moment are posted before
  /// all sends, so the order of ranks has no effect.
  void leave(Instant now) {
    std::sort(leaving_.begin(), leaving_.end());
    ++batch_;
    for (std::size_t i = 0; i < leaving_.size(); ++i) enter(leaving_[i], now);
    if (order_.has_parts()) {
      std::sort(leaving_.begin(), leaving_.end());
      // Wakes of calculations have numbers after those of arrivals.
      auto const begin = static_cast<std::uint32_t>(messages_.source.size() + progress_.size());
      order_.calculate([&](std::uint32_t part, Seconds time) { times_.wake(now, time, begin + part); });
    }
    for (std::int32_t const rank : leaving_) post_receives(progress_[at(rank)]);
    // The sends of this moment are posted in the order of the messages' numbers. They are handed over rank by rank,
    // which saves memory.
    bool const in_order = ready_.empty();
    for (std::int32_t const rank : leaving_) {
      post_sends(progress_[at(rank)]);
      if (in_order) add_ready();
    }
    leaving_.clear();
    if (in_order) return;
    order_by_posting();
    add_ready();
  }

  void add_ready() {
    ports_.add(ready_);
    ready_.clear();
  }

  /// The rank enters its next round that has messages. Rounds without messages pass at once.
  void enter(std::int32_t rank, Instant now) {
    Program const& program = schedule_.program(Rank(rank));
    Progress& progress = progress_[at(rank)];
    progress.entered = Seconds(now.value);
    progress.batch = batch_;
    progress.send = progress.send_end;
    progress.receive = progress.receive_end;
    if (order_.has_parts() && order_.begin_calculation(at(rank))) return;
    while (progress.open == 0 && ++progress.round <= program.rounds()) {
      progress.send_end += static_cast<std::uint32_t>(program.sends(progress.round).size());
      progress.receive_end += static_cast<std::uint32_t>(program.receives(progress.round).size());
      progress.open = progress.send_end - progress.send + progress.receive_end - progress.receive;
    }
    if (progress.open == 0 && order_.has_parts()) order_.end(at(rank), leaving_);
  }

  void fetch(std::uint32_t message) const {
    if (message == nothing) return;
    __builtin_prefetch(messages_.source.data() + message);
    __builtin_prefetch(ready_lists_.sends.data() + message);
  }

  /// Posts the receives of a round. If the send was posted earlier, the message becomes ready; if not, the receive
  /// leaves a mark for the send.
  void post_receives(Progress const& progress) {
    for (std::uint32_t i = progress.receive; i < progress.receive_end; ++i) {
      if (i + 16 < progress.receive_end) fetch(ready_lists_.receives[i + 16]);
      std::uint32_t const message = ready_lists_.receives[i];
      if (message == nothing) continue;
      Progress const& source = progress_[at(messages_.source[message])];
      if (message < source.send_end && source.batch != batch_) {
        ready_.push_back(message);
      } else {
        ready_lists_.sends[message] = received;
      }
    }
  }

  /// Posts the sends of a round. A message is ready if its receive has left a mark.
  void post_sends(Progress const& progress) {
    for (std::uint32_t message = progress.send; message < progress.send_end; ++message) {
      if (ready_lists_.sends[message] == received) ready_.push_back(message);
    }
  }

  /// Sorts by the time at which the sender posted, then by number. Batches of the same time still have an order.
  void order_by_posting() {
    std::sort(ready_.begin(), ready_.end(), [&](std::uint32_t a, std::uint32_t b) {
      auto const posted = [&](std::uint32_t message) { return progress_[at(messages_.source[message])].batch; };
      return std::pair(posted(a), a) < std::pair(posted(b), b);
    });
  }

  Schedule const& schedule_;
  Messages messages_;
  ReadyLists ready_lists_;
  std::optional<Messages> of_ranks_;  ///< by message its ranks, where those of messages_ are parts
  ReadyLists lists_;
  Ports ports_;
  Times times_;
  std::vector<Progress> progress_;
  PartOrder order_;
  std::vector<std::int32_t> leaving_;
  std::uint32_t batch_ = 0;
  std::vector<std::uint32_t> ready_;
  bool has_wakes_;
  std::vector<Seconds> start_, end_;  ///< by message; empty where they are not kept
};

/// Runs the event loop. If messages remain that nothing can complete, it describes the deadlock.
template <typename Times>
std::variant<Run, Deadlock> outcome(RoundRun<Times>&& run, Schedule const& schedule, Deadline const& deadline) {
  run.run(deadline);
  if (!run.ended()) return Deadlock{deadlock_text(schedule.ranks, run.waits())};
  return run.result();
}

}  // namespace

/// Without shared links no message slows another down, so that finish times are known at the start.
std::variant<Run, Deadlock> time_with_events(Schedule const& schedule, Platform const& platform,
                                             FlowLinks const* flow_links, Terms const& terms) {
  if (flow_links == nullptr) {
    return outcome(RoundRun<FixedTimes>(schedule, platform, terms), schedule, terms.deadline);
  }
  return outcome(RoundRun<FluidTimes>(schedule, platform, terms, *flow_links), schedule, terms.deadline);
}

}  // namespace rondo::native
