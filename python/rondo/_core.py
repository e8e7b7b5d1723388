"""Wraps the C functions of librondo_python.so (src/python/interface.cpp) with Python's texts, bytes and exceptions.

``ctypes`` releases Python's lock during a call, except for ``set_prefix`` and ``permit``. It takes the lock for each
call of the listener.
"""

from __future__ import annotations

import ctypes
import json
import pathlib
import typing
from ctypes import POINTER, c_char, c_char_p, c_double, c_int32, c_size_t

from .errors import Error, InputError, SimulationError

_EXCEPTIONS: typing.Dict[int, typing.Type[Exception]] = {1: InputError, 2: SimulationError, 3: Error, 4: MemoryError}
_STOPPED = 5


class _Object(ctypes.Structure):
    """The object that a handle points to. Only the library reads it."""


class _Answer(ctypes.Structure):
    _fields_ = [("status", c_int32), ("object", POINTER(_Object)), ("data", POINTER(c_char)), ("size", c_size_t)]

    def text(self) -> bytes:
        """The text of the answer. Raises the exception of the status, with the text, if the status is not 0."""
        text = typing.cast(bytes, self.data[:self.size])
        if self.status:
            raise _EXCEPTIONS[self.status](text.decode())
        return text

    def __del__(self) -> None:
        _free(self.object)


class _Span(ctypes.Structure):
    _fields_ = [("data", POINTER(c_char)), ("size", c_size_t)]

    @classmethod
    def from_param(cls, buffer: typing.Any) -> _Span:
        """The bytes of a buffer, not copied. The buffer cannot grow while this object lives."""
        size = memoryview(buffer).nbytes
        return cls(ctypes.pointer(c_char.from_buffer(buffer)) if size else None, size)


class _Text:
    @classmethod
    def from_param(cls, text: typing.Optional[str]) -> c_char_p:
        return c_char_p(None if text is None else _encoded(text))


class _Turn(ctypes.Structure):
    _fields_ = [("row", c_char_p), ("go_on", c_int32)]


_Handle = POINTER(_Object)
_Listener = ctypes.CFUNCTYPE(None, POINTER(_Turn))
_TYPES: typing.Dict[str, typing.Tuple[typing.Any, ...]] = {  # the types of the arguments before the answer
    "version": (),
    "set_prefix": (_Text,),
    "permit": (_Text,),
    "build": (_Text, _Span, _Span, _Span),
    "parse": (_Span, _Text),
    "read": (_Text,),
    "measure": (_Handle,),
    "verify": (_Handle, _Text, _Listener),
    "text": (_Handle,),
    "sent": (_Handle,),
    "point": (_Text, _Text, c_size_t, _Text, _Handle),
    "schedule": (_Handle,),
    "predict": (_Handle, _Listener),
    "simulate": (_Handle, c_int32, _Listener),
    "record": (_Handle, _Listener),
    "page": (_Handle, _Listener),
    "count_points": (_Text, _Text, _Text),
    "run": (_Text, _Text, _Text, c_int32, c_size_t, c_size_t, _Listener),
    "prove": (_Text, _Text, c_double, _Listener),
}
_FILE = str(pathlib.Path(__file__).with_name("librondo_python.so"))
_LIBRARY, _LOCKED = ctypes.CDLL(_FILE), ctypes.PyDLL(_FILE)  # without and with Python's lock
_free = _LIBRARY["rondo_core_free"]
_free.argtypes, _free.restype = [_Handle], None


def _function(name: str) -> typing.Any:
    library = _LOCKED if name in ("set_prefix", "permit") else _LIBRARY
    function = library[f"rondo_core_{name}"]
    function.argtypes, function.restype = [*_TYPES[name], POINTER(_Answer)], None
    return function


_FUNCTIONS = {name: _function(name) for name in _TYPES}


def _call(name: str, *arguments: object) -> _Answer:
    answer = _Answer()
    _FUNCTIONS[name](*arguments, ctypes.byref(answer))
    return answer


def _ask(name: str, *arguments: object) -> bytes:
    return _call(name, *arguments).text()


def _encoded(text: str) -> bytes:
    """The text as UTF-8. A lone surrogate becomes bytes that are not UTF-8. The library refuses them."""
    return text.encode("utf-8", "surrogatepass")


_OnRow = typing.Callable[[bytes], None]
_Turns = typing.Generator[None, typing.Any, None]


def _listener(kept: typing.List[BaseException], on_row: typing.Optional[_OnRow]) -> _Turns:
    """Receives the turns of a call. It keeps an exception of ``on_row`` or of a signal, and ends the call.

    An exception must not leave a callback: ``ctypes`` only prints it. Python handles signals when a function begins,
    before the function reaches its ``try``. A generator continues within its ``try``, so the listener is a generator.
    """
    while True:
        try:
            while True:
                turn = (yield).contents
                if turn.row is not None and on_row is not None:
                    on_row(turn.row)
                turn.go_on = 1
        except GeneratorExit:
            return
        except BaseException as error:
            kept.append(error)


def _wait(name: str, *arguments: object, on_row: typing.Optional[_OnRow] = None) -> bytes:
    """The answer of a function that takes a listener."""
    kept: typing.List[BaseException] = []
    listener = _listener(kept, on_row)
    next(listener)
    answer = _call(name, *arguments, _Listener(listener.send))
    if answer.status == _STOPPED:
        raise kept.pop(0) if kept else KeyboardInterrupt()
    return answer.text()


class _Held:
    """An object of the library. It is freed when Python no longer needs it."""

    def __init__(self, answer: _Answer) -> None:
        self._answer = answer
        self._text = answer.text().decode()

    @property
    def _as_parameter_(self) -> object:  # ctypes passes this to the library
        return self._answer.object


class Schedule(_Held):
    def __init__(self, answer: _Answer) -> None:
        super().__init__(answer)
        facts = json.loads(self._text)
        self.ranks: int = facts["ranks"]
        self.rounds: int = facts["rounds"]
        self.block_bytes: int = facts["block_bytes"]
        self.promise = json.dumps(facts["promise"])

    @staticmethod
    def build(head: str, messages: typing.Any, places: typing.Any, copies: typing.Any) -> Schedule:
        return Schedule(_call("build", head, messages, places, copies))

    @staticmethod
    def parse(text: str, name: str) -> Schedule:
        return Schedule(_call("parse", bytearray(_encoded(text)), name))

    @staticmethod
    def read(file: str) -> Schedule:
        return Schedule(_call("read", file))

    def measure(self) -> str:
        return _ask("measure", self).decode()

    def verify(self, promise: str) -> bytes:
        return _wait("verify", self, promise)

    def text(self) -> bytes:
        return _ask("text", self)

    def sent(self) -> bytes:
        return _ask("sent", self)


class Point(_Held):
    def __init__(self, name: str, text: typing.Optional[str], number: int, words: str,
                 own: typing.Optional[Schedule]) -> None:
        permit(words)
        super().__init__(_call("point", name, text, number, words, own))

    def scenario(self) -> str:
        return self._text

    def schedule(self) -> Schedule:
        return Schedule(_call("schedule", self))

    def predict(self) -> bytes:
        return _wait("predict", self)

    def simulate(self, logs: bool) -> bytes:
        return _wait("simulate", self, logs)

    def record(self) -> bytes:
        return _wait("record", self)

    def page(self) -> bytes:
        return _wait("page", self)


def version() -> str:
    return _ask("version").decode()


def permit(words: str) -> None:
    _ask("permit", words)


def set_prefix(prefix: str) -> None:
    _ask("set_prefix", prefix)


def count_points(name: str, text: typing.Optional[str], words: str) -> int:
    permit(words)
    return int(_ask("count_points", name, text, words))


def run(name: str, text: typing.Optional[str], words: str, jobs: int, part: typing.Tuple[int, int],
        on_record: _OnRow) -> None:
    permit(words)
    _wait("run", name, text, words, jobs, *part, on_row=on_record)


def prove(file: str, promise: str, timeout: float) -> bytes:
    return _wait("prove", file, promise, timeout)
