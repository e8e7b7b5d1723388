#pragma once

// A Schedule gives each rank a sequence of rounds, numbered 1..D over all ranks. In a round a rank posts all its
// receives and sends, waits for all of them, then does its local copies; it enters its next round by itself, there is
// no global barrier. Messages between two ranks match in posting order. A message has the same round at both ends; a
// rank may be idle in a round; the last round is not empty.
//
// A message carries a list of places: the k-th place that the sender reads is written to the k-th place of the
// receiver. A message from a rank to itself is no message: it is a local copy. Copies of round 0 are done before the
// first round, in their order.
//
// A receive or a copy stores what arrives, or joins it with the content of the place by the operator of a reduction.
// Contents to be joined wait aside until all messages of the round are complete. Then they are joined in the order in
// which the receives were posted, before the copies. So a place may be sent and joined into in the same round; the
// content from before the round is sent. A place may be stored into once in a round and joined into after that any
// number of times.
//
// A message may carry a label, by which the description of an algorithm calls the part that the message belongs to.
// Labels are for people to read and change nothing else.
//
// Ranks that do the same share one Program. In an isomorphic schedule all ranks follow one program, which names its
// peers by relative torus offsets; it is never expanded to p copies.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.hpp"
#include "base/ids.hpp"
#include "base/units.hpp"
#include "schedule/place.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// What happens to a content that arrives in a place: it is stored there, or joined with the content of the place. The
/// operator (op) need not commute.
enum class Join : std::uint8_t {
  none,    ///< stored
  before,  ///< arriving (op) present
  after    ///< present (op) arriving
};
template <>
inline constexpr auto enum_names<Join> = value_names<Join>;

/// One send or one receive: the partner, and the program's places [first, first + count) it reads or writes.
struct Transfer {
  std::int32_t peer = 0;  ///< an index that Schedule::peer resolves to a rank
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  Join join = Join::none;  ///< of a receive, for all its places
};

/// A local copy or join, which happens at the end of a round.
struct Copy {
  Place from;
  Place into;
  Join join = Join::none;
};

/// The rounds of a rank, or of all ranks that do the same, in flat arrays. Built by ProgramBuilder.
class Program {
 public:
  /// The number of rounds; round 0 (copies only) is not counted.
  int rounds() const { return static_cast<int>(starts_.size()) - 2; }
  /// The sends, receives and copies that a rank posts in `round`, 0 <= round <= rounds().
  std::span<Transfer const> sends(int round) const { return slice(sends_, round, &Start::send); }
  std::span<Transfer const> receives(int round) const { return slice(receives_, round, &Start::receive); }
  std::span<Copy const> copies(int round) const { return slice(copies_, round, &Start::copy); }
  std::span<Place const> places(Transfer const& transfer) const {
    return std::span(places_).subspan(transfer.first, transfer.count);
  }
  Layout const& layout() const { return layout_; }
  /// Gives the slots other sizes; the program stays the same.
  void set_layout(Layout layout) { layout_ = std::move(layout); }
  Bytes bytes(Transfer const& transfer) const;
  /// How many places receives and copies join into, over all rounds.
  std::int64_t joins() const { return joins_; }
  /// The label of a send or receive as a number (Schedule::label tells its name); 0 if it has no label.
  std::uint8_t label(Transfer const& transfer) const {
    return transfer.count > 0 && transfer.first < labels_.size() ? labels_[transfer.first] : std::uint8_t{0};
  }

 private:
  friend class ProgramBuilder;
  /// Where the parts of a round begin in the arrays of the program.
  struct Start {
    std::uint32_t send = 0, receive = 0, copy = 0;
  };
  template <typename T>
  std::span<T const> slice(std::vector<T> const& all, int round, std::uint32_t Start::*which) const {
    auto const r = static_cast<std::size_t>(round);
    return std::span(all).subspan(starts_[r].*which, starts_[r + 1].*which - starts_[r].*which);
  }

  Layout layout_;
  std::vector<Start> starts_{Start{}, Start{}};  ///< one a round, with a closing one; round 0 first
  std::vector<Transfer> sends_, receives_;
  std::vector<Copy> copies_;
  std::vector<Place> places_;
  std::vector<std::uint8_t> labels_;  ///< by place, up to the last one that has a label; empty without labels
  std::int64_t joins_ = 0;
};

/// Writes a Program from its first round to its last.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(Layout layout) { program_.layout_ = std::move(layout); }

  /// Room for this many places, so that a large program grows without copies.
  void reserve(std::size_t places) { program_.places_.reserve(places); }
  /// The buffers, which may grow while the program is written.
  Layout& layout() { return program_.layout_; }
  /// Begins the next round. Everything before the first call belongs to round 0, which has only copies.
  void begin_round() { program_.starts_.push_back(program_.starts_.back()); }
  /// `label`: see Program::label.
  void send(std::int32_t peer, std::span<Place const> from, std::uint8_t label = 0);
  void receive(std::int32_t peer, std::span<Place const> into, std::uint8_t label = 0);
  void receive(std::int32_t peer, std::span<Place const> into, Join join, std::uint8_t label = 0);
  void copy(Place from, Place into, Join join = Join::none);
  Program finish() && { return std::move(program_); }

 private:
  Transfer transfer(std::int32_t peer, std::span<Place const> places, std::uint8_t label);
  Program program_;
};

/// Which pairs of ranks a schedule promises to use: immediate neighbors of its torus, ranks along one dimension, any.
enum class Links : std::uint8_t { unit, axis, any };
template <>
inline constexpr auto enum_names<Links> = value_names<Links>;

/// What a schedule promises about itself; `verify` checks it.
struct Promises {
  int ports = 1;  ///< most sends and most receives a rank posts in one round; 0: unlimited
  Links links = Links::any;
};

/// A schedule: the program of each rank, and how partners and labels in the programs are meant.
struct Schedule {
  int ranks = 0;
  /// The programs, and which one each rank follows (empty: all follow the first). No program only if there is no rank.
  std::vector<Program> programs;
  std::vector<std::uint32_t> program_of;
  /// The torus on which `links` and relative peers are meant. Unset: peers are ranks and links must be `any`.
  std::optional<Torus> torus;
  /// If not empty, the peer of a transfer is the index of an offset here (d integers each) relative to the rank itself.
  /// If empty, it is a rank.
  std::vector<int> offsets;
  Promises promises;
  /// The names of the labels 1, 2, ...; empty where no message has one.
  std::vector<std::string> labels;

  /// D, the last round of any rank.
  int rounds() const;
  Program const& program(Rank rank) const {
    return programs[program_of.empty() ? 0 : program_of[static_cast<std::size_t>(rank.value)]];
  }
  /// The partner of a transfer in the program of `rank`. A peer that does not exist resolves to the rank itself, which
  /// verify reports.
  Rank peer(Rank rank, Transfer const& transfer) const;
  /// The name of a transfer's label in the program of `rank`; empty if it has no label.
  std::string_view label(Rank rank, Transfer const& transfer) const;
  /// Whether the schedule reduces: some receive or copy joins what arrives with the content of a place.
  bool joins() const;
  /// Whether all ranks follow one program of relative peers.
  bool isomorphic() const { return programs.size() == 1 && !offsets.empty(); }
};

/// The layout by which the volumes of several ranks are counted in blocks; they are summed first, so that they are
/// divided only once. If some rank has slots of different sizes, it is the layout of such a rank. m is the same at all
/// ranks.
Layout const& unit_layout(Schedule const& schedule);

}  // namespace rondo
