// An allreduce without joins on the way: every rank gets the vectors of all other ranks, and joins them itself.
// The class Writer cannot express it, because there a rank holds only one content of each piece.

#include <algorithm>

#include "generate/classical.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {
namespace {

/// The program of one rank. Its own vector stays in the send buffer. The vectors of the other ranks arrive in the
/// intermediate buffer, in the order of their ranks.
class RankProgram {
 public:
  RankProgram(problem::Classical const& problem, Cut const& cut, int rank)
      : ranks_(problem.ranks),
        rank_(rank),
        pieces_(static_cast<std::uint32_t>(cut.sizes.size())),
        builder_(layout(problem, cut)) {}

  /// Bruck's allgather [Bruck97]. At the start of a round a rank has the vectors of `held` ranks, from itself on. In
  /// the round it sends them to the rank j * held before it, for each j < radix; the last messages have only the
  /// vectors that are still missing there.
  void bruck(std::int64_t radix) {
    for (std::int64_t held = 1; held < ranks_; held *= radix) {
      builder_.begin_round();
      for (std::int64_t distance = held; distance < std::min(radix * held, ranks_); distance += held) {
        std::int64_t const vectors = std::min(held, ranks_ - distance);
        builder_.send(static_cast<std::int32_t>(around(-distance)), places(0, vectors));
        builder_.receive(static_cast<std::int32_t>(around(distance)), places(distance, vectors));
      }
    }
  }

  /// Joins the vectors of all ranks in the order of ranks, at the end of the last round.
  void join_all() {
    for (std::uint32_t piece = 0; piece < pieces_; ++piece) {
      for (std::int64_t of = 0; of < ranks_; ++of) {
        builder_.copy(place(of, piece), receive_slot(piece), of == 0 ? Join::none : Join::after);
      }
    }
  }

  Program finish() && { return std::move(builder_).finish(); }

 private:
  /// The slots of a rank: its own vector, the result, and one vector for each other rank.
  static Layout layout(problem::Classical const& problem, Cut const& cut) {
    Layout layout{problem.sizes.block, {}};
    auto const fill = [&](Buffer buffer, int vectors) {
      layout[buffer].slots = static_cast<std::uint32_t>(cut.sizes.size() * static_cast<std::size_t>(vectors));
      for (int k = 0; k < vectors && cut.sizes.size() > 1; ++k) {
        layout[buffer].sizes.insert(layout[buffer].sizes.end(), cut.sizes.begin(), cut.sizes.end());
      }
    };
    fill(Buffer::send, 1);
    fill(Buffer::receive, 1);
    fill(Buffer::intermediate, problem.ranks - 1);
    return layout;
  }

  /// The rank at this distance ahead, modulo the number of ranks. A negative distance is behind.
  std::int64_t around(std::int64_t distance) const { return (rank_ + distance + ranks_) % ranks_; }

  /// The place where this rank has a piece of the vector of rank `of`.
  Place place(std::int64_t of, std::uint32_t piece) const {
    if (of == rank_) return send_slot(piece);
    auto const among_others = static_cast<std::uint32_t>(of < rank_ ? of : of - 1);
    return intermediate_slot(among_others * pieces_ + piece);
  }

  /// The places of the vectors of several consecutive ranks, of which the first is `distance` ahead of this one.
  std::span<Place const> places(std::int64_t distance, std::int64_t vectors) {
    places_.clear();
    for (std::int64_t k = 0; k < vectors; ++k) {
      for (std::uint32_t piece = 0; piece < pieces_; ++piece) places_.push_back(place(around(distance + k), piece));
    }
    return places_;
  }

  std::int64_t ranks_, rank_;
  std::uint32_t pieces_;  ///< of each vector
  ProgramBuilder builder_;
  std::vector<Place> places_;  ///< the answer of places()
};

}  // namespace

/// Bruck's allgather of whole vectors, which every rank then joins in the order of ranks [OMPI, allgather_reduce].
Schedule allreduce_allgather_reduce(problem::Classical const& problem) {
  Cut const cut = cut_of(problem);
  int const radix = radix_of(problem);
  Schedule schedule;
  schedule.ranks = problem.ranks;
  for (int r = 0; r < problem.ranks; ++r) {
    RankProgram program(problem, cut, r);
    program.bruck(radix);
    program.join_all();
    schedule.programs.push_back(std::move(program).finish());
    schedule.program_of.push_back(static_cast<std::uint32_t>(r));
  }
  // With radix 2 a rank sends one message in a round. No number of ports (0) is promised for a greater radix.
  schedule.promises = {radix == 2 ? 1 : 0, Links::any};
  return schedule;
}

}  // namespace rondo::generate::classical
