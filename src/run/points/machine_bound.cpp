#include "run/points/machine_bound.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "base/index.hpp"
#include "platform/network.hpp"

namespace rondo {
namespace {

/// Blocks and their targets that a bound looks at, and the links of a machine.
constexpr std::int64_t most_owed = 1 << 20;
constexpr std::int64_t most_links = 1 << 22;

/// Whether theory's bounds, which know ports alone, leave something to say.
bool says_more(Platform const& machine) {
  if (std::holds_alternative<PlatformFile>(machine.topology)) return false;
  bool const plain = machine.timing == TimingModel::linear && machine.pieces.empty() && machine.nics == 1;
  return !plain || shares_bandwidth(machine) || machine.neighbors_only;
}

Bytes send_bytes(Schedule const& schedule, int rank, std::uint32_t slot) {
  return schedule.program(Rank(rank)).layout().bytes(send_slot(slot));
}

/// The vector of a reduction or a bcast may be cut in pieces, which are not told apart here.
optimum::BytesOf sizes_of(Classical const& promise, Schedule const& schedule) {
  using enum ClassicalCollective;
  switch (promise.collective) {
    case gather:
    case allgather:
      return [&](Content const& content) { return send_bytes(schedule, content.origin.value, 0).value; };
    case scatter:
    case alltoall:
    case reduce_scatter:
      return
          [&](Content const& content) { return send_bytes(schedule, content.origin.value, content.block.value).value; };
    case bcast:
    case reduce:
    case scan:
    case exscan:
    case allreduce:
    case barrier:
      return [&, root = promise.root.value](Content const&) {
        return schedule.program(Rank(root)).layout().bytes(Buffer::send).value;
      };
  }
  return {};
}

optimum::BytesOf sizes_of(Collective const& promise, Schedule const& schedule) {
  if (auto const* classical = std::get_if<Classical>(&promise)) return sizes_of(*classical, schedule);
  // By the slot in which a block lies at its first holder.
  auto sizes = std::make_shared<std::map<Content, std::int64_t>>();
  for (int r = 0; r < ranks(promise); ++r) {
    std::uint32_t slot = 0;
    for (Content const& content : held(promise, Rank(r)))
      sizes->emplace(content, send_bytes(schedule, r, slot++).value);
  }
  return [sizes](Content const& content) {
    auto const found = sizes->find(content);
    return found == sizes->end() ? 0 : found->second;
  };
}

/// Whether all blocks of an all-to-all are known to have one size.
bool equal_blocks(Schedule const& schedule) {
  return std::ranges::all_of(schedule.programs, [&](Program const& program) {
    return program.layout()[Buffer::send].sizes.empty() &&
           program.layout().block == schedule.programs.front().layout().block;
  });
}

std::optional<optimum::NetworkBound> found(SchedulePlan const& plan, Platform const& machine) {
  auto const demand = optimum::demand_of(plan.collective, sizes_of(plan.collective, plan.schedule),
                                         equal_blocks(plan.schedule), most_owed);
  if (!demand) return std::nullopt;
  auto const network = network_of(machine, ranks(plan.collective));
  if (!network) return std::nullopt;
  return optimum::network_bound(*network, *demand);
}

/// What the bound depends on: algorithms have it in common.
std::string question_of(scenario::Scenario const& scenario) {
  auto const& json = scenario.expanded;
  std::string key = std::to_string(scenario.seed);
  for (char const* part : {"machine", "collective", "block"}) {
    if (json.contains(part)) key += json[part].dump();
  }
  return key;
}

/// The last answers of this thread: the points of a sweep often have few questions.
struct Remembered {
  std::string question;
  std::optional<optimum::NetworkBound> answer;
};
constexpr std::size_t most_remembered = 16;

}  // namespace

std::optional<optimum::NetworkBound> machine_bound(SchedulePlan const& plan, scenario::Scenario const& scenario) {
  Platform const& machine = scenario.machine;
  if (plan.benchmark || !says_more(machine) || link_ids(machine.topology) > most_links) return std::nullopt;
  // Files may change.
  if (!scenario.inputs.empty()) return found(plan, machine);
  static thread_local std::vector<Remembered> known;
  std::string question = question_of(scenario);
  auto const same = std::ranges::find(known, question, &Remembered::question);
  if (same != known.end()) return same->answer;
  if (known.size() == most_remembered) known.erase(known.begin());
  known.push_back({std::move(question), found(plan, machine)});
  return known.back().answer;
}

}  // namespace rondo
