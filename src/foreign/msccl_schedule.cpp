// Turns a schedule of rounds into thread blocks. Each rank has one thread block for each rank that it sends to, one for
// each rank that it receives from, and one for its copies. Thread blocks run independently, so the order of the rounds
// is lost except where two steps use the same place: a step that reads or writes a place waits for the step that wrote
// it before, and a step that writes a place also waits for the steps that read it before.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "foreign/msccl.hpp"

namespace rondo::msccl {

namespace {

constexpr std::size_t most_steps_written = std::size_t{1} << 26;

/// A run of places that follow each other at both ends of a message, so that one step can move it.
struct RunOfPlaces {
  Place from, into;
  std::int32_t count = 1;
};

/// Divides the places of a message into runs that one step can move.
std::vector<RunOfPlaces> runs_of(std::span<Place const> from, std::span<Place const> into) {
  std::vector<RunOfPlaces> runs;
  auto const follows = [](Place first, std::int32_t count, Place next) {
    return first.buffer() == next.buffer() && first.slot() + static_cast<std::uint32_t>(count) == next.slot();
  };
  for (std::size_t k = 0; k < from.size(); ++k) {
    if (!runs.empty() && follows(runs.back().from, runs.back().count, from[k]) &&
        follows(runs.back().into, runs.back().count, into[k])) {
      ++runs.back().count;
    } else {
      runs.push_back({from[k], into[k], 1});
    }
  }
  return runs;
}

/// All messages from one rank to another, by both ends. The k-th send matches the k-th receive.
struct Connection {
  std::vector<std::span<Place const>> sends, receives;
};

/// The connections between all ranks.
class Connections {
 public:
  explicit Connections(Schedule const& schedule) {
    for (int r = 0; r < schedule.ranks; ++r) {
      Rank const rank(r);
      Program const& program = schedule.program(rank);
      for (int round = 1; round <= program.rounds(); ++round) {
        for (Transfer const& send : program.sends(round)) {
          of_[key(rank, schedule.peer(rank, send))].sends.push_back(program.places(send));
        }
        for (Transfer const& receive : program.receives(round)) {
          of_[key(schedule.peer(rank, receive), rank)].receives.push_back(program.places(receive));
        }
      }
    }
  }
  /// The runs of the message with this number from `source` to `target`.
  std::vector<RunOfPlaces> message(Rank source, Rank target, std::size_t number) const {
    Connection const& connection = of_.at(key(source, target));
    expects(number < connection.sends.size() && number < connection.receives.size() &&
                connection.sends[number].size() == connection.receives[number].size(),
            "a schedule that is proved");
    return runs_of(connection.sends[number], connection.receives[number]);
  }

 private:
  static std::uint64_t key(Rank source, Rank target) {
    return (static_cast<std::uint64_t>(source.value) << 32) | static_cast<std::uint32_t>(target.value);
  }
  std::unordered_map<std::uint64_t, Connection> of_;
};

ChunkBuffer chunk_buffer(Place place) { return static_cast<ChunkBuffer>(place.buffer()); }

/// Builds the thread blocks of one rank.
class BlocksOfRank {
 public:
  BlocksOfRank(Schedule const& schedule, Connections const& connections, Rank rank)
      : schedule_(schedule), connections_(connections), rank_(rank) {}

  /// Appends the thread blocks of the rank and their steps to the algorithm. Throws InputError past most_steps_written.
  void write(Algorithm& algorithm, Gpu& gpu) {
    Program const& program = schedule_.program(rank_);
    for (int round = 0; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) add_send(schedule_.peer(rank_, send));
      for (Transfer const& receive : program.receives(round)) {
        add_receive(schedule_.peer(rank_, receive), receive.join != Join::none);
      }
      for (Copy const& copy : program.copies(round)) add_copy(copy.from, copy.into, copy.join != Join::none);
    }
    for (BlockSteps& block : blocks_) {
      block.header.first = algorithm.steps.size();
      algorithm.steps.insert(algorithm.steps.end(), block.steps.begin(), block.steps.end());
      block.header.last = algorithm.steps.size();
      gpu.blocks.push_back(block.header);
    }
    if (algorithm.steps.size() > most_steps_written) {
      throw InputError(fmt::format("MSCCL XML: expected at most {} steps", most_steps_written));
    }
  }

  void add_copy(Place from, Place into, bool joins) {
    Step step = empty_step(joins ? StepType::reduce : StepType::copy, from, into, 1);
    add({-1, -1}, step, from, into);
  }

 private:
  /// The ranks with which a thread block exchanges messages: the one it sends to and the one it receives from.
  using Ends = std::pair<std::int32_t, std::int32_t>;
  struct BlockSteps {
    ThreadBlock header;
    std::vector<Step> steps;
  };
  /// The position of a step: its thread block and its number there.
  struct StepPosition {
    std::int32_t block = -1, step = -1;
  };
  /// The steps that have used a place: the last one that wrote it, and those that have read it since.
  struct Accesses {
    StepPosition written;
    std::vector<StepPosition> read;
  };

  static Step empty_step(StepType type, Place from, Place into, std::int32_t count) {
    Step step;
    step.type = type;
    step.source_buffer = chunk_buffer(from);
    step.source = static_cast<std::int32_t>(from.slot());
    step.target_buffer = chunk_buffer(into);
    step.target = static_cast<std::int32_t>(into.slot());
    step.count = count;
    return step;
  }

  void add_send(Rank target) {
    for (RunOfPlaces const& run : connections_.message(rank_, target, sent_[target.value]++)) {
      Step const step = empty_step(StepType::send, run.from, run.into, run.count);
      add({target.value, -1}, step, run.from, std::nullopt);
    }
  }

  void add_receive(Rank source, bool joins) {
    for (RunOfPlaces const& run : connections_.message(source, rank_, received_[source.value]++)) {
      // A receive that joins reads the value to join with from the receiver's own buffers, so this place is the source
      // of the step.
      Step const step = empty_step(joins ? StepType::reduce_into : StepType::receive, joins ? run.into : run.from,
                                   run.into, run.count);
      add({-1, source.value}, step, std::nullopt, run.into);
    }
  }

  /// Appends a step to its thread block, with the waits that keep the order of accesses to its places.
  void add(Ends const& ends, Step step, std::optional<Place> from, std::optional<Place> into) {
    auto const [found, is_new] = block_of_ends_.try_emplace(ends, static_cast<std::int32_t>(blocks_.size()));
    if (is_new) blocks_.push_back({{ends.first, ends.second, 0, 0, 0, 0}, {}});
    std::int32_t const block = found->second;
    std::map<std::int32_t, std::int32_t> waits;  // by thread block: the last of its steps that must have ended
    auto const wait_for = [&](StepPosition const& awaited) {
      if (awaited.block < 0 || awaited.block == block) return;
      std::int32_t& last = waits.try_emplace(awaited.block, -1).first->second;
      last = std::max(last, awaited.step);
    };
    for_each_place(from, step.count, [&](Place place) { wait_for(accesses_[place].written); });
    for_each_place(into, step.count, [&](Place place) {
      Accesses const& accesses = accesses_[place];
      wait_for(accesses.written);
      for (StepPosition const& read : accesses.read) wait_for(read);
    });
    StepPosition const self{block, append(block, step, waits)};
    for_each_place(from, step.count, [&](Place place) { accesses_[place].read.push_back(self); });
    for_each_place(into, step.count, [&](Place place) { accesses_[place] = {self, {}}; });
  }

  template <typename Take>
  static void for_each_place(std::optional<Place> first, std::int32_t count, Take const& take) {
    if (!first) return;
    for (std::int32_t k = 0; k < count; ++k) {
      take(Place(first->buffer(), first->slot() + static_cast<std::uint32_t>(k)));
    }
  }

  /// Appends a step and returns its number. A step can wait for only one other step, so a nop before it carries each
  /// further wait. A wait is left out if this thread block has already waited for the same or a later step of that
  /// thread block.
  std::int32_t append(std::int32_t block, Step step, std::map<std::int32_t, std::int32_t>& waits) {
    std::vector<Step>& steps = blocks_[at(block)].steps;
    std::erase_if(waits, [&](auto const& wait) {
      std::int32_t& next_step = waited_[{block, wait.first}];
      if (next_step > wait.second) return true;
      next_step = wait.second + 1;
      return false;
    });
    std::size_t left = waits.size();
    for (auto const& [other, number] : waits) {
      blocks_[at(other)].steps[at(number)].signals = true;
      if (--left > 0) {
        Step nop;
        nop.block = other;
        nop.step = number;
        steps.push_back(nop);
      } else {
        step.block = other;
        step.step = number;
      }
    }
    steps.push_back(step);
    return static_cast<std::int32_t>(steps.size()) - 1;
  }

  Schedule const& schedule_;
  Connections const& connections_;
  Rank rank_;
  std::vector<BlockSteps> blocks_;
  std::map<Ends, std::int32_t> block_of_ends_;
  std::map<Place, Accesses> accesses_;
  /// By waiting and awaited thread block: one more than the last step that was waited for.
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> waited_;
  std::unordered_map<std::int32_t, std::size_t> sent_, received_;
};

bool same(Owed const& a, Owed const& b) {
  if (a.contributions() != b.contributions()) return false;
  for (std::size_t i = 0; i < a.contributions(); ++i) {
    if (a.contribution(i) != b.contribution(i)) return false;
  }
  return true;
}

/// Whether two collectives hold and owe the same blocks, whatever their kinds.
bool same_promise(Collective const& a, Collective const& b) {
  for (int r = 0; r < ranks(a); ++r) {
    if (held(a, Rank(r)) != held(b, Rank(r))) return false;
    std::vector<Owed> of_a = owed(a, Rank(r)), of_b = owed(b, Rank(r));
    std::size_t const slots = std::max(of_a.size(), of_b.size());
    of_a.resize(slots);  // Slots past the last owed one are owed nothing.
    of_b.resize(slots);
    if (!std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), same)) return false;
  }
  return true;
}

/// Finds the kind of MSCCL whose promise is that of the collective, and the number of its chunks.
void name_collective(Algorithm& algorithm, Collective const& collective) {
  std::size_t chunks = 1;
  for (int r = 0; r < ranks(collective); ++r) {
    chunks = std::max({chunks, held(collective, Rank(r)).size(), owed(collective, Rank(r)).size()});
  }
  algorithm.chunks = static_cast<std::int32_t>(chunks);
  algorithm.kind = Kind::custom;
  // MSCCL has no collective in which a contribution may count twice, as it may in a barrier.
  if (reduction_rules(collective).idempotent) return;
  // promise(algorithm) depends on the kind, so each kind is tried in the algorithm itself.
  for (Kind const kind :
       {Kind::allgather, Kind::reduce_scatter, Kind::alltoall, Kind::allreduce, Kind::broadcast, Kind::reduce}) {
    algorithm.kind = kind;
    bool const by_rank = kind == Kind::allgather || kind == Kind::reduce_scatter || kind == Kind::alltoall;
    if (by_rank && chunks % algorithm.gpus.size() != 0) continue;
    if (same_promise(*promise(algorithm), collective)) return;
  }
  algorithm.kind = Kind::custom;
}

/// Whether the collective is a broadcast from rank 0. MSCCL's broadcast owes the root its own chunks in the output
/// buffer, but Rondo's does not; of_schedule() adds the copies.
bool is_broadcast_from_rank_0(Collective const& collective) {
  auto const* classical = std::get_if<Classical>(&collective);
  return classical != nullptr && classical->collective == ClassicalCollective::bcast && classical->root.value == 0;
}

/// Throws InputError unless all slots of all ranks have the same size.
void expect_chunks_of_one_size(Schedule const& schedule) {
  std::optional<Bytes> size;
  auto const expect = [&](Bytes bytes) {
    if (size && *size != bytes) throw InputError("MSCCL XML: expected blocks of one size at all ranks");
    size = bytes;
  };
  for (Program const& program : schedule.programs) {
    for (BufferLayout const& buffer : program.layout().buffers) {
      for (Bytes const bytes : buffer.sizes) expect(bytes);
      if (buffer.sizes.empty() && buffer.slots > 0) expect(program.layout().block);
    }
  }
}

}  // namespace

Algorithm of_schedule(Schedule const& schedule, Collective const& collective, std::string name) {
  expects(schedule.ranks > 0 && ranks(collective) == schedule.ranks, "a schedule and a collective of the same ranks");
  expect_chunks_of_one_size(schedule);
  if (reduction_rules(collective).ordered) {
    throw InputError("MSCCL XML: expected an operator that commutes, as all of MSCCL's do");
  }
  Algorithm algorithm;
  algorithm.name = std::move(name);
  algorithm.gpus.resize(at(schedule.ranks));
  bool const root_copies = is_broadcast_from_rank_0(collective);
  if (root_copies) {
    algorithm.kind = Kind::broadcast;
    algorithm.chunks = static_cast<std::int32_t>(held(collective, Rank(0)).size());
  } else {
    name_collective(algorithm, collective);
  }
  Connections const connections(schedule);
  for (int r = 0; r < schedule.ranks; ++r) {
    Gpu& gpu = algorithm.gpus[at(r)];
    Layout const& layout = schedule.program(Rank(r)).layout();
    gpu.inputs = algorithm.input_chunks();
    gpu.outputs = algorithm.output_chunks();
    gpu.scratch = static_cast<std::int32_t>(layout[Buffer::intermediate].slots);
    BlocksOfRank blocks(schedule, connections, Rank(r));
    if (root_copies && r == 0) {
      for (std::uint32_t k = 0; k < at(algorithm.chunks); ++k) blocks.add_copy(send_slot(k), receive_slot(k), false);
    }
    blocks.write(algorithm, gpu);
  }
  return algorithm;
}

}  // namespace rondo::msccl
