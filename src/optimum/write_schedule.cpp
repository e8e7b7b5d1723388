// Makes a Schedule from messages of blocks.

#include <algorithm>
#include <map>
#include <set>

#include "optimum/moves.hpp"

namespace rondo::optimum {
namespace {

using std::size_t;

/// The sizes of contents.
struct Sizes {
  std::function<Bytes(Content const&)> const& of;
  Bytes block;
  void add(BufferLayout& buffer, Content const& content) const {
    ++buffer.slots;
    buffer.sizes.push_back(of(content));
  }
};

/// The places of a rank's blocks while its program is written. A block that is neither held nor owed waits in the
/// intermediate buffer.
class RankPlaces {
 public:
  RankPlaces(Collective const& promise, Rank rank, Sizes const& sizes) : layout{sizes.block, {}}, sizes_(sizes) {
    std::vector<Content> const sent = held(promise, rank);
    for (size_t s = 0; s < sent.size(); ++s) {
      sizes_.add(layout[Buffer::send], sent[s]);
      lies_.emplace(sent[s], send_slot(static_cast<std::uint32_t>(s)));
    }
    std::vector<Owed> const wanted = owed(promise, rank);
    for (size_t s = 0; s < wanted.size(); ++s) {
      Content const content = wanted[s].nobodys() ? Content{rank, {}} : wanted[s].contribution(0);
      sizes_.add(layout[Buffer::receive], content);
      if (!wanted[s].nobodys()) owed_[key(wanted[s])].push_back(receive_slot(static_cast<std::uint32_t>(s)));
    }
  }

  /// Names a content by one of its contributions; a reduction of several contributions by its number alone.
  static Content key(Owed const& each) {
    return each.contributions() == 1 ? each.contribution(0) : Content{Rank(-1), each.block};
  }
  bool has(Content const& content) const { return lies_.contains(content); }
  Place of(Content const& content) const { return lies_.at(content); }
  /// The receive slots for a content.
  std::vector<Place> const& slots_of(Content const& content) { return owed_[content]; }
  /// A place for a content that arrives; `content` is its name from now on.
  Place take(Content const& content, Content const& sized) {
    std::vector<Place> const& slots = slots_of(content);
    Place const place = slots.empty() ? intermediate_slot(layout[Buffer::intermediate].slots) : slots.front();
    if (slots.empty()) sizes_.add(layout[Buffer::intermediate], sized);
    lies_[content] = place;
    return place;
  }
  /// Copies a content to its further receive slots.
  void spread(ProgramBuilder& builder, Content const& content) {
    for (Place const slot : slots_of(content)) {
      if (slot != of(content)) builder.copy(of(content), slot);
    }
  }

  Layout layout;

 private:
  Sizes const& sizes_;
  std::map<Content, Place> lies_;
  std::map<Content, std::vector<Place>> owed_;
};

/// The messages of a rank, round by round.
struct RankMoves {
  std::map<int, std::vector<Move const*>> sends, receives;
};

/// The messages of each rank, by round.
std::vector<RankMoves> by_rank(Moves const& moves, int ranks) {
  std::vector<RankMoves> result(static_cast<size_t>(ranks));
  for (Move const& each : moves) {
    result[static_cast<size_t>(each.from)].sends[each.round].push_back(&each);
    result[static_cast<size_t>(each.to)].receives[each.round].push_back(&each);
  }
  return result;
}

/// Writes the program of each rank.
class Writer {
 public:
  Writer(Question const& question, Collective const& promise, Sizes const& sizes, int rounds)
      : question_(question), promise_(promise), sizes_(sizes), rounds_(rounds) {}

  Program program(Rank rank, RankMoves const& moves) {
    RankPlaces places(promise_, rank, sizes_);
    ProgramBuilder builder(places.layout);
    begin(builder, places, rank, moves);
    for (int t = 1; t <= rounds_; ++t) {
      builder.begin_round();
      // A rank sends the content from before the round.
      if (auto const found = moves.sends.find(t); found != moves.sends.end()) {
        for (Move const* each : found->second) builder.send(each->to, sent(places, rank, *each));
      }
      if (auto const found = moves.receives.find(t); found != moves.receives.end()) {
        for (Move const* each : found->second) receive(builder, places, *each);
      }
    }
    for (BufferLayout& each : places.layout.buffers) {
      if (std::ranges::all_of(each.sizes, [&](Bytes size) { return size == sizes_.block; })) each.sizes.clear();
    }
    builder.layout() = places.layout;
    return std::move(builder).finish();
  }

 private:
  Content name(int block) const { return question_.names[static_cast<size_t>(block)]; }
  /// The content at a rank under the number of a block: the block itself, or the contributions to a reduction that are
  /// joined so far.
  Content lying(int block) const { return question_.reversed ? Content{Rank(-1), name(block).block} : name(block); }
  Content own(Rank rank, int block) const { return {rank, name(block).block}; }

  /// Copies a rank's own blocks to their places; in a reduction its contribution, with which those of others are
  /// joined.
  void begin(ProgramBuilder& builder, RankPlaces& places, Rank rank, RankMoves const& moves) {
    if (!question_.reversed) {
      for (Content const& each : held(promise_, rank)) places.spread(builder, each);
      return;
    }
    std::set<BlockId> joined;
    for (auto const& [round, all] : moves.receives) {
      for (Move const* move : all) {
        for (int const i : move->blocks) joined.insert(name(i).block);
      }
    }
    for (Owed const& each : owed(promise_, rank)) {
      if (!each.nobodys()) joined.insert(each.block);
    }
    for (BlockId const block : joined) {
      Content const mine{rank, block};
      if (places.has(mine)) builder.copy(places.of(mine), places.take({Rank(-1), block}, mine));
    }
  }

  std::vector<Place> sent(RankPlaces const& places, Rank rank, Move const& move) const {
    std::vector<Place> result;
    for (int const i : move.blocks) {
      result.push_back(places.of(places.has(lying(i)) ? lying(i) : own(rank, i)));
    }
    return result;
  }

  /// Every rank contributes to every reduction, so that there is always a content to join with.
  void receive(ProgramBuilder& builder, RankPlaces& places, Move const& move) const {
    std::vector<Place> into;
    for (int const i : move.blocks) {
      into.push_back(question_.reversed ? places.of(lying(i)) : places.take(lying(i), name(i)));
    }
    builder.receive(move.from, into, question_.reversed ? Join::after : Join::none);
    if (question_.reversed) return;
    for (int const i : move.blocks) places.spread(builder, lying(i));
  }

  Question const& question_;
  Collective const& promise_;
  Sizes const& sizes_;
  int rounds_;
};

}  // namespace

Schedule schedule_of(Question const& question, Moves const& moves, Collective const& promise, Bytes block,
                     std::function<Bytes(Content const&)> const& bytes) {
  Moves const in_order = question.reversed ? backwards(moves) : moves;
  int const rounds = rounds_of(in_order);
  std::vector<RankMoves> const of = by_rank(in_order, question.ranks);
  Sizes const sizes{bytes, block};
  Writer writer(question, promise, sizes, rounds);
  Schedule schedule;
  schedule.ranks = question.ranks;
  schedule.promises.ports = question.ports;
  for (int r = 0; r < question.ranks; ++r) {
    schedule.programs.push_back(writer.program(Rank(r), of[static_cast<size_t>(r)]));
    schedule.program_of.push_back(static_cast<std::uint32_t>(r));
  }
  return schedule;
}

}  // namespace rondo::optimum
