#pragma once

// The error handlers of files and windows under SMPI. SMPI's own files are not used, so that their handlers are called
// here.

#include <mpi.h>

#include <memory>
#include <type_traits>

namespace rondo::mpi {

/// A reference to an error handler, which the program may free meanwhile.
using KeptHandler = std::shared_ptr<std::remove_pointer_t<MPI_Errhandler>>;
KeptHandler keep_handler(MPI_Errhandler handler);

}  // namespace rondo::mpi
