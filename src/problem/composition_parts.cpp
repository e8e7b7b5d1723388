// Divides members into groups and lanes, orders ranks host by host, joins and divides shares, names phases, and adds
// parts to them. A place is the index of a member in its list.

#include "problem/composition_parts.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "base/enum_names.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/text.hpp"

namespace rondo::problem {

/// Groups in the order of their first members.
std::vector<std::vector<int>> by_group(std::vector<int> const& group_of, int ranks) {
  std::map<int, std::size_t> seen;
  std::vector<std::vector<int>> groups;
  for (int r = 0; r < ranks; ++r) {
    auto const [found, is_new] = seen.try_emplace(group_of[at(r)], groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(r);
  }
  return groups;
}

namespace {

/// Divides 0 .. n-1 into runs of `size`; the last one may be shorter.
std::vector<std::vector<int>> runs_of(int n, int size) {
  std::vector<std::vector<int>> runs;
  for (int i = 0; i < n; ++i) {
    if (i % size == 0) runs.emplace_back();
    runs.back().push_back(i);
  }
  return runs;
}

/// The groups of a level: stated rank by rank, or by sizes.
std::vector<std::vector<int>> places_by_group(Classical const& problem, std::vector<int> const& members,
                                              std::size_t level) {
  Hierarchy const& hierarchy = problem.hierarchy;
  int const n = static_cast<int>(members.size());
  if (!hierarchy.group_of.empty()) {
    std::vector<int> group_of;
    for (int const member : members) group_of.push_back(hierarchy.group_of[at(member)]);
    return by_group(group_of, n);
  }
  int const size = hierarchy.sizes[level];
  if (size > n) {
    throw HierarchyError("/groups", "expected groups of at most " + std::to_string(n) +
                                        (level == 0 ? " ranks" : " of the inner groups") + ", all there are, got " +
                                        std::to_string(size));
  }
  if (problem.rings == 1) return runs_of(n, size);
  // Groups are runs of ranks, whatever the order of the members.
  std::vector<int> group_of;
  for (int const member : members) group_of.push_back(member / size);
  return by_group(group_of, n);
}

/// 0 lanes mean as many as possible. Throws HierarchyError if there are more than ranks in the smallest group.
int lanes_among(Classical const& problem, std::vector<std::vector<int>> const& groups) {
  std::size_t smallest = groups.front().size();
  for (auto const& group : groups) smallest = std::min(smallest, group.size());
  int const most = static_cast<int>(smallest);
  int const lanes = problem.hierarchy.lanes == 0 ? most : problem.hierarchy.lanes;
  if (lanes > most) {
    throw HierarchyError("/lanes", "expected at most " + std::to_string(most) +
                                       " lanes, the ranks of the smallest group, got " + std::to_string(lanes));
  }
  if (problem.collective == ClassicalCollective::barrier && lanes > 1) {
    if (problem.hierarchy.lanes == 0) return 1;
    throw HierarchyError("/lanes",
                         "expected 1 lane of a barrier, which has no data to share out, got " + std::to_string(lanes));
  }
  return lanes;
}

}  // namespace

/// The root becomes a lane of its group.
std::vector<Group> groups_of(Classical const& problem, std::vector<int> const& members, int root, std::size_t level) {
  auto const all = places_by_group(problem, members, level);
  int const lanes = lanes_among(problem, all);
  std::vector<Group> groups;
  for (auto const& places : all) {
    Group group{places, std::vector<int>(at(lanes)), std::vector<int>(places.size(), -1)};
    std::iota(group.lanes.begin(), group.lanes.end(), 0);
    auto const found = std::find(places.begin(), places.end(), root);
    if (has_root(problem.collective) && found != places.end() && found - places.begin() >= lanes) {
      group.lanes.back() = static_cast<int>(found - places.begin());
    }
    for (int lane = 0; lane < lanes; ++lane) group.served[at(group.lanes[at(lane)])] = lane;
    int next = 0;
    for (int& lane : group.served) {
      if (lane < 0) lane = next++ % lanes;
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

int lanes_of(std::vector<Group> const& groups) { return static_cast<int>(groups.front().lanes.size()); }

std::size_t largest(std::vector<Group> const& groups) {
  std::size_t size = 0;
  for (Group const& group : groups) size = std::max(size, group.places.size());
  return size;
}

/// The number of the group that has this place.
int group_with(std::vector<Group> const& groups, int place) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    auto const& places = groups[g].places;
    if (std::find(places.begin(), places.end(), place) != places.end()) return static_cast<int>(g);
  }
  throw ContractViolation("a place in a group");
}

/// The places that a lane serves.
std::vector<int> served_by(Group const& group, int lane) {
  std::vector<int> places;
  for (std::size_t i = 0; i < group.places.size(); ++i) {
    if (group.served[i] == lane) places.push_back(group.places[i]);
  }
  return places;
}

std::vector<int> served_by(std::vector<Group> const& groups, int lane) {
  std::vector<int> places;
  for (Group const& group : groups) {
    std::vector<int> const more = served_by(group, lane);
    places.insert(places.end(), more.begin(), more.end());
  }
  return places;
}

std::vector<int> order_of_ring(std::vector<int> const& host_of, int ranks, int ring, int rings) {
  std::vector<int> each_rank(at(ranks));
  std::iota(each_rank.begin(), each_rank.end(), 0);
  std::vector<std::vector<int>> hosts = by_group(host_of.empty() ? each_rank : host_of, ranks);
  if (ring % 2 == 1) std::reverse(hosts.begin(), hosts.end());
  std::vector<int> order;
  for (std::vector<int> const& host : hosts) {
    auto const n = static_cast<std::int64_t>(host.size());
    std::int64_t const first = rings <= n ? ring * n / rings : ring % n;
    order.insert(order.end(), host.begin() + first, host.end());
    order.insert(order.end(), host.begin(), host.begin() + first);
  }
  return order;
}

std::string name_of(ClassicalCollective collective) { return enum_name(kind_of(collective)); }

/// Lets two sequences of phases run side by side.
void merge(Phases& into, Phases&& more) {
  if (into.size() < more.size()) into.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) {
    into[i].name = more[i].name;
    std::move(more[i].parts.begin(), more[i].parts.end(), std::back_inserter(into[i].parts));
  }
}

void append(Phases& phases, Phases&& more) { std::move(more.begin(), more.end(), std::back_inserter(phases)); }

/// Part k of n of a share.
Share part_of(Share const& share, std::int64_t n, std::int64_t k) {
  std::int64_t const size = (units_of(share) + n - 1) / n;
  std::int64_t from = k * size, to = from + size;
  Share result;
  for (Slice const& slice : share) {
    std::int64_t const length = slice.last - slice.first;
    std::int64_t const first = std::max<std::int64_t>(from, 0), last = std::min(to, length);
    if (first < last) result.push_back({slice.block, slice.first + first, slice.first + last});
    from -= length;
    to -= length;
  }
  return result;
}

namespace {

/// The sizes of shares, as a single one if all are equal.
BlockSizes sizes_of(Shares const& shares) {
  std::vector<Bytes> each;
  for (Share const& share : shares) each.emplace_back(units_of(share));
  if (each.empty()) return Bytes(1);
  bool const equal = std::all_of(each.begin(), each.end(), [&](Bytes size) { return size == each.front(); });
  return equal ? BlockSizes(each.front()) : BlockSizes(Bytes(1), each);
}

}  // namespace

/// The whole problem, or the part of it that a ring or a segment has.
Job PartWriter::job(int ring, std::optional<Slice> const& segment) const {
  Job job{whole_.collective, std::vector<int>(at(whole_.ranks)), whole_.root, {}};
  std::iota(job.members.begin(), job.members.end(), 0);
  if (whole_.rings > 1) {
    job.members = order_of_ring(whole_.host_of, whole_.ranks, ring, whole_.rings);
    auto const root = std::find(job.members.begin(), job.members.end(), whole_.root);
    if (has_root(whole_.collective)) job.root = static_cast<int>(root - job.members.begin());
  }
  if (!with_data_) return job;
  std::vector<std::int64_t> const sizes = units_by_block(whole_);
  for (std::size_t b = 0; b < sizes.size(); ++b) job.shares.push_back({{static_cast<std::uint32_t>(b), 0, sizes[b]}});
  if (segment) job.shares = {{*segment}};
  if (whole_.rings == 1) return job;
  Shares parts;
  for (std::size_t i = 0; i < job.shares.size(); ++i) {
    Share const& all = works_on_vector(whole_.collective) ? job.shares[i] : job.shares[at(job.members[i])];
    // A block without units goes to the first ring.
    bool const nothing = units_of(all) == 0;
    parts.push_back(nothing && ring == 0 ? all : part_of(all, whole_.rings, ring));
  }
  job.shares = std::move(parts);
  return job;
}

Share PartWriter::all_of(Shares const& shares) const {
  Share result;
  for (Share const& each : shares) result.insert(result.end(), each.begin(), each.end());
  return result;
}

/// Divides a vector among lanes; other places get nothing.
Shares PartWriter::shared_out(Share const& vector, std::vector<int> const& lanes, std::size_t places) const {
  Shares parts;
  if (!with_data_) return parts;
  parts.resize(places);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    parts[at(lanes[lane])] = part_of(vector, std::ssize(lanes), static_cast<std::int64_t>(lane));
  }
  return parts;
}

/// The name of a level in records: intra, inter, or its number.
std::string PartWriter::level_name(std::size_t level) const {
  if (!whole_.hierarchy.stated()) return "rings";
  std::size_t const last = whole_.hierarchy.levels.size() - 1;
  if (level == last) return "inter";
  return level == 0 ? "intra" : "level " + std::to_string(level + 1);
}

/// The algorithm that the hierarchy states for a collective at a level. Throws HierarchyError if it states none.
ClassicalAlgorithm PartWriter::algorithm_of(ClassicalCollective collective, std::size_t level) const {
  if (!whole_.hierarchy.stated()) return whole_.algorithm;
  PhaseAlgorithms const& stated = whole_.hierarchy.levels[level];
  std::optional<ClassicalAlgorithm> const algorithm = stated.of(collective);
  std::vector<ClassicalAlgorithm> choices = classical_algorithms(collective);
  std::erase(choices, ClassicalAlgorithm("hierarchical"));
  std::erase(choices, ClassicalAlgorithm("forest"));
  if (!algorithm) {
    throw HierarchyError(stated.place, "expected an algorithm for the phase \"" + name_of(collective) + "\", got none");
  }
  if (std::find(choices.begin(), choices.end(), *algorithm) == choices.end()) {
    throw HierarchyError(stated.place, "expected an algorithm of the phase " + name_of(collective) + ", \"" +
                                           listed(enum_names_of(choices), "\", \"") + "\", got \"" +
                                           enum_name(*algorithm) + "\"");
  }
  return *algorithm;
}

/// Adds a part. With fewer than two members there is nothing to do.
void PartWriter::add(Phase& phase, ClassicalCollective collective, std::size_t level, std::vector<int> members,
                     int root, Shares shares) const {
  if (phase.name.empty()) phase.name = level_name(level) + " " + name_of(collective);
  ClassicalAlgorithm const algorithm = algorithm_of(collective, level);
  if (members.size() < 2) return;
  SubCollective part{{collective, static_cast<int>(members.size()), sizes_of(shares), algorithm},
                     level,
                     std::move(members),
                     std::move(shares)};
  part.problem.root = root;
  part.problem.segment = whole_.segment;
  part.problem.radix = whole_.radix;
  part.problem.group_size = whole_.group_size;
  part.problem.distances = whole_.distances;
  part.problem.children = whole_.children;
  part.problem.commutative = whole_.commutative;
  try {
    expect_ranks_fit(part.problem);
  } catch (InputError const& refused) {
    if (!whole_.hierarchy.stated()) throw;
    throw HierarchyError(whole_.hierarchy.levels[level].place,
                         std::string(refused.what()) + " in the phase " + phase.name);
  }
  phase.parts.push_back(std::move(part));
}

void PartWriter::add(Phase& phase, ClassicalCollective collective, std::size_t level, Job const& job,
                     Group const& group, int root, Shares shares) const {
  add(phase, collective, level, members_at(job, group.places), root, std::move(shares));
}

std::vector<int> PartWriter::members_at(Job const& job, std::vector<int> const& places) {
  std::vector<int> members;
  for (int const place : places) members.push_back(job.members[at(place)]);
  return members;
}

}  // namespace rondo::problem
