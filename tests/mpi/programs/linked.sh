#!/bin/bash
# linked.sh ARCHIVE PLATFORM: tests the options with which a program can be linked with librondo_mpi, and the errors if
# options are missing.
set -euo pipefail
archive=$1 platform=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() {  # WORDS...
  smpicc "$here/neighborhoods.c" -I "$here/../../../include" "$@" -lstdc++ -lm -o "$work/program" >"$work/built" 2>&1
}
run() {  # PRIVATIZATION
  smpirun -np 8 -platform "$platform" --cfg=smpi/privatization:$1 --log=root.threshold:error "$work/program" 2>&1
}
fails_with() {  # WORDS
  printed=$(run mmap) && { echo "no failure with: $1"; exit 1; }
  [[ $printed == *"$1"* ]] || { echo "expected $1: $printed"; exit 1; }
}

build -Wl,--whole-archive "$archive" -Wl,--no-whole-archive -Wl,-Bsymbolic-functions && [[ $(run mmap) == *"all is well"* ]]
# The functions to which rondo/mpi.h refers are taken from the archive.
build -include rondo/mpi.h "$archive" -Wl,-Bsymbolic-functions && [[ $(run mmap) == *"all is well"* ]]
# If smpirun loads a program by dlopen, the functions of the program always come first.
build -Wl,--whole-archive "$archive" -Wl,--no-whole-archive && [[ $(run dlopen) == *"all is well"* ]] && fails_with "link it with"
build -include rondo/mpi.h "$archive" && fails_with "link it with"
if build -include rondo/mpi.h -Wl,-Bsymbolic-functions; then echo "linked without the library" && exit 1; fi
grep -q "undefined reference to .rondo_mpi_is_linked" "$work/built" || { cat "$work/built" && exit 1; }
