#include "engine/native/wiring.hpp"

#include "base/index.hpp"

namespace rondo::native {

Wiring::Wiring(Platform const& platform, FileRoutes const* file, int ranks)
    : Wiring(platform, file, file == nullptr ? rondo::hosts(platform) : ranks, link_ids(platform.topology)) {}

/// On a torus the link upwards from router r in dimension j has the number 2 * (r * d + j), and the link downwards the
/// next one. So the links of router 0 represent all kinds of links.
Wiring Wiring::of_one_rank(Platform const& platform, int dimensions) {
  return {platform, nullptr, 1, LinkId{2} * dimensions};
}

Wiring::Wiring(Platform const& platform, FileRoutes const* file, int hosts, LinkId kinds)
    : platform_(platform),
      file_(file),
      paths_(platform),
      wires_(paths_, platform, hosts, kinds, file == nullptr ? 0 : static_cast<Wires::Number>(file->capacities.size())),
      hosts_(hosts) {
  if (file != nullptr) capacities_ = file->capacities;
  capacities_.insert(capacities_.end(), wires_.capacities().begin(), wires_.capacities().end());
}

Wiring::Lane Wiring::lane(std::int32_t from, std::int32_t to, SizeClass size) const {
  RouteCost const cost = paths_.route_cost(Rank(from), Rank(to), size);
  double const bandwidth = cost.bandwidth.value;
  bool const by_file = from != to && file_ != nullptr && !has_file_numbers(platform_);
  double const cap =
      by_file ? std::min(bandwidth, file_->route_of(paths_.host(Rank(from)), paths_.host(Rank(to))).narrowest)
              : bandwidth;
  return {cost.startup.value, bandwidth, cap};
}

bool Wiring::shares(std::int32_t from, std::int32_t to) const {
  if (has_file_numbers(platform_) || paths_.host(Rank(from)) != paths_.host(Rank(to))) return true;
  return wires_.shares_within() && (from != to || wires_.shares_memories());
}

Wiring::Lane Wiring::route(std::int32_t from, std::int32_t to, SizeClass size, std::vector<std::uint32_t>& into) const {
  links_.clear();
  int const source = paths_.host(Rank(from)), target = paths_.host(Rank(to));
  if (wires_.shares_links() && source != target) paths_.routes().append(source, target, links_);
  route_over(from, to, size, 0, links_, into);
  if (links_.empty()) return lane(from, to, size);
  // The route itself gives the number of its links, which would take as long to compute again.
  RouteCost const cost = paths_.cost_over(Rank(from), Rank(to), links_.size(), size);
  return {cost.startup.value, cost.bandwidth.value, cost.bandwidth.value};
}

void Wiring::route_over(std::int32_t from, std::int32_t to, SizeClass size, int flow, std::vector<LinkId> const& links,
                        std::vector<std::uint32_t>& into) const {
  into.clear();
  Rank const source(from), target(to);
  if (has_file_numbers(platform_)) return file_->append(paths_.host(source), paths_.host(target), into);
  if (paths_.host(source) == paths_.host(target)) return wires_.append_within(source, target, into);
  NicPair const nics = paths_.nics(source, target, size, flow);
  wires_.append_out(source, nics, into);
  if (file_ != nullptr) file_->append(paths_.host(source), paths_.host(target), into);
  wires_.append_links(nics, links, into);
  wires_.append_in(source, target, nics, into);
}

}  // namespace rondo::native
