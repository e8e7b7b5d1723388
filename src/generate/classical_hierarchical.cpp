// Collectives that are composed of collectives on groups of ranks.
//
// Each part cuts vectors in its own way. An atom is a piece that no part cuts. Every block has the same number of
// atoms, of which the first ones may be empty. A slot of a part's schedule consists of atoms. Each atom lies in one
// place at every rank: first in the send buffer. From the first part on that delivers it to the rank, it lies at its
// home, which is the receive slot to which it is owed, or else an intermediate slot of its own. So a part begins with
// the data where the previous part left them, without copies.

#include "generate/classical_hierarchical.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "generate/classical.hpp"
#include "generate/classical_atoms.hpp"
#include "problem/composition.hpp"

namespace rondo::generate::classical {
namespace {

using problem::Share;
using problem::Stage;
using problem::SubCollective;

/// The content of a slot of a part's send or receive buffer: the number of a share, or of a piece of the vector.
std::uint32_t number_in(SubCollective const& part, int member, Place place) {
  auto const block_of_member = static_cast<std::uint32_t>(member), n = static_cast<std::uint32_t>(part.problem.ranks);
  bool const sent = place.buffer() == Buffer::send;
  switch (part.problem.collective) {
    case ClassicalCollective::gather:
    case ClassicalCollective::allgather:
      return sent ? block_of_member : place.slot();
    case ClassicalCollective::scatter:
    case ClassicalCollective::reduce_scatter:
      return sent ? place.slot() : block_of_member;
    case ClassicalCollective::alltoall:
      return sent ? block_of_member * n + place.slot() : place.slot() * n + block_of_member;
    default:
      return place.slot();
  }
}

/// The contents of the intermediate slots of a part's schedule. They follow from its messages, because a slot has the
/// same share in all rounds.
class Numbers {
 public:
  /// Replays the part's schedule once, to learn how many intermediate slots each member needs.
  Numbers(SubCollective const& part, Schedule const& schedule) : part_(part), schedule_(schedule) {
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
  /// Replays one round: each receive gets the numbers of the send that meets it.
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

  SubCollective const& part_;
  Schedule const& schedule_;
  std::vector<std::vector<std::uint32_t>> intermediate_;
};

/// The schedule of a part, with its slots mapped to places of the whole.
class PlacedPart {
 public:
  /// Generates the part's schedule and finds the atoms of each of its slots.
  PlacedPart(SubCollective const& part, std::uint8_t label, Cuts const& cuts, std::vector<RankState>& ranks)
      : part_(part), label_(label), schedule_(generate::generate(part.problem)), ranks_(ranks) {
    Numbers const numbers(part, schedule_);
    if (works_on_vector(part.problem.collective)) {
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
  SubCollective const& part() const { return part_; }

  /// Writes the operations of a member in a round of the part into a round of the whole.
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

  /// The data that the part has delivered lie at their homes from now on.
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
  /// The places of atoms for a list of the part's places. The span is valid until the next call.
  std::span<Place const> listed(int member, std::span<Place const> places) {
    listed_.clear();
    for (Place const place : places) {
      auto const& all = of(member, place);
      listed_.insert(listed_.end(), all.begin(), all.end());
    }
    return listed_;
  }

  /// Finds the places of each slot of a member.
  void place(int member, Numbers const& numbers) {
    RankState& rank = state(member);
    Layout const& layout = schedule_.program(Rank(member)).layout();
    // allgather_reduce joins all vectors after its last round. The rank's own vector is one of them, so it must not lie
    // where they are joined.
    bool const reads_late = part_.problem.algorithm == "allgather_reduce";
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
  SubCollective const& part_;
  std::uint8_t label_;
  Schedule schedule_;
  std::vector<RankState>& ranks_;
  std::vector<Atoms> atoms_;  ///< by number
  /// By member, buffer and slot of the part: the places of its atoms.
  std::vector<std::array<std::vector<std::vector<Place>>, buffer_count>> places_;
  std::vector<Place> listed_;
};

/// Writes the parts stage by stage, and each rank round by round.
class Composition {
 public:
  /// Writes all stages, one after the other.
  Composition(problem::Classical const& problem, std::vector<Stage> const& stages)
      : problem_(problem), cuts_(problem, stages), involved_(at(problem.ranks)) {
    ranks_.reserve(at(problem.ranks));
    for (int r = 0; r < problem.ranks; ++r) ranks_.emplace_back(problem, cuts_, r);
    for (Stage const& stage : stages) write(stage);
  }

  /// The promise of one port holds only if every part keeps it and no rank takes part in two parts of a stage.
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
  /// The number of a name; 0 means no label.
  std::uint8_t label(std::string const& name) {
    auto const found = std::find(labels_.begin(), labels_.end(), name);
    if (found == labels_.end()) {
      labels_.push_back(name);
      return static_cast<std::uint8_t>(labels_.size());
    }
    return static_cast<std::uint8_t>(found - labels_.begin() + 1);
  }

  /// The parts of a stage have disjoint members, so their rounds are written side by side.
  void write(Stage const& stage) {
    std::vector<PlacedPart> parts;
    parts.reserve(stage.parts.size());
    for (std::size_t i = 0; i < stage.parts.size(); ++i) {
      parts.emplace_back(stage.parts[i], label(stage.names[i]), cuts_, ranks_);
    }
    int rounds = 0;
    for (PlacedPart& part : parts) {
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
    for (PlacedPart& part : parts) part.settle();
    before_ += rounds;
  }

  problem::Classical const& problem_;
  Cuts cuts_;
  std::vector<RankState> ranks_;
  std::vector<std::vector<std::pair<PlacedPart*, int>>> involved_;  ///< by rank: its parts in the current stage
  std::vector<std::string> labels_;
  bool one_port_ = true;
  int before_ = 0;  ///< the number of rounds of the stages before
};

}  // namespace

/// The schedules of the parts (problem/composition.hpp), stage by stage, for any collective that has them. Messages
/// have the names of their parts as labels.
Schedule hierarchical(problem::Classical const& problem) {
  return Composition(problem, problem::stages_of(problem)).finish();
}

std::uint32_t pieces_of_hierarchical(problem::Classical const& problem) {
  return Cuts(problem, problem::stages_of(problem)).each();
}

}  // namespace rondo::generate::classical
