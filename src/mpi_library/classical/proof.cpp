// Proves a schedule of a file for one collective. The file need not contain a promise: root and pieces are found by the
// sizes of its buffers.

#include "mpi_library/classical/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "problem/enums.hpp"
#include "schedule/verify.hpp"

namespace rondo::mpi {
namespace {

/// The buffer that only the root uses in this collective, by which the root is found; nothing if there is none.
std::optional<Buffer> buffer_of_root(ClassicalCollective collective) {
  if (!has_root(collective)) return std::nullopt;
  bool const gives = collective == ClassicalCollective::bcast || collective == ClassicalCollective::scatter;
  return gives ? Buffer::send : Buffer::receive;
}

/// The root that the file states; unset if it states none.
std::optional<int> stated_root(ScheduleFile const& file) {
  if (!file.promise.is_object() || !file.promise.contains("root")) return std::nullopt;
  json::Json const& root = file.promise["root"];
  if (!root.is_number_integer()) return std::nullopt;
  auto const rank = root.get<std::int64_t>();
  if (rank < 0 || rank >= file.schedule.ranks) return std::nullopt;
  return static_cast<int>(rank);
}

/// The stated root, or the rank with the most slots in the root's buffer.
Rank root_of(ScheduleFile const& file, ClassicalCollective collective) {
  auto const buffer = buffer_of_root(collective);
  if (!buffer) return Rank(0);
  if (auto const stated = stated_root(file)) return Rank(*stated);
  int root = 0;
  std::uint32_t most = 0;
  for (int r = 0; r < file.schedule.ranks; ++r) {
    std::uint32_t const slots = file.schedule.program(Rank(r)).layout()[*buffer].slots;
    if (slots <= most) continue;
    most = slots;
    root = r;
  }
  return Rank(root);
}

}  // namespace

/// What the schedule of a file must deliver to serve as this collective. The first rank that holds blocks tells into
/// how many pieces the schedule cuts each of them.
FilePromise promise_of(ScheduleFile const& file, ClassicalCollective collective) {
  FilePromise promise{{collective, file.schedule.ranks, root_of(file, collective)}};
  promise.whole.rules.idempotent = collective == ClassicalCollective::barrier;
  for (int r = 0; r < file.schedule.ranks; ++r) {
    auto const blocks = static_cast<std::uint32_t>(held(promise.whole, Rank(r)).size());
    if (blocks == 0) continue;
    std::uint32_t const slots = file.schedule.program(Rank(r)).layout()[Buffer::send].slots;
    if (slots % blocks == 0 && slots > 0) promise.pieces = slots / blocks;
    break;
  }
  return promise;
}

/// The promise for another root, or with the order of ranks.
Collective collective_of(FilePromise const& promise, Rank root, bool ordered) {
  Classical whole = promise.whole;
  whole.root = root;
  whole.rules.ordered = ordered;
  return in_pieces(whole, {static_cast<int>(promise.pieces)});
}

/// Proves delivery. For reductions it also proves whether contributions keep the order of ranks.
Order prove(ScheduleFile const& file, FilePromise const& promise, std::string const& name) {
  Classical const& whole = promise.whole;
  Verdict const verdict = verify(file.schedule, collective_of(promise, whole.root, false));
  if (!verdict.valid()) {
    std::string const first = verdict.violations.empty() ? "a block is not delivered" : verdict.violations[0].text;
    std::string const more =
        verdict.violation_count > 1 ? fmt::format(" (the first of {} violations)", verdict.violation_count) : "";
    throw InputError(fmt::format("{}: it is no {} on {} ranks: {}{}", name,
                                 enum_name(problem::kind_of(whole.collective)), whole.ranks, first, more));
  }
  if (!reduces(whole.collective) || whole.collective == ClassicalCollective::barrier) return Order::any;
  return verify(file.schedule, collective_of(promise, whole.root, true)).valid() ? Order::of_ranks : Order::any;
}

}  // namespace rondo::mpi
