#!/bin/bash
# conformance.sh ARCHIVE PLATFORM [MPICH-LAUNCHER]: runs conformance.c on SMPI with librondo_mpi, and on MPICH if its
# launcher is given. It compares the answers with conformance.txt. The first column of answers is for SMPI and has no
# `no`. The second one has the answers of MPICH 4.0.2.
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
# UCX would write warnings to standard output, for example if there is no /sys.
UCX_LOG_FILE=stderr MPIR_CVAR_POLLS_BEFORE_YIELD=1 "$launcher" -np 4 "$work/mpich" >"$work/mpich.txt"
diff <(columns 3) <(answers "$work/mpich.txt")
