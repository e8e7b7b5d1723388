// The text of a file is distributed from rank 0. A file need not contain a promise: root and pieces are found by the
// sizes of its buffers. A schedule is proved once, then adapted to the root and the sizes of each call.

#include "mpi_library/classical/proved_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "mpi/runtime/failure.hpp"
#include "problem/enums.hpp"
#include "schedule/other_root_and_size.hpp"
#include "schedule/verify.hpp"

namespace rondo::mpi {
namespace {

void share(std::string& text, long long length, MPI_Comm comm) {
  text.resize(static_cast<std::size_t>(length));
  if (length > 0) check(PMPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, comm));
}

}  // namespace

/// Rank 0 reads and judges the file and sends text, answer and refusal.
SharedFile share_file(FileForAll const& file, std::uint64_t most_bytes,
                      std::function<int(std::string const& text)> const& judge) {
  SharedFile shared;
  if (rank_in(file.comm) == 0) {
    try {
      shared.text = read_file(file.name, most_bytes);
      shared.answer = judge(shared.text);
    } catch (std::exception const& error) {  // the other ranks wait for word
      shared.refusal = error.what();
    }
    if (!shared.refusal.empty()) {
      shared.text.clear();
      std::fprintf(stderr, "rondo: %s: %s\n", file.where.c_str(), shared.refusal.c_str());
    }
  }
  long long head[] = {shared.answer, std::ssize(shared.text), std::ssize(shared.refusal)};
  check(PMPI_Bcast(head, 3, MPI_LONG_LONG, 0, file.comm));
  shared.answer = static_cast<int>(head[0]);
  share(shared.text, head[1], file.comm);
  share(shared.refusal, head[2], file.comm);
  return shared;
}

namespace {

/// The buffer that only the root uses in this collective, by which the root is found; nothing if there is none.
std::optional<Buffer> buffer_of_root(ClassicalCollective collective) {
  if (!has_root(collective)) return std::nullopt;
  bool const gives = collective == ClassicalCollective::bcast || collective == ClassicalCollective::scatter;
  return gives ? Buffer::send : Buffer::receive;
}

/// The root that the file states; unset if it states none.
std::optional<int> stated_root(ScheduleFile const& file) {
  if (!file.promise.is_object() || !file.promise.contains("root")) return std::nullopt;
  json::Json const& root = file.promise["root"];
  if (!root.is_number_integer()) return std::nullopt;
  auto const rank = root.get<std::int64_t>();
  if (rank < 0 || rank >= file.schedule.ranks) return std::nullopt;
  return static_cast<int>(rank);
}

/// The stated root, or the rank with the most slots in the root's buffer.
Rank root_of(ScheduleFile const& file, ClassicalCollective collective) {
  auto const buffer = buffer_of_root(collective);
  if (!buffer) return Rank(0);
  if (auto const stated = stated_root(file)) return Rank(*stated);
  int root = 0;
  std::uint32_t most = 0;
  for (int r = 0; r < file.schedule.ranks; ++r) {
    std::uint32_t const slots = file.schedule.program(Rank(r)).layout()[*buffer].slots;
    if (slots <= most) continue;
    most = slots;
    root = r;
  }
  return Rank(root);
}

}  // namespace

/// What the schedule of a file must deliver to serve as this collective. The first rank that holds blocks tells into
/// how many pieces the schedule cuts each of them.
FilePromise promise_of(ScheduleFile const& file, ClassicalCollective collective) {
  FilePromise promise{{collective, file.schedule.ranks, root_of(file, collective)}};
  promise.whole.rules.idempotent = collective == ClassicalCollective::barrier;
  for (int r = 0; r < file.schedule.ranks; ++r) {
    auto const blocks = static_cast<std::uint32_t>(held(promise.whole, Rank(r)).size());
    if (blocks == 0) continue;
    std::uint32_t const slots = file.schedule.program(Rank(r)).layout()[Buffer::send].slots;
    if (slots % blocks == 0 && slots > 0) promise.pieces = slots / blocks;
    break;
  }
  return promise;
}

/// The promise for another root, or with the order of ranks.
Collective collective_of(FilePromise const& promise, Rank root, bool ordered) {
  Classical whole = promise.whole;
  whole.root = root;
  whole.rules.ordered = ordered;
  return in_pieces(whole, {static_cast<int>(promise.pieces)});
}

/// Proves delivery. For reductions it also proves whether contributions keep the order of ranks.
Order prove(ScheduleFile const& file, FilePromise const& promise, std::string const& name) {
  Classical const& whole = promise.whole;
  Verdict const verdict = verify(file.schedule, collective_of(promise, whole.root, false));
  if (!verdict.valid()) {
    std::string const first = verdict.violations.empty() ? "a block is not delivered" : verdict.violations[0].text;
    std::string const more =
        verdict.violation_count > 1 ? fmt::format(" (the first of {} violations)", verdict.violation_count) : "";
    throw InputError(fmt::format("{}: it is no {} on {} ranks: {}{}", name,
                                 enum_name(problem::kind_of(whole.collective)), whole.ranks, first, more));
  }
  if (!reduces(whole.collective) || whole.collective == ClassicalCollective::barrier) return Order::any;
  return verify(file.schedule, collective_of(promise, whole.root, true)).valid() ? Order::of_ranks : Order::any;
}

namespace {

constexpr std::uint64_t most_bytes_of_file = std::uint64_t{1} << 30;

/// The result of rank 0's proof, which it sends to all ranks.
enum class Answer : std::uint8_t { any_order, order_of_ranks, other_ranks };

/// The ends of the pieces of a block, in bytes of the file; the last end is the size of the whole block. If the file
/// gives a block no bytes, all pieces are equal, and each has one unit.
std::vector<std::int64_t> ends_of_pieces(Schedule const& schedule, FilePromise const& promise) {
  std::vector<std::int64_t> ends;
  for (int r = 0; r < schedule.ranks; ++r) {
    if (held(promise.whole, Rank(r)).empty()) continue;
    Layout const& layout = schedule.program(Rank(r)).layout();
    for (std::uint32_t k = 0; k < promise.pieces; ++k) {
      std::int64_t const bytes = layout.holds(send_slot(k)) ? layout.bytes(send_slot(k)).value : 0;
      ends.push_back((ends.empty() ? 0 : ends.back()) + bytes);
    }
    break;
  }
  if (!ends.empty() && ends.back() > 0) return ends;
  ends.clear();
  for (std::uint32_t k = 1; k <= promise.pieces; ++k) ends.push_back(k);
  return ends;
}

std::string other_ranks(std::string const& name, int expected, int got) {
  return fmt::format("{}: /ranks: expected {}, the ranks of the communicator, got {}", name, expected, got);
}

}  // namespace

ProvedSchedule::ProvedSchedule(FileForAll const& named, ClassicalCollective collective, OtherRanks others) {
  std::string const& name = named.name;
  int const ranks = size_of(named.comm);
  rank_ = rank_in(named.comm);
  SharedFile const shared = share_file(named, most_bytes_of_file, [&](std::string const& text) {
    ScheduleFile const file = parse_schedule(text, name);
    if (file.schedule.ranks != ranks && others == OtherRanks::refused) {
      throw InputError(other_ranks(name, ranks, file.schedule.ranks));
    }
    if (file.schedule.ranks != ranks) return static_cast<int>(Answer::other_ranks);
    bool const ordered = prove(file, promise_of(file, collective), name) == Order::of_ranks;
    return static_cast<int>(ordered ? Answer::order_of_ranks : Answer::any_order);
  });
  refusal_ = shared.refusal;
  if (!refusal_.empty()) return;
  file_ = parse_schedule(shared.text, name);
  for_other_ranks_ = static_cast<Answer>(shared.answer) == Answer::other_ranks;
  if (for_other_ranks_) {
    refusal_ = other_ranks(name, ranks, file_.schedule.ranks);
    file_ = {};
    return;
  }
  order_ = static_cast<Answer>(shared.answer) == Answer::order_of_ranks ? Order::of_ranks : Order::any;
  promise_ = promise_of(file_, collective);
  ends_ = ends_of_pieces(file_.schedule, promise_);
}

std::shared_ptr<Schedule const> ProvedSchedule::only_mine(Schedule const& schedule) const {
  auto mine = std::make_shared<Schedule>();
  mine->ranks = schedule.ranks;
  mine->programs = {schedule.program(Rank(rank_))};
  mine->torus = schedule.torus;
  mine->offsets = schedule.offsets;
  return mine;
}

/// For another root than the file's, ranks are renumbered cyclically, which changes their order.
ScheduleOfRank const& ProvedSchedule::of(int root, bool commutative) {
  Rank const wanted = has_root(promise_.whole.collective) ? Rank(root) : promise_.whole.root;
  bool const turned = wanted != promise_.whole.root;
  if (!commutative && (order_ != Order::of_ranks || turned)) {
    throw InputError(fmt::format(
        "it does not keep the order of ranks, which an operator that does not commute needs{}",
        order_ == Order::of_ranks ? fmt::format(", for another root than {}", promise_.whole.root.value) : ""));
  }
  auto const found =
      std::find_if(known_.begin(), known_.end(), [&](ScheduleOfRank const& each) { return each.root == wanted.value; });
  if (found != known_.end()) {
    known_.splice(known_.begin(), known_, found);
    return known_.front();
  }
  Schedule const& schedule = file_.schedule;
  Schedule const other = turned ? with_root(schedule, promise_.whole, promise_.pieces, wanted) : Schedule();
  Schedule const& followed = turned ? other : schedule;
  Collective const collective = collective_of(promise_, wanted, false);
  Rank const rank(rank_);
  known_.push_front({wanted.value, only_mine(followed), blocks_of_slots(followed, collective, rank),
                     held(collective, rank), owed(collective, rank)});
  if (known_.size() > most_roots) known_.pop_back();
  return known_.front();
}

/// Messages must go from send buffers to receive buffers, and no rank may have intermediate slots.
bool ProvedSchedule::direct() const {
  for (Program const& program : file_.schedule.programs) {
    if (program.layout()[Buffer::intermediate].slots > 0) return false;
    for (int round = 0; round <= program.rounds(); ++round) {
      auto const all_in = [&](auto const& transfers, Buffer buffer) {
        return std::all_of(transfers.begin(), transfers.end(), [&](Transfer const& each) {
          auto const places = program.places(each);
          return std::all_of(places.begin(), places.end(), [&](Place at) { return at.buffer() == buffer; });
        });
      };
      if (!all_in(program.sends(round), Buffer::send) || !all_in(program.receives(round), Buffer::receive))
        return false;
    }
  }
  return true;
}

/// Finds the whole block among the sizes: by origin, by target, in an alltoall by both, or the only one for a vector.
Bytes ProvedSchedule::size(Content const& content, problem::BlockSizes const& sizes) const {
  using enum ClassicalCollective;
  std::uint32_t const block = content.block.value / promise_.pieces, piece = content.block.value % promise_.pieces;
  auto const origin = static_cast<std::size_t>(content.origin.value);
  std::size_t whole = 0;
  switch (promise_.whole.collective) {
    case gather:
    case allgather:
      whole = origin;
      break;
    case alltoall:
      whole = origin * static_cast<std::size_t>(promise_.whole.ranks) + block;
      break;
    case scatter:
    case reduce_scatter:
      whole = block;
      break;
    case bcast:
    case reduce:
    case allreduce:
    case scan:
    case exscan:
    case barrier:
      break;
  }
  auto const end = [&](std::uint32_t pieces) -> std::int64_t {
    if (pieces == 0) return 0;
    __extension__ using Wide = __int128;
    return static_cast<std::int64_t>(Wide(sizes.of(whole).value) * ends_[pieces - 1] / ends_.back());
  };
  return Bytes(end(piece + 1) - end(piece));
}

/// A slot has room for the largest of the blocks that it holds in turn.
SlotSizes ProvedSchedule::sizes(ScheduleOfRank const& mine, problem::BlockSizes const& sizes) const {
  SlotSizes result(mine.schedule->program(Rank(rank_)).layout());
  for (Buffer const buffer : {Buffer::send, Buffer::receive, Buffer::intermediate}) {
    std::uint32_t const slots = result.slots[buffer].slots;
    std::vector<Bytes>& room = result.slots[buffer].sizes;
    room.assign(slots, Bytes(0));
    for (std::uint32_t i = 0; i < slots; ++i) {
      for (Content const& each : mine.blocks.of({buffer, i})) room[i] = std::max(room[i], size(each, sizes));
    }
    result.filled[buffer].sizes.assign(slots, Bytes(0));
  }
  for (std::size_t i = 0; i < mine.held.size(); ++i) {
    result.filled[Buffer::send].sizes[i] = size(mine.held[i], sizes);
  }
  for (std::size_t i = 0; i < mine.owed.size(); ++i) {
    if (!mine.owed[i].nobodys()) result.filled[Buffer::receive].sizes[i] = size(mine.owed[i].contribution(0), sizes);
  }
  return result;
}

}  // namespace rondo::mpi
