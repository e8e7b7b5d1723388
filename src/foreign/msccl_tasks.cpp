// Turns MSCCL steps into tasks with blocks, so that the prover and the engines of task graphs can be used.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "foreign/msccl.hpp"

namespace rondo::msccl {

std::int32_t Algorithm::input_chunks() const {
  return kind == Kind::allgather ? chunks / static_cast<std::int32_t>(gpus.size()) : chunks;
}
std::int32_t Algorithm::output_chunks() const {
  return kind == Kind::reduce_scatter ? chunks / static_cast<std::int32_t>(gpus.size()) : chunks;
}

Slots slots_of(Protocol protocol) {
  // A connection has a buffer for 8 steps of the protocol; under Simple each message takes 4 of them.
  return {protocol == Protocol::simple ? 2 : 8};
}

namespace {

constexpr std::size_t input = static_cast<std::size_t>(ChunkBuffer::input);
constexpr std::size_t output = static_cast<std::size_t>(ChunkBuffer::output);
constexpr std::size_t scratch = static_cast<std::size_t>(ChunkBuffer::scratch);

/// The buffers of a rank as ranges of cells; the first cell of the rank is `first`. In an algorithm that works in
/// place, the input and the output buffer share cells. The scratch buffer comes after both.
std::array<CellRange, buffer_count> buffers_of(Algorithm const& algorithm, std::size_t rank, std::uint32_t first) {
  auto const inputs = static_cast<std::uint32_t>(algorithm.input_chunks());
  auto const outputs = static_cast<std::uint32_t>(algorithm.output_chunks());
  std::array<CellRange, buffer_count> result;
  result[input] = {first, inputs};
  result[output] = {first, outputs};
  if (!algorithm.in_place) {
    result[output].first += inputs;
  } else if (algorithm.kind == Kind::allgather) {
    result[input].first += static_cast<std::uint32_t>(rank) * inputs;
  } else if (algorithm.kind == Kind::reduce_scatter) {
    result[output].first += static_cast<std::uint32_t>(rank) * outputs;
  }
  std::uint32_t const behind = std::max(result[input].first + inputs, result[output].first + outputs);
  std::uint32_t const whole = first + static_cast<std::uint32_t>(algorithm.chunks);
  result[scratch] = {std::max(behind, whole), static_cast<std::uint32_t>(algorithm.gpus[rank].scratch)};
  return result;
}

/// Builds the tasks of an algorithm, gpu by gpu.
class Tasks {
 public:
  Tasks(Algorithm const& algorithm, Bytes chunk) : algorithm_(algorithm), chunk_(chunk) {}

  BlockGraph run() {
    graph_.buffer_names = {"i", "o", "s"};
    reserve();
    for (std::size_t rank = 0; rank < algorithm_.gpus.size(); ++rank) add_gpu(rank);
    return std::move(graph_);
  }

 private:
  static constexpr std::uint32_t none = 0xffff'ffff;  ///< no task, or no list of cells

  void reserve() {
    std::size_t const steps = algorithm_.steps.size();
    graph_.tasks.tasks.reserve(steps + steps / 4);
    graph_.tasks.requirements.reserve(2 * steps);
    graph_.effects.reserve(steps + steps / 4);
  }

  /// Adds the tasks of a gpu. Waits become requirements at the end, when the tasks of all its thread blocks have
  /// numbers.
  void add_gpu(std::size_t rank) {
    Gpu const& gpu = algorithm_.gpus[rank];
    graph_.buffers.push_back(buffers_of(algorithm_, rank, graph_.cell_count));
    graph_.cell_count = graph_.buffers.back()[scratch].first + graph_.buffers.back()[scratch].slots;
    waits_.clear();
    signals_.assign(gpu.blocks.size(), {});
    for (std::size_t block = 0; block < gpu.blocks.size(); ++block) add_block(gpu.blocks[block], block);
    for (Wait const& wait : waits_) graph_.tasks.requirements.push_back({wait.task, signal(wait), Until::finish});
    graph_.tasks.first.push_back(next());
  }

  /// Adds the tasks of a thread block, each of which follows the one before. The waits of a nop pass on to the next
  /// step, and over a `re` that the interpreter does as one with the `re` before it (msccl.hpp).
  void add_block(ThreadBlock const& block, std::size_t number) {
    std::vector<Wait> pending;
    before_ = none;
    reduced_ = nullptr;
    for (std::size_t i = block.first; i < block.last; ++i) {
      Step const& step = algorithm_.steps[i];
      if (step.block >= 0) pending.push_back({0, step.block, step.step});
      if (step.type == StepType::wait) continue;
      name_ = {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(i - block.first), type_name(step.type)};
      line_ = step.line;
      std::uint32_t const first = next();
      add_step(step, block, static_cast<std::uint8_t>(number % 256));
      bool const fused = reduced_ != nullptr && step.type == StepType::reduce && step.block < 0 &&
                         step.target == reduced_->target && step.target_buffer == reduced_->target_buffer &&
                         step.source_buffer == reduced_->source_buffer;
      if (!fused) {
        for (Wait wait : pending) {
          wait.task = first;
          waits_.push_back(wait);
        }
        pending.clear();
      }
      if (step.signals) signals_[number].push_back({static_cast<std::int32_t>(i - block.first), before_});
      reduced_ = step.type == StepType::reduce && !step.signals ? &step : nullptr;
    }
  }

  /// Adds the tasks of a step: one, or a receive and then a send if it passes its result on. A nop has none.
  void add_step(Step const& step, ThreadBlock const& block, std::uint8_t cpu) {
    auto const channel = static_cast<std::uint32_t>(block.channel + 1);
    std::int64_t const bytes = checked_product(step.count, chunk_.value);
    Task const receive{TaskKind::receive, cpu, 0, block.receive, channel, bytes};
    Task const send{TaskKind::send, cpu, 0, block.send, channel, bytes};
    Task const local{TaskKind::calc, cpu, 0, 0, 0, 0};
    auto const source = [&] { return list(step.source_buffer, step.source, step.count); };
    auto const target = [&] { return list(step.target_buffer, step.target, step.count); };
    auto const count = static_cast<std::uint32_t>(step.count);
    switch (step.type) {
      case StepType::send:
        return add(send, {source(), none, count, none, Join::none});
      case StepType::receive:
        return add(receive, {none, target(), count, none, Join::none});
      case StepType::copy_on:
        add(receive, {none, target(), count, none, Join::none});
        return add(send, {none, none, count, before_, Join::none});
      case StepType::reduce_on:
        add(receive, {source(), none, count, none, Join::after});
        return add(send, {none, none, count, before_, Join::none});
      case StepType::reduce_into:
        return add(receive, {source(), target(), count, none, Join::after});
      case StepType::reduce_into_on:
        add(receive, {source(), target(), count, none, Join::after});
        return add(send, {none, none, count, before_, Join::none});
      case StepType::copy:
        return add(local, {source(), target(), count, none, Join::none});
      case StepType::reduce:
        return add(local, {source(), target(), count, none, Join::after});
      case StepType::wait:
        return;
    }
  }

  /// Stores the cells of a range of chunks. Returns where the list begins. Throws InputError if there are too many.
  std::uint32_t list(ChunkBuffer buffer, std::int32_t first, std::int32_t count) {
    std::size_t const begin = graph_.cells.size();
    if (begin + at(count) >= none) throw InputError("a graph has at most 4294967294 chunks in all its messages");
    std::uint32_t const cell =
        graph_.buffers.back()[static_cast<std::size_t>(buffer)].first + static_cast<std::uint32_t>(first);
    for (std::int32_t k = 0; k < count; ++k) graph_.cells.push_back(cell + static_cast<std::uint32_t>(k));
    return static_cast<std::uint32_t>(begin);
  }

  /// Appends a task that follows the one before it in its thread block.
  void add(Task const& task, Effect const& effect) {
    std::uint32_t const number = next();
    if (before_ != none) graph_.tasks.requirements.push_back({number, before_, Until::finish});
    graph_.tasks.tasks.push_back(task);
    graph_.tasks.lines.of.push_back(line_);
    graph_.steps.push_back(name_);
    graph_.effects.push_back(effect);
    before_ = number;
  }

  std::uint32_t next() const { return static_cast<std::uint32_t>(graph_.tasks.tasks.size()); }

  static char const* type_name(StepType type) {
    for (auto const& word : enum_names<StepType>) {
      if (word.value == type) return word.text.data();
    }
    return "";
  }

  /// A task that waits for a step of another thread block of its gpu.
  struct Wait {
    std::uint32_t task;
    std::int32_t block, step;
  };
  /// A step for which others may wait, and its last task.
  struct Signal {
    std::int32_t step;
    std::uint32_t task;
  };

  /// The task that ends the awaited step, or the first later step of its thread block that signals.
  std::uint32_t signal(Wait const& wait) const {
    std::vector<Signal> const& all = signals_[at(wait.block)];
    auto const found = std::lower_bound(all.begin(), all.end(), wait.step,
                                        [](Signal const& each, std::int32_t step) { return each.step < step; });
    expects(found != all.end(), "a reader that lets no wait pass that nothing signals");
    return found->task;
  }

  Algorithm const& algorithm_;
  Bytes chunk_;
  BlockGraph graph_;
  std::vector<Wait> waits_;                   ///< of the gpu at hand
  std::vector<std::vector<Signal>> signals_;  ///< of the gpu at hand, by thread block, in order
  std::uint32_t before_ = none;               ///< the last task of the thread block so far
  Step const* reduced_ = nullptr;             ///< the step before, if another `re` may become one with it; else null
  StepName name_;                             ///< of the step at hand
  std::uint32_t line_ = 0;                    ///< of the step at hand in the file
};

/// The content of a rank's buffer at the start: its own chunks, numbered from 0 on.
std::vector<Content> own_chunks(std::size_t rank, std::int32_t count) {
  std::vector<Content> result;
  for (std::int32_t k = 0; k < count; ++k) {
    result.push_back({Rank(static_cast<std::int32_t>(rank)), BlockId(static_cast<std::uint32_t>(k))});
  }
  return result;
}

/// A slot for one chunk of one rank.
Owed chunk_of(std::size_t rank, std::int32_t chunk) {
  return Content{Rank(static_cast<std::int32_t>(rank)), BlockId(static_cast<std::uint32_t>(chunk))};
}

/// The chunks that the collective owes a rank, by slot of its output buffer; none for Kind::custom.
std::vector<Owed> owed_at(Algorithm const& algorithm, std::size_t rank) {
  auto const ranks = static_cast<std::int32_t>(algorithm.gpus.size());
  std::int32_t const each = algorithm.chunks / ranks;
  auto const self = static_cast<std::int32_t>(rank);
  std::vector<Owed> result;
  for (std::int32_t k = 0; k < algorithm.output_chunks(); ++k) {
    auto const whole = [&](std::int32_t chunk) { return Owed(BlockId(static_cast<std::uint32_t>(chunk)), 0, ranks); };
    switch (algorithm.kind) {
      case Kind::allreduce:
        result.push_back(whole(k));
        break;
      case Kind::reduce:
        result.push_back(rank == 0 ? whole(k) : Owed());
        break;
      case Kind::reduce_scatter:
        result.push_back(whole(self * each + k));
        break;
      case Kind::allgather:
        result.push_back(chunk_of(at(k / each), k % each));
        break;
      case Kind::alltoall:
        result.push_back(chunk_of(at(k / each), self * each + k % each));
        break;
      case Kind::broadcast:
        result.push_back(chunk_of(0, k));
        break;
      case Kind::custom:
        break;
    }
  }
  return result;
}

}  // namespace

BlockGraph tasks(Algorithm const& algorithm, Bytes chunk) { return Tasks(algorithm, chunk).run(); }

/// A task that follows a send waits only for its start. The k-th send over a connection waits until the message `slots`
/// places before it has been taken; without a number of slots it does not wait.
TaskGraph timed(TaskGraph tasks, Slots slots) {
  for (Requirement& each : tasks.requirements) {
    if (tasks.tasks[each.on].kind == TaskKind::send) each.until = Until::start;
  }
  if (slots.of_a_channel <= 0) return tasks;
  auto const held = static_cast<std::size_t>(slots.of_a_channel);
  for (int rank = 0; rank < tasks.ranks(); ++rank) {
    std::map<std::pair<std::int32_t, std::uint32_t>, std::vector<std::uint32_t>> sent;  // by connection
    for (std::uint32_t i = tasks.first[at(rank)]; i < tasks.first[at(rank) + 1]; ++i) {
      if (tasks.tasks[i].kind != TaskKind::send) continue;
      std::vector<std::uint32_t>& before = sent[{tasks.tasks[i].peer, tasks.tasks[i].tag}];
      if (before.size() >= held) tasks.requirements.push_back({i, before[before.size() - held], Until::finish});
      before.push_back(i);
    }
  }
  return tasks;
}

std::optional<Collective> promise(Algorithm const& algorithm) {
  if (algorithm.kind == Kind::custom) return std::nullopt;
  StatedPromise result;
  for (std::size_t rank = 0; rank < algorithm.gpus.size(); ++rank) {
    bool const gives = algorithm.kind != Kind::broadcast || rank == 0;
    result.held.push_back(own_chunks(rank, gives ? algorithm.input_chunks() : 0));
    result.owed.push_back(owed_at(algorithm, rank));
  }
  return result;
}

}  // namespace rondo::msccl
