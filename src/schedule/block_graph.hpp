#pragma once

// A BlockGraph is a TaskGraph that also says how tasks move blocks: which places of its rank a task reads and
// writes, and where it joins contents. Schedules of other programs are read into this form (src/formats), and `prove`
// judges it.
//
// A place is a cell: one number over all ranks. A rank's send buffer, receive buffer and intermediate buffer are ranges
// of its cells; where the send buffer of an operation lies in the receive buffer or the other way round ("in place"),
// the ranges overlap. All cells hold a block of one size.
//
// A send reads its cells when it starts, or passes on what a receive came to without looking at memory again. A receive
// reads and writes its cells between the start of its send and its own end. A calculation with an effect copies a range
// or joins it into another one. Tasks of a rank take effect in the order that requirements and messages give them, and
// in no other.

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "schedule/place.hpp"
#include "schedule/schedule.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {

/// The effect of a task on blocks. All its `count` blocks are treated alike.
struct Effect {
  static constexpr std::uint32_t none = 0xffff'ffff;
  std::uint32_t read = none;   ///< where the list of cells that are read begins in BlockGraph::cells
  std::uint32_t write = none;  ///< where the list of cells that are written begins
  std::uint32_t count = 0;
  std::uint32_t passed =
      none;  ///< of a send: the receive of its rank whose result it sends on; such a send reads no cells
  /// A receive joins what arrives with what it has read; a calculation joins what it has read with the content of the
  /// place that it writes. `none`: the content is stored.
  Join join = Join::none;
  friend bool operator==(Effect const&, Effect const&) = default;
};

/// A buffer of a rank: consecutive cells.
struct CellRange {
  std::uint32_t first = 0, slots = 0;
  bool holds(std::uint32_t cell) const { return cell >= first && cell - first < slots; }
  friend bool operator==(CellRange const&, CellRange const&) = default;
};

/// The name of a task in MSCCL XML: its thread block, the step there and the type of the step.
struct StepName {
  std::uint32_t thread_block = 0, step = 0;
  char const* type = "";
};

/// A task graph with the effects of its tasks.
struct BlockGraph {
  TaskGraph tasks;
  std::vector<Effect> effects;       ///< by task
  std::vector<std::uint32_t> cells;  ///< the lists that effects name
  /// By rank, its buffers in the order of `Buffer`. The cells of a rank follow those of the rank before.
  std::vector<std::array<CellRange, buffer_count>> buffers;
  std::uint32_t cell_count = 0;
  /// The names of the buffers in the format that the graph was read from; errors name slots by them.
  std::array<std::string, buffer_count> buffer_names{"send", "receive", "intermediate"};

  std::span<std::uint32_t const> reads(std::uint32_t task) const { return list(effects[task].read, task); }
  std::span<std::uint32_t const> writes(std::uint32_t task) const { return list(effects[task].write, task); }
  std::vector<StepName> steps;  ///< by task; empty: tasks have the names of GOAL

  /// "receive[5]"; of a cell in two buffers "send[1] = receive[5]".
  std::string name_of(Rank rank, std::uint32_t cell) const;

 private:
  std::span<std::uint32_t const> list(std::uint32_t first, std::uint32_t task) const {
    return first == Effect::none ? std::span<std::uint32_t const>()
                                 : std::span(cells).subspan(first, effects[task].count);
  }
};

/// The name of a task for errors: "gpu 0's tb 1 step 4 (rrc, line 88)", or as name_of in schedule/task_graph_parts.hpp.
std::string name_of(BlockGraph const& graph, std::uint32_t task);

/// The most cells of a graph. The proof keeps the contents of all cells in memory.
inline constexpr std::uint32_t most_cells = std::uint32_t{1} << 27;

}  // namespace rondo
