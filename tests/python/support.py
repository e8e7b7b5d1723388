"""Imports the module under test from the folder in RONDO_PYTHON. If it was not built, or if NumPy is missing, the test
is skipped (exit code 77)."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["RONDO_PYTHON"])


def found(name, why):
    try:
        return __import__(name)
    except ImportError as error:
        print(f"skipped: {why}: {error}")
        sys.exit(77)


rondo = found("rondo", "the module was not built")
numpy = found("numpy", "Debian's python3-numpy is missing")
