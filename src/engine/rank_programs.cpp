#include "engine/rank_programs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "mpi/execute.hpp"

namespace rondo {

RankPrograms::RankPrograms(Schedule const& schedule, Collective const& collective, bool verified)
    : schedule_(schedule), collective_(collective), progress_(static_cast<std::size_t>(schedule.ranks)) {
  if (verified) {
    memory_.emplace(schedule);
  } else {
    for (Program const& program : schedule.programs) plain_.emplace_back(program);
  }
}

void RankPrograms::run(Rank rank) {
  MPI_Init(nullptr, nullptr);
  if (memory_) {
    mpi::Buffers const buffers = memory_->buffers(rank);
    fill(buffers, collective_, rank);
    execute(rank, mpi::TypedParcels(schedule_.program(rank), buffers), &buffers);
  } else {
    auto const which = &schedule_.program(rank) - schedule_.programs.data();
    execute(rank, plain_[static_cast<std::size_t>(which)], nullptr);
  }
  MPI_Finalize();
}

void RankPrograms::execute(Rank rank, mpi::Parcels const& parcels, mpi::Buffers const* buffers) {
  Progress& mine = progress_[static_cast<std::size_t>(rank.value)];
  mine.start = MPI_Wtime();
  mpi::execute(schedule_, rank, parcels, buffers, MPI_COMM_WORLD, mine.round);
  mine.finish = MPI_Wtime();
  mine.finished = true;
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
  result.payload_verified = memory_.has_value();
  return result;
}

std::optional<std::string> RankPrograms::wrong_data() {
  if (!memory_) return std::nullopt;
  for (int rank = 0; rank < schedule_.ranks; ++rank) {
    auto wrong = rondo::wrong_data(memory_->buffers(Rank(rank)), collective_, Rank(rank));
    if (wrong) return wrong;
  }
  return std::nullopt;
}

std::string RankPrograms::waiting() const {
  constexpr int most_named = 4;
  std::string text;
  int unfinished = 0;
  for (std::size_t rank = 0; rank < progress_.size(); ++rank) {
    if (progress_[rank].finished || unfinished++ >= most_named) continue;
    text += fmt::format("{}rank {} in round {}", text.empty() ? "" : ", ", rank, progress_[rank].round);
  }
  if (unfinished > most_named) text += fmt::format(" and {} more", unfinished - most_named);
  return text;
}

}  // namespace rondo
