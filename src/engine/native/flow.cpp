// Schedules in rounds under flow timing: the CPUs of ranks, which post and take messages one after the other, by the
// rules of docs/model.md; FluidTimes is the way between them.

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/index.hpp"
#include "engine/native/costs.hpp"
#include "engine/native/fluid_times.hpp"
#include "engine/native/passages.hpp"
#include "engine/native/run.hpp"
#include "engine/native/waits.hpp"
#include "schedule/measure.hpp"

namespace rondo::native {

namespace {

/// What a CPU does. keep: a message that came too early. join: what a round has brought. away: nothing, until its rank
/// comes.
enum class Work : std::uint8_t { none, receive, send, take, keep, join, away };

/// A rank and its CPU.
struct Processor : Standing {
  std::uint32_t next_send = 0, next_receive = 0;  ///< of its round, the first that its CPU has not begun
  std::uint32_t open = 0;                         ///< sends and receives of its round that have not ended
  Work work = Work::none;
  std::uint32_t item = nothing;                       ///< a receive, else a message
  std::uint32_t arrived = nothing, arrived_last = 0;  ///< messages that the CPU has not begun, linked
  bool awake = false;                                 ///< whether something has happened to it
  int joined = -1;                                    ///< the last round whose joins are over
  Seconds entered;                                    ///< its round; at last, its finish
};

/// Messages that came too early and receives that wait, by rank, in their order. Only kept where searching takes time.
struct Lists {
  std::vector<std::vector<std::uint32_t>> early, waiting;

  Lists(std::size_t ranks, bool kept) : early(kept ? ranks : 0), waiting(early.size()) {}
  bool kept() const { return !early.empty(); }
};

std::size_t place_of(std::vector<std::uint32_t> const& list, std::uint32_t entry) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), entry) - list.begin());
}

class CpuRun {
 public:
  CpuRun(Schedule const& schedule, Platform const& platform, Wiring const& wiring, Terms const& terms,
         Messages const* ways)
      : schedule_(schedule),
        costs_(platform.flow),
        reduce_(platform.reduce),
        messages_(read_messages(schedule, platform)),
        receives_(match(schedule, messages_)),
        times_(ways == nullptr ? messages_ : *ways, wiring),
        ranks_(at(schedule.ranks)),
        state_(messages_.source.size(), 0),
        next_arrived_(messages_.source.size(), nothing),
        receive_of_(platform.flow.match > Seconds(0) ? messages_.source.size() : 0, nothing),
        lists_(ranks_.size(), platform.flow.match > Seconds(0)),
        start_(terms.log == Log::messages ? messages_.source.size() : 0),
        end_(start_) {
    expects(messages_.source.size() + ranks_.size() < nothing, "numbers for messages and ranks");
    if (!receive_of_.empty()) number_receives();
    mark_eager();
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      ranks_[r].send = ranks_[r].send_end = ranks_[r].next_send = messages_.first_send[r];
      ranks_[r].receive = ranks_[r].receive_end = ranks_[r].next_receive = messages_.first_receive[r];
      await_arrival(static_cast<std::int32_t>(r), terms.arrival_of(r));
    }
  }

  void run(Deadline const& deadline) {
    std::vector<std::uint32_t> events;
    go_on();
    for (std::uint32_t count = 0; times_.running(); ++count) {
      if (count % 4096 == 0) deadline.check();
      now_ = times_.finish(events);
      begin_moment(events);
      go_on();
    }
  }

  bool ended() const {
    return std::all_of(ranks_.begin(), ranks_.end(), [](Processor const& rank) { return rank.open == 0; });
  }

  Run result() const {
    Run run;
    run.messages = static_cast<std::int64_t>(messages_.source.size());
    run.bytes = messages_.bytes;
    for (Processor const& rank : ranks_) {
      run.finish.push_back(rank.entered);
      run.makespan = std::max(run.makespan, run.finish.back());
    }
    if (!end_.empty()) run.passages = passages_of(schedule_, messages_, start_, end_);
    return run;
  }

  std::vector<Wait> waits() const {
    std::vector<bool> left;
    for (std::uint8_t const state : state_) left.push_back((state & eager) != 0);
    return waits_of(schedule_, messages_, {ranks_.begin(), ranks_.end()}, left);
  }

 private:
  /// States of a message: its size lets it go off alone; its send has been offered; its receive waits; it came too
  /// early.
  static constexpr std::uint8_t eager = 1, offered = 2, awaited = 4, early = 8;

  void number_receives() {
    for (std::uint32_t i = 0; i < receives_.size(); ++i) {
      if (receives_[i] != nothing) receive_of_[receives_[i]] = i;
    }
  }

  void mark_eager() {
    std::size_t message = 0;
    for (std::int32_t rank = 0; rank < schedule_.ranks; ++rank) {
      Program const& program = schedule_.program(Rank(rank));
      Sizes const size(program);
      for (int round = 1; round <= program.rounds(); ++round) {
        for (Transfer const& send : program.sends(round)) {
          if (size(send) <= costs_.eager.value) state_[message] = eager;
          ++message;
        }
      }
    }
  }

  void await_arrival(std::int32_t rank, Seconds time) {
    if (time == Seconds(0)) return wake(rank);
    begin(rank, Work::away, nothing, time);
  }

  bool is(std::uint32_t message, std::uint8_t state) const { return (state_[message] & state) != 0; }

  void wake(std::int32_t rank) {
    if (!std::exchange(ranks_[at(rank)].awake, true)) awake_.push_back(rank);
  }

  /// Works that are over end, and messages arrive. Events are messages, or ranks whose CPU ends its work.
  void begin_moment(std::vector<std::uint32_t> const& events) {
    arrived_.clear();
    auto const count = static_cast<std::uint32_t>(messages_.source.size());
    for (std::uint32_t const event : events) {
      if (event < count) {
        arrived_.push_back(event);
      } else {
        end_work(static_cast<std::int32_t>(event - count));
        wake(static_cast<std::int32_t>(event - count));
      }
    }
    // Messages are numbered by source, and as it posts them.
    std::sort(arrived_.begin(), arrived_.end());
    for (std::uint32_t const message : arrived_) arrive(message);
  }

  void arrive(std::uint32_t message) {
    Processor& target = ranks_[at(messages_.target[message])];
    if (target.arrived == nothing) {
      target.arrived = message;
    } else {
      next_arrived_[target.arrived_last] = message;
    }
    target.arrived_last = message;
    wake(messages_.target[message]);
  }

  /// The steps of a moment. What a rank posts changes nothing for another one within it.
  void go_on() {
    while (!awake_.empty()) {
      working_.swap(awake_);
      for (std::int32_t const rank : working_) {
        ranks_[at(rank)].awake = false;
        do_posted(rank);
      }
      for (std::int32_t const rank : working_) do_arrived(rank);
      working_.clear();
    }
    // By source, and as it posted them: so they choose their routes, where they do.
    std::sort(gone_off_.begin(), gone_off_.end());
    times_.start(gone_off_, now_);
    gone_off_.clear();
  }

  void do_posted(std::int32_t rank) {
    Processor& own = ranks_[at(rank)];
    if (own.work == Work::away) return;
    while (true) {
      while (own.open == 0 && own.round <= schedule_.program(Rank(rank)).rounds()) {
        if (!has_joined(rank)) return;
        enter(rank);
      }
      if (own.work != Work::none) return;
      if (own.next_receive < own.receive_end) {
        begin_receive(rank, own.next_receive++);
      } else if (own.next_send < own.send_end) {
        begin(rank, Work::send, own.next_send++, costs_.o_send);
      } else {
        return;
      }
    }
  }

  /// Whether the joins of its round are over; if not, its CPU does them as soon as it does nothing else.
  bool has_joined(std::int32_t rank) {
    Processor& own = ranks_[at(rank)];
    if (own.joined == own.round || reduce_ == Seconds(0)) return true;
    if (own.work != Work::none) return false;
    Bytes const bytes = joined_bytes(schedule_.program(Rank(rank)), own.round);
    begin(rank, Work::join, nothing, static_cast<double>(bytes.value) * reduce_);
    return own.joined == own.round;
  }

  void enter(std::int32_t rank) {
    Processor& own = ranks_[at(rank)];
    Program const& program = schedule_.program(Rank(rank));
    own.entered = Seconds(now_.value);
    own.send = own.send_end;
    own.receive = own.receive_end;
    if (++own.round > program.rounds()) return;
    own.send_end += static_cast<std::uint32_t>(program.sends(own.round).size());
    own.receive_end += static_cast<std::uint32_t>(program.receives(own.round).size());
    own.open = own.send_end - own.send + own.receive_end - own.receive;
  }

  void do_arrived(std::int32_t rank) {
    Processor& own = ranks_[at(rank)];
    // A rank that has been let go on posts first only in the next step.
    while (own.work == Work::none && own.arrived != nothing) {
      std::uint32_t const message = own.arrived;
      own.arrived = std::exchange(next_arrived_[message], nothing);
      begin_arrived(rank, message);
    }
  }

  void begin_receive(std::int32_t rank, std::uint32_t receive) {
    std::uint32_t const message = receives_[receive];
    bool const found = message != nothing && is(message, early);
    Seconds time(0);
    if (lists_.kept()) {
      auto const& list = lists_.early[at(rank)];
      time = searching(found ? place_of(list, message) + 1 : list.size());
    }
    if (found) time = time + costs_.o_recv;
    begin(rank, Work::receive, receive, time);
  }

  void begin_arrived(std::int32_t rank, std::uint32_t message) {
    bool const found = is(message, awaited);
    Seconds time(0);
    if (lists_.kept()) {
      auto const& list = lists_.waiting[at(rank)];
      time = searching(found ? place_of(list, receive_of_[message]) + 1 : list.size());
    }
    if (found) time = time + costs_.o_recv;
    begin(rank, found ? Work::take : Work::keep, message, time);
  }

  Seconds searching(std::size_t entries) const { return static_cast<double>(entries) * costs_.match; }

  void begin(std::int32_t rank, Work work, std::uint32_t item, Seconds time) {
    Processor& own = ranks_[at(rank)];
    own.work = work;
    own.item = item;
    if (time == Seconds(0)) return end_work(rank);
    times_.wake(now_, time, static_cast<std::uint32_t>(messages_.source.size()) + static_cast<std::uint32_t>(rank));
  }

  void end_work(std::int32_t rank) {
    Processor& own = ranks_[at(rank)];
    switch (std::exchange(own.work, Work::none)) {
      case Work::none:
        break;
      case Work::away:
        return;
      case Work::send:
        return offer(own.item);
      case Work::receive:
        return await(rank, own.item);
      case Work::join:
        own.joined = own.round;
        return;
      case Work::take:
        if (lists_.kept()) std::erase(lists_.waiting[at(rank)], receive_of_[own.item]);
        return end(own.item);
      case Work::keep:
        state_[own.item] |= early;
        if (lists_.kept()) lists_.early[at(rank)].push_back(own.item);
        return;
    }
    expects(false, "a work");
  }

  void offer(std::uint32_t message) {
    if (messages_.target[message] == nobody) return;
    state_[message] |= offered;
    if (is(message, eager)) {
      close(messages_.source[message]);
      go_off(message);
    } else if (is(message, awaited)) {
      go_off(message);
    }
  }

  void await(std::int32_t rank, std::uint32_t receive) {
    std::uint32_t const message = receives_[receive];
    if (message != nothing && is(message, early)) {
      if (lists_.kept()) std::erase(lists_.early[at(rank)], message);
      return end(message);
    }
    if (lists_.kept()) lists_.waiting[at(rank)].push_back(receive);
    if (message == nothing) return;
    state_[message] |= awaited;
    if (is(message, offered) && !is(message, eager)) go_off(message);
  }

  void go_off(std::uint32_t message) {
    gone_off_.push_back(message);
    if (!start_.empty()) start_[message] = Seconds(now_.value);
  }

  /// Its receive ends, and its send, if that has not ended yet.
  void end(std::uint32_t message) {
    close(messages_.target[message]);
    if (!is(message, eager)) close(messages_.source[message]);
    if (!end_.empty()) end_[message] = Seconds(now_.value);
  }

  void close(std::int32_t rank) {
    if (--ranks_[at(rank)].open == 0) wake(rank);
  }

  Schedule const& schedule_;
  FlowCosts costs_;
  Seconds reduce_;
  Messages messages_;
  std::vector<std::uint32_t> receives_;  ///< by receive: the message that it matches, or nothing
  FluidTimes times_;
  std::vector<Processor> ranks_;
  std::vector<std::uint8_t> state_;          ///< by message
  std::vector<std::uint32_t> next_arrived_;  ///< by message: the one that arrived after it
  std::vector<std::uint32_t> receive_of_;    ///< by message, where lists are kept
  Lists lists_;
  std::vector<std::int32_t> awake_, working_;
  std::vector<std::uint32_t> arrived_, gone_off_;
  std::vector<Seconds> start_, end_;  ///< by message; empty where they are not kept
  Instant now_;
};

}  // namespace

std::variant<Run, Deadlock> time_with_cpus(Schedule const& schedule, Platform const& platform, Wiring const& wiring,
                                           Terms const& terms, Messages const* ways) {
  CpuRun run(schedule, platform, wiring, terms, ways);
  run.run(terms.deadline);
  if (!run.ended()) return Deadlock{describe_standstill(schedule.ranks, run.waits())};
  return run.result();
}

}  // namespace rondo::native
