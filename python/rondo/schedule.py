"""Schedules, which are written round by round, generated or read, and then proved, counted, simulated and shown."""

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
from .errors import InputError, Verdict
from .results import Json, Timing, timing_of, verdict_of
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
    """The messages of every rank in every round.

    A rank has three buffers of slots: ``send``, which is only read, ``receive``, which must contain the promised blocks
    at the end, and ``intermediate``. A *place* is a slot of a buffer, ``("receive", 3)``. In a round a rank posts all
    its sends and receives, waits for all of them, and then does its copies. A message carries the content that its
    places had before the round.

    ``ranks``: the number of ranks p.
    ``promise``: the blocks that the schedule delivers. A dict (docs/custom.md) such as
    ``{"kind": "allgather", "ranks": 8}``, or the name of a file.
    ``block``: the size m of a slot, "64KiB" or a number of bytes.
    ``slots``: the number of slots of a buffer at every rank, ``{"receive": 8}``. By default a buffer has as many slots
    as the promise and the messages need.
    ``slot_bytes``: the size in bytes of each slot of a buffer, ``{"receive": [100, 200]}``, if the sizes are not m.
    ``name``: the name of the schedule in records.

    Wrong ranks and places raise InputError immediately.
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
        self._scenario: typing.Optional[Json] = None  # of a generated schedule

    # Written

    @contextlib.contextmanager
    def round(self) -> typing.Iterator[int]:
        """Begins the next round: ``with schedule.round():``. The messages and copies inside belong to it.

        The ``with`` statement gives the number of the round, from 1.
        """
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
        """Adds a message from rank ``source`` to rank ``target`` to this round.

        ``places``: the place, or the list of places, that the source reads.
        ``into``: the places that the target writes, one for each place of the source. The default is the same places.
        ``join``: None stores the arriving data. "before" stores arriving (op) present, "after" stores present (op)
        arriving.

        Sends and receives between two ranks match in the order of these calls.
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
        """Adds n messages of one block each to this round, like n calls of ``send``, but faster.

        ``sources`` and ``targets``: arrays of integers of shape (n,). A number stands for n equal numbers.
        ``places`` and ``into``: the name of a buffer, and an array of its slots, also of shape (n,) or a number.
        ``join``: as for ``send``.
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
            i = int(wrong.argmax())  # send() raises the error
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
        """Adds a local copy at a rank, from ``place`` to ``into``.

        A rank copies after the messages of the round. A copy outside a round belongs to the round before it. A copy
        before the first round is done at the start. ``send`` explains ``join``.
        """
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
        """p, the number of ranks."""
        return self._ranks

    @property
    def rounds(self) -> int:
        """D, the number of rounds."""
        return self._built().rounds

    @property
    def block_bytes(self) -> int:
        """m, the size of a block in bytes."""
        return self._built().block_bytes

    @property
    def promise(self) -> typing.Any:
        """The promise of the schedule: a dict, the name of a file, or None."""
        return json.loads(self._built().promise)

    def verify(self, promise: typing.Union[Json, Path, None] = None) -> Verdict:
        """Proves by a replay of every block that the schedule keeps its promise, or another ``promise``.

        Raises InputError if there is no promise, or if the promise has other numbers of ranks or other sizes.
        """
        core = self._built()
        wanted, folders = in_folders(self.promise if promise is None else promise)
        if wanted is None:
            raise InputError('schedule: expected a promise, such as {"kind": "allgather", "ranks": 8}, got none')
        _core.permit(words_of(folders=[*folders, *self._folders]))
        return verdict_of(json.loads(core.verify(text_of(wanted))))

    def measure(self) -> Json:
        """The counts of the schedule, which need no machine.

        ``rounds``: the number of rounds D.
        ``messages``: the messages of all ranks.
        ``ports``: the most sends, or the most receives, of a rank in a round.
        ``volume_blocks`` and ``volume_bytes``: the most blocks and bytes that a rank sends.
        ``received_blocks``: the most blocks that a rank receives.
        ``critical_blocks`` and ``critical_bytes``: the largest message of each round, summed over the rounds.
        ``total_blocks`` and ``total_bytes``: the blocks and bytes that all ranks send.
        ``reduced_bytes``: the most bytes that a rank joins.
        """
        return typing.cast(Json, json.loads(self._built().measure()))

    def predict(self, machine: typing.Optional[Machine] = None, *,
                block: typing.Union[str, int, None] = None) -> Json:
        """Closed forms and lower bounds, without a simulation: ``{"theory": {...}, "bound": {...}}``.

        ``theory`` contains the closed forms of a generated schedule. ``bound`` contains lower bounds for every schedule
        with this promise. The keys are rounds, volumes in blocks and bytes, messages, and ``time_s`` in seconds
        (docs/records.md). Unknown values are None.
        """
        record = json.loads(self._point(machine, "native", block).predict())
        return {key: record[key] for key in ("theory", "bound")}

    def simulate(self, machine: typing.Optional[Machine] = None, *, engine: str = "native",
                 block: typing.Union[str, int, None] = None, verify: typing.Optional[bool] = None,
                 timeout: float = 0, messages: bool = False) -> Timing:
        """Simulates the schedule on a machine.

        ``machine``: a dict with the keys of a scenario's ``machine``, or the name of a file. The default is a fully
        connected machine with a host for each rank, 1 us and 1 GB/s.
        ``engine``: "native", or "smpi" for SimGrid.
        ``block``: another block size m, "64KiB" or a number of bytes.
        ``verify``: whether the schedule is proved first. By default it is proved if it has at most 10^8 block moves.
        ``timeout``: the real seconds that the simulation may take; 0: any number.
        ``messages``: whether ``passages`` of the result has a row for each message.

        Raises InputError if the machine cannot carry the schedule, ProofError if the schedule does not keep its
        promise, and SimulationError after a deadlock, a crash, a time-out or lack of memory.
        """
        return timing_of(self._point(machine, engine, block, verify, timeout).simulate(check.flag("messages", messages)))

    def record(self, machine: typing.Optional[Machine] = None, *, engine: str = "native",
               block: typing.Union[str, int, None] = None, verify: typing.Optional[bool] = None,
               timeout: float = 0) -> Json:
        """Proves, counts, bounds and simulates the schedule, and returns a record of ``rondo run`` (docs/records.md).

        The arguments are those of ``simulate``. If the simulation fails, the record contains the ``error``.
        """
        point = self._point(machine, engine, block, verify, timeout)
        return typing.cast(Json, json.loads(point.record()))

    def sent(self) -> numpy.ndarray:
        """Every message as a row of a structured array, sorted by source and then by round.

        The fields are ``round``, ``source``, ``target``, ``blocks`` and ``bytes``, of type int64.
        """
        import numpy

        rows = numpy.frombuffer(self._built().sent(), dtype=numpy.int64)
        return rows.view([(name, "i8") for name in ("round", "source", "target", "blocks", "bytes")])

    def html(self, machine: typing.Optional[Machine] = None, *, engine: str = "native") -> str:
        """The page of ``rondo show --format html``, which animates the blocks and the simulated run.

        Raises InputError if the schedule has more than 1024 ranks or more than 20,000 messages.
        """
        with tempfile.TemporaryDirectory() as folder:
            return self._point(machine, engine, None, folder=folder).page().decode()

    def to_json(self) -> str:
        """The schedule as JSON (docs/custom.md)."""
        return self._built().text().decode()

    def save(self, file: Path) -> None:
        """Writes the schedule to a file, for ``read``, ``rondo prove`` and collectives of the kind ``custom``."""
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
        """A point that runs the schedule on a machine. The schedule is written to a file in ``folder``, or used from
        memory if ``folder`` is None."""
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
        """Both as an int, which may have been integers of NumPy. Raises the error of a wrong rank."""
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
    """A promise for the library, and the folder of its file."""
    if check.is_path(promise):
        file = check.path("promise", promise)
        return file, [os.path.dirname(os.path.abspath(file))]
    return None if promise is None else check.mapping("promise", promise, "a dict or the name of a file"), []


def slots_of(slots: object) -> typing.Dict[str, int]:
    """The number of slots of each buffer that is named."""
    if slots is None:
        return {}
    said = check.mapping("schedule: slots", slots, "a dict of buffers with numbers of slots")
    return {buffer_named(name): check.integer(f"schedule: slots of {name}", count, 0, MOST_SLOTS)
            for name, count in said.items()}


def sizes_of(slot_bytes: object) -> typing.Dict[str, typing.List[int]]:
    """The size in bytes of each slot, of each buffer that is named."""
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
    """Generates the schedule of a scenario, for any collective and algorithm that ``rondo list`` prints.

    ``scenario``: the name of a file, or a dict such as ``{"collective": {"kind": "allgather", "ranks": 8},
    "algorithm": "ring", "block": "64KiB"}``. The default of ``block`` is "1B". A dict needs no machine if its
    ``collective`` gives the number of ranks.
    ``point``: the number of the point in the sweep, from 1.
    ``changes``: JSON pointers and their new values.

    Raises InputError if the scenario is wrong, or if it is a program, which has no schedule.
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
    """Reads a schedule from a file of Rondo's JSON (docs/custom.md).

    Raises InputError if the file is something else.
    """
    name = check.path("file", file)
    return Schedule._of(_core.Schedule.read(name), "custom", None, [os.path.dirname(os.path.abspath(name))])


def parse(schedule: typing.Union[str, Json]) -> Schedule:
    """The schedule in a text or a dict of Rondo's JSON (docs/custom.md), which may name partners by torus offsets.

    Raises InputError if the text or the dict is something else.
    """
    text = schedule if isinstance(schedule, str) else text_of(
        check.mapping("schedule", schedule, "the text of a schedule or a dict"))
    return Schedule._of(_core.Schedule.parse(text, "schedule"), "custom")
