// Turns rounds of messages into programs. A rank that a message names may be outside the groups, if a printed
// algorithm has an error; then only the other end is written, and the proof finds it. The unit in which a Cut divides
// a block is a byte. If all blocks are empty, the unit is a block.

#include "generate/intergroup_rounds.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/units.hpp"

namespace rondo::generate::intergroup {
Cut::Cut(BlockSizes const& sizes) : block_(sizes.block), first_{0} {
  equal_sizes_ = std::ranges::all_of(sizes.each, [&](Bytes size) { return size == sizes.block; });
  all_empty_ = sizes.each.empty() ? sizes.block == Bytes(0)
                                  : std::ranges::all_of(sizes.each, [](Bytes size) { return size == Bytes(0); });
}

Cut::Cut(std::size_t blocks, BlockSizes const& sizes) : Cut(sizes) {
  expects(sizes.each.empty() || sizes.each.size() == blocks, "a size for each block");
  for (std::size_t i = 0; i < blocks; ++i) add_block({cut_units(sizes.of(i))});
}

Cut::Cut(Groups const& groups, BlockSizes const& sizes) : Cut(static_cast<std::size_t>(groups.senders()), sizes) {}

Cut Cut::each_block(Groups const& groups, BlockSizes const& sizes, std::vector<int> const& segments) {
  expects(segments.size() == static_cast<std::size_t>(groups.senders()), "a number of segments for each block");
  Cut cut(sizes);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    std::int64_t const m = cut.cut_units(sizes.of(i));
    std::int64_t const segment_size = ceil_div(m, segments[i]);
    // An empty block has no segment here; add_block gives it one empty piece.
    std::vector<std::int64_t> pieces;
    for (std::int64_t begin = 0; begin < m; begin += segment_size) pieces.push_back(std::min(segment_size, m - begin));
    cut.add_block(pieces);
  }
  return cut;
}

Cut Cut::whole_run(Groups const& groups, BlockSizes const& sizes, int segments) {
  auto const senders = static_cast<std::size_t>(groups.senders());
  Cut cut(sizes);
  std::int64_t total = 0;
  for (std::size_t i = 0; i < senders; ++i) total += cut.cut_units(sizes.of(i));
  std::int64_t const segment_size = ceil_div(total, segments);
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < senders; ++i) {
    std::vector<std::int64_t> pieces;
    std::int64_t const block_end = begin + cut.cut_units(sizes.of(i));
    while (begin < block_end) {
      std::int64_t const piece_end = std::min(block_end, (begin / segment_size + 1) * segment_size);
      pieces.push_back(piece_end - begin);
      begin = piece_end;
    }
    cut.add_block(pieces);
  }
  return cut;
}

void Cut::add_block(std::vector<std::int64_t> const& piece_units) {
  for (std::int64_t const units : piece_units.empty() ? std::vector<std::int64_t>{0} : piece_units) {
    units_.push_back(units);
    sizes_.push_back(all_empty_ ? Bytes(0) : Bytes(units));
  }
  first_.push_back(static_cast<std::uint32_t>(sizes_.size()));
}

PieceRange Cut::of_sender(int sender) const {
  auto const i = static_cast<std::size_t>(sender);
  return {first_[i], first_[i + 1]};
}

std::vector<int> Cut::pieces_per_sender() const {
  std::vector<int> result;
  if (whole()) return result;
  for (std::size_t i = 0; i + 1 < first_.size(); ++i) result.push_back(static_cast<int>(first_[i + 1] - first_[i]));
  return result;
}

std::vector<PieceRange> Cut::segments(PieceRange range, int n) const {
  std::int64_t total = 0;
  for (std::uint32_t piece = range.first; piece < range.last; ++piece) total += units_[piece];
  std::int64_t const segment_size = ceil_div(total, n);
  std::vector<PieceRange> result;
  std::uint32_t piece = range.first;
  std::int64_t offset = 0;  // of `piece` in the run
  for (int k = 1; k <= n; ++k) {
    PieceRange& part = result.emplace_back(PieceRange{piece, piece});
    // No piece is split here: the run was cut at every multiple of segment_size before.
    while (piece < range.last && offset + units_[piece] <= k * segment_size) offset += units_[piece++];
    part.last = piece;
  }
  expects(piece == range.last, "a border of a piece at every border of a segment");
  return result;
}

namespace {

/// Keeps track of where each rank holds each piece, and writes the programs of the ranks accordingly.
class Writer {
 public:
  /// Lays out the slots of each rank: what it holds at the start, and what it is owed.
  Writer(std::vector<Ends> const& ends, Cut const& cut) : ends_(ends), cut_(cut) {
    held_.resize(ends.size() * cut.pieces());
    for (int r = 0; r < static_cast<int>(ends.size()); ++r) {
      builders_.emplace_back(layout(r));
      PieceRange const held_pieces = ends_of(r).held;
      for (std::uint32_t piece = held_pieces.first; piece < held_pieces.last; ++piece)
        held(r, piece) = send_slot(piece - held_pieces.first);
    }
    written_.resize(ends.size(), 0);
  }

  /// Pieces that arrive in a round can be sent from the next round on.
  void write(std::vector<Message> const& round) {
    ++round_;
    for (Message const& message : round) {
      if (exists(message.from)) send(message);
      if (exists(message.to)) receive(message);
    }
    for (Arrival const& arrival : arrivals_) {
      std::optional<Place>& place = held(arrival.rank, arrival.piece);
      if (!place) place = arrival.place;
    }
    arrivals_.clear();
  }

  std::vector<Program> finish() && {
    std::vector<Program> programs;
    for (ProgramBuilder& builder : builders_) programs.push_back(std::move(builder).finish());
    return programs;
  }

 private:
  /// A piece that this round brings to a rank, and where it lies.
  struct Arrival {
    int rank;
    std::uint32_t piece;
    Place place;
  };

  bool exists(int rank) const { return 0 <= rank && rank < static_cast<int>(ends_.size()); }
  Ends const& ends_of(int rank) const { return ends_[static_cast<std::size_t>(rank)]; }
  std::optional<Place>& held(int rank, std::uint32_t piece) {
    return held_[static_cast<std::size_t>(rank) * cut_.pieces() + piece];
  }

  /// The send and receive buffers. Sizes are only stated if blocks are cut or differ.
  Layout layout(int rank) const {
    Layout layout{cut_.block(), {}};
    auto const add = [&](Buffer buffer, PieceRange pieces) {
      layout[buffer].slots = pieces.last - pieces.first;
      auto const sizes = cut_.sizes().begin();
      if (!cut_.uniform()) layout[buffer].sizes.assign(sizes + pieces.first, sizes + pieces.last);
    };
    add(Buffer::send, ends_of(rank).held);
    add(Buffer::receive, ends_of(rank).owed);
    return layout;
  }

  /// A new intermediate slot of the size of the piece.
  Place free_slot(int rank, std::uint32_t piece) {
    BufferLayout& buffer = builders_[static_cast<std::size_t>(rank)].layout()[Buffer::intermediate];
    if (!cut_.uniform()) buffer.sizes.push_back(cut_.sizes()[piece]);
    return intermediate_slot(buffer.slots++);
  }

  /// The slot into which a piece is received: its receive slot if it is owed and has not come yet, else an intermediate
  /// slot.
  Place slot_for(int rank, std::uint32_t piece) {
    PieceRange const owed = ends_of(rank).owed;
    bool const is_owed = owed.first <= piece && piece < owed.last && !held(rank, piece);
    return is_owed ? receive_slot(piece - owed.first) : free_slot(rank, piece);
  }

  /// The builder of a rank, in the current round.
  ProgramBuilder& builder(int rank) {
    auto const r = static_cast<std::size_t>(rank);
    for (; written_[r] < round_; ++written_[r]) builders_[r].begin_round();
    return builders_[r];
  }

  /// Posts the send, from where the rank has the pieces.
  void send(Message const& message) {
    places_.clear();
    for (std::uint32_t const piece : message.pieces) {
      std::optional<Place> const& place = held(message.from, piece);
      // A wrong text may send a piece that a rank does not hold. The send then reads the slot in which the piece would
      // lie.
      places_.push_back(place ? *place : slot_for(message.from, piece));
    }
    builder(message.from).send(message.to, places_, message.label);
  }

  /// Posts the receive, into receive slots if the pieces are owed and intermediate slots otherwise.
  void receive(Message const& message) {
    places_.clear();
    for (std::uint32_t const piece : message.pieces) {
      places_.push_back(slot_for(message.to, piece));
      // No data arrive from a rank that does not exist.
      if (exists(message.from)) arrivals_.push_back({message.to, piece, places_.back()});
    }
    builder(message.to).receive(message.from, places_, message.label);
  }

  std::vector<Ends> const& ends_;
  Cut const& cut_;
  std::vector<std::optional<Place>> held_;  ///< by rank, then piece
  std::vector<ProgramBuilder> builders_;
  std::vector<int> written_;  ///< by rank: how many rounds its program has
  std::vector<Arrival> arrivals_;
  std::vector<Place> places_;
  int round_ = 0;
};

}  // namespace

Schedule schedule_of(std::vector<Ends> const& ends, Cut const& cut, Rounds const& rounds, Promises promises,
                     std::vector<std::string> labels) {
  Writer writer(ends, cut);
  for (std::vector<Message> const& round : rounds) writer.write(round);
  Schedule schedule;
  schedule.ranks = static_cast<int>(ends.size());
  schedule.programs = std::move(writer).finish();
  for (std::uint32_t r = 0; r < schedule.programs.size(); ++r) schedule.program_of.push_back(r);
  schedule.promises = promises;
  schedule.labels = std::move(labels);
  return schedule;
}

/// The schedule of an allgather: senders hold their pieces, receivers are owed all.
Schedule schedule_of(Groups const& groups, Cut const& cut, Rounds const& rounds, Promises promises,
                     std::vector<std::string> labels) {
  std::vector<Ends> ends;
  for (int r = 0; r < groups.ranks(); ++r) {
    ends.push_back(groups.is_receiver(Rank(r)) ? Ends{{}, cut.all()} : Ends{cut.of_sender(r), {}});
  }
  Schedule schedule = schedule_of(ends, cut, rounds, promises, std::move(labels));
  if (promises.links != Links::any) schedule.torus = Torus({groups.ranks()});
  return schedule;
}

}  // namespace rondo::generate::intergroup
