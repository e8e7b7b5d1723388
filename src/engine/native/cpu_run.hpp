#pragma once

// Flow timing: the CPUs of ranks, which post and take messages one after the other by the rules of docs/model.md.
// FluidTimes carries the messages between them. A thread is the unit that asks for a CPU. It is a rank or a part
// (schedule/parts.hpp), which goes from round to round (flow.cpp), or a task of a graph (flow_tasks.cpp). The CPU of a
// rank serves its threads in the order in which they asked for it.

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/run.hpp"
#include "engine/native/transfer_times.hpp"

namespace rondo::native {

/// The work of a CPU.
/// receive, send: it posts a receive or a send. take: it takes a message whose receive waits.
/// keep: it stores a message that came before its receive. join: it reduces the data that a round brought.
/// calculate: the time that a part or a task states. away: the rank has not arrived.
enum class Work : std::uint8_t { none, receive, send, take, keep, join, calculate, away };

/// The CPU of a rank, and its work in hand and to come. Lists are linked through next_ and next_arrived_ of CpuRun.
struct Processor {
  Work work = Work::none;
  std::uint32_t item =
      nothing;  ///< the number of a receive (Work::receive), of a thread (join, calculate), else of a message
  std::uint32_t arrived = nothing,
                arrived_last = 0;  ///< messages that have arrived and that the CPU has not begun to take, linked
  std::uint32_t ready = nothing;   ///< threads whose waiting is over, linked
  std::uint32_t first = nothing, last = 0;  ///< the queue of threads that have work for this CPU, linked
  bool awake = false;                       ///< whether it is in awake_: an event of this moment concerns it
};

/// By rank, the messages that came before their receives, and the receives that wait, both in order. They are only
/// stored if the search through them takes time.
struct Lists {
  std::vector<std::vector<std::uint32_t>> early, waiting;

  Lists(std::size_t ranks, bool kept) : early(kept ? ranks : 0), waiting(early.size()) {}
  bool kept() const { return !early.empty(); }
};

/// The place of an entry in a short list.
inline std::size_t place_of(std::vector<std::uint32_t> const& list, std::uint32_t entry) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), entry) - list.begin());
}

/// `Threads` derives from CpuRun and supplies the work of threads:
///   bool goes_on(thread)              whether it has work for its CPU; if not, it has ended
///   void begin_next(rank, thread)     called when the CPU is idle and the thread is the first of its queue
///   void end_thread_work(work, item)  a join or a calculation has ended
///   void serve_other_cpus()           called when the threads that went on have joined the queue
///   void end_other_cpu(number)        the calculation of another CPU has ended; `Threads` numbers these CPUs
///   rank_of_thread(thread)
///   message_of(receive), receive_of(message)   the two that match; nothing if it is unknown or never posted
///   end_receive(message), end_send(message)
template <typename Threads>
class CpuRun {
 public:
  /// Handles one moment after the other until no message and no work is under way.
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

 protected:
  /// States of a message. eager: its size lets it depart before its receive is posted. offered: its send has been
  /// posted. awaited: its receive has been posted. early: it arrived before its receive was posted.
  static constexpr std::uint8_t eager = 1, offered = 2, awaited = 4, early = 8;

  CpuRun(Messages messages, std::size_t threads, std::size_t ranks, Platform const& platform,
         FlowLinks const& flow_links, Terms const& terms, Messages const* ways)
      : costs_(platform.flow),
        messages_(std::move(messages)),
        times_(ways == nullptr ? messages_ : *ways, terms.noise, flow_links),
        noise_(terms.noise != nullptr && terms.noise->on_cpu() ? terms.noise : nullptr),
        next_(threads, nothing),
        ranks_(ranks),
        state_(messages_.source.size(), 0),
        next_arrived_(messages_.source.size(), nothing),
        lists_(ranks, platform.flow.match > Seconds(0)),
        start_(terms.log == Log::messages ? messages_.source.size() : 0),
        end_(start_) {
    expects(messages_.source.size() + ranks_.size() < nothing, "numbers for messages and ranks");
  }

  void await_arrivals(Terms const& terms) {
    for (std::size_t r = 0; r < ranks_.size(); ++r) await_arrival(static_cast<std::int32_t>(r), terms.arrival_of(r));
  }

  bool is(std::uint32_t message, std::uint8_t state) const { return (state_[message] & state) != 0; }
  std::uint32_t messages() const { return static_cast<std::uint32_t>(messages_.source.size()); }

  /// Marks a rank as concerned by an event of this moment. It is then served once in the next step.
  void wake(std::int32_t rank) {
    if (!std::exchange(ranks_[at(rank)].awake, true)) awake_.push_back(rank);
  }

  void make_ready(std::uint32_t thread) {
    Processor& cpu = ranks_[at(threads().rank_of_thread(thread))];
    next_[thread] = std::exchange(cpu.ready, thread);
  }

  void leave_queue(std::int32_t rank) {
    Processor& cpu = ranks_[at(rank)];
    cpu.first = next_[cpu.first];
  }

  /// The CPU begins to post a receive. If lists take time to search, it first searches the messages that came early. If
  /// it finds the message there, it also takes it.
  void begin_receive(std::int32_t rank, std::uint32_t receive) {
    std::uint32_t const message = threads().message_of(receive);
    bool const found = message != nothing && is(message, early);
    Seconds time(0);
    if (lists_.kept()) {
      auto const& list = lists_.early[at(rank)];
      time = searching(found ? place_of(list, message) + 1 : list.size());
    }
    if (found) time = time + taking(message);
    begin(rank, Work::receive, receive, time);
  }

  /// The time to post a send: the overhead o_send and its noise.
  Seconds posting(std::uint32_t message) const {
    if (noise_ == nullptr) return costs_.o_send;
    SendNumber const number(messages_, message);
    return costs_.o_send + noise_->posting(number.part, number.send, costs_.o_send);
  }

  /// The time to take a message: the overhead o_recv and its noise.
  Seconds taking(std::uint32_t message) const {
    if (noise_ == nullptr) return costs_.o_recv;
    SendNumber const number(messages_, message);
    return costs_.o_recv + noise_->taking(number.part, number.send, costs_.o_recv);
  }

  /// The CPU is busy with this work for `time`. Work without duration ends at once, in the same step.
  void begin(std::int32_t rank, Work work, std::uint32_t item, Seconds time) {
    Processor& cpu = ranks_[at(rank)];
    cpu.work = work;
    cpu.item = item;
    if (time == Seconds(0)) return end_work(rank);
    times_.wake(now_, time, messages() + static_cast<std::uint32_t>(rank));
  }

  FlowCosts costs_;
  Messages messages_;
  FluidTimes times_;
  Noise const* noise_;               ///< of CPUs; null: none
  std::vector<std::uint32_t> next_;  ///< by thread: the next in the list of its CPU that it is in
  std::vector<Processor> ranks_;
  std::vector<std::uint8_t> state_;          ///< by message
  std::vector<std::uint32_t> next_arrived_;  ///< by message: the one that arrived after it
  Lists lists_;
  std::vector<Seconds> start_, end_;  ///< by message; empty where they are not kept
  Instant now_;

 private:
  Threads& threads() { return static_cast<Threads&>(*this); }

  void await_arrival(std::int32_t rank, Seconds time) {
    if (time == Seconds(0)) return wake(rank);
    begin(rank, Work::away, nothing, time);
  }

  /// Works whose time is over end, and messages arrive. An event is a message, a rank whose CPU ends its work, or
  /// another CPU.
  void begin_moment(std::vector<std::uint32_t> const& events) {
    arrived_.clear();
    for (std::uint32_t const event : events) {
      if (event < messages()) {
        arrived_.push_back(event);
      } else if (event - messages() < ranks_.size()) {
        end_work(static_cast<std::int32_t>(event - messages()));
        wake(static_cast<std::int32_t>(event - messages()));
      } else {
        threads().end_other_cpu(event - messages() - static_cast<std::uint32_t>(ranks_.size()));
      }
    }
    // Messages are numbered by source and posting order, so this order breaks ties.
    std::sort(arrived_.begin(), arrived_.end());
    for (std::uint32_t const message : arrived_) arrive(message);
  }

  /// The rank that receives the message.
  std::int32_t receiver(std::uint32_t message) {
    return static_cast<std::int32_t>(threads().rank_of_end(messages_.target[message]));
  }

  void arrive(std::uint32_t message) {
    Processor& target = ranks_[at(receiver(message))];
    if (target.arrived == nothing) {
      target.arrived = message;
    } else {
      next_arrived_[target.arrived_last] = message;
    }
    target.arrived_last = message;
    wake(receiver(message));
  }

  /// Takes steps until no CPU has anything to do in this moment. First all ranks post, then all of them take arrived
  /// messages; so the order of ranks within a step has no effect.
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
    // Messages depart sorted by source and posting order. If routes are chosen adaptively, they are chosen in this
    // order.
    std::sort(gone_off_.begin(), gone_off_.end());
    times_.start(gone_off_, now_);
    gone_off_.clear();
  }

  void do_posted(std::int32_t rank) {
    Processor& cpu = ranks_[at(rank)];
    if (cpu.work == Work::away) return;
    while (true) {
      go_on(rank);
      if (cpu.work != Work::none || cpu.first == nothing) return;
      threads().begin_next(rank, cpu.first);
    }
  }

  /// The threads whose waiting is over go on. Those that then have work for the CPU join its queue, in the order of
  /// their numbers.
  void go_on(std::int32_t rank) {
    Processor& cpu = ranks_[at(rank)];
    while (cpu.ready != nothing) {
      going_on_.clear();
      while (cpu.ready != nothing) {
        std::uint32_t const thread = std::exchange(cpu.ready, next_[cpu.ready]);
        if (threads().goes_on(thread)) going_on_.push_back(thread);
      }
      std::sort(going_on_.begin(), going_on_.end());
      for (std::uint32_t const thread : going_on_) {
        next_[thread] = nothing;
        (cpu.first == nothing ? cpu.first : next_[cpu.last]) = thread;
        cpu.last = thread;
      }
      threads().serve_other_cpus();
    }
  }

  void do_arrived(std::int32_t rank) {
    Processor& cpu = ranks_[at(rank)];
    // If a thread of this rank may go on now, the rank posts for it only in the next step.
    while (cpu.work == Work::none && cpu.arrived != nothing) {
      std::uint32_t const message = cpu.arrived;
      cpu.arrived = std::exchange(next_arrived_[message], nothing);
      begin_arrived(rank, message);
    }
  }

  /// The CPU begins to take a message that has arrived, or to store it if its receive has not been posted.
  void begin_arrived(std::int32_t rank, std::uint32_t message) {
    bool const found = is(message, awaited);
    Seconds time(0);
    if (lists_.kept()) {
      auto const& list = lists_.waiting[at(rank)];
      time = searching(found ? place_of(list, threads().receive_of(message)) + 1 : list.size());
    }
    if (found) time = time + taking(message);
    begin(rank, found ? Work::take : Work::keep, message, time);
  }

  Seconds searching(std::size_t entries) const { return static_cast<double>(entries) * costs_.match; }

  void end_work(std::int32_t rank) {
    Processor& cpu = ranks_[at(rank)];
    switch (Work const work = std::exchange(cpu.work, Work::none); work) {
      case Work::none:
        break;
      case Work::away:
        return;
      case Work::send:
        return offer(cpu.item);
      case Work::receive:
        return await(rank, cpu.item);
      case Work::join:
      case Work::calculate:
        return threads().end_thread_work(work, cpu.item);
      case Work::take:
        if (lists_.kept()) std::erase(lists_.waiting[at(rank)], threads().receive_of(cpu.item));
        return end(cpu.item);
      case Work::keep:
        state_[cpu.item] |= early;
        if (lists_.kept()) lists_.early[at(rank)].push_back(cpu.item);
        return;
    }
    expects(false, "a work");
  }

  /// The send is posted. An eager message departs and its send ends; a rendezvous departs only if its receive waits.
  void offer(std::uint32_t message) {
    if (messages_.target[message] == nobody) return;
    state_[message] |= offered;
    if (is(message, eager)) {
      threads().end_send(message);
      go_off(message);
    } else if (is(message, awaited)) {
      go_off(message);
    }
  }

  /// The receive is posted. It ends if its message came early; else it waits, and an offered rendezvous departs.
  void await(std::int32_t rank, std::uint32_t receive) {
    std::uint32_t const message = threads().message_of(receive);
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

  /// The receive of the message ends. Its send ends too, unless it ended at departure because the message is eager.
  void end(std::uint32_t message) {
    threads().end_receive(message);
    if (!is(message, eager)) threads().end_send(message);
    if (!end_.empty()) end_[message] = Seconds(now_.value);
  }

  std::vector<std::int32_t> awake_, working_;
  std::vector<std::uint32_t> going_on_, arrived_, gone_off_;
};

}  // namespace rondo::native
