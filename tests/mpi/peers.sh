#!/bin/bash
# peers.sh RONDO ARCHIVE PLATFORM SUITE=FOLDER...: builds and runs unchanged programs of other projects, and prints a
# table of them. They run under smpirun with librondo_mpi, as kind `program`, and on MPICH if it is installed. A program
# has a row only if it fails somewhere. The sums count all programs. PEERS_COLUMNS="smpirun program mpich" selects the
# ways to run. PEERS_ONLY=REGEX selects programs by their names. PEERS_FOLDERS="attr info" selects all tests in these
# folders of MPICH. PEERS_SHOW=1 shows the output of the programs. PEERS_SECONDS=N is the limit for each run (default
# 60). The suites are public. The user fetches them:
#
#   mpich=FOLDER      test/mpi of MPICH (github.com/pmodels/mpich, v4.0.2): topologies, neighborhood collectives, persistent
#                     collectives, inter-communicators, MPI_Comm_idup; right if it says "No Errors"
#   fortran=FOLDER    the same folder: its topology tests in Fortran
#   osu=FOLDER        c of the OSU micro-benchmarks 7.4: collectives of all kinds, which validate the received data;
#                     right if no size fails
#   teshsuite=FOLDER  teshsuite/smpi of SimGrid 3.32: collectives, messages, types, topologies; right if it prints all
#                     lines of its .tesh file, except for those of SMPI itself
#   locality=FOLDER   github.com/mpi-advance/locality_aware: the tests of its library; right if the exit code is 0
#   cartesian=FOLDER  github.com/parlab-tuwien/mpi-cartesian-collectives: its check in all forms; right if it says "passed"
#   ortholib=FOLDER   github.com/parlab-tuwien/mpi-ortholib: its examples, which have assertions; right if the exit code
#                     is 0
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

# right_or_why CODE TEXT WANTED: prints "right", or why it is not. TEXT must contain each line of WANTED, but not a line
# that begins with "!". If WANTED is "fails", the exit code must not be 0.
right_or_why() {
  local line
  if [[ $1 == 124 ]]; then echo "runs over ${seconds} s" && return; fi
  if [[ $3 == fails ]]; then [[ $1 != 0 ]] && echo "right" || echo "exit code 0"; return; fi
  if [[ $1 != 0 ]]; then echo "exit code $1" && return; fi
  while read -r line; do
    if [[ $line == "!"* && $2 == *"${line#!}"* ]]; then echo "says ${line#!}" && return; fi
    if [[ $line != "!"* && $2 != *"$line"* ]]; then echo "does not say $line" && return; fi
  done <<<"$3"
  echo "right"
}

under_smpirun() {  # RANKS WANTED WORDS...
  local ranks=$1 wanted=$2 text code
  shift 2
  text=$(cd "$place" && timeout "$seconds" smpirun -np "$ranks" -platform "$platform" --cfg=smpi/privatization:dlopen \
    --log=root.threshold:error "$work/smpi" "$@" 2>&1 </dev/null)
  code=$?
  explain "smpirun" "$text"
  right_or_why $code "$text" "$wanted"
}

as_kind_program() {  # RANKS WANTED WORDS...
  local ranks=$1 wanted=$2 text code words
  shift 2
  words=$(printf '"%s",' "$@")
  [[ $# -gt 0 ]] || words=
  cat >"$place/point.json" <<END
{"schema_version": 1, "machine": {"topology": {"kind": "fully_connected", "hosts": 128}, "latency": "1us", "bandwidth": "1GBps"},
 "collective": {"kind": "program", "binary": "$work/smpi", "ranks": $ranks, "arguments": [${words%,}], "printed": "shown"}}
END
  text=$(timeout "$seconds" "$rondo" run --allow-programs --allow-path "$work" "$place/point.json" 2>&1 </dev/null)
  code=$?
  explain "kind program" "$text"
  right_or_why $code "$text" "$wanted"
}

on_mpich() {  # RANKS WANTED WORDS...
  local ranks=$1 wanted=$2 text code
  shift 2
  [[ -x $work/mpich ]] || { echo "-"; return; }
  text=$(cd "$place" && MPIR_CVAR_POLLS_BEFORE_YIELD=1 timeout "$seconds" mpirun.mpich -np "$ranks" "$work/mpich" "$@" 2>&1 </dev/null)
  code=$?
  explain "MPICH" "$text"
  right_or_why $code "$text" "$wanted"
}

# Shows the output of a program if PEERS_SHOW=1.
explain() { [[ -z ${PEERS_SHOW:-} ]] || printf -- '--- %s %s\n%s\n' "$name" "$1" "$2" >&2; }

# language WORD...: the language of the first source among the words for the compiler
language() {
  local word
  for word in "$@"; do
    case $word in
      *.cpp) echo c++ && return ;;
      *.f | *.f90) echo fortran && return ;;
      *.c) echo c && return ;;
    esac
  done
}

smpi_compiler() {
  case $(language "$@") in
    c) smpicc -w -O1 -I "$include" -include rondo/mpi.h "$@" ;;
    c++) smpicxx -w -O1 -I "$include" -include rondo/mpi.h "$@" ;;
    fortran) smpiff -w -O1 -I "$include/rondo/fortran" "$@" ;;
  esac
}
mpich_compiler() {
  case $(language "$@") in
    c) mpicc.mpich -w -O1 "$@" ;;
    c++) mpicxx.mpich -w -O1 "$@" ;;
    fortran) mpif77.mpich -w -O1 "$@" ;;
  esac
}
columns=${PEERS_COLUMNS:-smpirun program mpich}
has_smpi() { [[ $columns == *smpirun* || $columns == *program* ]]; }
has_mpich() { command -v mpicc.mpich >/dev/null && [[ $columns == *mpich* ]]; }

# share "FLAGS" SOURCES...: compiles the sources with which all programs of a suite are linked
shared=()
share() {
  local flags=$1 source object
  shift
  shared=()
  for source in "$@"; do
    object=$(basename "$source").o
    shared+=("$object")
    # shellcheck disable=SC2086
    ! has_smpi || smpi_compiler $flags -c "$source" -o "$work/smpi-$object" || exit 1
    # shellcheck disable=SC2086
    ! has_mpich || mpich_compiler $flags -c "$source" -o "$work/mpich-$object" || exit 1
  done
}

# try NAME RANKS WANTED "FLAGS SOURCES" WORDS...: builds a program, runs it in each way, and prints its row
place=$work  # the folder in which programs are started
try() {
  local name=$1 ranks=$2 wanted=$3 sources=$4 smpirun=- program=- mpich=-
  shift 4
  [[ $name =~ ${PEERS_ONLY:-.} ]] || return
  rm -f "$work/smpi" "$work/mpich"
  # shellcheck disable=SC2086
  if ! has_smpi; then
    :
  elif smpi_compiler $sources "${shared[@]/#/$work/smpi-}" "${link[@]}" -o "$work/smpi" >"$work/built" 2>&1; then
    [[ $columns != *smpirun* ]] || smpirun=$(under_smpirun "$ranks" "$wanted" "$@")
    [[ $columns != *program* ]] || program=$(as_kind_program "$ranks" "$wanted" "$@")
  else
    explain "compiler" "$(cat "$work/built")"
    smpirun="does not build" program="does not build"
  fi
  # shellcheck disable=SC2086
  ! has_mpich || mpich_compiler $sources "${shared[@]/#/$work/mpich-}" -lm -o "$work/mpich" >"$work/built" 2>&1
  mpich=$(on_mpich "$ranks" "$wanted" "$@")
  programs=$((programs + 1))
  for column in smpirun program mpich; do
    [[ ${!column} != right ]] || right[$column]=$((${right[$column]:-0} + 1))
  done
  [[ "${smpirun/#-/right} ${program/#-/right} ${mpich/#-/right}" == "right right right" ]] || echo "| $name, $ranks ranks | $smpirun | $program | $mpich |"
}

# Writes the results of MPICH's configure that these tests need.
mpich_configuration() {
  mkdir -p "$work/include"
  for name in STDC_HEADERS HAVE_STDLIB_H HAVE_STRING_H HAVE_STDARG_H HAVE_STDINT_H HAVE_UNISTD_H HAVE_SYS_TIME_H HAVE_SYS_RESOURCE_H \
    HAVE_GETRUSAGE HAVE_MPI_WIN_CREATE HAVE_LONG_DOUBLE HAVE_LONG_LONG HAVE_LONG_LONG_INT \
    USE_STRICT_MPI; do
    echo "#define $name 1"
  done >"$work/include/mpitestconf.h"
  echo "#define THREAD_PACKAGE_NAME THREAD_PACKAGE_NONE" >>"$work/include/mpitestconf.h"
  : >"$work/include/mtest_mpix.h"
  echo "#include <string.h>" >"$work/dtpoolsconf.h" # dtpools includes it from the folder above
}

mpich() {  # FOLDER
  local folder=$1 directory list name ranks source flags words word seen wanted
  local of_messages='^ic[a-z0-9]+$'
  mpich_configuration
  local headers="-I $work/include -I $folder/include -I $folder/dtpools/include"
  share "$headers" "$folder"/util/{mtest,mtest_common,mtest_single,dtypes}.c "$folder"/dtpools/src/*.c
  for directory in ${PEERS_FOLDERS:-topo comm coll datatype pt2pt}; do
    for list in "$folder/$directory"/testlist{,.in}; do
      [[ -f $list ]] || continue
      while read -r name ranks rest; do
        [[ $ranks =~ ^[0-9]+$ && (-n ${PEERS_FOLDERS:-} || $directory != pt2pt || $name =~ $of_messages) ]] || continue
        words=()
        for word in $rest; do
          [[ $word != arg=* ]] || words+=("${word#arg=}")
        done
        seen=" $name/$ranks/${words[*]} "
        [[ ${tried:-} != *"$seen"* ]] || continue
        tried+=$seen
        source=$name flags=$headers
        if [[ ! -f $folder/$directory/$source.c ]]; then source=${name#nb} flags+=" -DUSE_MTEST_NBC"; fi
        [[ -f $folder/$directory/$source.c ]] || continue
        wanted=" No "
        [[ $rest != *resultTest=Test* ]] || wanted=fails
        try "$directory/$name" "$ranks" "$wanted" "$flags $folder/$directory/$source.c" "${words[@]}"
      done <"$list"
    done
  done
}

fortran() {  # FOLDER
  local folder=$1 name ranks rest
  share "" "$folder/util/mtest_f77.f"
  while read -r name ranks rest; do
    [[ ! -f $folder/f77/topo/$name.f ]] || try "f77/topo/$name" "$ranks" "No Errors" "$folder/f77/topo/$name.f"
  done <"$folder/f77/topo/testlist"
}

osu() {  # FOLDER
  local folder=$1 source sizes
  share "-I $folder/util" "$folder"/util/osu_util{,_mpi,_graph,_validation,_papi}.c
  for source in "$folder"/mpi/collective/{blocking,non_blocking,neighborhood,persistent}/osu_*.c; do
    [[ -f $source ]] || continue
    sizes=(-m 1:256 -c)
    [[ $source != *barrier* ]] || sizes=()
    try "$(basename "$source" .c)" 4 "!Fail" "-I $folder/util $source" "${sizes[@]}" -i 10 -x 2
  done
}

# The output of the first run in the .tesh file of a program, without logs and without times of the original machine.
wanted_lines() { awk '/^\$/ { runs++ } runs == 1 && /^> / && !/\/INFO\]|^> Walltime/ { sub(/^> */, ""); print }' "$1"; }

teshsuite() {  # FOLDER
  local source tesh ranks
  shared=()
  for source in "$1"/{coll,pt2pt,type,topo,bug}-*/*.c; do
    [[ -f $source && $source != *with-leaks* ]] || continue
    tesh=${source%.c}.tesh
    ranks=$(grep -m 1 -o -- '-np [0-9]*' "$tesh")
    try "$(basename "$source" .c)" "${ranks#-np }" "$(wanted_lines "$tesh")" "$source"
  done
}

locality() {  # FOLDER
  local folder=$1 flags source sources
  flags="-I $folder/include -I $folder/library/include -I $folder/library/tests -I $folder/library/tests/tests"
  readarray -t sources < <(find "$folder"/library/{bindings,source} -name '*.c*' ! -path '*heterogeneous*' ! -name '*.txt')
  share "$flags" "${sources[@]}"
  # The tests read matrices from the place at which the suite's own build has them.
  mkdir -p "$work/build/library/tests"
  ln -sf "$folder/test_data" "$work/test_data"
  place=$work/build/library/tests
  for source in "$folder"/library/tests/*.c*; do
    [[ $source == *.txt ]] || try "$(basename "$source")" 4 "" "$flags $source"
  done
  place=$work
}

cartesian() {  # FOLDER
  local folder=$1 collective form
  share "-I $folder/src" "$folder"/src/{tuwcartesians,tuw_bench_setup,tuw_bench_arg_parse}.c
  for collective in alltoall allgather alltoallv; do
    for form in "" -t -b; do
      try "TUW_Cart_neighbor_$collective $form" 4 "passed" "-I $folder/src $folder/src/check_cartesians.c" \
        -f "TUW_Cart_neighbor_$collective" -d 3 -m 100 -n 5 -r 10 $form
    done
  done
}

ortholib() {  # FOLDER
  local ranks
  share "-I $1" "$1/mpiortholib.c"
  for ranks in 2 4 6 8 9 12; do
    try "mpistencil" "$ranks" "" "-I $1 $1/mpistencil.c"
  done
}

echo "| program | smpirun | kind program | MPICH |"
echo "|---|---|---|---|"
for suite in "$@"; do
  folder=$(realpath "${suite#*=}") programs=0 right=()
  case ${suite%%=*} in
    mpich | fortran | osu | teshsuite | locality | cartesian | ortholib) "${suite%%=*}" "$folder" ;;
    *) echo "peers.sh: expected mpich=, fortran=, osu=, teshsuite=, locality=, cartesian= or ortholib=, got $suite" >&2 && exit 2 ;;
  esac
  echo "| **${suite%%=*}: right of $programs** | ${right[smpirun]:-0} | ${right[program]:-0} | ${right[mpich]:-0} |"
done
