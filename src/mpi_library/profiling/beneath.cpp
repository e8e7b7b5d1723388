// SMPI's own functions under librondo_mpi's. MPI has two names for a function, so that a tool may stand between a
// program and MPI: the program calls MPI_Send, which is the tool's if it has one, and the tool calls PMPI_Send.
// librondo_mpi stands below that: in the archive (profiling/archive.sh) its functions have the names PMPI_Send, with
// weak names MPI_Send, and call rondo_beneath_Send. Here these functions go on to where the loader finds PMPI_Send
// besides: in Rondo, which counts calls, or in SMPI.

#include <dlfcn.h>

#include <cstdio>

#if defined(__x86_64__)
#define GO_ON(NAME) "jmp *rondo_way_" NAME "(%rip)\n"
#elif defined(__aarch64__)
#define GO_ON(NAME) "adrp x16, rondo_way_" NAME "\nldr x16, [x16, :lo12:rondo_way_" NAME "]\nbr x16\n"
#else
#error "librondo_mpi knows how to go on to another function on x86-64 and ARM64"
#endif

// RONDO_BENEATH_NAMES is a list of these, written by archive.sh.
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

/// Before any other code of the program runs. First among what is loaded for all, where Rondo's functions are; the
/// program is not, as it is loaded for one rank.
__attribute__((constructor(101))) void find_ways() {
  void* const process = ::dlopen(nullptr, RTLD_LAZY);
  for (Way const& each : ways) {
    *each.way = ::dlsym(process, each.name);
    bool const is_own = *each.way == reinterpret_cast<void*>(each.own);
    if (is_own || *each.way == nullptr) *each.way = ::dlsym(RTLD_NEXT, each.name);
  }
}

}  // namespace
