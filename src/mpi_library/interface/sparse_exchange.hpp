#pragma once

// The options of a sparse exchange by the names of the C interface (rondo/sparse_exchange.h).

#include <string>

#include "mpi/exchange/sparse_exchange.hpp"

namespace rondo::mpi {

/// Sets an option by the key and the value of comm_configure (rondo/sparse_exchange.h). Throws InputError for an
/// unknown key or value, with what is accepted.
void configure(SparseExchange::Options& options, std::string const& key, std::string const& value);

}  // namespace rondo::mpi
