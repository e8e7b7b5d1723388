// Counts starts and ends of ranks, and makes the timing of a run from them.

#include "engine/smpi/rank_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/error.hpp"

namespace rondo {

/// The first rank that starts notes the counts so far, which belong to the preparation.
void RankPrograms::start(Rank rank) {
  progress(rank).start = machine_.now().value;
  if (std::exchange(started_, true)) return;
  messages_before_ = machine_.messages();
  bytes_before_ = machine_.bytes();
  times_before_ = machine_.message_times().size();
}

void RankPrograms::await_arrival(Rank rank) const {
  if (arrival_.empty()) return;
  Seconds const later = arrival_[static_cast<std::size_t>(rank.value)];
  if (later > Seconds(0)) machine_.arrive(rank, later);
}

void RankPrograms::finish(Rank rank) {
  progress(rank).finish = machine_.now().value;
  progress(rank).finished = true;
}

Timing RankPrograms::timing() const {
  Timing result;
  double const start = progress_.front().start;
  for (Progress const& each : progress_) {
    expects(each.finished, "every rank to finish");
    expects(each.start == start, "all ranks to start the operation at the same simulated time");
    result.finish.emplace_back(each.finish - start);
  }
  result.makespan = *std::max_element(result.finish.begin(), result.finish.end());
  result.messages = machine_.messages() - messages_before_;
  result.bytes = Bytes(machine_.bytes().value - bytes_before_.value);
  result.payload_verified = verifies_payload();
  for (MessageTimes times : std::span(machine_.message_times()).subspan(times_before_)) {
    for (Seconds* time : {&times.send_start, &times.send_end, &times.receive_start, &times.receive_end}) {
      *time = *time - Seconds(start);
    }
    result.message_times.push_back(times);
  }
  return result;
}

std::string RankPrograms::place_of(Rank rank) const {
  int const round = progress_[static_cast<std::size_t>(rank.value)].round;
  return round > 0 ? fmt::format(" in round {}", round) : "";
}

std::string RankPrograms::waiting() const {
  constexpr int most_named = 4;
  std::string text;
  int unfinished = 0;
  for (std::size_t rank = 0; rank < progress_.size(); ++rank) {
    Progress const& each = progress_[rank];
    if (each.finished || unfinished++ >= most_named) continue;
    text += fmt::format("{}rank {}{}", text.empty() ? "" : ", ", rank, place_of(Rank(static_cast<int>(rank))));
  }
  if (unfinished > most_named) text += fmt::format(" and {} more", unfinished - most_named);
  return text + (unfinished == 1 ? " waits for ever" : " wait for ever");
}

}  // namespace rondo
