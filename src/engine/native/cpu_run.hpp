#pragma once

// Flow timing: the CPUs of ranks, which post and take messages one after the other, by the rules of docs/model.md;
// FluidTimes is the way between them. A strand is what asks for a CPU: a rank or a part (schedule/parts.hpp), which
// goes from round to round (flow.cpp), or a task of a graph (flow_tasks.cpp). The CPU of a rank does what its strands
// have to do in the order in which they asked for it.

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/index.hpp"
#include "engine/native/fluid_times.hpp"
#include "engine/native/noise_of.hpp"
#include "engine/native/run.hpp"

namespace rondo::native {

/// What a CPU does. keep: a message that came too early. join: what a round has brought. calculate: as a part or a task
/// says. away: nothing, until its rank comes.
enum class Work : std::uint8_t { none, receive, send, take, keep, join, calculate, away };

/// A rank's CPU.
struct Processor {
  Work work = Work::none;
  std::uint32_t item = nothing;                       ///< a receive, a strand, else a message
  std::uint32_t arrived = nothing, arrived_last = 0;  ///< messages that the CPU has not begun, linked
  std::uint32_t ready = nothing;                      ///< strands that wait for nothing more, linked
  std::uint32_t first = nothing, last = 0;            ///< strands that have something to do here, linked
  bool awake = false;                                 ///< whether something has happened to it
};

/// Messages that came too early and receives that wait, by rank, in their order. Only kept where searching takes time.
struct Lists {
  std::vector<std::vector<std::uint32_t>> early, waiting;

  Lists(std::size_t ranks, bool kept) : early(kept ? ranks : 0), waiting(early.size()) {}
  bool kept() const { return !early.empty(); }
};

inline std::size_t place_of(std::vector<std::uint32_t> const& list, std::uint32_t entry) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), entry) - list.begin());
}

/// `Strands` derives from it and says what strands do:
///   bool goes_on(strand)              whether it has something to do for its CPU; else it has ended
///   void begin_next(rank, strand)     the CPU does nothing, and the strand is the first of its queue
///   void end_strand_work(work, item)  a join or a calculation is over
///   void serve_other_cpus()           those that went on have joined the queue
///   void end_other_cpu(number)        so is the calculation of another CPU of a rank, which are numbered by them
///   rank_of_strand(strand)
///   message_of(receive), receive_of(message)   those that meet; nothing where that is not known, or never will be
///   end_receive(message), end_send(message)
template <typename Strands>
class CpuRun {
 public:
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
  /// States of a message: its size lets it go off alone; its send has been offered; its receive waits; it came too
  /// early.
  static constexpr std::uint8_t eager = 1, offered = 2, awaited = 4, early = 8;

  CpuRun(Messages messages, std::size_t strands, std::size_t ranks, Platform const& platform, Wiring const& wiring,
         Terms const& terms, Messages const* ways)
      : costs_(platform.flow),
        messages_(std::move(messages)),
        times_(ways == nullptr ? messages_ : *ways, terms.noise, wiring),
        noise_(terms.noise != nullptr && terms.noise->on_cpu() ? terms.noise : nullptr),
        next_(strands, nothing),
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

  void wake(std::int32_t rank) {
    if (!std::exchange(ranks_[at(rank)].awake, true)) awake_.push_back(rank);
  }

  void make_ready(std::uint32_t strand) {
    Processor& cpu = ranks_[at(own().rank_of_strand(strand))];
    next_[strand] = std::exchange(cpu.ready, strand);
  }

  void leave_queue(std::int32_t rank) {
    Processor& cpu = ranks_[at(rank)];
    cpu.first = next_[cpu.first];
  }

  void begin_receive(std::int32_t rank, std::uint32_t receive) {
    std::uint32_t const message = own().message_of(receive);
    bool const found = message != nothing && is(message, early);
    Seconds time(0);
    if (lists_.kept()) {
      auto const& list = lists_.early[at(rank)];
      time = searching(found ? place_of(list, message) + 1 : list.size());
    }
    if (found) time = time + taking(message);
    begin(rank, Work::receive, receive, time);
  }

  Seconds posting(std::uint32_t message) const {
    if (noise_ == nullptr) return costs_.o_send;
    SendNumber const number(messages_, message);
    return costs_.o_send + noise_->posting(number.part, number.send, costs_.o_send);
  }

  Seconds taking(std::uint32_t message) const {
    if (noise_ == nullptr) return costs_.o_recv;
    SendNumber const number(messages_, message);
    return costs_.o_recv + noise_->taking(number.part, number.send, costs_.o_recv);
  }

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
  std::vector<std::uint32_t> next_;  ///< by strand: the next in the list of its CPU that it is in
  std::vector<Processor> ranks_;
  std::vector<std::uint8_t> state_;          ///< by message
  std::vector<std::uint32_t> next_arrived_;  ///< by message: the one that arrived after it
  Lists lists_;
  std::vector<Seconds> start_, end_;  ///< by message; empty where they are not kept
  Instant now_;

 private:
  Strands& own() { return static_cast<Strands&>(*this); }

  void await_arrival(std::int32_t rank, Seconds time) {
    if (time == Seconds(0)) return wake(rank);
    begin(rank, Work::away, nothing, time);
  }

  /// Works that are over end, and messages arrive. Events are messages, or ranks whose CPU ends its work.
  void begin_moment(std::vector<std::uint32_t> const& events) {
    arrived_.clear();
    for (std::uint32_t const event : events) {
      if (event < messages()) {
        arrived_.push_back(event);
      } else if (event - messages() < ranks_.size()) {
        end_work(static_cast<std::int32_t>(event - messages()));
        wake(static_cast<std::int32_t>(event - messages()));
      } else {
        own().end_other_cpu(event - messages() - static_cast<std::uint32_t>(ranks_.size()));
      }
    }
    // Messages are numbered by source, and as it posts them.
    std::sort(arrived_.begin(), arrived_.end());
    for (std::uint32_t const message : arrived_) arrive(message);
  }

  /// The rank that receives it.
  std::int32_t receiver(std::uint32_t message) {
    return static_cast<std::int32_t>(own().rank_of_end(messages_.target[message]));
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
    Processor& cpu = ranks_[at(rank)];
    if (cpu.work == Work::away) return;
    while (true) {
      go_on(rank);
      if (cpu.work != Work::none || cpu.first == nothing) return;
      own().begin_next(rank, cpu.first);
    }
  }

  /// Strands that wait for nothing more go on, and those that then have something to do for the CPU join its queue, in
  /// their order.
  void go_on(std::int32_t rank) {
    Processor& cpu = ranks_[at(rank)];
    while (cpu.ready != nothing) {
      going_on_.clear();
      while (cpu.ready != nothing) {
        std::uint32_t const strand = std::exchange(cpu.ready, next_[cpu.ready]);
        if (own().goes_on(strand)) going_on_.push_back(strand);
      }
      std::sort(going_on_.begin(), going_on_.end());
      for (std::uint32_t const strand : going_on_) {
        next_[strand] = nothing;
        (cpu.first == nothing ? cpu.first : next_[cpu.last]) = strand;
        cpu.last = strand;
      }
      own().serve_other_cpus();
    }
  }

  void do_arrived(std::int32_t rank) {
    Processor& cpu = ranks_[at(rank)];
    // A rank that has been let go on posts first only in the next step.
    while (cpu.work == Work::none && cpu.arrived != nothing) {
      std::uint32_t const message = cpu.arrived;
      cpu.arrived = std::exchange(next_arrived_[message], nothing);
      begin_arrived(rank, message);
    }
  }

  void begin_arrived(std::int32_t rank, std::uint32_t message) {
    bool const found = is(message, awaited);
    Seconds time(0);
    if (lists_.kept()) {
      auto const& list = lists_.waiting[at(rank)];
      time = searching(found ? place_of(list, own().receive_of(message)) + 1 : list.size());
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
        return own().end_strand_work(work, cpu.item);
      case Work::take:
        if (lists_.kept()) std::erase(lists_.waiting[at(rank)], own().receive_of(cpu.item));
        return end(cpu.item);
      case Work::keep:
        state_[cpu.item] |= early;
        if (lists_.kept()) lists_.early[at(rank)].push_back(cpu.item);
        return;
    }
    expects(false, "a work");
  }

  void offer(std::uint32_t message) {
    if (messages_.target[message] == nobody) return;
    state_[message] |= offered;
    if (is(message, eager)) {
      own().end_send(message);
      go_off(message);
    } else if (is(message, awaited)) {
      go_off(message);
    }
  }

  void await(std::int32_t rank, std::uint32_t receive) {
    std::uint32_t const message = own().message_of(receive);
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
    own().end_receive(message);
    if (!is(message, eager)) own().end_send(message);
    if (!end_.empty()) end_[message] = Seconds(now_.value);
  }

  std::vector<std::int32_t> awake_, working_;
  std::vector<std::uint32_t> going_on_, arrived_, gone_off_;
};

}  // namespace rondo::native
