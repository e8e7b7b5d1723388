#!/bin/bash
# archive.sh CXX LD OBJCOPY NM AR OBJECT ARCHIVE: makes the archive librondo_mpi.a from an object that contains the
# whole library. In the archive MPI_X is a weak name for PMPI_X, and Fortran's mpi_x_ is a weak name for pmpi_x_. A
# program, or a tool that is linked with the program, may define its own MPI_X, which calls PMPI_X. See
# pmpi_trampolines.cpp. The library itself calls the functions by the names with P too, so that such a tool sees only
# the calls of the program.
set -euo pipefail
cxx=$1 ld=$2 objcopy=$3 nm=$4 ar=$5 object=$6 archive=$7
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# names TYPES PREFIX: the names of the symbols of these types, without the prefix.
names() { "$nm" "$object" | sed -nE "s/^[0-9a-f ]*[$1] $2([A-Za-z0-9_]+)$/\1/p" | sort -u; }
names TW MPI_ >"$work/supplied"
names Uw MPI_ | grep -vE '^COMM_WORLD$|_[cf]2[cf]$' >"$work/called"
names U PMPI_ | comm -12 - "$work/supplied" >"$work/trampolines"
names TW mpi_ >"$work/fortran"

sed 's/.*/RONDO_TRAMPOLINE(&)/' "$work/trampolines" >"$work/names.inc"
"$cxx" -std=c++20 -O1 -fPIC -DRONDO_TRAMPOLINE_NAMES="\"$work/names.inc\"" -c "$here/pmpi_trampolines.cpp" -o "$work/trampolines.o"
{
  sed 's/.*/PMPI_& rondo_next_&/' "$work/trampolines"
  sed 's/.*/MPI_& PMPI_&/' "$work/supplied" "$work/called"
  sed 's/.*/mpi_& pmpi_&/' "$work/fortran"
} >"$work/renamed"
"$objcopy" --redefine-syms="$work/renamed" "$object" "$work/renamed.o"
{
  sed 's/.*/--defsym=MPI_&=PMPI_&/' "$work/supplied"
  sed 's/.*/--defsym=mpi_&=pmpi_&/' "$work/fortran"
} >"$work/aliases"
{
  sed 's/.*/MPI_&/' "$work/supplied"
  sed 's/.*/mpi_&/' "$work/fortran"
} >"$work/weak"
"$ld" -r -o "$work/rondo_mpi.o" "$work/renamed.o" "$work/trampolines.o" "@$work/aliases"
"$objcopy" --weaken-symbols="$work/weak" "$work/rondo_mpi.o"
rm -f "$archive"
"$ar" qcs "$archive" "$work/rondo_mpi.o"
