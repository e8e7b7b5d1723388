#!/usr/bin/env python3
"""Tests that the examples after >>> in docs/python.md and in the docstrings of the module have the shown output."""

import doctest
import importlib.util
import os
import re
import tempfile
import unittest

from support import rondo

PAGE = os.path.join(os.environ["RONDO_SOURCE"], "docs", "python.md")
LOOK = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def sessions(page):
    """The page in which all lines outside its pycon blocks are empty. Line numbers stay the same."""
    blocks = re.compile(r"(?ms)^```pycon\n(.*?)^```$")
    text, end = "", 0
    for block in blocks.finditer(page):
        text += re.sub(r"[^\n]", "", page[end:block.start(1)]) + block.group(1) + "\n"
        end = block.end(1) + 1
    return text


class Docs(unittest.TestCase):
    maxDiff = None

    def test_do_what_they_show(self):
        with open(PAGE, encoding="utf-8") as page:
            text = sessions(page.read())
        example = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, "docs/python.md", PAGE, 0)
        self.assertGreater(len(example.examples), 15)
        if importlib.util.find_spec("pandas") is None:
            example.examples = [each for each in example.examples if "frame" not in each.source]
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                said = []
                doctest.DocTestRunner(optionflags=LOOK).run(example, out=said.append)
            finally:
                os.chdir(here)
        self.assertEqual("".join(said), "")

    def test_of_the_module_too(self):
        result = doctest.testmod(rondo, optionflags=LOOK)
        self.assertEqual(result.failed, 0)
        self.assertGreater(result.attempted, 2)

    def test_name_everything_that_is_public(self):
        with open(PAGE, encoding="utf-8") as page:
            text = page.read()
        for name in rondo.__all__:
            self.assertIn(name, text)
            self.assertTrue(getattr(rondo, name).__doc__, name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
