#!/bin/bash
# fatal.sh ARCHIVE PLATFORM: tests that a program which fails under smpirun also fails with the library, in every way.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
archive=$1 platform=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
smpicc "$here/fatal.c" -Wl,--whole-archive "$archive" -Wl,--no-whole-archive -Wl,-Bsymbolic-functions -lstdc++ -lm -o "$work/fatal"
# expect HOW CODE WORDS: the exit code, and words that are printed. `*` is any code but 0, since SMPI also ends a
# program whose ranks wait for a rank that has ended.
expect() {
  local how=$1 code=$2 words=$3 printed found=0
  for privatization in dlopen mmap; do
    printed=$(smpirun -np 3 -platform "$platform" --cfg=smpi/privatization:$privatization --log=root.threshold:error \
      "$work/fatal" "$how" 2>&1) && found=0 || found=$?
    [[ $found == ${code} && $found != 0 && $printed == *"$words"* ]] || { echo "$how, $privatization: $found: $printed"; exit 1; }
  done
}
expect rank '*' MPI_Send:
expect graph '*' MPI_Dist_graph_neighbors_count:
expect call '*' MPI_Comm_call_errhandler:
expect thread 134 'got one by another thread'
expect abort 3 ''
expect late 3 ''
expect 256 1 ''
expect exit '*' ''
smpirun -np 3 -platform "$platform" --log=root.threshold:error "$work/fatal" well
# A deadlock is not reported as a failure inside MPI. SMPI itself exits with 0 in this case.
printed=$(smpirun -np 3 -platform "$platform" --log=root.threshold:error "$work/fatal" stuck 2>&1)
[[ $printed == *Deadlock* && $printed != *MPI_ERR* ]] || { echo "$printed"; exit 1; }
