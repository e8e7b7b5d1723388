#!/bin/bash
# preload.sh LIBRARY LAUNCHER: tests librondo_mpi-mpich.so with LD_PRELOAD. Programs in C and Fortran, built by MPICH's
# compilers, must use the chosen algorithms. An unknown algorithm must be an error, which shows that the choice is read.
set -euo pipefail
library=$1 launcher=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "preload: $*" >&2; exit 1; }
# launch PROGRAM NAME=VALUE...: runs a program on 4 ranks with these variables.
launch() {
  local program=$1 words=()
  shift
  for setting in "$@"; do words+=(-env "${setting%%=*}" "${setting#*=}"); done
  MPIR_CVAR_POLLS_BEFORE_YIELD=1 timeout 60 "$launcher" -np 4 -env LD_PRELOAD "$library" "${words[@]}" "./$program" 2>&1
}

cat >sum.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  enum { count = 1000 };
  int rank, size, i, wrong = 0, all = 0;
  long long in[count], out[count];
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (i = 0; i < count; i++) in[i] = (rank + 1) * i;
  MPI_Allreduce(in, out, count, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  for (i = 0; i < count; i++) wrong += out[i] != (long long)i * size * (size + 1) / 2;
  MPI_Iallreduce(in, out, count, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (i = 0; i < count; i++) wrong += out[i] != (long long)i * size;
  MPI_Allreduce(MPI_IN_PLACE, in, count, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  for (i = 0; i < count; i++) wrong += in[i] != (long long)i * size * (size + 1) / 2;
  PMPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) puts(all == 0 ? "all is well" : "wrong");
  return MPI_Finalize();
}
C
mpicc.mpich sum.c -o sum
programs=(sum)
if command -v mpifort.mpich >/dev/null && command -v gfortran >/dev/null; then
  cat >sum.f90 <<'F'
program sums
  use mpi
  integer :: rank, total, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (rank == 0 .and. total == 6) print '(a)', 'all is well'
  call MPI_Finalize(ierr)
end program
F
  mpifort.mpich sum.f90 -o fortran
  programs+=(fortran)
  # Non-blocking collectives, completed by every function of mpi_f08 that completes requests.
  cat >begun.f90 <<'F'
program begun
  use mpi_f08
  implicit none
  integer :: rank, total, i, done, places(2), wrong, all_wrong, ierr
  logical :: flag
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status, statuses(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  wrong = 0
  do i = 1, 10
    total = -1
    call MPI_Iallreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1))
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(2), ierr)
    flag = .false.
    done = 0
    select case (i)
    case (1)
      call MPI_Waitall(2, requests, statuses, ierr)
    case (2)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    case (3)
      do while (.not. flag)
        call MPI_Testall(2, requests, flag, statuses)
      end do
    case (4)
      call MPI_Wait(requests(1), status)
      call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
    case (5)
      do while (.not. flag)
        call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE)
      end do
    case (6)
      do while (any(requests%MPI_VAL /= MPI_REQUEST_NULL%MPI_VAL))
        call MPI_Waitany(2, requests, done, status)
        if (done < 1 .or. done > 2) wrong = wrong + 1
      end do
    case (7)
      do while (any(requests%MPI_VAL /= MPI_REQUEST_NULL%MPI_VAL))
        call MPI_Waitsome(2, requests, done, places, statuses)
        if (done < 1 .or. places(1) < 1 .or. places(1) > 2) wrong = wrong + 1
      end do
    case (8)
      do while (any(requests%MPI_VAL /= MPI_REQUEST_NULL%MPI_VAL))
        call MPI_Testany(2, requests, done, flag, MPI_STATUS_IGNORE)
      end do
    case (9)
      do while (any(requests%MPI_VAL /= MPI_REQUEST_NULL%MPI_VAL))
        call MPI_Testsome(2, requests, done, places, MPI_STATUSES_IGNORE)
      end do
    case (10)
      do while (.not. flag)
        call MPI_Request_get_status(requests(1), flag, status)
      end do
    end select
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    if (total /= 6) wrong = wrong + 1
  end do
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Reduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0 .and. all_wrong == 0) print '(a)', 'all is well'
  call MPI_Finalize()
end program
F
  mpifort.mpich begun.f90 -o begun
  printed=$(launch begun RONDO_ALLREDUCE_ALGORITHM=ring RONDO_BARRIER_ALGORITHM=dissemination) || fail "mpi_f08: $printed"
  [ "$printed" = "all is well" ] || fail "mpi_f08: $printed"
  ! printed=$(launch begun RONDO_BARRIER_ALGORITHM=zzz) || fail "mpi_f08: expected an error"
  grep -q '^rondo: RONDO_BARRIER_ALGORITHM: expected one of .*, got "zzz"$' <<<"$printed" || fail "mpi_f08: $printed"
fi

# Arguments that MPI ignores may have any value.
cat >ignored.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank, i, wrong = 0, all[4], one;
  MPI_Request request;
  MPI_Datatype freed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_contiguous(3, MPI_INT, &freed);
  MPI_Datatype const ignored = freed;
  MPI_Type_free(&freed);
  for (i = 0; i < 3; i++) {
    MPI_Datatype const anything = i == 0 ? (MPI_Datatype)0 : ignored;
    MPI_Datatype const to = rank == 1 ? MPI_INT : anything;
    one = rank * 10 + i;
    MPI_Gather(&one, 1, MPI_INT, rank == 1 ? all : NULL, rank == 1, to, 1, MPI_COMM_WORLD);
    MPI_Scatter(rank == 1 ? all : NULL, rank == 1, to, &one, 1, MPI_INT, 1, MPI_COMM_WORLD);
    wrong += one != rank * 10 + i;
    MPI_Igather(&one, 1, MPI_INT, rank == 1 ? all : NULL, rank == 1, to, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong += rank == 1 && all[3] != 30 + i;
    all[rank] = one;
    MPI_Allgather(MPI_IN_PLACE, 7, anything, all, 1, MPI_INT, MPI_COMM_WORLD);
    wrong += all[3] != 30 + i || all[0] != i;
  }
  PMPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) puts(wrong == 0 ? "all is well" : "wrong");
  return MPI_Finalize();
}
C
mpicc.mpich -w ignored.c -o ignored
printed=$(launch ignored RONDO_GATHER_ALGORITHM=binomial RONDO_SCATTER_ALGORITHM=binomial RONDO_ALLGATHER_ALGORITHM=ring) ||
  fail "ignored arguments: $printed"
[ "$printed" = "all is well" ] || fail "ignored arguments: $printed"

# If several threads may call MPI, MPICH's own collectives are used, and a line reports this.
cat >threads.c <<'C'
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
static int rank;
static int wrong[2];
static MPI_Comm comms[2];
static void* sums(void* which) {
  int const mine = *(int*)which;
  int i, sum;
  for (i = 0; i < 300; i++) {
    int one = rank + i;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[mine]);
    wrong[mine] += sum != 6 + 4 * i;
  }
  return NULL;
}
int main(int argc, char** argv) {
  int level, which[] = {0, 1};
  pthread_t other;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  pthread_create(&other, NULL, sums, &which[1]);
  sums(&which[0]);
  pthread_join(other, NULL);
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
  if (rank == 0 && wrong[0] + wrong[1] == 0 && level == MPI_THREAD_MULTIPLE) puts("all is well");
  return MPI_Finalize();
}
C
mpicc.mpich threads.c -o threads -pthread
printed=$(launch threads RONDO_ALLREDUCE_ALGORITHM=recursive_doubling RONDO_SELECTION=none) || fail "threads: $printed"
grep -q "RONDO_SELECTION=none has no effect: the program has MPI_THREAD_MULTIPLE" <<<"$printed" || fail "threads: $printed"
grep -qx "all is well" <<<"$printed" || fail "threads: $printed"
grep -q "RONDO_ALLREDUCE_ALGORITHM=recursive_doubling has no effect: the program has MPI_THREAD_MULTIPLE" <<<"$printed" ||
  fail "threads: $printed"

for program in "${programs[@]}"; do
  for algorithm in ring rabenseifner bine; do
    printed=$(launch "$program" RONDO_ALLREDUCE_ALGORITHM=$algorithm) || fail "$program by $algorithm: $printed"
    [ "$printed" = "all is well" ] || fail "$program by $algorithm: $printed"
  done
  # MPICH treats its ranks as those of two hosts.
  hosts=(MPIR_CVAR_NUM_CLIQUES=2 RONDO_ALLREDUCE_ALGORITHM=hierarchical RONDO_ALLREDUCE_INTER=recursive_doubling
    "RONDO_ALLREDUCE_INTRA=reduce:binomial,bcast:chain,reduce_scatter:ring,allgather:ring")
  for more in RONDO_ALLREDUCE_LANES=1 RONDO_ALLREDUCE_LANES=all RONDO_ALLREDUCE_SEGMENT=1000B; do
    printed=$(launch "$program" "${hosts[@]}" "$more") || fail "$program on hosts, $more: $printed"
    [ "$printed" = "all is well" ] || fail "$program on hosts, $more: $printed"
  done
  printed=$(launch "$program" "${hosts[@]}" RONDO_ALLREDUCE_LANES=3) || fail "$program on hosts: $printed"
  grep -q 'expected at most 2 lanes, the ranks of the smallest group, got 3' <<<"$printed" || fail "$program: $printed"
  ! printed=$(launch "$program" RONDO_ALLREDUCE_ALGORITHM=rng) || fail "$program: expected an error"
  grep -q '^rondo: RONDO_ALLREDUCE_ALGORITHM: expected one of .*, got "rng"$' <<<"$printed" || fail "$program: $printed"
done

# The library exports only names of MPI and of Rondo, so that its other functions cannot replace those of a program.
others=$(nm -D --defined-only "$library" | awk '$3 !~ /^((MPI|Rondo)_|mpi_.*_f08_$)/ {print $3}')
[ -z "$others" ] || fail "it shows $others"
