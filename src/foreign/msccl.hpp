#pragma once

// MSCCL XML: what synthesizers of collectives write for GPUs, and what MSCCL's interpreter runs (microsoft/msccl,
// graph/topo.cc and collectives/device/msccl_interpreter.h, whose meaning this is).
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
// `depid`, `deps`: the step begins once thread block `depid` of its gpu has come to the end of a step with `hasdep`
// 1, step `deps` or one behind it; -1: it does not wait. What nops wait for is waited for by the next step that is
// none. Where a `re` has the target and the buffers of the `re` before it, and waits for nothing, the interpreter does
// both as one step, the latter before anything that stands between them. Large buffers are worked off in several rounds
// of the same steps, on other bytes of each chunk: what holds of one round holds of all.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "base/words.hpp"
#include "schedule/block_graph.hpp"
#include "schedule/collective.hpp"
#include "schedule/prove.hpp"

namespace rondo::msccl {

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
enum class Kind : std::uint8_t { allreduce, allgather, reduce_scatter, alltoall, broadcast, reduce, custom };
enum class Protocol : std::uint8_t { simple, ll, ll128 };

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

  /// The chunks of the input and of the output buffer of the collective, used or not.
  std::int32_t input_chunks() const;
  std::int32_t output_chunks() const;
};

/// Reads XML piece by piece.
class Reader {
 public:
  /// `name` stands before every error.
  explicit Reader(std::string name);
  ~Reader();
  Reader(Reader&&) noexcept;
  /// Throws InputError that names line, column, element, attribute and what is accepted: for text that is no XML, an
  /// element or type of step that is unknown, an attribute that is missing or outside its bounds, a gpu, thread block
  /// or step that stands twice or out of order, a chunk outside its buffer, two thread blocks at one end of a
  /// connection, and a wait for a step that is not there or never signals.
  void take(std::string_view piece);
  /// The whole. Throws InputError as above, and where the text ends too early.
  Algorithm end();

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

Algorithm read(std::string_view text, std::string const& name);

/// Hands the algorithm to `sink` as XML, piece by piece; `read` reads it back to the same.
void write(Algorithm const& algorithm, std::function<void(std::string_view)> const& sink);

/// A schedule that is proved, as an algorithm of the same messages with one block a chunk; the kind is the one that
/// promises what `collective` does, or custom. Throws InputError where blocks differ in size, where contributions are
/// to be joined in order, and past 2^26 steps.
Algorithm of_schedule(Schedule const& schedule, Collective const& collective, std::string name);

/// The tasks of all thread blocks; a step is named by its gpu, thread block and number. A chunk takes `chunk` bytes, a
/// thread block is a CPU of its own (the 256th again the first), and local copies and joins take no time.
BlockGraph tasks(Algorithm const& algorithm, Bytes chunk);

/// The tasks as engines are to time them: a send is on its way once it has been put into its connection, so that the
/// next step does not wait for its receive, but no connection holds more than `slots` messages.
TaskGraph timed(TaskGraph tasks, Slots slots);

/// What the collective of the file promises, chunk by chunk: of allgather, alltoall, allreduce and reduce_scatter as
/// NCCL has them, of broadcast and reduce with root 0. Unset: `custom`.
std::optional<Collective> promise(Algorithm const& algorithm);

/// What a connection holds on its way in the interpreter: messages of one piece of each chunk.
Slots slots_of(Protocol protocol);

}  // namespace rondo::msccl

namespace rondo {

template <>
inline constexpr std::array<Word<msccl::StepType>, 9> words<msccl::StepType> = {{
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
inline constexpr std::array<Word<msccl::ChunkBuffer>, 3> words<msccl::ChunkBuffer> = {
    {{msccl::ChunkBuffer::input, "i"}, {msccl::ChunkBuffer::output, "o"}, {msccl::ChunkBuffer::scratch, "s"}}};
template <>
inline constexpr auto words<msccl::Kind> = own_names<msccl::Kind>;
template <>
inline constexpr std::array<Word<msccl::Protocol>, 3> words<msccl::Protocol> = {
    {{msccl::Protocol::simple, "Simple"}, {msccl::Protocol::ll, "LL"}, {msccl::Protocol::ll128, "LL128"}}};

}  // namespace rondo
