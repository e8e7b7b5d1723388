#!/usr/bin/env python3
"""The types of the module as mypy reads them, and the stub of the binding as it is."""

import ast
import os
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


class Stub(unittest.TestCase):
    def test_has_the_names_of_the_binding(self):
        with open(os.path.join(PACKAGE, "_core.pyi"), encoding="utf-8") as file:
            stub = ast.parse(file.read())
        own = {item.name for item in stub.body if isinstance(item, (ast.ClassDef, ast.FunctionDef))}
        self.assertEqual(own, {name for name in dir(rondo._core) if not name.startswith("_")})
        for item in stub.body:
            if isinstance(item, ast.ClassDef):
                members = {each.name for each in item.body if not each.name.startswith("_")}
                self.assertEqual(members, {name for name in dir(getattr(rondo._core, item.name)) if name[0] != "_"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
