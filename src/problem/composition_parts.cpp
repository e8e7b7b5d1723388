// Joins and divides shares, names phases, and adds parts to them.

#include "problem/composition_parts.hpp"

#include <numeric>

#include "base/enum_names.hpp"
#include "base/error.hpp"
#include "base/listed.hpp"
#include "problem/rings.hpp"

namespace rondo::problem {

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
