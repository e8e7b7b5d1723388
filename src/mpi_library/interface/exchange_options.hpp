#pragma once

// The options of a sparse exchange in the words of the C interface.

#include <string>

#include "mpi/exchange/sparse_exchange.hpp"

namespace rondo::mpi {

/// Sets an option by the words of comm_configure (rondo/sparse_exchange.h). Throws InputError for an unknown key or
/// value, with what is accepted.
void configure(SparseExchange::Options& options, std::string const& key, std::string const& value);

}  // namespace rondo::mpi
