#pragma once

// Flow timing on the SMPI engine: the CPUs of ranks, by the rule of docs/model.md. An MPI call that posts a send or a
// receive returns when the rank's CPU has posted it. SMPI matches the ends of a message and moves its payload. The
// bytes flow separately, as a transfer of SimGrid that may begin before the receive is posted.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <simgrid/s4u/Comm.hpp>
#include <simgrid/s4u/Semaphore.hpp>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/smpi/rule.hpp"
#include "platform/platform.hpp"
#include "schedule/task_graph_parts.hpp"

namespace rondo {

/// A send or receive of a task, or a calculation of a rank's CPU. The sends and receives of a lane match by place.
struct FlowTask {
  TaskKind kind = TaskKind::calc;
  int rank = 0, peer = 0;
  std::int64_t lane = 0, place = 0;
  std::int64_t posted = 0;  ///< orders messages of one rank that depart together
  std::int64_t send = 0;    ///< the number of the send among the sends of its rank
  std::int64_t bytes = 0;
  Seconds time{0};  ///< of a calculation
  std::uint32_t number = 0;
};

/// Supplies the tasks of CPUs, and is told when they begin and end. It replaces actors that wait (flow_tasks.hpp).
class FlowTasks {
 public:
  virtual ~FlowTasks() = default;
  /// The tasks for the rank's CPU that have become ready since the last call, in order.
  virtual std::vector<FlowTask> take_ready(int rank) = 0;
  virtual void begun(std::uint32_t task) = 0;
  virtual void ended(std::uint32_t task) = 0;
  /// The message of this send departed at `went_off` and ends now.
  virtual void passed(std::uint32_t send, Instant went_off) = 0;
  /// The alarm that was set for this number is due.
  virtual void alarm(std::uint32_t number) = 0;
};

/// The rule of flow timing: it says when sends and receives return, and when messages depart, arrive and end.
class SmpiFlow : public SmpiRule {
 public:
  /// The time at which a message that departs at a given time has passed its NICs (instant.hpp).
  using Pass = std::function<Instant(Instant, int from, int to, std::int64_t bytes)>;
  /// `launch` makes the transfers of a message between two ranks. `rank_here` returns the rank whose actor is running.
  SmpiFlow(int ranks, std::vector<std::int32_t> rank_of_part, FlowCosts const& costs, Launch launch, Pass pass,
           std::function<int()> rank_here);

  /// The rule of the simulation that this process runs; null if it has no flow timing.
  static SmpiFlow* here();

  void post(int from, int to, std::int64_t bytes) override;
  /// A rank posts a receive from a rank, or from any rank (-1). It is called in the actor of the rank, which may wait
  /// here.
  void post_receive(int rank, int source);
  void admit(Action& action, int from, int to, std::int64_t bytes, TransferCost const& transfer) override;

  /// Sets the source of tasks; called before any task.
  void carry(FlowTasks& tasks) { tasks_ = &tasks; }
  /// The rank has tasks that are ready.
  void wake(int rank);
  void set_alarm(Seconds after, std::uint32_t number);

  void work(int part, Seconds time) override { do_or_wait(rank_of(part), {.work = Work::join, .time = time}); }

  int rank_here() const { return rank_here_(); }
  /// Whether lists are searched, so the source of a receive matters.
  bool searches() const { return costs_.match > Seconds(0); }

 private:
  /// The work of a CPU. take: it takes a message that has been received. keep: it stores a message that came before its
  /// receive. join: it reduces the data of a round.
  enum class Work : std::uint8_t { none, receive, send, take, keep, join };
  struct Job {
    Work work = Work::none;
    std::int64_t message = 0;  ///< not for a receive or a join
    std::int64_t source = -1;  ///< of a receive: the rank from which it receives, or the lane of a task
    std::int64_t place = 0;    ///< of a receive: its number among those of this rank from this source
    bool waited_for = false;   ///< whether an actor waits for its end
    Seconds time{0};           ///< of a join
    std::uint32_t task = no_task;
  };
  /// A posted receive whose message has not come, and the message for which it is.
  struct Receive {
    std::int64_t source = -1;
    std::int64_t place = 0;
  };
  struct Cpu {
    Job job;
    std::deque<Job> posted;
    std::deque<std::int64_t> arrived;
    std::vector<std::int64_t> early;
    std::vector<Receive> waiting;
    simgrid::s4u::SemaphorePtr gate;
    bool away = false;  ///< until its rank arrives
  };
  struct Message {
    int from = 0, to = 0;
    std::int64_t posted = 0;   ///< its number among the sends of its source
    std::int64_t ordinal = 0;  ///< the number of the send in its source's program
    std::int64_t source = 0;   ///< `from`, or the lane of a task
    std::int64_t place = 0;    ///< its number among the messages to its target, or of its lane
    std::int64_t bytes = 0;
    Action* action = nullptr;                         ///< set when both ends are posted; never for a task
    std::uint32_t send = no_task, receive = no_task;  ///< the tasks, the receive from when it is posted
    bool eager = false, offered = false, early = false;
    double went_off = -1;
    std::shared_ptr<void> load = {};  ///< counts in the loads of its route as long as it is under way
    std::size_t flows = 0;            ///< how many of its flows have not ended
  };
  enum class EventKind : std::uint8_t { job, arrival, alarm };
  /// The end of a CPU's job, the arrival of a message, or an alarm.
  struct Event {
    Instant time;
    EventKind due = EventKind::job;
    std::int64_t number = 0;  ///< of a rank (job), a message (arrival) or a task (alarm)
    friend bool operator>(Event const& a, Event const& b) { return a.time > b.time; }
  };

  void close_moment() override;
  void begin_absence(int rank) override { cpus_[static_cast<std::size_t>(rank)].away = true; }
  void end_absence(int rank) override;
  void release(void const* action) override;
  std::int64_t new_message(int from, int to, std::int64_t bytes);
  void do_or_wait(int rank, Job const& job);
  Seconds cost(int rank, Job const& job) const;
  std::size_t searched(Cpu const& cpu, Job const& job) const;
  void begin(int rank, Job const& job);
  void end_job(int rank);
  void take_due();
  void take_arrived();
  void do_posted();
  void post_ready(int rank);
  void end_receive(int rank, Job const& job);
  static bool is_met(Message const& message) { return message.action != nullptr || message.receive != no_task; }
  void do_arrived();
  void launch();
  void complete(std::int64_t number);
  void await_events();

  FlowCosts costs_;
  Launch launch_;
  Pass pass_;
  std::function<int()> rank_here_;
  std::vector<Cpu> cpus_;
  std::vector<std::int64_t> posted_;  ///< by rank: the number of its sends so far
  std::map<std::pair<int, int>, std::int64_t> sent_,
      received_;  ///< by pair of ranks: the number of messages and of receives so far
  std::unordered_map<std::int64_t, Message> messages_;
  std::int64_t next_message_ = 0;
  /// Messages whose ends have not met, by source, target and size, in posting order.
  std::map<std::tuple<int, int, std::int64_t>, std::deque<std::int64_t>> unmet_;
  std::unordered_map<void const*, std::int64_t> met_;  ///< by the action of SMPI's message: the number of the message
  std::unordered_map<void const*, std::pair<std::int64_t, simgrid::s4u::CommPtr>> moving_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<std::int64_t> arrived_, leaving_;  ///< in this moment
  std::set<int> touched_;                        ///< the ranks that events of this moment concern
  bool let_go_ = false;                          ///< whether an actor or a task may go on in this moment
  FlowTasks* tasks_ = nullptr;
  /// The messages and receives of tasks that are posted and have not ended, by lane and place.
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> message_at_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> receive_at_;
};

}  // namespace rondo
