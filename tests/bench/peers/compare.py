"""Measures Rondo and its peers (see ../peers.sh): medians of the CPU seconds of whole processes, and simulated
times."""

import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RONDO = sys.argv[1]
LATENCY, BANDWIDTH = 1e-6, 1e9  # of a link: seconds, bytes per second


def cpu(command, runs=3, **how):
    """The median CPU seconds of a command as a whole process, and its standard output."""
    times = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, **how)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: {done.stderr or done.stdout}")
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times), done.stdout


def folder_of(variable):
    """The folder that an environment variable names, or None."""
    return Path(os.environ[variable]).resolve() if os.environ.get(variable) else None


def written(folder, name, document):
    path = folder / name
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def linear_alltoall(ranks, block, machine):
    return {"machine": machine, "collective": {"kind": "alltoall", "ranks": ranks}, "algorithm": "linear", "block": block,
            "engine": "native"}


def rondo(path, *words):
    """CPU seconds and simulated seconds of a scenario of one point."""
    seconds, out = cpu([RONDO, "run", "--quiet", "--format", "jsonl", *words, str(path)])
    return seconds, json.loads(out.splitlines()[0])["time_s"]


def row(what, peer, own, other, own_time, other_time, note=""):
    """Prints a line of the table. If other_time is None, the models differ and the times cannot be compared."""
    ratio = f"{other / own:.3g}"
    times = "other models" if other_time is None else f"{own_time:.9g} s, {other_time:.9g} s"
    print(f"| {what} | {peer} | {own:.3f} s, {other:.3f} s | {ratio} | {times}{note} |", flush=True)


def not_measured(what, peer, why):
    print(f"| {what} | {peer} | not measured: {why} | | |", flush=True)


def fully_connected(hosts, **more):
    return {"topology": {"kind": "fully_connected", "hosts": hosts}, "latency": "1us", "bandwidth": "1GBps", **more}


def beside_loggopsim(folder):
    """Compares with LogGOPSim on the same GOAL file, with its default parameters. Its times are whole nanoseconds."""
    build = folder_of("LOGGOPSIM")
    for ranks in (128, 256):
        what = f"all-to-all of {ranks} ranks, posted at once, LogGP"
        if not build:
            not_measured(what, "LogGOPSim", "LOGGOPSIM is not set")
            continue
        machine = {"topology": {"kind": "fully_connected", "hosts": ranks}, "timing": "loggp",
                   "loggp": {"L": "2500ns", "o": "1500ns", "g": "1000ns", "G": "6ns/B", "O": "0ns/B", "S": "65535B"}}
        scenario = written(folder, f"loggp-{ranks}.json", linear_alltoall(ranks, "64B", machine))
        goal = folder / f"{ranks}.goal"
        subprocess.run([RONDO, "export", "--format", "goal", "--output", str(goal), str(scenario)], check=True, capture_output=True)
        subprocess.run([f"{build}/txt2bin", "-i", str(goal), "-o", str(goal) + ".bin"], check=True, capture_output=True)
        own, own_time = rondo(scenario)
        other, out = cpu([f"{build}/LogGOPSim", "-f", str(goal) + ".bin"], runs=1)
        last = re.search(r"Maximum finishing time at host \d+: (\d+)", out)
        row(what, "LogGOPSim", own, other, own_time, int(last[1]) * 1e-9)


def beside_smpi(folder):
    """Compares with a plain program under smpirun, on the machine that Rondo exports as SimGrid's XML. Rondo uses flow
    timing."""
    ranks, size = 64, 65536
    what = f"all-to-all of {ranks} ranks, posted at once, 64 KiB"
    machine = fully_connected(ranks, timing="flow", envelope="16B")
    scenario = written(folder, "smpi.json", linear_alltoall(ranks, "64KiB", machine))
    xml = folder / "smpi.xml"
    subprocess.run([RONDO, "export", "--format", "platform", "--output", str(xml), str(scenario)], check=True, capture_output=True)
    program = folder / "alltoall"
    try:
        subprocess.run(["smpicc", "-O2", "-o", str(program), str(HERE / "alltoall.c")], check=True, capture_output=True)
    except FileNotFoundError:
        return not_measured(what, "SMPI", "smpicc is not installed")
    # docs/machines.md explains each of these options.
    words = ["--cfg=network/model:CM02", "--cfg=network/TCP-gamma:0", "--cfg=network/crosstraffic:0", "--cfg=network/weight-S:0",
             "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0", "--cfg=smpi/init:0", "--cfg=smpi/async-small-thresh:0",
             "--cfg=smpi/send-is-detached-thresh:0", "--cfg=surf/precision:1e-15"]
    own, own_time = rondo(scenario)
    other, out = cpu(["smpirun", "-np", str(ranks), "-platform", str(xml), *words, str(program), str(size)])
    row(what, "SMPI, a plain program", own, other, own_time, float(out.split()[-1]))


def beside_astra(folder):
    """Compares with ASTRA-sim. Each pair of ranks has its own link, so in both every message takes the latency plus its
    bytes divided by the bandwidth."""
    sources, ranks, size = folder_of("ASTRA"), 512, 1024
    what = f"all-to-all of {ranks} ranks, posted at once, a link for each pair"
    if not sources:
        return not_measured(what, "ASTRA-sim, analytical network with congestion", "ASTRA is not set")
    parts = [str(path) for pattern in ("common/*.cpp", "common/*/*.cpp", "congestion_aware/[nbt]*/*.cpp")
             for path in sorted(sources.glob(pattern))]
    program = folder / "astra"
    subprocess.run(["g++", "-std=c++17", "-O3", "-DNDEBUG", f"-I{sources}/include/astra-network-analytical", "-o", str(program),
                    str(HERE / "astra_alltoall.cpp"), *parts, "-lyaml-cpp"], check=True)
    network = written(folder, "network.yml", f"topology: [ FullyConnected ]\nnpus_count: [ {ranks} ]\n"
                      f"bandwidth: [ {BANDWIDTH / 1e9:.1f} ]\nlatency: [ {LATENCY * 1e9:.1f} ]\n")
    scenario = written(folder, "astra.json", linear_alltoall(ranks, f"{size}B", fully_connected(ranks, ports=ranks - 1)))
    own, own_time = rondo(scenario)
    other, out = cpu([str(program), str(network), str(size)])
    row(what, "ASTRA-sim, analytical network with congestion", own, other, own_time, float(out.split()[-1]) * 1e-9,
        "; ASTRA-sim's GB is 2^30 B")


def beside_htsim(folder):
    """Compares with htsim on the same fat tree and the same messages. htsim simulates packets, and Rondo max-min fair
    flows."""
    build, ranks, size = folder_of("HTSIM"), 128, 65536
    what = f"all-to-all of {ranks} ranks on a fat tree, posted at once, 64 KiB"
    if not build:
        return not_measured(what, "htsim, NDP", "HTSIM is not set")
    pairs = [(a, (a + i) % ranks) for i in range(1, ranks) for a in range(ranks)]
    matrix = written(folder, "alltoall.cm", f"Nodes {ranks}\nConnections {len(pairs)}\n" +
                     "".join(f"{a}->{b} start 0 size {size}\n" for a, b in pairs))
    machine = {"topology": {"kind": "fat_tree", "levels": 3, "down": [8, 4, 4], "up": [1, 4, 4], "parallel": [1, 1, 1]}, "latency": "1us", "bandwidth": "12.5GBps",
               "timing": "flow", "links": "shared"}
    scenario = written(folder, "htsim.json", linear_alltoall(ranks, "64KiB", machine))
    own, own_time = rondo(scenario)
    other, _ = cpu([f"{build}/datacenter/htsim_ndp", "-nodes", str(ranks), "-tm", str(matrix), "-strat", "perm", "-end", "100000", "-o", str(folder / "log")], runs=1,
                   cwd=folder)  # htsim writes idmap.txt there
    row(what, "htsim, NDP", own, other, own_time, None)


def main():
    print("| what | peer | CPU time: Rondo's, the peer's | the peer's over Rondo's | simulated: Rondo's, the peer's |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        for beside in (beside_loggopsim, beside_smpi, beside_astra, beside_htsim):
            beside(Path(name))


main()
