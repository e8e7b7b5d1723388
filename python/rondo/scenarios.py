"""Runs scenarios. A scenario is a dict or a file (docs/scenario.md): a collective, an algorithm and a machine."""

from __future__ import annotations

import concurrent.futures
import json
import math
import os
import typing

from . import _core
from . import arguments as check
from .errors import InputError, SimulationError, Verdict
from .results import Json, Records, Timing, timing_of, verdict_of

Path = typing.Union[str, "os.PathLike[str]"]
Scenario = typing.Union[Path, typing.Mapping[str, typing.Any]]
Machine = typing.Union[Path, typing.Mapping[str, typing.Any]]

MOST_JOBS = 1024
MOST_POINTS = 1000000
NAME = "scenario"  # the name of a dict in messages, which name files otherwise


def run(scenario: Scenario, *, changes: typing.Optional[typing.Mapping[str, typing.Any]] = None,
        engine: typing.Optional[str] = None, jobs: int = 1, verify: typing.Optional[bool] = None, timeout: float = 0,
        allow_programs: bool = False, allow_path: typing.Iterable[Path] = (),
        executor: typing.Optional[concurrent.futures.Executor] = None, tasks: int = 64) -> Records:
    """Runs every point of a scenario and returns the records, as ``rondo run`` does.

    ``scenario``: a dict, or the name of a file. The files that a dict names must lie below the working directory, or
    below a folder of ``allow_path``.
    ``changes``: JSON pointers and their new values, ``{"/block": "64B"}``.
    ``engine``: "native" or "smpi", instead of the engine of the scenario.
    ``jobs``: the number of points that are simulated at the same time.
    ``verify``: whether schedules are proved first. By default they are proved if they have at most 10^8 block moves.
    ``timeout``: the real seconds that a point may take; 0: any number.
    ``allow_programs``: whether the programs that the scenario names may be compiled and started.

    ``executor``: a ``concurrent.futures`` executor whose workers run the points, such as Dask's
    ``Client.get_executor()`` or ``mpi4py.futures.MPIPoolExecutor``. The sweep is divided into at most ``tasks`` tasks
    of consecutive points. Each task simulates ``jobs`` points at the same time. The workers import rondo, and read the
    files that the scenario names by the same paths. The records are the same as without an executor, in the order of
    the points.

    Raises InputError if the scenario is wrong. If a point fails, its record contains the ``error``, and
    ``run(...).expect()`` raises it as a SimulationError.
    """
    name, text = named(scenario)
    words = words_of(changes, engine, verify, timeout, allow_programs, allow_path)
    at_a_time = check.integer("jobs", jobs, 1, MOST_JOBS)
    if executor is None:
        return Records(rows_of_part(name, text, words, at_a_time, 0, MOST_POINTS))
    points = _core.count_points(name, text, words)
    size = -(-points // check.integer("tasks", tasks, 1, MOST_POINTS))
    parts = [executor.submit(rows_of_part, name, text, words, at_a_time, first, size)
             for first in range(0, points, size)]
    return Records(record for part in parts for record in part.result())


def rows_of_part(name: str, text: typing.Optional[str], words: str, jobs: int, first: int, count: int) -> typing.List[Json]:
    """The records of the points ``first`` to ``first + count - 1``, counted from 0, as far as the sweep has them."""
    records, rows = list[Json](), list[bytes]()

    def decode() -> None:
        records.extend(json.loads(b"[" + b",".join(rows) + b"]"))
        rows.clear()

    def take(row: bytes) -> None:
        rows.append(row)
        if len(rows) == 256:  # json.loads reads many rows faster than one row at a time: they have the same keys
            decode()

    _core.run(name, text, words, jobs, (first, count), take)
    decode()
    return records


def simulate(scenario: Scenario, *, point: int = 1, changes: typing.Optional[typing.Mapping[str, typing.Any]] = None,
             engine: typing.Optional[str] = None, verify: typing.Optional[bool] = None, timeout: float = 0,
             messages: bool = False, allow_programs: bool = False, allow_path: typing.Iterable[Path] = ()) -> Timing:
    """Simulates one point of a scenario, whose collective may be a schedule or a program.

    ``point``: the number of the point in the sweep, from 1.
    ``messages``: whether ``passages`` of the result has a row for each message.
    ``run`` explains the other arguments.

    Raises InputError if the scenario is wrong, ProofError if the schedule does not keep its promise, and
    SimulationError if the simulation fails.
    """
    name, text = named(scenario)
    words = words_of(changes, engine, verify, timeout, allow_programs, allow_path)
    number = check.integer("point", point, 1, MOST_POINTS)
    return timing_of(_core.Point(name, text, number, words, None).simulate(check.flag("messages", messages)))


def prove(file: Path, *, promise: typing.Optional[Path] = None, timeout: float = 0) -> Verdict:
    """Proves the schedule in a file, as ``rondo prove`` does.

    ``file``: a file of Rondo's JSON, MSCCL XML, GOAL or Chakra traces.
    ``promise``: the file with the promise. By default the promise is in the file or beside it.
    ``timeout``: the real seconds that the proof may take; 0: any number.

    Raises InputError if the file has no such format, and SimulationError if the proof does not end in time.
    """
    promised = "" if promise is None else check.path("promise", promise)
    answer = json.loads(_core.prove(check.path("file", file), promised, check.seconds("timeout", timeout)))
    if answer["failed"]:
        raise SimulationError(answer["failed"], "timeout")
    return verdict_of(answer)


def named(scenario: Scenario) -> typing.Tuple[str, typing.Optional[str]]:
    """The name of a scenario in messages, and its text, or None if it is a file."""
    if check.is_path(scenario):
        return check.path("scenario", scenario), None
    return NAME, text_of(check.mapping("scenario", scenario, "a dict or the name of a file"))


def text_of(value: object) -> str:
    """JSON of a value. The dicts in it may contain paths and the numbers of NumPy."""
    return check.json_text(NAME, value)


def words_of(changes: typing.Optional[typing.Mapping[str, typing.Any]] = None, engine: typing.Optional[str] = None,
             verify: typing.Optional[bool] = None, timeout: float = 0, programs: bool = False,
             folders: typing.Iterable[Path] = ()) -> str:
    """The options of a call as JSON, for the library."""
    said = {} if changes is None else check.mapping("changes", changes, "a dict of JSON pointers with values")
    return json.dumps({"sets": [f"{pointer}={text_of(value)}" for pointer, value in said.items()],
                       "engine": check.engine("engine", engine), "verify": check.optional_flag("verify", verify),
                       "timeout": check.seconds("timeout", timeout),
                       "programs": check.flag("allow_programs", programs),
                       "folders": check.paths("allow_path", folders)})


def machine_of(machine: typing.Optional[Machine], ranks: typing.Optional[int]) -> typing.Tuple[object, typing.List[str]]:
    """A machine for a scenario, and the folders of its files.

    Without a machine: a fully connected one with a host for each rank, 1 us and 1 GB/s. Its times are only for
    comparison with each other. None if the number of ranks is unknown too.
    """
    if check.is_path(machine):
        file = check.path("machine", machine)
        return file, [os.path.dirname(os.path.abspath(file))]
    if machine is not None:
        return check.mapping("machine", machine, "a dict or the name of a file"), ["."]
    if ranks is None:
        return None, []
    return {"topology": {"kind": "fully_connected", "hosts": ranks}, "latency": "1us", "bandwidth": "1GBps"}, []


def ranks_of(collective: Json) -> typing.Optional[int]:
    """The number of ranks of a collective; None if only its graph gives it, or if a number is wrong."""
    for holder in (collective, collective.get("graph")):
        if not isinstance(holder, typing.Mapping):
            continue
        numbers = [holder["ranks"]] if "ranks" in holder else holder.get("torus")
        if isinstance(numbers, (list, tuple)):
            return product_of(numbers)
        if {"senders", "receivers"} <= set(holder):
            one, other = product_of([holder["senders"]]), product_of([holder["receivers"]])
            return one + other if one is not None and other is not None else None
    return None


def product_of(numbers: typing.Sequence[object]) -> typing.Optional[int]:
    """The product; None if a number is not an integer, which is reported when the scenario is read."""
    try:
        return math.prod(check.integer("", each, 0, 1 << 24) for each in numbers)
    except InputError:
        return None
