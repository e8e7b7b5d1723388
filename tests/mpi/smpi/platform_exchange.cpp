// SMPI has no neighborhood collectives.

#include "mpi/exchange.hpp"

namespace rondo::mpi::testing {

void exchange_by_platform(Exchange& exchange, MPI_Comm comm) { exchange_by_messages(exchange, comm); }

}  // namespace rondo::mpi::testing
