// Joins the parts of all ranks to the whole pattern, and encodes a part as numbers, so that it can be sent.

#include "mpi/setup/local_pattern.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace rondo::mpi {
namespace {

using generate::CombiningPattern;
using generate::SetupMessages;

/// The counters, in the order of their encoding.
constexpr std::int64_t SetupMessages::*counters[] = {&SetupMessages::build,           &SetupMessages::pairing,
                                                     &SetupMessages::pairing_printed, &SetupMessages::notify,
                                                     &SetupMessages::update,          &SetupMessages::update_by_done};

LocalIteration const& side(std::vector<LocalPattern> const& parts, Rank rank, std::size_t iteration) {
  LocalPattern const& part = parts[static_cast<std::size_t>(rank.value)];
  expects(iteration < part.iterations.size(), "a partner to take part in the iteration");
  return part.iterations[iteration];
}

/// The pairs of an iteration; each is found at its lower rank.
std::vector<generate::Pair> pairs_of(std::vector<LocalPattern> const& parts, std::size_t iteration) {
  std::vector<generate::Pair> pairs;
  for (std::size_t r = 0; r < parts.size(); ++r) {
    if (iteration >= parts[r].iterations.size()) continue;
    LocalIteration const& mine = parts[r].iterations[iteration];
    if (!mine.partner) continue;
    Rank const rank(static_cast<std::int32_t>(r));
    LocalIteration const& other = side(parts, *mine.partner, iteration);
    expects(other.partner == rank && other.onloads == mine.offloads && other.offloads == mine.onloads,
            "two partners to agree on what each onloads");
    if (rank < *mine.partner) pairs.push_back({rank, *mine.partner, mine.onloads, mine.offloads});
  }
  return pairs;
}

/// How many messages a rank sends in the schedule.
int sends_of(LocalPattern const& part, generate::Combining combining) {
  std::size_t sends = part.targets.size();
  for (LocalIteration const& each : part.iterations) {
    if (each.partner) sends += 1 + (combining == generate::Combining::single ? each.onloads.size() : 0);
  }
  return static_cast<int>(sends);
}

/// The rounds of an iteration are those of the rank that needed most.
void add_rounds(CombiningPattern& pattern, LocalPattern const& part) {
  for (std::size_t k = 0; k < part.iterations.size(); ++k) {
    int const rounds = part.iterations[k].pairing_rounds;
    if (rounds == 0) return;
    if (k == pattern.iterations.size()) pattern.iterations.emplace_back();
    pattern.iterations[k].pairing_rounds = std::max(pattern.iterations[k].pairing_rounds, rounds);
  }
}

/// Reads numbers one after the other.
class Reader {
 public:
  explicit Reader(std::span<std::int64_t const> numbers) : rest_(numbers) {}
  /// The next number.
  std::int64_t number() {
    expects(!rest_.empty(), "another number of a pattern");
    std::int64_t const first = rest_.front();
    rest_ = rest_.subspan(1);
    return first;
  }
  Rank rank() { return Rank(static_cast<std::int32_t>(number())); }
  std::vector<Rank> ranks() {
    std::vector<Rank> list;
    for (std::int64_t left = number(); left > 0; --left) list.push_back(rank());
    return list;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::span<std::int64_t const> rest_;
};

void write(std::vector<std::int64_t>& numbers, std::vector<Rank> const& ranks) {
  numbers.push_back(static_cast<std::int64_t>(ranks.size()));
  for (Rank const rank : ranks) numbers.push_back(rank.value);
}

/// Lists are written with their lengths.
void write(std::vector<std::int64_t>& numbers, LocalIteration const& iteration) {
  numbers.push_back(iteration.pairing_rounds);
  numbers.push_back(iteration.partner ? iteration.partner->value : -1);
  write(numbers, iteration.onloads);
  write(numbers, iteration.offloads);
  numbers.push_back(static_cast<std::int64_t>(iteration.incoming.size()));
  for (Onloading const& each : iteration.incoming) {
    numbers.insert(numbers.end(), {each.sender.value, each.partner.value});
  }
}

/// The inverse of write().
LocalIteration read_iteration(Reader& reader) {
  LocalIteration iteration;
  iteration.pairing_rounds = static_cast<int>(reader.number());
  Rank const partner = reader.rank();
  if (partner.value >= 0) iteration.partner = partner;
  iteration.onloads = reader.ranks();
  iteration.offloads = reader.ranks();
  for (std::int64_t left = reader.number(); left > 0; --left) {
    Rank const sender = reader.rank();
    iteration.incoming.push_back({sender, reader.rank()});
  }
  return iteration;
}

}  // namespace

/// A pair is noted by its lower rank.
CombiningPattern whole_pattern(std::vector<LocalPattern> const& parts, generate::Combining combining) {
  CombiningPattern pattern;
  pattern.combining = combining;
  for (LocalPattern const& part : parts) {
    pattern.friends += part.friends;
    pattern.most_friends = std::max(pattern.most_friends, part.friends);
    pattern.savable_messages += part.savable_messages;
    for (auto const counter : counters) pattern.setup.*counter += part.setup.*counter;
    int const sends = sends_of(part, combining);
    pattern.messages += sends;
    pattern.max_sends = std::max(pattern.max_sends, sends);
    add_rounds(pattern, part);
  }
  pattern.friends /= 2;
  for (std::size_t k = 0; k < pattern.iterations.size(); ++k) pattern.iterations[k].pairs = pairs_of(parts, k);
  return pattern;
}

/// The part as numbers.
std::vector<std::int64_t> encoded(LocalPattern const& part) {
  std::vector<std::int64_t> numbers{part.friends, part.savable_messages};
  for (auto const counter : counters) numbers.push_back(part.setup.*counter);
  write(numbers, part.targets);
  write(numbers, part.sources);
  numbers.push_back(static_cast<std::int64_t>(part.iterations.size()));
  for (LocalIteration const& each : part.iterations) write(numbers, each);
  return numbers;
}

/// The inverse of encoded().
LocalPattern decoded(std::span<std::int64_t const> numbers) {
  Reader reader(numbers);
  LocalPattern part;
  part.friends = static_cast<int>(reader.number());
  part.savable_messages = static_cast<int>(reader.number());
  for (auto const counter : counters) part.setup.*counter = reader.number();
  part.targets = reader.ranks();
  part.sources = reader.ranks();
  for (std::int64_t left = reader.number(); left > 0; --left) part.iterations.push_back(read_iteration(reader));
  expects(reader.at_end(), "no number behind a pattern");
  return part;
}

}  // namespace rondo::mpi
