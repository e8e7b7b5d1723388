#include "naive.hpp"

#include <algorithm>
#include <map>

namespace rondo::testing {
namespace {

/// One end of a message.
struct End {
  int rank = 0;
  int round = 0;
  int order = 0;  ///< the number of this receive among those of its rank
  std::vector<Place> places;
};

/// A send and a receive that met; without one of them nothing moves.
struct Pairing {
  std::optional<End> send, receive;
  std::vector<std::optional<Content>> blocks;
};

struct Slot {
  Content block;
  bool read = false;
};

class Model {
 public:
  Model(Schedule const& schedule, Collective const& collective) : schedule_(schedule), collective_(collective) {}

  NaiveVerdict verdict() {
    pair_up();
    for (int r = 0; r < schedule_.ranks; ++r) {
      std::vector<Content> const blocks = held(collective_, Rank(r));
      for (std::uint32_t i = 0; i < blocks.size(); ++i) slots_[r][send_slot(i)] = {blocks[i]};
    }
    copy(0);
    for (int round = 1; round <= schedule_.rounds(); ++round) play(round);
    verdict_.delivered = all_is_in_place() && end_is_reached(false);
    if (!end_is_reached(false, true) || !end_is_reached(true, true)) fault(Fault::circular_wait, 0, 0);
    return verdict_;
  }

 private:
  void fault(Fault fault, int rank, int round) { verdict_.faults.insert({fault, rank, round}); }

  void pair_up() {
    std::map<std::pair<int, int>, std::vector<End>> sends, receives;  // by (source, target)
    for (int r = 0; r < schedule_.ranks; ++r) {
      Program const& program = schedule_.program(Rank(r));
      int order = 0;
      for (int round = 1; round <= program.rounds(); ++round) {
        for (Transfer const& each : program.sends(round)) {
          sends[{r, schedule_.peer(Rank(r), each).value}].push_back(end(r, round, 0, program.places(each)));
        }
        for (Transfer const& each : program.receives(round)) {
          receives[{schedule_.peer(Rank(r), each).value, r}].push_back(end(r, round, order++, program.places(each)));
        }
        auto const most = static_cast<int>(std::max(program.sends(round).size(), program.receives(round).size()));
        if (schedule_.promises.ports > 0 && most > schedule_.promises.ports) fault(Fault::ports, r, round);
      }
    }
    for (auto const& [pair, list] : sends) receives[pair];
    for (auto const& [pair, list] : receives) {
      std::vector<End> const& from = sends[pair];
      for (std::size_t k = 0; k < std::max(from.size(), list.size()); ++k) {
        Pairing pairing;
        if (k < from.size()) pairing.send = from[k];
        if (k < list.size()) pairing.receive = list[k];
        judge(pairing);
        pairings_.push_back(pairing);
      }
    }
    // What a rank receives in one round is written in the order in which it posts the receives.
    std::stable_sort(pairings_.begin(), pairings_.end(), [](Pairing const& a, Pairing const& b) {
      return (a.receive ? a.receive->order : 0) < (b.receive ? b.receive->order : 0);
    });
  }

  static End end(int rank, int round, int order, std::span<Place const> places) {
    return {rank, round, order, {places.begin(), places.end()}};
  }

  void judge(Pairing const& p) {
    if (!p.receive) return fault(Fault::unmatched_send, p.send->rank, p.send->round);
    if (!p.send) return fault(Fault::unmatched_receive, p.receive->rank, p.receive->round);
    if (p.send->round != p.receive->round) fault(Fault::round_mismatch, p.receive->rank, p.receive->round);
    Layout const& from = schedule_.program(Rank(p.send->rank)).layout();
    Layout const& into = schedule_.program(Rank(p.receive->rank)).layout();
    bool same = p.send->places.size() == p.receive->places.size();
    for (std::size_t i = 0; same && i < p.send->places.size(); ++i) {
      same = from.bytes(p.send->places[i]) == into.bytes(p.receive->places[i]);
    }
    if (!same) fault(Fault::size_mismatch, p.receive->rank, p.receive->round);
  }

  std::optional<Content> read(int rank, int round, Place place) {
    auto const slot = slots_[rank].find(place);
    if (slot == slots_[rank].end()) {
      fault(Fault::not_held, rank, round);
      return std::nullopt;
    }
    slot->second.read = true;
    return slot->second.block;
  }

  /// In blocks; a block of m bytes weighs 1.
  double weight(int rank, Place place) const {
    Layout const& layout = schedule_.program(Rank(rank)).layout();
    bool one_size = true;
    for (BufferLayout const& buffer : layout.buffers) one_size = one_size && buffer.sizes.empty();
    if (one_size || layout.block == Bytes(0)) return 1;
    return static_cast<double>(layout.bytes(place).value) / static_cast<double>(layout.block.value);
  }

  void play(int round) {
    std::set<std::pair<int, Place>> sent, received;
    for (Pairing& p : pairings_) {
      if (!p.send || p.send->round != round) continue;
      for (Place const place : p.send->places) {
        p.blocks.push_back(read(p.send->rank, round, place));
        sent.insert({p.send->rank, place});
      }
    }
    for (Pairing const& p : pairings_) {
      if (!p.send || !p.receive || std::max(p.send->round, p.receive->round) != round) continue;
      for (std::size_t i = 0; i < std::min(p.blocks.size(), p.receive->places.size()); ++i) {
        std::pair const where(p.receive->rank, p.receive->places[i]);
        if (p.blocks[i] && holds(where.first, *p.blocks[i]))
          verdict_.redundant_blocks += weight(where.first, where.second);
        bool const taken =
            (sent.count(where) > 0 || received.count(where) > 0) && slots_[where.first].count(where.second) > 0;
        if (taken) fault(Fault::overwritten, where.first, round);
        write(where.first, round, where.second, p.blocks[i], taken);
        received.insert(where);
      }
    }
    copy(round);
  }

  void copy(int round) {
    for (int r = 0; r < schedule_.ranks; ++r) {
      Program const& program = schedule_.program(Rank(r));
      if (round > program.rounds()) continue;
      for (Copy const& each : program.copies(round)) {
        if (program.layout().bytes(each.from) != program.layout().bytes(each.into)) {
          fault(Fault::size_mismatch, r, round);
        }
        write(r, round, each.into, read(r, round, each.from), false);
      }
    }
  }

  bool holds(int rank, Content block) const {
    auto const& slots = slots_.at(rank);
    return std::any_of(slots.begin(), slots.end(), [&](auto const& slot) { return slot.second.block == block; });
  }

  bool is_owed(int rank, Place place, Content block) const {
    if (place.buffer() != Buffer::receive) return false;
    auto const blocks = owed(collective_, Rank(rank));
    return place.slot() < blocks.size() && blocks[place.slot()] == block;
  }

  void write(int rank, int round, Place place, std::optional<Content> block, bool judged) {
    auto const old = slots_[rank].find(place);
    if (place.buffer() == Buffer::send) {
      fault(Fault::overwritten, rank, round);
    } else if (!judged && old != slots_[rank].end()) {
      bool const same = block == old->second.block;
      bool const right = is_owed(rank, place, old->second.block);
      if (!old->second.read && !same) {
        fault(Fault::overwritten, rank, round);
        if (right) doubtful_.erase({rank, place});
      } else if (!old->second.read && right) {
        fault(Fault::duplicate, rank, round);
      } else if (right && !same) {
        doubtful_[{rank, place}] = round;
      }
    }
    slots_[rank].erase(place);
    if (block) slots_[rank][place] = {*block};
  }

  bool all_is_in_place() {
    bool all = true;
    for (int r = 0; r < schedule_.ranks; ++r) {
      auto const blocks = owed(collective_, Rank(r));
      for (std::uint32_t i = 0; i < blocks.size(); ++i) {
        auto const slot = slots_[r].find(receive_slot(i));
        bool const empty = slot == slots_[r].end();
        if (!blocks[i] || (!empty && slot->second.block == *blocks[i])) continue;
        all = false;
        fault(empty ? Fault::lost_block : Fault::wrong_place, r, schedule_.rounds());
        auto const doubt = doubtful_.find({r, receive_slot(i)});
        if (doubt != doubtful_.end()) fault(Fault::overwritten, r, doubt->second);
      }
    }
    return all;
  }

  /// Lets the ranks go on one round at a time until no rank can. A rank waits for the missing end of a message for
  /// ever, unless `forgiven`.
  bool end_is_reached(bool rendezvous, bool forgiven = false) const {
    std::map<int, int> at;
    for (int r = 0; r < schedule_.ranks; ++r) at[r] = 1;
    for (bool moved = true; moved;) {
      moved = false;
      for (int r = 0; r < schedule_.ranks; ++r) {
        bool free = at[r] <= schedule_.rounds();
        for (Pairing const& p : pairings_) {
          if (p.receive && p.receive->rank == r && p.receive->round == at[r]) {
            free = free && (p.send ? at[p.send->rank] >= p.send->round : forgiven);
          }
          if (rendezvous && p.send && p.send->rank == r && p.send->round == at[r]) {
            free = free && (p.receive ? at[p.receive->rank] >= p.receive->round : forgiven);
          }
        }
        if (free) ++at[r];
        moved = moved || free;
      }
    }
    return std::all_of(at.begin(), at.end(), [&](auto const& rank) { return rank.second > schedule_.rounds(); });
  }

  Schedule const& schedule_;
  Collective const& collective_;
  std::vector<Pairing> pairings_;
  std::map<int, std::map<Place, Slot>> slots_;
  std::map<std::pair<int, Place>, int> doubtful_;  ///< right blocks that had been sent on when they were written over
  NaiveVerdict verdict_;
};

}  // namespace

NaiveVerdict naive_verdict(Schedule const& schedule, Collective const& collective) {
  return Model(schedule, collective).verdict();
}

}  // namespace rondo::testing
