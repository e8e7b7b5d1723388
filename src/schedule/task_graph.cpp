// Lowers schedules to tasks. Messages of a round do not require each other. Each of them requires all of the round
// before, directly or through a join.

#include "schedule/task_graph.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace rondo {

namespace {

/// The bytes of a transfer. A place in no buffer, or past the listed sizes of its buffer, counts as 0 bytes.
std::int64_t bytes_of(Program const& program, Transfer const& transfer) {
  std::int64_t bytes = 0;
  for (Place const place : program.places(transfer)) {
    if (static_cast<int>(place.buffer()) >= buffer_count) continue;
    BufferLayout const& buffer = program.layout()[place.buffer()];
    if (buffer.sizes.empty()) {
      bytes += program.layout().block.value;
    } else if (place.slot() < buffer.sizes.size()) {
      bytes += buffer.sizes[place.slot()].value;
    }
  }
  return bytes;
}

/// Whether all slots of all buffers have the size of a block.
bool all_alike(Layout const& layout) {
  return std::all_of(layout.buffers.begin(), layout.buffers.end(),
                     [](BufferLayout const& buffer) { return buffer.sizes.empty(); });
}

/// Turns the rounds of a schedule into tasks.
class TaskWriter {
 public:
  explicit TaskWriter(Schedule const& schedule) : schedule_(schedule) {}

  TaskGraph run() {
    reserve();
    for (int rank = 0; rank < schedule_.ranks; ++rank) add_rank(Rank(rank));
    return std::move(graph_);
  }

  TaskGraph run(Rank rank) {
    add_rank(rank);
    return std::move(graph_);
  }

 private:
  /// Counts the tasks first, because graphs may fill much of the memory.
  void reserve() {
    std::size_t tasks = 0;
    for (int rank = 0; rank < schedule_.ranks; ++rank) {
      Program const& program = schedule_.program(Rank(rank));
      for (int round = 1; round <= program.rounds(); ++round) {
        tasks += program.sends(round).size() + program.receives(round).size();
      }
    }
    // A round of c tasks after one of k tasks takes at most c + k requirements (add_rank), so all rounds together take
    // at most two for each task. Joins are few, and are not counted.
    graph_.tasks.reserve(tasks);
    graph_.requirements.reserve(2 * tasks);
  }

  /// Adds the tasks of a rank, round by round.
  void add_rank(Rank rank) {
    Program const& program = schedule_.program(rank);
    bool const alike = all_alike(program.layout());
    std::uint32_t before = next(), before_end = before;  // the tasks that the next round requires
    for (int round = 1; round <= program.rounds(); ++round) {
      auto const sends = program.sends(round);
      auto const receives = program.receives(round);
      std::size_t const count = sends.size() + receives.size();
      if (count == 0) continue;
      // With a join, k + c requirements take the place of k * c.
      if (count * (before_end - before) > count + (before_end - before)) {
        join(before, before_end);
        before = before_end = next();
        --before;
      }
      std::uint32_t const begin = next();
      auto const add = [&](TaskKind kind, Transfer const& transfer) {
        std::int64_t const bytes =
            alike ? checked_product(transfer.count, program.layout().block.value) : bytes_of(program, transfer);
        require_all(before, before_end);
        graph_.tasks.push_back({kind, 0, 0, schedule_.peer(rank, transfer).value, 0, bytes});
      };
      for (Transfer const& receive : receives) add(TaskKind::receive, receive);
      for (Transfer const& send : sends) add(TaskKind::send, send);
      before = begin;
      before_end = next();
    }
    graph_.first.push_back(next());
  }

  /// Adds an empty calculation that requires all tasks in [begin, end).
  void join(std::uint32_t begin, std::uint32_t end) {
    require_all(begin, end);
    graph_.tasks.push_back({});
  }

  /// Makes the task that will be added next require all tasks in [begin, end).
  void require_all(std::uint32_t begin, std::uint32_t end) {
    std::uint32_t const task = next();
    for (std::uint32_t on = begin; on < end; ++on) graph_.requirements.push_back({task, on, Until::finish});
  }

  /// The number of the next task. Throws InputError if it would be 2^32 - 1, which means no task.
  std::uint32_t next() const {
    if (graph_.tasks.size() >= std::numeric_limits<std::uint32_t>::max()) {
      throw InputError("a task graph has at most 4294967294 tasks");
    }
    return static_cast<std::uint32_t>(graph_.tasks.size());
  }

  Schedule const& schedule_;
  TaskGraph graph_;
};

}  // namespace

Rank TaskGraph::rank_of(std::uint32_t task) const {
  auto const after = std::upper_bound(first.begin(), first.end(), task);
  return Rank(static_cast<std::int32_t>(after - first.begin()) - 1);
}

TaskGraph lower(Schedule const& schedule) { return TaskWriter(schedule).run(); }

TaskGraph lower(Schedule const& schedule, Rank rank) { return TaskWriter(schedule).run(rank); }

}  // namespace rondo
