// Datatypes and operators that a program frees while a helper still needs them for a non-blocking collective. MPI
// allows this; SMPI's collectives refuse a handle that has been freed. So it is freed when the last collective has
// ended.

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "mpi_library/smpi_shim/answer.hpp"
#include "mpi_library/smpi_shim/helpers.hpp"

namespace rondo::mpi {
namespace {

/// The datatypes, or operators, that helpers still need: SMPI takes none that has been freed.
template <typename Handle>
class UseCounts {
 public:
  void begin(Handle handle) { ++uses_[handle].number; }
  /// Frees what its user has freed meanwhile.
  void end(Handle handle, int (*free)(Handle*)) {
    auto const known = uses_.find(handle);
    if (--known->second.number > 0) return;
    bool const freed = known->second.freed;
    uses_.erase(known);
    if (freed) free(&handle);
  }
  /// Whether it is in use; then it is freed later.
  bool postpones(Handle handle) {
    auto const known = uses_.find(handle);
    if (known != uses_.end()) known->second.freed = true;
    return known != uses_.end();
  }

 private:
  struct Use {
    int number = 0;
    bool freed = false;
  };
  std::map<Handle, Use> uses_;
};

UseCounts<MPI_Datatype>& types_in_use() {
  static UseCounts<MPI_Datatype>& all = *new UseCounts<MPI_Datatype>;
  return all;
}
UseCounts<MPI_Op>& operators_in_use() {
  static UseCounts<MPI_Op>& all = *new UseCounts<MPI_Op>;
  return all;
}

/// Keeps datatypes and an operator in use as long as it lives.
class ObjectsInUse {
 public:
  ObjectsInUse(std::vector<MPI_Datatype> types, MPI_Op op) : types_(std::move(types)), op_(op) {
    for (MPI_Datatype const type : types_) types_in_use().begin(type);
    operators_in_use().begin(op_);
  }
  ~ObjectsInUse() {
    for (MPI_Datatype const type : types_) types_in_use().end(type, PMPI_Type_free);
    operators_in_use().end(op_, PMPI_Op_free);
  }
  ObjectsInUse(ObjectsInUse const&) = delete;
  ObjectsInUse& operator=(ObjectsInUse const&) = delete;

 private:
  std::vector<MPI_Datatype> types_;
  MPI_Op op_;
};

}  // namespace

std::shared_ptr<void> keep_objects(std::vector<MPI_Datatype> const& types, MPI_Op op) {
  return std::make_shared<ObjectsInUse>(types, op);
}

}  // namespace rondo::mpi

using namespace rondo::mpi;

namespace {
/// MPI_DATATYPE_NULL and MPI_OP_NULL of mpif.h.
constexpr int null_in_fortran = -1;
}  // namespace

extern "C" {

int MPI_Type_free(MPI_Datatype* datatype) {
  if (datatype == nullptr || *datatype == MPI_DATATYPE_NULL || !types_in_use().postpones(*datatype)) {
    return answer(MPI_COMM_WORLD, PMPI_Type_free(datatype), __func__);
  }
  *datatype = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

int MPI_Op_free(MPI_Op* op) {
  if (op == nullptr || *op == MPI_OP_NULL || !operators_in_use().postpones(*op)) {
    return answer(MPI_COMM_WORLD, PMPI_Op_free(op), __func__);
  }
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

void mpi_type_free_(int* datatype, int* ierr) {
  MPI_Datatype type = MPI_Type_f2c(*datatype);
  *ierr = MPI_Type_free(&type);
  if (*ierr == MPI_SUCCESS) *datatype = null_in_fortran;
}

void mpi_op_free_(int* op, int* ierr) {
  MPI_Op freed = MPI_Op_f2c(*op);
  *ierr = MPI_Op_free(&freed);
  if (*ierr == MPI_SUCCESS) *op = null_in_fortran;
}

}  // extern "C"
