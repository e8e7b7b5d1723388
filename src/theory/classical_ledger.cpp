#include "theory/classical_ledger.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

#include "base/index.hpp"

namespace rondo::theory {
namespace {

/// When the ports of a rank are free, in one direction.
class Ports {
 public:
  Ports(Span from, int ports) : free_(static_cast<std::size_t>(ports), from) {}
  template <typename Less>
  Span& first(Less const& less) {
    return *std::min_element(free_.begin(), free_.end(), less);
  }

 private:
  std::vector<Span> free_;
};

}  // namespace

Ledger::Ledger(int ranks, Bytes block, MachineCost const& cost)
    : bytes_of_unit_(block == Bytes(0) ? 0 : 1),
      units_of_block_(block == Bytes(0) ? 1 : static_cast<double>(block.value)),
      cost_(cost),
      done_(at(ranks)),
      sent_(at(ranks), 0),
      received_(at(ranks), 0),
      sends_(at(ranks), 0),
      receives_(at(ranks), 0) {}

double Ledger::seconds(Span span) const {
  return static_cast<double>(span.startups) * cost_.usual.alpha.value +
         static_cast<double>(span.bytes) / cost_.usual.bandwidth.value;
}

Span Ledger::after(Span start, Entry const& entry) const {
  return {start.startups + 1, start.bytes + entry.units * bytes_of_unit_ + cost_.envelope.value};
}

void Ledger::begin_round() {
  close_round();
  ++rounds_;
}

void Ledger::message(int from, int to, std::int64_t units) {
  round_.push_back({from, to, units, sends_[at(from)]++});
  ++receives_[at(to)];
  sent_[at(from)] += units;
  received_[at(to)] += units;
  total_ += units;
  ++messages_;
}

/// Every rank has at most one message each way.
void Ledger::time_simple() {
  std::vector<Span> ends(round_.size());
  auto const later = [&](Span a, Span b) { return seconds(a) < seconds(b) ? b : a; };
  for (std::size_t i = 0; i < round_.size(); ++i) {
    ends[i] = after(later(done_[at(round_[i].from)], done_[at(round_[i].to)]), round_[i]);
  }
  for (std::size_t i = 0; i < round_.size(); ++i) {
    for (int const rank : {round_[i].from, round_[i].to}) done_[at(rank)] = later(done_[at(rank)], ends[i]);
  }
}

/// A message starts when both ends have come to the round and have a free port; of those that can start, the one ready
/// first, then the one posted first, then that of the lower source, then the earlier one of a source. Ports of a rank
/// serve no other round meanwhile.
void Ledger::time_by_ports() {
  auto const less = [&](Span a, Span b) { return seconds(a) < seconds(b); };
  auto const later = [&](Span a, Span b) { return less(a, b) ? b : a; };
  std::vector<Ports> out, in;
  for (Span const done : done_) {
    out.emplace_back(done, cost_.ports);
    in.emplace_back(done, cost_.ports);
  }
  auto const start_of = [&](Entry const& entry) {
    return later(out[at(entry.from)].first(less), in[at(entry.to)].first(less));
  };
  // By start, then by priority; starts only become later.
  using Waiting = std::tuple<double, double, double, int, int, std::size_t>;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
  auto const enqueue = [&](std::size_t i, double start) {
    Entry const& entry = round_[i];
    Span const posted = done_[at(entry.from)];
    waiting.emplace(start, seconds(later(posted, done_[at(entry.to)])), seconds(posted), entry.from, entry.index, i);
  };
  for (std::size_t i = 0; i < round_.size(); ++i) enqueue(i, seconds(start_of(round_[i])));
  std::vector<Span> ends = done_;
  while (!waiting.empty()) {
    auto const [was, ready, posted, from, index, i] = waiting.top();
    waiting.pop();
    Entry const& entry = round_[i];
    Span const start = start_of(entry);
    if (seconds(start) > was) {
      enqueue(i, seconds(start));
      continue;
    }
    Span const end = after(start, entry);
    out[at(entry.from)].first(less) = end;
    in[at(entry.to)].first(less) = end;
    for (int const rank : {entry.from, entry.to}) ends[at(rank)] = later(ends[at(rank)], end);
  }
  done_ = std::move(ends);
}

void Ledger::close_round() {
  if (round_.empty()) return;
  int most = 0;
  std::int64_t largest = 0;
  for (Entry const& entry : round_) {
    most = std::max({most, sends_[at(entry.from)], receives_[at(entry.to)]});
    largest = std::max(largest, entry.units);
  }
  critical_ += largest;
  if (most > cost_.ports) within_ports_ = false;
  most == 1 ? time_simple() : time_by_ports();
  for (Entry const& entry : round_) sends_[at(entry.from)] = receives_[at(entry.to)] = 0;
  round_.clear();
}

Figures Ledger::figures() {
  close_round();
  auto const blocks = [&](std::int64_t units) { return static_cast<double>(units) / units_of_block_; };
  auto const most = [](std::vector<std::int64_t> const& by_rank) {
    return by_rank.empty() ? 0 : *std::max_element(by_rank.begin(), by_rank.end());
  };
  Figures figures;
  figures.rounds = rounds_;
  figures.messages = messages_;
  figures.volume_blocks = blocks(most(sent_));
  figures.volume_bytes = most(sent_) * bytes_of_unit_;
  figures.received_blocks = blocks(most(received_));
  figures.critical_blocks = blocks(critical_);
  figures.total_blocks = blocks(total_);
  if (cost_.links_unshared && cost_.distance_is_free) {
    double last = 0;
    for (Span const done : done_) last = std::max(last, seconds(done));
    figures.time_s = last;
  }
  return figures;
}

}  // namespace rondo::theory
