"""Checks the arguments of functions before they are used.

A wrong argument raises InputError, which names the argument, the accepted values and the given value.
"""

from __future__ import annotations

import json
import numbers
import operator
import os
import typing

from .errors import InputError

MOST_SECONDS = 1e9


def refusal(name: str, expected: str, value: object) -> InputError:
    return InputError(f"{name}: expected {expected}, got {shown(value)}")


def shown(value: object) -> str:
    """The text of a value in a message: one line of at most 60 characters."""
    try:
        text = repr(value)
    except Exception:  # the class raised it, or an integer has too many digits
        text = f"a value of {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


def integer(name: str, value: object, least: int, most: int) -> int:
    """The value as an int. Integers of NumPy are accepted, a bool is not."""
    expected = f"an integer from {least} to {most}"
    if is_bool(value):
        raise refusal(name, expected, value)
    try:
        number = operator.index(typing.cast(typing.SupportsIndex, value))
    except (TypeError, ValueError):
        raise refusal(name, expected, value) from None
    if not least <= number <= most:
        raise refusal(name, expected, value)
    return number


def seconds(name: str, value: object) -> float:
    expected = f"a number of seconds from 0 to {MOST_SECONDS:.0f}"
    if is_bool(value) or not isinstance(value, numbers.Real):
        raise refusal(name, expected, value)
    try:
        number = float(value)
    except (OverflowError, ValueError):
        raise refusal(name, expected, value) from None
    if not 0 <= number <= MOST_SECONDS:  # also true for NaN
        raise refusal(name, expected, value)
    return number


def is_bool(value: object) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool") and hasattr(value, "dtype")


def flag(name: str, value: object) -> bool:
    if not is_bool(value):
        raise refusal(name, "True or False", value)
    return bool(value)


def optional_flag(name: str, value: object) -> typing.Optional[bool]:
    return None if value is None else flag(name, value)


def text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise refusal(name, "a str", value)
    return value


def engine(name: str, value: object) -> typing.Optional[str]:
    if value is not None and not isinstance(value, str):
        raise refusal(name, '"native", "smpi" or None', value)
    return value


def is_path(value: object) -> bool:
    return isinstance(value, (str, os.PathLike))


def path(name: str, value: object) -> str:
    expected = "the name of a file, a str or an os.PathLike"
    if not is_path(value):
        raise refusal(name, expected, value)
    found = os.fspath(typing.cast("os.PathLike[str]", value))
    if not isinstance(found, str):
        raise refusal(name, expected, value)
    if "\0" in found:
        raise refusal(name, "the name of a file without zero bytes", found)
    return found


def paths(name: str, value: object) -> typing.List[str]:
    """A list of names of files. A single str is refused, since it would be read letter by letter."""
    if is_path(value) or isinstance(value, (bytes, typing.Mapping)) or not isinstance(value, typing.Iterable):
        raise refusal(name, "a list of names of files", value)
    return [path(name, each) for each in value]


def mapping(name: str, value: object, expected: str) -> typing.Dict[str, typing.Any]:
    """A dict whose keys are text."""
    if not isinstance(value, typing.Mapping):
        raise refusal(name, expected, value)
    for key in value:
        if not isinstance(key, str):
            raise refusal(name, f"{expected}, with keys of type str", key)
    return dict(value)


def size(name: str, value: object) -> str:
    """A size as text with a unit. A number is a number of bytes."""
    if isinstance(value, str):
        return value
    try:
        return f"{integer(name, value, 0, 1 << 62)}B"
    except InputError:
        raise refusal(name, f'a size such as "64KiB", or a number of bytes from 0 to {1 << 62}', value) from None


def json_text(name: str, value: object) -> str:
    """JSON of a value. The dicts in it may contain paths and the numbers of NumPy."""
    try:
        expect_text_keys(name, value)
        return json.dumps(value, default=plain, allow_nan=True)
    except InputError:
        raise
    except (TypeError, ValueError, OverflowError) as why:
        raise InputError(f"{name}: expected what JSON can hold: {why}") from None
    except RecursionError:
        raise InputError(f"{name}: expected what JSON can hold, got too deep a nesting") from None


def expect_text_keys(name: str, value: object) -> None:
    """Refuses keys that are not text. Python's encoder would convert other keys to text."""
    if isinstance(value, typing.Mapping):
        for key, each in value.items():
            if not isinstance(key, str):
                raise refusal(name, "keys of type str", key)
            expect_text_keys(name, each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            expect_text_keys(name, each)


def plain(value: typing.Any) -> object:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # a number or an array of NumPy
        return value.tolist()
    if isinstance(value, typing.Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON")


def integers(name: str, value: object) -> typing.Any:
    """An array of integers. A number alone becomes an array without dimensions. Fractions are refused, since NumPy
    would truncate them."""
    import numpy

    try:
        array = numpy.asarray(value)
    except (TypeError, ValueError, OverflowError):
        raise refusal(name, "integers", value) from None
    if array.size == 0:
        return array.astype(numpy.int64)
    if array.dtype.kind not in "iu" or (array.dtype.kind == "u" and int(array.max()) > (1 << 62)):
        raise refusal(name, "integers", value)
    return array


__all__ = ["engine", "flag", "integer", "integers", "is_path", "json_text", "mapping", "optional_flag", "path", "paths",
           "refusal", "seconds", "shown", "size", "text"]

