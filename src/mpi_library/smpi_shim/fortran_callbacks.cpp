// Replaces the Fortran functions that take procedures: error handlers, attributes, generalized requests. SMPI's
// functions call a procedure of Fortran like a function of C, with other arguments, and keep an attribute in 4 bytes.
// In Fortran the value of an attribute is an integer as large as an address [MPI 4.1, 19.3.7]. These functions store it
// as the pointer that the C functions keep.

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "mpi_library/smpi_shim/fortran.hpp"

namespace {

using rondo::mpi::Word;

// Error handlers. SMPI calls a function of C, which has to know the procedure of Fortran that it stands for. So each
// procedure gets a function of its own, handle_error<i>.

/// An error handler of Fortran.
using Handler = void (*)(MPI_Fint* handle, int* code);
/// The most error handlers of a program.
constexpr std::size_t most_handlers = 32;
/// The procedures, in the order in which they were first used; null behind the last one. They are never removed.
std::array<Handler, most_handlers> handlers{};

/// Translates a handle to Fortran. SMPI's MPI_Comm_c2f gives MPI_COMM_SELF another number than the constant of mpif.h.
MPI_Fint in_fortran(MPI_Comm comm) {
  constexpr MPI_Fint self = -2;
  return comm == MPI_COMM_SELF ? self : MPI_Comm_c2f(comm);
}
MPI_Fint in_fortran(MPI_Datatype type) { return MPI_Type_c2f(type); }
MPI_Fint in_fortran(MPI_Win win) { return MPI_Win_c2f(win); }
MPI_Fint in_fortran(MPI_File file) { return MPI_File_c2f(file); }

/// The function of C that calls the procedure handlers[i].
template <typename Object, std::size_t i>
void handle_error(Object* object, int* code, ...) {
  MPI_Fint fortran = in_fortran(*object);
  handlers[i](&fortran, code);
}

/// Finds handle_error<Object, which> for a number that is known only when the program runs.
template <typename Object, std::size_t... i>
auto function_for(std::size_t which, std::index_sequence<i...>) {
  static constexpr std::array all{&handle_error<Object, i>...};
  return all[which];
}

/// Finds the place of the handler in `handlers`, or the first free place; most_handlers if there is none.
std::size_t number_of(Handler wanted) {
  std::size_t i = 0;
  while (i < most_handlers && handlers[i] != nullptr && handlers[i] != wanted) ++i;
  return i;
}

/// Makes an error handler by the function in C for communicators, windows or files. Sets `ierr` to MPI_ERR_NO_MEM if
/// the program has most_handlers others.
template <typename Object, typename Create>
void create_errhandler(Create create, Handler wanted, MPI_Fint* errhandler, int* ierr) {
  std::size_t const i = number_of(wanted);
  *ierr = MPI_ERR_NO_MEM;
  if (i == most_handlers) return;
  handlers[i] = wanted;
  MPI_Errhandler made = MPI_ERRHANDLER_NULL;
  *ierr = create(function_for<Object>(i, std::make_index_sequence<most_handlers>()), &made);
  if (*ierr == MPI_SUCCESS) *errhandler = MPI_Errhandler_c2f(made);
}

// Attributes. The C functions of a key are `copied` and `removed`; its extra state names the procedures of Fortran.

using CopyProcedure = void (*)(MPI_Fint* handle, int* keyval, MPI_Aint* state, MPI_Aint* in, MPI_Aint* out, int* flag,
                               int* code);
using DeleteProcedure = void (*)(MPI_Fint* handle, int* keyval, MPI_Aint* value, MPI_Aint* state, int* code);

/// The extra state of a key in C. It is never freed, because attributes may outlive their key.
struct Key {
  CopyProcedure copy;      ///< null: attributes are not copied
  DeleteProcedure remove;  ///< null: nothing is called
  MPI_Aint state;          ///< the extra state in Fortran
};

/// The predefined procedure that copies a value.
void duplicate_value(MPI_Fint*, int*, MPI_Aint*, MPI_Aint* in, MPI_Aint* out, int* flag, int* code) {
  *out = *in;
  *flag = 1;
  *code = MPI_SUCCESS;
}

/// Reads a procedure argument as an integer. The predefined procedures of mpif.h are integer constants: 0 does nothing,
/// 1 duplicates. For any other procedure the result is the beginning of its machine code.
int constant(Word procedure) {
  int value = 0;
  std::memcpy(&value, procedure, sizeof value);
  return value;
}
CopyProcedure copy_procedure(Word word) {
  if (constant(word) == 0) return nullptr;
  return constant(word) == 1 ? &duplicate_value : reinterpret_cast<CopyProcedure>(word);
}
DeleteProcedure delete_procedure(Word word) {
  return constant(word) == 0 ? nullptr : reinterpret_cast<DeleteProcedure>(word);
}

/// The function of C that MPI calls to copy an attribute. Sets `flag` to 0 if the attribute is not copied.
template <typename Object>
int copied(Object object, int keyval, void* key, void* in, void* out, int* flag) {
  auto* const of = static_cast<Key*>(key);
  *flag = 0;
  if (of->copy == nullptr) return MPI_SUCCESS;
  MPI_Fint handle = in_fortran(object);
  auto value = reinterpret_cast<MPI_Aint>(in);
  MPI_Aint result = 0;
  int code = MPI_SUCCESS;
  of->copy(&handle, &keyval, &of->state, &value, &result, flag, &code);
  *static_cast<void**>(out) = reinterpret_cast<void*>(result);
  return code;
}

/// The function of C that MPI calls when an attribute is deleted.
template <typename Object>
int removed(Object object, int keyval, void* attribute, void* key) {
  auto* const of = static_cast<Key*>(key);
  if (of->remove == nullptr) return MPI_SUCCESS;
  MPI_Fint handle = in_fortran(object);
  auto value = reinterpret_cast<MPI_Aint>(attribute);
  int code = MPI_SUCCESS;
  of->remove(&handle, &keyval, &value, &of->state, &code);
  return code;
}

/// Makes the extra state of a key.
Key* key_of(Word copy, Word remove, MPI_Aint state) {
  return new Key{copy_procedure(copy), delete_procedure(remove), state};
}

void create_comm_keyval(Word copy, Word remove, int* keyval, MPI_Aint state, int* ierr) {
  *ierr = PMPI_Comm_create_keyval(copied<MPI_Comm>, removed<MPI_Comm>, keyval, key_of(copy, remove, state));
}

/// Translates the value of an attribute from C to Fortran. In C, MPI's own attributes (keyval < 0) are pointers to a
/// value of type Own. Do not call it for the address of a window, which is the pointer itself.
template <typename Own>
MPI_Aint value_in_fortran(int keyval, void* attribute) {
  bool const is_own = keyval < 0 && attribute != nullptr;
  return is_own ? static_cast<MPI_Aint>(*static_cast<Own*>(attribute)) : reinterpret_cast<MPI_Aint>(attribute);
}

/// Gets an attribute of a communicator. Leaves `value` unchanged if the communicator lacks it.
template <typename Value>
void get_comm_attribute(MPI_Fint comm, int keyval, Value* value, int* flag, int* ierr) {
  void* found = nullptr;
  *flag = 0;
  *ierr = PMPI_Comm_get_attr(MPI_Comm_f2c(comm), keyval, static_cast<void*>(&found), flag);
  if (*ierr == MPI_SUCCESS && *flag != 0) *value = static_cast<Value>(value_in_fortran<int>(keyval, found));
}

// Generalized requests.

/// The procedures of Fortran and the extra state of a generalized request. free_state deletes it.
struct Generalized {
  void (*query)(MPI_Aint* state, MPI_Status* status, int* code);
  void (*release)(MPI_Aint* state, int* code);
  void (*cancel)(MPI_Aint* state, int* complete, int* code);
  MPI_Aint state;
};

// The functions of C that MPI calls for such a request.

int query_state(void* request, MPI_Status* status) {
  auto* const of = static_cast<Generalized*>(request);
  int code = MPI_SUCCESS;
  of->query(&of->state, status, &code);
  return code;
}

int free_state(void* request) {
  std::unique_ptr<Generalized> const of(static_cast<Generalized*>(request));
  int code = MPI_SUCCESS;
  of->release(&of->state, &code);
  return code;
}

int cancel_state(void* request, int complete) {
  auto* const of = static_cast<Generalized*>(request);
  int code = MPI_SUCCESS;
  of->cancel(&of->state, &complete, &code);
  return code;
}

}  // namespace

extern "C" {

void mpi_comm_create_errhandler_(Handler function, MPI_Fint* errhandler, int* ierr) {
  create_errhandler<MPI_Comm>(PMPI_Comm_create_errhandler, function, errhandler, ierr);
}
void mpi_errhandler_create_(Handler function, MPI_Fint* errhandler, int* ierr) {
  create_errhandler<MPI_Comm>(PMPI_Comm_create_errhandler, function, errhandler, ierr);
}
void mpi_win_create_errhandler_(Handler function, MPI_Fint* errhandler, int* ierr) {
  create_errhandler<MPI_Win>(PMPI_Win_create_errhandler, function, errhandler, ierr);
}
void mpi_file_create_errhandler_(Handler function, MPI_Fint* errhandler, int* ierr) {
  create_errhandler<MPI_File>(PMPI_File_create_errhandler, function, errhandler, ierr);
}

/// SMPI's own forgets the number of a handler that is still in use, and leaves the handle as it is.
void mpi_errhandler_free_(MPI_Fint* errhandler, int* ierr) {
  constexpr MPI_Fint null = -1;  // MPI_ERRHANDLER_NULL of mpif.h
  MPI_Errhandler handler = MPI_Errhandler_f2c(*errhandler);
  *ierr = PMPI_Errhandler_free(&handler);
  if (*ierr == MPI_SUCCESS) *errhandler = null;
}

// SMPI has these two in C only.
void mpi_win_set_errhandler_(Word win, Word errhandler, int* ierr) {
  *ierr = rondo::mpi::call(PMPI_Win_set_errhandler, win, errhandler);
}
void mpi_win_get_errhandler_(Word win, Word errhandler, int* ierr) {
  *ierr = rondo::mpi::call(PMPI_Win_get_errhandler, win, errhandler);
}

void mpi_comm_create_keyval_(Word copy, Word remove, int* keyval, MPI_Aint const* state, int* ierr) {
  create_comm_keyval(copy, remove, keyval, *state, ierr);
}
void mpi_comm_set_attr_(MPI_Fint const* comm, int const* keyval, MPI_Aint const* value, int* ierr) {
  *ierr = MPI_Comm_set_attr(MPI_Comm_f2c(*comm), *keyval, reinterpret_cast<void*>(*value));
}
void mpi_comm_get_attr_(MPI_Fint const* comm, int const* keyval, MPI_Aint* value, int* flag, int* ierr) {
  get_comm_attribute(*comm, *keyval, value, flag, ierr);
}

// The functions of MPI-1 take integers in place of addresses.
void mpi_keyval_create_(Word copy, Word remove, int* keyval, MPI_Fint const* state, int* ierr) {
  create_comm_keyval(copy, remove, keyval, *state, ierr);
}
void mpi_attr_put_(MPI_Fint const* comm, int const* keyval, MPI_Fint const* value, int* ierr) {
  MPI_Aint const wide = *value;
  mpi_comm_set_attr_(comm, keyval, &wide, ierr);
}
void mpi_attr_get_(MPI_Fint const* comm, int const* keyval, MPI_Fint* value, int* flag, int* ierr) {
  get_comm_attribute(*comm, *keyval, value, flag, ierr);
}

void mpi_type_create_keyval_(Word copy, Word remove, int* keyval, MPI_Aint const* state, int* ierr) {
  *ierr = PMPI_Type_create_keyval(copied<MPI_Datatype>, removed<MPI_Datatype>, keyval, key_of(copy, remove, *state));
}
void mpi_type_set_attr_(MPI_Fint const* type, int const* keyval, MPI_Aint const* value, int* ierr) {
  *ierr = PMPI_Type_set_attr(MPI_Type_f2c(*type), *keyval, reinterpret_cast<void*>(*value));
}
void mpi_type_get_attr_(MPI_Fint const* type, int const* keyval, MPI_Aint* value, int* flag, int* ierr) {
  void* found = nullptr;
  *flag = 0;
  *ierr = PMPI_Type_get_attr(MPI_Type_f2c(*type), *keyval, static_cast<void*>(&found), flag);
  if (*ierr == MPI_SUCCESS && *flag != 0) *value = reinterpret_cast<MPI_Aint>(found);
}

void mpi_win_create_keyval_(Word copy, Word remove, int* keyval, MPI_Aint const* state, int* ierr) {
  *ierr = PMPI_Win_create_keyval(copied<MPI_Win>, removed<MPI_Win>, keyval, key_of(copy, remove, *state));
}
void mpi_win_set_attr_(MPI_Fint const* win, int const* keyval, MPI_Aint const* value, int* ierr) {
  *ierr = PMPI_Win_set_attr(MPI_Win_f2c(*win), *keyval, reinterpret_cast<void*>(*value));
}
void mpi_win_get_attr_(MPI_Fint const* win, int const* keyval, MPI_Aint* value, int* flag, int* ierr) {
  void* found = nullptr;
  *flag = 0;
  *ierr = PMPI_Win_get_attr(MPI_Win_f2c(*win), *keyval, static_cast<void*>(&found), flag);
  if (*ierr != MPI_SUCCESS || *flag == 0) return;
  *value = *keyval == MPI_WIN_BASE ? reinterpret_cast<MPI_Aint>(found) : value_in_fortran<MPI_Aint>(*keyval, found);
}

void mpi_grequest_start_(decltype(Generalized::query) asked, decltype(Generalized::release) released,
                         decltype(Generalized::cancel) cancelled, MPI_Aint const* state, MPI_Fint* request, int* ierr) {
  MPI_Request made = MPI_REQUEST_NULL;
  auto of = std::make_unique<Generalized>(Generalized{asked, released, cancelled, *state});
  *ierr = MPI_Grequest_start(query_state, free_state, cancel_state, of.get(), &made);
  if (*ierr != MPI_SUCCESS) return;
  of.release();
  *request = MPI_Request_c2f(made);
}

}  // extern "C"
