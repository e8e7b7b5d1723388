#!/bin/bash
# wrappers.sh BUILD SOURCE [MPICH-LAUNCHER]: tests rondo-cc, rondo-cxx and rondo-fc of the build, as users and scripts
# call compilers. tests/docs tests them in the tutorial's Makefile, CMake project and configure script. shellcheck
# disable=SC2016 # texts in single quotes are not for this shell
set -euo pipefail
build=$1 source=$2 launcher=${3:-}
here=$source/tests/mpi/programs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "wrappers: $*" >&2; exit 1; }
# expect WHAT GOT WANTED: requires two equal texts.
expect() { [ "$2" = "$3" ] || fail "$1: expected '$3', got '$2'"; }
# simulated RANKS PROGRAM WORDS...: the output of the program under smpirun, sorted.
simulated() {
  smpirun -np "$1" -platform "$source/platforms/fully-connected-64.xml" --log=root.threshold:error "${@:2}" 2>&1 | sort
}

cat >one.c <<'C'
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int two(void);
int main(int argc, char** argv) {
  int rank;
  if (argc > 1) exit(atoi(argv[1]));
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("%d of %d %s\n", rank, two(), WORD);
  MPI_Finalize();
  return 0;
}
C
cat >two.c <<'C'
#include <mpi.h>
int two(void) { int size; MPI_Comm_size(MPI_COMM_WORLD, &size); return size; }
C

# Programs are compiled by one call or by several. Arguments may have blanks. A shell can run the output of --show.
"$build/rondo-cc" -std=c99 -Wall -Wextra -pedantic -Werror '-DWORD="a b"' one.c two.c -o 'at once'
expect "in one call" "$(simulated 2 './at once')" $'0 of 2 a b\n1 of 2 a b'
"$build/rondo-cc" -c '-DWORD="it'\''s"' one.c -o one.o
"$build/rondo-cc" -c two.c
"$build/rondo-cc" -pie one.o two.o -o apart
expect "object files" "$(simulated 2 ./apart)" $'0 of 2 it\'s\n1 of 2 it\'s'
eval "$("$build/rondo-cc" --show '-DWORD="it'\''s $HOME"' one.c two.c -o shown)"
expect "the command that --show prints" "$(simulated 1 ./shown)" '0 of 1 it'\''s $HOME'
ar rcs libtwo.a two.o
"$build/rondo-cc" -x c - -L . -ltwo -DWORD='"in"' -o piped <one.c
expect "standard input" "$(simulated 1 ./piped)" "0 of 1 in"

# A program runs without smpirun too, since a configure script runs the programs that it compiles.
status=0 && './at once' 7 || status=$?
expect "exit(7) without smpirun" "$status" 7
status=0 && smpirun -np 1 -platform "$source/platforms/fully-connected-64.xml" './at once' 7 >/dev/null 2>&1 || status=$?
expect "exit(7) under smpirun" "$status" 7

# Calls that only ask, compile or preprocess are passed to the compiler.
expect "--version" "$("$build/rondo-cc" --version)" "$(cc --version)"
expect "-dumpmachine" "$("$build/rondo-cxx" -dumpmachine)" "$(c++ -dumpmachine)"
expect "-E" "$(echo __LINE__ | "$build/rondo-cc" -E -P - | tail -n 1)" 1
echo '.globl three' >three.s && "$build/rondo-cc" -c three.s
"$build/rondo-cc" -shared two.c -o libtwo.so
expect "the compiler that RONDO_CC names" "$(RONDO_CC=some-cc "$build/rondo-cc" --show -c two.c | cut -d ' ' -f 1)" some-cc
expect "no command is hidden" "$("$build/rondo-cc" -show)" cc

# Errors are reported when a program is linked.
! "$build/rondo-cc" -DWORD='""' one.c -o lacking 2>printed || fail "linked without two()"
grep -q 'undefined reference to `two' printed || fail "expected the missing function, got: $(cat printed)"
! "$build/rondo-cc" -static one.c 2>printed || fail "-static is accepted"
expect "-static" "$(cat printed)" "rondo-cc: -static: expected a program that is loaded once a rank, which cannot be static"

# The library is linked. Programs can use functions that SMPI lacks, and chosen algorithms are used.
"$build/rondo-cc" "$here/matched.c" -o matched
expect "matched.c" "$(simulated 5 ./matched)" "all is well"
cat >sum.cpp <<'C'
#include <mpi.h>
#include <cstdlib>
#include <iostream>
#include <string>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::cout << std::string("sum ") + std::to_string(sum) << std::endl;
  MPI_Finalize();
}
C
"$build/rondo-cxx" -std=c++20 sum.cpp -o sum
expect "sum.cpp" "$(simulated 4 ./sum)" "sum 6"
scenario() {
  cat >scenario.json <<J
{"schema_version": 1, "machine": {"topology": {"kind": "fully_connected", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
 "collective": {"kind": "program", "binary": "sum", "environment": {$1}}}
J
  "$build/rondo" run --allow-programs --quiet --format jsonl scenario.json | python3 -c 'import json, sys; print(json.loads(sys.stdin.readline())["messages"])'
}
# In the ring each of 8 ranks sends 7 reduced and 7 gathered pieces. In recursive doubling it sends 3 messages. Both
# runs first duplicate the communicator.
ring=$(scenario '"RONDO_ALLREDUCE_ALGORITHM": "ring"')
doubling=$(scenario '"RONDO_ALLREDUCE_ALGORITHM": "recursive_doubling"')
expect "messages that the ring has more" $((ring - doubling)) $((8 * 14 - 8 * 3))

if command -v gfortran >/dev/null; then
  "$build/rondo-fc" -c "$here/neighborhoods.f90" && "$build/rondo-fc" neighborhoods.o -o fortran
  expect "neighborhoods.f90" "$(simulated 6 ./fortran)" " all is well"
  "$build/rondo-fc" -std=f2018 -Wall -Werror -c "$here/f08.f90" && "$build/rondo-fc" f08.o -o f08
  expect "f08.f90" "$(simulated 4 ./f08)" "all is well"
  # The same on MPICH, if its module is for this compiler.
  mkdir mpich
  if [[ -n $launcher ]] && mpif90.mpich -J mpich "$here/f08.f90" -o mpich/f08 2>mpich/built; then
    printed=$(UCX_LOG_FILE=stderr MPIR_CVAR_POLLS_BEFORE_YIELD=1 "$launcher" -np 4 mpich/f08)
    expect "f08.f90 on MPICH" "$printed" "all is well"
  fi
  cat >threads.f90 <<'F'
program threads
  use mpi
  integer :: provided, queried, rank, total, ierr
  logical :: is_main
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  call MPI_Query_thread(queried, ierr)
  call MPI_Is_thread_main(is_main, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(2i2,l2,i2)', provided, queried, is_main, total
  call MPI_Finalize(ierr)
end program
F
  cat >fixed.f <<'F'
      program fixed
      include 'mpif.h'
      integer rank, total, message, status(MPI_STATUS_SIZE), ierr
      call MPI_Init(ierr)
      call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
      call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM,
     &  MPI_COMM_WORLD, ierr)
      call MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, message,
     &  status, ierr)
      if (message .ne. MPI_MESSAGE_NO_PROC) total = -1
      call MPI_Mrecv(total, 1, MPI_INTEGER, message, status, ierr)
      if (message .ne. MPI_MESSAGE_NULL) total = -1
      if (rank .eq. 0) print '(i2)', total
      call MPI_Finalize(ierr)
      end
F
  "$build/rondo-fc" -c fixed.f && "$build/rondo-fc" fixed.o -o fixed
  expect "a program with mpif.h" "$(simulated 4 ./fixed)" " 6"
  "$build/rondo-fc" threads.f90 -o threads
  expect "MPI_Init_thread in Fortran" "$(simulated 4 ./threads)" " 1 1 T 6"
fi
