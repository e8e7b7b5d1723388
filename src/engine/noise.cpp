// Draws noise. Parts of a rank are numbered through, so that a rank draws the same numbers however its work is divided.

#include "engine/noise.hpp"

#include <cmath>

namespace rondo {

/// Parts of a rank share its sequence of draws; each begins where the parts before it end.
Noise::Noise(Platform const& platform, EngineOptions const& options, Parts const* parts)
    : law_(platform.noise), seed_(options.seed), replication_(options.replication), parts_(parts) {
  // Under linear timing messages cost no CPU time.
  if (platform.timing == TimingModel::linear) law_.cpu.reset();
  if (parts == nullptr || !law_.any()) return;
  EarlierCounts before;
  for (std::size_t part = 0; part < parts->count(); ++part) {
    if (part > 0 && parts->rank_of[part] != parts->rank_of[part - 1]) before = {};
    before_.push_back(before);
    Program const& program = parts->schedule.program(Rank(static_cast<std::int32_t>(part)));
    for (int round = 1; round <= program.rounds(); ++round) before.sends += program.sends(round).size();
    before.rounds += static_cast<std::uint64_t>(program.rounds()) + 1;
    if (parts->computing[part] > Seconds(0)) ++before.calculations;
  }
}

/// The number of each send within its rank; 0 for other tasks.
std::vector<std::uint32_t> numbers_of_sends(TaskGraph const& graph) {
  std::vector<std::uint32_t> numbers;
  for (std::int32_t rank = 0; rank < graph.ranks(); ++rank) {
    std::uint32_t sends = 0;
    for (Task const& task : graph.of(Rank(rank))) numbers.push_back(task.kind == TaskKind::send ? sends++ : 0);
  }
  return numbers;
}

/// Lengthens a calculation by its noise. `number` counts the calculations of the rank.
void Noise::add_to(Task& task, std::optional<NoiseLaw> const& law, std::size_t rank, std::uint64_t& number) const {
  if (task.kind != TaskKind::calc || task.amount == 0) return;
  Seconds const work(1e-9 * static_cast<double>(task.amount));
  task.amount += std::llround(1e9 * drawn(law, DrawKind::compute, rank, number++, work).value);
}

/// Lengthens calculations; each rank draws in the order of its tasks.
TaskGraph Noise::on_calculations(TaskGraph graph) const {
  if (!law_.compute) return graph;
  for (std::int32_t rank = 0; rank < graph.ranks(); ++rank) {
    std::uint64_t number = 0;
    for (std::uint32_t t = graph.first[at(rank)]; t < graph.first[at(rank) + 1]; ++t) {
      add_to(graph.tasks[t], law_.compute, at(rank), number);
    }
  }
  return graph;
}

/// The calculations of a rank are numbered through all its parts, as in Noise::calculation.
PartTasks Noise::on_calculations(PartTasks lowered, Parts const& parts) const {
  std::uint64_t number = 0;
  for (std::size_t part = 0; part < parts.count(); ++part) {
    if (part > 0 && parts.rank_of[part] != parts.rank_of[part - 1]) number = 0;
    for (std::uint32_t t = lowered.first_of_part[part]; t < lowered.first_of_part[part + 1]; ++t) {
      add_to(lowered.tasks.tasks[t], law_.of_step(parts.step_of[part]), at(parts.rank_of[part]), number);
    }
  }
  return lowered;
}

}  // namespace rondo
