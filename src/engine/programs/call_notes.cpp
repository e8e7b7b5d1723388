// Collects calls by function and communicator, and spans of calls for timelines. All ranks are actors of one process,
// so one table serves all.

#include "engine/programs/call_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <simgrid/s4u/Engine.hpp>
#include <unordered_map>
#include <utility>

#include "engine/smpi/actors.hpp"

namespace rondo {

namespace {

/// The calls of one collective by one rank on one group.
struct Sum {
  std::int64_t calls = 0, bytes = 0;
  double time = 0;
};

/// The name and the size of a communicator's group.
struct Group {
  std::string text;  ///< see ranks_text
  int ranks = 0;
};

/// The outermost call in which a rank is, and how many calls deep it is.
struct CurrentCall {
  int depth = 0;               ///< 0: the rank is in no call
  char const* name = nullptr;  ///< of the outermost call
  bool is_collective = false;
  std::string group;  ///< of a collective
  double start = 0;   ///< in seconds, as all times here
};

/// A timed region of one rank.
struct Region {
  double start = 0, end = -1;  ///< `end` is -1 as long as the region has not ended
};

/// Everything that is noted in a simulation.
struct Notes {
  Log log = Log::none;
  std::vector<CurrentCall> ranks;                                        ///< empty: nothing is noted
  std::map<std::pair<std::string, std::string>, std::vector<Sum>> sums;  ///< by call and group, of each rank
  std::map<std::string, int> sizes;                                      ///< of groups, by their names
  std::unordered_map<MPI_Comm, Group> groups;
  std::vector<CallSpan> spans;
  std::vector<std::vector<Region>> regions;  ///< of each rank
} notes;

double now() { return simgrid::s4u::Engine::get_clock(); }

/// The ranks of a communicator in MPI_COMM_WORLD, by which communicators are named.
std::vector<int> world_ranks(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  std::vector<int> local(static_cast<std::size_t>(size)), world(local.size());
  std::iota(local.begin(), local.end(), 0);
  MPI_Group group = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Group_translate_ranks(group, size, local.data(), all, world.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&all);
  return world;
}

/// "0-3,8,9": consecutive ranks are written as a range.
std::string ranges(std::vector<int> const& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ranks[i]);
    if (end - i > 1) text += fmt::format("{}{}", end - i > 2 ? '-' : ',', ranks[end - 1]);
    i = end;
  }
  return text;
}

/// "world", "0-3", or "0,4,...,12" for more than three ranks with equal distances.
std::string ranks_text(std::vector<int> const& ranks) {
  bool world = ranks.size() == notes.ranks.size();
  for (std::size_t i = 0; i < ranks.size(); ++i) world = world && ranks[i] == static_cast<int>(i);
  if (world) return "world";
  auto const stride = ranks.size() > 3 ? ranks[1] - ranks[0] : 1;
  bool even = stride > 1;
  for (std::size_t i = 1; i < ranks.size(); ++i) even = even && ranks[i] - ranks[i - 1] == stride;
  return even ? fmt::format("{},{},...,{}", ranks[0], ranks[1], ranks.back()) : ranges(ranks);
}

/// The text that names the group of a communicator, or the two groups that MPI_COMM_NULL stands for. It is made once
/// for each communicator, until that is freed.
std::string group_of(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return "two groups";
  auto const stored = notes.groups.find(comm);
  if (stored != notes.groups.end()) return stored->second.text;
  std::vector<int> const ranks = world_ranks(comm);
  Group group{ranks_text(ranks), static_cast<int>(ranks.size())};
  notes.sizes[group.text] = group.ranks;
  return notes.groups.emplace(comm, std::move(group)).first->second.text;
}

/// The state of the calling rank; null if the caller is no rank or nothing is noted.
CurrentCall* here() {
  int const rank = notes.ranks.empty() ? -1 : rank_here();
  return rank < 0 ? nullptr : &notes.ranks[static_cast<std::size_t>(rank)];
}

/// Begins a call of a rank. Only the outermost call counts, because MPI's functions call each other.
void begin(CurrentCall& rank, char const* name) {
  if (rank.depth++ > 0) return;
  rank.name = name;
  rank.is_collective = false;
  rank.start = now();
}

/// The number of a rank among all.
std::size_t number_of(CurrentCall const& rank) { return static_cast<std::size_t>(&rank - notes.ranks.data()); }

/// Whether a call of this rank counts now: with timed regions, only calls within them do.
bool counts(CurrentCall const& rank) {
  std::vector<Region> const& regions = notes.regions[number_of(rank)];
  return regions.empty() || regions.back().end < 0;
}

/// Forgets the calls of a rank before its first timed region.
void forget_calls(std::size_t rank) {
  for (auto& [call, sums] : notes.sums) {
    if (rank < sums.size()) sums[rank] = {};
  }
}

/// The sum for the rank's current call, which must be a collective.
Sum& sum_of(CurrentCall const& rank) {
  auto& sums = notes.sums[{rank.name, rank.group}];
  sums.resize(notes.ranks.size());
  return sums[number_of(rank)];
}

/// Ends a call of a rank. Notes it if it was the outermost one.
void end(CurrentCall& rank) {
  if (--rank.depth > 0) return;
  double const time = now();
  if (rank.is_collective) sum_of(rank).time += time - rank.start;
  if (notes.log == Log::none) return;
  Rank const number(static_cast<int>(number_of(rank)));
  notes.spans.push_back({number, rank.name, Seconds(rank.start), Seconds(time)});
}

}  // namespace

void note_calls(int ranks, Log log) {
  notes.log = log;
  notes.ranks.resize(static_cast<std::size_t>(ranks));
  notes.regions.resize(notes.ranks.size());
}

CallHere::CallHere(char const* name) {
  if (CurrentCall* const rank = here()) begin(*rank, name);
}

CallHere::CallHere(char const* name, MPI_Comm comm, std::int64_t bytes) {
  CurrentCall* const rank = here();
  if (rank == nullptr) return;
  begin(*rank, name);
  if (rank->depth > 1) return;
  rank->group = group_of(comm);
  rank->is_collective = counts(*rank);
  if (!rank->is_collective) return;
  Sum& sum = sum_of(*rank);
  ++sum.calls;
  sum.bytes += bytes;
}

CallHere::~CallHere() {
  if (CurrentCall* const rank = here()) end(*rank);
}

std::vector<CollectiveCalls> collective_calls() {
  std::vector<CollectiveCalls> all;
  for (auto const& [key, sums] : notes.sums) {
    CollectiveCalls calls;
    calls.call = key.first;
    calls.communicator = key.second;
    double total = 0;
    int callers = 0;
    for (Sum const& each : sums) {
      calls.calls = std::max(calls.calls, each.calls);
      calls.bytes = std::max(calls.bytes, Bytes(each.bytes));
      calls.longest = std::max(calls.longest, Seconds(each.time));
      total += each.time;
      callers += each.calls > 0 ? 1 : 0;
    }
    if (callers == 0) continue;  // all before the timed regions
    auto const size = notes.sizes.find(key.second);
    calls.ranks = size == notes.sizes.end() ? callers : size->second;
    calls.time = Seconds(total / std::max(calls.ranks, 1));
    all.push_back(std::move(calls));
  }
  std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.time > b.time; });
  return all;
}

std::vector<CallSpan> call_spans(Seconds start) {
  std::vector<CallSpan> spans = notes.spans;
  std::erase_if(spans, [&](CallSpan const& each) { return each.start < start; });  // of the preparation
  for (CallSpan& each : spans) {
    each.start = each.start - start;
    each.end = each.end - start;
  }
  std::stable_sort(spans.begin(), spans.end(), [](auto const& a, auto const& b) {
    return std::pair(a.rank, a.start) < std::pair(b.rank, b.start);
  });
  return spans;
}

void forget_communicator(MPI_Comm comm) { notes.groups.erase(comm); }

std::optional<Seconds> timed_regions(Seconds end) {
  std::size_t most = 0;
  for (auto const& each : notes.regions) most = std::max(most, each.size());
  if (most == 0) return std::nullopt;
  double total = 0;
  for (std::size_t k = 0; k < most; ++k) {
    double first = end.value, last = 0;
    for (auto const& each : notes.regions) {
      if (k >= each.size()) continue;
      first = std::min(first, each[k].start);
      last = std::max(last, each[k].end < 0 ? end.value : each[k].end);
    }
    total += std::max(last - first, 0.0);
  }
  return Seconds(total);
}

}  // namespace rondo

extern "C" {

// librondo_mpi, if it is linked into a program, calls the first three of these functions. It refers to them weakly, so
// it works without Rondo too, where they are missing.

[[gnu::visibility("default")]] void* rondo_call_begins(char const* name, MPI_Comm comm, long long bytes) {
  return new rondo::CallHere(name, comm, bytes);
}

[[gnu::visibility("default")]] void rondo_call_ends(void* call) { delete static_cast<rondo::CallHere*>(call); }

/// For MPI_Pcontrol: 1 begins a timed region of this rank unless one is open, 0 ends it. Other levels have no effect.
[[gnu::visibility("default")]] void rondo_timed_region(int level) {
  int const rank = rondo::notes.ranks.empty() ? -1 : rondo::rank_here();
  if (rank < 0 || level < 0 || level > 1) return;
  auto& regions = rondo::notes.regions[static_cast<std::size_t>(rank)];
  bool const open = !regions.empty() && regions.back().end < 0;
  if (level == 1 && regions.empty()) rondo::forget_calls(static_cast<std::size_t>(rank));
  if (level == 1 && !open) regions.push_back({rondo::now(), -1});
  if (level == 0 && open) regions.back().end = rondo::now();
}

// These replace SMPI's functions (see blocking_calls.cpp).

int PMPI_Pcontrol(int const level, ...) {
  rondo_timed_region(level);
  return MPI_SUCCESS;
}
int MPI_Pcontrol(int const level, ...) {
  rondo_timed_region(level);
  return MPI_SUCCESS;
}

}  // extern "C"
