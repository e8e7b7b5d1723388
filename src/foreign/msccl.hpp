#pragma once

// MSCCL XML: the form in which synthesizers of collectives write algorithms for GPUs, and which MSCCL's interpreter
// runs. The meaning here is that of the interpreter (microsoft/msccl, graph/topo.cc and
// collectives/device/msccl_interpreter.h).
//
// A file is one <algo>, with a <gpu> for each rank; a gpu has thread blocks, <tb>, each a sequence of <step>. Buffers
// are cut in chunks: input i, output o and scratch s. A thread block has at most one gpu that it sends to and one that
// it receives from, over a channel; the connection of two gpus over a channel is a queue, the k-th that is put in is
// the k-th that is taken out. The types of steps, of `cnt` chunks from `srcoff` and `dstoff` on:
//
//   s     sends the source                  rcs   receives into the target and sends on what came
//   r     receives into the target          rrs   receives, joins with the source and sends on the result
//   cpy   copies source to target           rrc   receives, joins with the source, into the target
//   re    joins the source into the target  rrcs  the same, and sends on the result
//   nop   only waits
//
// `depid`, `deps`: the step begins only when thread block `depid` of its gpu has reached the end of step `deps`, or
// of a later step, that has `hasdep` 1; with -1 it does not wait. If a nop waits for a step, the next step that is not
// a nop waits for it. Two `re` in a row with the same target and the same buffers, the second of which waits for
// nothing, are done as one step by the interpreter; the second then comes before all steps that stand between them.
// Large buffers are worked off in several rounds of the same steps on different bytes of each chunk, so a
// statement about one round holds for all.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.hpp"
#include "base/units.hpp"
#include "schedule/block_graph.hpp"
#include "schedule/collective.hpp"
#include "schedule/prove.hpp"

namespace rondo::msccl {

/// The types of steps in the table above.
enum class StepType : std::uint8_t {
  send,
  receive,
  copy_on,
  reduce_on,
  reduce_into,
  reduce_into_on,
  copy,
  reduce,
  wait
};
enum class ChunkBuffer : std::uint8_t { input, output, scratch };
/// The collective that an algorithm carries out; custom promises nothing.
enum class Kind : std::uint8_t { allreduce, allgather, reduce_scatter, alltoall, broadcast, reduce, custom };
/// NCCL's protocols.
enum class Protocol : std::uint8_t { simple, ll, ll128 };

/// A step of a thread block.
struct Step {
  StepType type = StepType::wait;
  ChunkBuffer source_buffer = ChunkBuffer::input;
  ChunkBuffer target_buffer = ChunkBuffer::output;
  bool signals = false;                   ///< hasdep
  std::int32_t source = -1, target = -1;  ///< srcoff, dstoff
  std::int32_t count = 0;                 ///< cnt
  std::int32_t block = -1, step = -1;     ///< depid, deps
  std::uint32_t line = 0;                 ///< where it stands; 0: nowhere
};

/// A <tb>; its steps are [first, last) of Algorithm::steps.
struct ThreadBlock {
  std::int32_t send = -1, receive = -1;  ///< the gpus; -1: none
  std::int32_t channel = 0;
  std::size_t first = 0, last = 0;
  std::uint32_t line = 0;
};

/// A rank with its thread blocks.
struct Gpu {
  std::int32_t inputs = 0, outputs = 0, scratch = 0;  ///< i_chunks, o_chunks, s_chunks
  std::vector<ThreadBlock> blocks;                    ///< by id
  std::uint32_t line = 0;
};

/// An <algo>.
struct Algorithm {
  std::string name;
  Protocol protocol = Protocol::simple;
  Kind kind = Kind::custom;
  bool in_place = false;
  std::int32_t channels = 1;  ///< nchannels
  std::int32_t chunks = 1;    ///< nchunksperloop: those of the larger of the input and the output buffer
  std::vector<Gpu> gpus;      ///< by id
  std::vector<Step> steps;
  std::int64_t copies =
      0;  ///< <copy> of gpus, which SCCL writes for itself: MSCCL passes over them, and so does `read`

  /// How many chunks the input and the output buffer of the collective have, whether they are used or not.
  std::int32_t input_chunks() const;
  std::int32_t output_chunks() const;
};

/// Reads XML piece by piece, so that a large file need not be in memory as a whole.
class Reader {
 public:
  /// `name` is the name of the file; every error begins with it.
  explicit Reader(std::string name);
  ~Reader();
  Reader(Reader&&) noexcept;
  /// Takes the next piece of the text. Throws InputError that names line, column, element, attribute and what is
  /// accepted: if the text is not XML, an element or type of step is unknown, an attribute is missing or outside its
  /// bounds, a gpu, thread block or step stands twice or out of order, a chunk lies outside its buffer, a connection
  /// has two thread blocks at one end, or a step waits for a step that does not exist or never signals.
  void take(std::string_view piece);
  /// Returns the whole algorithm. Throws InputError as above, and if the text ends too early.
  Algorithm end();

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

Algorithm read(std::string_view text, std::string const& name);

/// Writes the algorithm to `sink` as XML, piece by piece. `read` of this text gives the same algorithm.
void write(Algorithm const& algorithm, std::function<void(std::string_view)> const& sink);

/// Turns a proved schedule into an algorithm with the same messages, in which each block is a chunk. Its kind is the
/// one with the promise of `collective`, or custom if there is none. Throws InputError if blocks differ in size, if
/// contributions must be joined in order, and past 2^26 steps.
Algorithm of_schedule(Schedule const& schedule, Collective const& collective, std::string name);

/// The tasks of all thread blocks. The name of a step is its gpu, thread block and number. A chunk has `chunk` bytes,
/// each thread block is a CPU of its own (the 256th is the first one again), and local copies and joins take no time.
BlockGraph tasks(Algorithm const& algorithm, Bytes chunk);

/// The tasks as engines shall time them. A send ends once it has put its message into the connection, so the next
/// step does not wait for the receive; but a connection holds at most `slots` messages.
TaskGraph timed(TaskGraph tasks, Slots slots);

/// The promise of the file's collective, chunk by chunk: for allgather, alltoall, allreduce and reduce_scatter as NCCL
/// defines them, for broadcast and reduce with root 0. Unset for `custom`.
std::optional<Collective> promise(Algorithm const& algorithm);

/// How many messages, each of one piece of every chunk, a connection of the interpreter can hold under this protocol.
Slots slots_of(Protocol protocol);

}  // namespace rondo::msccl

namespace rondo {

template <>
inline constexpr std::array<NamedValue<msccl::StepType>, 9> enum_names<msccl::StepType> = {{
    {msccl::StepType::send, "s"},
    {msccl::StepType::receive, "r"},
    {msccl::StepType::copy_on, "rcs"},
    {msccl::StepType::reduce_on, "rrs"},
    {msccl::StepType::reduce_into, "rrc"},
    {msccl::StepType::reduce_into_on, "rrcs"},
    {msccl::StepType::copy, "cpy"},
    {msccl::StepType::reduce, "re"},
    {msccl::StepType::wait, "nop"},
}};
template <>
inline constexpr std::array<NamedValue<msccl::ChunkBuffer>, 3> enum_names<msccl::ChunkBuffer> = {
    {{msccl::ChunkBuffer::input, "i"}, {msccl::ChunkBuffer::output, "o"}, {msccl::ChunkBuffer::scratch, "s"}}};
template <>
inline constexpr auto enum_names<msccl::Kind> = value_names<msccl::Kind>;
template <>
inline constexpr std::array<NamedValue<msccl::Protocol>, 3> enum_names<msccl::Protocol> = {
    {{msccl::Protocol::simple, "Simple"}, {msccl::Protocol::ll, "LL"}, {msccl::Protocol::ll128, "LL128"}}};

}  // namespace rondo
