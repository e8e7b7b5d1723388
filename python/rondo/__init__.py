"""Rondo: schedules of collective communication, proved, bounded and timed. docs/python.md has examples.

>>> import rondo
>>> s = rondo.Schedule(2, promise={"kind": "bcast", "ranks": 2})
>>> with s.round():
...     s.send(0, 1, ("send", 0), ("receive", 0))
>>> bool(s.verify())
True
"""

import pathlib as _pathlib

from . import _core
from .errors import Error, InputError, ProofError, SimulationError, Verdict, Violation
from .results import Records, Timing
from .scenarios import prove, run, simulate
from .schedule import Schedule, generate, parse, read

__version__ = _core.version()

# An installed module lies in PREFIX/lib/python3.x/dist-packages/rondo. Its machines and libraries lie elsewhere below
# PREFIX. This searches the folders above the module for PREFIX.
for _folder in _pathlib.Path(__file__).resolve().parents[:5]:
    if (_folder / "share" / "rondo").is_dir():
        _core.set_prefix(str(_folder))

__all__ = ["Error", "InputError", "ProofError", "Records", "Schedule", "SimulationError", "Timing", "Verdict",
           "Violation", "generate", "parse", "prove", "read", "run", "simulate"]
