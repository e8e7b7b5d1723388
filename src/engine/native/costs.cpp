// Looks up partners, sizes and durations. Uniform machines take a short path: one latency and one bandwidth for all
// pairs.

#include "engine/native/costs.hpp"

#include <algorithm>

namespace rondo::native {

namespace {

int wrapped(std::int64_t value, int extent) {
  auto const remainder = static_cast<int>(value % extent);
  return remainder < 0 ? remainder + extent : remainder;
}

}  // namespace

Peers::Peers(Schedule const& schedule)
    : schedule_(schedule), relative_(!schedule.offsets.empty()), ranks_(schedule.ranks) {}

/// The offset that a relative peer stands for; empty if the schedule has no such offset.
std::span<int const> Peers::offset(Transfer const& transfer) const {
  if (!schedule_.torus || transfer.peer < 0) return {};
  auto const d = static_cast<std::size_t>(schedule_.torus->dimensions());
  auto const first = static_cast<std::size_t>(transfer.peer) * d;
  if (d == 0 || first + d > schedule_.offsets.size()) return {};
  return std::span(schedule_.offsets).subspan(first, d);
}

std::int32_t Peers::resolve(std::int32_t rank, Transfer const& transfer) const {
  auto const c = offset(transfer);
  if (c.empty() || rank >= schedule_.torus->size()) return nobody;
  return schedule_.torus->add(Rank(rank), c).value;
}

/// Ranks are numbered row-major. The coordinates of the partners of ranks 0, 1, ... therefore run through each
/// dimension from `shift` to its end and then from 0, and the last dimension varies fastest.
void Peers::all(Transfer const& transfer, std::vector<std::int32_t>& into) const {
  auto const c = offset(transfer);
  into.assign(1, 0);
  if (c.empty() || schedule_.torus->size() != schedule_.ranks) {
    into.assign(static_cast<std::size_t>(schedule_.ranks), nobody);
    return;
  }
  std::vector<std::int32_t> longer;
  for (std::size_t j = 0; j < c.size(); ++j) {
    int const extent = schedule_.torus->extent(static_cast<int>(j));
    int const shift = wrapped(c[j], extent);
    longer.clear();
    for (std::int32_t const prefix : into) {
      for (int x = shift; x < extent; ++x) longer.push_back(prefix * extent + x);
      for (int x = 0; x < shift; ++x) longer.push_back(prefix * extent + x);
    }
    into.swap(longer);
  }
}

std::int32_t Peers::ahead(Transfer const& transfer) const {
  auto const c = offset(transfer);
  return c.empty() ? nobody : schedule_.torus->add(Rank(0), c).value;
}

std::int32_t Peers::behind(Transfer const& transfer) const {
  auto const c = offset(transfer);
  return c.empty() ? nobody : schedule_.torus->subtract(Rank(0), c).value;
}

Sizes::Sizes(Program const& program)
    : program_(&program),
      uniform_(std::all_of(program.layout().buffers.begin(), program.layout().buffers.end(),
                           [](BufferLayout const& buffer) { return buffer.sizes.empty(); })),
      block_(program.layout().block.value) {}

/// The sizes of slots differ, so the bytes are summed slot by slot. A place outside its buffer adds nothing.
std::int64_t Sizes::sum(Transfer const& transfer) const {
  std::int64_t total = 0;
  for (Place const place : program_->places(transfer)) {
    auto const buffer = static_cast<std::size_t>(place.buffer());
    if (buffer >= buffer_count) continue;
    auto const& sizes = program_->layout().buffers[buffer].sizes;
    if (sizes.empty()) {
      total += block_;
    } else if (place.slot() < sizes.size()) {
      total += sizes[place.slot()].value;
    }
  }
  return total;
}

Costs::Costs(Platform const& platform)
    : platform_(platform),
      paths_(platform),
      uniform_(platform.ranks_per_host == 1 && !has_file_numbers(platform) &&
               (platform.hop_latency == Seconds(0) || std::holds_alternative<FullyConnected>(platform.topology) ||
                std::holds_alternative<PlatformFile>(platform.topology))),
      plain_(uniform_ && platform.pieces.empty() && platform.nics == 1 && platform.flow.handshake == Seconds(0)),
      latency_(platform.latency),
      envelope_(platform.envelope.value),
      bandwidth_(platform.bandwidth) {}

}  // namespace rondo::native
