// Decides who carries a collective out under SMPI: Rondo between two groups, by a chosen algorithm or in the order of
// ranks where SMPI's own function is wrong; otherwise SMPI. Helpers carry out non-blocking collectives.

#define RONDO_IN_THE_LIBRARY

#include "mpi_library/smpi_shim/collectives.hpp"

#include <cstdio>
#include <utility>

#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/ordered_reduction.hpp"
#include "mpi_library/classical/choice.hpp"
#include "mpi_library/classical/classical_request.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "mpi_library/intergroup/inter_collectives.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "mpi_library/smpi_shim/call_reports.hpp"
#include "rondo/mpi.h"

namespace rondo::mpi {
namespace {

using enum ClassicalCollective;
using Made = std::unique_ptr<RequestOperation>;

bool scans(CollectiveCall const& call) { return call.collective == scan || call.collective == exscan; }

void say_refused(char const* function) { std::fprintf(stderr, "%s: not on an inter-communicator\n", function); }

/// The request of a collective between two groups. Throws MpiFailure for a scan.
Made request_of_groups(char const* function, CollectiveCall const& call, MPI_Comm comm) {
  if (!scans(call)) return request_between_groups(*inter_comm(comm), call, NeighborForm::non_blocking);
  say_refused(function);
  throw MpiFailure(MPI_ERR_COMM);
}

/// The reduction in the order of ranks that replaces a call of SMPI's.
OrderedCall ordered(CollectiveCall const& call, MPI_Comm comm) {
  using Kind = OrderedCall::Kind;
  Kind kind = Kind::all;
  if (call.collective == scan) kind = Kind::inclusive;
  if (call.collective == exscan) kind = Kind::exclusive;
  if (call.collective == reduce) kind = Kind::rooted;
  return {kind, call.send, call.receive, call.send_count, call.send_type, call.op, comm, call.root};
}

/// A reduce_scatter, as an ordered reduction of the whole vector, of which each rank gets its part.
Made scattered_in_order(CollectiveCall const& call, MPI_Comm comm) {
  int rank = 0, ranks = 0;
  check(PMPI_Comm_rank(comm, &rank));
  check(PMPI_Comm_size(comm, &ranks));
  auto const count_of = [&](int i) { return call.by_counts ? call.counts[i] : call.receive_count; };
  OrderedReduction::Part part{0, count_of(rank)};
  OrderedCall whole = ordered(call, comm);
  whole.count = 0;
  for (int i = 0; i < ranks; ++i) {
    if (i < rank) part.first += count_of(i);
    whole.count += count_of(i);
  }
  return std::make_unique<OrderedReduction>(whole, part);
}

/// The request of one of Rondo's reductions or scans, if SMPI's own is wrong: for an operation that does not commute,
/// and for exscan. Null for all other calls.
Made request_in_order(CollectiveCall const& call, MPI_Comm comm) {
  bool const wrong = needs_order(call.op) || call.collective == exscan;
  if (comm == MPI_COMM_NULL || !wrong) return nullptr;
  if (call.collective == reduce_scatter) return scattered_in_order(call, comm);
  return std::make_unique<OrderedReduction>(ordered(call, comm));
}

/// Whether helpers can carry the call out. False also for wrong arguments, which the called function then reports.
bool can_be_helped(CollectiveCall const& call, MPI_Comm comm) {
  bool can = false;
  guarded([&] { can = is_usable(call, comm); });
  return can;
}

/// The request of a chosen algorithm that a helper carries out. It keeps the call's datatypes and operator, because the
/// program may free its own before the helper has used them.
Made chosen_by_a_helper(char const* function, CollectiveCall const& call, MPI_Comm comm,
                        std::shared_ptr<OwnHelpers> const& own, std::shared_ptr<ClassicalRequest> const& chosen) {
  auto const kept = keep_objects({call.send_type, call.receive_type}, call.op);
  OnComm const work = [=](MPI_Comm helpers) {
    static_cast<void>(kept);
    return answer(MPI_COMM_WORLD, guarded([&] { chosen->carry_out_on(helpers); }), function);
  };
  return std::make_unique<LibraryRequest>([=](MPI_Request* made) { return begin_by_helper(comm, work, own, made); });
}

/// Makes the request of Rondo's own for a non-blocking or persistent call. Null if under_way() begins the call.
Make request_of(char const* function, CollectiveCall const& call, MPI_Comm comm,
                std::shared_ptr<OwnHelpers> const& own) {
  return [=]() -> Made {
    if (is_inter(comm)) return request_of_groups(function, call, comm);
    std::unique_ptr<ClassicalRequest> chosen = requested_by_choice(call, comm);
    bool const helped = can_be_helped(call, comm);
    if (chosen != nullptr && helped) return chosen_by_a_helper(function, call, comm, own, std::move(chosen));
    return chosen != nullptr || helped ? std::move(chosen) : request_in_order(call, comm);
  };
}

/// The work of a helper if no algorithm is chosen: SMPI's blocking form, or Rondo's own barrier or ordered scan. It
/// keeps the call's datatypes and operator, because the program may free its own before the helper has used them.
OnComm by_a_helper(char const* function, CollectiveCall const& call, OnComm const& blocking) {
  auto const kept = keep_objects({call.send_type, call.receive_type}, call.op);
  return [=](MPI_Comm helpers) {
    static_cast<void>(kept);
    int code = MPI_SUCCESS;
    if (call.collective == barrier)
      code = dissemination_barrier(helpers);
    else if (scans(call) && needs_order(call.op))
      code = guarded([&] { scan_in_order(ordered(call, helpers)); });
    else
      code = blocking(helpers);
    return answer(MPI_COMM_WORLD, code, function);
  };
}

/// SMPI's own non-blocking function, except for a barrier. In SMPI's barrier ranks leave when rank 0 has entered. In
/// this one each rank hears from each other rank, so that no rank has to call MPI again to let others leave.
LibraryBegin mended(CollectiveCall const& call, MPI_Comm comm, LibraryBegin const& library) {
  if (call.collective != barrier) return library;
  return [=](MPI_Request* made) {
    static char nothing = 0;
    return PMPI_Iallgather(&nothing, 0, MPI_BYTE, &nothing, 0, MPI_BYTE, comm, made);
  };
}

/// Begins a collective for which Rondo makes no request: by a helper that runs the blocking form if that is possible,
/// otherwise by SMPI's non-blocking function.
LibraryBegin under_way(char const* function, CollectiveCall const& call, MPI_Comm comm,
                       std::shared_ptr<OwnHelpers> const& own, SmpiForms const& library) {
  return [=](MPI_Request* made) {
    if (is_inter(comm) || !can_be_helped(call, comm)) return mended(call, comm, library.non_blocking)(made);
    return begin_by_helper(comm, by_a_helper(function, call, library.blocking), own, made);
  };
}

/// Inter-communicators have no scans, and everything else on them is Rondo's. Otherwise Rondo's algorithm is used if
/// one is chosen. Scans by an operator that does not commute are Rondo's too, because SMPI's join in another order.
/// SMPI does the rest.
int run_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, Library const& library) {
  if (is_inter(comm)) {
    if (!scans(call)) return guarded([&] { carry_out_between_groups(*inter_comm(comm), call); });
    say_refused(function);
    return MPI_ERR_COMM;
  }
  if (auto const code = by_choice(call, comm)) return *code;
  if (!scans(call) || !needs_order(call.op)) return library();
  return guarded([&] { scan_in_order(ordered(call, comm)); });
}

}  // namespace

int blocking_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, Library const& library) {
  CollectiveScope const called(function, call, comm);
  return answer(comm, run_collective(function, call, comm, library), function);
}

/// The report of the call covers only the time in which it begins.
int begin_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, MPI_Request* request,
                     SmpiForms const& library) {
  CollectiveScope const called(function, call, comm);
  return begin_request(function, comm, request, request_of(function, call, comm, nullptr),
                       under_way(function, call, comm, nullptr, library));
}

int init_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, MPI_Request* request,
                    SmpiForms const& library) {
  std::shared_ptr<OwnHelpers> own;
  int const code = guarded([&] {
    if (comm != MPI_COMM_NULL && !is_inter(comm)) own = reserve_helpers(comm);
  });
  if (code != MPI_SUCCESS) return answer(comm, code, function);
  return init_request(function, comm, request, request_of(function, call, comm, own),
                      under_way(function, call, comm, own, library));
}

int begin_request(char const* function, MPI_Comm comm, MPI_Request* request, Make const& make,
                  LibraryBegin const& library) {
  bool done = false;
  int const code = guarded([&] {
    Made made = make();
    if (made == nullptr) return;
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = make_handle(std::move(made), Lifetime::once);
    done = true;
  });
  return answer(comm, done || code != MPI_SUCCESS ? code : library(request), function);
}

/// SMPI has no persistent collectives, so a LibraryRequest starts the non-blocking form each time.
int init_request(char const* function, MPI_Comm comm, MPI_Request* request, Make const& make,
                 LibraryBegin const& library) {
  int const code = guarded([&] {
    if (comm == MPI_COMM_NULL) throw MpiFailure(MPI_ERR_COMM);
    Made made = make();
    if (made == nullptr) made = std::make_unique<LibraryRequest>(library);
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = make_handle(std::move(made), Lifetime::persistent);
  });
  return answer(comm, code, function);
}

int refuse(MPI_Comm comm, char const* function) {
  say_refused(function);
  return answer(comm, MPI_ERR_COMM, function);
}

}  // namespace rondo::mpi

// Functions that functions/write.py does not generate: no algorithm can be chosen for MPI_Alltoallw.

namespace {

using namespace rondo::mpi;

using Ints = int const*;
using Types = MPI_Datatype const*;

/// An alltoallw as a call on the graph of an inter-communicator.
NeighborCall typed_blocks(void const* sendbuf, Ints sendcounts, Ints sdispls, Types sendtypes, void* recvbuf,
                          Ints recvcounts, Ints rdispls, Types recvtypes, NeighborForm form) {
  return {NeighborCall::Kind::alltoall,
          typed(sendbuf, sendcounts, nullptr, sendtypes),
          typed(recvbuf, recvcounts, nullptr, recvtypes),
          sdispls,
          rdispls,
          form};
}

/// Makes a request for two groups. Null for one group, for which SMPI makes it.
Make if_between_groups(MPI_Comm comm, NeighborCall const& call) {
  return [=] { return is_inter(comm) ? make_request(inter_comm(comm)->both, call) : nullptr; };
}

}  // namespace

extern "C" {

int MPI_Alltoallw(void const* sendbuf, Ints sendcounts, Ints sdispls, Types sendtypes, void* recvbuf, Ints recvcounts,
                  Ints rdispls, Types recvtypes, MPI_Comm comm) {
  if (!is_inter(comm)) {
    return answer(
        comm, PMPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm),
        __func__);
  }
  auto const call = typed_blocks(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                                 NeighborForm::blocking);
  return answer(comm, guarded([&] { carry_out(*make_request(inter_comm(comm)->both, call)); }), __func__);
}

int MPI_Ialltoallw(void const* sendbuf, Ints sendcounts, Ints sdispls, Types sendtypes, void* recvbuf, Ints recvcounts,
                   Ints rdispls, Types recvtypes, MPI_Comm comm, MPI_Request* request) {
  auto const call = typed_blocks(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                                 NeighborForm::non_blocking);
  return begin_request(__func__, comm, request, if_between_groups(comm, call), [=](MPI_Request* made) {
    return PMPI_Ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                           made);
  });
}

int MPI_Alltoallw_init(void const* sendbuf, Ints sendcounts, Ints sdispls, Types sendtypes, void* recvbuf,
                       Ints recvcounts, Ints rdispls, Types recvtypes, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  auto const call = typed_blocks(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                                 NeighborForm::non_blocking);
  return init_request(__func__, comm, request, if_between_groups(comm, call), [=](MPI_Request* made) {
    return PMPI_Ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                           made);
  });
}

}  // extern "C"
