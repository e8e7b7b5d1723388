#include "engine/native/wiring.hpp"

#include "base/index.hpp"

namespace rondo::native {

Wiring::Wiring(Platform const& platform, FileRoutes const* file, int ranks)
    : Wiring(platform, file, at(file == nullptr ? hosts(platform) : ranks), link_ids(platform.topology)) {}

/// The link that leaves router r upwards in dimension j has the number 2 * (r * d + j), the one downwards follows it.
Wiring Wiring::of_one_rank(Platform const& platform, int dimensions) {
  return {platform, nullptr, 1, LinkId{2} * dimensions};
}

Wiring::Wiring(Platform const& platform, FileRoutes const* file, std::size_t hosts, LinkId kinds)
    : platform_(platform),
      routes_(platform),
      file_(file),
      hosts_(hosts),
      kinds_(kinds),
      shared_nics_(platform.timing == TimingModel::flow || (file == nullptr && platform.ranks_per_host > 1)),
      shared_links_(file == nullptr && platform.links == LinkSharing::shared),
      shared_memories_(platform.timing == TimingModel::flow && platform.ranks_per_host > 1) {
  if (file != nullptr) capacities_ = file->capacities;
  if (shared_nics_) {
    // A NIC carries all ports of a rank. Under linear timing a host with one rank never waits for it.
    double const nic = platform_.ports * platform_.bandwidth.value;
    first_up_ = add_hosts(nic);
    first_down_ = add_hosts(nic);
  }
  if (shared_memories_) first_memory_ = add_hosts(platform_.intra_bandwidth.value_or(platform_.bandwidth).value);
  if (shared_links_) add_links();
}

std::uint32_t Wiring::add_hosts(double capacity) {
  auto const first = static_cast<std::uint32_t>(capacities_.size());
  capacities_.resize(capacities_.size() + hosts_, capacity);
  return first;
}

void Wiring::add_links() {
  first_link_ = static_cast<std::uint32_t>(capacities_.size());
  double const cable = platform_.link_bandwidth.value_or(platform_.bandwidth).value;
  for (LinkId id = 0; id < kinds_; ++id) {
    auto const found = link(platform_.topology, id);
    capacities_.push_back(found ? found->cables * cable : cable);
  }
}

Wiring::Lane Wiring::lane(std::int32_t from, std::int32_t to, std::uint8_t piece) const {
  int const source = host_of(platform_, Rank(from));
  int const target = host_of(platform_, Rank(to));
  Way const own = routes_.way(source, target, piece);
  double const bandwidth = own.bandwidth.value;
  bool const by_file = source != target && file_ != nullptr;
  double const cap = by_file ? std::min(bandwidth, file_->route_of(from, to).narrowest) : bandwidth;
  return {own.startup.value, bandwidth, cap};
}

bool Wiring::shares(std::int32_t from, std::int32_t to) const {
  return shared_memories_ || host_of(platform_, Rank(from)) != host_of(platform_, Rank(to));
}

Wiring::Lane Wiring::route(std::int32_t from, std::int32_t to, std::uint8_t piece,
                           std::vector<std::uint32_t>& into) const {
  links_.clear();
  int const source = host_of(platform_, Rank(from)), target = host_of(platform_, Rank(to));
  if (shared_links_ && source != target) routes_.append(source, target, links_);
  route_over(from, to, links_, into);
  if (links_.empty()) return lane(from, to, piece);
  // The route tells how many links it has, which would take as long to find out again.
  Way const own = routes_.way_over(links_.size(), piece);
  return {own.startup.value, own.bandwidth.value, own.bandwidth.value};
}

void Wiring::route_over(std::int32_t from, std::int32_t to, std::vector<LinkId> const& links,
                        std::vector<std::uint32_t>& into) const {
  into.clear();
  auto const source = static_cast<std::uint32_t>(host_of(platform_, Rank(from)));
  auto const target = static_cast<std::uint32_t>(host_of(platform_, Rank(to)));
  if (source == target) return into.push_back(first_memory_ + source);
  if (shared_nics_) into.push_back(first_up_ + nic_of(source));
  if (file_ != nullptr) file_->append(from, to, into);
  for (LinkId const id : links) {
    // To divide takes longer than to look whether it is needed.
    into.push_back(first_link_ + static_cast<std::uint32_t>(id < kinds_ ? id : id % kinds_));
  }
  if (shared_nics_) into.push_back(first_down_ + nic_of(target));
}

}  // namespace rondo::native
