// Finds the links of a message: routes of the topology or of a platform file, NICs and memories.

#include "engine/native/flow_links.hpp"

#include "base/index.hpp"

namespace rondo::native {

FlowLinks::FlowLinks(Platform const& platform, FileRoutes const* file, int ranks)
    : FlowLinks(platform, file, file == nullptr ? rondo::hosts(platform) : ranks, link_ids(platform.topology)) {}

/// On a torus the link upwards from router r in dimension j has the number 2 * (r * d + j), and the link downwards the
/// next one. So the links of router 0 represent all kinds of links.
FlowLinks FlowLinks::of_one_rank(Platform const& platform, int dimensions) {
  return {platform, nullptr, 1, LinkId{2} * dimensions};
}

FlowLinks::FlowLinks(Platform const& platform, FileRoutes const* file, int hosts, LinkId kinds)
    : platform_(platform),
      file_(file),
      paths_(platform),
      resources_(paths_, platform, hosts, kinds,
                 file == nullptr ? 0 : static_cast<SharedResources::Number>(file->capacities.size())),
      hosts_(hosts) {
  if (file != nullptr) capacities_ = file->capacities;
  capacities_.insert(capacities_.end(), resources_.capacities().begin(), resources_.capacities().end());
}

/// The start-up and bandwidth of a message without links.
FlowLinks::Lane FlowLinks::lane(std::int32_t from, std::int32_t to, SizeClass size) const {
  RouteCost const cost = paths_.route_cost(Rank(from), Rank(to), size);
  double const bandwidth = cost.bandwidth.value;
  bool const by_file = from != to && file_ != nullptr && !has_file_numbers(platform_);
  double const cap =
      by_file ? std::min(bandwidth, file_->route_of(paths_.host(Rank(from)), paths_.host(Rank(to))).narrowest)
              : bandwidth;
  return {cost.startup.value, bandwidth, cap};
}

bool FlowLinks::shares(std::int32_t from, std::int32_t to) const {
  if (has_file_numbers(platform_) || paths_.host(Rank(from)) != paths_.host(Rank(to))) return true;
  return resources_.shares_within() && (from != to || resources_.shares_memories());
}

/// Appends the numbers of the links that a message shares, and returns its cost.
FlowLinks::Lane FlowLinks::route(std::int32_t from, std::int32_t to, SizeClass size,
                                 std::vector<std::uint32_t>& into) const {
  links_.clear();
  int const source = paths_.host(Rank(from)), target = paths_.host(Rank(to));
  if (resources_.shares_links() && source != target) paths_.routes().append(source, target, links_);
  route_over(from, to, size, 0, links_, into);
  if (links_.empty()) return lane(from, to, size);
  // The route itself gives the number of its links, which would take as long to compute again.
  RouteCost const cost = paths_.cost_over(Rank(from), Rank(to), links_.size(), size);
  return {cost.startup.value, cost.bandwidth.value, cost.bandwidth.value};
}

/// Collects the links in the order of the route: out of the sender's host, over the network, into the receiver's host.
void FlowLinks::route_over(std::int32_t from, std::int32_t to, SizeClass size, int flow,
                           std::vector<LinkId> const& links, std::vector<std::uint32_t>& into) const {
  into.clear();
  Rank const source(from), target(to);
  if (has_file_numbers(platform_)) return file_->append(paths_.host(source), paths_.host(target), into);
  if (paths_.host(source) == paths_.host(target)) return resources_.append_within(source, target, into);
  NicPair const nics = paths_.nics(source, target, size, flow);
  resources_.append_out(source, nics, into);
  if (file_ != nullptr) file_->append(paths_.host(source), paths_.host(target), into);
  resources_.append_links(nics, links, into);
  resources_.append_in(source, target, nics, into);
}

}  // namespace rondo::native
