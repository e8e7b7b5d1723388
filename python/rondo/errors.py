"""The exceptions of Rondo, and the Verdict in a ProofError. The command line prints the same texts.

==================  ==========================================================  ====================================
exception           when                                                        exit code of the command line
==================  ==========================================================  ====================================
InputError          a scenario, machine, schedule or argument is wrong          2
SimulationError     a deadlock, crash, time-out or lack of memory               3
ProofError          a schedule does not keep its promise                        1 of ``prove``, 3 of ``run``
==================  ==========================================================  ====================================
"""

from __future__ import annotations

import dataclasses
import typing


class Error(Exception):
    """The base of all exceptions of Rondo. An Error of no derived class is a bug of Rondo."""


class InputError(Error, ValueError):
    """The input is wrong. The text is one line, which names the file, the place, the value and the accepted values."""


class SimulationError(Error, RuntimeError):
    """A simulation without a result. ``failure`` is its kind: "deadlock", "crash", "timeout", "out of memory", ..."""

    def __init__(self, text: str, failure: str = "crash") -> None:
        super().__init__(text)
        self.failure = failure


@dataclasses.dataclass(frozen=True)
class Violation:
    """One fault of a schedule.

    ``fault`` is its name, such as "lost block". ``text`` is one line that describes it completely. ``rank`` and
    ``round`` are those of the fault, or None if they are not known. If the violation comes from ``prove``, ``place``
    describes the place of the fault in words. Otherwise ``place`` is empty.
    """

    fault: str
    text: str
    rank: typing.Optional[int] = None
    round: typing.Optional[int] = None
    place: str = ""


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The result of a proof. It is true if the schedule keeps its promise.

    ``valid``: whether the schedule keeps its promise.
    ``delivered``: whether every owed block is in its place at the end; None if nothing was promised.
    ``violation_count``: the number of violations.
    ``violations``: the first 1000 of them.
    ``redundant_blocks``: the number of blocks that ranks received although they had held them before. ``prove`` does
    not count them; its verdicts have 0.
    ``needs_buffered_sends``: whether the schedule ends only if sends are buffered; None if this was not proved.
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
        """Returns itself. Raises ProofError if the schedule does not keep its promise."""
        if not self.valid:
            raise ProofError(str(self), self)
        return self


class ProofError(Error):
    """A schedule does not keep its promise. ``verdict`` is the Verdict with the violations."""

    def __init__(self, text: str, verdict: Verdict) -> None:
        super().__init__(text)
        self.verdict = verdict
