#include "naive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace rondo::testing {
namespace {

/// One end of a message.
struct End {
  int rank = 0;
  int round = 0;
  int order = 0;  ///< the number of this receive among those of its rank
  std::vector<Place> places;
  Join join = Join::none;
};

/// When a join was made: in the order of rounds, messages before copies, ranks, and the joins of a rank.
using When = std::tuple<int, bool, int, int>;

/// A content with all that is known of it: every contribution, left to right, and how it was made.
struct Value {
  std::vector<Content> sequence;
  std::shared_ptr<Value const> left = nullptr, right = nullptr;  ///< null: a block
  When when{};
  int rank = 0, round = 0;

  std::int64_t times(Content each) const { return std::count(sequence.begin(), sequence.end(), each); }
};
using ValuePointer = std::shared_ptr<Value const>;

std::vector<Content> sorted(std::vector<Content> contents) {
  std::sort(contents.begin(), contents.end());
  return contents;
}

/// All joins that a content was made by.
void collect(ValuePointer const& value, std::set<ValuePointer>& joins) {
  if (value->left == nullptr || !joins.insert(value).second) return;
  collect(value->left, joins);
  collect(value->right, joins);
}

/// The earliest of the joins that a content was made by for which `is_wrong` holds.
template <typename Wrong>
Value const* earliest(ValuePointer const& value, Wrong const& is_wrong) {
  std::set<ValuePointer> joins;
  collect(value, joins);
  Value const* first = nullptr;
  for (ValuePointer const& each : joins) {
    if (is_wrong(*each) && (first == nullptr || each->when < first->when)) first = each.get();
  }
  return first;
}

/// The parenthesisation, written out; of operands that commute the smaller one first.
std::string shape(Value const& value, bool ordered) {
  if (value.left == nullptr) return fmt::format("{}.{}", value.sequence[0].origin.value, value.sequence[0].block.value);
  std::string left = shape(*value.left, ordered);
  std::string right = shape(*value.right, ordered);
  if (!ordered && right < left) std::swap(left, right);
  return "(" + left + " " + right + ")";
}

/// A send and a receive that met; without one of them nothing moves.
struct Pairing {
  std::optional<End> send, receive;
  std::vector<ValuePointer> blocks;  ///< null: nothing
};

struct Slot {
  ValuePointer block;
  bool read = false;
};

class Model {
 public:
  Model(Schedule const& schedule, Collective const& collective)
      : schedule_(schedule), collective_(collective), rules_(reduction_rules(collective)) {}

  NaiveVerdict verdict() {
    pair_up();
    for (int r = 0; r < schedule_.ranks; ++r) {
      std::vector<Content> const blocks = held(collective_, Rank(r));
      for (std::uint32_t i = 0; i < blocks.size(); ++i) {
        seen_[r].push_back(std::make_shared<Value>(Value{{blocks[i]}}));
        slots_[r][send_slot(i)] = {seen_[r].back()};
      }
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
          End& receive = receives[{schedule_.peer(Rank(r), each).value, r}].emplace_back();
          receive = {r, round, order++, {program.places(each).begin(), program.places(each).end()}, each.join};
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
    return {rank, round, order, {places.begin(), places.end()}, Join::none};
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

  ValuePointer read(int rank, int round, Place place) {
    auto const slot = slots_[rank].find(place);
    if (slot == slots_[rank].end()) {
      fault(Fault::not_held, rank, round);
      return nullptr;
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
        if (p.receive->join != Join::none) {
          join(where.first, round, where.second, p.blocks[i], p.receive->join, false);
          received.insert(where);
          continue;
        }
        if (p.blocks[i] && has_held(where.first, *p.blocks[i]))
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
        ValuePointer const block = read(r, round, each.from);
        if (each.join == Join::none) {
          write(r, round, each.into, block, false);
        } else {
          join(r, round, each.into, block, each.join, true);
        }
      }
    }
  }

  /// Arriving content goes to the left of what lies there, or to the right.
  void join(int rank, int round, Place place, ValuePointer arriving, Join how, bool copied) {
    auto const old = slots_[rank].find(place);
    ValuePointer const present = old == slots_[rank].end() ? nullptr : old->second.block;
    if (place.buffer() == Buffer::send) {
      fault(Fault::overwritten, rank, round);
    } else if (present == nullptr) {
      fault(Fault::not_held, rank, round);
    }
    slots_[rank].erase(place);
    if (present == nullptr || arriving == nullptr) return;
    auto value = std::make_shared<Value>();
    value->left = how == Join::before ? arriving : present;
    value->right = how == Join::before ? present : arriving;
    value->sequence = value->left->sequence;
    value->sequence.insert(value->sequence.end(), value->right->sequence.begin(), value->right->sequence.end());
    value->when = {round, copied, rank, joins_++};
    value->rank = rank;
    value->round = round;
    slots_[rank][place] = {value};
    seen_[rank].push_back(value);
  }

  bool same(Value const& a, Value const& b) const { return same(a.sequence, b.sequence); }
  bool same(std::vector<Content> const& a, std::vector<Content> const& b) const {
    return rules_.ordered ? a == b : sorted(a) == sorted(b);
  }
  static std::vector<Content> sequence_of(Owed const& owed) {
    std::vector<Content> sequence;
    for (std::size_t i = 0; i < owed.contributions(); ++i) sequence.push_back(owed.contribution(i));
    return sequence;
  }

  bool has_held(int rank, Value const& block) const {
    auto const seen = seen_.find(rank);
    return seen != seen_.end() && std::any_of(seen->second.begin(), seen->second.end(),
                                              [&](ValuePointer const& each) { return same(*each, block); });
  }

  bool is_owed(int rank, Place place, Value const& block) const {
    if (place.buffer() != Buffer::receive) return false;
    auto const blocks = owed(collective_, Rank(rank));
    return place.slot() < blocks.size() && same(sequence_of(blocks[place.slot()]), block.sequence);
  }

  void write(int rank, int round, Place place, ValuePointer block, bool judged) {
    auto const old = slots_[rank].find(place);
    if (place.buffer() == Buffer::send) {
      fault(Fault::overwritten, rank, round);
    } else if (!judged && old != slots_[rank].end()) {
      bool const same = block != nullptr && this->same(*block, *old->second.block);
      bool const right = is_owed(rank, place, *old->second.block);
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
    if (block == nullptr) return;
    slots_[rank][place] = {block};
    seen_[rank].push_back(block);
  }

  bool all_is_in_place() {
    bool all = true;
    std::map<std::vector<Content>, std::string> shapes;
    for (int r = 0; r < schedule_.ranks; ++r) {
      auto const blocks = owed(collective_, Rank(r));
      for (std::uint32_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i].nobodys()) continue;
        auto const slot = slots_[r].find(receive_slot(i));
        ValuePointer const found = slot == slots_[r].end() ? nullptr : slot->second.block;
        if (found != nullptr && is_right(r, blocks[i], found, shapes)) continue;
        all = false;
        if (found != nullptr && same(sequence_of(blocks[i]), found->sequence)) continue;  // the bits are wrong
        judge_end(r, blocks[i], found);
        auto const doubt = doubtful_.find({r, receive_slot(i)});
        if (doubt != doubtful_.end()) fault(Fault::overwritten, r, doubt->second);
      }
    }
    return all;
  }

  bool is_right(int rank, Owed const& owed, ValuePointer const& found,
                std::map<std::vector<Content>, std::string>& shapes) {
    std::vector<Content> const asked = sequence_of(owed);
    if (rules_.idempotent) {
      return std::set(asked.begin(), asked.end()) == std::set(found->sequence.begin(), found->sequence.end());
    }
    if (!same(asked, found->sequence)) return false;
    if (!rules_.same_bits || asked.size() < 2) return true;
    std::string const made = shape(*found, rules_.ordered);
    if (shapes.try_emplace(rules_.ordered ? asked : sorted(asked), made).first->second == made) return true;
    fault(Fault::differing_bits, rank, schedule_.rounds());
    return false;
  }

  void judge_end(int rank, Owed const& owed, ValuePointer const& found) {
    int const end = schedule_.rounds();
    if (found == nullptr) return fault(Fault::lost_block, rank, end);
    std::vector<Content> const asked = sequence_of(owed);
    if (asked.size() == 1 && found->left == nullptr) return fault(Fault::wrong_place, rank, end);
    for (Content const each : found->sequence) {
      if (std::count(asked.begin(), asked.end(), each) == 0) fault(Fault::foreign, rank, end);
    }
    for (Content const each : asked) {
      std::int64_t const often = std::count(asked.begin(), asked.end(), each);
      if (found->times(each) < (rules_.idempotent ? 1 : often)) fault(Fault::missing, rank, end);
      if (found->times(each) <= often || rules_.idempotent) continue;
      Value const* const join = earliest(found, [&](Value const& made) { return made.times(each) > often; });
      fault(Fault::doubled, join->rank, join->round);
    }
    if (!rules_.ordered || sorted(asked) != sorted(found->sequence)) return;
    auto const follows = [&](Content a, Content b) {
      auto const place = [&](Content c) { return std::find(asked.begin(), asked.end(), c) - asked.begin(); };
      return place(a) + 1 == place(b);
    };
    Value const* const join = earliest(
        found, [&](Value const& made) { return !follows(made.left->sequence.back(), made.right->sequence.front()); });
    fault(Fault::out_of_order, join->rank, join->round);
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
  ReductionRules const rules_;
  int joins_ = 0;
  std::vector<Pairing> pairings_;
  std::map<int, std::map<Place, Slot>> slots_;
  std::map<int, std::vector<ValuePointer>> seen_;  ///< by rank: all that has lain in its slots
  std::map<std::pair<int, Place>, int> doubtful_;  ///< right blocks that had been sent on when they were written over
  NaiveVerdict verdict_;
};

}  // namespace

NaiveVerdict naive_verdict(Schedule const& schedule, Collective const& collective) {
  return Model(schedule, collective).verdict();
}

}  // namespace rondo::testing
