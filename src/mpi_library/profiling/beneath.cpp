// The way from librondo_mpi's functions to SMPI's own.
//
// MPI has two names for every function, so that a tool can stand between a program and MPI: the program calls MPI_Send,
// which may be the tool's, and the tool calls PMPI_Send. librondo_mpi stands below such tools. In its archive
// (profiling/archive.sh) its functions are called PMPI_Send, with weak names MPI_Send, and they call
// rondo_beneath_Send. The functions rondo_beneath_* in this file jump to the PMPI_Send that the loader finds elsewhere:
// in Rondo, which counts calls, or in SMPI.

#include <dlfcn.h>

#include <cstdio>

#if defined(__x86_64__)
#define GO_ON(NAME) "jmp *rondo_way_" NAME "(%rip)\n"
#elif defined(__aarch64__)
#define GO_ON(NAME) "adrp x16, rondo_way_" NAME "\nldr x16, [x16, :lo12:rondo_way_" NAME "]\nbr x16\n"
#else
#error "librondo_mpi knows how to go on to another function on x86-64 and ARM64"
#endif

// RONDO_BENEATH_NAMES is a file that archive.sh writes, with a line RONDO_BENEATH(NAME) for each function. The jump
// must be assembly, because it passes on arguments whose types are unknown here.
#define RONDO_BENEATH(NAME)                                                                                \
  extern "C" {                                                                                             \
  __attribute__((visibility("hidden"))) void* rondo_way_##NAME;                                            \
  void PMPI_##NAME();                                                                                      \
  }                                                                                                        \
  asm(".text\n.globl rondo_beneath_" #NAME "\n.hidden rondo_beneath_" #NAME "\n.type rondo_beneath_" #NAME \
      ", %function\nrondo_beneath_" #NAME ":\n" GO_ON(#NAME));
#include RONDO_BENEATH_NAMES
#undef RONDO_BENEATH

namespace {

struct Way {
  char const* name;
  void** way;
  void (*own)();
};

constexpr Way ways[] = {
#define RONDO_BENEATH(NAME) {"PMPI_" #NAME, &rondo_way_##NAME, &PMPI_##NAME},
#include RONDO_BENEATH_NAMES
#undef RONDO_BENEATH
};

/// Looks up where each function jumps to, before any other code of the program runs. The libraries that are loaded for
/// all ranks, where Rondo's functions are, come first; the program itself is not among them, because it is loaded once
/// for each rank.
__attribute__((constructor(101))) void find_ways() {
  void* const process = ::dlopen(nullptr, RTLD_LAZY);
  for (Way const& each : ways) {
    *each.way = ::dlsym(process, each.name);
    bool const is_own = *each.way == reinterpret_cast<void*>(each.own);
    if (is_own || *each.way == nullptr) *each.way = ::dlsym(RTLD_NEXT, each.name);
  }
}

}  // namespace
