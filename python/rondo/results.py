"""What Rondo answers: verdicts of proofs, times of simulations, records of sweeps."""

from __future__ import annotations

import dataclasses
import json
import typing

from .errors import ProofError, SimulationError

if typing.TYPE_CHECKING:
    import numpy
    import pandas

Json = typing.Dict[str, typing.Any]


@dataclasses.dataclass(frozen=True)
class Violation:
    """One fault of a schedule: its name ("lost block"), where it is, and all of it in one line."""

    fault: str
    text: str
    rank: typing.Optional[int] = None
    round: typing.Optional[int] = None
    place: str = ""


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What a proof found; true where the schedule keeps its promise.

    ``delivered``: every owed block is in its place at the end (None where nothing was promised); ``violations``: the
    first 1000 of ``violation_count``; ``redundant_blocks``: blocks received by ranks that held them already;
    ``needs_buffered_sends``: it comes to its end only if sends are buffered (None where it is not proved).
    """

    valid: bool
    delivered: typing.Optional[bool]
    violation_count: int
    violations: typing.Tuple[Violation, ...]
    redundant_blocks: float = 0
    needs_buffered_sends: typing.Optional[bool] = None

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        if self.valid:
            return "proved; needs buffered sends" if self.needs_buffered_sends else "proved"
        first = self.violations[0].text if self.violations else "not delivered"
        count = self.violation_count
        return f"NOT PROVED: {count} violation{'' if count == 1 else 's'}, the first: {first}"

    def expect(self) -> Verdict:
        """Returns itself. Raises ProofError unless the schedule keeps its promise."""
        if not self.valid:
            raise ProofError(str(self), self)
        return self


@dataclasses.dataclass(frozen=True)
class Timing:
    """A simulated run; times in seconds from the first start of the operation on.

    ``makespan``: last finish minus first start; ``finish``: float64 of shape (p,), when each rank finishes;
    ``messages`` and ``bytes``: what the engine carried; ``payload_verified``: whether every byte was checked;
    ``wall``: real seconds of the simulation. ``passages``, where they were asked for: a structured array with a row for
    each message, of the fields ``source``, ``target``, ``bytes``, ``send_start``, ``send_end``, ``receive_start`` and
    ``receive_end``.
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
    """The records of a sweep, in the order of its points: dicts with the fields of docs/records.md."""

    @property
    def errors(self) -> typing.List[str]:
        """What went wrong, a line for each point that failed: ``"point 3: deadlock: ..."``."""
        return [f"point {record['point']}: {record['error']}" for record in self if record["error"] is not None]

    def expect(self) -> Records:
        """Returns itself. Raises SimulationError with the first of ``errors`` unless there are none."""
        if self.errors:
            raise SimulationError(self.errors[0], self.errors[0].split(": ")[1])
        return self

    def frame(self) -> pandas.DataFrame:
        """A pandas DataFrame with a row for each point and a column for each field; nested names have dots
        (``theory.rounds``), and ``expanded`` holds the point's scenario as a dict."""
        import pandas

        return pandas.DataFrame([flat(record) for record in self])


def flat(record: Json) -> Json:
    """The record with dotted names in the place of nested ones, as the columns of its CSV."""
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
    """The run in an answer: a line of JSON, behind it numbers. Raises SimulationError or ProofError without one."""
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
    # One entry stands for all ranks, which finish together.
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
