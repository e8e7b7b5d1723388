#include "engine/native/wiring.hpp"

#include "base/index.hpp"

namespace rondo::native {

Wiring::Wiring(Platform const& platform, FileRoutes const* file)
    : platform_(platform),
      file_(file),
      shared_nics_(file == nullptr && platform.ranks_per_host > 1),
      shared_links_(file == nullptr && platform.links == LinkSharing::shared) {
  if (file != nullptr) capacities_ = file->capacities;
  if (shared_nics_) add_nics();
  if (shared_links_) add_links();
}

/// A NIC carries all ports of a rank. A host with one rank never waits for it.
void Wiring::add_nics() {
  auto const count = at(hosts(platform_));
  capacities_.assign(2 * count, platform_.ports * platform_.bandwidth.value);
  first_down_ = static_cast<std::uint32_t>(count);
}

void Wiring::add_links() {
  first_link_ = static_cast<std::uint32_t>(capacities_.size());
  double const cable = platform_.link_bandwidth.value_or(platform_.bandwidth).value;
  for (LinkId id = 0; id < link_ids(platform_.topology); ++id) {
    auto const found = link(platform_.topology, id);
    capacities_.push_back(found ? found->cables * cable : cable);
  }
}

Wiring::Lane Wiring::lane(std::int32_t from, std::int32_t to) const {
  int const source = host_of(platform_, Rank(from));
  int const target = host_of(platform_, Rank(to));
  double const before = startup(platform_, source, target).value;
  double bandwidth = platform_.bandwidth.value;
  if (source == target) {
    bandwidth = platform_.intra_bandwidth.value_or(platform_.bandwidth).value;
  } else if (file_ != nullptr) {
    return {before, bandwidth, std::min(bandwidth, file_->route_of(from, to).narrowest)};
  }
  return {before, bandwidth, bandwidth};
}

bool Wiring::shares(std::int32_t from, std::int32_t to) const {
  return host_of(platform_, Rank(from)) != host_of(platform_, Rank(to));
}

void Wiring::route(std::int32_t from, std::int32_t to, std::vector<std::uint32_t>& into) const {
  into.clear();
  if (file_ != nullptr) return file_->append(from, to, into);
  auto const source = static_cast<std::uint32_t>(host_of(platform_, Rank(from)));
  auto const target = static_cast<std::uint32_t>(host_of(platform_, Rank(to)));
  if (shared_nics_) into.push_back(source);
  if (shared_links_) {
    links_.clear();
    append_route(platform_.topology, static_cast<int>(source), static_cast<int>(target), links_);
    for (LinkId const id : links_) into.push_back(first_link_ + static_cast<std::uint32_t>(id));
  }
  if (shared_nics_) into.push_back(first_down_ + target);
}

}  // namespace rondo::native
