"""The results of Rondo: times of simulations and records of sweeps."""

from __future__ import annotations

import dataclasses
import json
import typing

from .errors import ProofError, SimulationError, Verdict, Violation

if typing.TYPE_CHECKING:
    import numpy
    import pandas

Json = typing.Dict[str, typing.Any]


@dataclasses.dataclass(frozen=True)
class Timing:
    """A simulated run. Times are in seconds and begin at the first start of the operation.

    ``makespan``: the last finish minus the first start.
    ``finish``: float64 of shape (p,), the time at which each rank finishes.
    ``messages`` and ``bytes``: the number of messages that the engine transferred, and of their bytes.
    ``payload_verified``: whether every byte was checked.
    ``wall``: the real seconds of the simulation.
    ``peak_memory_bytes``: the largest memory of the simulation, in bytes.
    ``passages``: None, or with ``messages=True`` a structured array with a row for each message. Its fields are
    ``source``, ``target``, ``bytes``, ``send_start``, ``send_end``, ``receive_start`` and ``receive_end``.
    """

    makespan: float
    finish: numpy.ndarray
    messages: int
    bytes: int
    payload_verified: bool
    wall: float
    peak_memory_bytes: int
    passages: typing.Optional[numpy.ndarray] = None


class Records(typing.List[Json]):
    """The records of a sweep, in the order of its points. A record is a dict with the fields of docs/records.md."""

    @property
    def errors(self) -> typing.List[str]:
        """A line for each point that failed: ``"point 3: deadlock: ..."``."""
        return [f"point {record['point']}: {record['error']}" for record in self if record["error"] is not None]

    def expect(self) -> Records:
        """Returns itself. Raises SimulationError with the first of ``errors`` if a point failed."""
        if self.errors:
            raise SimulationError(self.errors[0], self.errors[0].split(": ")[1])
        return self

    def frame(self) -> pandas.DataFrame:
        """A pandas DataFrame with a row for each point and a column for each field.

        The name of a nested field has a dot (``theory.rounds``). The column ``expanded`` contains the scenario of the
        point as a dict.
        """
        import pandas

        return pandas.DataFrame([flat(record) for record in self])


def flat(record: Json) -> Json:
    """The record with dotted names instead of nested dicts. The columns of the CSV have the same names."""
    row: Json = {}
    for name, value in record.items():
        if isinstance(value, dict) and name != "expanded":
            row.update({f"{name}.{inner}": each for inner, each in value.items()})
        else:
            row[name] = value
    return row


def verdict_of(answer: Json) -> Verdict:
    violations = tuple(Violation(**each) for each in answer["violations"])
    return Verdict(answer["valid"], answer["delivered"], answer["violation_count"], violations,
                   answer.get("redundant_blocks", 0), answer.get("needs_buffered_sends"))


def timing_of(answer: bytes) -> Timing:
    """The run in an answer, which is a line of JSON followed by numbers.

    Raises ProofError if the schedule was not valid, and SimulationError if the simulation failed.
    """
    import numpy

    line, _, numbers = answer.partition(b"\n")
    head = json.loads(line)
    if "invalid" in head:
        verdict = verdict_of(head["invalid"])
        text = str(verdict).replace("NOT PROVED", "invalid schedule, not simulated", 1)
        raise ProofError(text, verdict)
    if "failure" in head:
        raise SimulationError(head["error"], head["failure"])
    finishes = head["finishes"]
    finish = numpy.frombuffer(numbers, dtype=float, count=finishes)
    # If all ranks finish at the same time, there is one entry.
    finish = numpy.full(head["ranks"], finish[0]) if finishes == 1 else finish
    return Timing(head["makespan_s"], finish, head["messages"], head["bytes"], head["payload_verified"], head["wall_s"],
                  head["peak_memory_bytes"], passages_of(numbers[8 * finishes:]))


def passages_of(numbers: bytes) -> typing.Optional[numpy.ndarray]:
    import numpy

    if not numbers:
        return None
    rows = numpy.frombuffer(numbers, dtype=float).reshape(-1, 7)
    kinds = [("source", "i4"), ("target", "i4"), ("bytes", "i8"), ("send_start", "f8"), ("send_end", "f8"),
             ("receive_start", "f8"), ("receive_end", "f8")]
    passages = numpy.empty(len(rows), dtype=kinds)
    for column, (name, _) in enumerate(kinds):
        passages[name] = rows[:, column]
    return passages
