#!/bin/bash
# files.sh BUILD RONDO: tests MPI-IO by files.c, under smpirun and in a scenario on a machine with disks. It also tests
# the times of disks, and the error on a machine without disks.
set -euo pipefail
build=$1 rondo=$2
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "files: $*" >&2; exit 1; }
# simulated PLATFORM PROGRAM OPTIONS...: runs a program under smpirun and prints its output.
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

# scenario NAME PROGRAM DISK: writes a scenario of 4 ranks on 2 hosts with this key of the machine.
scenario() {
  cat >"$1.json" <<J
{"schema_version": 1, "machine": {"topology": {"kind": "fully_connected", "hosts": 2}, "ranks_per_host": 2, "latency": "1us", "bandwidth": "1GBps"$3},
 "collective": {"kind": "program", "binary": "$2", "ranks": 4, "printed": "shown"}}
J
}
disk=', "disk": {"read": "100MBps", "write": "40MBps", "latency": "1ms"}'
scenario none files ''
! "$rondo" run --quiet --allow-programs none.json >printed 2>&1 || fail "a scenario without disks has files"
grep -q 'MPI_File_open of files.data: expected a "machine" with a "disk"' printed || fail "the error is: $(cat printed)"
scenario disks files "$disk"
"$rondo" run --quiet --allow-programs disks.json >printed 2>&1 || fail "a scenario: $(cat printed)"
grep -qx "all is well" printed || fail "a scenario: $(cat printed)"
smpicc "$here/files.c" -o without
scenario without without "$disk"
! "$rondo" run --quiet --allow-programs without.json >printed 2>&1 || fail "a program without librondo_mpi has files"
grep -q 'MPI_File_open of files.data: expected a program that is linked with librondo_mpi' printed || fail "the error is: $(cat printed)"

# Rank 0 writes 2 MB alone, after the latency. Ranks 2 and 3 share a disk and write 5 MB. Rank 3 prints the time of the
# later one. Rank 0 then reads 3 MB. A call with 4 GiB is refused.
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
  MPI_File_open(MPI_COMM_WORLD, "times.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  char* const data = calloc(3000000, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  if (rank != 1) MPI_File_write_at(file, 0, data, megabytes[rank] * 1000000, MPI_BYTE, MPI_STATUS_IGNORE);
  double time = MPI_Wtime() - begin, other = 0;
  MPI_Sendrecv(&time, 1, MPI_DOUBLE, rank ^ 1, 0, &other, 1, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) printf("0 %.3f\n", time);
  if (rank == 3) printf("3 %.3f\n", time > other ? time : other);
  MPI_Barrier(MPI_COMM_WORLD);
  begin = MPI_Wtime();
  if (rank == 0) MPI_File_read_at(file, 0, data, 3000000, MPI_BYTE, MPI_STATUS_IGNORE);
  if (rank == 0) printf("reading %.3f\n", MPI_Wtime() - begin);
  int const code = MPI_File_write_at(file, 0, data, 1 << 30, MPI_INT, MPI_STATUS_IGNORE);
  if (code != MPI_ERR_COUNT) printf("%d: 4 GiB: code %d\n", rank, code);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
C
"$build/rondo-cc" times.c -o times
printed=$(simulated disks.xml times --cfg=smpi/simulate-computation:no | sort) || fail "$printed"
[ "$printed" = $'0 0.051\n3 0.125\nreading 0.031' ] || fail "times: $printed"
# In a scenario every disk has the latency, and serves one call at a time. The later rank waits for two latencies.
scenario times times "$disk"
"$rondo" run --quiet --allow-programs times.json >printed 2>&1 || fail "times in a scenario: $(cat printed)"
[ "$(grep -E '^(0|3|reading) 0' printed | sort)" = $'0 0.051\n3 0.127\nreading 0.031' ] || fail "times in a scenario: $(cat printed)"
