// Bytes are added up along routes. On regular topologies with straight routes the sums over all messages of one
// direction are computed at once (platform/straight_loads.hpp), without a walk along every route. A replay of the
// schedule notes the content that each message moves. A content is a set of contributions and gets a number, so
// that the page can color equal contents alike.

#include "run/points/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

#include "base/ids.hpp"
#include "platform/straight_loads.hpp"

namespace rondo {

namespace {

/// Throws InputError if the sum reaches 2^63.
std::int64_t sum_of(std::int64_t a, std::int64_t b) { return (Bytes(a) + Bytes(b)).value; }
void add(std::int64_t& sum, std::int64_t more) { sum = sum_of(sum, more); }

/// What rank and round send, message by message.
/// Calls `use` with source, target and bytes of each message.
template <typename Use>
void for_each_message(Schedule const& schedule, Use const& use) {
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    Program const& program = schedule.program(Rank(rank));
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) {
        use(Rank(rank), schedule.peer(Rank(rank), send), program.bytes(send).value);
      }
    }
  }
}

template <typename Use>
void for_each_message(TaskGraph const& graph, Use const& use) {
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    for (Task const& task : graph.of(Rank(rank))) {
      if (task.kind == TaskKind::send) use(Rank(rank), Rank(task.peer), task.amount);
    }
  }
}

Seconds longest(std::vector<std::int64_t> const& bytes, double capacity) {
  if (bytes.empty()) return Seconds(0);
  return Seconds(static_cast<double>(*std::max_element(bytes.begin(), bytes.end())) / capacity);
}

/// The sums over links, by their numbers.
class LinkSums {
 public:
  explicit LinkSums(Platform const& platform)
      : routes_(platform),
        straight_(straight_loads(platform)),
        bytes_(straight_ ? 0 : at(link_ids(platform.topology))) {}

  void carry(int from, int to, std::int64_t bytes) {
    if (straight_) return straight_->add(from, to, bytes);
    route_.clear();
    routes_.append(from, to, route_);
    for (LinkId const id : route_) add(bytes_[at(id)], bytes);
  }
  std::vector<std::int64_t> by_link() { return straight_ ? straight_->by_link() : std::move(bytes_); }

 private:
  Routes routes_;
  std::optional<StraightLoads> straight_;
  std::vector<std::int64_t> bytes_;
  std::vector<LinkId> route_;
};

/// The links that exist, with their bytes. Numbers of links may have gaps (platform/regular.hpp).
std::vector<LinkLoad> links_with(std::vector<std::int64_t> const& bytes, MachineTopology const& topology) {
  std::vector<LinkLoad> links;
  for (LinkId id = 0; id < std::ssize(bytes); ++id) {
    if (auto const ends = link(topology, id)) links.push_back({id, *ends, bytes[at(id)]});
  }
  return links;
}

/// The loads of all messages. Bytes between ranks of one host count in `within`.
template <typename Messages>
LinkLoads loads_of(Messages const& messages, Platform const& platform) {
  LinkLoads loads;
  if (std::holds_alternative<PlatformFile>(platform.topology)) return loads;
  loads.out.resize(at(hosts(platform)));
  loads.in.resize(loads.out.size());
  loads.within.resize(loads.out.size());
  // Routes that are chosen when messages start are unknown here.
  bool const known = platform.routing.rule != RoutingRule::ugal && link_ids(platform.topology) > 0;
  LinkSums carried(platform);
  for_each_message(messages, [&](Rank source, Rank target, std::int64_t payload) {
    int const from = host_of(platform, source), to = host_of(platform, target);
    std::int64_t const bytes = sum_of(payload, platform.envelope.value);
    if (from == to) {
      add(loads.within[at(from)], bytes);
      return;
    }
    add(loads.out[at(from)], bytes);
    add(loads.in[at(to)], bytes);
    if (known) carried.carry(from, to, bytes);
  });
  if (known) loads.links = links_with(carried.by_link(), platform.topology);
  return loads;
}

}  // namespace

bool has_loads(Platform const& platform) {
  if (std::holds_alternative<PlatformFile>(platform.topology)) return false;
  return link_ids(platform.topology) > 0 || platform.timing == TimingModel::flow || platform.ranks_per_host > 1;
}

LinkLoads link_loads(Schedule const& schedule, Platform const& platform) { return loads_of(schedule, platform); }
LinkLoads link_loads(TaskGraph const& graph, Platform const& platform) { return loads_of(graph, platform); }
LinkLoads link_loads(Plan const& plan, Platform const& platform, std::string const& file) {
  if (auto const* const tasks = std::get_if<TaskPlan>(&plan)) return loads_of(tasks->tasks.graph.tasks, platform);
  return loads_of(schedule_plan(plan, file).schedule, platform);
}

std::optional<std::int64_t> max_link_bytes(LinkLoads const& loads) {
  if (loads.links.empty()) return std::nullopt;
  auto const less = [](LinkLoad const& a, LinkLoad const& b) { return a.bytes < b.bytes; };
  return std::max_element(loads.links.begin(), loads.links.end(), less)->bytes;
}

std::optional<double> mean_link_bytes(LinkLoads const& loads) {
  if (loads.links.empty()) return std::nullopt;
  long double sum = 0;  // exact up to 2^64, and a mean is no more than the largest
  for (LinkLoad const& each : loads.links) sum += static_cast<long double>(each.bytes);
  return static_cast<double>(sum / static_cast<long double>(loads.links.size()));
}

/// The bytes over links between groups of a dragonfly, for which papers give bounds; unset on other topologies.
std::optional<std::int64_t> global_link_bytes(LinkLoads const& loads, Platform const& platform) {
  if (!std::holds_alternative<Dragonfly>(platform.topology) || loads.links.empty()) return std::nullopt;
  std::int64_t sum = 0;
  for (LinkLoad const& each : loads.links) {
    if (between_groups(platform.topology, each.ends)) add(sum, each.bytes);
  }
  return sum;
}

/// The time that the busiest shared resource needs for its bytes: a lower bound of the simulated time.
Seconds shared_load_time(LinkLoads const& loads, Platform const& platform) {
  if (platform.timing == TimingModel::loggp) return Seconds(0);
  Seconds time(0);
  if (platform.links == LinkSharing::shared) {
    double const cable =
        (platform.rails ? platform.nics : 1) * platform.link_bandwidth.value_or(platform.bandwidth).value;
    for (LinkLoad const& each : loads.links) {
      time = std::max(time, Seconds(static_cast<double>(each.bytes) / (each.ends.cables * cable)));
    }
  }
  bool const flow = platform.timing == TimingModel::flow;
  if (flow || platform.ranks_per_host > 1) {
    double const nic = platform.nics * platform.ports * platform.bandwidth.value;
    time = std::max({time, longest(loads.out, nic), longest(loads.in, nic)});
  }
  bool const has_links = platform.island && platform.island->kind != IslandKind::memory;
  if (!flow || has_links) return time;
  BytesPerSecond const own = platform.intra_bandwidth.value_or(platform.bandwidth);
  return std::max(time, longest(loads.within, (platform.island ? platform.island->bandwidth : own).value));
}

std::string links_csv(LinkLoads const& loads) {
  std::string text = "link,from_router,to_router,cables,bytes\n";
  for (LinkLoad const& each : loads.links) {
    text += fmt::format("{},{},{},{},{}\n", each.id, each.ends.from, each.ends.to, each.ends.cables, each.bytes);
  }
  return text;
}

namespace {

using RankSlots = std::array<std::vector<std::int32_t>, buffer_count>;

/// The buffers of all ranks.
class Replay {
 public:
  /// Fills the send buffers with the blocks that ranks hold, and numbers the contents that they are owed.
  Replay(Schedule const& schedule, Collective const& collective) : schedule_(schedule) {
    for (int rank = 0; rank < schedule.ranks; ++rank) {
      RankSlots slots;
      for (std::size_t b = 0; b < buffer_count; ++b) {
        slots[b].assign(program(rank).layout().buffers[b].slots, BlockMoves::nothing);
      }
      auto const held = rondo::held(collective, Rank(rank));
      for (std::size_t i = 0; i < std::min(held.size(), slots[0].size()); ++i) slots[0][i] = number_of({held[i]});
      ranks_.push_back(std::move(slots));
      std::vector<std::int32_t> owed;
      int count = 0;
      for (Owed const& slot : rondo::owed(collective, Rank(rank))) {
        std::vector<Content> contributions;
        for (std::size_t i = 0; i < slot.contributions(); ++i) contributions.push_back(slot.contribution(i));
        owed.push_back(slot.nobodys() ? BlockMoves::nothing : number_of(std::move(contributions)));
        count += slot.nobodys() ? 0 : 1;
      }
      owed_.push_back(std::move(owed));
      moves_.owed.push_back(count);
    }
  }

  /// Copies of round 0 come before the first messages; within a round all messages move first, then the copies.
  BlockMoves run() && {
    copy(0);
    note_delivered();
    for (int round = 1; round <= schedule_.rounds(); ++round) {
      move(round);
      copy(round);
      note_delivered();
    }
    return std::move(moves_);
  }

 private:
  Program const& program(int rank) const { return schedule_.program(Rank(rank)); }

  /// The number of a set of contributions; a new set gets the next number.
  std::int32_t number_of(std::vector<Content> contributions) {
    std::sort(contributions.begin(), contributions.end());
    auto const next = static_cast<std::int32_t>(moves_.contents.size());
    auto const [place, is_new] = numbers_.emplace(std::move(contributions), next);
    if (is_new) {
      moves_.contents.push_back({place->first.front(), static_cast<int>(place->first.size())});
      contributions_.push_back(&place->first);
    }
    return place->second;
  }

  /// The slot of a place; null if the place is outside of its buffer.
  std::int32_t* slot(int rank, Place place) {
    auto& buffer = ranks_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(place.buffer())];
    return place.slot() < buffer.size() ? &buffer[place.slot()] : nullptr;
  }
  std::int32_t read(int rank, Place place) {
    std::int32_t const* const from = slot(rank, place);
    return from != nullptr ? *from : BlockMoves::nothing;
  }
  void write(int rank, Place place, std::int32_t block, Join join) {
    std::int32_t* const into = slot(rank, place);
    if (into == nullptr) return;
    *into = join == Join::none ? block : joined(*into, block);
  }
  /// The content that two contents make when they are joined. An empty slot makes the result empty.
  std::int32_t joined(std::int32_t a, std::int32_t b) {
    if (a == BlockMoves::nothing || b == BlockMoves::nothing) return BlockMoves::nothing;
    std::vector<Content> all = *contributions_[static_cast<std::size_t>(a)];
    std::vector<Content> const& more = *contributions_[static_cast<std::size_t>(b)];
    all.insert(all.end(), more.begin(), more.end());
    return number_of(std::move(all));
  }

  void copy(int round) {
    for (int rank = 0; rank < schedule_.ranks; ++rank) {
      if (round > program(rank).rounds()) continue;
      for (Copy const& each : program(rank).copies(round)) write(rank, each.into, read(rank, each.from), each.join);
    }
  }

  /// All sends of the round read before any receive writes.
  void move(int round) {
    std::map<std::pair<int, int>, std::deque<Transfer>> receives;
    std::size_t const first = moves_.messages.size();
    for (int rank = 0; rank < schedule_.ranks; ++rank) {
      if (round > program(rank).rounds()) continue;
      for (Transfer const& t : program(rank).receives(round)) {
        receives[{schedule_.peer(Rank(rank), t).value, rank}].push_back(t);
      }
      for (Transfer const& t : program(rank).sends(round)) {
        BlockMoves::Message message{round, Rank(rank), schedule_.peer(Rank(rank), t), program(rank).bytes(t),
                                    {},    false};
        for (Place const place : program(rank).places(t)) message.blocks.push_back(read(rank, place));
        moves_.messages.push_back(std::move(message));
      }
    }
    for (std::size_t m = first; m < moves_.messages.size(); ++m) {
      BlockMoves::Message& message = moves_.messages[m];
      auto& waiting = receives[{message.source.value, message.target.value}];
      if (waiting.empty()) continue;
      auto const into = program(message.target.value).places(waiting.front());
      for (std::size_t k = 0; k < std::min(into.size(), message.blocks.size()); ++k) {
        write(message.target.value, into[k], message.blocks[k], waiting.front().join);
      }
      message.received = true;
      waiting.pop_front();
    }
  }

  /// Counts, for each rank, the owed blocks that lie in their places after the current round.
  void note_delivered() {
    std::vector<int> counts;
    for (std::size_t rank = 0; rank < owed_.size(); ++rank) {
      auto const& receive = ranks_[rank][static_cast<std::size_t>(Buffer::receive)];
      int count = 0;
      for (std::size_t i = 0; i < std::min(receive.size(), owed_[rank].size()); ++i) {
        count += owed_[rank][i] != BlockMoves::nothing && receive[i] == owed_[rank][i] ? 1 : 0;
      }
      counts.push_back(count);
    }
    moves_.delivered.push_back(std::move(counts));
  }

  Schedule const& schedule_;
  BlockMoves moves_;
  std::map<std::vector<Content>, std::int32_t> numbers_;    ///< by contributions, in order
  std::vector<std::vector<Content> const*> contributions_;  ///< by number
  std::vector<RankSlots> ranks_;
  std::vector<std::vector<std::int32_t>> owed_;  ///< by rank, by receive slot
};

}  // namespace

BlockMoves block_moves(Schedule const& schedule, Collective const& collective) {
  return Replay(schedule, collective).run();
}

}  // namespace rondo
