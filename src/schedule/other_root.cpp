// Renumbers ranks: each rank is shifted by the distance of the roots, modulo the number of ranks. Blocks that are in
// the order of ranks move with them.

#include "schedule/other_root.hpp"

#include <optional>
#include <vector>

#include "base/error.hpp"

namespace rondo {
namespace {

/// Renumbers the ranks of a program.
class RankRenumbering {
 public:
  RankRenumbering(Classical const& promise, std::uint32_t pieces, Rank root)
      : ranks_(static_cast<std::uint32_t>(promise.ranks)),
        shift_(static_cast<std::uint32_t>((root.value - promise.root.value + promise.ranks) % promise.ranks)),
        pieces_(pieces) {
    if (promise.collective == ClassicalCollective::gather) by_rank_ = Buffer::receive;
    if (promise.collective == ClassicalCollective::scatter) by_rank_ = Buffer::send;
  }

  std::uint32_t rank(std::uint32_t from) const { return (from + shift_) % ranks_; }

  /// The program with other partners and other slots of the buffer whose slots belong to ranks.
  Program program(Program const& from) const {
    bool const is_root = by_rank_ && from.layout()[*by_rank_].slots == ranks_ * pieces_;
    auto const place = [&](Place original) {
      if (!is_root || original.buffer() != *by_rank_) return original;
      return Place(original.buffer(), rank(original.slot() / pieces_) * pieces_ + original.slot() % pieces_);
    };
    Layout layout = from.layout();
    if (is_root && !layout[*by_rank_].sizes.empty()) {
      for (std::uint32_t i = 0; i < layout[*by_rank_].slots; ++i) {
        layout[*by_rank_].sizes[place({*by_rank_, i}).slot()] = from.layout()[*by_rank_].sizes[i];
      }
    }
    ProgramBuilder builder(std::move(layout));
    std::vector<Place> places;
    auto const places_of = [&](Transfer const& transfer) -> std::vector<Place> const& {
      places.clear();
      for (Place const each : from.places(transfer)) places.push_back(place(each));
      return places;
    };
    auto const peer = [&](Transfer const& transfer) {
      return static_cast<std::int32_t>(rank(static_cast<std::uint32_t>(transfer.peer)));
    };
    for (int round = 0; round <= from.rounds(); ++round) {
      if (round > 0) builder.begin_round();
      for (Transfer const& each : from.sends(round)) builder.send(peer(each), places_of(each), from.label(each));
      for (Transfer const& each : from.receives(round))
        builder.receive(peer(each), places_of(each), each.join, from.label(each));
      for (Copy const& each : from.copies(round)) builder.copy(place(each.from), place(each.into), each.join);
    }
    return std::move(builder).finish();
  }

 private:
  std::uint32_t ranks_, shift_, pieces_;
  std::optional<Buffer> by_rank_;  ///< the buffer in which the root has a block for each rank
};

}  // namespace

/// Promises about links are dropped, since neighbors on a torus need not stay neighbors.
Schedule with_root(Schedule const& schedule, Classical const& promise, std::uint32_t pieces, Rank root) {
  expects(schedule.offsets.empty(), "peers that are ranks");
  if (root == promise.root) return schedule;
  RankRenumbering const renumbering(promise, pieces, root);
  Schedule result;
  result.ranks = schedule.ranks;
  result.promises = {schedule.promises.ports, Links::any};
  result.labels = schedule.labels;
  for (Program const& each : schedule.programs) result.programs.push_back(renumbering.program(each));
  result.program_of.resize(static_cast<std::size_t>(schedule.ranks), 0);
  for (std::size_t r = 0; r < schedule.program_of.size(); ++r) {
    result.program_of[renumbering.rank(static_cast<std::uint32_t>(r))] = schedule.program_of[r];
  }
  return result;
}

}  // namespace rondo
