// Computes the partners at a rank from its coordinates once, and reuses them for all rounds.

#include "schedule/verify_partners.hpp"

namespace rondo::verification {

Partners::Partners(Subject const& subject) : subject_(subject) {
  Schedule const& schedule = subject.schedule;
  relative_ = !schedule.offsets.empty() && schedule.torus && schedule.torus->size() == schedule.ranks &&
              schedule.torus->dimensions() > 0;
  if (!relative_) return;
  extents_ = schedule.torus->extents();
  for (std::size_t i = 0; i < schedule.offsets.size(); ++i) {
    int const extent = extents_[i % extents_.size()];
    int const remainder = schedule.offsets[i] % extent;
    offsets_.push_back(remainder < 0 ? remainder + extent : remainder);
  }
}

/// Unset if there is no such rank, which verify_shape.cpp reports.
std::optional<Rank> Partners::of(Rank rank, Transfer const& transfer) {
  std::size_t const d = extents_.size();
  bool const is_tabulated =
      relative_ && transfer.peer >= 0 && (static_cast<std::size_t>(transfer.peer) + 1) * d <= offsets_.size();
  if (!is_tabulated) return subject_.partner(rank, transfer);
  if (rank != rank_) {
    rank_ = rank;
    coordinates_ = subject_.schedule.torus->coordinates(rank);
  }
  int const* const offset = offsets_.data() + static_cast<std::size_t>(transfer.peer) * d;
  int partner = 0;
  for (std::size_t j = 0; j < d; ++j) {
    int const sum = coordinates_[j] + offset[j];
    partner = partner * extents_[j] + (sum >= extents_[j] ? sum - extents_[j] : sum);
  }
  return partner != rank.value ? std::optional(Rank(partner)) : std::nullopt;
}

}  // namespace rondo::verification
