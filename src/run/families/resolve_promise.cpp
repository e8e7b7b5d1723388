// Resolves promises for schedules that come from files, and checks sizes of send slots against the promise.

#include "run/families/resolve_promise.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "generate/promised_collective.hpp"
#include "run/families/resolve.hpp"

namespace rondo {
namespace {

std::size_t pieces_of_block(problem::Promise const& promise, Content const& whole) {
  if (promise.pieces.empty()) return 1;
  auto const i = promise.pieces.size() == 1 ? std::size_t{0} : static_cast<std::size_t>(whole.origin.value);
  return static_cast<std::size_t>(promise.pieces[i]);
}

std::size_t program_number(Schedule const& schedule, Rank rank) {
  return schedule.program_of.empty() ? 0 : schedule.program_of[static_cast<std::size_t>(rank.value)];
}

/// Compares the send slots of a rank with its blocks. A block may be cut into pieces, whose sizes must add up.
void expect_bytes(Schedule const& schedule, problem::Promise const& promise, std::vector<Content> const& blocks,
                  Rank rank, std::string const& file) {
  Layout const& layout = schedule.program(rank).layout();
  std::uint32_t slot = 0;
  for (Content const& whole : blocks) {
    Bytes total;
    for (std::size_t k = 0; k < pieces_of_block(promise, whole); ++k, ++slot) {
      if (!layout.holds(send_slot(slot))) return;  // for verify to tell
      total += layout.bytes(send_slot(slot));
    }
    Bytes const expected = bytes(promise, whole);
    if (total == expected) continue;
    throw InputError(fmt::format(
        "{}: /programs/{}/buffers/send: expected {} bytes for block {} of rank {}, as is promised, got {}", file,
        program_number(schedule, rank), expected.value, whole.block.value, whole.origin.value, total.value));
  }
}

}  // namespace

/// Throws InputError that names where the promise stands.
ResolvedPromise resolve_promise(problem::Promise const& promise, std::string const& where) try {
  problem::Promise made = resolved(promise);
  Collective collective = generate::collective_of(made);
  return {std::move(made), std::move(collective)};
} catch (InputError const& refused) {
  std::string const what = refused.what();
  throw InputError(where + (what.starts_with("/") ? "" : ": ") + what);
}

/// Throws InputError unless the schedule has the ranks and the slots of the promise.
void expect_fits(Schedule const& schedule, ResolvedPromise const& promised, std::string const& file) {
  int const p = ranks(promised.collective);
  if (schedule.ranks != p) {
    throw InputError(fmt::format("{}: /ranks: expected {}, those of the promise, got {}", file, p, schedule.ranks));
  }
  problem::Promise whole = promised.promise;
  whole.pieces.clear();
  Collective const uncut = generate::collective_of(whole);
  for (int r = 0; r < p; ++r) expect_bytes(schedule, promised.promise, held(uncut, Rank(r)), Rank(r), file);
}

}  // namespace rondo
