#include "engine/smpi/payload.hpp"

#include <fmt/format.h>

#include "engine/engine.hpp"

namespace rondo {

namespace {

/// The finisher of splitmix64: every bit of the result depends on every bit of `x`.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// The bytes of a block. Two blocks of n <= 8 bytes agree with probability 2^-8n.
class Pattern {
 public:
  explicit Pattern(Content content)
      : seed_(mix((static_cast<std::uint64_t>(content.origin.value) << 32) | content.block.value)) {}
  std::byte operator[](std::size_t index) {
    if (index % 8 == 0) word_ = mix(seed_ + index / 8);
    return static_cast<std::byte>(word_ >> (8 * (index % 8)));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t word_ = 0;  ///< the word with the last byte read; bytes are read in their order
};

/// Whether the layout has this slot: a promise may exceed a broken schedule's buffers.
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

std::string mismatch(Rank rank, std::size_t slot, Content owed, std::size_t byte) {
  return fmt::format("rank {}: receive slot {} does not hold block {} of rank {} (byte {} differs)", rank.value, slot,
                     owed.block.value, owed.origin.value, byte);
}

}  // namespace

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
    // Checked at every rank, so that no sum overflows.
    if (all_held > most_verified_buffers.value || all_sent > most_verified_traffic.value) return false;
  }
  return true;
}

RankMemory::RankMemory(Schedule const& schedule) : schedule_(schedule) {
  for (Program const& program : schedule.programs) offsets_.emplace_back(program.layout());
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    memory_.emplace_back(static_cast<std::size_t>(buffer_bytes(schedule.program(Rank(rank)))));
  }
}

mpi::Buffers RankMemory::buffers(Rank rank) {
  Program const& program = schedule_.program(rank);
  mpi::Buffers result;
  result.layout = &program.layout();
  result.offsets = &offsets_[static_cast<std::size_t>(&program - schedule_.programs.data())];
  std::byte* next = memory_[static_cast<std::size_t>(rank.value)].data();
  for (int b = 0; b < buffer_count; ++b) {
    result.first[static_cast<std::size_t>(b)] = next;
    next += program.layout().bytes(static_cast<Buffer>(b)).value;
  }
  return result;
}

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
    if (auto const block = received[slot].whole()) write(receive_slot(slot), *block, std::byte{0xff});
  }
}

std::optional<std::string> wrong_data(mpi::Buffers const& buffers, Collective const& collective, Rank rank) {
  auto const received = owed(collective, rank);
  for (std::uint32_t slot = 0; slot < received.size(); ++slot) {
    auto const block = received[slot].whole();
    if (!block) continue;
    if (!holds(buffers, receive_slot(slot))) return mismatch(rank, slot, *block, 0);
    auto const bytes = buffers.slot(receive_slot(slot));
    Pattern pattern(*block);
    for (std::size_t index = 0; index < bytes.size(); ++index) {
      if (bytes[index] != pattern[index]) return mismatch(rank, slot, *block, index);
    }
  }
  return std::nullopt;
}

}  // namespace rondo
