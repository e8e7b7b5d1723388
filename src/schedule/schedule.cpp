// Builds and reads programs. Messages, places and copies of all rounds lie in flat arrays; `starts` has where each
// round begins.

#include "schedule/schedule.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace rondo {

/// The size of a buffer.
Bytes Layout::bytes(Buffer buffer) const {
  BufferLayout const& layout = (*this)[buffer];
  if (layout.sizes.empty()) return static_cast<std::int64_t>(layout.slots) * block;
  Bytes total;
  for (Bytes const size : layout.sizes) total += size;
  return total;
}

bool Layout::uniform() const {
  return std::all_of(buffers.begin(), buffers.end(), [](BufferLayout const& buffer) { return buffer.sizes.empty(); });
}

double Layout::blocks(std::int64_t slots, Bytes bytes) const {
  // Slots of one size are blocks. Of slots of different sizes a block is only a unit of volume.
  if (uniform() || block == Bytes(0)) return static_cast<double>(slots);
  return static_cast<double>(bytes.value) / static_cast<double>(block.value);
}

Bytes Program::bytes(Transfer const& transfer) const {
  Bytes total;
  for (Place const place : places(transfer)) total += layout_.bytes(place);
  return total;
}

/// Appends the places of a message.
Transfer ProgramBuilder::transfer(std::int32_t peer, std::span<Place const> places, std::uint8_t label) {
  expects(program_.rounds() > 0, "messages after the first begin_round");
  Transfer const result{peer, static_cast<std::uint32_t>(program_.places_.size()),
                        static_cast<std::uint32_t>(places.size()), Join::none};
  program_.places_.insert(program_.places_.end(), places.begin(), places.end());
  // Labels are stored by place, and only up to the last one, because most programs have none.
  if (label != 0) {
    program_.labels_.resize(result.first, 0);
    program_.labels_.resize(program_.places_.size(), label);
  }
  return result;
}

void ProgramBuilder::send(std::int32_t peer, std::span<Place const> from, std::uint8_t label) {
  program_.sends_.push_back(transfer(peer, from, label));
  ++program_.starts_.back().send;  // the end of the current round
}

/// Appends a receive to the current round.
void ProgramBuilder::receive(std::int32_t peer, std::span<Place const> into, std::uint8_t label) {
  receive(peer, into, Join::none, label);
}

void ProgramBuilder::receive(std::int32_t peer, std::span<Place const> into, Join join, std::uint8_t label) {
  program_.receives_.push_back(transfer(peer, into, label));
  program_.receives_.back().join = join;
  if (join != Join::none) program_.joins_ += std::ssize(into);
  ++program_.starts_.back().receive;
}

void ProgramBuilder::copy(Place from, Place into, Join join) {
  program_.copies_.push_back({from, into, join});
  if (join != Join::none) ++program_.joins_;
  ++program_.starts_.back().copy;
}

int Schedule::rounds() const {
  int most = 0;
  for (Program const& each : programs) most = std::max(most, each.rounds());
  return most;
}

bool Schedule::joins() const {
  return std::any_of(programs.begin(), programs.end(), [](Program const& each) { return each.joins() > 0; });
}

/// The partner of a transfer at this rank.
Rank Schedule::peer(Rank rank, Transfer const& transfer) const {
  // With offsets all ranks share a program, whose peers are numbers of offsets on the torus.
  if (offsets.empty()) return Rank(transfer.peer);
  auto const d = static_cast<std::size_t>(torus->dimensions());
  return torus->add(rank, std::span(offsets).subspan(static_cast<std::size_t>(transfer.peer) * d, d));
}

std::string_view Schedule::label(Rank rank, Transfer const& transfer) const {
  std::size_t const label = program(rank).label(transfer);
  return label == 0 || label > labels.size() ? std::string_view() : labels[label - 1];
}

/// The layout whose block is the unit of volumes.
Layout const& unit_layout(Schedule const& schedule) {
  static Layout const of_no_rank;
  if (schedule.programs.empty()) return of_no_rank;
  // If any rank has slots of different sizes, volumes of all ranks are counted by its block.
  auto const uneven = std::find_if(schedule.programs.begin(), schedule.programs.end(),
                                   [](Program const& program) { return !program.layout().uniform(); });
  return (uneven != schedule.programs.end() ? *uneven : schedule.programs.front()).layout();
}

}  // namespace rondo
