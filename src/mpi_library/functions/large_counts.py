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

/* The same as addresses. */
static inline MPI_Aint* rondo_addresses(MPI_Count const* values, int n) {
  MPI_Aint* const addresses = (MPI_Aint*)malloc(sizeof(MPI_Aint) * (size_t)(n + 1));
  for (int i = 0; addresses != NULL && i < n; ++i) addresses[i] = (MPI_Aint)values[i];
  return addresses;
}

/* The ranks with which a collective exchanges blocks. */
static inline int rondo_partners(MPI_Comm comm) {
  int inter = 0, n = 0;
  MPI_Comm_test_inter(comm, &inter);
  if (inter) MPI_Comm_remote_size(comm, &n);
  else MPI_Comm_size(comm, &n);
  return n;
}

/* The neighbors that send to this rank, and those that it sends to; 0 without a topology. */
static inline int rondo_neighbors(MPI_Comm comm, int sends) {
  int kind = MPI_UNDEFINED, in = 0, out = 0, n = 0;
  MPI_Topo_test(comm, &kind);
  if (kind == MPI_DIST_GRAPH) {
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &n);
  } else if (kind == MPI_GRAPH) {
    MPI_Comm_rank(comm, &n);
    MPI_Graph_neighbors_count(comm, n, &in);
    out = in;
  } else if (kind == MPI_CART) {
    MPI_Cartdim_get(comm, &n);
    in = out = 2 * n;
  }
  return sends ? out : in;
}

/* Whether this rank is the root, which alone has lists. */
static inline int rondo_is_root(int root, MPI_Comm comm) {
  int inter = 0, rank = 0;
  MPI_Comm_test_inter(comm, &inter);
  MPI_Comm_rank(comm, &rank);
  return inter ? root == MPI_ROOT : root == rank;
}

/* The length of a list as an int: at most INT_MAX, and -1 for a negative length. */
static inline int rondo_room(MPI_Count room) { return room > INT_MAX ? INT_MAX : room < 0 ? -1 : (int)room; }

static inline int rondo_large_count(MPI_Comm comm) {
  MPI_Comm_call_errhandler(comm, MPI_ERR_COUNT);
  return MPI_ERR_COUNT;
}
"""
BY_HAND = """
static inline int MPI_Get_count_c(MPI_Status const* status, MPI_Datatype datatype, MPI_Count* count) {
  int n = 0;
  int const code = MPI_Get_count(status, datatype, &n);
  *count = n;
  return code;
}

static inline int MPI_Type_size_c(MPI_Datatype datatype, MPI_Count* size) { return MPI_Type_size_x(datatype, size); }

static inline int MPI_Type_get_extent_c(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  return MPI_Type_get_extent_x(datatype, lb, extent);
}

static inline int MPI_Type_get_true_extent_c(MPI_Datatype datatype, MPI_Count* true_lb, MPI_Count* true_extent) {
  return MPI_Type_get_true_extent_x(datatype, true_lb, true_extent);
}

static inline int MPI_Get_elements_c(MPI_Status* status, MPI_Datatype datatype, MPI_Count* count) {
  return MPI_Get_elements_x(status, datatype, count);
}

static inline int MPI_Type_create_darray_c(int size, int rank, int ndims, MPI_Count const gsizes[], int const distribs[], int const dargs[], int const psizes[], int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  if (!rondo_are_ints(gsizes, NULL, ndims)) return rondo_large_count(MPI_COMM_WORLD);
  int* const int_sizes = rondo_ints(gsizes, NULL, ndims);
  int const code = MPI_Type_create_darray(size, rank, ndims, int_sizes, (int*)distribs, (int*)dargs, (int*)psizes, order, oldtype, newtype);
  free(int_sizes);
  return code;
}

static inline int MPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count* num_integers, MPI_Count* num_addresses, MPI_Count* num_large_counts, MPI_Count* num_datatypes, int* combiner) {
  int integers = 0, addresses = 0, datatypes = 0;
  int const code = MPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, combiner);
  *num_integers = integers;
  *num_addresses = addresses;
  *num_large_counts = 0;
  *num_datatypes = datatypes;
  return code;
}

static inline int MPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large_counts, MPI_Count max_datatypes, int integers[], MPI_Aint addresses[], MPI_Count large_counts[], MPI_Datatype datatypes[]) {
  (void)max_large_counts;
  (void)large_counts;
  return MPI_Type_get_contents(datatype, rondo_room(max_integers), rondo_room(max_addresses), rondo_room(max_datatypes), integers, addresses, datatypes);
}

static inline int MPI_Pack_size_c(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count* size) {
  int n = 0;
  int const code = incount > INT_MAX ? rondo_large_count(comm) : MPI_Pack_size((int)incount, datatype, comm, &n);
  *size = n;
  return code;
}

static inline int MPI_Pack_c(void const* inbuf, MPI_Count incount, MPI_Datatype datatype, void* outbuf, MPI_Count outsize, MPI_Count* position, MPI_Comm comm) {
  if (incount > INT_MAX || *position > INT_MAX) return rondo_large_count(comm);
  int at = (int)*position;
  int const code = MPI_Pack(inbuf, (int)incount, datatype, outbuf, rondo_room(outsize), &at, comm);
  *position = at;
  return code;
}

static inline int MPI_Unpack_c(void const* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf, MPI_Count outcount, MPI_Datatype datatype, MPI_Comm comm) {
  if (outcount > INT_MAX || *position > INT_MAX) return rondo_large_count(comm);
  int at = (int)*position;
  int const code = MPI_Unpack(inbuf, rondo_room(insize), &at, outbuf, (int)outcount, datatype, comm);
  *position = at;
  return code;
}
"""

COUNTS = {"count", "sendcount", "recvcount", "blocklength", "stride"}
LISTS = {"sendcounts", "recvcounts", "blocklengths", "displacements", "sizes", "subsizes", "starts"}
PLACES = {"displs", "sdispls", "rdispls"}
# Counts that the int form takes as addresses.
ADDRESSES = {"lb", "extent"}
TYPES = {"oldtype": "MPI_Datatype ", "newtype": "MPI_Datatype* ", "sendbuf": "void const* ", "recvbuf": "void* ", "datatype": "MPI_Datatype ", "sendtype": "MPI_Datatype ",
         "recvtype": "MPI_Datatype ", "op": "MPI_Op ", "comm": "MPI_Comm ", "status": "MPI_Status* ",
         "request": "MPI_Request* ", "info": "MPI_Info "}
LISTS_OF_TYPES = {"sendtypes", "recvtypes", "oldtypes"}
WRITTEN = {"Recv", "Irecv", "Sendrecv", "Sendrecv_replace", "Alltoallw"}
# Functions of MPI-1, those without counts, and one that is written by hand.
WITHOUT_LARGE = {"Type_hvector", "Type_create_indexed", "Type_hindexed", "Type_struct", "Type_dup", "Type_match_size",
                 "Type_create_darray"}


def functions():
    """Each function as (name, parameters, whether it sends from `buf`, whether lists must outlive the call)."""
    kind = None
    for line in (HERE / "functions.txt").read_text(encoding="utf-8").splitlines():
        if section := re.fullmatch(r"\[(\w+)\] .+", line):
            kind = section[1]
        found = re.fullmatch(r"\*?(\w+)\((.*)\)", line)
        if not found or found[1] in WITHOUT_LARGE:
            continue
        name, parameters = found[1], re.findall(r"\w+", found[2])
        i_name = "I" + name[0].lower() + name[1:]
        if kind == "neighborhood" or kind == "collective" and (COUNTS | LISTS) & set(parameters) or name == "Alltoallw":
            yield name, parameters, False, False
            yield i_name, parameters + ["request"], False, True
            yield name + "_init", parameters + ["info", "request"], False, True
        elif kind == "send":
            yield name, parameters, True, False
            yield i_name, parameters + ["request"], True, False
            yield name + "_init", parameters + ["request"], True, False
        elif kind == "type" or name in WRITTEN:
            yield name, parameters, False, False
    yield "Recv_init", ["buf", "count", "datatype", "source", "tag", "comm", "request"], False, False


def typed(parameter, sends):
    if parameter in COUNTS | ADDRESSES:
        return "MPI_Count " + parameter
    if parameter in LISTS:
        return f"MPI_Count const {parameter}[]"
    if parameter in PLACES:
        return f"MPI_Aint const {parameter}[]"
    if parameter in LISTS_OF_TYPES:
        return f"MPI_Datatype const {parameter}[]"
    if parameter == "buf":
        return ("void const* " if sends else "void* ") + parameter
    return TYPES.get(parameter, "int ") + parameter


def significant(name, parameter):
    """Whether this rank has the list."""
    if name.lower().lstrip("i").startswith(("gatherv", "scatterv")):
        return "rondo_is_root(root, comm)"
    if re.search("lltoall[vw]", name) and "eighbor" not in name and parameter in ("sendcounts", "sdispls"):
        return "sendbuf != MPI_IN_PLACE"
    return ""


def takes_addresses(name, parameter):
    """Whether the int form has addresses there."""
    return parameter in ADDRESSES or parameter in PLACES and "eighbor_alltoallw" in name or \
        parameter in ("stride", "displacements") and re.search("hvector|hindexed|struct", name) is not None


def length(name, parameter):
    """Of a list."""
    if "eighbor" in name:
        return f"rondo_neighbors(comm, {int(parameter.startswith('s'))})"
    if name.startswith("Type"):
        return "ndims" if "subarray" in name else "(int)count"
    return "rondo_partners(comm)"


def written(name, parameters, sends, keeps):
    refused = f"return rondo_large_count({'comm' if 'comm' in parameters else 'MPI_COMM_WORLD'});"
    narrowed = [each for each in parameters if not takes_addresses(name, each)]
    lists = [each for each in narrowed if each in LISTS | PLACES]
    wide = [each for each in parameters if each in LISTS and each not in narrowed]
    lines = [f"static inline int MPI_{name}_c({', '.join(typed(each, sends) for each in parameters)}) {{"]
    for each in [each for each in narrowed if each in COUNTS]:
        lines.append(f"  if ({each} > INT_MAX{f' || {each} < INT_MIN' if each == 'stride' else ''}) {refused}")
    lengths = {each: length(name, each) for each in lists + wide}
    if len(set(lengths.values())) == 1:
        lines.append(f"  int const n = {next(iter(lengths.values()))};")
        lengths = dict.fromkeys(lengths, "n")
    given = {}
    for each in lists:
        has = significant(name, each)
        value = f"{has} ? {each} : NULL" if has else each
        given[each] = f"{value}, NULL" if each in LISTS else f"NULL, {value}"
        lines.append(f"  if (!rondo_are_ints({given[each]}, {lengths[each]})) {refused}")
    for each in lists:
        lines.append(f"  int* const int_{each} = rondo_ints({given[each]}, {lengths[each]});")
    for each in wide:
        lines.append(f"  MPI_Aint* const int_{each} = rondo_addresses({each}, {lengths[each]});")
    words = ", ".join("int_" + each if each in lists + wide else
                      f"({'int' if each in narrowed else 'MPI_Aint'}){each}" if each in COUNTS | ADDRESSES else each
                      for each in parameters)
    if not lists + wide or keeps:
        lines.append(f"  return MPI_{name}({words});")
    else:
        lines.append(f"  int const code = MPI_{name}({words});")
        lines += [f"  free(int_{each});" for each in lists + wide]
        lines.append("  return code;")
    return "\n".join(lines) + "\n}\n"


text = HEAD + BY_HAND + "".join("\n" + written(*each) for each in functions())
if "--check" in sys.argv:
    sys.exit(0 if HEADER.read_text(encoding="utf-8") == text else f"{HEADER} is old: run {__file__}")
HEADER.write_text(text, encoding="utf-8")
