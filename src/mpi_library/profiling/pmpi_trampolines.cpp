// Trampolines from librondo_mpi to the MPI functions below it: Rondo's, which count calls, or SMPI's.
//
// MPI has two names for every function, so that a tool can stand between a program and MPI: the program calls MPI_Send,
// which may be the tool's, and the tool calls PMPI_Send. librondo_mpi stands below such tools. In its archive
// (profiling/archive.sh) its functions are named PMPI_Send, with MPI_Send as a weak alias, and they call
// rondo_next_Send. The functions rondo_next_* in this file jump to the PMPI_Send that the loader finds elsewhere: in
// Rondo, which counts calls, or in SMPI.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#if defined(__x86_64__)
#define JUMP_TO(NAME) "jmp *rondo_next_address_" NAME "(%rip)\n"
#elif defined(__aarch64__)
// x16 may be changed by any call (AAPCS64).
#define JUMP_TO(NAME) \
  "adrp x16, rondo_next_address_" NAME "\nldr x16, [x16, :lo12:rondo_next_address_" NAME "]\nbr x16\n"
#else
#error "librondo_mpi has trampolines for x86-64 and ARM64 only"
#endif

// RONDO_TRAMPOLINE_NAMES is a file that archive.sh writes, with a line RONDO_TRAMPOLINE(NAME) for each function. The
// jump must be assembly, because it passes on arguments whose types are unknown here.
#define RONDO_TRAMPOLINE(NAME)                                                                    \
  extern "C" {                                                                                    \
  __attribute__((visibility("hidden"))) void* rondo_next_address_##NAME;                          \
  void PMPI_##NAME();                                                                             \
  }                                                                                               \
  asm(".text\n.globl rondo_next_" #NAME "\n.hidden rondo_next_" #NAME "\n.type rondo_next_" #NAME \
      ", %function\nrondo_next_" #NAME ":\n" JUMP_TO(#NAME));
#include RONDO_TRAMPOLINE_NAMES
#undef RONDO_TRAMPOLINE

namespace {

/// A function's name and the place of its address, which is looked up when the library is loaded.
struct Trampoline {
  char const* name;
  void** address;
  void (*own)();
};

constexpr Trampoline trampolines[] = {
#define RONDO_TRAMPOLINE(NAME) {"PMPI_" #NAME, &rondo_next_address_##NAME, &PMPI_##NAME},
#include RONDO_TRAMPOLINE_NAMES
#undef RONDO_TRAMPOLINE
};

/// The target of a jump to a function that no loaded library has.
[[noreturn]] void end_program() {
  std::fputs("librondo_mpi: this MPI library lacks a function that is called here\n", stderr);
  std::abort();
}

/// Finds the target of each jump before any other code of the program runs (101 is the first priority after the
/// compiler's own). dlopen(nullptr) searches the libraries that all ranks share, where Rondo's functions are. The
/// user's program is not among them, because SMPI loads it once for each rank.
__attribute__((constructor(101))) void resolve_trampolines() {
  void* const process = ::dlopen(nullptr, RTLD_LAZY);
  for (Trampoline const& trampoline : trampolines) {
    void*& address = *trampoline.address;
    address = ::dlsym(process, trampoline.name);
    // If this finds the function of this file itself, the next library has the right one.
    bool const is_own = address == reinterpret_cast<void*>(trampoline.own);
    if (is_own || address == nullptr) address = ::dlsym(RTLD_NEXT, trampoline.name);
    if (address == nullptr) address = reinterpret_cast<void*>(&end_program);
  }
}

}  // namespace
