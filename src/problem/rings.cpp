// Orders ranks host by host (rings.hpp).

#include "problem/rings.hpp"

#include <algorithm>
#include <numeric>

#include "base/index.hpp"
#include "problem/composition_groups.hpp"

namespace rondo::problem {

std::vector<int> order_of_ring(std::vector<int> const& host_of, int ranks, int ring, int rings) {
  std::vector<int> each_rank(at(ranks));
  std::iota(each_rank.begin(), each_rank.end(), 0);
  std::vector<std::vector<int>> hosts = by_group(host_of.empty() ? each_rank : host_of, ranks);
  if (ring % 2 == 1) std::reverse(hosts.begin(), hosts.end());
  std::vector<int> order;
  for (std::vector<int> const& host : hosts) {
    auto const n = static_cast<std::int64_t>(host.size());
    std::int64_t const first = rings <= n ? ring * n / rings : ring % n;
    order.insert(order.end(), host.begin() + first, host.end());
    order.insert(order.end(), host.begin(), host.begin() + first);
  }
  return order;
}

}  // namespace rondo::problem
