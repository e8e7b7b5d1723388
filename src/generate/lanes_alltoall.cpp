#include <algorithm>
#include <numeric>
#include <span>

#include "generate/lanes.hpp"

namespace rondo::generate {
namespace {

/// How far each block has come on its way.
class Itinerary {
 public:
  Itinerary(Lanes const& lanes, problem::Reading reading)
      : all_(static_cast<std::size_t>(lanes.neighbors), 0), from_send_buffer_(all_) {
    for (Lane const& lane : lanes.lanes) {
      if (lanes.self(lane)) continue;
      for (Lane::Use const& use : lane.uses) {
        auto const i = static_cast<std::size_t>(use.neighbor);
        if (all_[i] == 0) from_send_buffer_[i] = reading == problem::Reading::printed ? use.hops : 1;
        all_[i] += use.hops;
      }
    }
    left_ = all_;
  }

  bool stays(int i) const { return all_[static_cast<std::size_t>(i)] == 0; }
  std::int64_t volume() const { return std::accumulate(all_.begin(), all_.end(), std::int64_t{0}); }
  bool waits_on_the_way() const {
    return std::any_of(all_.begin(), all_.end(), [](int hops) { return hops > 1; });
  }

  /// Block i takes a hop: the place it is sent from and the place it is received in. With an odd number of hops left it
  /// goes to the receive buffer, so that its last hop ends there; before its first hop it lies in the send buffer.
  Copy hop(int i) {
    auto const slot = static_cast<std::uint32_t>(i);
    int const left = left_[slot]--;
    bool const odd = left % 2 != 0;
    bool const first = all_[slot] - left < from_send_buffer_[slot];
    Place const from = first ? send_slot(slot) : odd ? intermediate_slot(slot) : receive_slot(slot);
    return {from, odd ? receive_slot(slot) : intermediate_slot(slot)};
  }

 private:
  std::vector<int> all_;
  std::vector<int> from_send_buffer_;  ///< how many of the first hops
  std::vector<int> left_;
};

/// The rounds of the lanes that are used at the same time.
class LaneGroup {
 public:
  LaneGroup(Itinerary& itinerary, Offsets& offsets, ProgramBuilder& builder, int neighbors)
      : itinerary_(itinerary), offsets_(offsets), builder_(builder), taken_(static_cast<std::size_t>(neighbors), 0) {}

  void add(Lane const& lane) {
    Members members{offsets_.index(lane.step, +1), offsets_.index(lane.step, -1), {}};
    members.ways.reserve(lane.uses.size());
    for (Lane::Use const& use : lane.uses) {
      int& taken = taken_[static_cast<std::size_t>(use.neighbor)];
      members.ways.push_back({use.neighbor, taken, taken + use.hops});
      taken += use.hops;
      rounds_ = std::max(rounds_, taken);
    }
    lanes_.push_back(std::move(members));
  }

  int lanes() const { return static_cast<int>(lanes_.size()); }

  void write() {
    for (int round = 0; round < rounds_; ++round) {
      builder_.begin_round();
      for (Members const& members : lanes_) write(members, round);
    }
    for (Members const& members : lanes_) {
      for (Way const& way : members.ways) taken_[static_cast<std::size_t>(way.neighbor)] = 0;
    }
    lanes_.clear();
    rounds_ = 0;
  }

 private:
  /// The block of a neighbor takes the lane in the group's rounds [begin, end).
  struct Way {
    int neighbor, begin, end;
  };
  struct Members {
    std::int32_t ahead, behind;
    std::vector<Way> ways;
  };

  void write(Members const& members, int round) {
    from_.clear();
    into_.clear();
    for (Way const& way : members.ways) {
      if (round < way.begin || round >= way.end) continue;
      Copy const hop = itinerary_.hop(way.neighbor);
      from_.push_back(hop.from);
      into_.push_back(hop.into);
    }
    if (from_.empty()) return;
    builder_.receive(members.behind, into_);
    builder_.send(members.ahead, from_);
  }

  Itinerary& itinerary_;
  Offsets& offsets_;
  ProgramBuilder& builder_;
  std::vector<int> taken_;  ///< by neighbor: hops in this group so far
  std::vector<Members> lanes_;
  int rounds_ = 0;
  std::vector<Place> from_, into_;
};

}  // namespace

Schedule combine_alltoall(Lanes const& lanes, BlockSizes const& sizes, Promises promises, problem::Reading reading) {
  Itinerary itinerary(lanes, reading);
  ProgramBuilder builder(alltoall_layout(lanes.neighbors, sizes, itinerary.waits_on_the_way()));
  builder.reserve(static_cast<std::size_t>(2 * itinerary.volume()));
  // The printed text leaves out the block that a rank has for itself.
  for (int i = 0; i < lanes.neighbors && reading != problem::Reading::printed; ++i) {
    auto const slot = static_cast<std::uint32_t>(i);
    if (itinerary.stays(i)) builder.copy(send_slot(slot), receive_slot(slot));
  }
  Offsets offsets(lanes.torus.dimensions());
  LaneGroup group(itinerary, offsets, builder, lanes.neighbors);
  for (Lane const& lane : lanes.lanes) {
    if (lanes.self(lane)) continue;
    group.add(lane);
    if (group.lanes() == promises.ports) group.write();
  }
  group.write();
  return isomorphic(lanes.torus, std::move(offsets), promises, std::move(builder));
}

}  // namespace rondo::generate
