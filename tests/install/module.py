"""Tests that the installed module finds the installed scenarios, machines and library of MPI programs: module.py
PREFIX."""

import os
import sys

import rondo

prefix = sys.argv[1]
assert rondo.__file__.startswith(prefix), rondo.__file__
share = os.path.join(prefix, "share", "rondo")
records = rondo.run(os.path.join(share, "scenarios", "quickstart.json"), engine="native").expect()
assert [record["rounds"] for record in records] == [26, 6] * 4, records
machine = os.path.join(share, "platforms", "vsc3-70x16.json")
assert rondo.run({"schema_version": 1, "machine": machine, "engine": "native", "block": "1B", "algorithm": "ring",
                  "collective": {"kind": "allgather", "ranks": 8}}).expect()[0]["rounds"] == 7
with open("p.c", "w", encoding="utf-8") as out:
    out.write("#include <rondo/mpi.h>\nint main(int n, char** v) { MPI_Init(&n, &v); return MPI_Finalize(); }\n")
program = {"schema_version": 1, "engine": "smpi", "collective": {"kind": "program", "source": "p.c", "ranks": 2},
           "machine": {"topology": {"kind": "fully_connected", "hosts": 2}, "latency": "1us", "bandwidth": "1GBps"}}
assert rondo.simulate(program, allow_programs=True).messages == 0
