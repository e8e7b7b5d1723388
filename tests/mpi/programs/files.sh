#!/bin/bash
# files.sh BUILD RONDO: MPI-IO of files.c under smpirun on a machine with disks, the time that a disk takes, and the error on a
# machine without one and in a scenario.
set -euo pipefail
build=$1 rondo=$2
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "files: $*" >&2; exit 1; }
# simulated PLATFORM PROGRAM OPTIONS...
simulated() { smpirun -np 4 -hostfile hosts -platform "$1" --log=root.threshold:error "${@:3}" "./$2" 2>&1; }

printf 'h0\nh0\nh1\nh1\n' >hosts
cat >disks.xml <<'X'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <host id="h0" speed="1Gf" core="2"><disk id="d0" read_bw="100MBps" write_bw="40MBps"><prop id="latency" value="1e-3"/></disk></host>
    <host id="h1" speed="1Gf" core="2"><disk id="d1" read_bw="100MBps" write_bw="40MBps"/></host>
    <link id="l" bandwidth="1GBps" latency="1us"/>
    <route src="h0" dst="h1"><link_ctn id="l"/></route>
  </zone>
</platform>
X
sed 's/<disk.*disk>//; s/<disk.*\/><\/host>/<\/host>/' disks.xml >none.xml

"$build/rondo-cc" "$here/files.c" -o files
for privatization in dlopen mmap; do
  printed=$(simulated disks.xml files --cfg=smpi/privatization:$privatization) || fail "$privatization: $printed"
  [ "$printed" = "all is well" ] || fail "$privatization: $printed"
done
! simulated none.xml files >printed || fail "a machine without a disk has files"
grep -qx 'MPI_File_open of files.data: expected a machine whose hosts have a disk' printed || fail "the error is: $(cat printed)"

cat >scenario.json <<'J'
{"schema_version": 1, "machine": {"topology": {"kind": "file", "path": "disks.xml"}},
 "collective": {"kind": "program", "binary": "files", "ranks": 2}}
J
! "$rondo" run --quiet --allow-programs scenario.json >printed 2>&1 || fail "a scenario has files"
grep -q 'MPI_File_open of files.data: simulated machines have no disks for MPI-IO' printed || fail "the error is: $(cat printed)"

# Rank 0 writes 2 MB by itself, after the latency. Ranks 2 and 3 share a disk, which carries 5 MB. 4 GiB at once are refused.
cat >times.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int const megabytes[] = {2, 0, 2, 3};
  int rank;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "times.data", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  char* const data = calloc(3000000, 1);
  double const begin = MPI_Wtime();
  if (rank != 1) MPI_File_write_at(file, 0, data, megabytes[rank] * 1000000, MPI_BYTE, MPI_STATUS_IGNORE);
  double const time = MPI_Wtime() - begin;
  if (rank == 0 || rank == 3) printf("%d %.3f\n", rank, time);
  int const code = MPI_File_write_at(file, 0, data, 1 << 30, MPI_INT, MPI_STATUS_IGNORE);
  if (code != MPI_ERR_COUNT) printf("%d: 4 GiB: code %d\n", rank, code);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
C
"$build/rondo-cc" times.c -o times
printed=$(simulated disks.xml times --cfg=smpi/simulate-computation:no | sort) || fail "$printed"
[ "$printed" = $'0 0.051\n3 0.125' ] || fail "times: $printed"
