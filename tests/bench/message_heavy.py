"""Measures the time of a program that only sends, under smpirun, alternately with and without librondo_mpi.

    message_heavy.py SMPICC SMPIRUN ARCHIVE PLATFORM DIRECTORY [PAIRS] [ROUNDS]

Computing takes no simulated time, so that both programs simulate the same messages at the same times. Otherwise the
speed of the machine would decide how many flows share bandwidth in SimGrid, and this changes the time of a run.
"""

import pathlib
import statistics
import subprocess
import sys
import time


def built(smpicc: str, archive: str, directory: pathlib.Path, linked: bool) -> str:
    """Compiles the program, linked with the library or not, and returns its path."""
    program = directory / ("with_library" if linked else "without")
    source = pathlib.Path(__file__).with_name("message_heavy.c")
    library = ["-Wl,--whole-archive", archive, "-Wl,--no-whole-archive", "-Wl,-Bsymbolic-functions", "-lstdc++", "-lm"]
    subprocess.run([smpicc, "-O2", str(source), *(library if linked else []), "-o", str(program)], check=True)
    return str(program)


def seconds(command: list[str]) -> float:
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def main() -> None:
    smpicc, smpirun, archive, platform, directory = sys.argv[1:6]
    pairs, rounds = (int(word) for word in sys.argv[6:] or ("12", "400"))
    run = [smpirun, "--cfg=smpi/simulate-computation:no", "-np", "64", "-platform", platform]
    programs = [built(smpicc, archive, pathlib.Path(directory), linked) for linked in (True, False)]
    times = [[seconds([*run, program, str(rounds)]) for program in programs] for _ in range(pairs)]
    ratio = statistics.median(linked / plain for linked, plain in times)
    medians = [statistics.median(column) for column in zip(*times)]
    print(f"64 ranks, {64 * 16 * rounds:,} messages, {pairs} pairs of runs, medians:")
    print(f"with librondo_mpi {medians[0]:.2f} s, without {medians[1]:.2f} s, ratio {ratio:.3f}")


main()
