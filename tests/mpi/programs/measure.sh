#!/bin/sh
# measure.sh RONDO MEASURE PRELOAD MPIEXEC...: tests rondo-measure on two processes of one host, with and without
# librondo_mpi. `rondo fit` must read its output. Times are not tested.
set -eu
rondo=$1 measure=$2 preload=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "measure: $*" >&2 && exit 1; }
expect_rows() {
  for what in "$@"; do grep -q "^$what$" "$folder/m.csv" || fail "no row like $what in: $(cat "$folder/m.csv")"; done
}
number='[0-9.e+-]*'

"$@" -np 2 "$measure" "$folder/m.csv" 64
head -n 1 "$folder/m.csv" | grep -qx '# rondo-measure 1: 2 ranks on 1 host' || fail "$(head -n 1 "$folder/m.csv")"
expect_rows "inside,2,1,,$number" "inside,2,64,,$number" "post,2,1,,$number" "take,2,1,,$number" "join,1,64,,$number" \
  "barrier,2,0,,$number" "bcast,2,8,,$number" "allreduce,2,8,,$number" "allgather,2,8,,$number" "alltoall,2,8,,$number"
! grep -q '^between\|^pairs\|ring\|^inside,2,128' "$folder/m.csv" || fail "rows that nobody asked for: $(cat "$folder/m.csv")"

! "$@" -np 2 "$measure" "$folder/m.csv" 64 2>"$folder/out" || fail "a file that was there is written over"
grep -q 'm.csv: File exists' "$folder/out" || fail "$(cat "$folder/out")"
rm "$folder/m.csv"
! "$@" -np 2 "$measure" /dev/full 64 >"$folder/out" 2>&1 || fail "a full disk is no error"

LD_PRELOAD=$preload "$@" -np 2 "$measure" "$folder/m.csv" 64
expect_rows "barrier,2,0,dissemination,$number" "allreduce,2,8,ring,$number" "alltoall,2,8,pairwise,$number"
grep -q 'with librondo_mpi' "$folder/m.csv" || fail "$(head -n 1 "$folder/m.csv")"
"$rondo" fit "$folder/m.csv" --output "$folder/m.json" >/dev/null || [ $? = 3 ] || fail "the fit does not read it"

for words in "-np 1 $measure" "-np 2 $measure --help" "-np 2 $measure $folder/n.csv 7" "-np 2 $measure $folder/n.csv 64x" "-np 2 $measure $folder/no/such/folder.csv"; do
  # shellcheck disable=SC2086 # $words is a list of words
  ! "$@" $words >"$folder/out" 2>&1 || fail "accepted: $words"
done
