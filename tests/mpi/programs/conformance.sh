#!/bin/bash
# conformance.sh ARCHIVE PLATFORM [MPICH-LAUNCHER]: runs conformance.c on SMPI with librondo_mpi, and on MPICH where that is
# installed, and holds the answers against conformance.txt: its first column of answers has no `no`, its second one is
# what MPICH 4.0.2 says.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
archive=$1 platform=$2 launcher=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
smpicc "$here/conformance.c" -Wl,--whole-archive "$archive" -Wl,--no-whole-archive -Wl,-Bsymbolic-functions -lstdc++ -lm \
  -o "$work/smpi"
columns() { awk -v column="$1" 'NR > 1 { print $1, $column }' "$here/conformance.txt"; }
answers() { awk '{ print $1, $2 }' "$1"; }
for algorithm in auto naive torus common_neighbors; do
  RONDO_NEIGHBOR_ALGORITHM=$algorithm smpirun -np 4 -platform "$platform" --log=root.threshold:error "$work/smpi" >"$work/smpi.txt"
  diff <(columns 2) <(answers "$work/smpi.txt") || { echo "RONDO_NEIGHBOR_ALGORITHM=$algorithm"; exit 1; }
done
[[ -n $launcher ]] || exit 0
mpicc.mpich -w "$here/conformance.c" -o "$work/mpich"
# UCX warns on standard output, where it finds no /sys for example.
UCX_LOG_FILE=stderr MPIR_CVAR_POLLS_BEFORE_YIELD=1 "$launcher" -np 4 "$work/mpich" >"$work/mpich.txt"
diff <(columns 3) <(answers "$work/mpich.txt")
