// All-to-alls over lanes. The block for neighbor i waits in the receive slot i and in the intermediate slot i by turns,
// so that no slot is read and written in one round. After its last hop it lies in the receive slot.

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "generate/lanes.hpp"

namespace rondo::generate {
namespace {

/// Knows how many hops each block takes in all, and how many of them are left.
class HopCounts {
 public:
  /// Counts each block's hops. In the printed reading all hops over its first link are read from the send buffer,
  /// otherwise only the first hop is.
  HopCounts(Lanes const& lanes, problem::Reading reading)
      : all_(static_cast<std::size_t>(lanes.neighbors), 0), from_send_buffer_(all_) {
    for (Lane const& lane : lanes.lanes) {
      for (Lane::Use const& use : lane.uses) {
        auto const i = static_cast<std::size_t>(use.neighbor);
        if (all_[i] == 0) from_send_buffer_[i] = reading == problem::Reading::printed ? use.hops : 1;
        all_[i] += use.hops;
      }
    }
    left_ = all_;
  }

  /// Whether block i takes no hop, because a rank has it for itself.
  bool stays(int i) const { return all_[static_cast<std::size_t>(i)] == 0; }
  /// The hops of all blocks together.
  std::int64_t volume() const { return std::accumulate(all_.begin(), all_.end(), std::int64_t{0}); }
  /// Whether some block takes more than one hop, so that intermediate slots are needed.
  bool waits_on_the_way() const {
    return std::any_of(all_.begin(), all_.end(), [](int hops) { return hops > 1; });
  }

  /// Block i takes a hop. Returns the place from which it is sent and the place into which it is received. If the
  /// number of hops left, with this one, is odd, the hop ends in the receive buffer, and so does the last hop. The
  /// first hops are read from the send buffer.
  Copy hop(int i) {
    auto const slot = static_cast<std::uint32_t>(i);
    int const left = left_[slot]--;
    bool const odd = left % 2 != 0;
    bool const first = all_[slot] - left < from_send_buffer_[slot];
    Place const from = first ? send_slot(slot) : odd ? intermediate_slot(slot) : receive_slot(slot);
    return {from, odd ? receive_slot(slot) : intermediate_slot(slot)};
  }

 private:
  // By neighbor, the block's hops:
  std::vector<int> all_;
  std::vector<int> from_send_buffer_;  ///< how many of the first ones are read from the send buffer
  std::vector<int> left_;              ///< how many it still has to take
};

/// Keeps track of the position of each block on its way, and writes the messages of each round.
class BlockPositions {
 public:
  BlockPositions(Lanes const& lanes, HopCounts& hop_counts, ProgramBuilder& builder)
      : hop_counts_(hop_counts),
        offsets_(lanes.torus.dimensions()),
        builder_(builder),
        waiting_(lanes.links),
        ahead_(at(lanes.links), -1),
        behind_(ahead_),
        next_(at(lanes.neighbors) + 1, 0) {
    for (Lane const& lane : lanes.lanes) {
      if (ahead_[at(lane.link)] < 0) {
        ahead_[at(lane.link)] = offsets_.index(lane.step, +1);
        behind_[at(lane.link)] = offsets_.index(lane.step, -1);
      }
      for (Lane::Use const& use : lane.uses) ++next_[at(use.neighbor) + 1];
    }
    std::partial_sum(next_.begin(), next_.end(), next_.begin());
    stretches_.resize(next_.back());
    std::vector<std::size_t> free = next_;
    for (Lane const& lane : lanes.lanes) {
      for (Lane::Use const& use : lane.uses) stretches_[free[at(use.neighbor)]++] = {lane.link, use.hops};
    }
    end_ = {next_.begin() + 1, next_.end()};
    for (int i = 0; i < lanes.neighbors; ++i) wait(i);
  }

  /// Blocks that wait for one of the links take a hop; a round without any is left out.
  void write_round(std::vector<int> const& links) {
    bool begun = false;
    for (int const link : links) {
      moving_.push_back(waiting_.take(link));
      if (moving_.back().empty()) continue;
      if (!std::exchange(begun, true)) builder_.begin_round();
      write_message(link, moving_.back());
    }
    for (std::vector<int> const& moved : moving_) {
      for (int const i : moved) hop(i);
    }
    moving_.clear();
  }

  /// Whether all blocks have arrived.
  bool arrived() const { return left_ == 0; }
  Offsets offsets() && { return std::move(offsets_); }

 private:
  /// Hops that a block has to take over one link.
  struct Stretch {
    int link, hops;
  };

  /// Lets block i wait for the link of its next hop, unless it has arrived.
  void wait(int i) {
    if (next_[at(i)] == end_[at(i)]) return;
    waiting_.add(stretches_[next_[at(i)]].link, i);
    ++left_;
  }

  /// Moves block i past the hop that it has taken in this round.
  void hop(int i) {
    --left_;
    if (--stretches_[next_[at(i)]].hops == 0) ++next_[at(i)];
    wait(i);
  }

  /// Writes the receive and the send over one link in a round, of the blocks for these neighbors.
  void write_message(int link, std::vector<int> const& neighbors) {
    from_.clear();
    into_.clear();
    for (int const i : neighbors) {
      Copy const hop = hop_counts_.hop(i);
      from_.push_back(hop.from);
      into_.push_back(hop.into);
    }
    builder_.receive(behind_[at(link)], into_);
    builder_.send(ahead_[at(link)], from_);
  }

  HopCounts& hop_counts_;
  Offsets offsets_;
  ProgramBuilder& builder_;
  Waiting waiting_;                           ///< the blocks, by neighbor, that wait for each link
  std::vector<std::int32_t> ahead_, behind_;  ///< by link: the offsets of its target and its source, as indices
  std::vector<Stretch> stretches_;            ///< of all ways: a link, and the number of remaining hops along it
  std::vector<std::size_t> next_, end_;       ///< by neighbor: the remaining stretches of its way
  int left_ = 0;                              ///< how many blocks have not arrived
  std::vector<std::vector<int>> moving_;      ///< in a round: the blocks that take a hop, by link
  std::vector<Place> from_, into_;            ///< the places of the message that is being written
};

}  // namespace

Schedule combine_alltoall(Lanes const& lanes, BlockSizes const& sizes, Promises promises, problem::Reading reading) {
  HopCounts hop_counts(lanes, reading);
  ProgramBuilder builder(alltoall_layout(lanes.neighbors, sizes, hop_counts.waits_on_the_way()));
  builder.reserve(static_cast<std::size_t>(2 * hop_counts.volume()));
  // The printed text leaves out the block that a rank has for itself.
  for (int i = 0; i < lanes.neighbors && reading != problem::Reading::printed; ++i) {
    auto const slot = static_cast<std::uint32_t>(i);
    if (hop_counts.stays(i)) builder.copy(send_slot(slot), receive_slot(slot));
  }
  BlockPositions travel(lanes, hop_counts, builder);
  for (std::vector<int> const& links : lane_rounds(lanes, promises.ports)) travel.write_round(links);
  expects(travel.arrived(), "rounds in which all blocks arrive");
  return isomorphic(lanes.torus, std::move(travel).offsets(), promises, std::move(builder));
}

}  // namespace rondo::generate
