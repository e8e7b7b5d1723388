// The actors that carry out non-blocking collectives (helpers.hpp). Several sets of helpers exist for each
// communicator, so that several collectives can be under way at once.

#include "mpi_library/smpi_shim/helpers.hpp"

#include <smpi/smpi.h>
#include <xbt/config.hpp>

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Semaphore.hpp>
#include <string>
#include <utility>
#include <vector>

#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"

// SimGrid's library exports these, and no header that it installs declares them.
struct s_smpi_privatization_region_t;
namespace simgrid::smpi {
/// What SMPI knows of an actor.
class ActorExt {
 public:
  static simgrid::xbt::Extension<s4u::Actor, ActorExt> EXTENSION_ID;
  /// Makes the calling actor the rank that its properties say, of the instance that they say.
  static void init();
  void mark_as_initialized();
  void finalize();
  MPI_Comm comm_world() const;
  void set_privatized_region(s_smpi_privatization_region_t* region);
  s_smpi_privatization_region_t* privatized_region() const;
};
class Group {
 public:
  aid_t actor(int rank) const;
  void set_mapping(aid_t actor, int rank);
};
class Comm {
 public:
  int id() const;
  Group* group();
};
}  // namespace simgrid::smpi

namespace rondo::mpi {
namespace {

namespace s4u = simgrid::s4u;
using simgrid::smpi::ActorExt;

/// What the helper of a rank is to do.
struct Helper {
  MPI_Comm wake_comm = MPI_COMM_NULL;  ///< of the helper and its rank, in this order
  struct Work {
    OnComm collective;
    int tag;
  };
  std::deque<Work> work;
  /// Released once for each piece of work, and to dismiss the helper. Not suspend() and resume(): a suspended actor's
  /// messages stop on their way.
  s4u::SemaphorePtr calls = s4u::Semaphore::create(0);
};

/// The helpers of all ranks of a communicator, for one of the collectives that may be under way on it. All ranks know
/// it, although their programs share no variables.
struct CommHelpers {
  explicit CommHelpers(int ranks) : helpers(static_cast<std::size_t>(ranks)) {}
  std::vector<Helper> helpers;
  int ready = 0;
};

/// Collectives of a communicator that may be under way at the same time; a further one starts when the first has ended.
constexpr int helper_sets_per_comm = 4;
constexpr std::size_t stack = std::size_t{1} << 20;

/// By the communicator's number and that of the crew. The communicator's rank 0 keeps them, as the data of its actor.
using Crews = std::map<std::pair<int, int>, std::shared_ptr<CommHelpers>>;

ActorExt* known_to_smpi(s4u::Actor const& actor) { return actor.extension<ActorExt>(ActorExt::EXTENSION_ID); }

/// The variables of a rank, or of one that does its work; null unless SMPI keeps those of ranks apart by mmap.
using Variables = s_smpi_privatization_region_t*;

Variables variables_of(s4u::Actor const& actor) { return known_to_smpi(actor)->privatized_region(); }

/// An actor that does a rank's work sees the rank's variables. To be called first of all in the actor: without
/// variables SMPI cannot let it wait.
void share(Variables variables) {
  if (variables == nullptr) return;
  known_to_smpi(*s4u::Actor::self())->set_privatized_region(variables);
  s4u::this_actor::yield();  // after a call SMPI shows an actor its variables
}

/// Makes the calling actor the rank of an instance of SMPI, and returns the communicator of that instance.
MPI_Comm enter(std::string const& instance, int rank, int ranks) {
  SMPI_app_instance_register(instance.c_str(), nullptr, ranks);
  s4u::ActorPtr const self = s4u::Actor::self();
  self->set_property("instance_id", instance);
  self->set_property("rank", std::to_string(rank));
  ActorExt::init();
  return known_to_smpi(*self)->comm_world();
}

void leave() { known_to_smpi(*s4u::Actor::self())->finalize(); }

std::string wake_comm_name(s4u::Actor const& helper) { return "rondo bell " + std::to_string(helper.get_pid()); }

/// An instance ends when as many actors have left it as it has ranks, and an actor can leave only once.
void free_wake_comm(std::string const& wake_comm) {
  Variables const variables = variables_of(*s4u::Actor::self());
  for (int rank : {0, 1}) {
    s4u::Actor::create(wake_comm, s4u::Host::current(), [wake_comm, rank, variables] {
      share(variables);
      enter(wake_comm, rank, 2);
      leave();
    });
  }
}

/// Whether SMPI's collectives look for the ranks of a host. What they find they keep with the communicator, of which
/// each rank then needs one of its own, which MPI_Comm_dup makes by messages.
bool look_for_hosts() {
  auto const set = [](std::string const& name) { return simgrid::config::get_value<std::string>("smpi/" + name); };
  if (set("coll-selector") != "default") return true;
  for (char const* collective : {"allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast",
                                 "gather", "reduce", "reduce_scatter", "scatter"}) {
    std::string const algorithm = set(collective);
    for (char const* part : {"smp", "SMP", "mvapich", "loosely", "impi", "automatic"}) {
      if (algorithm.find(part) != std::string::npos) return true;
    }
  }
  return false;
}

/// Carries out the next collective of a helper and reports its end to the rank.
void carry_out(Helper& helper, MPI_Comm comm) {
  Helper::Work const work = std::move(helper.work.front());
  helper.work.pop_front();
  work.collective(comm);
  PMPI_Send(nullptr, 0, MPI_BYTE, 1, work.tag, helper.wake_comm);
}

/// What the helper of `rank`, which is the actor `served`, does all its life.
void help(CommHelpers& helpers, std::string const& instance, int rank, aid_t served) {
  Helper& helper = helpers.helpers[static_cast<std::size_t>(rank)];
  s4u::ActorPtr const self = s4u::Actor::self();
  self->daemonize();
  helper.wake_comm = enter(wake_comm_name(*self), 0, 2);
  helper.wake_comm->group()->set_mapping(served, 1);
  MPI_Comm const comm = enter(instance, rank, static_cast<int>(helpers.helpers.size()));
  known_to_smpi(*self)->mark_as_initialized();
  ++helpers.ready;
  MPI_Comm own = comm;
  if (look_for_hosts()) {
    while (helpers.ready < static_cast<int>(helpers.helpers.size())) s4u::this_actor::yield();
    PMPI_Comm_dup(comm, &own);
  }
  for (;;) {
    helper.calls->acquire();
    if (helper.work.empty()) break;
    carry_out(helper, own);
  }
  if (own != comm) PMPI_Comm_free(&own);
  leave();
  free_wake_comm(wake_comm_name(*self));
}

/// Starts the helpers of these ranks.
void make(std::shared_ptr<CommHelpers> const& helpers, std::string const& instance, std::vector<aid_t> const& served) {
  for (std::size_t i = 0; i < served.size(); ++i) {
    int const rank = static_cast<int>(i);
    aid_t const actor_of_rank = served[i];
    s4u::ActorPtr const of_rank = s4u::Actor::by_pid(actor_of_rank);
    Variables const variables = variables_of(*of_rank);
    s4u::ActorPtr const actor = s4u::Actor::init("helper", of_rank->get_host());
    actor->set_stacksize(stack);
    actor->start([helpers, instance, rank, actor_of_rank, variables] {
      share(variables);
      help(*helpers, instance, rank, actor_of_rank);
    });
  }
}

/// The crew of that number. Whoever comes first makes it; the others wait until it is there, in no simulated time.
std::shared_ptr<CommHelpers> helpers_of_comm(MPI_Comm comm, int number) {
  s4u::ActorPtr const first = s4u::Actor::by_pid(comm->group()->actor(0));
  auto* all_helpers = first->get_data<Crews>();
  if (all_helpers == nullptr) first->set_data(all_helpers = new Crews);
  auto& helpers = (*all_helpers)[{comm->id(), number}];
  bool const is_first = helpers == nullptr;
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  if (is_first) helpers = std::make_shared<CommHelpers>(ranks);
  std::shared_ptr<CommHelpers> const known = helpers;
  if (is_first) {
    std::string const instance = "rondo helpers " + std::to_string(comm->id()) + " " + std::to_string(number);
    std::vector<aid_t> served;
    for (int rank = 0; rank < ranks; ++rank) served.push_back(comm->group()->actor(rank));
    // Not by this actor: SMPI takes the children of a rank for this rank if it looks for the ranks of a host.
    Variables const variables = variables_of(*s4u::Actor::self());
    s4u::Actor::create("maker", s4u::Host::current(), [known, instance, served, variables] {
      share(variables);
      make(known, instance, served);
    });
  }
  while (known->ready < ranks) s4u::this_actor::yield();
  return known;
}

/// What a rank knows of the helpers for a communicator.
struct Helpers {
  std::map<int, std::shared_ptr<CommHelpers>> all_helpers;
  int rank = 0;
  int begun = 0;     ///< collectives without helpers of their own
  int reserved = 0;  ///< sets of helpers for one collective alone

  ~Helpers() { dismiss(); }
  Helpers() = default;
  Helpers(Helpers const&) = delete;
  Helpers& operator=(Helpers const&) = delete;

  /// The helper of this rank in the set of that number. All ranks count alike, so they choose the same set.
  Helper& of(MPI_Comm comm, int number) {
    auto& helpers = all_helpers[number];
    if (helpers == nullptr) helpers = helpers_of_comm(comm, number);
    return helpers->helpers[static_cast<std::size_t>(rank)];
  }
  /// Ends a helper: one that finds no work returns.
  void dismiss(CommHelpers& helpers) const { helpers.helpers[static_cast<std::size_t>(rank)].calls->release(); }
  void dismiss(int number) {
    auto const known = all_helpers.find(number);
    if (known == all_helpers.end()) return;
    dismiss(*known->second);
    all_helpers.erase(known);
  }
  void dismiss() {
    for (auto& [number, helpers] : all_helpers) dismiss(*helpers);
    all_helpers.clear();
  }
};

/// Those of all communicators. Never destroyed: with privatization by mmap, the destructors of all ranks would run on
/// the memory of one.
std::vector<std::weak_ptr<Helpers>>& all_helpers() {
  static std::vector<std::weak_ptr<Helpers>>& all = *new std::vector<std::weak_ptr<Helpers>>;
  return all;
}

std::shared_ptr<Helpers> helpers_for(MPI_Comm comm) {
  auto known = Attached<Helpers>::if_any(comm);
  if (known != nullptr) return known;
  known = std::make_shared<Helpers>();
  check(PMPI_Comm_rank(comm, &known->rank));
  Attached<Helpers>::attach(comm, known);
  all_helpers().push_back(known);
  return known;
}

}  // namespace

std::shared_ptr<OwnHelpers> reserve_helpers(MPI_Comm comm) {
  auto const known = helpers_for(comm);
  int const number = helper_sets_per_comm + known->reserved++;
  return std::make_shared<OwnHelpers>(number, [known, number] { known->dismiss(number); });
}

/// The request is a receive of the helper's message at the end.
int begin_by_helper(MPI_Comm comm, OnComm const& collective, std::shared_ptr<OwnHelpers> const& own,
                    MPI_Request* request) {
  return guarded([&] {
    auto const known = helpers_for(comm);
    int const tag = own == nullptr ? known->begun++ : 0;
    Helper& helper = known->of(comm, own == nullptr ? tag % helper_sets_per_comm : own->number());
    check(PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, tag, helper.wake_comm, request));
    helper.work.push_back({collective, tag});
    helper.calls->release();
  });
}

/// In round k rank r sends to r + 2^k and receives from r - 2^k, mod p.
int dissemination_barrier(MPI_Comm comm) {
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &ranks);
  for (int distance = 1; distance < ranks; distance *= 2) {
    int const code = PMPI_Sendrecv(nullptr, 0, MPI_BYTE, (rank + distance) % ranks, 0, nullptr, 0, MPI_BYTE,
                                   (rank - distance + ranks) % ranks, 0, comm, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

void dismiss_helpers() {
  for (auto const& each : all_helpers()) {
    if (auto const known = each.lock()) known->dismiss();
  }
}

}  // namespace rondo::mpi
