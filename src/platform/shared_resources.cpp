// Numbers what flows share, in one range for each kind.

#include "platform/shared_resources.hpp"

#include "base/index.hpp"

namespace rondo {

SharedResources::SharedResources(Paths const& paths, Platform const& platform, int hosts, LinkId kinds, Number first)
    : paths_(paths),
      platform_(platform),
      hosts_(hosts),
      kinds_(kinds),
      first_(first),
      shares_nics_(!has_file_numbers(platform) &&
                   (platform.timing == TimingModel::flow || platform.ranks_per_host > 1)),
      shares_links_(kinds > 0 && platform.links == LinkSharing::shared),
      shares_memories_(platform.timing == TimingModel::flow && platform.ranks_per_host > 1) {
  if (shares_nics_) {
    // A NIC carries all ports of a rank. Under linear timing the only rank of a host can therefore never wait for
    // it.
    double const nic = platform_.ports * platform_.bandwidth.value;
    first_up_ = add(hosts_ * platform_.nics, nic);
    first_down_ = add(hosts_ * platform_.nics, nic);
  }
  if (platform_.island && platform_.island->kind != IslandKind::memory) shares_memories_ = false;
  if (shares_islands(platform)) add_island(*platform_.island);
  if (shares_memories_) {
    BytesPerSecond const memory_bandwidth = platform_.intra_bandwidth.value_or(platform_.bandwidth);
    first_memory_ = add(hosts_, (platform_.island ? platform_.island->bandwidth : memory_bandwidth).value);
  }
  if (shares_links_) add_links();
}

SharedResources::Number SharedResources::add(std::int64_t count, double capacity) {
  std::size_t const first = first_ + capacities_.size();
  capacities_.resize(capacities_.size() + at(count), capacity);
  return static_cast<Number>(first);
}

/// With a switch, an island has the link out of each rank and then the link into it; otherwise it has a row of links
/// out of each rank.
void SharedResources::add_island(Island const& island) {
  std::int64_t const ranks = platform_.ranks_per_host;
  between_ = ranks * (island.kind == IslandKind::central_switch ? 2 : ranks);
  first_joint_ = add(hosts_ * between_, island.bandwidth.value);
}

/// The links of the topology, once for each copy of the network.
void SharedResources::add_links() {
  double const cable = platform_.link_bandwidth.value_or(platform_.bandwidth).value;
  first_link_ = static_cast<Number>(first_ + capacities_.size());
  for (int network = 0; network < (platform_.rails ? platform_.nics : 1); ++network) {
    for (LinkId id = 0; id < kinds_; ++id) {
      auto const found = link(platform_.topology, id);
      capacities_.push_back(found ? found->cables * cable : cable);
    }
  }
}

SharedResources::Number SharedResources::link_between(int host, int from, int to) const {
  return first_joint_ + static_cast<Number>(host * between_ + std::int64_t{from} * platform_.ranks_per_host + to);
}

SharedResources::Number SharedResources::nic(Number first, int host, int nic) const {
  return hosts_ == 1 ? first : first + static_cast<Number>(std::int64_t{host} * platform_.nics + nic);
}

/// What a message within a host uses: its memory, or links of its island.
void SharedResources::append_within(Rank from, Rank to, std::vector<Number>& into) const {
  int const host = paths_.host(from);
  if (shares_memories_) return into.push_back(first_memory_ + static_cast<Number>(host));
  if (!joins_by_links() || from == to) return;
  int const source = paths_.place(from), target = paths_.place(to);
  if (platform_.island->kind == IslandKind::links) return into.push_back(link_between(host, source, target));
  into.push_back(link_between(host, 0, source));
  into.push_back(link_between(host, 1, target));
}

void SharedResources::append_out(Rank from, NicPair nics, std::vector<Number>& into) const {
  if (shares_nics_) into.push_back(nic(first_up_, paths_.host(from), nics.out));
}

/// The links of a route.
void SharedResources::append_links(NicPair nics, std::span<LinkId const> links, std::vector<Number>& into) const {
  if (!shares_links_) return;
  Number const first = first_link_ + static_cast<Number>(platform_.rails ? nics.out * kinds_ : 0);
  // The division is avoided when the number is small enough already, because it costs more than the comparison.
  for (LinkId const id : links) into.push_back(first + static_cast<Number>(id < kinds_ ? id : id % kinds_));
}

/// The NIC of the target, and what a forwarded message uses behind it.
void SharedResources::append_in(Rank from, Rank to, NicPair nics, std::vector<Number>& into) const {
  int const host = paths_.host(to);
  if (shares_nics_) into.push_back(nic(first_down_, host, nics.in));
  if (!paths_.is_forwarded(from, to)) return;
  if (shares_memories_) return into.push_back(first_memory_ + static_cast<Number>(host));
  if (!joins_by_links()) return;
  bool const by_switch = platform_.island->kind == IslandKind::central_switch;
  into.push_back(link_between(host, by_switch ? 1 : paths_.first_place_on(nics.in), paths_.place(to)));
}

}  // namespace rondo
