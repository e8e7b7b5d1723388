#include <algorithm>
#include <numeric>

#include "schedule/verify_parts.hpp"

namespace rondo {

std::string to_string(Fault fault) {
  switch (fault) {
    case Fault::lost_block:
      return "lost block";
    case Fault::wrong_place:
      return "wrong place";
    case Fault::duplicate:
      return "duplicate";
    case Fault::overwritten:
      return "overwritten";
    case Fault::not_held:
      return "not held";
    case Fault::size_mismatch:
      return "size mismatch";
    case Fault::unmatched_send:
      return "unmatched send";
    case Fault::unmatched_receive:
      return "unmatched receive";
    case Fault::round_mismatch:
      return "round mismatch";
    case Fault::circular_wait:
      return "circular wait";
    case Fault::ports:
      return "ports";
    case Fault::links:
      return "links";
    case Fault::malformed:
      return "malformed";
  }
  return "unknown fault";
}

namespace verification {
namespace {

bool earlier(Violation const& a, Violation const& b) {
  return a.round != b.round ? a.round < b.round : a.rank < b.rank;
}

}  // namespace

bool Findings::kept(Rank rank, int round) const {
  if (!full_) return true;
  Violation const& last = violations_[capacity - 1];
  return round != last.round ? round < last.round : rank < last.rank;
}

void Findings::shorten() {
  std::stable_sort(violations_.begin(), violations_.end(), earlier);
  full_ = violations_.size() >= capacity;
  if (full_) violations_.resize(capacity);
}

std::int64_t Findings::count() const { return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}); }

std::vector<Violation> Findings::take() && {
  shorten();
  return std::move(violations_);
}

std::string name(Place place) {
  switch (place.buffer()) {
    case Buffer::send:
      return fmt::format("send[{}]", place.slot());
    case Buffer::receive:
      return fmt::format("receive[{}]", place.slot());
    case Buffer::intermediate:
      return fmt::format("intermediate[{}]", place.slot());
  }
  return fmt::format("unknown buffer[{}]", place.slot());
}

std::string name(Content const& block) {
  return fmt::format("block {} of rank {}", block.block.value, block.origin.value);
}

std::string counted(std::size_t number, char const* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace verification
}  // namespace rondo
