#pragma once

// Turns a call from Fortran into a call of one of MPI's C functions. In Fortran every argument is an address, handles
// are integers, and the error code is the last argument. FortranRequests translates lists of requests.

#include <mpi.h>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <vector>

#include "mpi_library/calls/fortran_places.hpp"

// The addresses by which Fortran names MPI's constants: common blocks of Open MPI, which programs in C lack, or of
// SimGrid's library and of rondo/fortran/mpif.h.
#ifdef OPEN_MPI
#define RONDO_CONSTANT(NAME) mpi_fortran_##NAME##_
#pragma weak mpi_fortran_in_place_
#pragma weak mpi_fortran_bottom_
#pragma weak mpi_fortran_status_ignore_
#pragma weak mpi_fortran_statuses_ignore_
#pragma weak mpi_fortran_unweighted_
#pragma weak mpi_fortran_weights_empty_
extern "C" int RONDO_CONSTANT(unweighted), RONDO_CONSTANT(weights_empty);
#else
#define RONDO_CONSTANT(NAME) mpi_##NAME##_
extern "C" int rondo_mpi_unweighted_, rondo_mpi_weights_empty_;
#endif
extern "C" int RONDO_CONSTANT(in_place), RONDO_CONSTANT(bottom), RONDO_CONSTANT(status_ignore),
    RONDO_CONSTANT(statuses_ignore);

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
/// MPI has a pair of functions for each type of handle, which convert it from and to Fortran.
RONDO_HANDLE(Comm);
RONDO_HANDLE(Op);
RONDO_HANDLE(Info);
RONDO_HANDLE(Group);
RONDO_HANDLE(Request);
RONDO_HANDLE(Win);
#undef RONDO_HANDLE
/// MPI names these two functions MPI_Type_*, not MPI_Datatype_*, so the macro does not fit.
template <>
struct Handle<MPI_Datatype> {
  static constexpr bool known = true;
  static MPI_Datatype in(MPI_Fint word) { return MPI_Type_f2c(word); }
  static MPI_Fint out(MPI_Datatype handle) { return MPI_Type_c2f(handle); }
};

/// A list or a buffer is the caller's own, but for the constants that stand for one.
inline Word plain_address(Word word) {
  if (word == &RONDO_CONSTANT(in_place)) return MPI_IN_PLACE;
  if (word == &RONDO_CONSTANT(bottom)) return MPI_BOTTOM;
#ifdef OPEN_MPI
  if (word == &RONDO_CONSTANT(unweighted)) return MPI_UNWEIGHTED;
  if (word == &RONDO_CONSTANT(weights_empty)) return MPI_WEIGHTS_EMPTY;
#else
  if (word == &rondo_mpi_unweighted_) return MPI_UNWEIGHTED;
  if (word == &rondo_mpi_weights_empty_) return MPI_WEIGHTS_EMPTY;
#endif
  return word;
}

/// One status, or as many as there are requests: in Fortran they are the integers of the C structure.
inline MPI_Status* statuses(Word word) {
  bool const ignored = word == &RONDO_CONSTANT(status_ignore) || word == &RONDO_CONSTANT(statuses_ignore);
  return ignored ? MPI_STATUS_IGNORE : static_cast<MPI_Status*>(word);
}

/// Converts an argument into what the C function takes. back() gives the caller the handle that the function has made;
/// the handle that stood there before need not be valid, so that it is not looked up. Integers have the same size in
/// both languages, and so has INTEGER(KIND=MPI_ADDRESS_KIND).
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

inline int number(Word word) { return *static_cast<MPI_Fint*>(word); }

/// The requests of a list, or a single one, while a function in C changes them.
class FortranRequests {
 public:
  FortranRequests(int count, Word requests) : words_(static_cast<MPI_Fint*>(requests)) {
    for (int i = 0; i < count; ++i) handles_.push_back(MPI_Request_f2c(words_[i]));
  }
  ~FortranRequests() {
    for (std::size_t i = 0; i < handles_.size(); ++i) words_[i] = MPI_Request_c2f(handles_[i]);
  }
  FortranRequests(FortranRequests const&) = delete;
  FortranRequests& operator=(FortranRequests const&) = delete;
  MPI_Request* data() { return handles_.data(); }

 private:
  MPI_Fint* words_;
  std::vector<MPI_Request> handles_;
};

}  // namespace rondo::mpi
