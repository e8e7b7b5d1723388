#!/bin/bash
# peers.sh RONDO ARCHIVE PLATFORM SUITE=FOLDER...: builds and runs programs that were written elsewhere, as they are, and
# prints a table of them: under smpirun with librondo_mpi, as kind `program`, and on MPICH where that is installed. Only
# what fails somewhere has a row; sums are of all. PEERS_NO_MPICH=1 leaves MPICH out. The suites are public, and fetched by whoever runs this:
#
#   mpich=FOLDER      test/mpi of MPICH (github.com/pmodels/mpich, v4.0.2): topologies, neighborhood collectives, persistent
#                     collectives, inter-communicators; right if it says "No Errors"
#   osu=FOLDER        c of the OSU micro-benchmarks 7: collectives of all kinds; right if it ends well
#   teshsuite=FOLDER  teshsuite/smpi of SimGrid 3.32: the programs of a file; right if it ends well
set -uo pipefail
rondo=$(realpath "$1") archive=$(realpath "$2") platform=$(realpath "$3")
shift 3
include=$(realpath "$(dirname "$0")/../../include")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seconds=${PEERS_SECONDS:-60}
link=(-Wl,--whole-archive "$archive" -Wl,--no-whole-archive -Wl,-Bsymbolic-functions -lstdc++ -lm)
declare -A right=()
programs=0

# right_or_why CODE TEXT WANTED
right_or_why() {
  if [[ $1 == 124 ]]; then echo "runs over ${seconds} s"
  elif [[ $1 != 0 ]]; then echo "exit code $1"
  elif [[ -n $3 && $2 != *"$3"* ]]; then echo "wrong"
  else echo "right"; fi
}

under_smpirun() {  # RANKS WANTED WORDS...
  local ranks=$1 wanted=$2 text code
  shift 2
  text=$(cd "$work" && timeout "$seconds" smpirun -np "$ranks" -platform "$platform" --cfg=smpi/privatization:dlopen \
    --log=root.threshold:error "$work/smpi" "$@" 2>&1 </dev/null)
  code=$?
  right_or_why $code "$text" "$wanted"
}

as_kind_program() {  # RANKS WANTED WORDS...
  local ranks=$1 wanted=$2 text code words
  shift 2
  words=$(printf '"%s",' "$@")
  [[ $# -gt 0 ]] || words=
  cat >"$work/point.json" <<END
{"schema_version": 1, "machine": {"topology": {"kind": "fully_connected", "hosts": 64}, "latency": "1us", "bandwidth": "1GBps"},
 "collective": {"kind": "program", "binary": "smpi", "ranks": $ranks, "arguments": [${words%,}], "printed": "shown"}}
END
  text=$(timeout "$seconds" "$rondo" run --allow-programs "$work/point.json" 2>&1 </dev/null)
  code=$?
  right_or_why $code "$text" "$wanted"
}

on_mpich() {  # RANKS WANTED WORDS...
  local ranks=$1 wanted=$2 text code
  shift 2
  [[ -x $work/mpich ]] || { echo "-"; return; }
  text=$(MPIR_CVAR_POLLS_BEFORE_YIELD=1 timeout "$seconds" mpirun.mpich -np "$ranks" "$work/mpich" "$@" 2>&1 </dev/null)
  code=$?
  right_or_why $code "$text" "$wanted"
}

smpi_compiler() { smpicc -w -O1 -I "$include" -include rondo/mpi.h "$@"; }
mpich_compiler() { mpicc.mpich -w -O1 "$@"; }
has_mpich() { command -v mpicc.mpich >/dev/null && [[ -z ${PEERS_NO_MPICH:-} ]]; }

# share "FLAGS" SOURCES...: what all programs of a suite are linked with
shared=()
share() {
  local flags=$1 source object
  shift
  shared=()
  for source in "$@"; do
    object=$(basename "$source" .c).o
    shared+=("$object")
    # shellcheck disable=SC2086
    smpi_compiler $flags -c "$source" -o "$work/smpi-$object" || exit 1
    # shellcheck disable=SC2086
    ! has_mpich || mpich_compiler $flags -c "$source" -o "$work/mpich-$object" || exit 1
  done
}

# try NAME RANKS WANTED "FLAGS SOURCES" WORDS...
try() {
  local name=$1 ranks=$2 wanted=$3 sources=$4 smpirun=- program=- mpich=-
  shift 4
  rm -f "$work/smpi" "$work/mpich"
  # shellcheck disable=SC2086
  if smpi_compiler $sources "${shared[@]/#/$work/smpi-}" "${link[@]}" -o "$work/smpi" >"$work/built" 2>&1; then
    smpirun=$(under_smpirun "$ranks" "$wanted" "$@")
    program=$(as_kind_program "$ranks" "$wanted" "$@")
  else
    smpirun="does not build" program="does not build"
  fi
  # shellcheck disable=SC2086
  ! has_mpich || mpich_compiler $sources "${shared[@]/#/$work/mpich-}" -lm -o "$work/mpich" >"$work/built" 2>&1
  mpich=$(on_mpich "$ranks" "$wanted" "$@")
  programs=$((programs + 1))
  for column in smpirun program mpich; do
    [[ ${!column} != right ]] || right[$column]=$((${right[$column]:-0} + 1))
  done
  [[ "$smpirun $program ${mpich/-/right}" == "right right right" ]] || echo "| $name, $ranks ranks | $smpirun | $program | $mpich |"
}

# What MPICH's configure finds out, as far as these tests ask for it.
mpich_configuration() {
  for name in STDC_HEADERS HAVE_STDLIB_H HAVE_STRING_H HAVE_STDARG_H HAVE_UNISTD_H HAVE_SYS_TIME_H HAVE_SYS_RESOURCE_H \
    HAVE_GETRUSAGE HAVE_MPI_WIN_CREATE HAVE_LONG_DOUBLE HAVE_LONG_LONG HAVE_LONG_LONG_INT; do
    echo "#define $name 1"
  done >"$work/mpitestconf.h"
  echo "#define THREAD_PACKAGE_NAME THREAD_PACKAGE_NONE" >>"$work/mpitestconf.h"
  : >"$work/mtest_mpix.h"
}

mpich() {  # FOLDER
  local folder=$1 directory list name ranks source flags words seen
  local chosen='^(ic[a-z0-9]+|nbic[a-z]+|nbredscatinter|redscatinter|redscatbkinter|neighb_[a-z0-9]+|ring_neighbor_alltoall|p_[a-z0-9_]+|dupic|probe_intercomm|cart[a-z0-9]+|dims[0-9]|graph[a-z0-9]+|topo[a-z]+|distgraph1|dgraph_unwgt)$'
  mpich_configuration
  share "-I $work -I $folder/include" "$folder"/util/{mtest,mtest_common,mtest_single,dtypes}.c
  for directory in topo comm coll pt2pt; do
    for list in "$folder/$directory"/testlist{,.in}; do
      [[ -f $list ]] || continue
      while read -r name ranks rest; do
        [[ $name =~ $chosen && $ranks =~ ^[0-9]+$ ]] || continue
        seen=" $name/$ranks "
        [[ ${tried:-} != *"$seen"* ]] || continue
        tried+=$seen
        source=$name flags=
        if [[ ! -f $folder/$directory/$source.c ]]; then source=${name#nb} flags=-DUSE_MTEST_NBC; fi
        [[ -f $folder/$directory/$source.c ]] || continue
        words=()
        [[ $rest != *arg=* ]] || words=("${rest#*arg=}")
        try "$directory/$name" "$ranks" "No Errors" "$flags -I $work -I $folder/include $folder/$directory/$source.c" "${words[@]}"
      done <"$list"
    done
  done
}

osu() {  # FOLDER
  local folder=$1 source
  share "-I $folder/util" "$folder"/util/osu_util{,_mpi,_graph,_validation,_papi}.c
  for source in "$folder"/mpi/collective/{blocking,non_blocking,neighborhood,persistent}/osu_*.c; do
    [[ -f $source ]] || continue
    try "$(basename "$source" .c)" 4 "" "-I $folder/util $source" \
      -m 1:256 -i 10 -x 2
  done
}

teshsuite() {  # FOLDER
  local source
  shared=()
  for source in "$1"/{coll,pt2pt,type,topo}-*/*.c; do
    [[ -f $source && $source != *with-leaks* ]] || continue
    try "$(basename "$source" .c)" 16 "" "$source"
  done
}

echo "| program | smpirun | kind program | MPICH |"
echo "|---|---|---|---|"
for suite in "$@"; do
  folder=$(realpath "${suite#*=}") programs=0 right=()
  case ${suite%%=*} in
    mpich | osu | teshsuite) "${suite%%=*}" "$folder" ;;
    *) echo "peers.sh: expected mpich=, osu= or teshsuite=, got $suite" >&2 && exit 2 ;;
  esac
  echo "| **${suite%%=*}: right of $programs** | ${right[smpirun]:-0} | ${right[program]:-0} | ${right[mpich]:-0} |"
done
