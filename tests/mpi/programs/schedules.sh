#!/bin/bash
# schedules.sh RONDO smpi ARCHIVE PLATFORM, or schedules.sh RONDO mpich|openmpi PRELOADED LAUNCHER INCLUDE LIBRARY:
# tests collectives of C and Fortran programs by schedules in files. With three sets of schedules, random calls must
# have the results of the MPI library's own algorithms. There are 100 calls, and 500 in the whole tests. If a schedule
# cannot be used, all ranks must refuse it, and one line must say why.
set -euo pipefail
rondo=$1 kind=$2
shift 2
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ranks=4
number=100
[ -z "${RONDO_TEST_WHOLE-}" ] || number=500

fail() { echo "schedules: $*" >&2; exit 1; }

# Runs a command with errors and output together. With `apart`, errors go to a file, so that no lines are mixed.
printing() { if [ -n "${apart-}" ]; then "$@" 2>>errors; else "$@" 2>&1; fi; }
# build SOURCE PROGRAM: compiles a program. launch RANKS PROGRAM ARGUMENTS: runs it in the environment of the caller.
if [ "$kind" = smpi ]; then
  archive=$1 platform=$2
  build() {
    smpicc "$1" -I "$here/../../../include" -include rondo/mpi.h -Wl,--whole-archive "$archive" \
      -Wl,--no-whole-archive -Wl,-Bsymbolic-functions -lstdc++ -lm -o "$2"
  }
  launch() {
    local ranks=$1 program=$2
    shift 2
    printing timeout 120 smpirun -np "$ranks" -platform "$platform" --log=root.threshold:critical "./$program" "$@"
  }
else
  preloaded=$1 launcher=$2 include=$3 library=$4
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  build() { cc -Wno-stringop-overflow -isystem "$include" "$1" "$library" -o "$2"; }
  launch() {
    local ranks=$1 program=$2
    shift 2
    if [ "$kind" = mpich ]; then
      MPIR_CVAR_POLLS_BEFORE_YIELD=1 printing timeout 120 "$launcher" -np "$ranks" -env LD_PRELOAD "$preloaded" \
        "./$program" "$@"
    else
      printing timeout 120 "$launcher" --oversubscribe --mca mpi_yield_when_idle 1 -np "$ranks" \
        -x LD_PRELOAD="$preloaded" "./$program" "$@"
    fi
  }
fi

# make FILE KIND ALGORITHM BLOCK [KEY]: exports a schedule to FILE.json.
make() {
  printf '{"machine": {"topology": {"kind": "fully_connected", "hosts": %s}, "latency": "1us", "bandwidth": "1GBps",
    "ports": 8}, "collective": {"kind": "%s", "ranks": %s%s}, "algorithm": "%s", "block": "%s", "engine": "native"}' \
    "$ranks" "$2" "$ranks" "${5:+, $5}" "$3" "$4" >scenario.json
  "$rondo" export scenario.json --format json --output "$1.json" --force
}
# by SET COMMAND...: runs a command with the schedules of a folder for all collectives.
by() {
  local folder=$1 words=()
  shift
  for file in "$folder"/*.json; do
    local name=${file##*/}
    name=${name%.json}
    words+=("RONDO_${name^^}_SCHEDULE=$file")
  done
  (export "${words[@]}" && "$@")
}

# Schedules that combine blocks in messages. Blocks and vectors have unequal pieces. Some roots are not 0.
mkdir combining direct pieces
make combining/bcast bcast scatter_allgather 1001B '"root": 2'
make combining/gather gather binomial 10B '"root": 1'
make combining/scatter scatter binomial 10B
make combining/allgather allgather bruck 10B
make combining/alltoall alltoall bruck 10B
make combining/reduce reduce rabenseifner 1001B '"root": 3'
make combining/allreduce allreduce rabenseifner 1001B
make combining/reduce_scatter reduce_scatter ring 10B
make combining/scan scan recursive_doubling 10B
make combining/exscan exscan recursive_doubling 10B
make combining/barrier barrier dissemination 0B
# Schedules that send blocks directly to their ranks, and reductions in the order of ranks.
make direct/bcast bcast binomial 10B
make direct/gather gather linear 10B '"root": 3'
make direct/scatter scatter linear 10B
make direct/allgather allgather ring 10B
make direct/alltoall alltoall linear 10B
make direct/reduce reduce linear 10B
make direct/allreduce allreduce recursive_doubling 10B
make direct/reduce_scatter reduce_scatter noncommutative 10B
make direct/scan scan linear 10B
make direct/exscan exscan linear 10B
make direct/barrier barrier binomial 0B
# Schedules with several pieces per block. Some use one slot for all pieces, which must then hold pieces of all sizes.
python3 - <<'P'
import json
p, sizes = 4, [5, 3, 1]
def program(rank, **more):
    return {"ranks": [rank], **more}
def written(name, collective, programs):
    with open(f"pieces/{name}.json", "w") as out:
        json.dump({"format": "rondo-schedule", "ranks": p, "programs": programs}, out)
slots = {"slots": len(sizes), "bytes": sizes}
# In each round rank 0 sends a piece to rank 1, which sends it to the others in the next round.
n = len(sizes)
even = {"slots": n, "bytes": [4] * n}
one = {"slots": 1, "bytes": [4]}
rounds = lambda rank: [{"receives": [{"rank": 1, "places": [["receive", k]]}]} for k in range(n)]
written("bcast", "bcast", [
    program(0, buffers={"send": even}, rounds=[{"sends": [{"rank": 1, "places": [["send", k]]}]} for k in range(n)]),
    program(1, buffers={"receive": even, "intermediate": one},
            rounds=[{**({"receives": [{"rank": 0, "places": [["intermediate", 0]]}]} if k < n else {}),
                     **({"sends": [{"rank": r, "places": [["receive", k - 1]]} for r in (2, 3)]} if k else {}),
                     **({"copies": [[["intermediate", 0], ["receive", k]]]} if k < n else {})} for k in range(n + 1)]),
    *[program(r, buffers={"receive": even}, rounds=[{}, *rounds(r)]) for r in (2, 3)]])
# Ranks 1 to 3 send piece k to rank 0. It joins the pieces in one slot, in the order of ranks, and sends the sum back.
down = lambda k: {"sends": [{"rank": r, "places": [["intermediate", 0]]} for r in (1, 2, 3)]}
up = lambda k: {"receives": [{"rank": r, "places": [["intermediate", 0]], "join": "after"} for r in (1, 2, 3)]}
middle = []
for k in range(n):
    middle += [{"copies": [[["send", k], ["intermediate", 0]]]}] if k == 0 else []
    middle += [{**up(k), "copies": [[["intermediate", 0], ["receive", k]]]},
               {**down(k), "copies": [[["send", k + 1], ["intermediate", 0]]] if k + 1 < n else []}]
middle[0:1] = []
written("allreduce", "allreduce", [
    program(0, buffers={"send": even, "receive": even, "intermediate": one},
            copies=[[["send", 0], ["intermediate", 0]]], rounds=middle),
    *[program(r, buffers={"send": even, "receive": even},
              rounds=[part for k in range(n) for part in (
                  {"sends": [{"rank": 0, "places": [["send", k]]}]},
                  {"receives": [{"rank": 0, "places": [["receive", k]]}]})]) for r in (1, 2, 3)]])
# The blocks of an allgather are sent directly to all ranks, in pieces of unequal sizes.
every = {"slots": p * n, "bytes": sizes * p}
written("allgather", "allgather", [
    program(r, buffers={"send": slots, "receive": every},
            copies=[[["send", k], ["receive", r * n + k]] for k in range(n)],
            rounds=[{"sends": [{"rank": o, "places": [["send", k] for k in range(n)]} for o in range(p) if o != r],
                     "receives": [{"rank": o, "places": [["receive", o * n + k] for k in range(n)]}
                                  for o in range(p) if o != r]}]) for r in range(p)])
P
build "$here/random_calls.c" calls
# same WHAT REFERENCE SET ARGUMENTS...: requires the lines of the calls to be those of REFERENCE.
same() {
  local what=$1 reference=$2 set=$3 apart=1
  shift 3
  by "$set" launch $ranks calls "$@" >printed || fail "$set, $*: $(tail -n 5 printed errors)"
  diff <(grep -v '^rondo:' "$reference" | grep '^[0-9]*: coll\|^all is done') \
    <(grep '^[0-9]*: coll\|^all is done' printed) >differences || fail "$set against $what: $(head -n 4 differences)"
}
if [ "$kind" = smpi ]; then
  # SMPI's own collectives accept only predefined datatypes. For others, the reference is Rondo's linear algorithms.
  types=2
  apart=1 launch $ranks calls 1 $number 2 >own
  for set in combining direct pieces; do same "SMPI's own" own $set 1 $number 2; done
  (for name in bcast gather scatter allgather alltoall reduce allreduce reduce_scatter scan exscan; do
    export "RONDO_${name^^}_ALGORITHM=linear"
  done
  apart=1 launch $ranks calls 2 $number 5 world >linear)
  cp -r direct mixed
  cp pieces/* mixed
  same "linear algorithms" linear mixed 2 $number 5 world
else
  types=5
  apart=1 launch $ranks calls 1 $number 5 >own
  for set in combining direct pieces; do same "$kind's own" own $set 1 $number 5; done
fi
[ "$(grep -c '^[0-9]*: coll' own)" = $number ] || fail "expected $number calls"

# `rondo tune` chooses a schedule from a file, algorithms and compositions. One selection file has all of them.
mkdir chosen
cp direct/allreduce.json sum.json
machine='"machine": {"topology": {"kind": "fully_connected", "hosts": 2}, "ranks_per_host": 2, "latency": "2us",
  "bandwidth": "1GBps", "intra_latency": "100ns", "intra_bandwidth": "50GBps"}'
echo "{$machine, \"collective\": {\"kind\": \"custom\", \"schedules\": {\"mine\": \"sum.json\"},
  \"promise\": {\"kind\": \"allreduce\", \"ranks\": $ranks}}, \"sweep\": {\"/algorithm\": [\"mine\", \"ring\"]}}" >ours.json
echo "{$machine, \"collective\": {\"kind\": \"bcast\", \"ranks\": $ranks},
  \"sweep\": {\"/collective/kind\": [\"bcast\", \"reduce\", \"allgather\"]}}" >theirs.json
"$rondo" tune ours.json --algorithms mine,ring --format rondo --quiet --to 64KiB --output ours.selection
"$rondo" tune theirs.json --algorithms linear,hierarchical --format rondo --quiet --to 64KiB --output theirs.selection
grep -q '{"collective":"allreduce","ranks":\[4,4\],"bytes":\[0,[0-9]*\],"schedule":"sum.json"}' ours.selection ||
  fail "our own schedule is not chosen: $(cat ours.selection)"
grep -q '"algorithm":"hierarchical","intra":' theirs.selection || fail "no composition: $(cat theirs.selection)"
python3 - <<'P'
import json
rules = [rule for name in ("ours", "theirs") for rule in json.load(open(f"{name}.selection"))["rules"]]
for rule in rules:
    if "schedule" in rule:
        rule["schedule"] = "../" + rule["schedule"]
json.dump({"format": "rondo-selection", "rules": rules}, open("chosen/selection.json", "w"))
P
# MPICH treats its ranks as those of two hosts. Under smpirun each rank has its own host.
apart=1 MPIR_CVAR_NUM_CLIQUES=2 RONDO_SELECTION=chosen/selection.json launch $ranks calls 1 $number $types >printed ||
  fail "by a selection: $(tail -n 5 printed errors)"
diff <(grep '^[0-9]*: coll\|^all is done' own) <(grep '^[0-9]*: coll\|^all is done' printed) >differences ||
  fail "by a selection: $(head -n 4 differences)"

# Errors of schedules that an info names, or that are returned to a caller by its error handler.
build "$here/told_schedules.c" told
# A contribution is missing: rank 0 does not join the data that rank 1 sends in the last round.
python3 - <<'P'
import json
forged = json.load(open("sum.json"))
del forged["programs"][0]["rounds"][-1]["receives"][0]["join"]
json.dump(forged, open("forged.json", "w"))
P
printf '{"format": "rondo-schedule", "ranks": 4,' >cut.json
ranks=3 make three allreduce ring 12B
# refused FILE TEXT: requires one line with TEXT, and the error class of a wrong choice at all ranks.
refused() {
  RONDO_ALLREDUCE_SCHEDULE=$1 launch $ranks told refused >printed || fail "$1: $(cat printed)"
  grep -q '^all is well$' printed || fail "$1: $(cat printed)"
  [ "$(grep -c '^rondo:' printed)" = 1 ] || fail "expected one line on $1, got $(cat printed)"
  grep -q "^rondo: RONDO_ALLREDUCE_SCHEDULE: $1: $2" printed || fail "$1: $(cat printed)"
}
refused forged.json 'it is no allreduce on 4 ranks: rank 0, round 2: '
refused cut.json '/: \|cut.json:1:'
refused none.json 'no such file'
refused three.json '/ranks: expected 4, the ranks of the communicator, got 3$'
refused direct/bcast.json 'it is no allreduce on 4 ranks: '
printed=$(launch $ranks told info sum.json forged.json) || fail "by an info: $printed"
grep -q '^all is well$' <<<"$printed" || fail "by an info: $printed"
printed=$(RONDO_ALLREDUCE_SCHEDULE=sum.json launch $ranks told at_once) || fail "at once: $printed"
grep -q '^all is well$' <<<"$printed" || fail "at once: $printed"
# A schedule in a variable is for another number of ranks. This is reported once, and the library's algorithm is used.
grep -q "^rondo: RONDO_ALLREDUCE_SCHEDULE=sum.json: sum.json: /ranks: expected 2, the ranks of the communicator, got 4; the MPI library's own algorithm is used$" <<<"$printed" ||
  fail "half of the ranks: $printed"
printed=$(RONDO_ALLREDUCE_SCHEDULE=sum.json RONDO_ALLREDUCE_ALGORITHM=ring launch $ranks told refused) || fail "both: $printed"
grep -q '^rondo: RONDO_ALLREDUCE_SCHEDULE: expected no RONDO_ALLREDUCE_ALGORITHM beside it, got "sum.json"$' <<<"$printed" ||
  fail "both: $printed"

# The size of each call selects a rule.
echo '{"format": "rondo-selection", "rules": [{"collective": "allreduce", "ranks": [4, 4], "bytes": [0, "1KiB"], "schedule": "sum.json"},
  {"collective": "allreduce", "ranks": [1, 3], "schedule": "three.json"},
  {"collective": "allreduce", "bytes": ["1MiB", null], "schedule": "forged.json"}]}' >by_size.json
printed=$(RONDO_SELECTION=by_size.json launch $ranks told sizes) || fail "by sizes: $printed"
grep -q '^all is well$' <<<"$printed" || fail "by sizes: $printed"
grep -q '^rondo: by_size.json: /rules/1/schedule: three.json: /ranks: expected 2, ' <<<"$printed" || fail "by sizes: $printed"
grep -q '^rondo: by_size.json: /rules/2/schedule: forged.json: it is no allreduce' <<<"$printed" || fail "by sizes: $printed"
echo '{"format": "rondo-selection", "rules": [{"collective": "allreduce", "ranks": [5, 7], "algorithm": "ring"}]}' >other.json
printed=$(RONDO_SELECTION=other.json launch $ranks told sizes) || fail "rules for other ranks: $printed"
[ "$(grep '^rondo:' <<<"$printed")" = "rondo: RONDO_SELECTION=other.json has no effect: no rule fits a collective of rank 0" ] ||
  fail "rules for other ranks: $printed"
echo '{"format": "rondo-selection", "rules": [{"collective": "allreduce"}]}' >none.selection
printed=$(RONDO_SELECTION=none.selection launch $ranks told refused) || fail "a wrong selection: $printed"
[ "$(grep '^rondo:' <<<"$printed")" = \
  'rondo: RONDO_SELECTION: none.selection: /rules/0: expected either "algorithm" or "schedule", got none' ] ||
  fail "a wrong selection: $printed"

if [ "$kind" != smpi ] && command -v gfortran >/dev/null; then
  cat >sum.f90 <<'F'
program sums
  include 'mpif.h'
  integer :: rank, total, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (rank == 0 .and. total == 6) print '(a)', 'all is well'
  call MPI_Finalize(ierr)
end program
F
  # Non-blocking collectives and messages, completed by every function that completes requests.
  cat >begun.f90 <<'F'
program begun
  include 'mpif.h'
  integer :: rank, before, after, i, got, total(7), done, places(3), wrong, ierr
  integer :: requests(3), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 3)
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  before = mod(rank + 3, 4)
  after = mod(rank + 1, 4)
  wrong = 0
  total = 0
  do i = 1, 7
    call MPI_Irecv(got, 1, MPI_INTEGER, before, i, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Iallreduce(rank, total(i), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Isend(rank, 1, MPI_INTEGER, after, i, MPI_COMM_WORLD, requests(3), ierr)
    flag = .false.
    select case (i)
    case (1)
      call MPI_Waitall(3, requests, statuses, ierr)
      if (statuses(MPI_SOURCE, 1) /= before .or. statuses(MPI_TAG, 1) /= i) wrong = wrong + 1
    case (2)
      do while (.not. flag)
        call MPI_Testall(3, requests, flag, MPI_STATUSES_IGNORE, ierr)
      end do
    case (3)
      call MPI_Wait(requests(2), MPI_STATUS_IGNORE, ierr)
      call MPI_Waitany(2, requests, done, status, ierr)
      if (done /= 1 .or. status(MPI_SOURCE) /= before) wrong = wrong + 1
      call MPI_Wait(requests(3), MPI_STATUS_IGNORE, ierr)
    case (4)
      do while (.not. flag)
        call MPI_Test(requests(2), flag, MPI_STATUS_IGNORE, ierr)
      end do
      call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, ierr)
    case (5)
      do while (any(requests /= MPI_REQUEST_NULL))
        call MPI_Waitsome(3, requests, done, places, MPI_STATUSES_IGNORE, ierr)
        if (done < 1 .or. places(1) < 1 .or. places(1) > 3) wrong = wrong + 1
      end do
    case (6)
      do while (any(requests /= MPI_REQUEST_NULL))
        call MPI_Testany(3, requests, done, flag, status, ierr)
        call MPI_Testsome(3, requests, done, places, statuses, ierr)
      end do
    case (7)
      do while (.not. flag)
        call MPI_Request_get_status(requests(2), flag, MPI_STATUS_IGNORE, ierr)
      end do
      call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, ierr)
    end select
    if (got /= before .or. any(requests /= MPI_REQUEST_NULL)) wrong = wrong + 1
  end do
  if (any(total /= 6)) wrong = wrong + 1
  call MPI_Reduce(wrong, total, 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0 .and. total(1) == 0) print '(a)', 'all is well'
  call MPI_Finalize(ierr)
end program
F
  for program in sum begun; do
    if [ "$kind" = mpich ]; then
      gfortran -I "$include" $program.f90 "${library/libmpich/libmpichfort}" "$library" -o $program
    else
      gfortran -I "$include" $program.f90 "${library/libmpi/libmpi_mpifh}" -o $program
    fi
    printed=$(RONDO_ALLREDUCE_SCHEDULE=sum.json launch $ranks $program) || fail "$program.f90: $printed"
    [ "$printed" = "all is well" ] || fail "$program.f90: $printed"
    ! printed=$(RONDO_ALLREDUCE_SCHEDULE=forged.json launch $ranks $program) || fail "$program.f90: expected an error"
    grep -q '^rondo: .*forged.json: it is no allreduce' <<<"$printed" || fail "$program.f90: $printed"
  done
fi
echo "all is well"
