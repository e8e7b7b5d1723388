"""Numbers with units, as in scenarios, and splitmix64 (docs/model-network.md, "Drawn numbers"). All numbers are
exact."""

from fractions import Fraction
from functools import lru_cache

TIMES = {"ns": Fraction(1, 10**9), "us": Fraction(1, 10**6), "ms": Fraction(1, 10**3), "s": Fraction(1)}
SIZES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def split(text):
    """The number and the unit of "1.5us"."""
    length = next((i for i, letter in enumerate(text) if letter.isalpha()), len(text))
    return Fraction(text[:length]), text[length:]


@lru_cache(maxsize=None)
def seconds(text):
    number, unit = split(text)
    return number * TIMES[unit]


@lru_cache(maxsize=None)
def size(text):
    number, unit = split(text)
    return number * SIZES[unit]


@lru_cache(maxsize=None)
def rate(text):
    """The bytes per second of "3GBps"."""
    assert text.endswith("ps"), text
    return size(text[:-2])


@lru_cache(maxsize=None)
def per_byte(text):
    """The seconds per byte of "0.2ns/B"."""
    time, byte = text.split("/")
    return seconds(time) / SIZES[byte]


def splitmix64(state):
    """An endless sequence of the numbers of splitmix64."""
    mask = 2**64 - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


def first_number(state):
    return next(splitmix64(state))
