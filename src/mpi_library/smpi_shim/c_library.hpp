#pragma once

// Functions of the C library that librondo_mpi supplies, so that each rank has their state for itself.

#include <dlfcn.h>

/// Hidden, so that a program takes the function however it is linked, and weak, so that the program may have its own.
#define RONDO_OWN __attribute__((weak, visibility("hidden")))

namespace {

/// The C library's function of that name.
template <typename Function>
Function* c_library_function(char const* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace
