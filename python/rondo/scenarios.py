"""Scenarios: what to communicate, by which algorithm, on which machine; as dicts or files (docs/scenario.md)."""

from __future__ import annotations

import concurrent.futures
import json
import math
import os
import typing

from . import _core
from . import arguments as check
from .errors import InputError, SimulationError
from .results import Json, Records, Timing, Verdict, timing_of, verdict_of

Path = typing.Union[str, "os.PathLike[str]"]
Scenario = typing.Union[Path, typing.Mapping[str, typing.Any]]
Machine = typing.Union[Path, typing.Mapping[str, typing.Any]]

MOST_JOBS = 1024
MOST_POINTS = 1000000
NAME = "scenario"  # stands in messages for the file that a dict does not have


def run(scenario: Scenario, *, changes: typing.Optional[typing.Mapping[str, typing.Any]] = None,
        engine: typing.Optional[str] = None, jobs: int = 1, verify: typing.Optional[bool] = None, timeout: float = 0,
        allow_programs: bool = False, allow_path: typing.Iterable[Path] = (),
        executor: typing.Optional[concurrent.futures.Executor] = None, tasks: int = 64) -> Records:
    """Runs every point of a scenario and returns their records, as ``rondo run`` does.

    ``scenario``: a dict or the name of a file; files that a dict names lie below the working directory, or below one of
    ``allow_path``. ``changes``: JSON pointers and values, ``{"/block": "64B"}``. ``engine``: "native" or "smpi",
    whatever the scenario says. ``jobs``: how many points are simulated at a time. ``verify``: whether schedules are
    proved first, by default up to 10^8 moves of blocks. ``timeout``: real seconds that a point may take, 0 for any
    number. ``allow_programs``: whether programs that the scenario names are compiled and started.

    ``executor``: a ``concurrent.futures`` executor whose workers run the points, such as Dask's
    ``Client.get_executor()`` or ``mpi4py.futures.MPIPoolExecutor``. The sweep is cut into at most ``tasks`` tasks of
    consecutive points; each worker simulates ``jobs`` points at a time. Workers import rondo and read the files that
    the scenario names by the same paths. The records are those of a run without it, in the order of the points.

    Raises InputError for a bad scenario. A point that fails has its ``error`` in its record; ``run(...).expect()``
    raises it.
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
    """The records of ``count`` points from the one at ``first`` (from 0) on, or of as many as there are."""
    records, rows = list[Json](), list[bytes]()

    def decode() -> None:
        records.extend(json.loads(b"[" + b",".join(rows) + b"]"))
        rows.clear()

    def take(row: bytes) -> None:
        rows.append(row)
        if len(rows) == 256:  # together they are read faster than one by one, as their keys are the same
            decode()

    _core.run(name, text, words, jobs, (first, count), take)
    decode()
    return records


def simulate(scenario: Scenario, *, point: int = 1, changes: typing.Optional[typing.Mapping[str, typing.Any]] = None,
             engine: typing.Optional[str] = None, verify: typing.Optional[bool] = None, timeout: float = 0,
             messages: bool = False, allow_programs: bool = False, allow_path: typing.Iterable[Path] = ()) -> Timing:
    """Simulates one point of a scenario, a schedule or a program.

    ``point``: its number in the sweep, from 1; ``messages``: whether the passage of each message is returned; the
    others as for ``run``. Raises InputError for a bad scenario, ProofError for a schedule that does not keep its
    promise and SimulationError for a run that comes to no end.
    """
    name, text = named(scenario)
    words = words_of(changes, engine, verify, timeout, allow_programs, allow_path)
    number = check.integer("point", point, 1, MOST_POINTS)
    return timing_of(_core.Point(name, text, number, words, None).simulate(check.flag("messages", messages)))


def prove(file: Path, *, promise: typing.Optional[Path] = None, timeout: float = 0) -> Verdict:
    """Proves a schedule in a file of any format, as ``rondo prove`` does: its JSON, MSCCL XML, GOAL or Chakra traces.

    ``promise``: the file with what it promises; by default it stands in the file or beside it. Raises InputError for
    what is no such file, SimulationError where the proof came to no end within ``timeout`` real seconds (0: any).
    """
    promised = "" if promise is None else check.path("promise", promise)
    answer = json.loads(_core.prove(check.path("file", file), promised, check.seconds("timeout", timeout)))
    if answer["failed"]:
        raise SimulationError(answer["failed"], "timeout")
    return verdict_of(answer)


def named(scenario: Scenario) -> typing.Tuple[str, typing.Optional[str]]:
    """The name that messages give a scenario, and its text where it is no file."""
    if check.is_path(scenario):
        return check.path("scenario", scenario), None
    return NAME, text_of(check.mapping("scenario", scenario, "a dict or the name of a file"))


def text_of(value: object) -> str:
    """JSON of dicts that may hold paths and the numbers of NumPy."""
    return check.json_text(NAME, value)


def words_of(changes: typing.Optional[typing.Mapping[str, typing.Any]] = None, engine: typing.Optional[str] = None,
             verify: typing.Optional[bool] = None, timeout: float = 0, programs: bool = False,
             folders: typing.Iterable[Path] = ()) -> str:
    """What is said beside a scenario, for the binding."""
    said = {} if changes is None else check.mapping("changes", changes, "a dict of JSON pointers with values")
    return json.dumps({"sets": [f"{pointer}={text_of(value)}" for pointer, value in said.items()],
                       "engine": check.engine("engine", engine), "verify": check.optional_flag("verify", verify),
                       "timeout": check.seconds("timeout", timeout),
                       "programs": check.flag("allow_programs", programs),
                       "folders": check.paths("allow_path", folders)})


def machine_of(machine: typing.Optional[Machine], ranks: typing.Optional[int]) -> typing.Tuple[object, typing.List[str]]:
    """A machine for a scenario, and the folders of the files that it is in. Without one: as many hosts as ranks, fully
    connected, of 1 us and 1 GB/s, on which times are for comparing only."""
    if check.is_path(machine):
        file = check.path("machine", machine)
        return file, [os.path.dirname(os.path.abspath(file))]
    if machine is not None:
        return check.mapping("machine", machine, "a dict or the name of a file"), ["."]
    if ranks is None:
        return None, []
    return {"topology": {"kind": "fully_connected", "hosts": ranks}, "latency": "1us", "bandwidth": "1GBps"}, []


def ranks_of(collective: Json) -> typing.Optional[int]:
    """How many ranks the object of a collective is of; None where only its graph says so."""
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
    """None where they are not all integers, which the scenario's own check refuses in its words."""
    try:
        return math.prod(check.integer("", each, 0, 1 << 24) for each in numbers)
    except InputError:
        return None
