#!/bin/bash
# run.sh [added] ARCHIVE PLATFORM RANKS SOURCE WORDS...: compiles a program with smpicc and links it with librondo_mpi
# as in docs/mpi.md. It runs the program by smpirun with the options in OPTIONS, under both kinds of privatization or
# those in PRIVATIZATIONS. The program must exit with 0 and print the words. added: includes rondo/mpi.h, which adds
# functions to SMPI's mpi.h.
set -euo pipefail
added=
[[ $1 != added ]] || { added=yes && shift; }
archive=$1 platform=$2 ranks=$3 source=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiler=smpicc
[[ $source == *.cpp ]] && compiler=smpicxx
include=$(realpath "$(dirname "$0")/../../../include")
words=("$source" -I "$include")
[[ -z $added ]] || words+=(-include rondo/mpi.h)
if [[ $source == *.f90 ]]; then
  # smpif90 writes converted sources beside the originals, and leaves them there if it is killed.
  cp "$include/rondo/fortran/mpi.f90" "$source" "$work"
  compiler=smpif90 words=("$work/mpi.f90" "$work/${source##*/}" -I "$include/rondo/fortran" -I "$work" -J "$work")
fi
"$compiler" "${words[@]}" -Wl,--whole-archive "$archive" -Wl,--no-whole-archive -Wl,-Bsymbolic-functions -lstdc++ -lm \
  -o "$work/program"
for privatization in ${PRIVATIZATIONS:-dlopen mmap}; do
  printed=$(smpirun -np "$ranks" -platform "$platform" --cfg=smpi/privatization:$privatization \
    ${OPTIONS:-} --log=root.threshold:error "$work/program" 2>&1) || { echo "$privatization: $printed"; exit 1; }
  [[ $printed == *"$*"* ]] || { echo "$privatization: $printed"; exit 1; }
done
