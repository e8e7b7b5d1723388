#include "schedule/verify_cells.hpp"

#include <algorithm>

namespace rondo::verification {

Cells::Cells(Subject const& subject) : owed_first_{0} {
  std::size_t total = 0;
  for (int r = 0; r < subject.followed(); ++r) {
    Layout const& layout = subject.program(Rank(r)).layout();
    Room& room = rooms_.emplace_back();
    for (std::size_t b = 0; b < layout.buffers.size(); ++b) {
      room.first[b] = total;
      room.slots[b] = layout.buffers[b].slots;
      total += room.slots[b];
    }
  }
  cells_.resize(total);
  for (int r = 0; r < subject.followed(); ++r) {
    std::uint32_t slot = 0;
    for (Content const& block : held(subject.collective, Rank(r))) {
      if (Cell* const cell = find(r, send_slot(slot++))) cell->content = pack(block);
    }
    for (auto const& block : rondo::owed(subject.collective, Rank(r))) {
      owed_.push_back(block ? pack(*block) : nothing);
    }
    owed_first_.push_back(owed_.size());
  }
}

void HeldBlocks::grow() {
  std::vector<Entry> old = std::move(entries_);
  auto const live = static_cast<std::size_t>(
      std::count_if(old.begin(), old.end(), [](Entry const& entry) { return entry.count > 0; }));
  entries_.assign(std::bit_ceil(std::max<std::size_t>(16, 4 * live)), {});
  shift_ = 64 - std::countr_zero(entries_.size());
  used_ = 0;
  for (Entry const& entry : old) {
    if (entry.count == 0) continue;
    find(entry.block) = entry;
    ++used_;
  }
}

}  // namespace rondo::verification
