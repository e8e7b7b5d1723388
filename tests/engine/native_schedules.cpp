#include "native_schedules.hpp"
#include "base/index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

namespace rondo::testing {

namespace {

int last_round(std::vector<PlannedMessage> const& planned) {
  int last = 0;
  for (PlannedMessage const& parcel : planned) last = std::max({last, parcel.sent, parcel.received});
  return last;
}

Program program_of(int rank, std::vector<PlannedMessage> const& planned) {
  Layout layout;
  layout.block = 1_B;
  for (PlannedMessage const& parcel : planned) {
    layout[Buffer::send].sizes.emplace_back(parcel.bytes);
    layout[Buffer::receive].sizes.emplace_back(parcel.bytes);
  }
  layout[Buffer::send].slots = layout[Buffer::receive].slots = static_cast<std::uint32_t>(planned.size());
  ProgramBuilder builder(layout);
  for (int round = 1; round <= last_round(planned); ++round) {
    builder.begin_round();
    for (std::uint32_t i = 0; i < planned.size(); ++i) {
      Place const from[] = {send_slot(i)};
      Place const into[] = {receive_slot(i)};
      if (planned[i].source == rank && planned[i].sent == round) builder.send(planned[i].target, from);
      if (planned[i].target == rank && planned[i].received == round) builder.receive(planned[i].source, into);
    }
  }
  return std::move(builder).finish();
}

}  // namespace

Schedule schedule_of(int ranks, std::vector<PlannedMessage> const& planned) {
  Schedule schedule;
  schedule.ranks = ranks;
  for (int rank = 0; rank < ranks; ++rank) {
    schedule.programs.push_back(program_of(rank, planned));
    schedule.program_of.push_back(static_cast<std::uint32_t>(rank));
  }
  schedule.promises.ports = 0;
  return schedule;
}

std::vector<PlannedMessage> random_payloads(Random& random, int ranks, int rounds, int ports) {
  std::vector<PlannedMessage> planned;
  for (int round = 1; round <= rounds; ++round) {
    std::map<int, int> sends, receives;
    auto const tries = random.between(0, 4 * ranks);
    for (int i = 0; i < tries; ++i) {
      auto const source = static_cast<int>(random.below(static_cast<std::uint64_t>(ranks)));
      auto const target = static_cast<int>(random.below(static_cast<std::uint64_t>(ranks)));
      bool const full = ports > 0 && (sends[source] >= ports || receives[target] >= ports);
      if (source == target || full) continue;
      ++sends[source];
      ++receives[target];
      planned.push_back({source, target, round, round, 1000 * random.between(0, 3)});
    }
  }
  return planned;
}

Schedule random_isomorphic(Random& random, Torus const& torus, int rounds, int most) {
  auto const d = torus.dimensions();
  Layout layout;
  layout.block = 1000_B;
  for (Buffer const buffer : {Buffer::send, Buffer::receive}) layout[buffer].slots = 8;
  Schedule schedule;
  schedule.ranks = torus.size();
  schedule.torus = torus;
  ProgramBuilder builder(layout);
  std::int32_t peers = 0;
  while (rounds > 0) {
    builder.begin_round();
    for (std::int64_t messages = random.between(1, most); messages > 0; --messages) {
      std::vector<int> offset;
      for (int j = 0; j < d; ++j) offset.push_back(static_cast<int>(random.between(-3, 3)));
      if (torus.is_self(offset)) continue;
      for (int const c : offset) schedule.offsets.push_back(c);
      for (int const c : offset) schedule.offsets.push_back(-c);
      std::vector<Place> const places(at(random.between(0, 8)), send_slot(0));
      builder.send(peers, places);
      builder.receive(peers + 1, places);
      peers += 2;
    }
    --rounds;
  }
  schedule.programs.push_back(std::move(builder).finish());
  schedule.promises.ports = 0;
  return schedule;
}

Schedule expanded(Schedule const& isomorphic) {
  Program const& all = isomorphic.programs.front();
  Schedule schedule;
  schedule.ranks = isomorphic.ranks;
  schedule.promises = isomorphic.promises;
  for (int rank = 0; rank < isomorphic.ranks; ++rank) {
    ProgramBuilder builder(all.layout());
    for (int round = 1; round <= all.rounds(); ++round) {
      builder.begin_round();
      for (Transfer const& send : all.sends(round)) {
        builder.send(isomorphic.peer(Rank(rank), send).value, all.places(send));
      }
      for (Transfer const& receive : all.receives(round)) {
        builder.receive(isomorphic.peer(Rank(rank), receive).value, all.places(receive));
      }
    }
    schedule.programs.push_back(std::move(builder).finish());
    schedule.program_of.push_back(static_cast<std::uint32_t>(rank));
  }
  return schedule;
}

namespace {

/// Deliberately naive: every step looks at every message.
class Reference {
 public:
  Reference(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform)
      : platform_(platform),
        round_(at(ranks), 0),
        entered_(at(ranks), 0),
        posted_(at(ranks), 0),
        last_(last_round(planned)) {
    for (PlannedMessage const& parcel : planned) {
      if (parcel.sent != never) add_send(parcel);
    }
    for (int round = 1; round <= last_; ++round) {
      for (PlannedMessage const& parcel : planned) {
        if (parcel.received == round) add_receive(parcel);
      }
    }
  }

  std::vector<std::int64_t> run() {
    for (std::optional<std::int64_t> next = 0; next; next = next_finish()) {
      now_ = *next;
      ++step_;
      for (Message& message : messages_) message.done |= message.finish == now_;
      for (std::size_t r = 0; r < round_.size(); ++r) enter_next_round(static_cast<int>(r));
      for (Message& message : messages_) {
        if (!message.ready && message.whole && posted(message)) message.ready = step_;
      }
      while (Message* const best = first_startable()) best->finish = now_ + duration(*best);
    }
    for (int const round : round_) {
      if (round <= last_) return {};
    }
    return entered_;
  }

 private:
  struct Message {
    int source = 0, target = 0, sent = 0, received = 0;
    std::int64_t bytes = 0;
    int place = 0;
    bool whole = false, done = false;
    std::optional<int> ready;  ///< the step: what takes no time has an order all the same
    std::optional<std::int64_t> finish;
  };

  void add_send(PlannedMessage const& parcel) {
    Message message{parcel.source, parcel.target, parcel.sent, never, parcel.bytes, 0, false, false, {}, {}};
    for (Message const& other : messages_) {
      message.place += other.source == parcel.source && other.sent == parcel.sent ? 1 : 0;
    }
    messages_.push_back(message);
  }

  /// To the earliest send between the two ranks that has no receive yet; else a message that is never sent.
  void add_receive(PlannedMessage const& parcel) {
    Message* first = nullptr;
    for (Message& message : messages_) {
      bool const meets = message.source == parcel.source && message.target == parcel.target && !message.whole;
      if (meets && message.sent != never && (first == nullptr || message.sent < first->sent)) first = &message;
    }
    if (first == nullptr) {
      messages_.push_back({parcel.source, parcel.target, never, parcel.received, 0, 0, false, false, {}, {}});
    } else {
      first->received = parcel.received;
      first->whole = true;
    }
  }

  bool posted(Message const& message) const {
    return round_[at(message.source)] >= message.sent && round_[at(message.target)] >= message.received;
  }

  bool is_held(int rank) const {
    int const round = round_[at(rank)];
    return std::any_of(messages_.begin(), messages_.end(), [&](Message const& message) {
      bool const own =
          (message.source == rank && message.sent == round) || (message.target == rank && message.received == round);
      return round > 0 && own && !message.done;
    });
  }

  void enter_next_round(int rank) {
    int& round = round_[at(rank)];
    if (round > last_ || is_held(rank)) return;
    entered_[at(rank)] = now_;
    posted_[at(rank)] = step_;
    while (round <= last_ && !is_held(rank)) ++round;
  }

  Message* first_startable() {
    auto const key = [&](Message const& message) {
      return std::tuple(*message.ready, posted_[at(message.source)], message.source, message.place);
    };
    Message* best = nullptr;
    for (Message& message : messages_) {
      bool const can = message.ready && !message.finish && ports_free(message);
      if (can && (best == nullptr || key(message) < key(*best))) best = &message;
    }
    return best;
  }

  bool ports_free(Message const& message) const {
    int sending = 0, receiving = 0;
    for (Message const& other : messages_) {
      if (!other.finish || other.done) continue;
      sending += other.source == message.source ? 1 : 0;
      receiving += other.target == message.target ? 1 : 0;
    }
    return sending < platform_.ports && receiving < platform_.ports;
  }

  std::int64_t duration(Message const& message) const {
    double const before = startup(platform_, message.source, message.target).value;
    double const carried = static_cast<double>(message.bytes + platform_.envelope.value) / platform_.bandwidth.value;
    return std::llround(1e9 * (before + carried));
  }

  std::optional<std::int64_t> next_finish() const {
    std::optional<std::int64_t> next;
    for (Message const& message : messages_) {
      if (message.finish && !message.done) next = std::min(next.value_or(*message.finish), *message.finish);
    }
    return next;
  }

  Platform const& platform_;
  std::vector<Message> messages_;
  std::vector<int> round_;
  std::vector<std::int64_t> entered_;
  std::vector<int> posted_;  ///< by rank: the step in which it entered its round
  int last_;
  std::int64_t now_ = 0;
  int step_ = 0;
};

}  // namespace

std::vector<std::int64_t> reference_finish(int ranks, std::vector<PlannedMessage> const& planned,
                                           Platform const& platform) {
  return Reference(ranks, planned, platform).run();
}

Timing simulate_native(Schedule const& schedule, Platform const& platform) {
  Outcome const outcome = rondo::simulate_native(schedule, platform, {});
  EXPECT_TRUE(outcome.result) << to_string(outcome.failure) << ": " << outcome.error;
  return outcome.result.value_or(Timing{});
}

Seconds finish(Timing const& timing, int rank) {
  return timing.finish.size() == 1 ? timing.finish.front() : timing.finish[at(rank)];
}

}  // namespace rondo::testing
