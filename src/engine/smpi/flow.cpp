// The rule of flow timing (docs/model.md). A moment is closed in fixed steps: arrivals, ends of jobs, posts, takes,
// departures; ranks and tasks go on after it.

#include "engine/smpi/flow.hpp"

#include <mpi.h>

#include <algorithm>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include "base/ids.hpp"

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;

SmpiFlow* flow_here = nullptr;

}  // namespace

SmpiFlow* SmpiFlow::here() { return flow_here; }

SmpiFlow::SmpiFlow(int ranks, std::vector<std::int32_t> rank_of_part, FlowCosts const& costs, Launch launch, Pass pass,
                   std::function<int()> rank_here)
    : SmpiRule(ranks, std::move(rank_of_part)),
      costs_(costs),
      launch_(std::move(launch)),
      pass_(std::move(pass)),
      rank_here_(std::move(rank_here)),
      cpus_(rank_count(ranks)),
      posted_(at(ranks)) {
  for (Cpu& cpu : cpus_) cpu.gate = s4u::Semaphore::create(0);
  flow_here = this;
}

std::int64_t SmpiFlow::new_message(int from, int to, std::int64_t bytes) {
  Message message;
  message.from = from;
  message.to = to;
  message.posted = posted_[at(from)]++;
  message.source = from;
  message.ordinal = number_of_send(from, message.posted);
  message.place = sent_[{from, to}]++;
  message.bytes = bytes;
  message.eager = bytes <= costs_.eager.value;
  messages_.emplace(next_message_, message);
  return next_message_++;
}

void SmpiFlow::post(int from, int to, std::int64_t bytes) {
  std::int64_t const number = new_message(from, to, bytes);
  unmet_[{from, to, bytes}].push_back(number);
  do_or_wait(rank_of(from), {.work = Work::send, .message = number});
}

void SmpiFlow::post_receive(int rank, int source) {
  std::int64_t const place = source < 0 ? 0 : received_[{source, rank}]++;
  do_or_wait(rank_of(rank), {.work = Work::receive, .source = source, .place = place});
}

/// If the CPU is idle and the job takes no time, the job is done here, without a switch to the rule and back.
void SmpiFlow::do_or_wait(int rank, Job const& job) {
  open_moment(now());
  Cpu& cpu = cpus_[at(rank)];
  if (cpu.job.work == Work::none && cpu.posted.empty() && cost(rank, job) == Seconds(0)) {
    cpu.job = job;
    return end_job(rank);
  }
  cpu.posted.push_back(job);
  cpu.posted.back().waited_for = true;
  touched_.insert(rank);
  cpu.gate->acquire();
}

/// SMPI has matched a message. It does not say to which send the message belongs. Sends between two ranks with the same
/// size are taken in posting order. SMPI does not report a blocking send when it is posted; then it is posted here,
/// because its rank can post nothing else after it.
void SmpiFlow::admit(Action& action, int from, int to, std::int64_t bytes, TransferCost const&) {
  open_moment(now());
  auto const found = unmet_.find({from, to, bytes});
  std::int64_t number = 0;
  if (found == unmet_.end()) {
    number = new_message(from, to, bytes);
    cpus_[at(rank_of(from))].posted.push_back({.work = Work::send, .message = number});
    touched_.insert(rank_of(from));
  } else {
    number = found->second.front();
    found->second.pop_front();
    if (found->second.empty()) unmet_.erase(found);
  }
  Message& message = messages_.at(number);
  message.action = &action;
  met_.emplace(&action, number);
  if (message.went_off >= 0) started(&action, message.went_off);
  if (!message.eager && message.offered) leaving_.push_back(number);
  if (!message.early) return;
  Cpu& cpu = cpus_[at(rank_of(to))];
  std::erase(cpu.early, number);
  cpu.posted.push_back({.work = Work::take, .message = number});
  touched_.insert(rank_of(to));
}

/// The number of list entries that a job searches: a receive searches the messages that came early, an arrival the
/// receives that wait.
std::size_t SmpiFlow::searched(Cpu const& cpu, Job const& job) const {
  if (job.work == Work::receive) {
    auto const found = std::find_if(cpu.early.begin(), cpu.early.end(), [&](std::int64_t number) {
      Message const& message = messages_.at(number);
      return job.source < 0 || (message.source == job.source && message.place == job.place);
    });
    return static_cast<std::size_t>(found - cpu.early.begin()) + (found == cpu.early.end() ? 0 : 1);
  }
  Message const& message = messages_.at(job.message);
  if (job.work == Work::send || message.early) return 0;
  auto const found = std::find_if(cpu.waiting.begin(), cpu.waiting.end(), [&](Receive const& receive) {
    return receive.source < 0 || (message.source == receive.source && message.place == receive.place);
  });
  bool const hit = job.work == Work::take && found != cpu.waiting.end();
  return hit ? static_cast<std::size_t>(found - cpu.waiting.begin()) + 1 : cpu.waiting.size();
}

/// The time that a job takes: the search, the overhead, and its noise.
Seconds SmpiFlow::cost(int rank, Job const& job) const {
  if (job.work == Work::join) return job.time;
  Seconds time(0);
  if (searches()) time = static_cast<double>(searched(cpus_[at(rank)], job)) * costs_.match;
  if (job.work != Work::send && job.work != Work::take) return time;
  Seconds const overhead = job.work == Work::send ? costs_.o_send : costs_.o_recv;
  time = time + overhead;
  if (noise() == nullptr) return time;
  Message const& message = messages_.at(job.message);
  std::size_t const from = at(message.from), send = at(message.ordinal);
  return time +
         (job.work == Work::send ? noise()->posting(from, send, overhead) : noise()->taking(from, send, overhead));
}

/// Begins a job of a CPU. A job without costs ends at once.
void SmpiFlow::begin(int rank, Job const& job) {
  Seconds const time = cost(rank, job);
  cpus_[at(rank)].job = job;
  if (job.task != no_task && job.work != Work::take) tasks_->begun(job.task);
  if (time == Seconds(0)) return end_job(rank);
  events_.push({moment() + time.value, EventKind::job, rank});
}

void SmpiFlow::end_job(int rank) {
  Cpu& cpu = cpus_[at(rank)];
  Job const job = std::exchange(cpu.job, {});
  if (job.waited_for) {
    cpu.gate->release();
    let_go_ = true;
  }
  if (job.work == Work::join && job.task != no_task) tasks_->ended(job.task);
  if (job.work == Work::join) return;
  if (job.work == Work::receive) {
    if (job.task != no_task) return end_receive(rank, job);
    if (!searches()) return;
    bool const found = std::any_of(cpu.early.begin(), cpu.early.end(), [&](std::int64_t number) {
      Message const& message = messages_.at(number);
      return job.source < 0 || (message.source == job.source && message.place == job.place);
    });
    if (!found) cpu.waiting.push_back({job.source, job.place});
    return;
  }
  Message& message = messages_.at(job.message);
  if (job.work == Work::send) {
    message.offered = true;
    if (message.eager || is_met(message)) leaving_.push_back(job.message);
    if (message.eager && message.send != no_task) tasks_->ended(message.send);
  } else if (job.work == Work::take) {
    auto const waits = std::find_if(cpu.waiting.begin(), cpu.waiting.end(), [&](Receive const& receive) {
      return receive.source < 0 || (message.source == receive.source && message.place == receive.place);
    });
    if (!message.early && waits != cpu.waiting.end()) cpu.waiting.erase(waits);
    complete(job.message);
  } else {
    message.early = true;
    // A receive that was not reported to the rule may have met the message in the meantime.
    if (message.action != nullptr) {
      cpu.posted.push_back({.work = Work::take, .message = job.message});
    } else {
      cpu.early.push_back(job.message);
    }
  }
}

/// The message ends now, either SMPI's message or that of tasks. The actors or tasks that wait for it go on.
void SmpiFlow::complete(std::int64_t number) {
  let_go_ = true;
  Message const message = messages_.at(number);
  if (message.action != nullptr) return end_action(*message.action, moment());
  message_at_.erase({message.source, message.place});
  receive_at_.erase({message.source, message.place});
  messages_.erase(number);
  tasks_->passed(message.send, message.went_off);
  tasks_->ended(message.receive);
  if (!message.eager) tasks_->ended(message.send);
}

void SmpiFlow::wake(int rank) {
  touched_.insert(rank);
  let_go_ = true;
  open_moment(now());
}

void SmpiFlow::set_alarm(Seconds after, std::uint32_t number) {
  events_.push({moment() + after, EventKind::alarm, number});
}

/// The tasks that have become ready join the queue of the CPU.
void SmpiFlow::post_ready(int rank) {
  if (tasks_ == nullptr || cpus_[at(rank)].away) return;
  for (FlowTask const& task : tasks_->take_ready(rank)) {
    Job job{.source = task.lane, .place = task.place, .time = task.time, .task = task.number};
    job.work = task.kind == TaskKind::calc ? Work::join : task.kind == TaskKind::send ? Work::send : Work::receive;
    if (task.kind == TaskKind::send) {
      Message message;
      message.from = task.rank;
      message.to = task.peer;
      message.posted = task.posted;
      message.source = task.lane;
      message.place = task.place;
      message.bytes = task.bytes;
      message.eager = task.bytes <= costs_.eager.value;
      message.send = task.number;
      message.ordinal = task.send;
      if (auto const posted = receive_at_.find({task.lane, task.place}); posted != receive_at_.end()) {
        message.receive = posted->second;
      }
      job.message = next_message_++;
      message_at_.emplace(std::pair(task.lane, task.place), job.message);
      messages_.emplace(job.message, message);
    }
    cpus_[at(rank)].posted.push_back(job);
  }
}

/// The receive of a task is posted. It takes the message if this came early, or waits for it.
void SmpiFlow::end_receive(int rank, Job const& job) {
  Cpu& cpu = cpus_[at(rank)];
  receive_at_.emplace(std::pair(job.source, job.place), job.task);
  auto const waiting = message_at_.find({job.source, job.place});
  bool const early = waiting != message_at_.end() && messages_.at(waiting->second).early;
  if (early) {
    std::erase(cpu.early, waiting->second);
    cpu.posted.push_front({.work = Work::take, .message = waiting->second, .task = job.task});
  } else if (searches()) {
    cpu.waiting.push_back({job.source, job.place});
  }
  if (waiting == message_at_.end()) return;
  Message& message = messages_.at(waiting->second);
  message.receive = job.task;
  if (message.offered && !message.eager) leaving_.push_back(waiting->second);
}

/// Handles the events that are due in the moment that opens.
void SmpiFlow::take_due() {
  while (!events_.empty() && events_.top().time.value <= moment_end(moment())) {
    Event const event = events_.top();
    events_.pop();
    if (event.due == EventKind::arrival) {
      arrived_.push_back(event.number);
    } else if (event.due == EventKind::alarm) {
      tasks_->alarm(static_cast<std::uint32_t>(event.number));
    } else {
      end_job(static_cast<int>(event.number));
      touched_.insert(static_cast<int>(event.number));
    }
  }
}

/// Messages that arrive in one moment are taken sorted by source and posting order.
void SmpiFlow::take_arrived() {
  std::sort(arrived_.begin(), arrived_.end(), [&](std::int64_t a, std::int64_t b) {
    auto const key = [&](std::int64_t number) {
      Message const& message = messages_.at(number);
      return std::pair(message.from, message.posted);
    };
    return key(a) < key(b);
  });
  for (std::int64_t const number : arrived_) {
    int const to = rank_of(messages_.at(number).to);
    messages_.at(number).load.reset();
    cpus_[at(to)].arrived.push_back(number);
    touched_.insert(to);
  }
  arrived_.clear();
}

/// Handles a moment in several passes. As long as actors or tasks go on, they may post more, so the moment is opened
/// again. Only when none does, CPUs begin to take messages that have arrived.
void SmpiFlow::close_moment() {
  if (!std::exchange(let_go_, false)) take_due();
  take_arrived();
  do_posted();
  // The posts of one part are done, as far as they take no time, before another part gets the turn.
  if (!let_go_ && grant_turns()) let_go_ = true;
  if (!let_go_) do_arrived();
  if (let_go_) return open_moment(moment());
  launch();
  touched_.clear();
  await_events();
}

/// CPUs that are free take the next posted call, in the order in which calls were posted.
void SmpiFlow::do_posted() {
  for (int const rank : touched_) {
    Cpu& cpu = cpus_[at(rank)];
    for (post_ready(rank); cpu.job.work == Work::none && !cpu.posted.empty(); post_ready(rank)) {
      Job const job = cpu.posted.front();
      cpu.posted.pop_front();
      begin(rank, job);
    }
  }
}

void SmpiFlow::end_absence(int rank) {
  cpus_[at(rank)].away = false;
  touched_.insert(rank);
}

/// A CPU takes messages only when it has nothing to post.
void SmpiFlow::do_arrived() {
  for (int const rank : touched_) {
    Cpu& cpu = cpus_[at(rank)];
    if (cpu.away) continue;
    while (cpu.job.work == Work::none && cpu.posted.empty() && !cpu.arrived.empty()) {
      std::int64_t const number = cpu.arrived.front();
      cpu.arrived.pop_front();
      begin(rank, {.work = is_met(messages_.at(number)) ? Work::take : Work::keep, .message = number});
    }
  }
}

/// Starts the bytes of the messages that depart, sorted by source and posting order. Routes that are chosen adaptively
/// are chosen in this order.
void SmpiFlow::launch() {
  std::sort(leaving_.begin(), leaving_.end(), [&](std::int64_t a, std::int64_t b) {
    Message const &first = messages_.at(a), &second = messages_.at(b);
    return std::pair(first.from, first.posted) < std::pair(second.from, second.posted);
  });
  for (std::int64_t const number : leaving_) {
    Message& message = messages_.at(number);
    message.went_off = moment().value;
    if (message.action != nullptr) started(message.action, moment());
    MessageFlows launched = launch_(message.from, message.to, message.bytes);
    message.load = std::move(launched.load);
    message.flows = launched.transfers.size();
    Instant const begin = pass_(moment(), message.from, message.to, message.bytes) +
                          (launched.startup + startup_noise(message.from, message.ordinal).value);
    if (message.flows == 0) events_.push({begin, EventKind::arrival, number});
    for (MessageFlows::Transfer& each : launched.transfers) {
      begin_flow(*each.action, each.transfer, begin);
      moving_.emplace(each.action, std::pair(number, std::move(each.comm)));
    }
  }
  leaving_.clear();
}

/// Sets a timer for the next event, at which the next moment opens.
void SmpiFlow::await_events() {
  if (events_.empty()) return;
  double const date = std::max(events_.top().time.value, s4u::Engine::get_clock());
  simgrid::kernel::timer::Timer::set(date, [this] {
    bool const due = !events_.empty() && events_.top().time.value <= s4u::Engine::get_clock();
    if (due) open_moment(events_.top().time);
  });
}

/// SimGrid has ended an action: a transfer has arrived, or SMPI's own message is complete.
void SmpiFlow::release(void const* action) {
  if (auto const found = moving_.find(action); found != moving_.end()) {
    open_moment(s4u::Engine::get_clock());
    std::int64_t const number = found->second.first;
    if (--messages_.at(number).flows == 0) arrived_.push_back(number);
    end_transfer(std::move(found->second.second));
    moving_.erase(found);
  } else if (auto const ready = met_.find(action); ready != met_.end()) {
    Message const& message = messages_.at(ready->second);
    open_moment(now());
    count_end(message.from, message.to);
    messages_.erase(ready->second);
    met_.erase(ready);
  }
}

}  // namespace rondo
