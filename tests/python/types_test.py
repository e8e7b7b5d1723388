#!/usr/bin/env python3
"""Tests of the types of the module, which mypy reads, and of the declared types of the library's C functions."""

import ctypes
import os
import re
import subprocess
import sys
import tempfile
import unittest

from support import rondo

PACKAGE = os.path.join(os.environ["RONDO_SOURCE"], "python", "rondo")
USE = """import rondo
s = rondo.Schedule(4, promise={"kind": "allgather", "ranks": 4})
with s.round() as number:
    s.send(0, 1, ("send", number), [("receive", 0)])
time: float = s.simulate(messages=True).makespan
"""


def checked_by_mypy(*words):
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--allow-any-generics", "--ignore-missing-imports",
                           "--cache-dir", os.devnull, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, "MYPYPATH": os.path.dirname(PACKAGE)})


class Types(unittest.TestCase):
    def setUp(self):
        if checked_by_mypy("--version").returncode != 0:
            self.skipTest("Debian's mypy is missing")

    def test_of_the_module_are_consistent(self):
        ran = checked_by_mypy(PACKAGE)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_find_a_mistake_of_a_user(self):
        for change, expected in (("", 0), ('s.send(0, 1, "send")\n', 1)):
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "use.py")
                with open(file, "w", encoding="utf-8") as out:
                    out.write(USE + change)
                ran = checked_by_mypy(file)
            self.assertEqual(ran.returncode, expected, ran.stdout + ran.stderr)


class Declarations(unittest.TestCase):
    """Compares the declarations of the library's C functions in _core.py with their definitions."""

    def setUp(self):
        with open(os.path.join(os.environ["RONDO_SOURCE"], "src", "python", "interface.cpp"), encoding="utf-8") as file:
            self.text = file.read()

    def test_of_functions_have_the_types_of_the_library(self):
        core = rondo._core
        names = {"char const*": core._Text, "Span": core._Span, "Object const*": core._Handle,
                 "Listener": core._Listener, "double": ctypes.c_double, "std::size_t": ctypes.c_size_t,
                 "std::int32_t": ctypes.c_int32}
        found = {}
        for name, arguments in re.findall(r"^void rondo_core_(\w+)\(([^)]*)\)", self.text, re.MULTILINE):
            types = [re.sub(r"\s*\w+$", "", each.strip()) for each in arguments.split(",")]
            if name != "free":
                self.assertEqual(types.pop(), "Answer*", name)
                found[name] = tuple(names[each] for each in types)
        self.assertEqual(found, core._TYPES)

    def test_of_structures_have_the_members_of_the_library(self):
        for name in ("Answer", "Span", "Turn"):
            body = re.search(rf"^struct {name} {{\n(.*?)^}};", self.text, re.MULTILINE | re.DOTALL).group(1)
            members = re.findall(r"^  [\w: *]+[ *](\w+)(?:{})?;", body, re.MULTILINE)
            self.assertEqual(members, [field for field, _ in getattr(rondo._core, f"_{name}")._fields_])


if __name__ == "__main__":
    unittest.main(verbosity=2)
