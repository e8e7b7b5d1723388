// Schedules in rounds under flow timing. A thread is a rank, or a part if the work has parts.

#include "engine/native/cpu_run.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/part_order.hpp"
#include "engine/native/run.hpp"
#include "schedule/measure.hpp"

namespace rondo::native {

namespace {

/// The progress of a part (schedule/parts.hpp), or of a rank if there are no parts.
struct Thread : RoundPosition {
  std::uint32_t next_send = 0,
                next_receive = 0;  ///< in its round, the first send and receive that its CPU has not begun
  std::uint32_t open = 0;          ///< sends and receives of its round that have not ended
  int joined = -1;                 ///< the last round whose data has been reduced
  Seconds entered;                 ///< the time at which it entered its round; after its last round, its finish
};

/// A thread enters a round, posts its messages, and leaves when all have ended.
class RoundsOnCpus : public CpuRun<RoundsOnCpus> {
 public:
  RoundsOnCpus(Schedule const& schedule, Platform const& platform, FlowLinks const& flow_links, Terms const& terms,
               Messages const* ways)
      : CpuRun(read_messages(schedule, platform), at(schedule.ranks),
               terms.parts == nullptr ? at(schedule.ranks) : at(terms.parts->ranks), platform, flow_links, terms, ways),
        schedule_(schedule),
        reduce_(platform.reduce),
        receives_(match(schedule, messages_)),
        threads_(at(schedule.ranks)),
        order_(terms.parts, terms.noise),
        receive_of_(lists_.kept() ? messages_.source.size() : 0, nothing) {
    if (!receive_of_.empty()) number_receives();
    mark_eager();
    for (std::uint32_t s = 0; s < threads_.size(); ++s) {
      Thread& state = threads_[s];
      state.send = state.send_end = state.next_send = messages_.first_send[s];
      state.receive = state.receive_end = state.next_receive = messages_.first_receive[s];
      if (!order_.waits(s)) make_ready(s);
    }
    await_arrivals(terms);
  }

  bool ended() const {
    return std::all_of(threads_.begin(), threads_.end(), [](Thread const& thread) { return thread.open == 0; });
  }

  Run result() const {
    Run run;
    run.messages = static_cast<std::int64_t>(messages_.source.size());
    run.bytes = messages_.bytes;
    for (Thread const& thread : threads_) {
      run.finish.push_back(thread.entered);
      run.makespan = std::max(run.makespan, run.finish.back());
    }
    if (!end_.empty()) run.message_times = times_of_messages(schedule_, messages_, start_, end_);
    return run;
  }

  /// Called when nothing is under way. Eager sends that no receive has taken do not block their senders.
  std::vector<Wait> waits() const {
    std::vector<bool> sender_continues;
    for (std::uint8_t const state : state_) sender_continues.push_back((state & eager) != 0);
    return waits_of(schedule_, messages_, {threads_.begin(), threads_.end()}, sender_continues);
  }

 private:
  friend class CpuRun<RoundsOnCpus>;

  void number_receives() {
    for (std::uint32_t i = 0; i < receives_.size(); ++i) {
      if (receives_[i] != nothing) receive_of_[receives_[i]] = i;
    }
  }

  /// A message is eager if its payload is at most the machine's eager size.
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

  std::size_t rank_of_thread(std::uint32_t thread) const { return order_.rank(thread); }
  std::size_t rank_of_end(std::int32_t thread) const { return order_.rank(at(thread)); }
  std::uint32_t message_of(std::uint32_t receive) const { return receives_[receive]; }
  std::uint32_t receive_of(std::uint32_t message) const { return receive_of_[message]; }

  /// The thread enters its next rounds, as long as they are empty and there is nothing to reduce. When it ends, the
  /// parts that follow it may begin.
  bool goes_on(std::uint32_t thread) {
    if (order_.calculation(thread) > Seconds(0)) return true;
    Thread const& state = threads_[thread];
    int const rounds = schedule_.program(Rank(static_cast<std::int32_t>(thread))).rounds();
    while (state.open == 0 && state.round <= rounds && joining(thread) == Seconds(0)) enter(thread);
    if (state.open > 0 || state.round <= rounds) return true;
    freed_.clear();
    if (order_.has_parts()) order_.end(thread, freed_);
    for (std::int32_t const next : freed_) make_ready(static_cast<std::uint32_t>(next));
    return false;
  }

  /// The idle CPU begins the next work of the first thread of its queue: a calculation, a reduction, or the next
  /// receive or send. All receives of a round are posted before its sends.
  void begin_next(std::int32_t rank, std::uint32_t thread) {
    Thread& state = threads_[thread];
    if (Seconds const time = order_.calculation(thread); time > Seconds(0)) {
      return begin(rank, Work::calculate, thread, time);
    }
    if (state.open == 0) {
      if (Seconds const time = joining(thread); time > Seconds(0)) return begin(rank, Work::join, thread, time);
      if (!goes_on(thread)) leave_queue(rank);
      return;
    }
    bool const receives = state.next_receive < state.receive_end;
    std::uint32_t const item = receives ? state.next_receive++ : state.next_send++;
    if (state.next_receive == state.receive_end && state.next_send == state.send_end) leave_queue(rank);
    receives ? begin_receive(rank, item) : begin(rank, Work::send, item, posting(item));
  }

  /// The time that the CPU needs to reduce the data of the current round; 0 if there is nothing to reduce.
  Seconds joining(std::uint32_t thread) const {
    Thread const& state = threads_[thread];
    if (state.joined == state.round || (reduce_ == Seconds(0) && noise_ == nullptr)) return Seconds(0);
    Program const& program = schedule_.program(Rank(static_cast<std::int32_t>(thread)));
    std::int64_t const bytes = reduced_bytes(program, state.round).value;
    Seconds const time = static_cast<double>(bytes) * reduce_;
    return noise_ == nullptr || bytes == 0 ? time : time + noise_->joining(thread, at(state.round), time);
  }

  /// Moves a thread to its next round and counts the messages that it has to wait for.
  void enter(std::uint32_t thread) {
    Thread& state = threads_[thread];
    Program const& program = schedule_.program(Rank(static_cast<std::int32_t>(thread)));
    state.entered = Seconds(now_.value);
    state.send = state.send_end;
    state.receive = state.receive_end;
    if (++state.round > program.rounds()) return;
    state.send_end += static_cast<std::uint32_t>(program.sends(state.round).size());
    state.receive_end += static_cast<std::uint32_t>(program.receives(state.round).size());
    state.open = state.send_end - state.send + state.receive_end - state.receive;
  }

  void end_thread_work(Work work, std::uint32_t thread) {
    if (work == Work::calculate) return order_.set_calculated(thread);
    threads_[thread].joined = threads_[thread].round;
  }

  void serve_other_cpus() {}
  void end_other_cpu(std::uint32_t /*number*/) { expects(false, "one CPU a rank"); }

  void end_receive(std::uint32_t message) { close(messages_.target[message]); }
  void end_send(std::uint32_t message) { close(messages_.source[message]); }

  /// One send or receive of the round has ended. After the last one the thread goes on.
  void close(std::int32_t thread) {
    if (--threads_[at(thread)].open > 0) return;
    make_ready(static_cast<std::uint32_t>(thread));
    wake(static_cast<std::int32_t>(order_.rank(at(thread))));
  }

  Schedule const& schedule_;
  Seconds reduce_;
  Column<std::uint32_t> receives_;  ///< by receive: the message that it matches, or nothing
  std::vector<Thread> threads_;
  PartOrder order_;
  std::vector<std::uint32_t> receive_of_;  ///< by message, where lists are kept
  std::vector<std::int32_t> freed_;
};

}  // namespace

/// Rounds under flow timing.
std::variant<Run, Deadlock> time_with_cpus(Schedule const& schedule, Platform const& platform,
                                           FlowLinks const& flow_links, Terms const& terms, Messages const* ways) {
  RoundsOnCpus run(schedule, platform, flow_links, terms, ways);
  run.run(terms.deadline);
  if (!run.ended()) return Deadlock{deadlock_text(schedule.ranks, run.waits())};
  return run.result();
}

}  // namespace rondo::native
