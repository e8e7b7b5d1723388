// Makes inter-communicators, splits and compares them. The leaders of both groups exchange the world ranks of their
// members; all other information follows from these.

#include "mpi_library/intergroup/inter_comm.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/named_constants.hpp"
#include "mpi_library/graph/graph_comm.hpp"

namespace rondo::mpi {
namespace {

/// The ranks of a communicator, as ranks of MPI_COMM_WORLD.
std::vector<int> world_ranks(MPI_Comm comm) {
  OwnGroup const group(comm), world(MPI_COMM_WORLD);
  return group.translated(ranks_below(size_of(comm)), world);
}

/// Called by both leaders. They exchange the sizes of their groups, or a negative code if there is an error in a group,
/// and then the world ranks. Returns those of the other group. Throws MpiFailure with `code`, the error of the own
/// group, or with that of the other group.
std::vector<int> exchanged(std::vector<int> const& mine, int code, MPI_Comm peer, int remote_leader, int tag) {
  auto const size = static_cast<int>(mine.size());
  int const said = code == MPI_SUCCESS ? size : -code;
  int remote_size = 0;
  check(PMPI_Sendrecv(&said, 1, MPI_INT, remote_leader, tag, &remote_size, 1, MPI_INT, remote_leader, tag, peer,
                      MPI_STATUS_IGNORE));
  check(code);
  if (remote_size < 0) throw MpiFailure(-remote_size);
  std::vector<int> result(static_cast<std::size_t>(remote_size));
  check(PMPI_Sendrecv(mine.data(), size, MPI_INT, remote_leader, tag, result.data(), remote_size, MPI_INT,
                      remote_leader, tag, peer, MPI_STATUS_IGNORE));
  return result;
}

/// The arguments of a rank that name the leaders of the groups. All of them but `local` count only at the local leader.
struct Leaders {
  int local = 0;
  MPI_Comm peer = MPI_COMM_NULL;
  int remote = 0, tag = 0;
};

/// Throws MpiFailure unless the leaders can reach each other.
void expect_peer(Leaders const& leaders) {
  expect_intra(leaders.peer);
  if (leaders.remote < 0 || leaders.remote >= size_of(leaders.peer)) throw MpiFailure(MPI_ERR_RANK);
  if (leaders.tag < 0) throw MpiFailure(MPI_ERR_TAG);
}

/// The error that a rank finds in its arguments, or MPI_SUCCESS.
int own_code(MPI_Comm local, Leaders const& leaders, int rank) {
  int const size = size_of(local);
  return guarded([&] {
    if (leaders.local < 0 || leaders.local >= size) throw MpiFailure(MPI_ERR_RANK);
    if (rank == leaders.local) expect_peer(leaders);
  });
}

/// The rank that speaks for a group, whose members may disagree about their leader, and the error in the group.
struct GroupSpeaker {
  int rank = 0;  ///< in the local group; larger than all its ranks if no rank can speak
  int code = MPI_SUCCESS;
};

/// Collective over the local group. Chooses the leader, if all ranks agree on it and find no error; otherwise the first
/// rank that names itself the leader and finds no error in its arguments.
GroupSpeaker speaker(MPI_Comm local, Leaders const& leaders, int rank) {
  Vote vote;
  vote.arguments.add(leaders.local);
  vote.code = own_code(local, leaders, rank);
  GroupSpeaker result{leaders.local, agree(local, vote)};
  if (result.code == MPI_SUCCESS) return result;
  int const mine = rank == leaders.local && vote.code == MPI_SUCCESS ? rank : std::numeric_limits<int>::max();
  check(PMPI_Allreduce(&mine, &result.rank, 1, MPI_INT, MPI_MIN, local));
  return result;
}

/// Collective over the local group. The leader receives the ranks of the other group and broadcasts them. An error in
/// this group is thrown as MpiFailure at all of its ranks. If the group has a speaker, it tells the other leader about
/// the error, and the other group throws it too.
std::vector<int> remote_ranks(std::vector<int> const& mine, MPI_Comm local, Leaders const& leaders) {
  int const rank = rank_in(local);
  GroupSpeaker const found = speaker(local, leaders, rank);
  std::vector<int> result;
  int size_or_code = 0;  // a negative code
  if (rank == found.rank) {
    int const code = guarded([&] { result = exchanged(mine, found.code, leaders.peer, leaders.remote, leaders.tag); });
    size_or_code = code == MPI_SUCCESS ? static_cast<int>(result.size()) : -code;
  }
  check(found.code);
  check(PMPI_Bcast(&size_or_code, 1, MPI_INT, leaders.local, local));
  if (size_or_code < 0) throw MpiFailure(-size_or_code);
  result.resize(static_cast<std::size_t>(size_or_code));
  check(PMPI_Bcast(result.data(), size_or_code, MPI_INT, leaders.local, local));
  return result;
}

bool overlap(std::vector<int> const& a, std::vector<int> const& b) {
  return std::any_of(a.begin(), a.end(), [&](int rank) { return std::find(b.begin(), b.end(), rank) != b.end(); });
}

/// The graph of a rank: its sources and its targets are all ranks of the other group, `size` ranks from `first` on.
std::shared_ptr<ProcessTopology> joined_to(int first, int size) {
  auto result = std::make_shared<ProcessTopology>();
  result->sources.ranks = ranks_below(size);
  for (int& rank : result->sources.ranks) rank += first;
  result->targets = result->sources;
  return result;
}

/// Makes the communicators `to_send` and `to_receive`.
void make_lanes(InterComm& inter, NewComms& comms) {
  MPI_Comm const both = inter.both->comm->handle();
  bool const local_first = inter.local_first == 0;
  std::vector<int> second_first = ranks_below(inter.local_size + inter.remote_size);
  std::rotate(second_first.begin(), second_first.begin() + (local_first ? inter.local_size : inter.remote_size),
              second_first.end());
  OwnGroup const all(both), other_way_round(all, second_first);
  auto as_it_is = std::make_shared<OwnComm>(both, comms);
  auto turned = std::make_shared<OwnComm>(both, other_way_round.handle(), comms);
  inter.to_send = local_first ? as_it_is : turned;
  inter.to_receive = local_first ? turned : as_it_is;
}

/// Makes the local communicator `result` an inter-communicator; `both` is the communicator of all ranks of both groups.
void make_inter(MPI_Comm result, InterComm inter, MPI_Comm both, NewComms& comms) {
  inter.both = std::make_shared<AttachedTopology>();
  inter.both_ways = std::make_shared<std::array<std::shared_ptr<IntergroupComm>, 2>>();
  inter.both->topology = joined_to(inter.remote_first, inter.remote_size);
  inter.both->comm = std::make_unique<OwnComm>(both, comms);
  make_lanes(inter, comms);
  mark_inter(result);
  Attached<InterComm>::attach(result, std::make_shared<InterComm>(std::move(inter)));
}

/// Makes an inter-communicator from a new communicator of the ranks of `local`, which gets the error handler of
/// `local`.
MPI_Comm carrying(MPI_Comm local, InterComm inter, MPI_Comm both) {
  MPI_Comm const result = fully_connected(local);
  NewComms comms;
  make_inter(result, std::move(inter), both, comms);
  return result;
}

/// The arguments of a rank in a split, and the error that it has found.
struct SplitChoice {
  int color = 0, key = 0, code = MPI_SUCCESS;
};
constexpr int integers_a_choice = 3;
static_assert(sizeof(SplitChoice) == integers_a_choice * sizeof(int));

/// Collective over both groups. The choices of all ranks, by rank in `both`.
std::vector<SplitChoice> choices(MPI_Comm both, SplitChoice const& mine) {
  std::vector<SplitChoice> all(static_cast<std::size_t>(size_of(both)));
  check(PMPI_Allgather(&mine, integers_a_choice, MPI_INT, all.data(), integers_a_choice, MPI_INT, both));
  return all;
}

/// The largest error code of all ranks. A color that is negative but not MPI_UNDEFINED counts as MPI_ERR_ARG.
int agreed_code(std::vector<SplitChoice> const& all) {
  int code = MPI_SUCCESS;
  for (SplitChoice const& each : all) {
    code = std::max(code, each.code);
    if (each.color < 0 && each.color != MPI_UNDEFINED) code = std::max<int>(code, MPI_ERR_ARG);
  }
  return code;
}

/// The ranks that name this color, of the group with `size` ranks from `first` on. They are in the order of their keys,
/// and ranks with equal keys in the order of ranks.
std::vector<int> chosen(std::vector<SplitChoice> const& all, int color, int first, int size) {
  std::vector<int> result;
  for (int rank = first; rank < first + size; ++rank) {
    if (all[static_cast<std::size_t>(rank)].color == color) result.push_back(rank);
  }
  auto const key = [&](int rank) { return all[static_cast<std::size_t>(rank)].key; };
  std::ranges::stable_sort(result, {}, key);
  return result;
}

/// Collective over both groups. By group, in the order in which `both` has them: 1 if a rank of the group has passed an
/// argument that only the root's group passes, else 0.
std::array<int, 2> group_numbers(InterComm const& inter, int root) {
  std::array<int, 2> mine{0, 0}, all{0, 0};
  mine[inter.local_first == 0 ? 0 : 1] = root == MPI_PROC_NULL || root == named_root ? 1 : 0;
  check(PMPI_Allreduce(mine.data(), all.data(), 2, MPI_INT, MPI_MAX, inter.both->comm->handle()));
  return all;
}

/// Collective over both groups. Whether this rank's group has the root, for MPI libraries whose MPI_ROOT is 0. If no
/// rank has passed MPI_PROC_NULL, the root is the only rank of its group. Throws MpiFailure (MPI_ERR_ROOT) if both
/// groups are equally large then.
bool in_root_group(InterComm const& inter, int root) {
  std::array<int, 2> const found = group_numbers(inter, root);
  int const mine = inter.local_first == 0 ? 0 : 1;
  if (found[static_cast<std::size_t>(mine)] != 0) return true;
  if (found[static_cast<std::size_t>(1 - mine)] != 0) return false;
  if (inter.local_size == inter.remote_size) throw MpiFailure(MPI_ERR_ROOT);
  return inter.local_size == 1;
}

}  // namespace

std::shared_ptr<InterComm> inter_comm(MPI_Comm comm) { return Attached<InterComm>::if_any(comm); }

/// The group with the lowest world rank comes first in the common communicator, so that both groups number it alike.
MPI_Comm create_inter_comm(MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag) {
  expect_intra(local);
  Leaders const leaders{local_leader, peer, remote_leader, tag};
  OwnComm const own(local);
  std::vector<int> const mine = world_ranks(local);
  std::vector<int> const theirs = remote_ranks(mine, own.handle(), leaders);
  if (theirs.empty() || overlap(mine, theirs)) throw MpiFailure(MPI_ERR_COMM);
  bool const first = *std::min_element(mine.begin(), mine.end()) < *std::min_element(theirs.begin(), theirs.end());
  std::vector<int> both = first ? mine : theirs;
  std::vector<int> const& second = first ? theirs : mine;
  both.insert(both.end(), second.begin(), second.end());
  OwnGroup const world(MPI_COMM_WORLD), group(world, both);
  MPI_Comm all = MPI_COMM_NULL;
  check(PMPI_Comm_create_group(MPI_COMM_WORLD, group.handle(), tag, &all));
  auto const local_size = static_cast<int>(mine.size()), remote_size = static_cast<int>(theirs.size());
  MPI_Comm const result = carrying(
      local,
      {nullptr, first ? 0 : remote_size, local_size, first ? local_size : 0, remote_size, nullptr, nullptr, nullptr},
      all);
  MPI_Comm_free(&all);
  return result;
}

MPI_Comm duplicate(MPI_Comm local, InterComm const& inter, NewComms& comms) {
  MPI_Comm const result = comms.duplicate(local);
  make_inter(result, inter, inter.both->comm->handle(), comms);
  return result;
}

/// Splits the local group and the communicator of both groups, each by color.
MPI_Comm split_inter_comm(MPI_Comm local, InterComm const& inter, int color, int key, int code) {
  MPI_Comm const both = inter.both->comm->handle();
  std::vector<SplitChoice> const all = choices(both, {color, key, code});
  check(agreed_code(all));
  int const self = rank_in(both);
  auto const mine = chosen(all, color, inter.local_first, inter.local_size);
  auto const theirs = chosen(all, color, inter.remote_first, inter.remote_size);
  bool const made = color != MPI_UNDEFINED && !mine.empty() && !theirs.empty();
  bool const first = inter.local_first == 0;
  int const before = first ? 0 : static_cast<int>(theirs.size());
  auto const place = static_cast<int>(std::find(mine.begin(), mine.end(), self) - mine.begin());
  OwnComm const ours(local, made ? color : MPI_UNDEFINED, place);
  OwnComm const whole(both, made ? color : MPI_UNDEFINED, before + place);
  if (!made) return MPI_COMM_NULL;
  inherit_errhandler(local, ours.handle());
  auto const local_size = static_cast<int>(mine.size()), remote_size = static_cast<int>(theirs.size());
  return carrying(ours.handle(),
                  {nullptr, before, local_size, first ? local_size : 0, remote_size, nullptr, nullptr, nullptr},
                  whole.handle());
}

/// MPI_Comm_create for inter-communicators, as a split: the ranks of the group have a color, the others have none.
MPI_Comm create_in_inter_comm(MPI_Comm local, InterComm const& inter, MPI_Group group) {
  int rank = MPI_UNDEFINED, size = 0;
  int const code = guarded([&] {
    if (group == MPI_GROUP_NULL) throw MpiFailure(MPI_ERR_GROUP);
    check(MPI_Group_rank(group, &rank));
    check(MPI_Group_size(group, &size));
    if (size == 0) return;
    std::vector<int> const ranks = ranks_below(size);
    std::vector<int> found(ranks.size());
    OwnGroup const all(local);
    check(MPI_Group_translate_ranks(group, size, ranks.data(), all.handle(), found.data()));
    if (std::ranges::find(found, MPI_UNDEFINED) != found.end()) throw MpiFailure(MPI_ERR_GROUP);
  });
  bool const in = code == MPI_SUCCESS && rank != MPI_UNDEFINED;
  return split_inter_comm(local, inter, in ? 0 : MPI_UNDEFINED, in ? rank : 0, code);
}

/// An inter-communicator and a communicator of one group are unequal. Remote groups are compared as groups of `both`.
int compare(MPI_Comm a, MPI_Comm b) {
  int locally = MPI_UNEQUAL;
  auto const x = inter_comm(a), y = inter_comm(b);
  if ((x == nullptr) != (y == nullptr)) return MPI_UNEQUAL;
  check(PMPI_Comm_compare(a, b, &locally));
  if (x == nullptr || a == b) return locally;
  OwnGroup const in_a(x->both->comm->handle()), in_b(y->both->comm->handle());
  OwnGroup const theirs(in_a, x->both->topology->sources.ranks), others(in_b, y->both->topology->sources.ranks);
  int remotely = MPI_UNEQUAL;
  check(MPI_Group_compare(theirs.handle(), others.handle(), &remotely));
  if (locally == MPI_UNEQUAL || remotely == MPI_UNEQUAL) return MPI_UNEQUAL;
  return locally == MPI_SIMILAR || remotely == MPI_SIMILAR ? MPI_SIMILAR : MPI_CONGRUENT;
}

/// The group with `high` false comes first. If both groups pass the same value, they keep their order in `both`.
MPI_Comm merged(InterComm const& inter, bool high) {
  int const rank = rank_in(inter.both->comm->handle()), size = size_of(inter.both->comm->handle());
  MPI_Comm result = MPI_COMM_NULL;
  check(PMPI_Comm_split(inter.both->comm->handle(), 0, rank + (high ? size : 0), &result));
  MPI_Comm_set_errhandler(result, MPI_ERRORS_ARE_FATAL);
  return result;
}

MPI_Group remote_group(InterComm const& inter) {
  OwnGroup const both(inter.both->comm->handle());
  MPI_Group result = MPI_GROUP_NULL;
  check(MPI_Group_incl(both.handle(), inter.remote_size, inter.both->topology->sources.ranks.data(), &result));
  return result;
}

/// Interprets MPI_ROOT and MPI_PROC_NULL in the group of the root, and ranks in the other group.
InterRoot root_of(InterComm const& inter, int root) {
  // Not every library has an MPI_ROOT that differs from all ranks. With such a library the program may not either.
  bool const known = MPI_ROOT < 0 || names_constants();
  bool const ours = known ? root == MPI_PROC_NULL || root == named_root || (MPI_ROOT < 0 && root == MPI_ROOT)
                          : in_root_group(inter, root);
  if (ours && root == MPI_PROC_NULL) return {false, 0};
  if (ours && root != MPI_ROOT && root != named_root) return {true, -1};
  if (!ours && (root < 0 || root >= inter.remote_size)) return {true, -1};
  int const self = rank_in(inter.both->comm->handle());
  return {true, ours ? self : inter.remote_first + root};
}

}  // namespace rondo::mpi
