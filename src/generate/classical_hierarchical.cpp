// Collectives put together from collectives on groups of ranks.
//
// Parts cut their vectors each in its own way. An atom is what no part cuts; every block has the same number of them,
// some of which may be empty, those in front. A slot of a part's schedule stands for atoms, which lie in one place each
// at every rank: at first in the send buffer, and from the first part on that gives it to the rank at its home, the
// place where it is owed, or else an intermediate slot of its own. So a part begins where the one before it ended,
// without copies.

#include "generate/classical_hierarchical.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/index.hpp"
#include "generate/classical.hpp"
#include "generate/classical_writer.hpp"
#include "problem/composition.hpp"

namespace rondo::generate::classical {
namespace {

using problem::Part;
using problem::Share;
using problem::Slice;
using problem::Stage;

using Atoms = std::vector<std::uint32_t>;

/// Where the vector of a part is cut, in units from its start; a block of other parts is not cut.
std::vector<std::int64_t> starts_of_pieces(Part const& part) {
  std::vector<std::int64_t> starts{0};
  for (Bytes const size : cut_of(part.problem).sizes) starts.push_back(starts.back() + size.value);
  starts.pop_back();
  return starts;
}

/// The atoms of all blocks.
class Cuts {
 public:
  Cuts(problem::Classical const& problem, std::vector<Stage> const& stages) : units_(problem::unit_sizes(problem)) {
    inner_.resize(units_.size());
    for (Stage const& stage : stages) {
      for (Part const& part : stage.parts) note(part);
    }
    for (auto const& cuts : inner_) each_ = std::max(each_, static_cast<std::uint32_t>(cuts.size() + 1));
    bool const bytes = problem.sizes.differ() || problem.sizes.block > Bytes(0);
    bytes_of_unit_ = bytes ? 1 : 0;
    starts_.reserve(units_.size() * each_);
    for (std::size_t b = 0; b < units_.size(); ++b) {
      starts_.insert(starts_.end(), each_ - inner_[b].size(), 0);
      starts_.insert(starts_.end(), inner_[b].begin(), inner_[b].end());
    }
  }

  std::uint32_t each() const { return each_; }  ///< atoms of a block
  std::int64_t units(std::uint32_t atom) const { return end(atom) - starts_[atom]; }
  Bytes size(std::uint32_t atom) const { return Bytes(units(atom) * bytes_of_unit_); }
  std::size_t count() const { return starts_.size(); }

  /// In their order.
  Atoms of(Share const& share) const {
    Atoms atoms;
    for (Slice const& slice : share) {
      bool const whole = slice.first == 0 && slice.last == units_[slice.block];
      for (std::uint32_t a = slice.block * each_; a < (slice.block + 1) * each_; ++a) {
        if (whole || (slice.first <= starts_[a] && starts_[a] < slice.last)) atoms.push_back(a);
      }
    }
    return atoms;
  }
  /// By piece of the part's vector. Atoms without units belong to the piece behind them, or to the last one.
  std::vector<Atoms> by_piece(Part const& part) const {
    std::vector<std::int64_t> const starts = starts_of_pieces(part);
    std::int64_t const all = problem::units_of(part.shares[0]);
    std::vector<Atoms> pieces(starts.size());
    std::int64_t from = 0;
    std::size_t piece = 0;
    for (std::uint32_t const atom : of(part.shares[0])) {
      while (piece + 1 < starts.size() && starts[piece + 1] <= from && starts[piece + 1] < all) ++piece;
      pieces[piece].push_back(atom);
      from += units(atom);
    }
    return pieces;
  }

 private:
  void cut(std::uint32_t block, std::int64_t where) {
    if (0 < where && where < units_[block]) inner_[block].insert(where);
  }
  void note(Part const& part) {
    for (Share const& share : part.shares) {
      for (Slice const& slice : share) {
        cut(slice.block, slice.first);
        cut(slice.block, slice.last);
      }
    }
    if (!of_vectors(part.problem.collective)) return;
    std::vector<std::int64_t> const starts = starts_of_pieces(part);
    auto start = starts.begin();
    std::int64_t from = 0;
    for (Slice const& slice : part.shares[0]) {
      std::int64_t const to = from + slice.last - slice.first;
      for (; start != starts.end() && *start < to; ++start) cut(slice.block, slice.first + *start - from);
      from = to;
    }
  }
  std::int64_t end(std::uint32_t atom) const {
    return (atom + 1) % each_ == 0 ? units_[atom / each_] : starts_[atom + 1];
  }

  std::vector<std::int64_t> units_;            ///< by block
  std::vector<std::set<std::int64_t>> inner_;  ///< by block, where it is cut
  std::vector<std::int64_t> starts_;           ///< by atom, within its block
  std::uint32_t each_ = 1;
  std::int64_t bytes_of_unit_ = 1;
};

/// The blocks that ranks start with and are owed, as Collective has them (schedule/collective.hpp).
class Ends {
 public:
  explicit Ends(problem::Classical const& problem)
      : collective_(problem.collective), ranks_(static_cast<std::uint32_t>(problem.ranks)), root_(problem.root) {}

  /// The block in each slot of the send buffer.
  std::vector<std::uint32_t> held(int rank) const {
    switch (collective_) {
      case ClassicalCollective::bcast:
        return rank == root_ ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>();
      case ClassicalCollective::scatter:
        return rank == root_ ? run(0) : std::vector<std::uint32_t>();
      case ClassicalCollective::gather:
      case ClassicalCollective::allgather:
        return {static_cast<std::uint32_t>(rank)};
      case ClassicalCollective::alltoall:
        return run(static_cast<std::uint32_t>(rank) * ranks_);
      case ClassicalCollective::reduce_scatter:
        return run(0);
      default:
        return {0};
    }
  }
  /// The block in each slot of the receive buffer.
  std::vector<std::uint32_t> owed(int rank) const {
    auto const own = static_cast<std::uint32_t>(rank);
    switch (collective_) {
      case ClassicalCollective::bcast:
        return rank == root_ ? std::vector<std::uint32_t>() : std::vector<std::uint32_t>{0};
      case ClassicalCollective::reduce:
        return rank == root_ ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>();
      case ClassicalCollective::gather:
        return rank == root_ ? run(0) : std::vector<std::uint32_t>();
      case ClassicalCollective::allgather:
        return run(0);
      case ClassicalCollective::scatter:
      case ClassicalCollective::reduce_scatter:
        return {own};
      case ClassicalCollective::alltoall: {
        std::vector<std::uint32_t> blocks;
        for (std::uint32_t s = 0; s < ranks_; ++s) blocks.push_back(s * ranks_ + own);
        return blocks;
      }
      default:
        return {0};
    }
  }

 private:
  std::vector<std::uint32_t> run(std::uint32_t first) const {
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t i = 0; i < ranks_; ++i) blocks.push_back(first + i);
    return blocks;
  }

  ClassicalCollective collective_;
  std::uint32_t ranks_;
  int root_;
};

/// What a slot of a part's send or receive buffer stands for: the number of a share, or of a piece of the vector.
std::uint32_t number_in(Part const& part, int member, Place place) {
  auto const own = static_cast<std::uint32_t>(member), n = static_cast<std::uint32_t>(part.problem.ranks);
  bool const sent = place.buffer() == Buffer::send;
  switch (part.problem.collective) {
    case ClassicalCollective::gather:
    case ClassicalCollective::allgather:
      return sent ? own : place.slot();
    case ClassicalCollective::scatter:
    case ClassicalCollective::reduce_scatter:
      return sent ? place.slot() : own;
    case ClassicalCollective::alltoall:
      return sent ? own * n + place.slot() : place.slot() * n + own;
    default:
      return place.slot();
  }
}

/// What the intermediate slots of a part's schedule stand for, which its messages show: a slot has one share only.
class Numbers {
 public:
  Numbers(Part const& part, Schedule const& schedule) : part_(part), schedule_(schedule) {
    for (int m = 0; m < part.problem.ranks; ++m) {
      intermediate_.emplace_back(schedule.program(Rank(m)).layout()[Buffer::intermediate].slots);
      copies(m, 0);
    }
    for (int round = 1; round <= schedule.rounds(); ++round) replay(round);
  }

  std::uint32_t of(int member, Place place) const {
    if (place.buffer() != Buffer::intermediate) return number_in(part_, member, place);
    return intermediate_[at(member)][place.slot()];
  }

 private:
  void put(int member, Place place, std::uint32_t number) {
    if (place.buffer() == Buffer::intermediate) intermediate_[at(member)][place.slot()] = number;
  }
  void copies(int member, int round) {
    Program const& program = schedule_.program(Rank(member));
    if (round > program.rounds()) return;
    for (Copy const& copy : program.copies(round)) put(member, copy.into, of(member, copy.from));
  }
  void replay(int round) {
    std::map<std::pair<int, int>, std::deque<std::vector<std::uint32_t>>> sent;
    auto const each_program = [&](auto const& act) {
      for (int m = 0; m < part_.problem.ranks; ++m) {
        Program const& program = schedule_.program(Rank(m));
        if (round <= program.rounds()) act(m, program);
      }
    };
    each_program([&](int m, Program const& program) {
      for (Transfer const& send : program.sends(round)) {
        auto& numbers = sent[{m, send.peer}].emplace_back();
        for (Place const place : program.places(send)) numbers.push_back(of(m, place));
      }
    });
    each_program([&](int m, Program const& program) {
      for (Transfer const& receive : program.receives(round)) {
        auto& waiting = sent[{receive.peer, m}];
        expects(!waiting.empty(), "a message for each receive of a part");
        std::size_t k = 0;
        for (Place const place : program.places(receive)) put(m, place, waiting.front()[k++]);
        waiting.pop_front();
      }
    });
    each_program([&](int m, Program const&) { copies(m, round); });
  }

  Part const& part_;
  Schedule const& schedule_;
  std::vector<std::vector<std::uint32_t>> intermediate_;
};

/// A place for some of the atoms: a table, or where tables of all ranks would be too large, a map.
class PlaceOf {
 public:
  PlaceOf(std::size_t atoms, int ranks) {
    constexpr std::size_t most = std::size_t{1} << 25;
    if (atoms <= most / at(ranks)) table_.assign(atoms, nowhere);
  }
  std::optional<Place> find(std::uint32_t atom) const {
    if (!table_.empty()) return table_[atom] == nowhere ? std::nullopt : std::optional(table_[atom]);
    auto const found = map_.find(atom);
    return found == map_.end() ? std::nullopt : std::optional(found->second);
  }
  void set(std::uint32_t atom, Place place) { (table_.empty() ? map_[atom] : table_[atom]) = place; }

 private:
  static constexpr Place nowhere = intermediate_slot((std::uint32_t{1} << 30) - 1);
  std::vector<Place> table_;
  std::unordered_map<std::uint32_t, Place> map_;
};

/// A rank of the whole while its program is written.
class RankState {
 public:
  RankState(problem::Classical const& problem, Cuts const& cuts, int rank)
      : cuts_(cuts),
        uniform_(cuts.each() == 1 && !problem.sizes.differ()),
        builder_(Layout{problem.sizes.block, {}}),
        now_(cuts.count(), problem.ranks),
        homes_(cuts.count(), problem.ranks) {
    Ends const ends(problem);
    fill(ends.held(rank), Buffer::send, now_);
    fill(ends.owed(rank), Buffer::receive, homes_);
    owed_ = atoms_of(ends.owed(rank));
  }

  /// Where the atom lies.
  Place now(std::uint32_t atom) const {
    auto const found = now_.find(atom);
    expects(found.has_value(), "a rank has what it gives to a part");
    return *found;
  }
  Place home(std::uint32_t atom) {
    if (auto const found = homes_.find(atom)) return *found;
    Place const place = fresh(atom);
    homes_.set(atom, place);
    return place;
  }
  void has_come_home(std::uint32_t atom) { now_.set(atom, home(atom)); }
  Place fresh(std::uint32_t atom) {
    std::uint32_t const slot = builder_.layout()[Buffer::intermediate].slots;
    add_slot(Buffer::intermediate, atom);
    return intermediate_slot(slot);
  }

  /// What follows is in this round.
  ProgramBuilder& in_round(int round) {
    for (; written_ < round; ++written_) builder_.begin_round();
    return builder_;
  }
  /// Copies follow what the rank has done last.
  void copy(Place from, Place into, Join join = Join::none) {
    if (from != into || join != Join::none) builder_.copy(from, into, join);
  }

  Program finish() && {
    for (std::uint32_t const atom : owed_) copy(now(atom), home(atom));
    return std::move(builder_).finish();
  }

 private:
  Atoms atoms_of(std::vector<std::uint32_t> const& blocks) const {
    Atoms atoms;
    for (std::uint32_t const block : blocks) {
      for (std::uint32_t k = 0; k < cuts_.each(); ++k) atoms.push_back(block * cuts_.each() + k);
    }
    return atoms;
  }
  void fill(std::vector<std::uint32_t> const& blocks, Buffer buffer, PlaceOf& places) {
    std::uint32_t slot = 0;
    for (std::uint32_t const atom : atoms_of(blocks)) {
      places.set(atom, Place(buffer, slot++));
      add_slot(buffer, atom);
    }
  }
  void add_slot(Buffer buffer, std::uint32_t atom) {
    BufferLayout& layout = builder_.layout()[buffer];
    ++layout.slots;
    if (!uniform_) layout.sizes.push_back(cuts_.size(atom));
  }

  Cuts const& cuts_;
  bool uniform_;
  ProgramBuilder builder_;
  PlaceOf now_, homes_;
  Atoms owed_;
  int written_ = 0;
};

/// A part's schedule, whose places are those of the whole.
class Placed {
 public:
  Placed(Part const& part, std::uint8_t label, Cuts const& cuts, std::vector<RankState>& ranks)
      : part_(part), label_(label), schedule_(generate::generate(part.problem)), ranks_(ranks) {
    Numbers const numbers(part, schedule_);
    if (of_vectors(part.problem.collective)) {
      atoms_ = cuts.by_piece(part);
    } else {
      for (Share const& share : part.shares) atoms_.push_back(cuts.of(share));
    }
    for (int m = 0; m < part.problem.ranks; ++m) {
      for (auto& buffer : places_.emplace_back()) buffer = {};
      place(m, numbers);
    }
  }

  int rounds() const { return schedule_.rounds(); }
  int ports() const { return schedule_.promises.ports; }
  Part const& part() const { return part_; }

  /// What a member does in a round of the part, in a round of the whole.
  void write(int member, int round, int round_of_all) {
    Program const& program = schedule_.program(Rank(member));
    if (round > program.rounds()) return;
    RankState& rank = state(member);
    for (Transfer const& receive : program.receives(round)) {
      rank.in_round(round_of_all).receive(peer(receive), listed(member, program.places(receive)), receive.join, label_);
    }
    for (Transfer const& send : program.sends(round)) {
      rank.in_round(round_of_all).send(peer(send), listed(member, program.places(send)), label_);
    }
    for (Copy const& copy : program.copies(round)) {
      auto const& from = of(member, copy.from);
      auto const& into = of(member, copy.into);
      for (std::size_t k = 0; k < from.size(); ++k) rank.copy(from[k], into[k], copy.join);
    }
  }

  /// What the part has brought lies at its home.
  void settle() {
    for (int m = 0; m < part_.problem.ranks; ++m) {
      std::uint32_t const slots = schedule_.program(Rank(m)).layout()[Buffer::receive].slots;
      for (std::uint32_t slot = 0; slot < slots; ++slot) {
        for (std::uint32_t const atom : atoms_[number_in(part_, m, receive_slot(slot))]) state(m).has_come_home(atom);
      }
    }
  }

 private:
  RankState& state(int member) { return ranks_[at(part_.members[at(member)])]; }
  std::int32_t peer(Transfer const& transfer) const { return part_.members[at(transfer.peer)]; }
  std::vector<Place> const& of(int member, Place place) const {
    return places_[at(member)][static_cast<std::size_t>(place.buffer())][place.slot()];
  }
  std::span<Place const> listed(int member, std::span<Place const> places) {
    listed_.clear();
    for (Place const place : places) {
      auto const& all = of(member, place);
      listed_.insert(listed_.end(), all.begin(), all.end());
    }
    return listed_;
  }

  /// Says where each slot of a member lies.
  void place(int member, Numbers const& numbers) {
    RankState& rank = state(member);
    Layout const& layout = schedule_.program(Rank(member)).layout();
    // It joins all vectors behind its last round, its own among them, which therefore may not lie where they are
    // joined.
    bool const reads_late = part_.problem.algorithm == problem::ClassicalAlgorithm::allgather_reduce;
    for (Buffer const buffer : {Buffer::send, Buffer::receive, Buffer::intermediate}) {
      for (std::uint32_t slot = 0; slot < layout[buffer].slots; ++slot) {
        auto& all = places_[at(member)][static_cast<std::size_t>(buffer)].emplace_back();
        for (std::uint32_t const atom : atoms_[numbers.of(member, Place(buffer, slot))]) {
          bool const aside = buffer == Buffer::send && reads_late;
          all.push_back(buffer == Buffer::send && !aside ? rank.now(atom)
                        : buffer == Buffer::receive      ? rank.home(atom)
                                                         : rank.fresh(atom));
          if (aside) rank.copy(rank.now(atom), all.back());
        }
      }
    }
  }
  Part const& part_;
  std::uint8_t label_;
  Schedule schedule_;
  std::vector<RankState>& ranks_;
  std::vector<Atoms> atoms_;  ///< by number
  /// By member, buffer and slot of the part: where its atoms lie.
  std::vector<std::array<std::vector<std::vector<Place>>, buffer_count>> places_;
  std::vector<Place> listed_;
};

/// Writes the parts stage by stage, each rank round by round.
class Composition {
 public:
  Composition(problem::Classical const& problem, std::vector<Stage> const& stages)
      : problem_(problem), cuts_(problem, stages), involved_(at(problem.ranks)) {
    ranks_.reserve(at(problem.ranks));
    for (int r = 0; r < problem.ranks; ++r) ranks_.emplace_back(problem, cuts_, r);
    for (Stage const& stage : stages) write(stage);
  }

  Schedule finish() && {
    Schedule schedule;
    schedule.ranks = problem_.ranks;
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      schedule.programs.push_back(std::move(ranks_[r]).finish());
      schedule.program_of.push_back(r);
    }
    schedule.promises = {one_port_ ? 1 : 0, Links::any};
    schedule.labels = std::move(labels_);
    return schedule;
  }

 private:
  std::uint8_t label(std::string const& name) {
    auto const found = std::find(labels_.begin(), labels_.end(), name);
    if (found == labels_.end()) {
      labels_.push_back(name);
      return static_cast<std::uint8_t>(labels_.size());
    }
    return static_cast<std::uint8_t>(found - labels_.begin() + 1);
  }

  void write(Stage const& stage) {
    std::vector<Placed> parts;
    parts.reserve(stage.parts.size());
    for (std::size_t i = 0; i < stage.parts.size(); ++i) {
      parts.emplace_back(stage.parts[i], label(stage.names[i]), cuts_, ranks_);
    }
    int rounds = 0;
    for (Placed& part : parts) {
      rounds = std::max(rounds, part.rounds());
      if (part.ports() != 1) one_port_ = false;
      for (int m = 0; m < part.part().problem.ranks; ++m) {
        involved_[at(part.part().members[at(m)])].push_back({&part, m});
      }
    }
    for (auto& of_rank : involved_) {
      if (of_rank.size() > 1) one_port_ = false;
      for (int round = 0; round <= rounds; ++round) {
        for (auto const& [part, member] : of_rank) part->write(member, round, before_ + round);
      }
      of_rank.clear();
    }
    for (Placed& part : parts) part.settle();
    before_ += rounds;
  }

  problem::Classical const& problem_;
  Cuts cuts_;
  std::vector<RankState> ranks_;
  std::vector<std::vector<std::pair<Placed*, int>>> involved_;  ///< by rank: its parts in the stage at hand
  std::vector<std::string> labels_;
  bool one_port_ = true;
  int before_ = 0;  ///< rounds of the stages before
};

}  // namespace

Schedule hierarchical(problem::Classical const& problem) {
  return Composition(problem, problem::stages_of(problem)).finish();
}

std::uint32_t pieces_of_hierarchical(problem::Classical const& problem) {
  return Cuts(problem, problem::stages_of(problem)).each();
}

}  // namespace rondo::generate::classical
