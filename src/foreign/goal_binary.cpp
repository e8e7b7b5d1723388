// Reads and writes LogGOPSim's binary GOAL (goal_binary.hpp). Positions in a file may be wrong, so each is checked
// before it is used.

#include "foreign/goal_binary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "base/ids.hpp"

namespace rondo::goal_binary {

namespace {

constexpr std::uint64_t cookie = 4223, worked_off = 2342;
constexpr std::size_t base = 8;       ///< what begins and ends of parts are counted from
constexpr std::size_t ranks_at = 14;  ///< where the table of parts begins
constexpr std::size_t task_bytes = 39;
constexpr std::uint32_t any = 0xffff'ffff;

/// The little-endian number in the `size` bytes from `offset` on.
std::uint64_t number(std::string_view bytes, std::size_t offset, std::size_t size) {
  std::uint64_t result = 0;
  for (std::size_t i = size; i-- > 0;) result = (result << 8) | static_cast<unsigned char>(bytes[offset + i]);
  return result;
}

/// Reads a file and checks that every number in it lies within its bounds.
class BinaryReader {
 public:
  BinaryReader(std::string_view bytes, std::string const& name) : bytes_(bytes), name_(name) {}

  TaskGraph run(std::int64_t most_ranks) {
    std::uint64_t const first = take(8, "the number that a binary GOAL file begins with");
    if (first == worked_off) {
      fail(0, "expected a binary GOAL file, got one that LogGOPSim has worked off with --save-mem");
    }
    if (first != cookie)
      fail(0, fmt::format("expected {}, which a binary GOAL file begins with, got {}", cookie, first));
    auto const ranks = static_cast<std::int64_t>(take(4, "the number of ranks"));
    if (ranks == 0) fail(base, "expected at least one rank, got 0");
    if (ranks > most_ranks) fail(base, fmt::format("expected at most {} ranks, got {}", most_ranks, ranks));
    ranks_ = static_cast<std::uint32_t>(ranks);
    need(ranks_at, 16 * at(ranks), "the table of the ranks' parts");
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) read_rank(rank);
    return std::move(graph_);
  }

 private:
  [[noreturn]] void fail(std::size_t where, std::string const& what) const {
    throw InputError(fmt::format("{}: byte {}: {}", name_, where, what));
  }

  /// Fails unless the file has so many bytes from `from` on.
  void need(std::size_t from, std::uint64_t size, std::string const& what) const {
    if (from <= bytes_.size() && size <= bytes_.size() - from) return;
    fail(bytes_.size(),
         fmt::format("expected {} in {} bytes from byte {} on, got the end of the file", what, size, from));
  }

  /// The next little-endian number of so many bytes.
  std::uint64_t take(std::size_t size, char const* what) {
    need(next_, size, what);
    std::uint64_t const result = number(bytes_, next_, size);
    next_ += size;
    return result;
  }
  std::uint32_t take_u32(char const* what) { return static_cast<std::uint32_t>(take(4, what)); }

  void read_rank(std::uint32_t rank) {
    std::uint64_t const begin = number(bytes_, ranks_at + 16 * std::size_t{rank}, 8);
    if (begin > bytes_.size() - base) {
      fail(ranks_at + 16 * std::size_t{rank},
           fmt::format("expected the part of rank {} within the {} bytes of the file, got {}", rank, bytes_.size(),
                       begin));
    }
    next_ = base + static_cast<std::size_t>(begin);
    std::uint32_t const tasks = take_u32("the number of a rank's tasks");
    std::uint32_t const roots = take_u32("the number of a rank's roots");
    need(next_, std::uint64_t{roots} * 4, fmt::format("the roots of rank {}", rank));
    next_ += std::size_t{roots} * 4;
    need(next_, std::uint64_t{tasks} * task_bytes, fmt::format("the {} tasks of rank {}", tasks, rank));
    if (graph_.tasks.size() + tasks >= any) throw InputError("a task graph has at most 4294967294 tasks");
    read_tasks(tasks);
    graph_.first.push_back(static_cast<std::uint32_t>(graph_.tasks.size()));
  }

  /// Reads the tasks of a rank, and then the lists of the tasks that wait for them.
  void read_tasks(std::uint32_t tasks) {
    first_ = graph_.tasks.size();
    tasks_ = tasks;
    list_ = next_ + std::size_t{tasks} * task_bytes;
    std::vector<std::uint32_t> stated(tasks);
    std::size_t const before = graph_.requirements.size();
    for (std::uint32_t i = 0; i < tasks; ++i) {
      stated[i] = take_u32("requirements");
      graph_.tasks.push_back(take_task());
      for (Until const until : {Until::finish, Until::start}) {
        std::uint32_t const count = take_u32("how many wait");
        std::uint32_t const from = take_u32("where those are that wait");
        require(i, until, count, from);
      }
    }
    std::vector<std::uint32_t> listed(tasks);
    for (std::size_t i = before; i < graph_.requirements.size(); ++i) ++listed[graph_.requirements[i].task - first_];
    for (std::uint32_t i = 0; i < tasks; ++i) {
      if (stated[i] == listed[i]) continue;
      fail(list_ - std::size_t{tasks - i} * task_bytes,
           fmt::format("expected task {} to wait for as many tasks as list it, {}, got {}", i, listed[i], stated[i]));
    }
  }

  Task take_task() {
    std::size_t const where = next_;
    Task task;
    std::uint64_t const kind = take(1, "a kind");
    if (kind < 1 || kind > 3) {
      fail(where, fmt::format("expected the kind of a task, 1 (send), 2 (receive) or 3 (calculation), got {}", kind));
    }
    task.kind = kind == 1 ? TaskKind::send : kind == 2 ? TaskKind::receive : TaskKind::calc;
    std::uint32_t const peer = take_u32("a peer");
    std::uint64_t const amount = take(8, "an amount");
    task.tag = take_u32("a tag");
    task.cpu = static_cast<std::uint8_t>(take(1, "a CPU"));
    task.nic = static_cast<std::uint8_t>(take(1, "a NIC"));
    if (amount > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      fail(where + 5,
           fmt::format("expected an amount of at most {}, got {}", std::numeric_limits<std::int64_t>::max(), amount));
    }
    task.amount = static_cast<std::int64_t>(amount);
    if (task.kind == TaskKind::calc) {
      task.tag = 0;
      return task;
    }
    if (peer == any) fail(where + 1, "a receive from any rank (-1) is not supported: expected a rank");
    if (task.tag == any) fail(where + 13, "a receive of any tag (-1) is not supported: expected a tag");
    if (peer >= ranks_) fail(where + 1, fmt::format("expected a rank from 0 to {}, got {}", ranks_ - 1, peer));
    task.peer = static_cast<std::int32_t>(peer);
    return task;
  }

  /// Makes the tasks in a piece of the list wait for task `on`.
  void require(std::uint32_t on, Until until, std::uint32_t count, std::uint32_t from) {
    if (count == 0) return;
    std::size_t const where = list_ + std::size_t{from} * 4;
    need(where, std::uint64_t{count} * 4, "tasks that wait for another");
    for (std::uint32_t k = 0; k < count; ++k) {
      auto const task = static_cast<std::uint32_t>(number(bytes_, where + std::size_t{k} * 4, 4));
      if (task >= tasks_) {
        fail(where + std::size_t{k} * 4, fmt::format("expected one of the {} tasks of the rank, got {}", tasks_, task));
      }
      auto const offset = static_cast<std::uint32_t>(first_);
      graph_.requirements.push_back({offset + task, offset + on, until});
    }
  }

  std::string_view bytes_;
  std::string const& name_;
  std::size_t next_ = 0;
  std::uint32_t ranks_ = 0;
  TaskGraph graph_;
  std::size_t first_ = 0;    ///< the first task of the rank at hand
  std::uint32_t tasks_ = 0;  ///< how many it has
  std::size_t list_ = 0;     ///< where its list begins
};

void put(std::string& bytes, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
}

/// By task of a graph, the tasks that wait for its end and those that wait for its start; and how many tasks it waits
/// for itself.
struct Waiting {
  std::vector<std::vector<std::uint32_t>> finish, start;
  std::vector<std::uint32_t> requirements;

  explicit Waiting(TaskGraph const& graph)
      : finish(graph.tasks.size()), start(graph.tasks.size()), requirements(graph.tasks.size(), 0) {
    for (Requirement const& each : graph.requirements) {
      (each.until == Until::finish ? finish : start)[each.on].push_back(each.task);
      ++requirements[each.task];
    }
  }
};

/// The part of one rank as bytes.
std::string part_of(TaskGraph const& graph, Waiting const& waiting, std::uint32_t first, std::uint32_t last) {
  std::string roots, tasks, list;
  std::uint32_t root_count = 0, listed = 0;
  for (std::uint32_t i = first; i < last; ++i) {
    Task const& task = graph.tasks[i];
    if (waiting.requirements[i] == 0) {
      put(roots, i - first, 4);
      ++root_count;
    }
    put(tasks, waiting.requirements[i], 4);
    put(tasks, task.kind == TaskKind::send ? 1 : task.kind == TaskKind::receive ? 2 : 3, 1);
    put(tasks, static_cast<std::uint32_t>(task.peer), 4);
    put(tasks, static_cast<std::uint64_t>(task.amount), 8);
    put(tasks, task.tag, 4);
    put(tasks, task.cpu, 1);
    put(tasks, task.nic, 1);
    for (auto const* wait : {&waiting.finish[i], &waiting.start[i]}) {
      put(tasks, wait->size(), 4);
      put(tasks, listed, 4);
      for (std::uint32_t const each : *wait) put(list, each - first, 4);
      listed += static_cast<std::uint32_t>(wait->size());
    }
  }
  std::string part;
  put(part, last - first, 4);
  put(part, root_count, 4);
  return part + roots + tasks + list;
}

/// The length of that part: the head of the file states it before any part is written.
std::uint64_t bytes_of_part(Waiting const& waiting, std::uint32_t first, std::uint32_t last) {
  std::uint64_t bytes = 8 + std::uint64_t{last - first} * task_bytes;
  for (std::uint32_t i = first; i < last; ++i) {
    bytes += (waiting.requirements[i] == 0 ? 4u : 0u) + 4 * (waiting.finish[i].size() + waiting.start[i].size());
  }

  return bytes;
}

}  // namespace

bool begins(std::string_view bytes) {
  return bytes.size() >= 8 && (number(bytes, 0, 8) == cookie || number(bytes, 0, 8) == worked_off);
}

TaskGraph read(std::string_view bytes, std::string const& name, std::int64_t most_ranks) {
  return BinaryReader(bytes, name).run(most_ranks);
}

void write(TaskGraph const& graph, std::function<void(std::string_view)> const& sink) {
  Waiting const waiting(graph);
  std::uint8_t cpu = 0, nic = 0;
  for (Task const& task : graph.tasks) {
    cpu = std::max(cpu, task.cpu);
    nic = std::max(nic, task.nic);
  }
  std::string head;
  put(head, cookie, 8);
  put(head, static_cast<std::uint64_t>(graph.ranks()), 4);
  put(head, cpu, 1);
  put(head, nic, 1);
  std::uint64_t begin = ranks_at - base + 16 * at(graph.ranks());
  for (std::size_t rank = 0; rank < at(graph.ranks()); ++rank) {
    put(head, begin, 8);
    begin += bytes_of_part(waiting, graph.first[rank], graph.first[rank + 1]);
    put(head, begin, 8);
  }
  sink(head);
  for (std::size_t rank = 0; rank < at(graph.ranks()); ++rank) {
    sink(part_of(graph, waiting, graph.first[rank], graph.first[rank + 1]));
  }
}

}  // namespace rondo::goal_binary
