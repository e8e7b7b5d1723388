#include "engine/noise.hpp"

#include <cmath>

namespace rondo {

Noise::Noise(Platform const& platform, EngineOptions const& options, Parts const* parts)
    : law_(platform.noise), seed_(options.seed), replication_(options.replication), parts_(parts) {
  // Under linear timing messages cost no CPU.
  if (platform.timing == TimingModel::linear) law_.cpu.reset();
  if (parts == nullptr || !law_.any()) return;
  Before before;
  for (std::size_t part = 0; part < parts->count(); ++part) {
    if (part > 0 && parts->rank_of[part] != parts->rank_of[part - 1]) before = {};
    before_.push_back(before);
    Program const& program = parts->schedule.program(Rank(static_cast<std::int32_t>(part)));
    for (int round = 1; round <= program.rounds(); ++round) before.sends += program.sends(round).size();
    before.rounds += static_cast<std::uint64_t>(program.rounds()) + 1;
    if (parts->computing[part] > Seconds(0)) ++before.calculations;
  }
}

std::vector<std::uint32_t> numbers_of_sends(TaskGraph const& graph) {
  std::vector<std::uint32_t> numbers;
  for (std::int32_t rank = 0; rank < graph.ranks(); ++rank) {
    std::uint32_t sends = 0;
    for (Task const& task : graph.of(Rank(rank))) numbers.push_back(task.kind == TaskKind::send ? sends++ : 0);
  }
  return numbers;
}

TaskGraph Noise::on_calculations(TaskGraph graph) const {
  if (!law_.compute) return graph;
  for (std::int32_t rank = 0; rank < graph.ranks(); ++rank) {
    std::uint64_t number = 0;
    for (std::uint32_t t = graph.first[at(rank)]; t < graph.first[at(rank) + 1]; ++t) {
      Task& task = graph.tasks[t];
      if (task.kind != TaskKind::calc || task.amount == 0) continue;
      Seconds const work(1e-9 * static_cast<double>(task.amount));
      Seconds const noise = drawn(law_.compute, DrawKind::compute, at(rank), number++, work);
      task.amount += std::llround(1e9 * noise.value);
    }
  }
  return graph;
}

}  // namespace rondo
