#!/usr/bin/env python3
"""Tests that all cells of the notebook run and print the output that the notebook shows. One test uses nbconvert, the
other one runs the cells as a script. A test is skipped if a package is missing."""

import contextlib
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import rondo  # noqa: F401, skips if it was not built

NOTEBOOK = os.path.join(os.environ["RONDO_SOURCE"], "docs", "new-algorithm.ipynb")


def has(*names):
    return all(importlib.util.find_spec(name) is not None for name in names)


def printed(notebook):
    """The printed text of each cell, without pictures and values."""
    return ["".join("".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream")
            for cell in notebook["cells"] if cell["cell_type"] == "code"]


class Notebook(unittest.TestCase):
    def setUp(self):
        with open(NOTEBOOK, encoding="utf-8") as file:
            self.notebook = json.load(file)

    def test_runs_by_nbconvert(self):
        if not has("nbconvert", "ipykernel", "matplotlib", "pandas"):
            self.skipTest("Debian's jupyter-nbconvert, python3-ipykernel, python3-matplotlib or python3-pandas is missing")
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "HOME": folder, "PYTHONPATH": os.environ["RONDO_PYTHON"], "MPLBACKEND": "agg"}
            shutil.copy(NOTEBOOK, folder)  # it runs in its folder, and writes files
            ran = subprocess.run([sys.executable, "-m", "jupyter", "nbconvert", "--to", "notebook", "--execute", "--output",
                                  "run.ipynb", os.path.basename(NOTEBOOK)], env=environment, cwd=folder,
                                 capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            with open(os.path.join(folder, "run.ipynb"), encoding="utf-8") as file:
                self.assertEqual(printed(json.load(file)), printed(self.notebook))

    def test_runs_as_a_script(self):
        if not has("matplotlib", "pandas"):
            self.skipTest("Debian's python3-matplotlib or python3-pandas is missing")
        os.environ["MPLBACKEND"] = "agg"
        said, names, here = [], {}, os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for cell in self.notebook["cells"]:
                    if cell["cell_type"] == "code":
                        out = io.StringIO()
                        with contextlib.redirect_stdout(out):
                            exec("".join(cell["source"]), names)
                        said.append(out.getvalue())
            finally:
                os.chdir(here)
        self.assertEqual(said, printed(self.notebook))


if __name__ == "__main__":
    unittest.main(verbosity=2)
