// Schedules in rounds under flow timing: the CPUs of ranks, which post and take messages one after the other, by the
// rules of docs/model.md; FluidTimes is the way between them. A strand is what goes from round to round: a rank, or a
// part (schedule/parts.hpp). The CPU of a rank does what its strands have to do in the order in which they asked for
// it.

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/index.hpp"
#include "engine/native/costs.hpp"
#include "engine/native/fluid_times.hpp"
#include "engine/native/noise_of.hpp"
#include "engine/native/part_order.hpp"
#include "engine/native/passages.hpp"
#include "engine/native/run.hpp"
#include "engine/native/waits.hpp"
#include "schedule/measure.hpp"

namespace rondo::native {

namespace {

/// What a CPU does. keep: a message that came too early. join: what a round has brought. calculate: as a part says.
/// away: nothing, until its rank comes.
enum class Work : std::uint8_t { none, receive, send, take, keep, join, calculate, away };

/// A part (schedule/parts.hpp), or a rank where there are none.
struct Strand : Standing {
  std::uint32_t next_send = 0, next_receive = 0;  ///< of its round, the first that its CPU has not begun
  std::uint32_t open = 0;                         ///< sends and receives of its round that have not ended
  std::uint32_t next = nothing;                   ///< in the list of its CPU that it is in
  int joined = -1;                                ///< the last round whose joins are over
  Seconds entered;                                ///< its round; at last, its finish
};

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
        times_(ways == nullptr ? messages_ : *ways, terms.noise, wiring),
        strands_(at(schedule.ranks)),
        order_(terms.parts, terms.noise),
        noise_(terms.noise != nullptr && terms.noise->on_cpu() ? terms.noise : nullptr),
        ranks_(terms.parts == nullptr ? strands_.size() : at(terms.parts->ranks)),
        state_(messages_.source.size(), 0),
        next_arrived_(messages_.source.size(), nothing),
        receive_of_(platform.flow.match > Seconds(0) ? messages_.source.size() : 0, nothing),
        lists_(ranks_.size(), platform.flow.match > Seconds(0)),
        start_(terms.log == Log::messages ? messages_.source.size() : 0),
        end_(start_) {
    expects(messages_.source.size() + ranks_.size() < nothing, "numbers for messages and ranks");
    if (!receive_of_.empty()) number_receives();
    mark_eager();
    for (std::uint32_t s = 0; s < strands_.size(); ++s) {
      Strand& own = strands_[s];
      own.send = own.send_end = own.next_send = messages_.first_send[s];
      own.receive = own.receive_end = own.next_receive = messages_.first_receive[s];
      if (!order_.waits(s)) make_ready(s);
    }
    for (std::size_t r = 0; r < ranks_.size(); ++r) await_arrival(static_cast<std::int32_t>(r), terms.arrival_of(r));
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
    return std::all_of(strands_.begin(), strands_.end(), [](Strand const& strand) { return strand.open == 0; });
  }

  Run result() const {
    Run run;
    run.messages = static_cast<std::int64_t>(messages_.source.size());
    run.bytes = messages_.bytes;
    for (Strand const& strand : strands_) {
      run.finish.push_back(strand.entered);
      run.makespan = std::max(run.makespan, run.finish.back());
    }
    if (!end_.empty()) run.passages = passages_of(schedule_, messages_, start_, end_);
    return run;
  }

  std::vector<Wait> waits() const {
    std::vector<bool> left;
    for (std::uint8_t const state : state_) left.push_back((state & eager) != 0);
    return waits_of(schedule_, messages_, {strands_.begin(), strands_.end()}, left);
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

  /// The rank that sends it, and the one that receives it.
  std::int32_t sender(std::uint32_t message) const { return rank_of(messages_.source[message]); }
  std::int32_t receiver(std::uint32_t message) const { return rank_of(messages_.target[message]); }
  std::int32_t rank_of(std::int64_t strand) const { return static_cast<std::int32_t>(order_.rank(at(strand))); }

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
    Processor& own = ranks_[at(rank)];
    if (own.work == Work::away) return;
    while (true) {
      go_on(rank);
      if (own.work != Work::none || own.first == nothing) return;
      begin_next(rank, own.first);
    }
  }

  void make_ready(std::uint32_t strand) {
    Processor& cpu = ranks_[order_.rank(strand)];
    strands_[strand].next = std::exchange(cpu.ready, strand);
  }

  /// Strands that wait for nothing more enter their next rounds, and what then has something to do for the CPU joins
  /// its queue, in the order of the strands.
  void go_on(std::int32_t rank) {
    Processor& cpu = ranks_[at(rank)];
    if (cpu.ready == nothing) return;
    going_on_.clear();
    while (cpu.ready != nothing) {
      std::uint32_t const strand = std::exchange(cpu.ready, strands_[cpu.ready].next);
      if (goes_on(strand)) going_on_.push_back(strand);
    }
    std::sort(going_on_.begin(), going_on_.end());
    for (std::uint32_t const strand : going_on_) {
      strands_[strand].next = nothing;
      (cpu.first == nothing ? cpu.first : strands_[cpu.last].next) = strand;
      cpu.last = strand;
    }
  }

  /// Whether it has something to do for its CPU; else it has ended.
  bool goes_on(std::uint32_t strand) {
    if (order_.calculation(strand) > Seconds(0)) return true;
    Strand const& own = strands_[strand];
    int const rounds = schedule_.program(Rank(static_cast<std::int32_t>(strand))).rounds();
    while (own.open == 0 && own.round <= rounds && joining(strand) == Seconds(0)) enter(strand);
    if (own.open > 0 || own.round <= rounds) return true;
    freed_.clear();
    if (order_.has_parts()) order_.end(strand, freed_);
    for (std::int32_t const next : freed_) make_ready(static_cast<std::uint32_t>(next));
    return false;
  }

  /// The CPU does nothing: it turns to what the first strand of its queue has to do.
  void begin_next(std::int32_t rank, std::uint32_t strand) {
    Strand& own = strands_[strand];
    if (Seconds const time = order_.calculation(strand); time > Seconds(0)) {
      return begin(rank, Work::calculate, strand, time);
    }
    if (own.open == 0) {
      if (Seconds const time = joining(strand); time > Seconds(0)) return begin(rank, Work::join, strand, time);
      if (!goes_on(strand)) leave_queue(rank);
      return;
    }
    bool const receives = own.next_receive < own.receive_end;
    std::uint32_t const item = receives ? own.next_receive++ : own.next_send++;
    if (own.next_receive == own.receive_end && own.next_send == own.send_end) leave_queue(rank);
    receives ? begin_receive(rank, item) : begin(rank, Work::send, item, posting(item));
  }

  void leave_queue(std::int32_t rank) {
    Processor& cpu = ranks_[at(rank)];
    cpu.first = strands_[cpu.first].next;
  }

  /// What the CPU takes to join what its round has brought; 0 where nothing is to be joined.
  Seconds joining(std::uint32_t strand) const {
    Strand const& own = strands_[strand];
    if (own.joined == own.round || (reduce_ == Seconds(0) && noise_ == nullptr)) return Seconds(0);
    Program const& program = schedule_.program(Rank(static_cast<std::int32_t>(strand)));
    std::int64_t const bytes = joined_bytes(program, own.round).value;
    Seconds const time = static_cast<double>(bytes) * reduce_;
    return noise_ == nullptr || bytes == 0 ? time : time + noise_->joining(strand, at(own.round), time);
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

  void enter(std::uint32_t strand) {
    Strand& own = strands_[strand];
    Program const& program = schedule_.program(Rank(static_cast<std::int32_t>(strand)));
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
    if (found) time = time + taking(message);
    begin(rank, Work::receive, receive, time);
  }

  void begin_arrived(std::int32_t rank, std::uint32_t message) {
    bool const found = is(message, awaited);
    Seconds time(0);
    if (lists_.kept()) {
      auto const& list = lists_.waiting[at(rank)];
      time = searching(found ? place_of(list, receive_of_[message]) + 1 : list.size());
    }
    if (found) time = time + taking(message);
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
        strands_[own.item].joined = strands_[own.item].round;
        return;
      case Work::calculate:
        order_.set_calculated(own.item);
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

  void close(std::int32_t strand) {
    if (--strands_[at(strand)].open > 0) return;
    make_ready(static_cast<std::uint32_t>(strand));
    wake(rank_of(strand));
  }

  Schedule const& schedule_;
  FlowCosts costs_;
  Seconds reduce_;
  Messages messages_;
  Column<std::uint32_t> receives_;  ///< by receive: the message that it matches, or nothing
  FluidTimes times_;
  std::vector<Strand> strands_;
  PartOrder order_;
  Noise const* noise_;  ///< of CPUs; null: none
  std::vector<Processor> ranks_;
  std::vector<std::uint8_t> state_;          ///< by message
  std::vector<std::uint32_t> next_arrived_;  ///< by message: the one that arrived after it
  std::vector<std::uint32_t> receive_of_;    ///< by message, where lists are kept
  Lists lists_;
  std::vector<std::int32_t> awake_, working_, freed_;
  std::vector<std::uint32_t> going_on_;
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
