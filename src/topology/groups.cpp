// The checks of groups. They name an algorithm that takes any groups, if there is one.

#include "topology/groups.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "topology/torus.hpp"

namespace rondo {

Groups::Groups(int senders, int receivers) : senders_(senders), receivers_(receivers) {
  if (senders < 1 || receivers < 1) {
    throw InputError(fmt::format("an inter-group collective has at least 1 sender and 1 receiver, got {} and {}",
                                 senders, receivers));
  }
  if (std::int64_t{senders} + receivers > Torus::most_ranks) {
    throw InputError(
        fmt::format("two groups have at most {} ranks, got {} and {}", Torus::most_ranks, senders, receivers));
  }
}

/// For ring_sequences.
void expect_even(Groups const& groups) {
  if (groups.senders() % 2 == 0 && groups.receivers() % 2 == 0) return;
  throw InputError(fmt::format(
      "ring_sequences takes an even number of senders and of receivers, got {} and {}; ring_optimal takes any",
      groups.senders(), groups.receivers()));
}

/// For receiver_allgather.
void expect_enough_senders(Groups const& groups) {
  if (groups.senders() >= groups.receivers()) return;
  throw InputError(fmt::format(
      "receiver_allgather takes at least as many senders as receivers, got {} and {}; group_allgather takes any",
      groups.senders(), groups.receivers()));
}

/// For torus_rings: each group must consist of whole rows.
void expect_rows(Groups const& groups, Torus const& torus) {
  if (torus.size() != groups.ranks()) {
    throw InputError(fmt::format("torus_rings takes a torus of as many ranks as the groups have, {}, got {} = {}",
                                 groups.ranks(), listed(torus.extents(), "x"), torus.size()));
  }
  int const row = torus.dimensions() == 0 ? 1 : torus.size() / torus.extent(0);
  if (groups.senders() % row == 0) return;
  throw InputError(fmt::format(
      "torus_rings takes senders that fill places along the first dimension of the torus, of {} ranks each, "
      "got {} senders",
      row, groups.senders()));
}

}  // namespace rondo
