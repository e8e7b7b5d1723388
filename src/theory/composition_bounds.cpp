// Computes the bounds of composition_bounds.hpp. The names in brackets there are those of the terms here.

#include "theory/composition_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "base/ids.hpp"
#include "theory/classical_parts.hpp"

namespace rondo::theory {

using problem::ClassicalAlgorithm;
using problem::Stage;
using problem::SubCollective;

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

std::set<int> members_of(Stage const& stage) {
  std::set<int> members;
  for (SubCollective const& part : stage.parts) members.insert(part.members.begin(), part.members.end());
  return members;
}

/// The cost of a message on its way, and the time for which it occupies its sender and its receiver.
struct MessageCost {
  double way, send, receive;
};

/// For each member, the earliest time at which it leaves its current round, and the time for which its ports (or its
/// CPU) have been occupied.
class Clock {
 public:
  Clock(std::vector<bool> const& begun, bool holds_ports) : holds_ports_(holds_ports), sent(begun.size(), 0) {
    for (bool const each : begun) left.push_back(each ? 0 : never);
    received = sent_after = received_after = sent;
  }

  void begin_round() {
    before_ = left;
    out_.assign(left.size(), 0);
    in_.assign(left.size(), 0);
  }
  /// Adds a message. Returns whether it cannot have started before all members that had begun the phase.
  bool message(std::size_t from, std::size_t to, MessageCost const& cost) {
    double const start = holds_ports_ ? std::max(before_[from], before_[to]) : before_[from];
    left[to] = std::max(left[to], start + cost.way);
    if (holds_ports_) left[from] = std::max(left[from], start + cost.way);
    out_[from] += cost.send;
    in_[to] += cost.receive;
    if (start < 0) return false;
    sent_after[from] += cost.send;
    received_after[to] += cost.receive;
    return true;
  }
  /// Adds the messages of a round to the time of each rank.
  void end_round() {
    for (std::size_t r = 0; r < left.size(); ++r) {
      // Ports work at the same time, but a CPU does one thing after the other.
      double const held = holds_ports_ ? std::max(out_[r], in_[r]) : out_[r] + in_[r];
      left[r] = std::max(left[r], before_[r] + held);
      sent[r] += holds_ports_ ? out_[r] : held;
      received[r] += holds_ports_ ? in_[r] : held;
    }
  }

 private:
  bool holds_ports_;
  std::vector<double> before_, out_, in_;

 public:
  std::vector<double> left, sent, received;  ///< by member
  std::vector<double> sent_after,
      received_after;  ///< only messages that did not start before the members that had begun
};

}  // namespace

struct CompositionBounds::PartBound {
  std::vector<double> left;  ///< by member
  double sent = 0, received = 0;
  double busiest = 0;
  double bytes = 0;  ///< between hosts, only of messages after the members that had begun
};

namespace {

/// The members of PhaseBound that are summed over phases. `busiest` is not: different members may be busiest in
/// different phases.
constexpr double PhaseBound::*sums[] = {&PhaseBound::chain,  &PhaseBound::sent,    &PhaseBound::received,
                                        &PhaseBound::before, &PhaseBound::between, &PhaseBound::nic,
                                        &PhaseBound::behind};

}  // namespace

PhaseBound& PhaseBound::operator+=(PhaseBound const& other) {
  for (auto const sum : sums) this->*sum += other.*sum;
  busiest = std::max(busiest, other.busiest);
  return *this;
}

void PhaseBound::lower_to(PhaseBound const& other) {
  for (auto const sum : sums) this->*sum = std::min(this->*sum, other.*sum);
  busiest = std::min(busiest, other.busiest);
}

bool PhaseBound::is_like(PhaseBound const& other) const {
  auto const same = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); };
  return same(busiest, other.busiest) &&
         std::all_of(std::begin(sums), std::end(sums), [&](auto sum) { return same(this->*sum, other.*sum); });
}

Seconds PhaseBound::least(double segments) const {
  double const outermost = std::max({between, segments * nic, segments * busiest});
  return Seconds(std::max({chain, segments * sent, segments * received, before + outermost + behind}));
}

double whole_segments(problem::CompositionForm const& form, Bytes vector) {
  std::int64_t const segment = form.problem.hierarchy.segment.value;
  return segment == 0 ? 1 : static_cast<double>(std::max<std::int64_t>(1, vector.value / segment));
}

/// Divides the form into phases.
CompositionBounds::CompositionBounds(problem::CompositionForm const& form, LeastCost const& cost)
    : form_(form), cost_(cost) {
  for (Stage const& stage : form.stages) outermost_ = std::max(outermost_, stage.parts.front().level);
  for (std::size_t i = 0; i < form.stages.size(); ++i) add_phase(i);
  hosts_ = static_cast<double>(std::set<int>(cost.host_of.begin(), cost.host_of.end()).size());
}

/// Groups that are alike are one kind, which is computed once.
void CompositionBounds::add_phase(std::size_t number) {
  std::vector<Stage> const& stages = form_.stages;
  std::set<int> counted;
  for (Stage const& stage : stages) {
    if (stage.parts.front().level == outermost_) counted = members_of(stage);
  }
  counted_ = static_cast<double>(counted.size());

  Stage const& stage = stages[number];
  Phase phase{stage.parts.front().level, stage.parts.front().problem.collective, {}, Next::none};
  std::set<int> const here = members_of(stage);
  std::set<int> const before = number > 0 ? members_of(stages[number - 1]) : std::set<int>();
  bool const inwards_here = number > 0 && stages[number - 1].parts.front().level > phase.level;
  // If some member has no part inwards, it may be the last lane, which has then ended.
  all_follow_ = all_follow_ && (!inwards_here || std::includes(here.begin(), here.end(), before.begin(), before.end()));
  phase.inwards = inwards_here;
  phase.follows_lane = inwards_here && all_follow_;
  std::set<int> behind;
  if (number + 1 < stages.size()) {
    behind = members_of(stages[number + 1]);
    bool const all_go_on = std::includes(behind.begin(), behind.end(), here.begin(), here.end());
    bool const inwards = stages[number + 1].parts.front().level < phase.level;
    phase.next = inwards && all_go_on ? Next::inwards : Next::outwards;
  }
  using Key = std::tuple<int, int, std::int64_t, std::vector<std::int64_t>, bool, std::vector<bool>, std::vector<bool>,
                         std::vector<bool>, std::vector<int>>;
  std::map<Key, std::size_t> number_of;
  for (SubCollective const& part : stage.parts) {
    Kind kind{&part, {}, {}, {}, {}, 1};
    std::map<int, int> hosts;
    for (int const member : part.members) {
      kind.begun.push_back(number == 0 || before.contains(member));
      kind.goes_on.push_back(behind.contains(member));
      kind.counted.push_back(counted.contains(member));
      kind.hosts.push_back(hosts.emplace(cost_.host_of[at(member)], static_cast<int>(hosts.size())).first->second);
    }
    std::vector<std::int64_t> sizes;
    for (Bytes const size : part.problem.sizes.each) sizes.push_back(size.value);
    Key key{part.problem.ranks,
            part.problem.root,
            part.problem.sizes.block.value,
            sizes,
            part.has_units(),
            kind.begun,
            kind.goes_on,
            kind.counted,
            kind.hosts};
    auto const [found, is_new] = number_of.emplace(std::move(key), phase.kinds.size());
    if (is_new) {
      phase.kinds.push_back(std::move(kind));
    } else {
      ++phase.kinds[found->second].times;
    }
  }
  phases_.push_back(std::move(phase));
}

/// Replays the messages of a part by the cost of an idle machine.
CompositionBounds::PartBound CompositionBounds::of(Kind const& kind, ClassicalAlgorithm algorithm,
                                                   std::vector<bool> const& begun) const {
  problem::Classical part = kind.part->problem;
  part.algorithm = algorithm;
  Ledger::Transcript transcript;
  Ledger ledger(transcript);
  write(ledger, part);
  std::int64_t const scale = kind.part->has_units() ? 1 : 0;
  double const ports = cost_.ports;
  Clock clock(begun, cost_.holds_ports);
  PartBound bound;
  for (auto const& round : transcript) {
    clock.begin_round();
    for (auto const& [from, to, units] : round) {
      bool const within = kind.hosts[at(from)] == kind.hosts[at(to)];
      LinearCost const& cost = within ? cost_.within : cost_.between;
      Bytes const bytes = Bytes(units * scale) + cost_.envelope;
      double const way = (cost.alpha + bytes / cost.bandwidth).value;
      bool const holds = cost_.holds_ports;
      bool const after = clock.message(
          at(from), at(to), {way, holds ? way / ports : cost_.send.value, holds ? way / ports : cost_.receive.value});
      if (!within && after) bound.bytes += static_cast<double>(bytes.value);
    }
    clock.end_round();
  }
  for (std::size_t m = 0; m < kind.counted.size(); ++m) {
    bound.busiest = std::max({bound.busiest, clock.sent_after[m], clock.received_after[m]});
    if (!kind.counted[m]) continue;
    bound.sent += clock.sent[m];
    bound.received += clock.received[m];
  }
  bound.left = std::move(clock.left);
  for (double& each : bound.left) each = std::max(each, 0.0);
  return bound;
}

namespace {

/// The earliest of the members that go on; infinity if none does.
double earliest(std::vector<double> const& left, std::vector<bool> const& goes_on) {
  double result = std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < left.size(); ++m) {
    if (goes_on[m]) result = std::min(result, left[m]);
  }
  return result;
}

/// For each place among the members the earliest over all parts, and then the latest of these. If the parts have
/// different sizes, the earliest of all.
double latest_place(std::vector<std::vector<double>> const& parts) {
  std::vector<double> smallest = parts.front();
  for (auto const& left : parts) {
    if (left.size() != smallest.size()) {
      double all = std::numeric_limits<double>::infinity();
      for (auto const& each : parts) all = std::min(all, *std::min_element(each.begin(), each.end()));
      return all;
    }
    for (std::size_t m = 0; m < smallest.size(); ++m) smallest[m] = std::min(smallest[m], left[m]);
  }
  return *std::max_element(smallest.begin(), smallest.end());
}

}  // namespace

/// The earliest end of the part if only one member has begun; the best member counts.
double CompositionBounds::from_one(Kind const& kind, ClassicalAlgorithm algorithm) const {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < kind.begun.size(); ++m) {
    if (!kind.begun[m]) continue;
    std::vector<bool> only_member(kind.begun.size(), false);
    only_member[m] = true;
    std::vector<double> const left = of(kind, algorithm, only_member).left;
    smallest = std::min(smallest, *std::max_element(left.begin(), left.end()));
  }
  return smallest;
}

/// The kinds of a phase together: the first, the last or all of their ends count, as the next phase needs it.
PhaseBound CompositionBounds::of(Phase const& phase, ClassicalAlgorithm algorithm) const {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  PhaseBound result;
  double first = unlimited, last = unlimited, alone = unlimited, bytes = 0, busiest = 0;
  std::vector<std::vector<double>> all;
  for (Kind const& kind : phase.kinds) {
    PartBound part = of(kind, algorithm, kind.begun);
    result.sent += kind.times * part.sent / counted_;
    result.received += kind.times * part.received / counted_;
    busiest = std::max(busiest, part.busiest);
    bytes += kind.times * part.bytes;
    last = std::min(last, *std::max_element(part.left.begin(), part.left.end()));
    first = std::min(first, earliest(part.left, kind.goes_on));
    if (phase.follows_lane) alone = std::min(alone, from_one(kind, algorithm));
    all.push_back(std::move(part.left));
  }
  result.chain = phase.next == Next::inwards ? latest_place(all) : phase.next == Next::none ? last : first;
  if (result.chain == unlimited) result.chain = 0;
  if (phase.level == outermost_) {
    result.between = phase.next == Next::outwards ? result.chain : last;
    result.nic = bytes / hosts_ / cost_.nics.value;
    result.busiest = busiest;
  } else if (phase.follows_lane) {
    result.behind = alone == unlimited ? 0 : alone;
  } else if (!phase.inwards) {
    result.before = result.chain;
  }
  return result;
}

/// The sum over the phases to which a choice applies.
PhaseBound CompositionBounds::of(std::size_t choice, ClassicalAlgorithm algorithm) const {
  problem::PhaseChoice const& asked = form_.choices[choice];
  PhaseBound result;
  for (Phase const& phase : phases_) {
    if (phase.level == asked.level && phase.collective == asked.collective) result += of(phase, algorithm);
  }
  return result;
}

}  // namespace rondo::theory
