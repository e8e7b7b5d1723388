#!/bin/bash
# applications.sh RONDO SIMULATED MPICH [PRELOAD]: runs the unchanged applications of applications.tsv, and prints a
# table of them. It fetches and builds nothing. Before, the user builds each application by its own build system: into
# the folder SIMULATED with the compilers rondo-cc, rondo-cxx and rondo-fc, and into the folder MPICH with the compilers
# of MPICH. PRELOAD is librondo_mpi-mpich.so. The table has a column for each way of running an application:
#
#   program    as kind `program`, with SMPI's own collectives
#   chosen     as kind `program`, with Rondo's algorithms for the collectives (those of CHOSEN below)
#   MPICH      on MPICH
#   preloaded  the program of MPICH, with the same algorithms from PRELOAD
#
# A line of applications.tsv has five columns, separated by tabs: a name, the number of ranks, the program, its arguments,
# and its conditions. A sixth column is the scenario's `computing`. "-" stands for no arguments or no conditions.
# Conditions are separated by " & ". A condition is a text that the program must print or write into a file, "!" and a
# text that it must not print, or "=" and a regular expression whose matches must be those on MPICH. The program must
# also exit with 0. The table has "right" if all conditions hold, and "absent" if the folder does not have the program.
# Each run has a temporary folder with links to the programs and to the files of inputs/.
#
# APPLICATIONS_ONLY=REGEX selects applications by their names. APPLICATIONS_SHOW=1 shows their output.
# APPLICATIONS_SECONDS=N is the limit for each run (default 120). Exit code 1 if an application that is right on MPICH is
# not right in another column.
set -uo pipefail
(($# >= 3)) || { echo "applications.sh: expected RONDO SIMULATED MPICH [PRELOAD]" >&2 && exit 2; }
rondo=$(realpath "$1") simulated=$(realpath "$2") mpich=$(realpath "$3") preload=${4:+$(realpath "$4")}
here=$(dirname "$(realpath "$0")")
seconds=${APPLICATIONS_SECONDS:-120}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} # LULESH is built with OpenMP, and all ranks share the cores
work=$(mktemp -d)
place=$work/place
trap 'rm -rf "$work"' EXIT

CHOSEN="ALLREDUCE=recursive_doubling REDUCE=binomial BCAST=binomial ALLGATHER=bruck ALLTOALL=pairwise GATHER=binomial
  SCATTER=binomial REDUCE_SCATTER=ring SCAN=linear BARRIER=dissemination"
declare -a variables=() members=()
for choice in $CHOSEN; do
  variables+=("RONDO_${choice%=*}_ALGORITHM=${choice#*=}")
  members+=("\"RONDO_${choice%=*}_ALGORITHM\": \"${choice#*=}\"")
done
chosen=$(IFS=,; echo "${members[*]}")

# simulate ENVIRONMENT RANKS PROGRAM WORDS...: prints the output of the simulated program
simulate() {
  local environment=$1 ranks=$2 program=$3 words
  shift 3
  words=$(printf '"%s",' "$@")
  [ $# -gt 0 ] || words=
  local measured=${computing:+", \"computing\": $computing"}
  cat >"$place/point.json" <<END
{"schema_version": 1, "machine": {"topology": {"kind": "fully_connected", "hosts": 64}, "latency": "1us", "bandwidth": "1GBps"},
 "collective": {"kind": "program", "binary": "$program", "ranks": $ranks, "arguments": [${words%,}],
                "environment": {$environment}, "printed": "shown"$measured}}
END
  timeout "$seconds" "$rondo" run --allow-programs --allow-path "$simulated" --allow-path "$here" point.json 2>&1 </dev/null
}

# on_mpich RANKS PROGRAM WORDS...: prints the output of the program on MPICH
on_mpich() {
  MPIR_CVAR_POLLS_BEFORE_YIELD=1 timeout "$seconds" mpiexec.mpich -np "$1" "./$2" "${@:3}" 2>&1 </dev/null
}

# preloaded RANKS PROGRAM WORDS...: prints the output of the program on MPICH with PRELOAD
preloaded() {
  (export LD_PRELOAD="$preload" "${variables[@]}" && on_mpich "$@")
}

# matches REGEX FILE: the matches, sorted, since ranks print in any order.
matches() { grep -oE -- "$1" "$2" | sort; }

# right_or_why CODE COLUMN: tests $conditions on $work/COLUMN and $work/MPICH. Prints "right", or why it is not.
right_or_why() {
  local code=$1 column=$2 condition
  [ "$code" != 124 ] || { echo "runs over $seconds s" && return; }
  [ "$code" = 0 ] || { echo "exit code $code" && return; }
  while read -r condition; do
    [ -n "$condition" ] || continue
    case $condition in
      !*) ! grep -qF -- "${condition#!}" "$work/$column" || { echo "prints ${condition#!}" && return; } ;;
      =*)
        [ -n "$(matches "${condition#=}" "$work/$column")" ] || { echo "prints nothing like ${condition#=}" && return; }
        [ ! -e "$work/MPICH" ] || cmp -s <(matches "${condition#=}" "$work/$column") <(matches "${condition#=}" "$work/MPICH") ||
          { echo "another ${condition#=} than MPICH" && return; }
        ;;
      *) grep -qF -- "$condition" "$work/$column" || { echo "does not print $condition" && return; } ;;
    esac
  done <<<"${conditions// & /$'\n'}"
  echo right
}

# try COLUMN FOLDER COMMAND...: runs a program, sets `verdict`, and writes the output to $work/COLUMN.
try() {
  local column=$1 folder=$2
  shift 2
  [ -x "$folder/$program" ] || { verdict=absent && return; }
  rm -rf "$place" && mkdir "$place" && ln -s "$folder"/* "$here"/inputs/* "$place"
  (cd "$place" && "$@") >"$work/$column"
  local code=$?
  find "$place" -type f ! -name point.json -exec cat {} + >>"$work/$column" # the files that the program wrote
  verdict=$(right_or_why $code "$column")
  [ -z "${APPLICATIONS_SHOW:-}" ] || { echo "--- $name, $column" && cat "$work/$column"; } >&2
}

status=0
echo "| application | ranks | program | chosen | MPICH | preloaded |"
echo "|---|---|---|---|---|---|"
while IFS=$'\t' read -r name ranks program arguments conditions computing; do
  [[ $name != "" && $name != "#"* && $name =~ ${APPLICATIONS_ONLY:-.} ]] || continue
  [ -n "$conditions" ] || { echo "applications.tsv: expected five columns, got: $name" >&2 && exit 2; }
  words=()
  [ "$arguments" = - ] || read -ra words <<<"$arguments"
  [ "$conditions" != - ] || conditions=""
  rm -f "$work"/{MPICH,preloaded,program,chosen}
  run=("$ranks" "$program" "${words[@]}")
  try MPICH "$mpich" on_mpich "${run[@]}" && cluster=$verdict
  try program "$simulated" simulate "" "${run[@]}" && plain=$verdict
  try chosen "$simulated" simulate "$chosen" "${run[@]}" && algorithms=$verdict
  [ -z "$preload" ] && deployed=- || { try preloaded "$mpich" preloaded "${run[@]}" && deployed=$verdict; }
  echo "| $name | $ranks | $plain | $algorithms | $cluster | $deployed |"
  [ "$cluster" != right ] || [[ $plain$algorithms == rightright && $deployed =~ ^(right|-)$ ]] || status=1
done <"$here/applications.tsv"
exit $status
