#include "mpi_library/classical/recent_calls.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/attached.hpp"

namespace rondo::mpi {
namespace {

bool is_predefined_type(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return true;
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  return combiner == MPI_COMBINER_NAMED;
}

bool is_predefined_operator(MPI_Op op) {
  MPI_Op const all[] = {MPI_OP_NULL, MPI_SUM,  MPI_MAX, MPI_MIN,  MPI_PROD,   MPI_LAND,  MPI_LOR,
                        MPI_LXOR,    MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
  return std::find(std::begin(all), std::end(all), op) != std::end(all);
}

bool may_be_kept(CollectiveCall const& call) {
  return !call.by_counts && is_predefined_operator(call.op) && is_predefined_type(call.send_type) &&
         is_predefined_type(call.receive_type);
}

}  // namespace

ClassicalRequest* RecentCalls::find(CollectiveCall const& call) {
  auto const known = std::ranges::find(calls_, call, &Call::call);
  if (known == calls_.end()) return nullptr;
  if (!known->request->is_still_chosen()) {
    calls_.erase(known);
    return nullptr;
  }
  calls_.splice(calls_.begin(), calls_, known);
  known->request->begin_another_call();
  return known->request.get();
}

void RecentCalls::keep(MPI_Comm comm, CollectiveCall const& call, std::unique_ptr<ClassicalRequest> request) {
  if (request->bytes() > most_bytes || !may_be_kept(call)) return;
  auto known = Attached<RecentCalls>::if_any(comm);
  if (known == nullptr) Attached<RecentCalls>::attach(comm, known = std::make_shared<RecentCalls>());
  known->calls_.push_front({call, std::move(request)});
  known->drop_old();
}

void RecentCalls::drop_old() {
  std::size_t bytes = 0, calls = 0;
  auto each = calls_.begin();
  for (; each != calls_.end() && calls < most_calls; ++each, ++calls) {
    bytes += each->request->bytes();
    if (bytes > most_bytes) break;
  }
  calls_.erase(each, calls_.end());
}

}  // namespace rondo::mpi
