#pragma once

// How a call from Fortran becomes one of MPI's C functions: every argument is an address, handles are integers, and the
// error code is the last argument.

#include <mpi.h>

#include <cstddef>
#include <tuple>
#include <type_traits>

// SimGrid's library has these, by whose addresses its mpif.h knows the constants.
extern "C" int mpi_in_place_, mpi_bottom_, mpi_status_ignore_, mpi_statuses_ignore_;
// The common blocks of rondo/fortran/mpif.h.
extern "C" int rondo_mpi_unweighted_, rondo_mpi_weights_empty_;

namespace rondo::mpi {

/// The address of an argument.
using Word = void*;

/// MPI's own conversions of a handle.
template <typename T>
struct Handle {
  static constexpr bool known = false;
};
#define RONDO_HANDLE(TYPE)                                                      \
  template <>                                                                   \
  struct Handle<MPI_##TYPE> {                                                   \
    static constexpr bool known = true;                                         \
    static MPI_##TYPE in(MPI_Fint word) { return MPI_##TYPE##_f2c(word); }      \
    static MPI_Fint out(MPI_##TYPE handle) { return MPI_##TYPE##_c2f(handle); } \
  }
RONDO_HANDLE(Comm);
RONDO_HANDLE(Op);
RONDO_HANDLE(Info);
RONDO_HANDLE(Group);
RONDO_HANDLE(Request);
#undef RONDO_HANDLE
template <>
struct Handle<MPI_Datatype> {
  static constexpr bool known = true;
  static MPI_Datatype in(MPI_Fint word) { return MPI_Type_f2c(word); }
  static MPI_Fint out(MPI_Datatype handle) { return MPI_Type_c2f(handle); }
};

/// A list or a buffer is the caller's own, but for the constants that stand for one.
inline Word plain_address(Word word) {
  if (word == &mpi_in_place_) return MPI_IN_PLACE;
  if (word == &mpi_bottom_) return MPI_BOTTOM;
  if (word == &rondo_mpi_unweighted_) return MPI_UNWEIGHTED;
  if (word == &rondo_mpi_weights_empty_) return MPI_WEIGHTS_EMPTY;
  return word;
}

/// One status, or as many as there are requests: in Fortran they are the integers of the C structure.
inline MPI_Status* statuses(Word word) {
  bool const ignored = word == &mpi_status_ignore_ || word == &mpi_statuses_ignore_;
  return ignored ? MPI_STATUS_IGNORE : static_cast<MPI_Status*>(word);
}

/// An argument as the C function takes it; back() hands the caller the handle that the function makes. The handle that
/// was there before is nothing that SMPI could look up. Integers have the same size, INTEGER(KIND=MPI_ADDRESS_KIND)
/// too.
template <typename T>
class FortranArgument {
  using Target = std::remove_pointer_t<T>;
  static constexpr bool makes_handle = Handle<Target>::known && !Handle<T>::known;

 public:
  explicit FortranArgument(Word word) : word_(word) {}

  T c() {
    if constexpr (Handle<T>::known) {
      return Handle<T>::in(*static_cast<MPI_Fint*>(word_));
    } else if constexpr (makes_handle) {
      return &made_;
    } else if constexpr (std::is_same_v<T, MPI_Status*>) {
      return statuses(word_);
    } else if constexpr (std::is_same_v<T, MPI_Datatype const*>) {
      return static_cast<T>(word_);  // a list that has been translated
    } else if constexpr (std::is_pointer_v<T>) {
      return static_cast<T>(plain_address(word_));
    } else {
      return *static_cast<T*>(word_);
    }
  }
  void back() {
    if constexpr (makes_handle) *static_cast<MPI_Fint*>(word_) = Handle<Target>::out(made_);
  }

 private:
  Word word_;
  std::conditional_t<makes_handle, Target, char> made_{};
};

/// Calls the function with the words of its arguments and returns its error code.
template <typename... Arguments, typename... Words>
int call(int (*function)(Arguments...), Words... words) {
  static_assert(sizeof...(Arguments) == sizeof...(Words));
  std::tuple<FortranArgument<Arguments>...> arguments{words...};
  return std::apply(
      [&](auto&... argument) {
        int const code = function(argument.c()...);
        (argument.back(), ...);
        return code;
      },
      arguments);
}

/// How many ranks a rank sends to and receives from in an exchange; none without a topology, which the function in C
/// refuses.
struct Degrees {
  int out = 0, in = 0;
};
Degrees all_ranks(Word comm);
Degrees neighbors(Word comm);

/// The word of a list of types in C, which lasts as long as the process.
Word types_in_c(Word word, int count);

/// As call(), for a function that takes a type for each of the ranks.
template <typename Function, typename... More>
int call_with_types(Function function, Degrees of, Word sendbuf, Word sendcounts, Word sdispls, Word sendtypes,
                    Word recvbuf, Word recvcounts, Word rdispls, Word recvtypes, More... more) {
  int const out = sendbuf == &mpi_in_place_ ? 0 : of.out;
  return call(function, sendbuf, sendcounts, sdispls, types_in_c(sendtypes, out), recvbuf, recvcounts, rdispls,
              types_in_c(recvtypes, of.in), more...);
}

}  // namespace rondo::mpi
