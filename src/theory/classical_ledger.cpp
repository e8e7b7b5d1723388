// Adds up messages, round by round. With ports it also keeps the time: messages start when a port of each end is free,
// in the order in which they were posted.

#include "theory/classical_ledger.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "base/column.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"

namespace rondo::theory {
namespace {

/// The times at which the ports of a rank are free, in one direction. Ports that have not been used are taken first.
class Ports {
 public:
  Ports(Span from, int ports) : from_(from), unused_(ports) {}
  Span first() const { return unused_ > 0 ? from_ : ends_.front().second; }
  /// The first free port carries a message until `end`, which is `seconds` in seconds.
  void hold(Span end, double seconds) {
    if (unused_ > 0) {
      --unused_;
    } else {
      std::pop_heap(ends_.begin(), ends_.end(), later);
      ends_.pop_back();
    }
    ends_.emplace_back(seconds, end);
    std::push_heap(ends_.begin(), ends_.end(), later);
  }

 private:
  using End = std::pair<double, Span>;
  static bool later(End const& a, End const& b) { return a.first > b.first; }

  Span from_;
  int unused_;
  std::vector<End> ends_;  ///< a heap, the first end at its front
};

/// The priority of a message among those that can start at the same time, the lowest one first: when it is ready, when
/// it was posted, its source, and its place among the sends of the source.
using Priority = std::tuple<double, double, int, int>;

/// The messages of a round that have not started, and which of them starts next. Messages are numbered by priority. An
/// end is the sends, or the receives, of a rank, and has a number too. A message can start when both its ends are free.
/// At that time one of them has just become free, and the message is found in its list: in that of its source, if both
/// have just become free.
class Waiting {
 public:
  /// `messages` has the two ends of each message, the lowest priority number first. The first `sources` ends are
  /// sources, the others are targets.
  Waiting(std::size_t sources, std::size_t ends, std::vector<std::pair<std::uint32_t, std::uint32_t>> const& messages)
      : sources_(sources),
        messages_(messages),
        lists_(ends),
        partners_(BitRows(ends * sources / 8 <= 4 * messages.size() ? ends : 0, sources)),
        free_targets_(sources),
        idle_sources_(sources),
        free_(ends, 0),
        fresh_(ends, 0),
        started_(messages.size(), 0) {
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
      auto const [source, target] = messages[i];
      lists_[source].waiting.push_back({i, target});
      lists_[target].waiting.push_back({i, source});
      note_pair(source, target);
    }
  }
  /// The end has a free port at this time. The caller reports this at the start, and for both ends of each message that
  /// starts.
  void free_at(std::size_t end, double time) {
    bool const now = time <= now_;
    set_free(end, now);
    now ? look_at(end) : frees_.push({time, end});
  }
  /// The number of the next message that starts.
  std::optional<std::uint32_t> next() {
    for (; !found_.empty() || !frees_.empty(); go_on()) {
      while (!found_.empty()) {
        auto const [message, end, other] = found_.top();
        found_.pop();
        if (started_[message] == 0 && free_[end] != 0 && free_[other] != 0) {
          started_[message] = 1;
          forget_pair(messages_[message].first, messages_[message].second);
          return message;
        }
        if (free_[end] != 0) look_at(end);
      }
    }
    return std::nullopt;
  }

 private:
  /// A message that has not started.
  struct Message {
    std::uint32_t number, other;
  };
  /// The messages of an end, from `head` on. Some of them may have started.
  struct List {
    std::vector<Message> waiting;
    std::size_t head = 0;
  };
  template <typename Value>
  using Lowest = std::priority_queue<Value, std::vector<Value>, std::greater<>>;

  /// Keeps the set of all pairs of ends with messages, as long as no pair has two messages and the set takes no more
  /// memory than the messages.
  void note_pair(std::uint32_t source, std::uint32_t target) {
    if (partners_.empty()) return;
    if (partners_.contains(source, target - sources_)) return void(partners_ = BitRows(0, 0));
    partners_.insert(source, target - sources_);
    partners_.insert(target, source);
  }
  void forget_pair(std::uint32_t source, std::uint32_t target) {
    if (partners_.empty()) return;
    partners_.remove(source, target - sources_);
    partners_.remove(target, source);
  }
  /// Notes whether a port of an end is free; sources come first in the numbering, then targets.
  void set_free(std::size_t end, bool free) {
    free_[end] = free ? 1 : 0;
    if (end >= sources_) {
      free_targets_.set(end - sources_, free);
    } else {
      idle_sources_.set(end, free && fresh_[end] == 0);
    }
  }
  /// Advances to the next time at which ends become free.
  void go_on() {
    if (frees_.empty()) return;
    for (std::size_t const end : ends_) {
      fresh_[end] = 0;
      set_free(end, free_[end] != 0);
    }
    ends_.clear();
    now_ = frees_.top().first;
    for (; !frees_.empty() && frees_.top().first <= now_; frees_.pop()) {
      ends_.push_back(frees_.top().second);
      fresh_[ends_.back()] = 1;
      set_free(ends_.back(), true);
    }
    for (std::size_t const end : ends_) look_at(end);
  }
  /// Finds the first message of this end whose other end is free. Messages before it that have started are removed,
  /// unless their other end is busy, because looking at those is rarely worth it.
  void look_at(std::size_t end) {
    bool const at_target = end >= sources_;
    auto const& candidates = at_target ? idle_sources_ : free_targets_;
    if (!partners_.empty() && partners_.lowest_common(end, candidates) == BitRows::none) return;
    List& list = lists_[end];
    auto const begin = list.waiting.begin();
    std::size_t kept = list.head;
    for (std::size_t i = list.head; i < list.waiting.size(); ++i) {
      Message const message = list.waiting[i];
      bool const other_is_free = free_[message.other] != 0;
      if (other_is_free && started_[message.number] != 0) continue;
      if (other_is_free && !(at_target && fresh_[message.other] != 0)) {
        std::move_backward(begin + offset(list.head), begin + offset(kept), begin + offset(i));
        list.head += i - kept;
        return found_.push({message.number, static_cast<std::uint32_t>(end), message.other});
      }
      list.waiting[kept++] = message;
    }
    list.waiting.resize(kept);
  }
  static std::ptrdiff_t offset(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }

  std::size_t sources_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> const& messages_;
  std::vector<List> lists_;
  BitRows partners_;                    ///< by end: the ranks at the other ends of its messages that have not started
  BitRow free_targets_, idle_sources_;  ///< ranks; a source is idle if it became free before the present time
  std::vector<char> free_, fresh_;      ///< by end; an end is fresh if it became free at the present time
  std::vector<char> started_;           ///< by message
  std::vector<std::size_t> ends_;
  Lowest<std::pair<double, std::size_t>> frees_;
  Lowest<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> found_;
  double now_ = -1;
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

Ledger::Ledger(int ranks, Bytes block, std::int64_t most_messages) : Ledger(ranks, block, MachineCost{}) {
  most_messages_ = most_messages;
  round_of_sends_.assign(at(ranks), 0);
  round_of_receives_.assign(at(ranks), 0);
}

double Ledger::seconds(Span span) const {
  return static_cast<double>(span.startups) * cost_.usual.alpha.value +
         static_cast<double>(span.bytes) / cost_.usual.bandwidth.value;
}

Span Ledger::after(Span start, Entry const& entry) const {
  return {start.startups + 1,
          checked_sum(checked_sum(start.bytes, checked_product(entry.units, bytes_of_unit_)), cost_.envelope.value)};
}

/// Closes the round before; with a transcript it only begins another list.
void Ledger::begin_round() {
  if (transcript_ != nullptr) {
    transcript_->emplace_back();
    return;
  }
  close_round();
  ++rounds_;
}

/// Counts a message. The posts of a rank are reset when it first posts in a round, so that ranks without messages cost
/// nothing.
void Ledger::count(int from, int to, std::int64_t units) {
  if (++messages_ > most_messages_) throw Full{};
  auto const posted = [&](std::vector<int>& posts, std::vector<std::int64_t>& rounds, int rank) {
    if (std::exchange(rounds[at(rank)], rounds_) != rounds_) posts[at(rank)] = 0;
    return ++posts[at(rank)];
  };
  int const posts = std::max(posted(sends_, round_of_sends_, from), posted(receives_, round_of_receives_, to));
  most_posted_ = std::max<std::int64_t>(most_posted_, posts);
  largest_in_round_ = std::max(largest_in_round_, units);
  ++in_round_;
  total_ = checked_sum(total_, units);
}

/// Notes a message of the round. Throws Full if there are more than the caller allows.
void Ledger::message(int from, int to, std::int64_t units) {
  if (transcript_ != nullptr) {
    transcript_->back().push_back({from, to, units});
    return;
  }
  if (!round_of_sends_.empty()) return count(from, to, units);
  round_.push_back({from, to, units, sends_[at(from)]++});
  ++receives_[at(to)];
  sent_[at(from)] = checked_sum(sent_[at(from)], units);
  received_[at(to)] = checked_sum(received_[at(to)], units);
  total_ = checked_sum(total_, units);
  ++messages_;
}

/// Times a round in which every rank sends and receives at most one message.
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

/// The messages of the round in order of their priority, as places in `round_`.
std::vector<std::uint32_t> Ledger::by_priority() const {
  expects(round_.size() < std::numeric_limits<std::uint32_t>::max(), "numbers for the messages of a round");
  std::vector<Priority> priorities;
  priorities.reserve(round_.size());
  for (Entry const& entry : round_) {
    double const posted = seconds(done_[at(entry.from)]);
    priorities.emplace_back(std::max(posted, seconds(done_[at(entry.to)])), posted, entry.from, entry.index);
  }
  std::vector<std::uint32_t> order(round_.size());
  std::iota(order.begin(), order.end(), 0);
  auto const comes_first = [&](std::uint32_t a, std::uint32_t b) { return priorities[a] < priorities[b]; };
  if (!std::is_sorted(order.begin(), order.end(), comes_first)) std::sort(order.begin(), order.end(), comes_first);
  return order;
}

/// Times a round in which ranks have several messages. A message starts when both ends have reached the round and have
/// a free port. Of the messages that can start, the one that is ready first comes first, then the one posted first,
/// then that of the lower source, then the earlier one of a source. The ports of a rank serve no other round in the
/// meantime.
void Ledger::time_by_ports() {
  auto const later = [&](Span a, Span b) { return seconds(a) < seconds(b) ? b : a; };
  std::vector<Ports> out, in;
  for (Span const done : done_) {
    out.emplace_back(done, cost_.ports);
    in.emplace_back(done, cost_.ports);
  }
  // End r is the sends of rank r, and end p + r its receives.
  std::size_t const p = done_.size();
  auto const first_free = [&](std::size_t end) { return (end < p ? out[end] : in[end - p]).first(); };
  auto const order = by_priority();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends_of;
  for (std::uint32_t const i : order) ends_of.emplace_back(round_[i].from, p + at(round_[i].to));
  Waiting waiting(p, 2 * p, ends_of);
  for (std::size_t end = 0; end < 2 * p; ++end) waiting.free_at(end, seconds(first_free(end)));
  std::vector<Span> ends = done_;
  while (auto const next = waiting.next()) {
    Entry const& entry = round_[order[*next]];
    Ports& source = out[at(entry.from)];
    Ports& target = in[at(entry.to)];
    Span const end = after(later(source.first(), target.first()), entry);
    source.hold(end, seconds(end));
    target.hold(end, seconds(end));
    for (int const rank : {entry.from, entry.to}) ends[at(rank)] = later(ends[at(rank)], end);
    for (std::size_t const each : {at(entry.from), p + at(entry.to)}) waiting.free_at(each, seconds(first_free(each)));
  }
  done_ = std::move(ends);
}

/// Updates what is counted of rounds when only counts are wanted.
void Ledger::close_counted_round() {
  if (largest_in_round_ > 0 && (counted_.finest == 0 || largest_in_round_ < counted_.finest)) {
    counted_.finest = largest_in_round_;
  }
  if (most_posted_ > 1) counted_.compared += static_cast<double>(in_round_) * static_cast<double>(most_posted_);
  in_round_ = largest_in_round_ = most_posted_ = 0;
}

/// The counts of all rounds.
MessageCounts Ledger::counts() {
  close_counted_round();
  counted_.messages = messages_;
  counted_.units = total_;
  return counted_;
}

/// Adds the round to the volumes and to the time.
void Ledger::close_round() {
  if (!round_of_sends_.empty()) return close_counted_round();
  if (round_.empty()) return;
  int most = 0;
  std::int64_t largest = 0;
  for (Entry const& entry : round_) {
    most = std::max({most, sends_[at(entry.from)], receives_[at(entry.to)]});
    largest = std::max(largest, entry.units);
  }
  critical_ = checked_sum(critical_, largest);
  if (most > cost_.ports) within_ports_ = false;
  // Timing a round of many messages by ports is slow, so it is only done if a time is asked for.
  if (cost_.linear) most == 1 ? time_simple() : time_by_ports();
  for (Entry const& entry : round_) sends_[at(entry.from)] = receives_[at(entry.to)] = 0;
  round_.clear();
}

/// All figures, in blocks.
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
