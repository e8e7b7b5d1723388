"""Writes the Fortran module mpi_f08: f08.py FILE SYMBOLS HEADERS...

The module has the functions that a header declares in C and that have a form in Fortran among the SYMBOLS (a file with
the names of all symbols of SimGrid and librondo_mpi). functions.txt gives the names of their parameters, where it has
them. The constants are those of the mpif.h. Each subroutine calls the function in Fortran 77: a handle is a derived
type with one integer, so that both take the same arguments."""

import pathlib
import re
import string
import sys

from write import SMPI, all_parameters, names, read

HANDLES = ["Comm", "Datatype", "Errhandler", "File", "Group", "Info", "Message", "Op", "Request", "Win"]
# Constants that are handles: the handle, and what follows MPI_ in their names.
HANDLE_CONSTANTS = {
    "Comm": "COMM_(NULL|SELF|WORLD)", "Errhandler": "ERR(HANDLER_NULL|ORS_.*)", "File": "FILE_NULL",
    "Group": "GROUP_(NULL|EMPTY)", "Info": "INFO_NULL", "Message": "MESSAGE_(NULL|NO_PROC)", "Request": "REQUEST_NULL",
    "Win": "WIN_NULL",
    "Op": "OP_NULL|(MAX|MIN)(LOC)?|SUM|PROD|L?(AND|OR|XOR)|B(AND|OR|XOR)",
    "Datatype": r"DATATYPE_NULL|BYTE|CHARACTER|PACKED|AINT|OFFSET|COUNT|INT|FLOAT|DOUBLE|LB|UB|"
                r"2?(INTEGER|REAL|LOGICAL|COMPLEX|DOUBLE_PRECISION|DOUBLE_COMPLEX)\d*"}
# MPI has removed these, or mpi_f08 does not have them.
LEFT_OUT = re.compile(r"MPI_(Address|Attr_\w+|Keyval_\w+|Errhandler_(create|get|set)|Comm_spawn|"
                      r"Type_(extent|lb|ub|hindexed|hvector|struct|create_indexed))")
# The functions of attributes are integers in mpif.h, and procedures here.
NO_CONSTANT = re.compile(r"MPI_(SOURCE|TAG|ERROR|\w+_FN|LB|UB)")
# SMPI's mpif.h has values of other error classes.
ERROR_CLASSES = {"MPI_ERR_UNKNOWN": 25, "MPI_ERR_KEYVAL": 26, "MPI_ERR_BASE": 27, "MPI_ERR_SPAWN": 28}
KINDS = {"MPI_Aint": "MPI_ADDRESS_KIND", "MPI_Offset": "MPI_OFFSET_KIND", "MPI_Count": "MPI_COUNT_KIND"}
LOGICALS = {"flag", "reorder", "commute", "high", "periods", "remain_dims", "weighted"}
# Lists that C takes by a pointer, as it takes a result.
LISTS = {"array_of_dargs", "array_of_distribs", "array_of_gsizes", "array_of_psizes", "array_of_requests",
         "array_of_statuses", "coords", "destinations", "destweights", "dims", "indices", "neighbors", "periods", "ranges",
         "ranks2", "sources", "sourceweights"}
# The names of parameters in MPI's Fortran, where the headers or functions.txt have others.
STANDARD = {"a": "comm1", "b": "comm2", "requests": "array_of_requests", "dst": "dest", "src": "source",
            "comm_out": "newcomm", "comm_new": "newcomm", "comm_old": "oldcomm", "old_type": "oldtype",
            "function": "user_fn", "displ": "disp", "len": "resultlen", "att": "attribute_val", "type": "datatype",
            "whenace": "whence", "statuses": "array_of_statuses"}
PROCEDURES = re.compile(r"MPI_(User_function|(Comm|Type|Win)_(copy|delete)_attr_function|"
                        r"(Comm|Win)_errhandler_fn|File_errhandler_function|"
                        r"Grequest_(query|free|cancel)_function)")
ATTRIBUTED = {"Comm": "Comm", "Type": "Datatype", "Win": "Win"}


def prototypes(text):
    """Each function as (name, list of (type, name of parameter, whether it is a list, whether it is const))."""
    text = re.sub(r"//.*|/\*.*?\*/", "", text)
    found = re.findall(r"MPI_CALL\(XBT_PUBLIC int, (MPI_\w+),\s*\(([^;]*?)\)\);", text)
    found += re.findall(r"^int (MPI_\w+)\(([^;{]*?)\);", text, flags=re.M)
    for name, listed in found:
        parameters = []
        for each in [] if listed.strip() in ("void", "") else listed.split(","):
            parameter = re.fullmatch(r"\s*([\w\s*]+?)\s*(\w+)\s*((?:\[\d*\])*)\s*", each)
            if not parameter:
                break
            words = [word for word in re.findall(r"\w+|\*", parameter[1]) if word != "const"]
            parameters.append((" ".join(words), parameter[2], bool(parameter[3]), "const" in parameter[1]))
        else:
            yield name, parameters


def standard_names():
    """The parameters of each function, as functions.txt has them, but for functions with names of their own."""
    found = {}
    for kind, listed, parameters, _ in read():
        for name, more, _ in SMPI.get(kind, [("MPI_$X", "", "")]):
            name = string.Template(name).substitute(names(kind, listed, parameters))
            found[name] = all_parameters(parameters, more)
    for word in ATTRIBUTED:
        keyval = word.lower() + "_keyval"
        procedures = [f"{word.lower()}_{each}_attr_fn" for each in ("copy", "delete")]
        found[f"MPI_{word}_create_keyval"] = [*procedures, keyval, "extra_state"]
        found[f"MPI_{word}_free_keyval"] = [keyval]
    for word in ("comm", "win", "file"):
        found[f"MPI_{word.title()}_create_errhandler"] = [word + "_errhandler_fn", "errhandler"]
    found["MPI_Type_create_darray"] = ["size", "rank", "ndims", "array_of_gsizes", "array_of_distribs", "array_of_dargs",
                                       "array_of_psizes", "order", "oldtype", "newtype"]
    return found


class Argument:
    """A parameter in Fortran: its declaration in the module and in Fortran 77, and how a string goes between them."""

    def __init__(self, function, c_type, name, is_list, is_const):
        is_const = is_const or function == "MPI_Add_error_string"  # SMPI declares no const there
        self.name = STANDARD.get(name, name)
        if self.name == "status" and re.fullmatch("MPI_(Wait|Test)(all|some)", function):
            self.name = "array_of_statuses"
        by_pointer = c_type.endswith("*")
        target = c_type.removesuffix("*").strip()
        is_list = is_list or by_pointer and (is_const and target not in ("void", "char", "MPI_Status")
                                             or self.name in LISTS
                                             or function in ("MPI_Graph_get", "MPI_Type_get_contents"))
        intent = ", intent(in)" if is_const or not by_pointer and not is_list else ""
        dims = ("(3, *)" if self.name == "ranges" else "(*)") if is_list else ""
        if function.startswith("MPI_Win_allocate") and self.name == "base":
            self.name = "baseptr"
        self.passed = self.name
        self.attributes, self.before, self.after, self.local = "", "", "", ""
        if self.name in ("attribute_val", "extra_state"):
            declared = "integer(MPI_ADDRESS_KIND)"
            intent = "" if "get" in function else ", intent(in)"
        elif self.name == "baseptr":
            declared = "type(c_ptr)"
        elif target == "void":
            declared, dims, self.attributes = "type(*)", "(*)", f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {self.name}"
        elif target == "char":
            # SMPI reads and writes up to 101 characters, however long a string is.
            declared, self.passed = "character(len=*)", "c_" + self.name
            self.local = f"character(len=max(len({self.name}), 256)) :: {self.passed}"
            self.before = f"{self.passed} = {self.name}"
            self.after = "" if is_const else f"{self.name} = until_null({self.passed})"
        elif target == "int":
            declared = "logical" if self.name in LOGICALS else "integer"
        elif target in KINDS:
            declared = f"integer({KINDS[target]})"
        elif target == "MPI_Status" or target.removeprefix("MPI_") in HANDLES:
            declared = f"type({target})"
        elif PROCEDURES.fullmatch(target):
            declared, intent = f"procedure({target.replace('errhandler_fn', 'errhandler_function')})", ""
        else:
            raise KeyError(c_type)
        self.declaration = f"{declared}{intent} :: {self.name}{dims}"


def subroutine(name, parameters):
    arguments = [Argument(name, *each) for each in parameters if each[1] not in ("argc", "argv")]
    words = ", ".join([each.name for each in arguments] + ["ierror"])
    yield f"subroutine {name}_f08({words})"
    yield from ("  " + line for each in arguments for line in [each.declaration, each.attributes] if line)
    yield "  integer, optional, intent(out) :: ierror"
    yield "  integer :: c_ierror"
    yield from ("  " + each.local for each in arguments if each.local)
    yield f"  interface\n    subroutine {name.lower()}({words})\n      import"
    yield from ("      " + line for each in arguments for line in [each.declaration, each.attributes] if line)
    yield "      integer, intent(out) :: ierror\n    end subroutine\n  end interface"
    yield from ("  " + each.before for each in arguments if each.before)
    yield f"  call {name.lower()}({', '.join([each.passed for each in arguments] + ['c_ierror'])})"
    yield from ("  " + each.after for each in arguments if each.after)
    yield "  if (present(ierror)) ierror = c_ierror\nend subroutine\n"


def constants(text):
    for name, value in re.findall(r"^ +parameter *\( *(MPI_\w+) *= *(-?\d+) *\)", text, flags=re.M | re.I):
        if NO_CONSTANT.fullmatch(name):
            continue
        handle = next((handle for handle, pattern in HANDLE_CONSTANTS.items()
                       if re.fullmatch("MPI_(" + pattern + ")", name)), None)
        if handle:
            yield f"type(MPI_{handle}), parameter :: {name} = MPI_{handle}({value})"
        else:
            yield f"integer, parameter :: {name} = {ERROR_CLASSES.get(name, value)}"


HEAD = """! The module mpi_f08, written by src/mpi_library/functions/f08.py.
module mpi_f08
use, intrinsic :: iso_c_binding, only: c_ptr, c_null_char
implicit none
logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .false., MPI_ASYNC_PROTECTS_NONBLOCKING = .false.
integer, parameter :: MPI_COUNT_KIND = 8
type, bind(C) :: MPI_Status
  integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR
  integer, private :: count, cancelled
end type
"""
# Variables of SimGrid and librondo_mpi, of which only the addresses matter.
PLACES = """integer, bind(C, name="mpi_in_place_") :: MPI_IN_PLACE
integer, bind(C, name="mpi_bottom_") :: MPI_BOTTOM
type(MPI_Status), bind(C, name="mpi_status_ignore_") :: MPI_STATUS_IGNORE
type(MPI_Status), bind(C, name="mpi_statuses_ignore_") :: MPI_STATUSES_IGNORE(1)
integer, bind(C, name="rondo_mpi_unweighted_") :: MPI_UNWEIGHTED(1)
integer, bind(C, name="rondo_mpi_weights_empty_") :: MPI_WEIGHTS_EMPTY(1)

interface MPI_Pcontrol
  procedure MPI_Pcontrol_f08
end interface
interface
  double precision function MPI_Wtime()
  end function
  double precision function MPI_Wtick()
  end function
end interface
abstract interface
  subroutine MPI_User_function(invec, inoutvec, len, datatype)
    import
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
  end subroutine
  subroutine MPI_Comm_errhandler_function(comm, error_code)
    import
    type(MPI_Comm) :: comm
    integer :: error_code
  end subroutine
  subroutine MPI_Win_errhandler_function(win, error_code)
    import
    type(MPI_Win) :: win
    integer :: error_code
  end subroutine
  subroutine MPI_File_errhandler_function(file, error_code)
    import
    type(MPI_File) :: file
    integer :: error_code
  end subroutine
  subroutine MPI_Grequest_query_function(extra_state, status, ierror)
    import
    integer(MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
  end subroutine
  subroutine MPI_Grequest_free_function(extra_state, ierror)
    import
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
  end subroutine
  subroutine MPI_Grequest_cancel_function(extra_state, complete, ierror)
    import
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
  end subroutine
end interface
"""
# Of communicators, datatypes and windows.
ATTRIBUTE_INTERFACES = """abstract interface
  subroutine MPI_{word}_copy_attr_function({old}, {keyval}, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    import
    type(MPI_{handle}) :: {old}
    integer :: {keyval}, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
  end subroutine
  subroutine MPI_{word}_delete_attr_function({object}, {keyval}, attribute_val, extra_state, ierror)
    import
    type(MPI_{handle}) :: {object}
    integer :: {keyval}, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
  end subroutine
end interface
"""
ATTRIBUTE_PROCEDURES = """\
subroutine MPI_{upper}_{name}_FN({old}, {keyval}, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
  type(MPI_{handle}) :: {old}
  integer :: {keyval}, ierror
  integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
  logical :: flag
  attribute_val_out = attribute_val_in
  flag = {flag}
  ierror = MPI_SUCCESS
end subroutine
"""
NULL_DELETE = """subroutine MPI_{upper}_NULL_DELETE_FN({object}, {keyval}, attribute_val, extra_state, ierror)
  type(MPI_{handle}) :: {object}
  integer :: {keyval}, ierror
  integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
  ierror = MPI_SUCCESS
end subroutine
"""
# Functions of the module alone.
OF_THE_MODULE = """pure integer(MPI_ADDRESS_KIND) function MPI_Aint_add(base, disp)
  integer(MPI_ADDRESS_KIND), intent(in) :: base, disp
  MPI_Aint_add = base + disp
end function

pure integer(MPI_ADDRESS_KIND) function MPI_Aint_diff(addr1, addr2)
  integer(MPI_ADDRESS_KIND), intent(in) :: addr1, addr2
  MPI_Aint_diff = addr1 - addr2
end function

subroutine MPI_Pcontrol_f08(level)
  integer, intent(in) :: level
  interface
    subroutine mpi_pcontrol(level)
      integer, intent(in) :: level
    end subroutine
  end interface
  call mpi_pcontrol(level)
end subroutine

subroutine MPI_Status_f2f08(f_status, f08_status, ierror)
  integer, intent(in) :: f_status(MPI_STATUS_SIZE)
  type(MPI_Status), intent(out) :: f08_status
  integer, optional, intent(out) :: ierror
  f08_status = transfer(f_status, f08_status)
  if (present(ierror)) ierror = MPI_SUCCESS
end subroutine

subroutine MPI_Status_f082f(f08_status, f_status, ierror)
  type(MPI_Status), intent(in) :: f08_status
  integer, intent(out) :: f_status(MPI_STATUS_SIZE)
  integer, optional, intent(out) :: ierror
  f_status = transfer(f08_status, f_status)
  if (present(ierror)) ierror = MPI_SUCCESS
end subroutine
"""
UNTIL_NULL = """pure function until_null(text) result(cut)
  character(len=*), intent(in) :: text
  character(len=len(text)) :: cut
  integer :: n
  n = index(text, c_null_char)
  cut = text
  if (n > 0) cut = text(:n - 1)
end function
"""


def handles():
    compared = [f"{word}_{handle}" for handle in HANDLES for word in ("equal", "different")]
    yield "private :: " + ", ".join(["c_ptr", "c_null_char", "until_null"] + compared)
    for handle in HANDLES:
        yield f"type, bind(C) :: MPI_{handle}\n  integer :: MPI_VAL\nend type"
    for operator, word in (("==", "equal"), ("/=", "different")):
        yield f"interface operator({operator})"
        yield from (f"  procedure {word}_{handle}" for handle in HANDLES)
        yield "end interface"


def comparisons():
    for handle in HANDLES:
        for operator, word in (("==", "equal"), ("/=", "different")):
            yield f"elemental logical function {word}_{handle}(a, b)\n  type(MPI_{handle}), intent(in) :: a, b"
            yield f"  {word}_{handle} = a%MPI_VAL {operator} b%MPI_VAL\nend function\n"


def attributed():
    """The names in the interfaces and procedures of attributes, for each kind of object."""
    for word, handle in ATTRIBUTED.items():
        yield {"word": word, "handle": handle, "upper": word.upper(), "object": handle.lower(), "old": "old" + word.lower(),
               "keyval": word.lower() + "_keyval"}


def attribute_procedures():
    for words in attributed():
        yield ATTRIBUTE_PROCEDURES.format(**words, name="DUP", flag=".true.")
        yield ATTRIBUTE_PROCEDURES.format(**words, name="NULL_COPY", flag=".false.")
        yield NULL_DELETE.format(**words)


def main():
    out, symbols, *headers = map(pathlib.Path, sys.argv[1:])
    known = set(re.findall(r"\bmpi_\w+(?=_$)", symbols.read_text(encoding="utf-8"), flags=re.M))
    text = {path: path.read_text(encoding="utf-8") for path in headers}
    named, written = standard_names(), {}
    for path in headers:
        for name, parameters in prototypes(text[path]) if path.suffix == ".h" and path.name != "mpif.h" else []:
            if name.lower() not in known or LEFT_OUT.fullmatch(name):
                continue
            if len(named.get(name, [])) == len(parameters):
                parameters = [(each[0], word, *each[2:]) for each, word in zip(parameters, named[name])]
            try:
                written[name] = "\n".join(subroutine(name, parameters))
            except KeyError:
                continue  # it takes a function of C
    lines = [HEAD, *handles()]
    lines += [each for path in headers if path.name == "mpif.h" for each in constants(text[path])]
    lines += [PLACES, *(ATTRIBUTE_INTERFACES.format(**words) for words in attributed())]
    lines += [f"interface {name}\n  procedure {name}_f08\nend interface" for name in written]
    lines += ["contains\n", UNTIL_NULL, OF_THE_MODULE, *comparisons(), *attribute_procedures()]
    lines += [*written.values(), "end module"]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


main()
