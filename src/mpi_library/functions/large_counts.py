#!/usr/bin/env python3
"""Writes include/rondo/large_counts.h, MPI 4's functions for large counts, from functions.txt: large_counts.py. With
--check it writes nothing, and fails if the header is not what it would write."""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
HEADER = HERE.parents[2] / "include/rondo/large_counts.h"

HEAD = """#pragma once

/* MPI 4's functions for large counts, in programs for simulation. They hand the call to the function of the same name
 * with int counts: a count that an int cannot hold is MPI_ERR_COUNT. The lists of counts that non-blocking and
 * persistent calls need are kept until the program ends.
 * Written by src/mpi_library/functions/large_counts.py from functions.txt. */
/* clang-format off */

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

/* Whether all values of a list are ints. */
static inline int rondo_are_ints(MPI_Count const* values, MPI_Aint const* places, int n) {
  for (int i = 0; i < n; ++i) {
    if (values != NULL && (values[i] > INT_MAX || values[i] < INT_MIN)) return 0;
    if (places != NULL && (places[i] > INT_MAX || places[i] < INT_MIN)) return 0;
  }
  return 1;
}

/* Copies the list to ints. The caller frees the copy. Returns NULL if neither list is given. */
static inline int* rondo_ints(MPI_Count const* values, MPI_Aint const* places, int n) {
  int* const ints = values == NULL && places == NULL ? NULL : (int*)malloc(sizeof(int) * (size_t)(n + 1));
  for (int i = 0; ints != NULL && i < n; ++i) ints[i] = values != NULL ? (int)values[i] : (int)places[i];
  return ints;
}

/* The ranks with which a collective exchanges blocks. */
static inline int rondo_partners(MPI_Comm comm) {
  int inter = 0, n = 0;
  MPI_Comm_test_inter(comm, &inter);
  if (inter) MPI_Comm_remote_size(comm, &n);
  else MPI_Comm_size(comm, &n);
  return n;
}

/* Whether this rank is the root, which alone has lists. */
static inline int rondo_is_root(int root, MPI_Comm comm) {
  int inter = 0, rank = 0;
  MPI_Comm_test_inter(comm, &inter);
  MPI_Comm_rank(comm, &rank);
  return inter ? root == MPI_ROOT : root == rank;
}

static inline int rondo_large_count(MPI_Comm comm) {
  MPI_Comm_call_errhandler(comm, MPI_ERR_COUNT);
  return MPI_ERR_COUNT;
}
"""
GET_COUNT = """
static inline int MPI_Get_count_c(MPI_Status const* status, MPI_Datatype datatype, MPI_Count* count) {
  int n = 0;
  int const code = MPI_Get_count(status, datatype, &n);
  *count = n;
  return code;
}
"""

COUNTS = {"count", "sendcount", "recvcount"}
LISTS = {"sendcounts", "recvcounts"}
PLACES = {"displs", "sdispls", "rdispls"}
TYPES = {"sendbuf": "void const* ", "recvbuf": "void* ", "datatype": "MPI_Datatype ", "sendtype": "MPI_Datatype ",
         "recvtype": "MPI_Datatype ", "op": "MPI_Op ", "comm": "MPI_Comm ", "status": "MPI_Status* ",
         "request": "MPI_Request* ", "info": "MPI_Info "}
WRITTEN = {"Sendrecv", "Sendrecv_replace"}


def functions():
    """Each function as (name, parameters, whether it sends from `buf`, whether lists must outlive the call)."""
    kind = None
    for line in (HERE / "functions.txt").read_text(encoding="utf-8").splitlines():
        if section := re.fullmatch(r"\[(\w+)\] .+", line):
            kind = section[1]
        found = re.fullmatch(r"\*?(\w+)\((.*)\)", line)
        if not found:
            continue
        name, parameters = found[1], re.findall(r"\w+", found[2])
        if not (COUNTS | LISTS) & set(parameters):
            continue
        i_name = "I" + name[0].lower() + name[1:]
        if kind == "collective":
            yield name, parameters, False, False
            yield i_name, parameters + ["request"], False, True
            yield name + "_init", parameters + ["info", "request"], False, True
        elif kind == "send":
            yield name, parameters, True, False
            yield i_name, parameters + ["request"], True, False
            yield name + "_init", parameters + ["request"], True, False
        elif kind == "receive":
            yield name, parameters, False, False
        elif name in WRITTEN:
            yield name, parameters, False, False
    yield "Recv_init", ["buf", "count", "datatype", "source", "tag", "comm", "request"], False, False


def typed(parameter, sends):
    if parameter in COUNTS:
        return "MPI_Count " + parameter
    if parameter in LISTS:
        return f"MPI_Count const {parameter}[]"
    if parameter in PLACES:
        return f"MPI_Aint const {parameter}[]"
    if parameter == "buf":
        return ("void const* " if sends else "void* ") + parameter
    return TYPES.get(parameter, "int ") + parameter


def significant(name, parameter):
    """Whether this rank has the list."""
    if name.lower().lstrip("i").startswith(("gatherv", "scatterv")):
        return "rondo_is_root(root, comm)"
    if "lltoallv" in name and parameter in ("sendcounts", "sdispls"):
        return "sendbuf != MPI_IN_PLACE"
    return ""


def written(name, parameters, sends, keeps):
    lists = [each for each in parameters if each in LISTS | PLACES]
    lines = [f"static inline int MPI_{name}_c({', '.join(typed(each, sends) for each in parameters)}) {{"]
    for each in [each for each in parameters if each in COUNTS]:
        lines.append(f"  if ({each} > INT_MAX) return rondo_large_count(comm);")
    if lists:
        lines.append("  int const n = rondo_partners(comm);")
    for each in lists:
        has = significant(name, each)
        value = f"{has} ? {each} : NULL" if has else each
        pair = f"{value}, NULL" if each in LISTS else f"NULL, {value}"
        lines.append(f"  if (!rondo_are_ints({pair}, n)) return rondo_large_count(comm);")
    for each in lists:
        has = significant(name, each)
        value = f"{has} ? {each} : NULL" if has else each
        pair = f"{value}, NULL" if each in LISTS else f"NULL, {value}"
        lines.append(f"  int* const int_{each} = rondo_ints({pair}, n);")
    words = ", ".join("int_" + each if each in lists else f"(int){each}" if each in COUNTS else each
                      for each in parameters)
    if not lists or keeps:
        lines.append(f"  return MPI_{name}({words});")
    else:
        lines.append(f"  int const code = MPI_{name}({words});")
        lines += [f"  free(int_{each});" for each in lists]
        lines.append("  return code;")
    return "\n".join(lines) + "\n}\n"


text = HEAD + GET_COUNT + "".join("\n" + written(*each) for each in functions())
if "--check" in sys.argv:
    sys.exit(0 if HEADER.read_text(encoding="utf-8") == text else f"{HEADER} is old: run {__file__}")
HEADER.write_text(text, encoding="utf-8")
