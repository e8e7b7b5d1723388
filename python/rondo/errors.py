"""The exceptions of Rondo. Their texts are those that its command line prints.

==================  ==========================================================  ====================================
exception           when                                                        exit code of the command line
==================  ==========================================================  ====================================
InputError          a scenario, machine, schedule or argument is wrong          2
SimulationError     a deadlock, crash, time-out or lack of memory               3
ProofError          a schedule does not keep its promise                        1 of ``prove``, 3 of ``run``
==================  ==========================================================  ====================================
"""

from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from .results import Verdict


class Error(Exception):
    """The base of all exceptions of Rondo. An Error of no derived class is a bug of Rondo."""


class InputError(Error, ValueError):
    """The input is wrong. The text is one line, which names the file, the place, the value and the accepted values."""


class SimulationError(Error, RuntimeError):
    """A simulation without a result. ``failure`` is its kind: "deadlock", "crash", "timeout", "out of memory", ..."""

    def __init__(self, text: str, failure: str = "crash") -> None:
        super().__init__(text)
        self.failure = failure


class ProofError(Error):
    """A schedule does not keep its promise. ``verdict`` is the Verdict with the violations."""

    def __init__(self, text: str, verdict: Verdict) -> None:
        super().__init__(text)
        self.verdict = verdict
