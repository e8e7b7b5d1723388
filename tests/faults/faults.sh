#!/bin/bash
# Tests faults during sweeps: faults.sh PROGRAM ROUNDS [SEED]. Every round runs a sweep of 40 simulations (12 if there
# are fewer rounds than faults) with one fault, and then continues the sweep. Every good record must still be there, and
# the records must be those of an undisturbed run. No process may be left, and no file except the scenario and its
# records. The rounds take these faults in turn:
#   parent, interrupted  SIGKILL, SIGINT to the program
#   worker, simulation   SIGKILL to a child of the program, or to a child of such a child
#   memory, growth       a limit on memory, on the size of files
#   disk                 a file system of 32 KiB is full (a limit on the size of files, if this user may not mount one)
#   vanished             the folder of the results vanishes with its content
#   unreadable           a read of the results fails while the sweep is continued (if FAULT_LIBRARY names the library)
#   streams              standard streams are closed or full
#   writers              a second program continues the same file
#   killed-program, interrupted-program, ended-program
#                        SIGKILL, SIGINT, SIGTERM to the program while it compiles or runs a user's program or reads
#                        its results. That program has a child. After 2 s no process and no folder of them may be left
#   tasks                SIGKILL to the program or to one of its processes during a sweep over a file of MSCCL
#   merged, reported     SIGKILL or SIGINT to `rondo merge`, `rondo report`: the output must be complete or missing
# The last line is "faults: 200 rounds, 128 of the sweeps cut short, 0 failed".
set -uo pipefail
program=$(readlink -f "${1:?program}") rounds=${2:?rounds}
RANDOM=${3:-7}
work=$(mktemp -d "${TMPDIR:-/tmp}/rondo-faults-XXXXXX")
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 2
unset RONDO_ALLOW_PROGRAMS
faults=(parent worker killed-program growth simulation streams interrupted-program memory writers interrupted ended-program disk vanished unreadable
  tasks merged reported)
failed=0 short=0

most=$((rounds < ${#faults[@]} ? 6 : 20)) # the number of sizes; each is swept with two algorithms
sizes=$(seq -s ', ' -f '"%gB"' $most)
cat >sweep.json <<JSON
{"machine": {"topology": {"kind": "ring", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
 "collective": {"kind": "isomorphic_alltoall", "torus": [8], "neighborhood": {"kind": "moore", "radius": 2}},
 "algorithm": "torus", "block": "8B", "engine": "smpi",
 "sweep": {"/block": [$sizes], "/algorithm": ["torus", "straightforward"]}}
JSON

# A sweep of 4 simulations of a program, which is compiled twice, once for each flag. Its child would outlive it.
cat >user.c <<'C'
#include <mpi.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
extern char** environ;
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    char* words[] = {"sleep", "20", NULL};
    pid_t child = 0;
    posix_spawnp(&child, "sleep", NULL, NULL, words, environ);
    usleep(100000);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
C
cat >user.json <<JSON
{"machine": {"topology": {"kind": "ring", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
 "collective": {"kind": "program", "source": "user.c", "ranks": 4, "flags": ["-O0"]}, "algorithm": "default",
 "sweep": {"/collective/ranks": [4, 8], "/collective/flags": [["-O0"], ["-O1"]]}}
JSON

# The sweep over an allreduce in MSCCL's format, which Rondo exports.
printf '%s' '{"machine": {"topology": {"kind": "ring", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
 "collective": {"kind": "allreduce", "ranks": 8}, "algorithm": "ring", "block": "8B"}' >ring.json
"$program" export --format msccl --output ring.xml ring.json || exit 2
cat >tasks.json <<JSON
{"machine": {"topology": {"kind": "ring", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
 "collective": {"kind": "custom", "schedule": "ring.xml", "promise": {"kind": "allreduce", "ranks": 8}},
 "block": "8B", "engine": "smpi", "sweep": {"/block": [$sizes], "/seed": [1, 2]}}
JSON

timeless() { sed -E 's/"(setup_)?wall_s":[-+0-9.e]+//g' "$1"; }
# The good records, sorted. A line without a newline at its end was cut off, even if it ends with a bracket.
good() { while IFS= read -r line; do printf '%s\n' "$line"; done 2>/dev/null <"$1" | grep -a '"error":null' | sed -E 's/"(setup_)?wall_s":[-+0-9.e]+//g' | sort; }
# Runs the program. RONDO_ROUND in the environment marks it and all its children.
rondo() { RONDO_ROUND=$round. "$program" "$@"; }
words=(run --quiet --jobs 2 --resume --format jsonl --output out/r.jsonl s.json)
# Waits for a random time, at most as long as the undisturbed run.
pause() { sleep "$(printf '%d.%03d' $((wait = RANDOM % duration, wait / 1000)) $((wait % 1000)))"; }
# The children of a process.
children() { cat /proc/"$1"/task/*/children 2>/dev/null; }
one_of() { local all=("$@"); ((${#all[@]})) && echo "${all[RANDOM % ${#all[@]}]}"; }
left() { grep -alsF "RONDO_ROUND=$round." /proc/[0-9]*/environ | wc -l; }

say() { echo "round $round, $fault: $*" >&2; bad=1; }

run_and_signal() { # SIGNAL self|child|grandchild
  rondo "${words[@]}" 2>err & local id=$!
  pause
  local target=$id
  [ "$2" = self ] || target=$(one_of $(children $id))
  [ "$2" != grandchild ] || [ -z "$target" ] || target=$(one_of $(children "$target"))
  [ -z "$target" ] || kill "-$1" "$target" 2>/dev/null
  wait $id 2>/dev/null
  code=$?
}

# The signal comes at a random time of an undisturbed run: while it compiles, runs or reads the results.
program_and_signal() { # SIGNAL
  cp ../user.c . && cp ../user.json u.json
  rondo run --quiet --jobs 2 --allow-programs --format jsonl --output out/u.jsonl u.json 2>err & local id=$!
  local wait=$((RANDOM % program_duration))
  sleep "$(printf '%d.%03d' $((wait / 1000)) $((wait % 1000)))"
  kill "-$1" $id 2>/dev/null
  wait $id 2>/dev/null
  for _ in {1..40}; do [ "$(left)" = 0 ] && [ -z "$(ls tmp)" ] && break; sleep 0.05; done
  [ "$(left)" = 0 ] || say "$(left) processes of a program are left $wait ms after its start"
  [ -z "$(ls tmp)" ] || say "folders of a program are left $wait ms after its start: $(ls tmp)"
  end_left
  rm -rf tmp/* out/u.jsonl u.json user.c
}
# Ends the processes that a fault has left, so that they do not disturb the next round. RONDO_ROUND marks them.
end_left() {
  local each
  for each in $(grep -alsF "RONDO_ROUND=$round." /proc/[0-9]*/environ | cut -d/ -f3); do
    kill -KILL "$each" 2>/dev/null
  done
}

# Ends merge or report at a random time. Its output must be that of an undisturbed run or missing, without other files.
output_and_signal() { # REFERENCE OUTPUT WORD...
  local reference=$1 output=$2 wait=$((RANDOM % output_duration)) signal=KILL
  shift 2
  ((RANDOM % 2)) || signal=INT
  rondo "$@" --output "$output" >/dev/null 2>err & local id=$!
  sleep "0.$(printf %03d $wait)"
  kill "-$signal" $id 2>/dev/null
  wait $id 2>/dev/null
  [ ! -e "$output" ] || cmp -s "$output" "$reference" || say "$1 leaves another output $wait ms after its start"
  rondo "$@" --force --output "$output" >/dev/null 2>err || say "$1 does not end well afterwards: $(<err)"
  cmp -s "$output" "$reference" || say "$1 writes something else afterwards"
  [ "$(find . -name "$output*")" = "./$output" ] || say "$1 leaves $(find . -name "$output*" | xargs)"
  rm -f "$output" err
}

with_fault() {
  case $fault in
    tasks) run_and_signal KILL "$(one_of self child grandchild)" ;;
    merged) for _ in {1..5}; do output_and_signal ../merged m.jsonl merge ../shard-1.jsonl ../shard-2.jsonl; done ;;
    reported) for _ in {1..5}; do output_and_signal ../page p.html report ../merged.jsonl; done ;;
    killed-program) for _ in {1..3}; do program_and_signal KILL; done ;;
    interrupted-program) for _ in {1..3}; do program_and_signal INT; done ;;
    ended-program) for _ in {1..3}; do program_and_signal TERM; done ;;
    parent) run_and_signal KILL self ;;
    interrupted) run_and_signal INT self ;;
    worker) run_and_signal KILL child ;;
    simulation) run_and_signal KILL grandchild ;;
    memory) (ulimit -v $((60000 + RANDOM % 60 * 1000)); rondo "${words[@]}" 2>err) ;;
    growth) (ulimit -f $((RANDOM % 50)); rondo "${words[@]}" 2>err); code=$? ;;
    disk)
      if [ "$(id -u)" = 0 ] && unshare -m mount -t tmpfs -o size=32k none out 2>/dev/null; then
        RONDO_ROUND=$round. unshare -m bash -c 'mount -t tmpfs -o size=32k none out; "$@"; code=$?; mkdir -p saved; cp out/r.jsonl saved/; exit $code' \
          _ "$program" "${words[@]}" 2>err
        code=$?
        [ ! -e saved/r.jsonl ] || mv saved/r.jsonl out/
        rm -rf saved
        [ $code = 2 ] || say "a full disk ends with $code: $(<err)"
      else
        (ulimit -f 16; rondo "${words[@]}" 2>err)
      fi ;;
    vanished)
      rondo "${words[@]}" 2>err & local id=$!
      pause
      rm -rf out
      wait $id
      code=$?
      [[ $code =~ ^[023]$ ]] || say "a vanished folder ends with $code: $(<err)"
      mkdir -p out ;;
    unreadable)
      rondo "${words[@]}" 2>err
      [ -n "${FAULT_LIBRARY:-}" ] || return
      cp out/r.jsonl before
      LD_PRELOAD=$FAULT_LIBRARY FAULT_FILE=$PWD/out/r.jsonl FAULT_BYTES=$((RANDOM % 30000)) rondo "${words[@]}" 2>err
      [ $? = 3 ] || say "a file that cannot be read: $(<err)"
      cmp -s before out/r.jsonl || say "a file that cannot be read was changed"
      rm before ;;
    streams)
      case $((RANDOM % 4)) in
        0) rondo "${words[@]}" 2>&- ;;
        1) rondo "${words[@]}" <&- >&- 2>&- ;;
        2) rondo "${words[@]}" 2>/dev/full ;;
        3) rondo "${words[@]}" >/dev/full 2>/dev/full ;;
      esac
      code=$?
      [ $code = 0 ] || say "closed streams end with $code" ;;
    writers)
      rondo "${words[@]}" 2>err & local id=$!
      pause
      rondo "${words[@]}" 2>err2; local other=$?
      wait $id; code=$?
      [[ $code$other =~ ^(00|02|20|22)$ ]] || say "two writers end with $code and $other: $(<err) $(<err2)"
      rm -f err2 ;;
  esac
}

round=0 fault=none
mkdir whole && cp sweep.json whole/s.json
begin=$(date +%s%N)
(cd whole && rondo run --quiet --jobs 2 --format jsonl --output r.jsonl s.json) || exit 2
duration=$((($(date +%s%N) - begin) / 1000000 + 1))
timeless whole/r.jsonl >reference
cp user.c whole/ && cp user.json whole/u.json
begin=$(date +%s%N)
(cd whole && rondo run --quiet --jobs 2 --allow-programs --format jsonl --output u.jsonl u.json) || exit 2
program_duration=$((($(date +%s%N) - begin) / 1000000 + 1))
cp tasks.json whole/s.json && cp ring.xml whole/
(cd whole && rondo run --quiet --jobs 2 --format jsonl --output t.jsonl s.json) || exit 2
timeless whole/t.jsonl >tasks-reference
for part in 1 2; do
  (cd whole && cp ../sweep.json s.json && rondo run --quiet --jobs 2 --shard $part/2 --format jsonl --output ../shard-$part.jsonl s.json) || exit 2
done
begin=$(date +%s%N)
rondo merge shard-1.jsonl shard-2.jsonl --output merged.jsonl && rondo report merged.jsonl --output page || exit 2
output_duration=$((($(date +%s%N) - begin) / 2000000 + 1))
((output_duration < 1000)) || output_duration=999
cp merged.jsonl merged
for ((round = 1; round <= rounds; ++round)); do
  fault=${faults[(round - 1) % ${#faults[@]}]} bad=0 code=0
  scenario=sweep.json expected=reference files="./out/r.jsonl ./s.json"
  [ $fault != tasks ] || scenario=tasks.json expected=tasks-reference files="./out/r.jsonl ./ring.xml ./s.json"
  mkdir -p round/out round/tmp && cp $scenario round/s.json && cd round || exit 2
  [ $fault != tasks ] || cp ../ring.xml .
  export TMPDIR=$PWD/tmp
  with_fault
  good out/r.jsonl >../before
  # Faults of other commands do not interrupt a sweep.
  [[ $fault =~ ^(merged|reported|.*-program)$ ]] || [ "$(wc -l <../before)" = $((2 * most)) ] || ((++short))
  for _ in {1..250}; do [ "$(left)" = 0 ] && break; sleep 0.02; done
  [ "$(left)" = 0 ] || say "$(left) processes are left"
  rondo "${words[@]}" 2>err || say "it is not continued: $(<err)"
  good out/r.jsonl >../after
  [ -z "$(comm -23 ../before ../after)" ] || say "$(comm -23 ../before ../after | wc -l) good records are lost"
  timeless out/r.jsonl | cmp -s - ../$expected || say "the records are others than those of an undisturbed run"
  rm -f err
  [ "$(find . -type f | sort | xargs)" = "$files" ] || say "files are left: $(find . -type f | xargs)"
  [ -z "$(ls tmp)" ] || say "temporary files are left: $(ls tmp)"
  cd .. && rm -rf round
  ((failed += bad))
done
echo "faults: $rounds rounds, $short of the sweeps cut short, $failed failed"
[ "$failed" = 0 ]
