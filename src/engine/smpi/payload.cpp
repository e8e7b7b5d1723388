// Fills send buffers with patterns and compares receive buffers with the patterns that the promise demands.
// AliasMemory maps one piece of memory again and again, so that a large buffer takes no more memory than a piece.

#include "engine/smpi/payload.hpp"

#include <fmt/format.h>
#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "base/random.hpp"
#include "engine/engine.hpp"

namespace rondo {

namespace {

/// The memory of each rank is aligned to this, so any type may begin there.
constexpr std::size_t alignment = 64;

/// The bytes of a block. Two different blocks of n <= 8 bytes are equal with probability 2^-8n.
class Pattern {
 public:
  explicit Pattern(Content content)
      : seed_(mixed((static_cast<std::uint64_t>(content.origin.value) << 32) | content.block.value)) {}
  std::byte operator[](std::size_t index) {
    if (index % 8 == 0) word_ = mixed(seed_ + index / 8);
    return static_cast<std::byte>(word_ >> (8 * (index % 8)));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t word_ = 0;  ///< the word of the byte that was read last; bytes are read in ascending order
};

/// Whether the layout has this slot. The promise may need more slots than the buffers of a broken schedule have.
bool holds(mpi::Buffers const& buffers, Place place) { return buffers.layout->holds(place); }

std::int64_t buffer_bytes(Program const& program) {
  std::int64_t total = 0;
  for (int b = 0; b < buffer_count; ++b) total += program.layout().bytes(static_cast<Buffer>(b)).value;
  return total;
}

std::int64_t sent_bytes(Program const& program) {
  std::int64_t total = 0;
  for (int round = 1; round <= program.rounds(); ++round) {
    for (Transfer const& transfer : program.sends(round)) total += program.bytes(transfer).value;
  }
  return total;
}

std::string mismatch(Rank rank, std::size_t slot, Owed const& owed, std::size_t byte) {
  std::string const what = owed.contributions() == 1
                               ? fmt::format("block {} of rank {}", owed.block.value, owed.contribution(0).origin.value)
                               : fmt::format("block {} of {} ranks, reduced,", owed.block.value, owed.contributions());
  return fmt::format("rank {}: receive slot {} does not hold {} (byte {} differs)", rank.value, slot, what, byte);
}

}  // namespace

/// Whether payload is moved: on request, or if the traffic and the memory of all ranks are small.
bool verifies(Payload payload, Schedule const& schedule) {
  if (payload != Payload::automatic) return payload == Payload::verified;
  std::vector<std::int64_t> held, sent;
  for (Program const& program : schedule.programs) {
    held.push_back(buffer_bytes(program));
    sent.push_back(sent_bytes(program));
  }
  std::int64_t all_held = 0, all_sent = 0;
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    auto const which = &schedule.program(Rank(rank)) - schedule.programs.data();
    all_held += held[static_cast<std::size_t>(which)];
    all_sent += sent[static_cast<std::size_t>(which)];
    // Checked after every rank, so that no sum overflows.
    if (all_held > most_verified_buffers.value || all_sent > most_verified_traffic.value) return false;
  }
  return true;
}

RankMemory::RankMemory(Schedule const& schedule) : schedule_(schedule) {
  for (Program const& program : schedule.programs) offsets_.emplace_back(program.layout());
  starts_.push_back(0);
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    auto const bytes = static_cast<std::size_t>(buffer_bytes(schedule.program(Rank(rank))));
    starts_.push_back(starts_.back() + (bytes / alignment + 1) * alignment);
  }
  if (schedule.ranks == 0) return;
  // Mapped memory is zero at first and may use large pages; a schedule writes nearly all of it.
  void* const mapped = mmap(nullptr, starts_.back(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  madvise(mapped, starts_.back(), MADV_HUGEPAGE);
  memory_ = static_cast<std::byte*>(mapped);
  for (std::size_t rank = 0; rank + 1 < starts_.size(); ++rank) {
    auto const bytes = static_cast<std::size_t>(buffer_bytes(schedule.program(Rank(static_cast<std::int32_t>(rank)))));
    // If AddressSanitizer is built in, it reports an access past the memory of a rank.
    ASAN_POISON_MEMORY_REGION(memory_ + starts_[rank] + bytes, starts_[rank + 1] - starts_[rank] - bytes);
  }
}

RankMemory::~RankMemory() {
  if (memory_ == nullptr) return;
  ASAN_UNPOISON_MEMORY_REGION(memory_, starts_.back());
  munmap(memory_, starts_.back());
}

mpi::Buffers RankMemory::buffers(Rank rank) {
  Program const& program = schedule_.program(rank);
  mpi::Buffers result;
  result.layout = &program.layout();
  result.offsets = &offsets_[static_cast<std::size_t>(&program - schedule_.programs.data())];
  std::byte* next = memory_ + starts_[static_cast<std::size_t>(rank.value)];
  for (int b = 0; b < buffer_count; ++b) {
    result.first[static_cast<std::size_t>(b)] = next;
    next += program.layout().bytes(static_cast<Buffer>(b)).value;
  }
  return result;
}

/// Fills send slots with their contents, and receive slots with the opposite of the expected content, so that a message
/// that never comes is noticed.
void fill(mpi::Buffers const& buffers, Collective const& collective, Rank rank) {
  auto const write = [&](Place place, Content content, std::byte difference) {
    if (!holds(buffers, place)) return;
    Pattern pattern(content);
    std::size_t index = 0;
    for (std::byte& byte : buffers.slot(place)) byte = pattern[index++] ^ difference;
  };
  auto const sent = held(collective, rank);
  for (std::uint32_t slot = 0; slot < sent.size(); ++slot) write(send_slot(slot), sent[slot], std::byte{0});
  auto const received = owed(collective, rank);
  for (std::uint32_t slot = 0; slot < received.size(); ++slot) {
    if (!received[slot].nobodys()) write(receive_slot(slot), received[slot].contribution(0), std::byte{0xff});
  }
}

namespace {

/// Composes two affine maps modulo 16, first `left` and then `right`, and adds two bits modulo 2 (payload.hpp).
std::byte composed(std::byte left, std::byte right) {
  auto const l = std::to_integer<unsigned>(left);
  auto const r = std::to_integer<unsigned>(right);
  auto const factor = [](unsigned map) { return 2 * (map & 7) + 1; };
  auto const offset = [](unsigned map) { return map >> 3 & 15; };
  unsigned const a = factor(l) * factor(r) & 15;
  unsigned const b = (factor(r) * offset(l) + offset(r)) & 15;
  return static_cast<std::byte>((a >> 1) | b << 3 | ((l ^ r) & 128));
}

std::byte combined(ReductionRules rules, std::byte left, std::byte right) {
  if (rules.ordered) return composed(left, right);
  if (rules.idempotent) return std::max(left, right);
  return static_cast<std::byte>(std::to_integer<unsigned>(left) + std::to_integer<unsigned>(right));
}

}  // namespace

mpi::Combine combine_of(ReductionRules rules) {
  return [rules](mpi::Slot const& arriving, mpi::Slot const& present, Join join) {
    // The payload lies in memory as bytes, and a Slot holds its address.
    auto const* const from = reinterpret_cast<std::byte const*>(arriving.piece.address);  // NOLINT
    auto* const into = reinterpret_cast<std::byte*>(present.piece.address);               // NOLINT
    for (std::int64_t i = 0; i < present.bytes.value; ++i) {
      into[i] = join == Join::before ? combined(rules, from[i], into[i]) : combined(rules, into[i], from[i]);
    }
  };
}

void OwedData::append(std::vector<std::byte>& bytes, Content const& contribution) const {
  Pattern pattern(contribution);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = combined(rules_, bytes[i], pattern[i]);
}

/// Reductions over a range of ranks are extended by the next contribution. Others are computed from their list.
std::vector<std::byte> const& OwedData::expected(Owed const& owed, std::size_t bytes) {
  auto const start = [&](std::vector<std::byte>& data) {
    Pattern pattern(owed.contribution(0));
    data.resize(bytes);
    for (std::size_t i = 0; i < bytes; ++i) data[i] = pattern[i];
  };
  if (!owed.listed.empty()) {
    start(listed_);
    for (std::size_t k = 1; k < owed.listed.size(); ++k) append(listed_, owed.contribution(k));
    return listed_;
  }
  Reduced& range = ranges_[{owed.block, owed.first}];
  if (range.bytes.size() != bytes || range.last <= owed.first || range.last > owed.last) {
    start(range.bytes);
    range.last = owed.first + 1;
  }
  for (; range.last < owed.last; ++range.last) append(range.bytes, {Rank(range.last), owed.block});
  return range.bytes;
}

/// The first difference between a receive slot and its promise; unset if there is none.
std::optional<std::string> OwedData::first_difference(mpi::Buffers const& buffers, Rank rank) {
  auto const received = owed(collective_, rank);
  for (std::uint32_t slot = 0; slot < received.size(); ++slot) {
    if (received[slot].nobodys()) continue;
    if (!holds(buffers, receive_slot(slot))) return mismatch(rank, slot, received[slot], 0);
    auto const bytes = buffers.slot(receive_slot(slot));
    auto const block = received[slot].whole();
    Pattern pattern(block.value_or(Content{}));
    auto const* const reduced = block ? nullptr : expected(received[slot], bytes.size()).data();
    for (std::size_t index = 0; index < bytes.size(); ++index) {
      std::byte const right = block ? pattern[index] : reduced[index];
      if (bytes[index] != right) return mismatch(rank, slot, received[slot], index);
    }
  }
  return std::nullopt;
}

namespace {

/// The size of the file that is mapped repeatedly. Linux allows a process 65,530 maps, so it is not small.
constexpr std::size_t piece = std::size_t{4} << 20;

void* map_piece(std::byte* at, int file) {
  return mmap(at, piece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
}

}  // namespace

/// Maps one small file again and again, so that any number of bytes takes little memory. Data in it mean nothing; it is
/// for messages whose content does not matter.
AliasMemory::AliasMemory(Bytes bytes) : size_((static_cast<std::size_t>(bytes.value) / piece + 1) * piece) {
  void* const reserved = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) throw std::bad_alloc();
  first_ = static_cast<std::byte*>(reserved);
  int const file = memfd_create("rondo", 0);
  bool mapped = file >= 0 && ftruncate(file, static_cast<off_t>(piece)) == 0;
  for (std::size_t offset = 0; mapped && offset < size_; offset += piece)
    mapped = map_piece(first_ + offset, file) != MAP_FAILED;
  if (file >= 0) ::close(file);
  if (mapped) return;
  munmap(first_, size_);
  throw std::bad_alloc();
}

AliasMemory::~AliasMemory() { munmap(first_, size_); }

}  // namespace rondo
