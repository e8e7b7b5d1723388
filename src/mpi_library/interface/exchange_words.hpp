#pragma once

// The options of a sparse exchange in the words in which users of the C interface set them.

#include <string>

#include "mpi/exchange/sparse_exchange.hpp"

namespace rondo::mpi {

/// Sets an option by the words of comm_configure (rondo/sparse_exchange.h). Throws InputError for an unknown key or
/// value, with what is accepted.
void configure(SparseExchange::Options& options, std::string const& key, std::string const& value);

}  // namespace rondo::mpi
