// Looks for valid input that may be a mistake.

#include "run/points/remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/file.hpp"
#include "platform/simgrid_file.hpp"
#include "scenario/effects.hpp"

namespace rondo {
namespace {

/// Describes messages that are faster than messages of a byte less; empty if there are none.
std::string falling_times_text(Platform const& machine) {
  auto const text = [](Seconds time) { return print(Seconds(in_four_digits(time.value))); };
  std::string said;
  for (FallingTime const& each : falling_times(machine)) {
    said += fmt::format("{} take {}, one byte more {}; ", print(each.last), text(each.time), text(each.behind));
  }
  if (said.empty()) return said;
  return fmt::format("/{}: more bytes take less time: {}the fastest algorithm may change back and forth there",
                     machine.pieces.empty() ? "stripe_from" : "pieces", said);
}

/// Checks a platform file without SimGrid. Describes its unused parts. Throws InputError if the file contains anything
/// but a platform.
std::vector<std::string> unused_parts(PlatformFile const& file) {
  std::vector<std::string> remarks;
  simgrid_platform(read_file(file.path, most_platform_bytes), file.path, &remarks);
  if (!file.own_numbers) {
    remarks.push_back(
        fmt::format("the latencies in {} are not used, nor the bandwidths of the first and the last link of a route: "
                    "the machine states \"latency\" and \"bandwidth\"; without both, all numbers are the file's",
                    file.path));
  }
  return remarks;
}

/// Names the edge list of a problem's graph if rank 0 does not occur in it (topology/graph_text.hpp); empty otherwise.
std::string lacks_rank_0(problem::GraphSource const& source) {
  auto const* stated = std::get_if<WeightedGraph>(&source);
  return stated == nullptr ? "" : stated->lacks_rank_0;
}
std::string lacks_rank_0(auto const& problem) {
  if constexpr (requires { problem.graph; }) return lacks_rank_0(problem.graph);
  if constexpr (requires { problem.pattern; }) return lacks_rank_0(problem.pattern);
  return "";
}
std::string lacks_rank_0(problem::Custom const& problem) {
  if (!problem.promise) return "";
  return std::visit([](auto const& promised) { return lacks_rank_0(promised); }, problem.promise->of);
}

/// Adds a remark, unless it is made already.
void add_once(std::vector<std::string>& remarks, std::string remark) {
  if (std::ranges::find(remarks, remark) == remarks.end()) remarks.push_back(std::move(remark));
}

}  // namespace

void note_remarks(JobRemarks& remarks, scenario::Scenario const& point, std::string const& file) {
  auto const* platform = std::get_if<PlatformFile>(&point.machine.topology);
  if (platform && remarks.platforms.insert((platform->own_numbers ? "own " : "") + platform->path).second) {
    for (std::string const& part : unused_parts(*platform)) {
      add_once(remarks.machine, fmt::format("{}: /machine/topology: {}", file, part));
    }
  }
  std::string const list = std::visit([](auto const& problem) { return lacks_rank_0(problem); }, point.problem);
  if (!list.empty()) {
    add_once(remarks.inputs,
             fmt::format("{}: no edge of {} names rank 0, which has no neighbor then: ranks are numbered from 0; a "
                         "number of \"ranks\" beside \"path\" says that this is meant",
                         file, list));
  }
  std::string const falling = falling_times_text(point.machine);
  if (!falling.empty()) add_once(remarks.machine, fmt::format("{}: /machine{}", file, falling));
}

std::vector<std::string> remark_on_distance(scenario::Scenario const& point, std::string const& file) {
  Platform const& machine = point.machine;
  bool const has_distance = !std::holds_alternative<FullyConnected>(machine.topology) &&
                            !std::holds_alternative<PlatformFile>(machine.topology);
  // Distance has an effect if one of these keys is set.
  bool const counts = machine.neighbors_only || machine.hop_latency > Seconds(0) ||
                      machine.links == LinkSharing::shared || machine.timing == TimingModel::loggp;
  if (!has_distance || counts) return {};
  std::string const kind = point.expanded["machine"]["topology"]["kind"].get<std::string>();
  bool const has_neighbors = kind == "ring" || kind == "torus" || kind == "mesh";
  char const* const keys = has_neighbors ? R"("hop_latency", "links": "shared" or "neighbors_only")"
                                         : R"("hop_latency" or "links": "shared")";
  return {
      fmt::format("{}: on this {} distance costs nothing, as if it were fully connected; {} of the machine let it "
                  "count",
                  file, kind, keys)};
}

std::vector<std::string> remarks_on_machine(std::string const& file, Platform const& machine) {
  std::vector<std::string> remarks;
  if (std::string const falling = falling_times_text(machine); !falling.empty())
    remarks.push_back(file + ": " + falling);
  if (auto const* platform = std::get_if<PlatformFile>(&machine.topology)) {
    for (std::string const& each : unused_parts(*platform)) remarks.push_back(file + ": /topology: " + each);
  }
  std::string idle = scenario::remark_on_machine(file, machine);
  if (!idle.empty()) remarks.push_back(std::move(idle));
  return remarks;
}

}  // namespace rondo
