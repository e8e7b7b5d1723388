#pragma once

// How a call from Fortran becomes one of MPI's C functions: every argument is an address, handles are integers, and the
// error code is the last argument.

#include <mpi.h>

#include <cstddef>
#include <tuple>
#include <utility>

// SimGrid's library has these, by whose addresses its mpif.h knows the constants.
extern "C" int mpi_in_place_, mpi_bottom_, mpi_status_ignore_, mpi_statuses_ignore_;
// The common blocks of rondo/fortran/mpif.h.
extern "C" int rondo_mpi_unweighted_, rondo_mpi_weights_empty_;

namespace rondo::mpi {

/// The address of an argument.
using Word = void*;

/// An argument as the C function takes it; back() hands the caller what it returns through it.
template <typename T>
struct FortranArgument;

/// A handle, and where the C function takes its address, one that it makes: what was there before is nothing that SMPI
/// could look up. `in` and `out` are MPI's own conversions.
template <typename Handle, Handle (*in)(MPI_Fint)>
struct FortranHandle {
  explicit FortranHandle(Word word) : handle(in(*static_cast<MPI_Fint*>(word))) {}
  Handle c() const { return handle; }
  void back() {}
  Handle handle;
};
template <typename Handle, MPI_Fint (*out)(Handle)>
struct FortranHandleOut {
  explicit FortranHandleOut(Word word) : place(static_cast<MPI_Fint*>(word)) {}
  Handle* c() { return &handle; }
  void back() { *place = out(handle); }
  MPI_Fint* place;
  Handle handle = nullptr;
};

template <>
struct FortranArgument<MPI_Comm> : FortranHandle<MPI_Comm, MPI_Comm_f2c> {
  using FortranHandle::FortranHandle;
};
template <>
struct FortranArgument<MPI_Datatype> : FortranHandle<MPI_Datatype, MPI_Type_f2c> {
  using FortranHandle::FortranHandle;
};
template <>
struct FortranArgument<MPI_Op> : FortranHandle<MPI_Op, MPI_Op_f2c> {
  using FortranHandle::FortranHandle;
};
template <>
struct FortranArgument<MPI_Info> : FortranHandle<MPI_Info, MPI_Info_f2c> {
  using FortranHandle::FortranHandle;
};
template <>
struct FortranArgument<MPI_Group> : FortranHandle<MPI_Group, MPI_Group_f2c> {
  using FortranHandle::FortranHandle;
};
template <>
struct FortranArgument<MPI_Request> : FortranHandle<MPI_Request, MPI_Request_f2c> {
  using FortranHandle::FortranHandle;
};
template <>
struct FortranArgument<MPI_Comm*> : FortranHandleOut<MPI_Comm, MPI_Comm_c2f> {
  using FortranHandleOut::FortranHandleOut;
};
template <>
struct FortranArgument<MPI_Group*> : FortranHandleOut<MPI_Group, MPI_Group_c2f> {
  using FortranHandleOut::FortranHandleOut;
};
template <>
struct FortranArgument<MPI_Request*> : FortranHandleOut<MPI_Request, MPI_Request_c2f> {
  using FortranHandleOut::FortranHandleOut;
};

template <>
struct FortranArgument<MPI_Datatype*> : FortranHandleOut<MPI_Datatype, MPI_Type_c2f> {
  using FortranHandleOut::FortranHandleOut;
};

/// INTEGER(KIND=MPI_ADDRESS_KIND).
template <>
struct FortranArgument<MPI_Aint> {
  explicit FortranArgument(Word word) : value(*static_cast<MPI_Aint*>(word)) {}
  MPI_Aint c() const { return value; }
  void back() {}
  MPI_Aint value;
};

template <>
struct FortranArgument<int> {
  explicit FortranArgument(Word word) : value(*static_cast<MPI_Fint*>(word)) {}
  int c() const { return value; }
  void back() {}
  int value;
};

/// A list or a buffer is the caller's own, but for the constants that stand for one.
inline Word plain_address(Word word) {
  if (word == &mpi_in_place_) return MPI_IN_PLACE;
  if (word == &mpi_bottom_) return MPI_BOTTOM;
  if (word == &rondo_mpi_unweighted_) return MPI_UNWEIGHTED;
  if (word == &rondo_mpi_weights_empty_) return MPI_WEIGHTS_EMPTY;
  return word;
}
template <typename T>
struct FortranAddress {
  explicit FortranAddress(Word word) : address(static_cast<T*>(plain_address(word))) {}
  T* c() const { return address; }
  void back() {}
  T* address;
};
template <>
struct FortranArgument<void*> : FortranAddress<void> {
  using FortranAddress::FortranAddress;
};
template <>
struct FortranArgument<void const*> : FortranAddress<void const> {
  using FortranAddress::FortranAddress;
};
template <>
struct FortranArgument<int*> : FortranAddress<int> {
  using FortranAddress::FortranAddress;
};
template <>
struct FortranArgument<int const*> : FortranAddress<int const> {
  using FortranAddress::FortranAddress;
};
template <>
struct FortranArgument<MPI_Aint const*> : FortranAddress<MPI_Aint const> {
  using FortranAddress::FortranAddress;
};
template <>
struct FortranArgument<MPI_Aint*> : FortranAddress<MPI_Aint> {
  using FortranAddress::FortranAddress;
};

/// A list of types that has been translated (fortran_lists.cpp).
template <>
struct FortranArgument<MPI_Datatype const*> {
  explicit FortranArgument(Word word) : list(static_cast<MPI_Datatype const*>(word)) {}
  MPI_Datatype const* c() const { return list; }
  void back() {}
  MPI_Datatype const* list;
};

/// One status, or as many as there are requests: in Fortran they are the integers of the C structure.
template <>
struct FortranArgument<MPI_Status*> {
  explicit FortranArgument(Word word)
      : status(word == &mpi_status_ignore_ || word == &mpi_statuses_ignore_ ? MPI_STATUS_IGNORE
                                                                            : static_cast<MPI_Status*>(word)) {}
  MPI_Status* c() const { return status; }
  void back() {}
  MPI_Status* status;
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

}  // namespace rondo::mpi
