"""Writes the functions of MPI in functions.txt as C++: write.py FOLDER. See functions.txt.

The types of parameters are those with which a header declares the function: Parameter<MPI_Bcast, 0>."""

import pathlib
import re
import string
import sys

HERE = pathlib.Path(__file__).parent

# The functions of each kind in each file: name, parameters after those of the list, and body. $X is the name in the
# list, $I its non-blocking form, and $args the names of its parameters. $call is the value that classical/calls.hpp or
# interface/collectives.hpp makes of them. $to and $from are $args with the communicators by which a message reaches the
# other one of two groups.
IN_FILE = "return file_call(__func__, fh, [&] { "
EACH_RANK = [
    ("MPI_$X", "status", IN_FILE + "files::tell($moved, status); });"),
    ("MPI_${X}_all", "status", IN_FILE + "files::tell($moved, status); });"),
    ("MPI_$I", "request", IN_FILE + "files::begin($moved, request); });"),
    ("MPI_${I}_all", "request", IN_FILE + "files::begin($moved, request); });"),
    ("MPI_${X}_all_begin", "", IN_FILE + "files::begin_split(fh, $moved); });"),
    ("MPI_${X}_all_end", "fh buf status", IN_FILE + "files::end_split(fh, status); });")]
SMPI = {
    "collective": [
        ("MPI_$X", "", "return blocking_collective(__func__, $call, comm, [&] { return PMPI_$X($args); });"),
        ("MPI_$I", "request", "return begin_collective(__func__, $call, comm, request, $forms);"),
        ("MPI_${X}_init", "info request", "return init_collective(__func__, $call, comm, request, $forms);")],
    "neighborhood": [
        ("MPI_$X", "", "return answer(comm, Rondo_$X($args), __func__);"),
        ("MPI_$I", "request", "return answer(comm, Rondo_$I($args, request), __func__);"),
        ("MPI_${X}_init", "info request", "return answer(comm, Rondo_${X}_init($args, info, request), __func__);")],
    "send": [
        ("MPI_$X", "", "SendTarget const target = send_target(comm, dest); return answer(comm, PMPI_$X($to), __func__);"),
        ("MPI_$I", "request", "SendTarget const target = send_target(comm, dest); "
                              "return answer(comm, PMPI_$I($to, request), __func__);"),
        ("MPI_${X}_init", "request", "return init_send($args, request, PMPI_$I, __func__);")],
    "receive": [("MPI_$X", "", "return answer(comm, keep_error(status, [&] { return PMPI_$X($from); }), __func__);")],
    "rondo": [("MPI_$X", "", "return answer($comm, $made, __func__);")],
    "start": [("MPI_$X", "", "return answer_request(Rondo_$X($args), __func__);")],
    "completion": [("MPI_$X", "", "return answer_request(Rondo_$X($args), __func__);")],
    "groups": [("MPI_$X", "", "int const code = is_inter(comm) ? Rondo_$X($args) : PMPI_$X($args); "
                              "return answer(comm, with_handler_of(comm, newcomm, code), __func__);")],
    "refused": [("MPI_$X", "", "return is_inter(comm) ? refuse(comm, __func__) "
                               ": answer(comm, with_handler_of(comm, newcomm, PMPI_$X($args)), __func__);")],
    "file": [("MPI_$X", "", "return file_call(__func__, fh, [&] { files::$file($args); });")],
    "offset": EACH_RANK,
    "own": EACH_RANK,
    "shared": [
        ("MPI_$X", "status", IN_FILE + "files::tell($moved, status); });"),
        ("MPI_$I", "request", IN_FILE + "files::begin($moved, request); });")],
    "ordered": [
        ("MPI_$X", "status", IN_FILE + "files::tell($moved, status); });"),
        ("MPI_${X}_begin", "", IN_FILE + "files::begin_split(fh, $moved); });"),
        ("MPI_${X}_end", "fh buf status", IN_FILE + "files::end_split(fh, status); });")],
    "type": [("MPI_$X", "", "return make_type(__func__, newtype, [&] { return $type; });")],
}
REAL_MPI = {
    "collective": [
        ("MPI_$X", "", "return blocking_collective($call, comm, [&] { return PMPI_$X($args); });"),
        ("MPI_$I", "request", "return begin_collective($call, comm, request, "
                              "[&] { return PMPI_$I($args, request); });")],
    "completion": [
        ("MPI_$X", "", "return any_handles() ? answer_request(Rondo_$X($args)) : PMPI_$X($args);")],
}
INTERFACE = {
    "collective": [("Rondo_$X", "", "return on_graph_or($call, comm, [&] { return MPI_$X($args); });")],
    "neighborhood": [
        ("Rondo_$X", "", "return run_neighborhood($call, comm);"),
        ("Rondo_$I", "request", "return begin_neighborhood($call, comm, request);"),
        ("Rondo_${X}_init", "info request", "return init_neighborhood($call, comm, request);")],
}
# Open MPI's functions in Fortran call PMPI_X, under the names that are replaced.
OPEN_MPI_FORTRAN = {"collective": [("MPI_$X", "", ""), ("MPI_$I", "request", "")]}
# Parameters that are communicators which a function makes.
MADE = ("newcomm", "graphcomm", "cartcomm", "newintercomm")
OWN = "mpi_library/"
# The headers that each file includes.
HEADERS = {
    "smpi_functions.cpp": [OWN + "calls/attached.hpp", OWN + "calls/guarded.hpp", OWN + "smpi_shim/answer.hpp",
                           OWN + "smpi_shim/call_reports.hpp", OWN + "smpi_shim/files.hpp",
                           OWN + "smpi_shim/collectives.hpp", OWN + "smpi_shim/types.hpp", OWN + "smpi_shim/send_target.hpp",
                           "rondo/collectives.h", "rondo/mpi.h"],
    "fortran_functions.cpp": [OWN + "smpi_shim/fortran.hpp", "rondo/mpi.h"],
    "open_mpi_fortran_functions.cpp": [OWN + "calls/fortran_call.hpp", "topology/classical_collective.hpp"],
    "real_mpi_functions.cpp": [OWN + "real_mpi/collectives.hpp", "rondo/topology.h"],
    "interface_functions.cpp": [OWN + "interface/collectives.hpp", "rondo/collectives.h"],
}


def read():
    """Each function as (kind, name, parameters, whether it has a form in Fortran)."""
    kind, functions = None, []
    for line in (HERE / "functions.txt").read_text(encoding="utf-8").splitlines():
        if section := re.fullmatch(r"\[(\w+)\] .+", line):
            kind = section[1]
        elif function := re.fullmatch(r"(\*?)(\w+)\((.*)\)", line):
            functions.append((kind, function[2], re.findall(r"\w+", function[3]), not function[1]))
        elif line and not line.startswith("#"):
            sys.exit(f"functions.txt: expected a section, a function or a comment, got {line!r}")
    return functions


def non_blocking(name):
    return name.replace("File_", "File_i") if name.startswith("File_") else "I" + name[0].lower() + name[1:]


def all_parameters(parameters, more):
    """Those of a form: of the list, and more; or only the others, if these begin with the file."""
    return more.split() if more.startswith("fh") else parameters + more.split()


def made_by(function, parameters, comm):
    """A call of this function. If it makes a communicator, that gets the error handler of `comm`, from which it is made."""
    call = f"{function}({', '.join(parameters)})"
    return f"with_handler_of({comm}, {parameters[-1]}, {call})" if parameters and parameters[-1] in MADE else call


def names(kind, name, parameters):
    """The names in the bodies of functions, for string.Template."""
    word = re.sub("[vw]$|_block$", "", name.removeprefix("Neighbor_").lower())
    maker = "neighborhood(NeighborCall::Kind::" if kind == "neighborhood" else "calls::of(rondo::ClassicalCollective::"
    to = {"dest": "target.rank", "comm": "target.comm"}
    comm = next((parameter for parameter in parameters if parameter.endswith("comm")), "MPI_COMM_WORLD")
    made = name.removeprefix("Type_").removeprefix("create_").replace("struct", "structure")
    return {
        "X": name,
        "I": non_blocking(name),
        "file": name.removeprefix("File_"),
        "moved": f"files::transfer(fh, files::Moves::{'reads' if 'read' in name else 'writes'}, files::From::{kind}, "
                 f"{'offset' if 'offset' in parameters else '0'}, buf, count, datatype)",
        "args": ", ".join(parameters),
        "forms": string.Template("{[=](MPI_Comm comm) { return PMPI_$X($args); }, "
                                 "[=](MPI_Request* made) { return PMPI_$I($args, made); }}").substitute(
            X=name, I=non_blocking(name), args=", ".join(parameters)),
        "call": ", ".join([maker + word] + parameters[:-1]) + ")",
        "to": ", ".join(to.get(parameter, parameter) for parameter in parameters),
        "from": ", ".join("receive_comm(comm)" if parameter == "comm" else parameter for parameter in parameters),
        "comm": comm,
        "made": made_by(f"Rondo_{name}", parameters, comm),
        "type": f"types::{made}({', '.join(parameters[:-1])})"}


def in_c(kinds, functions, within=lambda name: ""):
    """Functions in C. `within` makes a statement that comes first in a function."""
    for kind, listed, parameters, _ in functions:
        known = names(kind, listed, parameters)
        for name, more, body in kinds.get(kind, []):
            name, body = (string.Template(text).substitute(known) for text in (name, body))
            typed = [f"Parameter<{name}, {i}>" + (f" {parameter}" if parameter in body else "")
                     for i, parameter in enumerate(all_parameters(parameters, more))]
            yield f"int {name}({', '.join(typed)}) {{\n{within(name)}  {body}\n}}\n"


def in_library(name):
    polls = re.search("Test|Iprobe|get_status", name) and name not in ("MPI_Topo_test", "MPI_Comm_test_inter")
    return f"  LibraryScope const here{'(Polls::yes)' if polls else ''};\n"


def in_fortran(kinds, functions, others=()):
    for kind, listed, parameters, has_form in functions:
        for name, more, _ in kinds.get(kind, others) if has_form else []:
            name, words = string.Template(name).substitute(names(kind, listed, parameters)), all_parameters(parameters, more)
            of = "neighbors" if "neighbor" in name.lower() else "all_ranks"
            called = f"call_with_types({name}, {of}(comm)" if "sendtypes" in words else f"call({name}"
            yield f"void {name.lower()}_({''.join(f'Word {word}, ' for word in words)}int* ierr) {{\n" \
                  f"  *ierr = {', '.join([called] + words)});\n}}\n"


def write(path, functions):
    text = "// Written by src/mpi_library/functions/write.py.\n\n#define RONDO_IN_THE_LIBRARY\n\n#include <mpi.h>\n\n"
    text += "".join(f'#include "{header}"\n' for header in [OWN + "calls/parameter.hpp", *HEADERS[path.name]])
    text += '\nusing namespace rondo::mpi;\n\nextern "C" {\n\n'
    text += "\n".join(functions) + '\n}  // extern "C"\n'
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    folder, all_functions = pathlib.Path(sys.argv[1]), read()
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "smpi_functions.cpp", in_c(SMPI, all_functions, in_library))
    write(folder / "fortran_functions.cpp", in_fortran(SMPI, all_functions, [("MPI_$X", "", "")]))
    write(folder / "open_mpi_fortran_functions.cpp", in_fortran(OPEN_MPI_FORTRAN, all_functions))
    write(folder / "real_mpi_functions.cpp", in_c(REAL_MPI, all_functions))
    write(folder / "interface_functions.cpp", in_c(INTERFACE, all_functions))
