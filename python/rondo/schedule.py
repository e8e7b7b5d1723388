"""Schedules: written here round by round, generated, or read; proved, counted, bounded, simulated and shown."""

from __future__ import annotations

import array
import contextlib
import html
import json
import os
import tempfile
import typing

from . import _core
from . import arguments as check
from .errors import InputError
from .results import Json, Timing, Verdict, timing_of, verdict_of
from .scenarios import MOST_POINTS, NAME, Machine, Path, Scenario, machine_of, named, ranks_of, text_of, words_of

if typing.TYPE_CHECKING:
    import numpy

Place = typing.Tuple[str, int]
Places = typing.Union[Place, typing.Sequence[Place]]

BUFFERS = {"send": 0, "receive": 1, "intermediate": 2}
JOINS = {None: 0, "before": 1, "after": 2}
MOST_RANKS = 1 << 24
MOST_SLOTS = 1 << 30


class Schedule:
    """Who sends what to whom in which round.

    A rank has three buffers of slots: ``send``, which is only read, ``receive``, where the promise must lie in the end,
    and ``intermediate``. A *place* is a slot of one of them, ``("receive", 3)``. In a round a rank posts all its sends
    and receives, waits for them and then does its copies; what leaves is what lay there before the round.

    ``ranks``: p. ``promise``: what it delivers, a dict (docs/custom.md) such as ``{"kind": "allgather", "ranks": 8}``,
    or the name of a file. ``block``: m, what a slot takes, "64KiB" or a number of bytes. ``slots``: how many slots
    buffers have at every rank, ``{"receive": 8}``; by default as many as are promised and used. ``slot_bytes``: the size in bytes of
    each slot of a buffer, where it is not m. ``name``: what it is called in records.

    Places and ranks are checked at once: InputError.
    """

    def __init__(self, ranks: int, *, promise: typing.Union[Json, Path, None] = None,
                 block: typing.Union[str, int] = 1, slots: typing.Optional[typing.Mapping[str, int]] = None,
                 slot_bytes: typing.Optional[typing.Mapping[str, typing.Sequence[int]]] = None,
                 name: str = "custom") -> None:
        self._ranks = check.integer("schedule: /ranks", ranks, 1, MOST_RANKS)
        self._promise, self._folders = in_folders(promise)
        self._block = check.size("schedule: /block", block)
        counts, sizes = slots_of(slots), sizes_of(slot_bytes)
        self._buffers = [{"slots": counts.get(b, len(sizes.get(b, ()))), "bytes": sizes.get(b, [])} for b in BUFFERS]
        self._limits = {b: counts.get(b, len(sizes.get(b, ())) or MOST_SLOTS) for b in BUFFERS}
        self._name = check.text("schedule: name", name)
        self._round = 0
        self._in_round = False
        self._messages = array.array("i")  # round, source, target, join, places
        self._places = array.array("I")  # from, into
        self._copies = array.array("I")  # round, rank, join, from, into
        self._core: typing.Optional[_core.Schedule] = None
        self._scenario: typing.Optional[Json] = None  # of a generated one

    # Written

    @contextlib.contextmanager
    def round(self) -> typing.Iterator[int]:
        """The next round, as ``with schedule.round():``; what is sent inside belongs to it. Gives its number, from 1."""
        self._expect_open()
        if self._in_round:
            raise InputError(f"schedule: round {self._round}: expected the end of the round before the next one")
        self._round += 1
        self._in_round = True
        try:
            yield self._round
        finally:
            self._in_round = False

    def send(self, source: int, target: int, places: Places, into: typing.Optional[Places] = None,
             join: typing.Optional[str] = None) -> None:
        """One message of this round, from rank ``source`` to rank ``target``.

        ``places``: the place, or the list of places, that the source reads. ``into``: those that the target writes, as
        many; by default the same. ``join``: None stores what arrives; "before" joins arriving (op) present, "after"
        present (op) arriving. Messages between two ranks meet in the order of these calls.
        """
        p = self._ranks
        if not self._in_round:
            self._expect_open()
            raise InputError("schedule: expected a round around what is sent: with schedule.round(): ...")
        if not (type(source) is type(target) is int and 0 <= source < p and 0 <= target < p and source != target):
            source, target = self._ranks_of_message(source, target)
        reads = listed(places)
        writes = reads if into is None else listed(into)
        if len(reads) != len(writes):
            raise self._error(source, f"expected as many places at the target as the {len(reads)} of the source, "
                              f"got {len(writes)}")
        for read, write in zip(reads, writes):
            self._places.append(self._place(source, read))
            self._places.append(self._place(target, write))
        if not is_join(join):
            raise self._wrong_join(source, join)
        self._messages.extend((self._round, source, target, JOINS[join], len(reads)))
        self._core = None

    def sends(self, sources: numpy.ndarray, targets: numpy.ndarray, places: typing.Tuple[str, numpy.ndarray],
              into: typing.Optional[typing.Tuple[str, numpy.ndarray]] = None,
              join: typing.Optional[str] = None) -> None:
        """Many messages of one block each, as arrays of integers of shape (n,), or numbers that stand for n equal ones.

        ``places`` and ``into``: the name of a buffer, and the slots. The same as n calls of ``send``, but faster.
        """
        import numpy

        (from_buffer, from_slots), (into_buffer, into_slots) = self._pair(places), self._pair(places if into is None else into)
        parts = {"sources": sources, "targets": targets, "slots": from_slots, "slots at the targets": into_slots}
        try:
            columns: typing.Any = numpy.broadcast_arrays(
                *(check.integers(f"schedule: {name}", each) for name, each in parts.items()))
        except InputError:
            raise
        except ValueError as why:
            raise InputError(f"schedule: expected arrays of one length: {why}") from None
        source, target, read, write = (column.ravel().astype(numpy.int64) for column in columns)
        wrong = ((source < 0) | (source >= self._ranks) | (target < 0) | (target >= self._ranks) | (source == target)
                 | (read < 0) | (read >= self._limit(from_buffer)) | (write < 0) | (write >= self._limit(into_buffer)))
        if len(source) == 0:
            return
        if wrong.any() or not self._in_round or not is_join(join):
            i = int(wrong.argmax())  # which send() refuses
            return self.send(int(source[i]), int(target[i]), (from_buffer, int(read[i])), (into_buffer, int(write[i])), join)
        rows = numpy.empty((len(source), 5), dtype=numpy.int32)
        for column, value in enumerate((self._round, source, target, JOINS[join], 1)):
            rows[:, column] = value
        pairs = numpy.empty((len(source), 2), dtype=numpy.uint32)
        pairs[:, 0] = read + (BUFFERS[from_buffer] << 30)
        pairs[:, 1] = write + (BUFFERS[into_buffer] << 30)
        self._messages.frombytes(rows.tobytes())
        self._places.frombytes(pairs.tobytes())
        self._core = None

    def copy(self, rank: int, place: Place, into: Place, join: typing.Optional[str] = None) -> None:
        """A local copy at a rank, from a place into another; before the first round, or behind the messages of the
        round in which it stands. ``join`` as for ``send``."""
        self._expect_open()
        if not is_rank(rank, self._ranks):
            raise InputError(f"schedule: round {self._round}: expected a rank, from 0 to {self._ranks - 1}, got "
                             f"{check.shown(rank)}")
        if not is_join(join):
            raise self._wrong_join(rank, join)
        self._copies.extend((self._round, rank, JOINS[join], self._place(rank, place), self._place(rank, into)))
        self._core = None

    # Asked

    @property
    def ranks(self) -> int:
        """p"""
        return self._ranks

    @property
    def rounds(self) -> int:
        """D, the number of rounds."""
        return self._built().rounds

    @property
    def block_bytes(self) -> int:
        """m, in bytes."""
        return self._built().block_bytes

    @property
    def promise(self) -> typing.Any:
        """What it delivers: a dict, the name of a file, or None."""
        return json.loads(self._built().promise)

    def verify(self, promise: typing.Union[Json, Path, None] = None) -> Verdict:
        """Replays the schedule block by block against its promise, or against another one.

        Raises InputError where nothing is promised, or where the promise is of other ranks or sizes.
        """
        core = self._built()
        wanted, folders = in_folders(self.promise if promise is None else promise)
        if wanted is None:
            raise InputError('schedule: expected a promise, such as {"kind": "allgather", "ranks": 8}, got none')
        _core.permit(words_of(folders=[*folders, *self._folders]))
        return verdict_of(json.loads(core.verify(text_of(wanted))))

    def measure(self) -> Json:
        """Counts, from the messages alone: ``rounds``, ``messages``, ``ports`` (most sends or receives of a rank in a
        round), ``volume_blocks`` and ``volume_bytes`` (most that a rank sends), ``received_blocks`` (most that a rank
        receives), ``critical_blocks`` and ``critical_bytes`` (the largest messages of all rounds), ``total_blocks``,
        ``total_bytes``, ``reduced_bytes``."""
        return typing.cast(Json, json.loads(self._built().measure()))

    def predict(self, machine: typing.Optional[Machine] = None, *,
                block: typing.Union[str, int, None] = None) -> Json:
        """What theory knows without running it: ``{"theory": {...}, "bound": {...}}``.

        ``theory`` is the closed form of a generated schedule; ``bound`` the lower bounds of what is promised: rounds,
        volumes in blocks and bytes, messages, ``time_s`` in seconds (docs/records.md). None where nothing is known.
        """
        record = json.loads(self._point(machine, "native", block).predict())
        return {key: record[key] for key in ("theory", "bound")}

    def simulate(self, machine: typing.Optional[Machine] = None, *, engine: str = "native",
                 block: typing.Union[str, int, None] = None, verify: typing.Optional[bool] = None,
                 timeout: float = 0, messages: bool = False) -> Timing:
        """The time that it takes on a machine: a dict with the keys of a scenario's ``machine``, or the name of a file.

        ``engine``: "native", or "smpi" for SimGrid. ``block``: another m. ``verify``: whether it is proved first, by
        default up to 10^8 moves of blocks. ``timeout``: real seconds, 0 for any number. ``messages``: whether the
        passage of each message is returned. Raises InputError where the machine cannot carry it, ProofError where it
        does not keep its promise, SimulationError for a deadlock, a crash, a time-out or lack of memory.
        """
        return timing_of(self._point(machine, engine, block, verify, timeout).simulate(check.flag("messages", messages)))

    def record(self, machine: typing.Optional[Machine] = None, *, engine: str = "native",
               block: typing.Union[str, int, None] = None, verify: typing.Optional[bool] = None,
               timeout: float = 0) -> Json:
        """All of these at once, as a record of ``rondo run`` (docs/records.md); what goes wrong is its ``error``."""
        point = self._point(machine, engine, block, verify, timeout)
        return typing.cast(Json, json.loads(point.record()))

    def sent(self) -> numpy.ndarray:
        """Every message as a row of a structured array with the fields ``round``, ``source``, ``target``, ``blocks``
        and ``bytes``; rank after rank, round after round."""
        import numpy

        rows = numpy.frombuffer(self._built().sent(), dtype=numpy.int64)
        return rows.view([(name, "i8") for name in ("round", "source", "target", "blocks", "bytes")])

    def html(self, machine: typing.Optional[Machine] = None, *, engine: str = "native") -> str:
        """A page on which the blocks move, as ``rondo show --format html`` writes it; of at most 1024 ranks and 20,000
        messages. InputError for a larger one."""
        with tempfile.TemporaryDirectory() as folder:
            return self._point(machine, engine, None, folder=folder).page().decode()

    def to_json(self) -> str:
        """The schedule in its documented format (docs/custom.md)."""
        return self._built().text().decode()

    def save(self, file: Path) -> None:
        """Writes it to a file, for ``read``, ``rondo prove`` and scenarios of the kind ``custom``."""
        with open(check.path("file", file), "wb") as out:
            out.write(self._built().text())

    def __repr__(self) -> str:
        counts = self.measure()
        return f"<rondo.Schedule {self._name}: {self.ranks} ranks, {counts['rounds']} rounds, {counts['messages']} messages>"

    def _repr_html_(self) -> str:
        try:
            page = self.html()
        except InputError as why:
            return f"<pre>{html.escape(repr(self))}\n{html.escape(str(why))}</pre>"
        return f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 640px; border: 0"></iframe>'

    # Inside

    @classmethod
    def _of(cls, core: _core.Schedule, name: str, scenario: typing.Optional[Json] = None,
            folders: typing.Sequence[str] = ()) -> Schedule:
        schedule = cls(core.ranks, promise=json.loads(core.promise), block=core.block_bytes, name=name)
        schedule._core, schedule._scenario, schedule._round = core, scenario, -1
        schedule._folders = list(folders)
        return schedule

    def _built(self) -> _core.Schedule:
        if self._core is None:
            _core.permit(words_of(folders=self._folders))
            head = {"ranks": self._ranks, "block": self._block, "buffers": self._buffers, "promise": self._promise}
            self._core = _core.Schedule.build(text_of(head), self._messages, self._places, self._copies)
        return self._core

    def _point(self, machine: typing.Optional[Machine], engine: str, block: typing.Union[str, int, None],
               verify: typing.Optional[bool] = None, timeout: float = 0,
               folder: typing.Optional[str] = None) -> _core.Point:
        """The schedule on a machine; as a file in ``folder``, or as it is in memory."""
        held, folders = machine_of(machine, self._ranks)
        scenario = dict(self._scenario) if self._scenario else self._custom(folder)
        scenario.update({"machine": held, "engine": check.text("engine", engine)})
        if block is not None:
            scenario["block"] = check.size("block", block)
        inside = [] if folder is None else [folder]
        words = words_of(verify=verify, timeout=timeout, folders=[*folders, *self._folders, *inside])
        return _core.Point(NAME, text_of(scenario), 1, words, None if self._scenario or folder else self._built())

    def _custom(self, folder: typing.Optional[str]) -> Json:
        if self.promise is None:
            raise InputError('schedule: expected a promise, such as {"kind": "allgather", "ranks": 8}, got none')
        file = "(schedule)"  # problem::schedule_in_memory
        if folder is not None:
            file = os.path.join(folder, "schedule.json")
            self.save(file)
        return {"schema_version": 1, "title": self._name, "algorithm": self._name, "block": f"{self.block_bytes}B",
                "collective": {"kind": "custom", "schedules": {self._name: file}, "promise": self.promise}}

    def _expect_open(self) -> None:
        if self._round < 0:
            raise InputError("schedule: expected one that is written here, got one that was generated or read")

    def _limit(self, buffer: str) -> int:
        return self._limits[buffer_named(buffer)]

    def _pair(self, places: object) -> typing.Tuple[str, typing.Any]:
        if isinstance(places, (tuple, list)) and len(places) == 2:
            return buffer_named(places[0]), places[1]
        raise InputError(f'schedule: expected the name of a buffer and slots, such as ("receive", [0, 1]), got '
                         f"{check.shown(places)}")

    def _place(self, rank: int, place: Place) -> int:
        try:
            buffer, slot = place
            limit = self._limits[buffer]
            slot = slot if type(slot) is int else check.integer("", slot, -MOST_SLOTS, MOST_SLOTS)
            if 0 <= slot < limit:
                return (BUFFERS[buffer] << 30) | slot
        except (TypeError, ValueError, KeyError):
            raise self._error(rank, 'expected a place, a slot of "send", "receive" or "intermediate" such as '
                              f'("receive", 0), got {check.shown(place)}') from None
        raise self._error(rank, f"expected a slot from 0 to {limit - 1} of the {buffer} buffer, got {check.shown(slot)}")

    def _ranks_of_message(self, source: object, target: object) -> typing.Tuple[int, int]:
        """Both as integers, where they are those of NumPy; else what is wrong with them."""
        if is_rank(source, self._ranks) and is_rank(target, self._ranks) and source != target:
            return int(typing.cast(int, source)), int(typing.cast(int, target))
        raise self._wrong_rank(source, target)

    def _wrong_join(self, rank: int, join: object) -> InputError:
        return self._error(rank, f'expected join to be None, "before" or "after", got {check.shown(join)}')

    def _wrong_rank(self, source: object, target: object) -> InputError:
        ranks = f"a rank from 0 to {self._ranks - 1}"
        if not is_rank(source, self._ranks):
            return InputError(f"schedule: round {self._round}: expected a source, {ranks}, got {check.shown(source)}")
        rank = int(typing.cast(int, source))
        if not is_rank(target, self._ranks):
            return self._error(rank, f"expected a target, {ranks}, got {check.shown(target)}")
        return self._error(rank, "expected another rank as the target, got the rank itself; a copy stays within it")

    def _error(self, rank: int, what: str) -> InputError:
        return InputError(f"schedule: round {self._round}, rank {rank}: {what}")


def listed(places: object) -> typing.Sequence[Place]:
    if isinstance(places, (list, tuple)):
        return typing.cast(typing.Sequence[Place], [places] if type(places) is tuple else places)
    raise InputError('schedule: expected a place such as ("receive", 0), or a list of places, got '
                     f"{check.shown(places)}")


def is_rank(value: object, ranks: int) -> bool:
    try:
        check.integer("", value, 0, ranks - 1)
    except InputError:
        return False
    return True


def is_join(value: object) -> bool:
    return value is None or isinstance(value, str) and value in JOINS


def buffer_named(name: object) -> str:
    if isinstance(name, str) and name in BUFFERS:
        return name
    raise InputError(f"schedule: expected one of the buffers {', '.join(BUFFERS)}, got {check.shown(name)}")


def in_folders(promise: typing.Union[Json, Path, None]) -> typing.Tuple[typing.Any, typing.List[str]]:
    """A promise for the binding, and the folder of the file that it is in."""
    if check.is_path(promise):
        file = check.path("promise", promise)
        return file, [os.path.dirname(os.path.abspath(file))]
    return None if promise is None else check.mapping("promise", promise, "a dict or the name of a file"), []


def slots_of(slots: object) -> typing.Dict[str, int]:
    """How many slots buffers have."""
    if slots is None:
        return {}
    said = check.mapping("schedule: slots", slots, "a dict of buffers with numbers of slots")
    return {buffer_named(name): check.integer(f"schedule: slots of {name}", count, 0, MOST_SLOTS)
            for name, count in said.items()}


def sizes_of(slot_bytes: object) -> typing.Dict[str, typing.List[int]]:
    """The bytes of each slot of buffers."""
    if slot_bytes is None:
        return {}
    said = check.mapping("schedule: slot_bytes", slot_bytes, "a dict of buffers with lists of sizes")
    found = {}
    for name, sizes in said.items():
        place = f"schedule: slot_bytes of {buffer_named(name)}"
        if isinstance(sizes, (str, bytes, typing.Mapping)) or not isinstance(sizes, typing.Iterable):
            raise check.refusal(place, "a list of sizes in bytes", sizes)
        found[name] = [check.integer(place, each, 0, 1 << 62) for each in sizes]
    return found


def generate(scenario: Scenario, *, point: int = 1,
             changes: typing.Optional[typing.Mapping[str, typing.Any]] = None) -> Schedule:
    """The schedule of any collective and algorithm that a scenario knows (``rondo list``).

    ``scenario``: a file, or a dict of which ``collective`` is enough, as ``{"collective": {"kind": "allgather",
    "ranks": 8}, "algorithm": "ring", "block": "64KiB"}``; ``point``: its number in the sweep, from 1; ``changes``: JSON
    pointers and values. Raises InputError for a bad scenario, and for a program, which has no schedule.
    """
    folders: typing.Sequence[str] = ()
    if not check.is_path(scenario):
        said = check.mapping("scenario", scenario, "a dict or the name of a file")
        collective = said.get("collective", {})
        ranks = ranks_of(dict(collective)) if isinstance(collective, typing.Mapping) else None
        machine, folders = machine_of(said.get("machine"), ranks)
        whole = {"schema_version": 1, "block": "1B", "engine": "native", **said}
        scenario = {**whole, "machine": machine} if machine is not None else whole
    else:
        folders = [os.path.dirname(os.path.abspath(check.path("scenario", scenario)))]
    name, text = named(scenario)
    made = _core.Point(name, text, check.integer("point", point, 1, MOST_POINTS),
                       words_of(changes, folders=folders), None)
    expanded = json.loads(made.scenario())
    return Schedule._of(made.schedule(), expanded.get("algorithm", "custom"), expanded, folders)


def read(file: Path) -> Schedule:
    """The schedule in a file of Rondo's own format (docs/custom.md). InputError for what is no such file."""
    name = check.path("file", file)
    return Schedule._of(_core.Schedule.read(name), "custom", None, [os.path.dirname(os.path.abspath(name))])


def parse(schedule: typing.Union[str, Json]) -> Schedule:
    """The schedule that a text or a dict of that format describes; relative partners on a torus included."""
    text = schedule if isinstance(schedule, str) else text_of(
        check.mapping("schedule", schedule, "the text of a schedule or a dict"))
    return Schedule._of(_core.Schedule.parse(text, "schedule"), "custom")
