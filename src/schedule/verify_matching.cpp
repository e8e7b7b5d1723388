// Matches sends and receives between each two ranks in the order of their posting. Time and memory are linear in the
// number of messages. The partners at a rank are computed from its coordinates once, and reused for all rounds.

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "schedule/verify_parts.hpp"

namespace rondo::verification {
namespace {

/// Computes Subject::partner for many transfers of one rank after another. It adds offsets to coordinates without a
/// division, because the matching of messages asks for the partner of every message.
class Partners {
 public:
  explicit Partners(Subject const& subject);
  std::optional<Rank> of(Rank rank, Transfer const& transfer);

 private:
  Subject const& subject_;
  bool relative_;  ///< partners are at offsets of a torus that has them
  std::vector<int> extents_;
  std::vector<int> offsets_;  ///< the schedule's offsets, wrapped into the extents
  Rank rank_{-1};
  std::vector<int> coordinates_;  ///< the coordinates of rank_
};

Partners::Partners(Subject const& subject) : subject_(subject) {
  Schedule const& schedule = subject.schedule;
  relative_ = !schedule.offsets.empty() && schedule.torus && schedule.torus->size() == schedule.ranks &&
              schedule.torus->dimensions() > 0;
  if (!relative_) return;
  extents_ = schedule.torus->extents();
  for (std::size_t i = 0; i < schedule.offsets.size(); ++i) {
    int const extent = extents_[i % extents_.size()];
    int const remainder = schedule.offsets[i] % extent;
    offsets_.push_back(remainder < 0 ? remainder + extent : remainder);
  }
}

/// Unset if there is no such rank, which verify.cpp reports.
std::optional<Rank> Partners::of(Rank rank, Transfer const& transfer) {
  std::size_t const d = extents_.size();
  bool const is_tabulated =
      relative_ && transfer.peer >= 0 && (static_cast<std::size_t>(transfer.peer) + 1) * d <= offsets_.size();
  if (!is_tabulated) return subject_.partner(rank, transfer);
  if (rank != rank_) {
    rank_ = rank;
    coordinates_ = subject_.schedule.torus->coordinates(rank);
  }
  int const* const offset = offsets_.data() + static_cast<std::size_t>(transfer.peer) * d;
  int partner = 0;
  for (std::size_t j = 0; j < d; ++j) {
    int const sum = coordinates_[j] + offset[j];
    partner = partner * extents_[j] + (sum >= extents_[j] ? sum - extents_[j] : sum);
  }
  return partner != rank.value ? std::optional(Rank(partner)) : std::nullopt;
}

/// Sorts items by an integer key in [0, keys), stably, and returns where the items of each key begin.
template <typename T, typename Key>
std::vector<std::size_t> sort_by(std::vector<T>& items, int keys, Key const& key) {
  std::vector<std::size_t> starts(static_cast<std::size_t>(keys) + 1, 0);
  for (T const& item : items) ++starts[static_cast<std::size_t>(key(item)) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  std::vector<T> sorted(items.size());
  for (T const& item : items) sorted[next[static_cast<std::size_t>(key(item))]++] = item;
  items = std::move(sorted);
  return starts;
}

/// A send that waits for its receive.
struct Posted {
  Rank source, target;
  int round = 0;
  std::span<Place const> from;
};

/// Goes through targets; for each one, sends are grouped by source.
class Matching {
 public:
  explicit Matching(Subject const& subject)
      : subject_(subject), partners_(subject), pair_of_(static_cast<std::size_t>(subject.schedule.ranks), no_pair) {}

  /// All messages, sorted by the later of their two rounds.
  std::vector<Message> messages() && {
    collect_sends();
    // Sends are collected by source, so that those to one target stay in the order of their sources.
    std::vector<std::size_t> const starts =
        sort_by(sends_, subject_.followed(), [](Posted const& send) { return send.target.value; });
    messages_.reserve(messages_.size() + sends_.size());
    for (int t = 0; t < subject_.followed(); ++t) {
      auto const target = static_cast<std::size_t>(t);
      group(starts[target], starts[target + 1]);
      meet(Rank(t));
      leave_unmatched();
    }
    sort_by(messages_, subject_.rounds + 1, [](Message const& message) { return message.round(); });
    return std::move(messages_);
  }

 private:
  /// The sends from one rank to the current target.
  struct Pair {
    Rank source;
    std::size_t next, end;             ///< those that no receive has met yet
    std::size_t surplus_receives = 0;  ///< receives that no send was left for
  };

  /// If rank 0 stands for all, a rank at C does what rank 0 does. A send of rank 0 to C therefore tells of a send to
  /// rank 0 from the rank at (-) C, which this returns.
  Rank mirror(Rank rank) const {
    Torus const& torus = *subject_.schedule.torus;
    return torus.subtract(Rank(0), torus.coordinates(rank));
  }

  /// If one rank stands for all, a send of it is mirrored: it comes from the rank that has rank 0 as its partner.
  void collect_sends() {
    bool const mirrored = subject_.scope == Scope::representative;
    for (int r = 0; r < subject_.followed(); ++r) {
      Program const& program = subject_.program(Rank(r));
      for (int round = 1; round <= program.rounds(); ++round) {
        for (Transfer const& send : program.sends(round)) {
          auto const partner = partners_.of(Rank(r), send);
          auto const places = program.places(send);
          if (!partner) {
            messages_.push_back({Rank(r), Rank(-1), round, 0, places, {}, false, Join::none, send.peer});
          } else if (mirrored) {
            sends_.push_back({mirror(*partner), Rank(0), round, places});
          } else {
            sends_.push_back({Rank(r), *partner, round, places});
          }
        }
      }
    }
    if (mirrored) {
      std::stable_sort(sends_.begin(), sends_.end(),
                       [](Posted const& a, Posted const& b) { return a.source < b.source; });
    }
  }

  /// Finds the sends of each source among those to one target.
  void group(std::size_t first, std::size_t last) {
    for (Pair const& each : pairs_) pair_of_[static_cast<std::size_t>(each.source.value)] = no_pair;
    pairs_.clear();
    for (std::size_t i = first; i < last; ++i) {
      if (pairs_.empty() || pairs_.back().source != sends_[i].source) {
        pair_of_[static_cast<std::size_t>(sends_[i].source.value)] = static_cast<std::uint32_t>(pairs_.size());
        pairs_.push_back({sends_[i].source, i, i});
      }
      pairs_.back().end = i + 1;
    }
  }

  Pair* pair(Rank source) {
    std::uint32_t const found = pair_of_[static_cast<std::size_t>(source.value)];
    return found == no_pair ? nullptr : &pairs_[found];
  }

  /// Gives each receive the next send of its source.
  void meet(Rank target) {
    Program const& program = subject_.program(target);
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& receive : program.receives(round)) {
        auto const source = partners_.of(target, receive);
        auto const into = program.places(receive);
        Pair* const from = source ? pair(*source) : nullptr;
        if (from != nullptr && from->next < from->end) {
          Posted const& send = sends_[from->next++];
          if (send.round != round) late_.push_back({messages_.size(), from});
          messages_.push_back({send.source, target, send.round, round, send.from, into, false, receive.join});
        } else {
          if (from != nullptr) ++from->surplus_receives;
          messages_.push_back(
              {source.value_or(Rank(-1)), target, 0, round, {}, into, false, receive.join, receive.peer});
        }
      }
    }
    silence_consequences();
  }

  /// If one operation between two ranks is missing, all later ones meet the wrong partner. Only the first is reported;
  /// the others are made quiet.
  void silence_consequences() {
    std::vector<Pair const*> reported;
    for (auto const& [message, from] : late_) {
      if (from->next == from->end && from->surplus_receives == 0) continue;
      messages_[message].quiet = std::find(reported.begin(), reported.end(), from) != reported.end();
      if (!messages_[message].quiet) reported.push_back(from);
    }
    late_.clear();
  }

  /// Sends that no receive met become messages without a receive.
  void leave_unmatched() {
    for (Pair const& each : pairs_) {
      for (std::size_t i = each.next; i < each.end; ++i) {
        Posted const& send = sends_[i];
        bool const mirrored = subject_.scope == Scope::representative;
        Rank const source = mirrored ? Rank(0) : send.source;
        Rank const target = mirrored ? mirror(send.source) : send.target;
        messages_.push_back({source, target, send.round, 0, send.from, {}, false});
      }
    }
  }

  /// A message whose rounds differ.
  struct LateMessage {
    std::size_t message;
    Pair const* from;
  };

  static constexpr std::uint32_t no_pair = 0xffff'ffff;

  Subject const& subject_;
  Partners partners_;
  std::vector<Posted> sends_;
  std::vector<Pair> pairs_;             ///< the pairs of sources with the target at hand, by source
  std::vector<std::uint32_t> pair_of_;  ///< by source: its place among these
  std::vector<LateMessage> late_;       ///< messages to the target at hand whose rounds differ
  std::vector<Message> messages_;
};

}  // namespace

std::vector<Message> match(Subject const& subject) { return Matching(subject).messages(); }

}  // namespace rondo::verification
