#!/bin/bash
# partial.sh BUILD RONDO PLATFORM [MPICH-LAUNCHER]: runs partial.c under smpirun, in a scenario, and on MPICH if its
# launcher is given. Each run must succeed and write the same table.
set -euo pipefail
build=$1 rondo=$2 platform=$3 launcher=${4:-}
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$here/partial.c" .

# expect_same NAME: requires that the table is equal to the first one, and removes it.
expect_same() {
  [[ -e first ]] || cp table first
  diff first table || { echo "partial: $1 differs"; exit 1; }
  rm table
}

"$build/rondo-cc" partial.c -o partial
for privatization in dlopen mmap; do
  smpirun -np 2 -platform "$platform" --cfg=smpi/privatization:$privatization --log=root.threshold:error ./partial table >printed 2>&1 &&
    grep -qx "all is well" printed || { echo "partial: $privatization: $(cat printed)"; exit 1; }
  expect_same $privatization
done

cat >scenario.json <<J
{"schema_version": 1, "machine": {"topology": {"kind": "fully_connected", "hosts": 2}, "latency": "1us", "bandwidth": "1GBps"},
 "collective": {"kind": "program", "source": "partial.c", "ranks": 2, "arguments": ["$work/table"]}}
J
"$rondo" run --quiet --allow-programs scenario.json >printed 2>&1 || { echo "partial: program: $(cat printed)"; exit 1; }
expect_same program

[[ -n $launcher ]] || exit 0
mpicc.mpich partial.c -o partial.mpich
UCX_LOG_FILE=stderr MPIR_CVAR_POLLS_BEFORE_YIELD=1 "$launcher" -np 2 ./partial.mpich table >printed
grep -qx "all is well" printed || { echo "partial: mpich: $(cat printed)"; exit 1; }
expect_same mpich
